"""SGN-DF with one vector per (root, block): all vertices of a block receive the same sum.

Fix a root v and its ball. A vertex u of exactly one block, at which no bridge begins or ends, is *plain*: its pair
vector is ``(h_u + S_b) W_c``, given by the sum ``S_b`` of its block. A *leaf* hangs on a bridge and nothing hangs on
it: its pair vector goes nowhere but to u, and is not kept. Other vertices but the root are *joints* and keep a vector
of their own. A *slot* is one joint, or the plain vertices of one block at one distance: all that lies in a slot
receives the same, and the state is one sum per slot.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, NamedTuple, cast

import numpy as np
import scipy.sparse as sp
import torch
from torch import Tensor

from lvc.graph import Graph
from lvc.nn.features import Features
from lvc.nn.operators.base import Layer, Operator, Rule, Starts, smallest
from lvc.nn.operators.pairwise import divisors, roots_per_distance
from lvc.nn.operators.plan import Plan, plan_of
from lvc.nn.sparse import Matrix, entries, sum_of_products, sums_of_products
from lvc.search.ball_blocks import ball_blocks_of_every_root
from lvc.search.balls import offsets
from lvc.search.kinds import DFS


class Products(NamedTuple):
    """The matrices of a step; a unit is a block or a joint.

    At radius 1 units are the slots: no matrix leads from them, and none to them unless it divides sums. Slots are
    kept distance by distance, so that graphs side by side have their matrices along a diagonal.
    """

    own: tuple[Matrix, ...]  # for each distance [n, n]: h_u from every root, and h_v to what hangs on the root
    enter: tuple[Matrix, ...]  # for each distance [slots, n]: h_u of the members of a slot
    leave: tuple[Matrix, ...]  # for each distance [n, slots]: pair vectors to their vertex u
    leaves: tuple[Matrix, ...]  # for each distance but the first [n, units]: joints to the leaves that hang on them
    into_unit: tuple[Matrix, ...] | None  # for each distance [units, slots]: sums of blocks without root; joints
    from_unit: tuple[Matrix, ...] | None  # for each distance [slots, units]: what the slots receive
    from_root: tuple[Matrix, ...]  # for each distance [slots, n]: the part of it that is the root's own vector
    members: tuple[Matrix, ...]  # for each distance [slots, slots]: how many members each slot has

    def is_narrow(self, h: Features, hidden: int) -> bool:
        """Whether it costs less to add up h than ``h W_c``, although every slot has to be multiplied then."""
        slots = sum(members.shape[0] for members in self.members)
        return isinstance(h, Tensor) and h.shape[1] * max(slots, h.shape[0]) <= hidden * h.shape[0]


class Blocks(Operator):
    """``Σ_v h_{u←v}`` for DFS (how SGN is computed, in docs). State: ``Σ h_{u←v}`` over each slot."""

    counts_what: ClassVar[dict[str, str]] = {
        "vertex": "vertices",
        "entry": "pairs",
        "root": "pairs",
        "member": "pairs",
        "block": "blocks",
    }

    @classmethod
    def of(cls, graph: Graph, search: DFS, radius: int) -> Blocks:
        found = ball_blocks_of_every_root(graph, radius)
        pairs, blocks = len(found.vertex), len(found.block_start) - 1
        hung = np.flatnonzero(found.entry >= 0)
        tensors = {
            "vertex": smallest(found.vertex),
            "distance": smallest(found.distance),
            "root": smallest(np.repeat(found.start[:-1], np.diff(found.start))),
            "lower": torch.from_numpy(found.entry >= 0),  # entered by a bridge ...
            "entry": smallest(found.entry[hung]),  # ... whose other end is this
            "block": smallest(np.repeat(np.arange(blocks), np.diff(found.block_start))),
            "member": smallest(found.member),
        }
        return cls(str(search), radius, {"vertices": graph.n, "pairs": pairs, "blocks": blocks}, tensors)

    def bounds(self, vertices: np.ndarray) -> tuple[Starts, Starts]:
        root = self.numpy("vertex")[self.numpy("root")]  # of each pair; pairs, and with them members, are sorted by it
        pairs = np.searchsorted(root, vertices)
        hung = offsets(self.numpy("lower"))[pairs]
        members = np.searchsorted(root[self.numpy("member")], vertices)
        blocks = np.append(self.numpy("block"), self.sizes["blocks"])[members]
        rows = dict.fromkeys(("vertex", "distance", "root", "lower"), pairs)
        rows |= {"entry": hung, "block": members, "member": members}
        return {"vertices": vertices, "pairs": pairs, "blocks": blocks}, rows

    def start(self, h: Features) -> None:
        return None

    def step(
        self, state: tuple[Tensor, ...] | None, h: Features, layer: Layer
    ) -> tuple[Tensor, tuple[Tensor, ...] | None]:
        matrices = self.made(self._products, layer.rule, like=layer.weight)
        if state is None and not matrices.is_narrow(h, layer.weight.shape[2]):
            return self._enter(h, layer, matrices)
        h = cast(Tensor, h)
        units = _units([one @ h for one in matrices.enter] if state is None else state, matrices)
        merged, out, kept = layer.merged(), layer.onto, []
        every = range(self.radius)
        for c, received, passed in zip(every, *_met(every, units, h, matrices), strict=True):
            leaving, held = _passed_on(c, h, received, passed, matrices, layer)
            out = torch.addmm(out, leaving, merged[:, c])
            if held is not None:
                kept.append(held @ layer.weight[:, c])
        return out, None if layer.last else tuple(kept)

    def _enter(self, h: Features, layer: Layer, matrices: Products) -> tuple[Tensor, tuple[Tensor, ...] | None]:
        """The first layer, if ``h^0 W_c`` is narrower than h^0: it travels instead."""
        weight = layer.merged() if layer.last else layer.weight
        out, kept = layer.onto if layer.last else None, []
        for c, part in enumerate((h @ weight.flatten(1)).chunk(self.radius, dim=1)):
            projected = part.contiguous()  # once, and not in every product
            units = _units([one @ projected for one in matrices.enter], matrices)
            (received,), (passed,) = _met([c], units, projected, matrices, [out])
            out, held = _passed_on(c, projected, received, passed, matrices, layer)
            if held is not None:
                kept.append(held)
        out = cast(Tensor, out)
        return (out, None) if layer.last else (torch.addmm(layer.onto, out, layer.mix), tuple(kept))

    def _products(self, rule: Rule, like: Tensor) -> Products:
        plan = self.made(self._plan, like=like)
        vertex = self.numpy("vertex")
        n, r = self.vertices, self.radius
        roots = roots_per_distance(vertex, self.numpy("distance"), n, r)
        alpha, beta, omega = divisors(rule, *self._divided(rule, plan), roots)
        # own: diag of the roots at distance c, and the root's vector to what hangs on it
        roots = roots * omega if rule.own_term else np.zeros((n, r))
        every = np.arange(n)
        own = [entries(every, every, roots[:, c], (n, n)).tocsr() for c in range(r)]
        hang, at = vertex[plan.on_root], plan.root[plan.on_root]
        own[0] += entries(hang, vertex[at], omega[hang, 0] * alpha[plan.on_root] * beta[at], (n, n)).tocsr()
        for one in own:
            one.eliminate_zeros()
        enter = entries(plan.slot, vertex[plan.held], np.ones(len(plan.held)), (plan.slots, n)).tocsr()
        members = sp.diags(np.bincount(plan.slot, minlength=plan.slots).astype(np.float64)).tocsr()
        entering = tuple(Matrix.of(enter[a:b], like) for a, b in plan.ranges)
        return Products(
            tuple(Matrix.of(one, like) for one in own),
            entering,
            # without divisors they leave as they entered
            tuple(one.transposed for one in entering) if rule.scale == "sum" else self._leave(plan, omega, like),
            self._leaves(plan, alpha, beta, omega, like),
            self._into_unit(plan, alpha, beta, rule, like),
            *self._out_of_units(plan, alpha, beta, like),
            tuple(Matrix.symmetric(members[a:b, a:b], like) for a, b in plan.ranges),
        )

    def _leave(self, plan: Plan, omega: np.ndarray, like: Tensor) -> tuple[Matrix, ...]:
        vertex, distance = self.numpy("vertex")[plan.held], self.numpy("distance")[plan.held]
        whole = entries(vertex, plan.slot, omega[vertex, distance - 1], (self.vertices, plan.slots)).tocsc()
        return tuple(Matrix.of(whole[:, a:b], like) for a, b in plan.ranges)

    def _leaves(
        self, plan: Plan, alpha: np.ndarray, beta: np.ndarray, omega: np.ndarray, like: Tensor
    ) -> tuple[Matrix, ...]:
        """Every leaf receives the vector of the joint that it hangs on, and gives it to its vertex at once.

        Leaves at distance 1 hang on the root.
        """
        leaf, distance = plan.leaves, self.numpy("distance")[plan.leaves]
        vertex, joint = self.numpy("vertex")[leaf], plan.entry[leaf]
        values = omega[vertex, distance - 1] * alpha[leaf] * beta[joint]
        shape = self.vertices, plan.units
        chosen = [distance == c + 1 for c in range(1, self.radius)]
        return tuple(Matrix.of(entries(vertex[at], plan.unit_of[joint[at]], values[at], shape), like) for at in chosen)

    def _into_unit(
        self, plan: Plan, alpha: np.ndarray, beta: np.ndarray, rule: Rule, like: Tensor
    ) -> tuple[Matrix, ...] | None:
        """Slot sums to block sums (root left out), joints to themselves and to their blocks."""
        if self.radius == 1:
            divided = sp.diags((alpha * beta)[plan.one_member])
            return None if rule.scale == "sum" else (Matrix.symmetric(divided, like),)
        joint = plan.is_joint[plan.member]
        rows = np.concatenate([plan.unit, plan.block[joint]])
        columns = np.concatenate([np.arange(plan.slots), plan.slot_of[plan.member[joint]]])
        own = np.where(plan.is_joint[plan.one_member], 1.0, beta[plan.one_member])  # a joint stands here as it is
        values = np.concatenate([own, beta[plan.member[joint]]])
        whole = entries(rows, columns, values, (plan.units, plan.slots)).tocsc()
        return tuple(Matrix.of(whole[:, a:b], like) for a, b in plan.ranges)

    def _out_of_units(
        self, plan: Plan, alpha: np.ndarray, beta: np.ndarray, like: Tensor
    ) -> tuple[tuple[Matrix, ...] | None, tuple[Matrix, ...]]:
        """What each slot receives: from units and from roots."""
        rows, columns, values = [], [], []
        to_root, root_values = [], []

        def receive(slot: np.ndarray, unit: np.ndarray, weight: np.ndarray) -> None:
            rows.append(slot)
            columns.append(unit)
            values.append(weight)

        def receive_root(slot: np.ndarray, pair: np.ndarray) -> None:
            to_root.append((slot, plan.root[pair]))
            root_values.append(alpha[pair] * beta[plan.root[pair]])

        # Plain vertices receive their block's sum; one member speaks for all of a slot.
        plain = np.flatnonzero(~plan.is_joint[plan.one_member])
        receive(plain, plan.unit[plain], alpha[plan.one_member[plain]])
        with_root = plain[plan.has_root[plan.unit[plain]]]
        receive_root(with_root, plan.one_member[with_root])
        # Joints receive the sums of all their blocks, themselves once, and the other end of their bridge.
        joint = plan.is_joint[plan.member]
        pair, block = plan.member[joint], plan.block[joint]
        receive(plan.slot_of[pair], block, alpha[pair])
        receive_root(plan.slot_of[pair[plan.has_root[block]]], pair[plan.has_root[block]])
        joints = np.flatnonzero(plan.is_joint)
        again = joints[plan.blocks_of[joints] > 1]
        receive(plan.slot_of[again], plan.unit_of[again], -(plan.blocks_of[again] - 1) * alpha[again] * beta[again])
        below = joints[plan.entry[joints] >= 0]
        on_root = plan.entry[below] == plan.root[below]
        receive_root(plan.slot_of[below[on_root]], below[on_root])
        lower = below[~on_root]
        receive(plan.slot_of[lower], plan.unit_of[plan.entry[lower]], alpha[lower] * beta[plan.entry[lower]])

        unit_rows = np.concatenate(rows), np.concatenate(columns), np.concatenate(values)
        from_unit = entries(*unit_rows, (plan.slots, plan.units)).tocsr()
        slots, roots = (np.concatenate(part) for part in zip(*to_root, strict=True))
        vertices = self.numpy("vertex")[roots]
        from_root = entries(slots, vertices, np.concatenate(root_values), (plan.slots, self.vertices)).tocsr()
        return (
            tuple(Matrix.of(from_unit[a:b], like) for a, b in plan.ranges) if self.radius > 1 else None,
            tuple(Matrix.of(from_root[a:b], like) for a, b in plan.ranges),
        )

    def _divided(self, rule: Rule, plan: Plan) -> tuple[np.ndarray, np.ndarray]:
        """How large η and its converse are at every pair, by the blocks; where sums are divided by that."""
        distance = self.numpy("distance")
        pairs = len(distance)
        if rule.scale == "sum":
            return np.ones(pairs), np.ones(pairs)
        size = np.bincount(plan.block, minlength=plan.units)
        eta = np.bincount(plan.member, weights=size[plan.block], minlength=pairs)
        eta += (plan.entry >= 0) - np.maximum(plan.blocks_of - 1, 0)
        receivers = size - plan.has_root
        used = np.bincount(plan.member, weights=receivers[plan.block], minlength=pairs)
        used -= np.where(distance > 0, np.maximum(plan.blocks_of - 1, 0), 0)
        used += np.bincount(plan.entry[plan.entry >= 0], minlength=pairs)
        return eta, used

    def mark(self, made: Products, start: Starts) -> None:
        plan = self.made(self._plan, like=made.own[0].forward.like)
        vertices, of_unit = start["vertices"], np.empty(plan.units, np.int64)
        of_unit[plan.block] = plan.member
        of_unit[plan.unit_of[plan.is_joint]] = np.flatnonzero(plan.is_joint)

        def starts(pairs: np.ndarray) -> np.ndarray:
            """Where those of each graph begin, if what these pairs stand for is sorted by graphs."""
            return np.searchsorted(
                np.searchsorted(start["pairs"], pairs, side="right"), np.arange(1, len(vertices) + 1)
            )

        units, slots = starts(of_unit), [starts(plan.one_member[a:b]) for a, b in plan.ranges]
        for one in made.own:
            one.mark(vertices, vertices)
        for one in made.leaves:
            one.mark(vertices, units)
        for k, here in enumerate(slots):
            made.enter[k].mark(here, vertices)
            made.leave[k].mark(vertices, here)
            made.from_root[k].mark(here, vertices)
            made.members[k].mark(here, here)
            if made.into_unit is not None:
                made.into_unit[k].mark(units, here)
            if made.from_unit is not None:
                made.from_unit[k].mark(here, units)

    def _plan(self, like: Tensor) -> Plan:
        block, member, root = (self.numpy(name).astype(np.int64) for name in ("block", "member", "root"))
        entry = np.full(self.sizes["pairs"], -1, np.int64)
        entry[self.numpy("lower")] = self.numpy("entry")
        return plan_of(self.numpy("distance"), root, entry, block, member, self.sizes["blocks"], self.radius)


def _units(slots: Sequence[Tensor], matrices: Products) -> Tensor:
    """Sums of blocks without their root, and vectors of joints."""
    if matrices.into_unit is None:
        return slots[0]
    return sum_of_products(list(zip(matrices.into_unit, slots, strict=True)))


def _met(
    distances: Sequence[int], units: Tensor, h: Tensor, matrices: Products, onto: Sequence[Tensor | None] | None = None
) -> tuple[list[Tensor], list[Tensor]]:
    """For each distance what its slots receive, ``Σ_{w∈η_v(u)} h_{w←v}``, and what reaches vertices past slots."""
    from_unit = [None if matrices.from_unit is None else matrices.from_unit[c] for c in distances]
    leaves = [None if c == 0 else matrices.leaves[c - 1] for c in distances]
    grid = [[unit, matrices.from_root[c]] for unit, c in zip(from_unit, distances, strict=True)]
    grid += [[leaf, matrices.own[c]] for leaf, c in zip(leaves, distances, strict=True)]
    nothing: list[Tensor | None] = [None] * len(distances)
    found = sums_of_products(grid, [units, h], nothing + list(onto or nothing))
    received, passed = found[: len(distances)], found[len(distances) :]
    return received if matrices.from_unit is not None else [units + one for one in received], passed


def _passed_on(
    c: int, h: Tensor, received: Tensor, passed: Tensor, matrices: Products, layer: Layer
) -> tuple[Tensor, Tensor | None]:
    """Sums of ``h_u + Σ_{w∈η_v(u)} h_{w←v}`` at the c-th distance: for each u over its roots, and for each slot.

    The first are added onto ``passed``; the second are left out if no layer follows.
    """
    if layer.last:
        return sum_of_products([(matrices.leave[c], received)], passed), None
    grid = [[matrices.leave[c], None], [matrices.members[c], matrices.enter[c] if layer.rule.own_term else None]]
    leaving, held = sums_of_products(grid, [received, h], [passed, None])
    return leaving, held

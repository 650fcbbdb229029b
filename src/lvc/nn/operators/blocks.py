"""SGN-DF with one vector per (root, block): all vertices of a block receive the same sum.

Fix a root v and its ball. A vertex u of exactly one block, at which no bridge begins or ends, is *plain*: its pair
vector is ``(h_u + S_b) W_c``, given by the sum ``S_b`` of its block. A *leaf* hangs on a bridge and nothing hangs on
it: its pair vector goes nowhere but to u, and is not kept. Other vertices but the root are *joints* and keep a vector
of their own. A *slot* is one joint, or the plain vertices of one block at one distance: all that lies in a slot
receives the same, and the state is one sum per slot.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, cast

import numpy as np
import torch
from torch import Tensor

from lvc.graph import Graph
from lvc.nn.dense import multiplied
from lvc.nn.features import Features, SparseFeatures, mapped
from lvc.nn.operators.base import Layer, Operator, Rule, Starts, smallest
from lvc.nn.operators.plan import Plan, plan_of
from lvc.nn.operators.products import Products, products_of
from lvc.nn.sparse import sum_of_products, sums_of_products
from lvc.search.ball_blocks import ball_blocks_of_every_root
from lvc.search.balls import offsets
from lvc.search.kinds import DFS


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
        h = h.dense() if isinstance(h, SparseFeatures) else h
        units = _units([one @ h for one in matrices.enter] if state is None else state, matrices)
        merged, out, kept = layer.merged(), layer.onto, []
        every = range(self.radius)
        for c, received, passed in zip(every, *_met(every, units, h, matrices), strict=True):
            leaving, held = _passed_on(c, h, received, passed, matrices, layer)
            out = multiplied(leaving, merged[:, c], out)
            if held is not None:
                kept.append(multiplied(held, layer.weight[:, c]))
        return out, None if layer.last else tuple(kept)

    def _enter(self, h: Features, layer: Layer, matrices: Products) -> tuple[Tensor, tuple[Tensor, ...] | None]:
        """The first layer, if ``h^0 W_c`` is narrower than h^0: it travels instead."""
        weight = layer.merged() if layer.last else layer.weight
        out, kept = layer.onto if layer.last else None, []
        for c, part in enumerate(mapped(h, weight.flatten(1)).chunk(self.radius, dim=1)):
            projected = part.contiguous()  # once, and not in every product
            units = _units([one @ projected for one in matrices.enter], matrices)
            (received,), (passed,) = _met([c], units, projected, matrices, [out])
            out, held = _passed_on(c, projected, received, passed, matrices, layer)
            if held is not None:
                kept.append(held)
        out = cast(Tensor, out)
        return (out, None) if layer.last else (multiplied(out, layer.mix, layer.onto), tuple(kept))

    def _products(self, rule: Rule, like: Tensor) -> Products:
        plan = self.made(self._plan, like=like)
        return products_of(plan, self.numpy("vertex"), self.numpy("distance"), self.vertices, self.radius, rule, like)

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

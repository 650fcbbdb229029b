"""The matrices of a step of SGN-DF, made of the plan of its balls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from torch import Tensor

from lvc.nn.compressing import by_rows, some_rows
from lvc.nn.features import Features
from lvc.nn.operators.base import Rule
from lvc.nn.operators.pairwise import divisors, ones, roots_per_distance
from lvc.nn.operators.plan import Plan
from lvc.nn.row_product import Arrays
from lvc.nn.rows import numpy_dtype
from lvc.nn.sparse import Matrix


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
        return h.shape[1] * max(slots, h.shape[0]) <= hidden * h.shape[0]


def products_of(
    plan: Plan, vertex: np.ndarray, distance: np.ndarray, n: int, radius: int, rule: Rule, like: Tensor
) -> Products:
    """The matrices for one rule; ``vertex`` and ``distance`` are of pairs, of balls in a graph of n vertices."""
    roots = roots_per_distance(vertex, distance, n, radius)
    alpha, beta, omega = divisors(rule, *_divided(plan, distance, rule), roots)
    members = np.bincount(plan.slot, minlength=plan.slots)
    enter, leave, own = _Entries(like), _Entries(like), [_Entries(like) for _ in range(radius)]
    enter.add(plan.slot, vertex[plan.held], np.ones(len(plan.held)))
    entering = enter.by_rows(plan.ranges, n)
    if rule.scale == "sum":  # without divisors they leave as they entered
        leaving = tuple(one.transposed for one in entering)
    else:
        leave.add(vertex[plan.held], plan.slot, omega[vertex[plan.held], distance[plan.held] - 1])
        leaving = leave.by_columns(plan.ranges, n)
    if rule.own_term:
        for c in range(radius):
            own[c].add(np.arange(n), np.arange(n), roots[:, c] * omega[:, c])
    hang, at = vertex[plan.on_root], plan.root[plan.on_root]
    own[0].add(hang, vertex[at], omega[hang, 0] * alpha[plan.on_root] * beta[at])
    return Products(
        tuple(one.matrix((n, n)) for one in own),
        entering,
        leaving,
        _leaves(plan, vertex, distance, radius, (alpha, beta, omega), like),
        _into_unit(plan, alpha, beta, radius, rule, like),
        *_out_of_units(plan, vertex, alpha, beta, radius, n, like),
        tuple(Matrix.diagonal(members[a:b], like) for a, b in plan.ranges),
    )


class _Entries:
    """Entries of a matrix, added bit by bit."""

    def __init__(self, like: Tensor) -> None:
        self.like = like
        nothing = np.empty(0, np.int64)
        self._parts = [(nothing, nothing, nothing)]

    def add(self, row: np.ndarray, column: np.ndarray, value: np.ndarray) -> None:
        self._parts.append((row, column, value))

    def matrix(self, shape: tuple[int, int]) -> Matrix:
        return Matrix.of_rows(self._rows(shape), shape, self.like)

    def by_rows(self, ranges: Sequence[tuple[int, int]], width: int) -> tuple[Matrix, ...]:
        """One matrix for each range of rows."""
        whole = self._rows((ranges[-1][1], width))
        return tuple(Matrix.of_rows(some_rows(whole, a, b), (b - a, width), self.like) for a, b in ranges)

    def by_columns(self, ranges: Sequence[tuple[int, int]], height: int) -> tuple[Matrix, ...]:
        """One matrix for each range of columns."""
        turned = _Entries(self.like)
        turned._parts = [(column, row, value) for row, column, value in self._parts]
        return tuple(one.transposed for one in turned.by_rows(ranges, height))

    def _rows(self, shape: tuple[int, int]) -> Arrays:
        row, column, value = map(np.concatenate, zip(*self._parts, strict=True))
        return by_rows(row, column, value, shape, numpy_dtype(self.like.dtype))


def _divided(plan: Plan, distance: np.ndarray, rule: Rule) -> tuple[np.ndarray, np.ndarray]:
    """How large η and its converse are at every pair, by the blocks; where sums are divided by that."""
    pairs = len(distance)
    if rule.scale == "sum":
        return ones(pairs), ones(pairs)
    size = np.bincount(plan.block, minlength=plan.units)
    eta = np.bincount(plan.member, weights=size[plan.block], minlength=pairs)
    eta += (plan.entry >= 0) - np.maximum(plan.blocks_of - 1, 0)
    receivers = size - plan.has_root
    used = np.bincount(plan.member, weights=receivers[plan.block], minlength=pairs)
    used -= np.where(distance > 0, np.maximum(plan.blocks_of - 1, 0), 0)
    used += np.bincount(plan.entry[plan.entry >= 0], minlength=pairs)
    return eta, used


def _leaves(
    plan: Plan,
    vertex: np.ndarray,
    distance: np.ndarray,
    radius: int,
    divisors_of: tuple[np.ndarray, np.ndarray, np.ndarray],
    like: Tensor,
) -> tuple[Matrix, ...]:
    """Every leaf receives the vector of the joint that it hangs on, and gives it to its vertex at once.

    Leaves at distance 1 hang on the root.
    """
    alpha, beta, omega = divisors_of
    leaf, far = plan.leaves, distance[plan.leaves]
    joint = plan.entry[leaf]
    values = omega[vertex[leaf], far - 1] * alpha[leaf] * beta[joint]
    shape = len(omega), plan.units
    chosen = [far == c + 1 for c in range(1, radius)]
    return tuple(Matrix.of_entries(vertex[leaf[at]], plan.unit_of[joint[at]], values[at], shape, like) for at in chosen)


def _into_unit(
    plan: Plan, alpha: np.ndarray, beta: np.ndarray, radius: int, rule: Rule, like: Tensor
) -> tuple[Matrix, ...] | None:
    """Slot sums to block sums (root left out), joints to themselves and to their blocks."""
    if radius == 1:
        return None if rule.scale == "sum" else (Matrix.diagonal((alpha * beta)[plan.one_member], like),)
    into = _Entries(like)
    own = np.where(plan.is_joint[plan.one_member], 1.0, beta[plan.one_member])  # a joint stands here as it is
    into.add(plan.unit, np.arange(plan.slots), own)
    joint = plan.is_joint[plan.member]
    pair = plan.member[joint]
    into.add(plan.block[joint], plan.slot_of[pair], beta[pair])
    return into.by_columns(plan.ranges, plan.units)


def _out_of_units(
    plan: Plan, vertex: np.ndarray, alpha: np.ndarray, beta: np.ndarray, radius: int, n: int, like: Tensor
) -> tuple[tuple[Matrix, ...] | None, tuple[Matrix, ...]]:
    """What each slot receives: from units and from roots."""
    from_unit, from_root = _Entries(like), _Entries(like)

    def receive_root(slot: np.ndarray, pair: np.ndarray) -> None:
        root = plan.root[pair]
        from_root.add(slot, vertex[root], alpha[pair] * beta[root])

    # Plain vertices receive their block's sum; one member speaks for all of a slot.
    plain = np.flatnonzero(~plan.is_joint[plan.one_member])
    from_unit.add(plain, plan.unit[plain], alpha[plan.one_member[plain]])
    with_root = plain[plan.has_root[plan.unit[plain]]]
    receive_root(with_root, plan.one_member[with_root])
    # Joints receive the sums of all their blocks, themselves once, and the other end of their bridge.
    joint = plan.is_joint[plan.member]
    pair, block = plan.member[joint], plan.block[joint]
    from_unit.add(plan.slot_of[pair], block, alpha[pair])
    receive_root(plan.slot_of[pair[plan.has_root[block]]], pair[plan.has_root[block]])
    joints = np.flatnonzero(plan.is_joint)
    again = joints[plan.blocks_of[joints] > 1]
    once_less = -(plan.blocks_of[again] - 1) * alpha[again] * beta[again]
    from_unit.add(plan.slot_of[again], plan.unit_of[again], once_less)
    below = joints[plan.entry[joints] >= 0]
    on_root = plan.entry[below] == plan.root[below]
    receive_root(plan.slot_of[below[on_root]], below[on_root])
    lower = below[~on_root]
    above = plan.entry[lower]
    from_unit.add(plan.slot_of[lower], plan.unit_of[above], alpha[lower] * beta[above])
    return (
        from_unit.by_rows(plan.ranges, plan.units) if radius > 1 else None,
        from_root.by_rows(plan.ranges, n),
    )

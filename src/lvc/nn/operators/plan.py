"""Who is what in the balls that a depth-first search went through: plain, leaf or joint, and in which slot."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numba import njit


class Plan(NamedTuple):
    """Who is what; pairs are numbered as in the search. Units are blocks and joints, sorted by their roots."""

    units: int
    slots: int
    entry: np.ndarray  # [pairs], pair at the upper end of the bridge, or -1
    root: np.ndarray  # [pairs], pair of the root with itself
    block: np.ndarray  # [members], units
    member: np.ndarray  # [members], pairs
    blocks_of: np.ndarray  # [pairs], in how many blocks
    is_joint: np.ndarray  # [pairs]
    has_root: np.ndarray  # [units], of blocks
    unit_of: np.ndarray  # [pairs], block of a plain vertex, a joint itself
    slot_of: np.ndarray  # [pairs]
    on_root: np.ndarray  # pairs that are leaves of the root
    leaves: np.ndarray  # pairs that are leaves of joints
    held: np.ndarray  # pairs that lie in slots,
    slot: np.ndarray  # and in which slot
    unit: np.ndarray  # [slots]
    one_member: np.ndarray  # [slots], some pair of each
    first_slot: np.ndarray  # [r + 1], slots are sorted by distance

    @property
    def ranges(self) -> list[tuple[int, int]]:
        """The slots of each distance."""
        return list(pairwise(self.first_slot.tolist()))


def plan_of(
    distance: np.ndarray,
    root: np.ndarray,
    entry: np.ndarray,
    block: np.ndarray,
    member: np.ndarray,
    blocks: int,
    radius: int,
) -> Plan:
    """The plan of all balls; ``distance``, ``root`` and ``entry`` are of pairs, ``block``, sorted, of ``member``."""
    blocks_of = np.bincount(member, minlength=len(distance))
    is_leaf, is_joint = _kinds(distance, entry, blocks_of)
    of_block, unit_of, has_root = _units(distance, root, is_joint, block, member, blocks)
    units = len(has_root)
    held = np.flatnonzero((distance > 0) & ~is_leaf)
    keys, slot_of, one_member = _slots(distance, unit_of, held, units, radius)
    on_root = entry == root
    return Plan(
        units, len(keys), entry, root, of_block[block], member, blocks_of, is_joint, has_root, unit_of, slot_of,
        np.flatnonzero(is_leaf & on_root), np.flatnonzero(is_leaf & ~on_root),
        held, slot_of[held], keys % max(units, 1), one_member,
        np.searchsorted(keys, np.arange(radius + 1) * units),
    )  # fmt: skip


@njit(cache=True)
def _kinds(distance, entry, blocks_of):
    """Which pairs are leaves, and which are joints."""
    pairs = len(distance)
    is_upper, is_leaf, is_joint = np.zeros(pairs, np.bool_), np.zeros(pairs, np.bool_), np.zeros(pairs, np.bool_)
    for one in entry:
        if one >= 0:
            is_upper[one] = True
    for pair in range(pairs):
        if distance[pair] > 0:
            is_leaf[pair] = blocks_of[pair] == 0 and not is_upper[pair]
            on_bridge = entry[pair] >= 0 or is_upper[pair]
            is_joint[pair] = not is_leaf[pair] and (on_bridge or blocks_of[pair] > 1)
    return is_leaf, is_joint


@njit(cache=True)
def _units(distance, root, is_joint, block, member, blocks):
    """The unit of each block and of each pair, -1 if it is of none; and which units are blocks with their root in them.

    Sorted by roots, and of one root first its blocks, then its joints.
    """
    of_block, unit_of = np.empty(blocks, np.int64), np.full(len(distance), -1)
    has_root = np.zeros(blocks + is_joint.sum(), np.bool_)
    units, at = 0, 0
    for pair in range(len(distance)):
        while at < len(block) and root[member[at]] <= root[pair]:
            number = block[at]
            of_block[number] = units
            while at < len(block) and block[at] == number:
                if not is_joint[member[at]]:
                    unit_of[member[at]] = units
                has_root[units] |= distance[member[at]] == 0
                at += 1
            units += 1
        if is_joint[pair]:
            unit_of[pair] = units
            units += 1
    return of_block, unit_of, has_root


@njit(cache=True)
def _slots(distance, unit_of, held, units, radius):
    """What the slots stand for, distance and unit in one number, sorted; the slot of each pair, -1; a pair of each."""
    number = np.zeros(radius * units, np.int64)
    for pair in held:
        number[(distance[pair] - 1) * units + unit_of[pair]] = 1
    keys = np.flatnonzero(number)
    number[keys] = np.arange(len(keys))
    slot_of, one_member = np.full(len(distance), -1), np.empty(len(keys), np.int64)
    for pair in held[::-1]:
        slot_of[pair] = number[(distance[pair] - 1) * units + unit_of[pair]]
        one_member[slot_of[pair]] = pair
    return keys, slot_of, one_member

"""Who is what in the balls that a depth-first search went through: plain, leaf or joint, and in which slot."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np


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
    pairs = len(distance)
    blocks_of = np.bincount(member, minlength=pairs)
    upper = np.zeros(pairs, bool)
    upper[entry[entry >= 0]] = True
    inner = distance > 0
    is_leaf = inner & (blocks_of == 0) & ~upper
    on_root = is_leaf & (entry == root)
    is_joint = inner & ~is_leaf & ((blocks_of > 1) | (entry >= 0) | upper)
    joints = np.flatnonzero(is_joint)
    units = blocks + len(joints)
    one_of_block = member[np.searchsorted(block, np.arange(blocks))]
    number = np.empty(units, np.int64)
    number[np.argsort(root[np.concatenate([one_of_block, joints])], kind="stable")] = np.arange(units)
    block = number[block]
    has_root = np.zeros(units, bool)
    has_root[block[distance[member] == 0]] = True
    unit_of = np.full(pairs, -1, np.int64)
    unit_of[member] = block  # right for plain vertices, which have one
    unit_of[joints] = number[blocks:]
    held = np.flatnonzero(inner & ~is_leaf)
    key = (distance[held] - 1).astype(np.int64) * units + unit_of[held]
    is_slot = np.zeros(radius * units, bool)
    is_slot[key] = True
    keys, slot = np.flatnonzero(is_slot), (np.cumsum(is_slot) - 1)[key]
    one_member = np.empty(len(keys), np.int64)
    one_member[slot[::-1]] = held[::-1]  # the first of each
    slot_of = np.full(pairs, -1, np.int64)
    slot_of[held] = slot
    first_slot = np.searchsorted(keys, np.arange(radius + 1) * units)
    return Plan(
        units, len(keys), entry, root, block, member, blocks_of, is_joint, has_root, unit_of, slot_of,
        np.flatnonzero(on_root), np.flatnonzero(is_leaf & ~on_root),
        held, slot, keys % max(units, 1), one_member, first_slot,
    )  # fmt: skip

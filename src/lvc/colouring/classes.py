"""Equal signatures get equal numbers: the injective functions φ, ψ and ρ of the colouring scheme.

A signature is a row of integers. Rows are numbered by an exact hash table: the hash only says where to look, the rows
themselves are compared, so two rows get one number if and only if they are equal.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numba import config, njit

from lvc.search.threads import in_chunks

if config.DISABLE_JIT:
    np.seterr(over="ignore")  # uncompiled, numpy warns of the 64-bit overflow that mixing is made of


class Naming(Protocol):
    """How signatures are given numbers ``0..k-1``; equal signatures, equal numbers."""

    def rows(self, start: np.ndarray, value: np.ndarray) -> tuple[np.ndarray, int]:
        """Numbers of the multisets ``value[start[i]:start[i + 1]]`` (sorted in place), and how many there are."""

    def pairs(self, first: np.ndarray, second: np.ndarray) -> tuple[np.ndarray, int]:
        """Numbers of the pairs ``(first[i], second[i])``, and how many there are."""

    def seen(
        self, own: np.ndarray, start: np.ndarray, member: np.ndarray, colour: np.ndarray
    ) -> tuple[np.ndarray, int]:
        """Numbers of ``own[i]`` together with the multiset of the colours of ``member[start[i]:start[i + 1]]``."""

    def behind(self, number: np.ndarray, classes: int) -> np.ndarray:
        """``number`` moved out of the range of ``classes`` other numbers."""
        return number + classes

    def settled(self, before: object, classes: object) -> bool:
        """Whether a refinement is stable that had so many classes before its last round, and has so many now."""
        return classes == before


class ByTable(Naming):
    """Numbers in order of first appearance: fast, and all that a partition needs."""

    def rows(self, start: np.ndarray, value: np.ndarray) -> tuple[np.ndarray, int]:
        sort_rows(start, value)
        return number_rows(start, value)

    def pairs(self, first: np.ndarray, second: np.ndarray) -> tuple[np.ndarray, int]:
        return number_pairs(first, second)

    def seen(
        self, own: np.ndarray, start: np.ndarray, member: np.ndarray, colour: np.ndarray
    ) -> tuple[np.ndarray, int]:
        return number_seen(own, start, member, colour)


@njit(cache=True)
def mix(x):
    """One round of 64-bit mixing (odd multipliers, shifts)."""
    x ^= x >> np.uint64(32)
    x *= np.uint64(0xD6E8FEB86659FD93)
    x ^= x >> np.uint64(29)
    return x


@njit(cache=True)
def _table(rows):
    """An empty table with at least twice as many slots as rows, a power of two."""
    slots = 16
    while slots < 2 * rows:
        slots *= 2
    return np.full(slots, -1, np.int32)


@njit(cache=True)
def number_pairs(first, second):
    """Number of each pair ``(first[i], second[i])``, in order of first appearance."""
    count = len(first)
    table = _table(count)
    mask = np.uint64(len(table) - 1)
    number = np.empty(count, np.int32)
    known = np.empty(count, np.int32)  # a row that has this number
    used = 0
    for i in range(count):
        a, b = first[i], second[i]
        slot = mix((np.uint64(a) << np.uint64(32)) | np.uint64(b)) & mask
        while True:
            at = table[slot]
            if at < 0:
                table[slot] = used
                known[used] = i
                number[i] = used
                used += 1
                break
            if first[known[at]] == a and second[known[at]] == b:
                number[i] = at
                break
            slot = (slot + np.uint64(1)) & mask
    return number, used


@njit(cache=True)
def number_rows(start, value):
    """Number of each row ``value[start[i]:start[i + 1]]``, in order of first appearance."""
    count = len(start) - 1
    table = _table(count)
    mask = np.uint64(len(table) - 1)
    number = np.empty(count, np.int32)
    known = np.empty(count, np.int32)
    hashes = np.empty(count, np.uint64)
    used = 0
    for i in range(count):
        begin, end = start[i], start[i + 1]
        mixed = np.uint64(end - begin)
        for k in range(begin, end):
            mixed = mix(mixed ^ np.uint64(value[k]))
        slot = mixed & mask
        while True:
            at = table[slot]
            if at < 0:
                table[slot] = used
                known[used] = i
                hashes[used] = mixed
                number[i] = used
                used += 1
                break
            if hashes[at] == mixed and _equal(value, begin, end, start[known[at]], start[known[at] + 1]):
                number[i] = at
                break
            slot = (slot + np.uint64(1)) & mask
    return number, used


@njit(cache=True)
def _equal(value, begin, end, other, other_end):
    if end - begin != other_end - other:
        return False
    k = begin
    while k < end and value[k] == value[other + k - begin]:
        k += 1
    return k == end


@njit(cache=True)
def sort_row(value, begin, end):
    """Sort ``value[begin:end]`` in place; short rows, the common case, by insertion."""
    if end - begin > 24:
        value[begin:end].sort()
        return
    for k in range(begin + 1, end):
        x = value[k]
        j = k - 1
        while j >= begin and value[j] > x:
            value[j + 1] = value[j]
            j -= 1
        value[j + 1] = x


@njit(cache=True)
def _sort_once(row, start, value, is_sorted):
    if not is_sorted[row]:
        sort_row(value, start[row], start[row + 1])
        is_sorted[row] = True


@njit(cache=True)
def number_seen(own, start, member, colour):
    """Number of each pair of ``own[i]`` and the multiset of row i's colours; all in one pass over the rows.

    The hash does not depend on the order of a row. So rows are sorted only to be compared, when two hashes are equal;
    a row that nobody shares, as most are in late rounds, is never sorted.
    """
    count = len(start) - 1
    value = np.empty(len(member), np.int32)
    is_sorted = np.zeros(count, np.bool_)
    table = _table(count)
    mask = np.uint64(len(table) - 1)
    number, known = np.empty(count, np.int32), np.empty(count, np.int32)
    hashes = np.empty(count, np.uint64)
    used = 0
    for i in range(count):
        begin, end = start[i], start[i + 1]
        mixed = np.uint64(own[i]) ^ (np.uint64(end - begin) << np.uint64(32))
        for k in range(begin, end):
            value[k] = colour[member[k]]
            mixed += mix((np.uint64(value[k]) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15))
        mixed = mix(mixed)
        slot = mixed & mask
        while True:
            at = table[slot]
            if at < 0:
                table[slot] = used
                known[used] = i
                hashes[used] = mixed
                number[i] = used
                used += 1
                break
            if hashes[at] == mixed and own[known[at]] == own[i]:
                _sort_once(i, start, value, is_sorted)
                _sort_once(known[at], start, value, is_sorted)
                if _equal(value, begin, end, start[known[at]], start[known[at] + 1]):
                    number[i] = at
                    break
            slot = (slot + np.uint64(1)) & mask
    return number, used


def sort_rows(start: np.ndarray, value: np.ndarray) -> None:
    """Sort every row in place."""
    in_chunks(_sort_some, len(value), start, value)


@njit(cache=True, nogil=True)
def _sort_some(chunk, chunks, start, value):
    for i in range(chunk, len(start) - 1, chunks):
        sort_row(value, start[i], start[i + 1])

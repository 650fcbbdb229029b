"""Entries of a matrix, given in any order, as compressed rows and as compressed columns."""

from __future__ import annotations

import numpy as np
from numba import njit

from lvc.nn.row_product import Arrays


def by_rows(row: np.ndarray, column: np.ndarray, value: np.ndarray, shape: tuple[int, int], dtype: np.dtype) -> Arrays:
    """Sorted; entries at one place add up, and what adds up to nothing is left out.

    scipy does this too, in several passes each with its own arrays; here it is most of what is to be done.

    >>> entries = np.array([[1, 0, 1, 1], [2, 0, 2, 1], [3, 1, 4, 0]])
    >>> [one.tolist() for one in by_rows(*entries, (2, 3), np.dtype(np.float32))]
    [[0, 1, 2], [0, 2], [1.0, 7.0]]
    """
    height, width = shape
    index = np.int64 if max(len(row), height, width) >= 2**31 else np.int32
    row, column = (np.ascontiguousarray(one, index) for one in (row, column))
    every = np.arange(len(row), dtype=index)
    start, order = _sorted_by(row, _sorted_by(column, every, width)[1], height)
    found = Arrays(start, np.empty(len(row), index), np.empty(len(row), dtype))
    kept = _add_up(order, column, np.ascontiguousarray(value, np.float64), found)
    return found if kept == len(row) else Arrays(start, found.column[:kept].copy(), found.value[:kept].copy())


def some_rows(arrays: Arrays, first: int, last: int) -> Arrays:
    """Those from ``first`` to ``last``, without last."""
    here = slice(arrays.start[first], arrays.start[last])
    return Arrays(arrays.start[first : last + 1] - arrays.start[first], arrays.column[here], arrays.value[here])


def rows_in(arrays: Arrays, begin: np.ndarray, end: np.ndarray) -> Arrays:
    """Those in several ranges, one range after the other.

    >>> rows = Arrays(np.array([0, 1, 2, 3]), np.array([5, 6, 7]), np.ones(3))
    >>> [one.tolist() for one in rows_in(rows, np.array([2, 0]), np.array([3, 2]))]
    [[0, 1, 2, 3], [7, 5, 6], [1.0, 1.0, 1.0]]
    """
    height = int((end - begin).sum())
    count = int((arrays.start[end] - arrays.start[begin]).sum())
    sizes = height + 1, count, count
    taken = Arrays(*(np.empty(size, one.dtype) for size, one in zip(sizes, arrays, strict=True)))
    _take_rows(arrays, begin, end, taken)
    return taken


def turned(arrays: Arrays, width: int) -> Arrays:
    """The same matrix, which has ``width`` columns, by columns.

    >>> [one.tolist() for one in turned(Arrays(np.array([0, 1, 2]), np.array([0, 2]), np.array([1.0, 7.0])), 3)]
    [[0, 1, 1, 2], [0, 1], [1.0, 7.0]]
    """
    found = Arrays(np.empty(width + 1, arrays.start.dtype), *map(np.empty_like, arrays[1:]))
    _turn(arrays, found)
    return found


@njit(cache=True)
def _sorted_by(key, before, size):
    """Where each key begins, and the entries by key; those of one key in the order in which they were ``before``."""
    start = np.zeros(size + 1, before.dtype)
    for one in key:
        start[one + 1] += 1
    for k in range(size):
        start[k + 1] += start[k]
    order, free = np.empty_like(before), start[:-1].copy()
    for entry in before:
        k = key[entry]
        order[free[k]] = entry
        free[k] += 1
    return start, order


@njit(cache=True)
def _add_up(order, column, value, compressed):
    """Fill the rows with the entries in order; ``start`` says where rows begin there, afterwards in the rows."""
    start, new_column, new_value = compressed
    at, first = 0, 0
    for row in range(len(start) - 1):
        last = start[row + 1]
        i = first
        while i < last:
            here, total = column[order[i]], 0.0
            while i < last and column[order[i]] == here:
                total += value[order[i]]
                i += 1
            if total != 0:
                new_column[at], new_value[at] = here, total
                at += 1
        first = last
        start[row + 1] = at
    return at


@njit(cache=True)
def _take_rows(arrays, begin, end, taken):
    (start, column, value), (new_start, new_column, new_value) = arrays, taken
    at, row = 0, 0
    new_start[0] = 0
    for k in range(len(begin)):
        for old in range(begin[k], end[k]):
            for i in range(start[old], start[old + 1]):
                new_column[at], new_value[at] = column[i], value[i]
                at += 1
            row += 1
            new_start[row] = at


@njit(cache=True)
def _turn(arrays, turned):
    (start, column, value), (new_start, new_column, new_value) = arrays, turned
    new_start[:] = 0
    for here in column:
        new_start[here + 1] += 1
    for k in range(len(new_start) - 1):
        new_start[k + 1] += new_start[k]
    free = new_start[:-1].copy()
    for row in range(len(start) - 1):
        for i in range(start[row], start[row + 1]):
            at = free[column[i]]
            new_column[at], new_value[at] = row, value[i]
            free[column[i]] = at + 1

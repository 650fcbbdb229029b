"""Blocks and bridges of one ball: Hopcroft and Tarjan's depth-first search, without recursion.

A *block* is a biconnected component with three or more vertices. Inside the ball ``H = G[B_r(v)]`` every edge lies in
one block or is a bridge; a vertex *entered by a bridge* is one that every search from the root reaches over it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit


class Low(NamedTuple):
    """Room for one depth-first search over a ball; everything is indexed by place in the ball."""

    seen: np.ndarray  # int32[n], discovery time, -1 before
    low: np.ndarray  # int32[n], earliest time reached from the subtree by one back edge
    above: np.ndarray  # int32[n], parent in the search tree
    cursor: np.ndarray  # int64[n], next entry of `indices` to look at
    trail: np.ndarray  # int32[n], from the root to where the search stands
    waiting: np.ndarray  # int32[n], discovered, not yet in a block


class Blocks(NamedTuple):
    """What a ball consists of; members are places in the ball, the one nearest the root last in its block."""

    entry: np.ndarray  # int32[n], other end of the bridge by which a place is entered, or -1
    member: np.ndarray  # int32[2 n]
    start: np.ndarray  # int32[n + 1], block b is member[start[b]:start[b + 1]]


@njit(cache=True)
def low_bench(n):
    return Low(
        np.empty(n, np.int32),
        np.empty(n, np.int32),
        np.empty(n, np.int32),
        np.empty(n, np.int64),
        np.empty(n, np.int32),
        np.empty(n, np.int32),
    )


@njit(cache=True)
def blocks_bench(n):
    return Blocks(np.empty(n, np.int32), np.empty(2 * n, np.int32), np.zeros(n + 1, np.int32))


@njit(cache=True)
def ball_blocks(indptr, indices, size, room, low, out):
    """Blocks and bridges of the ball on the bench ``room``, into ``out``; returns the number of blocks."""
    for i in range(size):
        low.seen[i] = -1
        low.cursor[i] = indptr[room.vertex[i]]
        out.entry[i] = -1
    low.seen[0], low.low[0], low.above[0], low.trail[0] = 0, 0, -1, 0
    time, depth, stacked, blocks = 1, 1, 0, 0
    while depth > 0:
        i = low.trail[depth - 1]
        last = indptr[room.vertex[i] + 1]
        below = -1
        e = low.cursor[i]
        lowest = low.low[i]
        while e < last:
            j = room.place[indices[e]]
            e += 1
            if j < 0:
                continue
            if low.seen[j] < 0:
                below = j
                break
            if j != low.above[i] and low.seen[j] < lowest:
                lowest = low.seen[j]
        low.cursor[i] = e
        low.low[i] = lowest
        if below >= 0:
            low.seen[below], low.low[below], low.above[below] = time, time, i
            low.trail[depth] = below
            low.waiting[stacked] = below
            time, depth, stacked = time + 1, depth + 1, stacked + 1
            continue
        depth -= 1
        if depth > 0:
            above = low.above[i]
            if lowest >= low.seen[above]:
                stacked, blocks = _close_block(i, above, stacked, blocks, low, out)
            elif lowest < low.low[above]:
                low.low[above] = lowest
    return blocks


@njit(cache=True)
def _close_block(i, above, stacked, blocks, low, out):
    """Everything waiting since ``i`` forms one block with ``above``, or ``above - i`` is a bridge."""
    if low.waiting[stacked - 1] == i:
        out.entry[i] = above
        return stacked - 1, blocks
    end = out.start[blocks]
    while True:
        stacked -= 1
        out.member[end] = low.waiting[stacked]
        end += 1
        if low.waiting[stacked] == i:
            break
    out.member[end] = above
    out.start[blocks + 1] = end + 1
    return stacked, blocks + 1

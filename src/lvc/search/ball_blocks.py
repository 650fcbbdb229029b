"""Blocks and bridges of every root's ball, and what η of DFS makes of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from lvc.graph import Graph
from lvc.search.balls import ball_sizes, check_stored, offsets
from lvc.search.bfs import bench, bfs_ball, clear, limit
from lvc.search.blocks import ball_blocks, blocks_bench, low_bench
from lvc.search.kinds import DFS
from lvc.search.threads import in_chunks


class BallBlocks(NamedTuple):
    """Blocks and bridges of every ball; pairs are numbered root by root, members are pair numbers."""

    start: np.ndarray  # int64[n + 1], pairs of root v are start[v]:start[v + 1]
    vertex: np.ndarray  # int32[pairs]
    distance: np.ndarray  # int32[pairs]
    entry: np.ndarray  # int32[pairs], pair at the other end of the bridge by which u is entered, or -1
    block_start: np.ndarray  # int64[blocks + 1]
    member: np.ndarray  # int32[...]


class _Loose(NamedTuple):
    """Blocks written with gaps: a ball of b vertices has fewer than b blocks with fewer than 2 b members together."""

    start: np.ndarray  # int64[n + 1], of the pairs
    vertex: np.ndarray
    distance: np.ndarray
    entry: np.ndarray
    counts: np.ndarray  # int64[n, 2], blocks and members of each root
    block_start: np.ndarray  # int32[pairs], from start[v] on, counted within the root
    member: np.ndarray  # int32[2 pairs], from 2 start[v] on


def ball_blocks_of_every_root(graph: Graph, radius: int | None) -> BallBlocks:
    """Blocks and bridges of the ball of every root."""
    start = offsets(ball_sizes(graph, radius))
    pairs = int(start[-1])
    check_stored(graph, DFS(radius), pairs, pairs)
    columns = [np.empty(length, np.int32) for length in (pairs, pairs, pairs, pairs, 2 * pairs)]
    counts = np.zeros((graph.n, 2), np.int64)
    loose = _Loose(start, columns[0], columns[1], columns[2], counts, columns[3], columns[4])
    in_chunks(_fill, pairs, graph.indptr, graph.indices, limit(graph, radius), loose)
    return BallBlocks(start, loose.vertex, loose.distance, loose.entry, *_compact(loose))


@njit(cache=True, nogil=True)
def _fill(chunk, chunks, indptr, indices, radius, loose):
    n = len(indptr) - 1
    room, low, out = bench(n), low_bench(n), blocks_bench(n)
    for root in range(chunk, n, chunks):
        base = loose.start[root]
        size = bfs_ball(indptr, indices, root, radius, room)
        count = ball_blocks(indptr, indices, size, room, low, out)
        clear(room, size)
        loose.vertex[base : base + size] = room.vertex[:size]
        loose.distance[base : base + size] = room.distance[:size]
        for i in range(size):
            loose.entry[base + i] = base + out.entry[i] if out.entry[i] >= 0 else -1
        for b in range(count):
            loose.block_start[base + b] = out.start[b]
        loose.counts[root, 0], loose.counts[root, 1] = count, out.start[count]
        for k in range(out.start[count]):
            loose.member[2 * base + k] = base + out.member[k]


@njit(cache=True)
def _compact(loose):
    """Close the gaps."""
    block_start = np.empty(loose.counts[:, 0].sum() + 1, np.int64)
    member = np.empty(loose.counts[:, 1].sum(), np.int32)
    block, end = 0, 0
    for root in range(len(loose.counts)):
        base = loose.start[root]
        for b in range(loose.counts[root, 0]):
            block_start[block] = end + loose.block_start[base + b]
            block += 1
        members = loose.counts[root, 1]
        member[end : end + members] = loose.member[2 * base : 2 * base + members]
        end += members
    block_start[block] = end
    return block_start, member


class Plan(NamedTuple):
    """Which η is a block's, and which is a vertex's own."""

    of_pair_start: np.ndarray  # int64[pairs + 1]
    of_pair: np.ndarray  # int32[...], the blocks that each pair's vertex lies in
    shared: np.ndarray  # bool[blocks], the whole η of some vertex
    own: np.ndarray  # bool[pairs], η is a union of blocks, or has a bridge's end, or both
    members: int  # of all these η together


@njit(cache=True)
def planned(blocks):
    """The plan of :func:`grouped`, to know its size before it is made."""
    pairs = len(blocks.vertex)
    of_pair_start, of_pair = _blocks_of_pairs(pairs, blocks.block_start, blocks.member)
    shared = np.zeros(len(blocks.block_start) - 1, np.bool_)
    own = np.ones(pairs, np.bool_)
    own[blocks.start[:-1]] = False  # a root has no η
    members = 0
    for p in range(pairs):
        first, last = of_pair_start[p], of_pair_start[p + 1]
        if own[p] and last - first == 1 and blocks.entry[p] < 0:
            own[p] = False
            shared[of_pair[first]] = True
        elif own[p]:
            members += 1 if blocks.entry[p] >= 0 else 0
            for k in range(first, last):  # blocks share at most one vertex, here u itself, which is counted once
                members += blocks.block_start[of_pair[k] + 1] - blocks.block_start[of_pair[k]] - (1 if k > first else 0)
    for b in range(len(shared)):
        if shared[b]:
            members += blocks.block_start[b + 1] - blocks.block_start[b]
    return Plan(of_pair_start, of_pair, shared, own, members)


@njit(cache=True)
def grouped(blocks, plan):
    """η of DFS as groups: of each pair its group, and of each group its members."""
    pairs = len(blocks.vertex)
    group_start = np.zeros(plan.shared.sum() + plan.own.sum() + 1, np.int64)
    eta = np.empty(plan.members, np.int32)
    group_of_block = np.full(len(plan.shared), -1, np.int32)
    groups, end = 0, 0
    for b in range(len(plan.shared)):
        if plan.shared[b]:
            group_of_block[b] = groups
            end = _copy(blocks, b, -1, eta, end)
            groups += 1
            group_start[groups] = end
    group = np.full(pairs, -1, np.int32)
    for p in range(pairs):
        first, last = plan.of_pair_start[p], plan.of_pair_start[p + 1]
        if plan.own[p]:
            group[p] = groups
            if blocks.entry[p] >= 0:
                eta[end] = blocks.entry[p]
                end += 1
            for k in range(first, last):
                end = _copy(blocks, plan.of_pair[k], p if k > first else -1, eta, end)
            groups += 1
            group_start[groups] = end
        elif last > first:
            group[p] = group_of_block[plan.of_pair[first]]
    group[blocks.start[:-1]] = -1
    return group, group_start, eta


@njit(cache=True)
def _copy(blocks, b, but, eta, end):
    """Write the members of block ``b``, all but one, behind ``end``; returns where they end."""
    for k in range(blocks.block_start[b], blocks.block_start[b + 1]):
        if blocks.member[k] != but:
            eta[end] = blocks.member[k]
            end += 1
    return end


@njit(cache=True)
def _blocks_of_pairs(pairs, block_start, member):
    """The blocks that each pair's vertex lies in: the transpose of the blocks' members."""
    start = np.zeros(pairs + 1, np.int64)
    for k in range(len(member)):
        start[member[k] + 1] += 1
    for p in range(pairs):
        start[p + 1] += start[p]
    cursor = start[:-1].copy()
    block = np.empty(len(member), np.int32)
    for b in range(len(block_start) - 1):
        for k in range(block_start[b], block_start[b + 1]):
            block[cursor[member[k]]] = b
            cursor[member[k]] += 1
    return start, block

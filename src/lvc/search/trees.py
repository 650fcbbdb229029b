"""Every root's search at once, and η of every pair (u, v) with u in the ball of v.

Pairs are numbered root by root, each ball in order of discovery, the root itself first. The vertices of η_v(u) are
pairs with the same root, so η is stored as pair numbers. All vertices of a block share one η: it is stored once, as a
*group*, and a pair points to its group.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import get_num_threads, njit, prange

from lvc.errors import LvcError
from lvc.graph import Graph
from lvc.search.bfs import bench, bfs_ball, clear, limit, parents_of
from lvc.search.blocks import ball_blocks, blocks_bench, low_bench
from lvc.search.kinds import BFS, DFS, Custom, Search
from lvc.search.memory import check_fits


class Trees(NamedTuple):
    """The searches from every root: the balls, and η_v(u) as ``member[group_start[g]:group_start[g + 1]]``."""

    start: np.ndarray  # int64[n + 1], pairs of root v are start[v]:start[v + 1]
    vertex: np.ndarray  # int32[pairs], u
    distance: np.ndarray  # int32[pairs], d(u, v)
    group: np.ndarray  # int32[pairs], which group is η_v(u); -1 at the root
    group_start: np.ndarray  # int64[groups + 1]
    member: np.ndarray  # int32[...], pair numbers


class BallBlocks(NamedTuple):
    """Blocks and bridges of every ball; members are pair numbers."""

    start: np.ndarray  # int64[n + 1]
    vertex: np.ndarray  # int32[pairs]
    distance: np.ndarray  # int32[pairs]
    entry: np.ndarray  # int32[pairs], pair at the other end of the bridge by which u is entered, or -1
    block_start: np.ndarray  # int64[blocks + 1]
    member: np.ndarray  # int32[...]


def trees(graph: Graph, search: Search) -> Trees:
    """Balls and η of ``search`` from every root of ``graph``."""
    if isinstance(search, BFS):
        return _bfs_trees(graph, search.radius)
    if isinstance(search, DFS):
        return _grouped(graph, ball_blocks_of_every_root(graph, search.radius))
    if isinstance(search, Custom):
        return _custom_trees(graph, search)
    raise LvcError(f"{search} does not search from every vertex; use bfs:R, dfs:R or a custom search")


def ball_sizes(graph: Graph, radius: int | None) -> np.ndarray:
    """``|B_r(v)|`` of every vertex: what a radius will cost.

    >>> ball_sizes(Graph.from_edges(4, [(0, 1), (1, 2)]), 1).tolist()
    [2, 3, 2, 1]
    """
    sizes, _ = _sizes(graph.indptr, graph.indices, limit(graph, radius), False, get_num_threads())
    return sizes


@njit(cache=True, parallel=True)
def _sizes(indptr, indices, radius, with_parents, chunks):
    """Ball size of every root and, if asked, the number of its DAG edges."""
    n = len(indptr) - 1
    sizes = np.zeros(n, np.int64)
    edges = np.zeros(n, np.int64)
    for chunk in prange(chunks):
        room = bench(n)
        for root in range(chunk, n, chunks):
            size = bfs_ball(indptr, indices, root, radius, room)
            sizes[root] = size
            if with_parents:
                for i in range(size):
                    edges[root] += _children(indptr, indices, i, radius, room)
            clear(room, size)
    return sizes, edges


@njit(cache=True)
def _children(indptr, indices, i, radius, room):
    """Number of DAG edges that leave place ``i``; those inside the outermost level are never looked at."""
    below = room.distance[i] + 1
    if below > radius:
        return 0
    count = 0
    u = room.vertex[i]
    for e in range(indptr[u], indptr[u + 1]):
        if room.distance[room.place[indices[e]]] == below:
            count += 1
    return count


def _offsets(counts: np.ndarray) -> np.ndarray:
    start = np.zeros(len(counts) + 1, np.int64)
    np.cumsum(counts, out=start[1:])
    return start


def _bfs_trees(graph: Graph, radius: int | None) -> Trees:
    reach = limit(graph, radius)
    sizes, edges = _sizes(graph.indptr, graph.indices, reach, True, get_num_threads())
    check_fits(int(20 * sizes.sum() + 4 * edges.sum()), f"bfs of radius {radius}", graph, pairs=int(sizes.sum()))
    start, first = _offsets(sizes), _offsets(edges)
    return Trees(start, *_fill_bfs(graph.indptr, graph.indices, reach, start, first, get_num_threads()))


@njit(cache=True, parallel=True)
def _fill_bfs(indptr, indices, radius, start, first, chunks):
    n = len(indptr) - 1
    pairs = start[n]
    vertex, distance = np.empty(pairs, np.int32), np.empty(pairs, np.int32)
    group, group_start = np.empty(pairs, np.int32), np.empty(pairs - n + 1, np.int64)
    member = np.empty(first[n], np.int32)
    group_start[pairs - n] = first[n]
    for chunk in prange(chunks):
        room = bench(n)
        parents = np.empty(n, np.int32)
        for root in range(chunk, n, chunks):
            size = bfs_ball(indptr, indices, root, radius, room)
            base, end = start[root], first[root]
            group[base] = -1
            vertex[base : base + size] = room.vertex[:size]
            distance[base : base + size] = room.distance[:size]
            for i in range(1, size):
                own = base - root + i - 1  # every pair but the roots has a group of its own
                group[base + i] = own
                group_start[own] = end
                for k in range(parents_of(indptr, indices, i, room, parents)):
                    member[end] = base + parents[k]
                    end += 1
            clear(room, size)
    return vertex, distance, group, group_start, member


def ball_blocks_of_every_root(graph: Graph, radius: int | None) -> BallBlocks:
    """Blocks and bridges of the ball of every root."""
    reach = limit(graph, radius)
    sizes = ball_sizes(graph, radius)
    start = _offsets(sizes)
    check_fits(int(32 * start[-1]), f"dfs of radius {radius}", graph, pairs=int(start[-1]))
    filled = _fill_blocks(graph.indptr, graph.indices, reach, start, get_num_threads())
    vertex, distance, entry, counts, loose_start, loose = filled
    member = _compact(counts, loose_start, loose)
    return BallBlocks(start, vertex, distance, entry, *member)


@njit(cache=True, parallel=True)
def _fill_blocks(indptr, indices, radius, start, chunks):
    """A ball of b vertices has fewer than b blocks with fewer than 2 b members together: write with gaps."""
    n = len(indptr) - 1
    pairs = start[n]
    vertex, distance, entry = np.empty(pairs, np.int32), np.empty(pairs, np.int32), np.empty(pairs, np.int32)
    blocks = np.zeros((n, 2), np.int64)  # blocks and members of each root
    loose_start, loose = np.empty(pairs, np.int32), np.empty(2 * pairs, np.int32)
    for chunk in prange(chunks):
        room, low, out = bench(n), low_bench(n), blocks_bench(n)
        for root in range(chunk, n, chunks):
            base = start[root]
            size = bfs_ball(indptr, indices, root, radius, room)
            count = ball_blocks(indptr, indices, size, room, low, out)
            clear(room, size)
            vertex[base : base + size] = room.vertex[:size]
            distance[base : base + size] = room.distance[:size]
            for i in range(size):
                entry[base + i] = base + out.entry[i] if out.entry[i] >= 0 else -1
            for b in range(count):
                loose_start[base + b] = out.start[b]
            blocks[root, 0], blocks[root, 1] = count, out.start[count]
            for k in range(out.start[count]):
                loose[2 * base + k] = base + out.member[k]
    return vertex, distance, entry, blocks, (loose_start, start), loose


@njit(cache=True)
def _compact(counts, loose_start, loose):
    """Close the gaps."""
    starts, bases = loose_start
    block_start = np.empty(counts[:, 0].sum() + 1, np.int64)
    member = np.empty(counts[:, 1].sum(), np.int32)
    block, end = 0, 0
    for root in range(len(counts)):
        base = bases[root]
        for b in range(counts[root, 0]):
            block_start[block] = end + starts[base + b]
            block += 1
        members = counts[root, 1]
        member[end : end + members] = loose[2 * base : 2 * base + members]
        end += members
    block_start[block] = end
    return block_start, member


def _grouped(graph: Graph, blocks: BallBlocks) -> Trees:
    """η of DFS: a block is a group; a vertex of several blocks, or one entered by a bridge, has a group of its own."""
    group, group_start, member = _group_blocks(*blocks)
    return Trees(blocks.start, blocks.vertex, blocks.distance, group, group_start, member)


@njit(cache=True)
def _group_blocks(start, vertex, distance, entry, block_start, member):
    pairs, blocks = len(vertex), len(block_start) - 1
    of_pair_start, of_pair = _blocks_of_pairs(pairs, block_start, member)
    is_root = np.zeros(pairs, np.bool_)
    for root in range(len(start) - 1):
        is_root[start[root]] = True
    shared = np.zeros(blocks, np.bool_)  # some vertex has this block for its whole η
    own_members = 0
    for p in range(pairs):
        if not is_root[p]:
            first, last = of_pair_start[p], of_pair_start[p + 1]
            if last - first == 1 and entry[p] < 0:
                shared[of_pair[first]] = True
            else:
                own_members += _union_size(p, first, last, of_pair, block_start, entry)
    shared_members, groups = 0, 0
    group_of_block = np.full(blocks, -1, np.int64)
    for b in range(blocks):
        if shared[b]:
            group_of_block[b] = groups
            groups += 1
            shared_members += block_start[b + 1] - block_start[b]
    group = np.full(pairs, -1, np.int32)
    for p in range(pairs):
        if not is_root[p]:
            first = of_pair_start[p]
            if of_pair_start[p + 1] - first == 1 and entry[p] < 0:
                group[p] = group_of_block[of_pair[first]]
            else:
                group[p] = groups
                groups += 1
    group_start = np.zeros(groups + 1, np.int64)
    eta = np.empty(shared_members + own_members, np.int32)
    end, g = 0, 0
    for b in range(blocks):
        if shared[b]:
            for k in range(block_start[b], block_start[b + 1]):
                eta[end] = member[k]
                end += 1
            g += 1
            group_start[g] = end
    for p in range(pairs):
        first, last = of_pair_start[p], of_pair_start[p + 1]
        if not is_root[p] and not (last - first == 1 and entry[p] < 0):
            end = _write_union(p, first, last, of_pair, block_start, member, entry, eta, end)
            g += 1
            group_start[g] = end
    return group, group_start, eta


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


@njit(cache=True)
def _union_size(p, first, last, of_pair, block_start, entry):
    """Blocks share at most one vertex, here u itself, which is counted once."""
    size = 1 if entry[p] >= 0 else 0
    for k in range(first, last):
        size += block_start[of_pair[k] + 1] - block_start[of_pair[k]]
    return size - max(last - first - 1, 0)


@njit(cache=True)
def _write_union(p, first, last, of_pair, block_start, member, entry, eta, end):
    if entry[p] >= 0:
        eta[end] = entry[p]
        end += 1
    for k in range(first, last):
        b = of_pair[k]
        for m in range(block_start[b], block_start[b + 1]):
            if member[m] != p or k == first:
                eta[end] = member[m]
                end += 1
    return end


def _custom_trees(graph: Graph, search: Custom) -> Trees:
    """Ask the user's η for every root; slow, and the meaning of every other search here."""
    assert search.eta is not None
    reach = limit(graph, search.radius)
    room = bench(graph.n)
    start, vertex, distance, group, group_start, member = [0], [], [], [], [0], []
    for root in range(graph.n):
        base = start[-1]
        size = bfs_ball(graph.indptr, graph.indices, root, reach, room)
        eta = search.eta(graph, root, search.radius)
        place = {int(u): i for i, u in enumerate(room.vertex[:size])}
        outside = [u for u in eta if u not in place]
        if outside:
            raise LvcError(f"eta gave vertex {outside[0]!r}, which is not in the ball of radius {search.radius} of {root}")
        for i in range(size):
            u = int(room.vertex[i])
            vertex.append(u)
            distance.append(int(room.distance[i]))
            group.append(-1 if i == 0 else len(group_start) - 1)
            if i == 0:
                continue
            for w in sorted(set(eta.get(u, ()))):
                if w not in place:
                    raise LvcError(f"eta of {u} from root {root} holds {w!r}, which is not in the ball of the root")
                member.append(base + place[w])
            group_start.append(len(member))
        start.append(base + size)
        clear(room, size)
    as_int32 = [np.array(column, np.int32) for column in (vertex, distance, group)]
    return Trees(np.array(start), *as_int32, np.array(group_start), np.array(member, np.int32))

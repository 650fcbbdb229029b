"""Every root's search at once, and η of every pair (u, v) with u in the ball of v.

Pairs are numbered root by root, each ball in order of discovery, the root itself first. The vertices of η_v(u) are
pairs with the same root, so η is stored as pair numbers. All vertices of a block share one η: it is stored once, as a
*group*, and a pair points to its group.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from lvc.errors import LvcError
from lvc.graph import Graph
from lvc.search.bfs import bench, bfs_ball, clear, limit, parents_of
from lvc.search.blocks import ball_blocks, blocks_bench, low_bench
from lvc.search.kinds import BFS, DFS, Custom, Search
from lvc.search.memory import check_fits
from lvc.search.threads import in_chunks


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
        return _grouped(ball_blocks_of_every_root(graph, search.radius))
    if isinstance(search, Custom):
        return _custom_trees(graph, search)
    raise LvcError(f"{search} does not search from every vertex; use bfs:R, dfs:R or a custom search")


def ball_sizes(graph: Graph, radius: int | None) -> np.ndarray:
    """``|B_r(v)|`` of every vertex: what a radius will cost.

    >>> ball_sizes(Graph.from_edges(4, [(0, 1), (1, 2)]), 1).tolist()
    [2, 3, 2, 1]
    """
    return _sizes(graph, radius, parents=False)[0]


def _sizes(graph: Graph, radius: int | None, parents: bool) -> tuple[np.ndarray, np.ndarray]:
    """Ball size of every root and, if asked, the number of its DAG edges."""
    sizes, edges = np.zeros(graph.n, np.int64), np.zeros(graph.n, np.int64)
    csr = graph.indptr, graph.indices
    in_chunks(_count, graph.n + len(graph.indices), *csr, limit(graph, radius), parents, sizes, edges)
    return sizes, edges


@njit(cache=True, nogil=True)
def _count(chunk, chunks, indptr, indices, radius, with_parents, sizes, edges):
    n = len(indptr) - 1
    room = bench(n)
    for root in range(chunk, n, chunks):
        size = bfs_ball(indptr, indices, root, radius, room)
        sizes[root] = size
        if with_parents:
            for i in range(size):
                edges[root] += _children(indptr, indices, i, radius, room)
        clear(room, size)


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
    sizes, edges = _sizes(graph, radius, parents=True)
    start, first = _offsets(sizes), _offsets(edges)
    pairs = int(start[-1])
    check_fits(20 * pairs + 4 * int(first[-1]), f"bfs of radius {radius}", graph, pairs)
    group_start = np.full(pairs - graph.n + 1, first[-1])
    out = Trees(start, _ints(pairs), _ints(pairs), _ints(pairs), group_start, _ints(int(first[-1])))
    in_chunks(_fill_bfs, pairs, graph.indptr, graph.indices, limit(graph, radius), first, out)
    return out


def _ints(length: int) -> np.ndarray:
    return np.empty(length, np.int32)


@njit(cache=True, nogil=True)
def _fill_bfs(chunk, chunks, indptr, indices, radius, first, out):
    n = len(indptr) - 1
    room = bench(n)
    parents = np.empty(n, np.int32)
    for root in range(chunk, n, chunks):
        size = bfs_ball(indptr, indices, root, radius, room)
        base, end = out.start[root], first[root]
        out.group[base] = -1
        out.vertex[base : base + size] = room.vertex[:size]
        out.distance[base : base + size] = room.distance[:size]
        for i in range(1, size):
            own = base - root + i - 1  # every pair but the roots has a group of its own
            out.group[base + i] = own
            out.group_start[own] = end
            for k in range(parents_of(indptr, indices, i, room, parents)):
                out.member[end] = base + parents[k]
                end += 1
        clear(room, size)


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
    start = _offsets(ball_sizes(graph, radius))
    pairs = int(start[-1])
    check_fits(40 * pairs, f"dfs of radius {radius}", graph, pairs)
    counts = np.zeros((graph.n, 2), np.int64)
    loose = _Loose(start, _ints(pairs), _ints(pairs), _ints(pairs), counts, _ints(pairs), _ints(2 * pairs))
    in_chunks(_fill_blocks, pairs, graph.indptr, graph.indices, limit(graph, radius), loose)
    return BallBlocks(start, loose.vertex, loose.distance, loose.entry, *_compact(loose))


@njit(cache=True, nogil=True)
def _fill_blocks(chunk, chunks, indptr, indices, radius, loose):
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


def _grouped(blocks: BallBlocks) -> Trees:
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
            raise LvcError(
                f"eta gave vertex {outside[0]!r}, which is not in the ball of radius {search.radius} of {root}"
            )
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
    columns = [np.array(column, np.int32) for column in (vertex, distance, group, member)]
    return Trees(np.array(start), columns[0], columns[1], columns[2], np.array(group_start), columns[3])

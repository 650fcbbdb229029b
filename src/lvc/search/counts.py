"""How many roots and shortest paths stand behind each pair: what SGN-BF needs instead of one vector per pair.

With σ(x,u) the number of shortest paths between x and u,

    a_{k,m}(u,x) = σ(x,u) · #{ v : d(v,x) = m, d(v,u) = m + k }        d(x,u) = k,  k + m <= r.

Nothing is stored for pairs at distance r. For those only a_{r,0} = σ is needed, and a hop factors: with A the adjacency
matrix,

    A_{k,0} = A_{k-1,0} · A − C_k,      C_k(u,x) = Σ { σ(u,w) : w ∈ N(x), d(u,w) = k−1 }   for d(u,x) = k−1 or k−2.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from lvc.errors import LvcError
from lvc.graph import Graph
from lvc.memory import check_fits, check_pairs
from lvc.search.balls import offsets
from lvc.search.bfs import bench, bfs_ball, clear
from lvc.search.threads import in_chunks, num_threads

MOST = 2**62  # two numbers below it add up without leaving int64


class PathCounts(NamedTuple):
    """The count matrices of one radius r; all rows and columns are vertices, all counts exact integers."""

    radius: int
    level: np.ndarray  # int64[n, r], a_{0,m}(u,u): vertices at distance m = 1..r
    ends: np.ndarray  # int64[n], row sums of A_{r,0}
    indptr: tuple[np.ndarray, ...]  # for k = 1..r-1: int64[n + 1], the pairs at distance k of each row
    indices: tuple[np.ndarray, ...]  # for k = 1..r-1: int32[pairs]
    values: tuple[np.ndarray, ...]  # for k = 1..r-1: int64[pairs, r - k + 1], a_{k,m} for m = 0..r-k
    beside: tuple[np.ndarray, ...]  # for k = 1..r-1: int64[pairs], C_{k+1} on the pairs at distance k
    beyond: tuple[np.ndarray, ...]  # for k = 1..r-1: int64[pairs], C_{k+2} on the pairs at distance k; C_2(u,u) = deg u


def path_counts(graph: Graph, radius: int) -> PathCounts:
    """The matrices A_{k,m} of ``graph`` for k < radius, one search per vertex.

    >>> square = Graph.from_edges(4, [(0, 1), (1, 2), (2, 3), (3, 0)])
    >>> counts = path_counts(square, 2)
    >>> counts.level[0].tolist(), int(counts.ends[0])  # two at distance 1, one at distance 2 with two paths to it
    ([2, 1], 2)
    >>> counts.values[0][0].tolist()  # a_{1,0}, a_{1,1}: one more vertex lies straight on
    [1, 1]
    """
    if radius < 1:
        raise LvcError(f"radius must be at least 1, got {radius}")
    level = level_sizes(graph, radius)
    what = f"bfs:{radius} on {graph.n} vertices"
    check_pairs(int(level[:, : radius - 1].sum()), what, "use a smaller radius")
    check_fits(counts_bytes(graph, level), what, "use a smaller radius")
    indptr = tuple(offsets(level[:, k]) for k in range(radius - 1))
    starts = np.stack(indptr) if radius > 1 else np.zeros((0, graph.n + 1), np.int64)
    widths = np.array([radius - k + 1 for k in range(1, radius)], np.int64)
    sizes = starts[:, -1]
    flat_indices = np.empty(int(sizes.sum()), np.int32)
    flat_values = np.zeros(int((sizes * widths).sum()), np.int64)
    closing = np.zeros((2, len(flat_indices)), np.int64)
    ends = np.zeros(graph.n, np.int64)
    out = _Out(starts, offsets(sizes), offsets(sizes * widths), flat_indices, flat_values, closing, ends)
    made = in_chunks(_fill, int(level.sum()), graph.indptr, graph.indices, radius, out)
    if any(too_many for too_many, _ in made):
        raise LvcError(f"bfs:{radius} has more than 2**62 shortest paths between two vertices; use a smaller radius")
    at = [slice(out.first[k], out.first[k + 1]) for k in range(radius - 1)]
    indices = tuple(flat_indices[part] for part in at)
    values = tuple(
        flat_values[out.first_value[k] : out.first_value[k + 1]].reshape(-1, radius - k) for k in range(radius - 1)
    )
    if radius > 2:
        straight = sum(part for _, part in made)
        in_chunks(_spread, len(graph.indices), graph.indptr, graph.indices, straight, values[0])
    beside, beyond = (tuple(column[part] for part in at) for column in closing)
    return PathCounts(radius, level, ends, indptr, indices, values, beside, beyond)


def counts_bytes(graph: Graph, level: np.ndarray) -> int:
    """Bytes of the matrices and of their making, from the level sizes of every ball."""
    radius = level.shape[1]
    stored = sum(int(level[:, k - 1].sum()) * (4 + 8 * (radius - k + 3)) for k in range(1, radius))
    return stored + 8 * graph.n * (radius + 4) + 4 * num_threads() * (2 * graph.m * max(radius - 2, 0) + 8 * graph.n)


def level_sizes(graph: Graph, radius: int) -> np.ndarray:
    """Vertices at distance 1..radius of every vertex, int64[n, radius]."""
    level = np.zeros((graph.n, radius), np.int64)
    in_chunks(_count_levels, graph.n + len(graph.indices), graph.indptr, graph.indices, radius, level)
    return level


class _Out(NamedTuple):
    """Where the kernel writes; distances 1..r-1 one after the other in flat arrays."""

    starts: np.ndarray  # int64[r - 1, n + 1], row starts at each distance
    first: np.ndarray  # int64[r], where each distance begins in `indices`
    first_value: np.ndarray  # int64[r], where each distance begins in `values`
    indices: np.ndarray
    values: np.ndarray
    closing: np.ndarray  # int64[2, pairs], beside and beyond
    ends: np.ndarray


@njit(cache=True, nogil=True)
def _count_levels(chunk, chunks, indptr, indices, radius, level):
    n = len(indptr) - 1
    room = bench(n)
    for root in range(chunk, n, chunks):
        size = bfs_ball(indptr, indices, root, radius, room)
        for i in range(1, size):
            level[root, room.distance[i] - 1] += 1
        clear(room, size)


@njit(cache=True, nogil=True)
def _fill(chunk, chunks, indptr, indices, radius, out):
    """One search per root, which is the row u; whether a number left int64, and what ``_count_straight`` found."""
    n = len(indptr) - 1
    too_many = False
    straight = np.zeros((len(indices) if radius > 2 else 0, max(radius - 2, 0)), np.int32)
    room = bench(n)
    paths = np.empty(n, np.int64)
    marks = np.zeros((3, n), np.int32)  # stamp, frontier, next frontier
    for root in range(chunk, n, chunks):
        size = bfs_ball(indptr, indices, root, radius, room)
        fits = _shortest_paths(indptr, indices, size, room, paths)
        if not (fits and _write_row(indptr, indices, radius, size, room, paths, marks, out)):
            too_many = True
        if radius > 2:
            _count_straight(indptr, indices, radius, size, room, straight)
        for i in range(size):
            marks[0, i] = 0
        clear(room, size)
    return too_many, straight


@njit(cache=True)
def _shortest_paths(indptr, indices, size, room, paths):
    """σ(root, ·) by place in the ball; false if one leaves int64."""
    paths[0] = 1
    for i in range(1, size):
        u = room.vertex[i]
        above = room.distance[i] - 1
        total = 0
        for e in range(indptr[u], indptr[u + 1]):
            j = room.place[indices[e]]
            if j >= 0 and room.distance[j] == above:
                total += paths[j]
                if total >= MOST:
                    return False
        paths[i] = total
    return True


@njit(cache=True)
def _write_row(indptr, indices, radius, size, room, paths, marks, out):
    """The row of the root in every matrix; false if a count leaves int64."""
    root = room.vertex[0]
    seen = 0  # places passed at the present distance
    last = 0
    for i in range(size):
        k = room.distance[i]
        if k != last:
            seen, last = 0, k
        if k == radius:
            out.ends[root] += paths[i]
            if out.ends[root] >= MOST:
                return False
            continue
        if k > 0:
            at = out.starts[k - 1, root] + seen
            out.indices[out.first[k - 1] + at] = room.vertex[i]
            for further in range(2):
                closing = _closing(indptr, indices, i, k + further, room, paths)
                if closing < 0:
                    return False
                out.closing[further, out.first[k - 1] + at] = closing
            width = radius - k + 1
            to = out.first_value[k - 1] + at * width
            out.values[to] = paths[i]
            depths = 1 if k == 1 else width - 1  # at distance 1 the rest is `_count_straight`
            if not _descendants(indptr, indices, i, depths, room, marks, paths[i], out.values[to : to + width]):
                return False
        seen += 1
    return True


@njit(cache=True)
def _closing(indptr, indices, i, level, room, paths):
    """Shortest paths from the root to the neighbours of place ``i`` at ``level``; -1 if they leave int64."""
    x = room.vertex[i]
    total = 0
    for e in range(indptr[x], indptr[x + 1]):
        j = room.place[indices[e]]
        if j >= 0 and room.distance[j] == level:
            total += paths[j]
            if total >= MOST:
                return -1
    return total


@njit(cache=True)
def _descendants(indptr, indices, i, depths, room, marks, paths, out):
    """``out[m]`` = σ times the number of vertices m steps straight on from place ``i``; false if it leaves int64."""
    stamp, here, there = marks[0], marks[1], marks[2]
    here[0] = i
    width = 1
    for m in range(1, depths + 1):
        found = 0
        for f in range(width):
            j = here[f]
            y = room.vertex[j]
            for e in range(indptr[y], indptr[y + 1]):
                t = room.place[indices[e]]
                if t >= 0 and room.distance[t] == room.distance[j] + 1 and stamp[t] != i + 1:
                    stamp[t] = i + 1
                    there[found] = t
                    found += 1
        if found > 0 and paths > MOST // found:
            return False
        out[m] = paths * found
        here, there, width = there, here, found
    return True


@njit(cache=True)
def _count_straight(indptr, indices, radius, size, room, straight):
    """Add this root v to #{ v : d(v,x) = m, d(v,u) = m + 1 } of every edge x - u, m = 2..r-1."""
    for i in range(size):
        m = room.distance[i]
        if m < 2 or m >= radius:
            continue
        x = room.vertex[i]
        for e in range(indptr[x], indptr[x + 1]):
            if room.distance[room.place[indices[e]]] == m + 1:
                straight[e, m - 2] += 1


@njit(cache=True, nogil=True)
def _spread(chunk, chunks, indptr, indices, straight, count):
    """Move what ``_count_straight`` found on the edge x -> u to the entry (u, x); both have the graph's own rows."""
    for u in range(chunk, len(indptr) - 1, chunks):
        for p in range(indptr[u], indptr[u + 1]):
            x = indices[p]
            e = indptr[x] + np.searchsorted(indices[indptr[x] : indptr[x + 1]], u)
            for m in range(straight.shape[1]):
                count[p, m + 2] = straight[e, m]

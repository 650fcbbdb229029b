"""Balls without their roots, side by side as one graph: what a nest colours."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from lvc.graph import Graph
from lvc.memory import check_fits, check_pairs
from lvc.search.balls import offsets
from lvc.search.bfs import bench, bfs_ball, clear, limit
from lvc.search.threads import in_chunks

#: Above the measured peak of laying balls out and refining them by 1-WL: 0.73 GB for two nests on 198 vertices and 742
#: edges, 7.6 million pairs and 57 million ends of edges. Searches check on top of it what they store.
BYTES_A_PAIR, BYTES_AN_EDGE = 60, 8


class PuncturedBalls(NamedTuple):
    """``G[B_r(v) \\ {v}]`` for every root v. A vertex of ``graph`` is a pair (u, v), pairs stand root by root."""

    start: np.ndarray  # int64[roots + 1], the pairs of the i-th root are start[i]:start[i + 1]
    graph: Graph
    vertex: np.ndarray  # int32[pairs], u
    distance: np.ndarray  # int32[pairs], d(u, v)


def punctured_balls(graph: Graph, radius: int | None, roots: np.ndarray | None = None) -> PuncturedBalls:
    """The punctured balls of ``roots``; of every vertex unless they are given.

    >>> path = Graph.from_edges(3, [(0, 1), (1, 2)])
    >>> balls = punctured_balls(path, None)
    >>> balls.vertex.tolist(), balls.graph.edges().tolist()  # without its middle the path falls apart
    ([1, 2, 0, 2, 1, 0], [[0, 1], [4, 5]])
    """
    roots = np.arange(graph.n) if roots is None else roots
    sizes = np.zeros(len(roots), np.int64)
    search = graph.indptr, graph.indices, limit(graph, radius), roots
    in_chunks(_measure, graph.n + len(graph.indices), *search, sizes)
    start = offsets(sizes)
    pairs = int(start[-1])
    what, advice = f"nesting on {graph.n} vertices", "use a smaller radius"
    check_pairs(pairs, what, advice)
    check_fits(BYTES_A_PAIR * pairs, what, advice)
    vertex, distance, degrees = np.empty(pairs, np.int32), np.empty(pairs, np.int32), np.zeros(pairs, np.int64)
    in_chunks(_lay, pairs, *search, start, vertex, distance, degrees)
    indptr = offsets(degrees)
    check_pairs(int(indptr[-1]), what, advice)
    check_fits((BYTES_A_PAIR - 16) * pairs + BYTES_AN_EDGE * int(indptr[-1]), what, advice)  # 16 are taken by now
    indices = np.empty(int(indptr[-1]), np.int32)
    in_chunks(_join, pairs, *search, start, indptr, indices)
    return PuncturedBalls(start, Graph(indptr, indices), vertex, distance)


@njit(cache=True, nogil=True)
def _measure(chunk, chunks, indptr, indices, radius, roots, sizes):
    room = bench(len(indptr) - 1)
    for r in range(chunk, len(roots), chunks):
        size = bfs_ball(indptr, indices, roots[r], radius, room)
        sizes[r] = size - 1
        clear(room, size)


@njit(cache=True, nogil=True)
def _lay(chunk, chunks, indptr, indices, radius, roots, start, vertex, distance, degrees):
    room = bench(len(indptr) - 1)
    for r in range(chunk, len(roots), chunks):
        size = bfs_ball(indptr, indices, roots[r], radius, room)
        for i in range(1, size):
            pair, u = start[r] + i - 1, room.vertex[i]
            vertex[pair], distance[pair] = u, room.distance[i]
            for e in range(indptr[u], indptr[u + 1]):
                if room.place[indices[e]] > 0:
                    degrees[pair] += 1
        clear(room, size)


@njit(cache=True, nogil=True)
def _join(chunk, chunks, indptr, indices, radius, roots, start, rows, out):
    room = bench(len(indptr) - 1)
    for r in range(chunk, len(roots), chunks):
        size = bfs_ball(indptr, indices, roots[r], radius, room)
        for i in range(1, size):
            pair, u = start[r] + i - 1, room.vertex[i]
            at = rows[pair]
            for e in range(indptr[u], indptr[u + 1]):
                j = room.place[indices[e]]
                if j > 0:
                    out[at] = start[r] + j - 1
                    at += 1
            out[rows[pair] : at].sort()
        clear(room, size)

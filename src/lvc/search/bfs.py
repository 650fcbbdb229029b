"""One breadth-first search: the ball of a root, its levels, its shortest-path DAG.

The kernels work on a :class:`Bench`, arrays as long as the graph that are made once per thread and left clean after
every root, so that one search costs the size of its ball and not the size of the graph.
"""

from __future__ import annotations

from numbers import Integral
from typing import NamedTuple

import numpy as np
from numba import njit

from lvc.errors import LvcError
from lvc.graph import Graph, as_graph
from lvc.search.kinds import BFS


class Ball(NamedTuple):
    """One BFS: vertices in order of discovery."""

    vertex: np.ndarray  #: int32[b], vertex[0] is the root
    distance: np.ndarray  #: int32[b]
    paths: np.ndarray  #: float64[b], shortest paths from the root; exact up to 2^53


class Bench(NamedTuple):
    """Room for one search at a time; ``place`` is -1 outside the present ball."""

    vertex: np.ndarray  # int32[n], the ball in order of discovery
    distance: np.ndarray  # int32[n], by place in the ball
    place: np.ndarray  # int32[n], by vertex: where in the ball it stands


@njit(cache=True)
def bench(n):
    return Bench(np.empty(n, np.int32), np.empty(n, np.int32), np.full(n, -1, np.int32))


@njit(cache=True)
def bfs_ball(indptr, indices, root, radius, room):
    """Fill ``room`` with the ball of ``root``; returns its size. ``clear`` must follow."""
    vertex, distance, place = room.vertex, room.distance, room.place
    vertex[0], distance[0], place[root] = root, 0, 0
    size, i = 1, 0
    while i < size and distance[i] < radius:
        u = vertex[i]
        for e in range(indptr[u], indptr[u + 1]):
            w = indices[e]
            if place[w] < 0:
                place[w] = size
                vertex[size] = w
                distance[size] = distance[i] + 1
                size += 1
        i += 1
    return size


@njit(cache=True)
def clear(room, size):
    """Take the present ball off the bench."""
    for i in range(size):
        room.place[room.vertex[i]] = -1


@njit(cache=True)
def parents_of(indptr, indices, i, room, out):
    """Write the places of the parents of place ``i`` (η of BFS) to the front of ``out``; returns how many."""
    u = room.vertex[i]
    above = room.distance[i] - 1
    count = 0
    for e in range(indptr[u], indptr[u + 1]):
        j = room.place[indices[e]]
        if j >= 0 and room.distance[j] == above:
            out[count] = j
            count += 1
    return count


@njit(cache=True)
def _count_paths(indptr, indices, size, room):
    paths = np.zeros(size, np.float64)
    paths[0] = 1.0
    for i in range(size):
        u = room.vertex[i]
        for e in range(indptr[u], indptr[u + 1]):
            j = room.place[indices[e]]
            if j >= 0 and room.distance[j] == room.distance[i] + 1:
                paths[j] += paths[i]
    return paths


def limit(graph: Graph, radius: int | None) -> int:
    """``radius`` as the number the kernels take: no distance in a graph reaches its number of vertices."""
    if radius is not None:
        radius = BFS(radius).radius  # whole, and at least 1
    farthest = max(graph.n, 1)
    return farthest if radius is None else min(radius, farthest)


def check_vertex(graph: Graph, vertex: int, what: str = "vertex") -> int:
    """``vertex`` if the graph has it."""
    if graph.n == 0:
        raise LvcError(f"the graph has no vertices, got {what} {vertex}")
    if not isinstance(vertex, Integral) or not 0 <= vertex < graph.n:
        raise LvcError(f"{what} must be between 0 and {graph.n - 1}, got {vertex}")
    return int(vertex)


def ball(graph: Graph, root: int, radius: int | None = None) -> Ball:
    """The ball ``B_r(root)``: its vertices in order of discovery, their distances, their numbers of shortest paths.

    >>> square = Graph.from_edges(4, [(0, 1), (1, 2), (2, 3), (3, 0)])
    >>> ball(square, 0).paths.tolist()  # two ways to the opposite corner
    [1.0, 1.0, 1.0, 2.0]
    """
    graph = as_graph(graph)
    room = bench(graph.n)
    size = bfs_ball(graph.indptr, graph.indices, check_vertex(graph, root, "root"), limit(graph, radius), room)
    paths = _count_paths(graph.indptr, graph.indices, size, room)
    return Ball(room.vertex[:size].copy(), room.distance[:size].copy(), paths)

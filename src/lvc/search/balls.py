"""The balls of every root: how large they are, and what storing them would take."""

from __future__ import annotations

import numpy as np
from numba import njit

from lvc.graph import Graph
from lvc.memory import check_fits, check_pairs
from lvc.search.bfs import bench, bfs_ball, clear, limit
from lvc.search.kinds import Local
from lvc.search.threads import in_chunks

#: Above the measured peak of colouring with everything stored: 63 to 74 bytes a pair where η is small (bfs:3 and dfs:3
#: on 3000 vertices, 12000 edges), 9 bytes a member where it is large (triangles around a cycle, dfs:inf).
BYTES_A_PAIR, BYTES_A_MEMBER = 90, 16


def ball_sizes(graph: Graph, radius: int | None) -> np.ndarray:
    """``|B_r(v)|`` of every vertex: what a radius will cost.

    >>> ball_sizes(Graph.from_edges(4, [(0, 1), (1, 2)]), 1).tolist()
    [2, 3, 2, 1]
    """
    return sizes_and_edges(graph, radius, with_edges=False)[0]


def sizes_and_edges(graph: Graph, radius: int | None, with_edges: bool = True) -> tuple[np.ndarray, np.ndarray]:
    """Ball size of every root and, if asked, the number of its shortest-path DAG's edges."""
    sizes, edges = np.zeros(graph.n, np.int64), np.zeros(graph.n if with_edges else 0, np.int64)
    work = graph.n + len(graph.indices)
    in_chunks(_count, work, graph.indptr, graph.indices, limit(graph, radius), sizes, edges)
    return sizes, edges


@njit(cache=True, nogil=True)
def _count(chunk, chunks, indptr, indices, radius, sizes, edges):
    n = len(indptr) - 1
    room = bench(n)
    for root in range(chunk, n, chunks):
        sizes[root] = bfs_ball(indptr, indices, root, radius, room)
        if len(edges):
            for i in range(sizes[root]):
                if room.distance[i] < radius:
                    edges[root] += _children(indptr, indices, i, room)
        clear(room, sizes[root])


@njit(cache=True)
def _children(indptr, indices, i, room):
    """Number of DAG edges that leave place ``i``."""
    u = room.vertex[i]
    count = 0
    for e in range(indptr[u], indptr[u + 1]):
        if room.distance[room.place[indices[e]]] > room.distance[i]:
            count += 1
    return count


def offsets(counts: np.ndarray) -> np.ndarray:
    """Where each part begins if parts of these sizes stand one after another, and where the last one ends."""
    start = np.zeros(len(counts) + 1, np.int64)
    np.cumsum(counts, out=start[1:])
    return start


def check_stored(graph: Graph, search: Local, pairs: int, members: int) -> None:
    """Raise unless this many pairs and members of η can be stored and coloured."""
    what = f"{search} on {graph.n} vertices"
    advice = "use a smaller radius"
    if search.word == "bfs":
        advice += ", or the hashed mode (exact=False, --hashed), which stores no pairs for bfs"
    check_pairs(max(pairs, members), what, advice)
    check_fits(BYTES_A_PAIR * pairs + BYTES_A_MEMBER * members, what, advice)

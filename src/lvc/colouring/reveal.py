"""What colours reveal, computed directly: cut vertices, bridges, cycles, biconnectivity, shortest-path graphs."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from lvc.graph import Graph, as_graph
from lvc.search.bfs import bench, bfs_ball, check_vertex, limit
from lvc.search.blocks import ball_blocks, blocks_bench, low_bench


class Structure(NamedTuple):
    """Blocks and bridges of a whole graph."""

    blocks: tuple[tuple[int, ...], ...]  #: vertices of every biconnected component with three or more vertices
    bridges: tuple[tuple[int, int], ...]  #: the smaller end first
    components: int


@njit(cache=True)
def _blocks_of_graph(indptr, indices):
    """One ball without a limit for each component; block members become vertices."""
    n = len(indptr) - 1
    room, low, out = bench(n), low_bench(n), blocks_bench(n)
    member, start = np.empty(2 * n, np.int32), np.zeros(n + 1, np.int64)
    bridge = np.full(n, -1, np.int32)  # by the end farther from the root
    blocks, components = 0, 0
    for root in range(n):
        if room.place[root] >= 0:
            continue
        components += 1
        size = bfs_ball(indptr, indices, root, n, room)  # not cleared: the components stay marked as done
        count = ball_blocks(indptr, indices, size, room, low, out)
        for i in range(size):
            if out.entry[i] >= 0:
                bridge[room.vertex[i]] = room.vertex[out.entry[i]]
        for b in range(count):
            end = start[blocks]
            for k in range(out.start[b], out.start[b + 1]):
                member[end] = room.vertex[out.member[k]]
                end += 1
            blocks += 1
            start[blocks] = end
    return start[: blocks + 1], member, bridge, components


def structure(graph: Any) -> Structure:
    """Blocks, bridges and number of components of ``graph``, in linear time.

    >>> import networkx as nx
    >>> structure(nx.lollipop_graph(3, 1))
    Structure(blocks=((0, 1, 2),), bridges=((2, 3),), components=1)
    """
    checked = as_graph(graph)
    start, member, bridge, components = _blocks_of_graph(checked.indptr, checked.indices)
    blocks = sorted(tuple(sorted(member[a:b].tolist())) for a, b in pairwise(start.tolist()))
    far = np.flatnonzero(bridge >= 0)
    bridges = sorted((min(u, w), max(u, w)) for u, w in zip(far.tolist(), bridge[far].tolist(), strict=True))
    return Structure(tuple(blocks), tuple(bridges), components)


def cut_vertices(graph: Any) -> list[int]:
    """The vertices whose removal leaves more components than there were, in ascending order.

    >>> import networkx as nx
    >>> cut_vertices(nx.path_graph(4))
    [1, 2]
    """
    checked = as_graph(graph)
    found = structure(checked)
    parts = np.zeros(checked.n, np.int64)  # blocks and bridges that meet in a vertex
    for part in found.blocks + found.bridges:
        parts[list(part)] += 1
    return np.flatnonzero(parts > 1).tolist()


def bridges(graph: Any) -> list[tuple[int, int]]:
    """The edges whose removal leaves more components than there were, the smaller end first, in ascending order.

    >>> import networkx as nx
    >>> bridges(nx.barbell_graph(3, 0))
    [(2, 3)]
    """
    return list(structure(graph).bridges)


def vertices_on_cycles(graph: Any) -> list[int]:
    """The vertices that lie on some cycle, in ascending order.

    >>> import networkx as nx
    >>> vertices_on_cycles(nx.lollipop_graph(3, 2))
    [0, 1, 2]
    """
    return sorted({v for block in structure(graph).blocks for v in block})


def is_biconnected(graph: Any) -> bool:
    """Whether the graph is connected and has no cut vertex (a single vertex counts as biconnected)."""
    return structure(graph).components == 1 and not cut_vertices(graph)


def is_edge_biconnected(graph: Any) -> bool:
    """Whether the graph is connected and has no bridge."""
    found = structure(graph)
    return found.components == 1 and not found.bridges


def shortest_path_graph(graph: Any, u: int, v: int) -> list[tuple[int, int]]:
    """The edges of all shortest paths between ``u`` and ``v`` (paper, definition 4.1); empty if there are none.

    >>> import networkx as nx
    >>> shortest_path_graph(nx.cycle_graph(4), 0, 2)
    [(0, 1), (0, 3), (1, 2), (2, 3)]
    """
    checked = as_graph(graph)
    near, far = _distances(checked, u, None), _distances(checked, v, None)
    length = near[v]
    if length < 0:
        return []
    edges = checked.edges()
    a, b = edges[:, 0], edges[:, 1]
    joined = near[a] >= 0
    on_path = (near[a] + 1 + far[b] == length) | (near[b] + 1 + far[a] == length)
    return [(int(x), int(y)) for x, y in edges[joined & on_path]]


def ego_shortest_path_graph(graph: Any, v: int, radius: int | None = None) -> list[tuple[int, int]]:
    """The edges of all shortest paths from ``v`` to the vertices of its ball (paper, definition 4.3).

    >>> import networkx as nx
    >>> ego_shortest_path_graph(nx.complete_graph(3), 0, 1)  # the edge 1 - 2 is on no shortest path from 0
    [(0, 1), (0, 2)]
    """
    checked = as_graph(graph)
    distance = _distances(checked, v, radius)
    edges = checked.edges()
    reached = (distance[edges] >= 0).all(axis=1)
    step = np.abs(distance[edges[:, 0]] - distance[edges[:, 1]]) == 1
    return [(int(x), int(y)) for x, y in edges[reached & step]]


def _distances(graph: Graph, root: int, radius: int | None) -> np.ndarray:
    """Distance from ``root`` of every vertex, -1 outside its ball."""
    room = bench(graph.n)
    size = bfs_ball(graph.indptr, graph.indices, check_vertex(graph, root), limit(graph, radius), room)
    distance = np.full(graph.n, -1, np.int64)
    distance[room.vertex[:size]] = room.distance[:size]
    return distance

"""One search tree, for people and pictures: visiting order, tree edges, back edges, levels, crossings, covers.

This is the paper's vocabulary (sections 3 and 4.3) for any tie-breaking order, so that its lemmas can be tried by hand.
The colourings do not use it: their η does not depend on the order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from lvc.errors import LvcError
from lvc.graph import Graph, as_graph
from lvc.search.bfs import ball, check_vertex, limit

Edge = tuple[int, int]
KINDS = ("bfs", "dfs")


@dataclass(frozen=True)
class SearchTree:
    """A search from ``root`` in one visiting order, inside the ball of ``radius``."""

    kind: str
    root: int
    radius: int | None
    visited: tuple[int, ...]  #: vertices in order of discovery, v_0, v_1, ...
    parent: dict[int, int]  #: by vertex; the root has none
    level: dict[int, int]  #: steps from the root in the tree; for bfs also the distance
    tree_edges: tuple[Edge, ...]  #: from the earlier to the later vertex
    back_edges: tuple[Edge, ...]  #: from the later to the earlier vertex

    @property
    def time(self) -> dict[int, int]:
        """Vertex -> its subscript in the visiting order."""
        return {v: i for i, v in enumerate(self.visited)}

    def cover(self, back_edge: Edge) -> tuple[int, ...]:
        """The vertices that a back edge covers: those of the tree path between its ends (paper, definition 4.6).

        >>> triangle = Graph.from_edges(3, [(0, 1), (1, 2), (0, 2)])
        >>> search_tree(triangle, 0, "dfs").cover((2, 0))
        (2, 1, 0)
        """
        if self.kind != "dfs" or back_edge not in self.back_edges:
            raise LvcError(f"{back_edge} is not a back edge of a dfs tree; back edges here: {list(self.back_edges)}")
        path = [back_edge[0]]
        while path[-1] != back_edge[1]:
            path.append(self.parent[path[-1]])
        return tuple(path)

    def crossing(self, rule: str = "printed") -> tuple[tuple[Edge, Edge], ...]:
        """The pairs of back edges of a dfs tree that cross.

        ``rule="printed"`` compares visiting times as the paper's definition 4.5 does. ``rule="paths"`` asks that the
        tree paths of both share a tree edge; chains of such crossings are the blocks, whatever the order.
        """
        rules = {"printed": self._cross_as_printed, "paths": self._paths_share_an_edge}
        if rule not in rules:
            raise LvcError(f"unknown rule {rule!r}; use one of {', '.join(rules)}")
        if self.kind != "dfs":
            raise LvcError("crossings are defined for a dfs tree, got a bfs tree")
        return tuple((e, f) for e, f in combinations(self.back_edges, 2) if rules[rule](e, f))

    def _cross_as_printed(self, e: Edge, f: Edge) -> bool:
        time = self.time
        (i1, j1), (i2, j2) = (time[e[0]], time[e[1]]), (time[f[0]], time[f[1]])
        interleaved = j2 < j1 < i2 < i1 or j1 < j2 < i1 < i2
        return interleaved or (j1 == j2) != (i1 == i2)

    def _paths_share_an_edge(self, e: Edge, f: Edge) -> bool:
        below = [set(self.cover(edge)[:-1]) for edge in (e, f)]  # each tree edge by its lower end
        return bool(below[0] & below[1])


def search_tree(
    graph: Any, root: int, kind: str, *, order: Sequence[int] | int | None = None, radius: int | None = None
) -> SearchTree:
    """Search ``graph`` from ``root``, breadth first or depth first.

    Args:
        kind: ``"bfs"`` or ``"dfs"``.
        order: ties are broken by it: a sequence of all vertices, the preferred first; or a seed for a random one. By
            default vertices with smaller numbers go first.
        radius: stay inside the ball of this radius.

    >>> square = Graph.from_edges(4, [(0, 1), (1, 2), (2, 3), (3, 0)])
    >>> search_tree(square, 0, "dfs").back_edges
    ((3, 0),)
    >>> search_tree(square, 0, "bfs", order=[3, 2, 1, 0]).visited
    (0, 3, 1, 2)
    """
    graph = as_graph(graph)
    if kind not in KINDS:
        raise LvcError(f"unknown kind of search {kind!r}; use one of {', '.join(KINDS)}")
    root = check_vertex(graph, root, "root")
    rank = _ranks(graph, order)
    inside = set(ball(graph, root, limit(graph, radius)).vertex.tolist())
    near = {u: sorted((w for w in graph.neighbours(u).tolist() if w in inside), key=rank.__getitem__) for u in inside}
    visited, parent = (_breadth_first if kind == "bfs" else _depth_first)(root, near)
    time = {v: i for i, v in enumerate(visited)}
    level = {root: 0}
    for v in visited[1:]:
        level[v] = level[parent[v]] + 1
    tree_edges = tuple((parent[v], v) for v in visited[1:])
    back_edges = tuple((u, w) for u in visited for w in near[u] if time[w] < time[u] and parent.get(u) != w)
    return SearchTree(kind, root, radius, tuple(visited), parent, level, tree_edges, back_edges)


def _ranks(graph: Graph, order: Sequence[int] | int | None) -> list[int]:
    """Vertex -> how early it is preferred."""
    if order is None:
        return list(range(graph.n))
    if isinstance(order, (int, np.integer)):
        if order < 0:
            raise LvcError(f"a seed must be 0 or more, got {order}")
        return np.random.default_rng(order).permutation(graph.n).tolist()
    if sorted(order) != list(range(graph.n)):
        raise LvcError(f"order must name each of the {graph.n} vertices once, got {list(order)}")
    return np.argsort(order).tolist()


def _breadth_first(root: int, near: dict[int, list[int]]) -> tuple[list[int], dict[int, int]]:
    visited, parent = [root], {}
    for u in visited:  # grows while it is read
        for w in near[u]:
            if w != root and w not in parent:
                parent[w] = u
                visited.append(w)
    return visited, parent


def _depth_first(root: int, near: dict[int, list[int]]) -> tuple[list[int], dict[int, int]]:
    visited: list[int] = [root]
    parent: dict[int, int] = {}
    trail = [(root, iter(near[root]))]
    while trail:
        u, ahead = trail[-1]
        w = next((w for w in ahead if w != root and w not in parent), None)
        if w is None:
            trail.pop()
        else:
            parent[w] = u
            visited.append(w)
            trail.append((w, iter(near[w])))
    return visited, parent

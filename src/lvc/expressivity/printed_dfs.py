"""η of DFS exactly as the paper prints it: crossover by visiting times. For the claims report, and for nothing else.

    Q_u = back edges that cover u,   D_u = Q_u and all that crosses it, transitively,   B_u = vertices that D_u covers
    η(u) = {parent of u in the tree} ∪ B_u                                              (paper, section 4.3)

The colourings use the block meaning of :class:`lvc.DFS` instead, because this set depends on the visiting order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations
from typing import NamedTuple

from lvc.graph import Graph
from lvc.search.kinds import DFS, Custom
from lvc.search.tree import SearchTree, search_tree
from lvc.search.trees import trees

EtaOfRoot = dict[int, frozenset[int]]


class OrderDependence(NamedTuple):
    """Two visiting orders of one graph that give a vertex two different η."""

    graph: Graph
    root: int
    vertex: int
    orders: tuple[tuple[int, ...], tuple[int, ...]]
    etas: tuple[frozenset[int], frozenset[int]]


def eta_of_tree(tree: SearchTree, rule: str = "printed") -> EtaOfRoot:
    """η of every vertex but the root, by the crossings of ``rule``: ``"printed"``, or ``"paths"`` for the block meaning.

    >>> triangle = Graph.from_edges(3, [(0, 1), (1, 2), (0, 2)])
    >>> sorted(eta_of_tree(search_tree(triangle, 0, "dfs"))[1])
    [0, 1, 2]
    """
    crossing: dict[tuple[int, int], set[tuple[int, int]]] = {edge: set() for edge in tree.back_edges}
    for e, f in tree.crossing(rule):
        crossing[e].add(f)
        crossing[f].add(e)
    covers = {edge: tree.cover(edge) for edge in tree.back_edges}
    eta: EtaOfRoot = {}
    for u in tree.visited[1:]:
        reached = _closure((edge for edge in tree.back_edges if u in covers[edge]), crossing)
        eta[u] = frozenset({tree.parent[u]}.union(*(covers[edge] for edge in reached)))
    return eta


def _closure(first: Iterable[tuple[int, int]], crossing: dict[tuple[int, int], set[tuple[int, int]]]) -> set[tuple[int, int]]:
    reached = set(first)
    waiting = list(reached)
    while waiting:
        for edge in crossing[waiting.pop()] - reached:
            reached.add(edge)
            waiting.append(edge)
    return reached


def printed_eta(graph: Graph, root: int, order: Sequence[int] | None = None, radius: int | None = None) -> EtaOfRoot:
    """The printed η_dfc of every vertex of the ball, for the depth-first search that prefers ``order``."""
    return eta_of_tree(search_tree(graph, root, "dfs", order=order, radius=radius))


def block_eta(graph: Graph, radius: int | None = None) -> list[EtaOfRoot]:
    """The η that the colourings use, for every root: blocks and bridges."""
    found = trees(graph, DFS(radius))
    every: list[EtaOfRoot] = []
    for root in range(graph.n):
        eta = {}
        for p in range(int(found.start[root]) + 1, int(found.start[root + 1])):
            group = int(found.group[p])
            members = found.member[found.group_start[group] : found.group_start[group + 1]]
            eta[int(found.vertex[p])] = frozenset(found.vertex[members].tolist())
        every.append(eta)
    return every


def printed_search(radius: int | None = None, order: Sequence[int] | None = None) -> Custom:
    """DFC with the printed η, for one visiting order (by default smaller numbers first)."""

    def printed(graph: Graph, root: int, radius: int | None) -> EtaOfRoot:
        return printed_eta(graph, root, order, radius)

    return Custom(radius, printed)


def order_dependences(
    graph: Graph, orders: Iterable[Sequence[int]] | None = None, radius: int | None = None
) -> Iterator[OrderDependence]:
    """Where the printed η depends on the visiting order; at most one find for each root and vertex.

    ``orders`` are the orders tried; by default all, which only suits a handful of vertices.
    """
    tried = [tuple(order) for order in (permutations(range(graph.n)) if orders is None else orders)]
    for root in range(graph.n):
        first = printed_eta(graph, root, tried[0], radius)
        open_vertices = set(first)
        for order in tried[1:]:
            other = printed_eta(graph, root, order, radius)
            for u in sorted(open_vertices):
                if other[u] != first[u]:
                    open_vertices.discard(u)
                    yield OrderDependence(graph, root, u, (tried[0], order), (first[u], other[u]))

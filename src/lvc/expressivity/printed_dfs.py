"""η of DFS exactly as the paper prints it: crossover by visiting times. For the claims report, and for nothing else.

    Q_u = back edges that cover u,   D_u = Q_u and all that crosses it, transitively,   B_u = vertices that D_u covers
    η(u) = {parent of u in the tree} ∪ B_u                                              (paper, section 4.3)

The colourings use the block meaning of :class:`lvc.DFS` instead, because this set depends on the visiting order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import permutations
from typing import NamedTuple

from lvc.errors import LvcError
from lvc.graph import Graph
from lvc.search.kinds import DFS, Custom
from lvc.search.tree import SearchTree, search_tree
from lvc.search.trees import trees

EtaOfRoot = dict[int, frozenset[int]]
RULES = ("printed", "paths")


class OrderDependence(NamedTuple):
    """Two visiting orders of one graph that give a vertex two different η."""

    graph: Graph
    root: int
    vertex: int
    orders: tuple[tuple[int, ...], tuple[int, ...]]
    etas: tuple[frozenset[int], frozenset[int]]


def eta_of_tree(tree: SearchTree, rule: str = "printed") -> EtaOfRoot:
    """η of every vertex but the root; ``rule`` is ``"printed"``, or ``"paths"`` for the block meaning.

    >>> triangle = Graph.from_edges(3, [(0, 1), (1, 2), (0, 2)])
    >>> sorted(eta_of_tree(search_tree(triangle, 0, "dfs"))[1])
    [0, 1, 2]
    """
    if rule not in RULES:
        raise LvcError(f"unknown rule {rule!r}; use one of {', '.join(RULES)}")
    covers = [tree.cover(edge) for edge in tree.back_edges]
    if rule == "printed":
        time = tree.time
        times = [(time[later], time[earlier]) for later, earlier in tree.back_edges]
        joined = _chains(len(times), lambda a, b: crosses_as_printed(times[a], times[b]))
    else:
        edges = [set(cover[:-1]) for cover in covers]  # each tree edge by its lower end
        joined = _chains(len(edges), lambda a, b: not edges[a].isdisjoint(edges[b]))
    covered = [(members, set().union(*(covers[e] for e in members))) for members in joined]
    eta: EtaOfRoot = {}
    for u in tree.visited[1:]:
        reached = [cover for members, cover in covered if any(u in covers[e] for e in members)]
        eta[u] = frozenset({tree.parent[u]}.union(*reached))
    return eta


def crosses_as_printed(e: tuple[int, int], f: tuple[int, int]) -> bool:
    """The four conditions of the paper's definition, on the visiting times (i, j) of two back edges.

    >>> crosses_as_printed((2, 0), (3, 1)), crosses_as_printed((2, 0), (4, 2))
    (True, False)
    """
    (i1, j1), (i2, j2) = e, f
    return j2 < j1 < i2 < i1 or j1 < j2 < i1 < i2 or (j1 == j2 and i1 != i2) or (i1 == i2 and j1 != j2)


def _chains(count: int, cross: Callable[[int, int], bool]) -> list[set[int]]:
    """The classes of the transitive closure of a symmetric relation on ``0..count-1``."""
    classes: list[set[int]] = []
    for new in range(count):
        met = [members for members in classes if any(cross(new, old) for old in members)]
        classes = [members for members in classes if members not in met]
        classes.append({new}.union(*met))
    return classes


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

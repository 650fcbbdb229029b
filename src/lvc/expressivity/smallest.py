"""All small graphs, and the smallest pair that one search tells apart and another does not."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations

import networkx as nx

from lvc.colouring.colour import colour_jointly
from lvc.errors import LvcError
from lvc.graph import Graph
from lvc.search.kinds import Search

#: networkx's atlas ends here.
ATLAS = 7
LARGEST = 8


@lru_cache
def all_graphs(n: int) -> tuple[Graph, ...]:
    """Every graph on ``n`` vertices, connected or not, one of each isomorphism class; fewest edges first.

    Up to seven vertices from networkx's atlas; the 12 346 graphs on eight vertices are those with a vertex added.

    >>> len(all_graphs(4))
    11
    """
    if not 1 <= n <= LARGEST:
        raise LvcError(f"n must be between 1 and {LARGEST}, got {n}")
    if n > ATLAS:
        return tuple(sorted(_extended(all_graphs(n - 1)), key=lambda graph: graph.m))
    from networkx.generators.atlas import graph_atlas_g

    return tuple(Graph.from_networkx(graph) for graph in graph_atlas_g() if graph.number_of_nodes() == n)


def connected_graphs(n: int) -> tuple[Graph, ...]:
    """Every connected graph on ``n`` vertices.

    >>> [len(connected_graphs(n)) for n in range(1, 6)]
    [1, 1, 2, 6, 21]
    """
    return tuple(graph for graph in all_graphs(n) if nx.is_connected(graph.to_networkx()))


def _extended(graphs: Sequence[Graph]) -> Iterator[Graph]:
    """All graphs with one vertex more: it may be taken to be one of largest degree."""
    larger = []
    for graph in graphs:
        n, edges, degrees = graph.n, graph.edges().tolist(), graph.degrees.tolist()
        for size in range(n + 1):
            for chosen in combinations(range(n), size):
                if all(degrees[v] + (v in chosen) <= size for v in range(n)):
                    larger.append(Graph.from_edges(n + 1, [*edges, *((v, n) for v in chosen)]))
    for alike in told_apart_by(larger, "bfs:inf"):
        kept: list[nx.Graph] = []
        for text in sorted({graph.to_graph6() for graph in alike}):
            graph = Graph.from_graph6(text)
            plain = graph.to_networkx()
            if not any(nx.is_isomorphic(plain, other) for other in kept):
                kept.append(plain)
                yield graph


def told_apart_by(graphs: Sequence[Graph], search: str | Search) -> list[list[Graph]]:
    """``graphs`` sorted into groups within which ``search`` tells nothing apart; in order of first appearance.

    >>> from lvc.expressivity.named import cycles
    >>> len(told_apart_by(cycles(1), "wl")), len(told_apart_by(cycles(1), "bfs:2"))
    (1, 2)
    """
    groups: dict[tuple[int, ...], list[Graph]] = defaultdict(list)
    for graph, colouring in zip(graphs, colour_jointly(graphs, search), strict=True):
        groups[tuple(sorted(colouring.vertex.tolist()))].append(graph)
    return list(groups.values())


def smallest_pair(apart: str, alike: str, largest: int = ATLAS) -> tuple[Graph, Graph] | None:
    """The smallest pair that ``apart`` tells apart and ``alike`` does not, or None up to ``largest`` vertices.

    Smallest: fewest vertices, then fewest edges together, then first in :func:`all_graphs`.

    >>> [graph.to_graph6() for graph in smallest_pair("dfs:1", "dfs:2")]
    ['Cl', 'C|']
    """
    for n in range(1, largest + 1):
        found = []
        for group in told_apart_by(all_graphs(n), alike):
            parts = told_apart_by(group, apart) if len(group) > 1 else []
            if len(parts) > 1:
                firsts = sorted((part[0] for part in parts), key=lambda graph: graph.m)
                found.append((firsts[0], firsts[1]))
        if found:
            return min(found, key=lambda pair: pair[0].m + pair[1].m)
    return None

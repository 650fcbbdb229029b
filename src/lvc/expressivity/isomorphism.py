"""Isomorphism classes of many small graphs at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import networkx as nx

from lvc.colouring.colour import colour_jointly
from lvc.graph import Graph


def isomorphism_classes(graphs: Sequence[Graph]) -> list[int]:
    """A number for each graph, equal exactly for isomorphic ones; labels, which all have or none, must agree.

    Colours sort the graphs first, so that networkx compares only what they leave together.

    >>> path = Graph.from_edges(3, [(0, 1), (1, 2)])
    >>> isomorphism_classes([path, path.relabelled([1, 0, 2]), Graph.from_edges(3, [(0, 1)])])
    [0, 0, 1]
    """
    distinct = list(dict.fromkeys(graphs))
    if not distinct:
        return []
    number: dict[Graph, int] = {}
    kept: dict[tuple[int, ...], list[tuple[nx.Graph, int]]] = defaultdict(list)
    for graph, colouring in zip(distinct, colour_jointly(distinct, "bfs:inf+dfs:1"), strict=True):
        alike = kept[tuple(sorted(colouring.vertex.tolist()))]
        plain = graph.to_networkx()
        for other, known in alike:
            if are_isomorphic(plain, other):
                number[graph] = known
                break
        else:
            number[graph] = sum(map(len, kept.values()))
            alike.append((plain, number[graph]))
    return [number[graph] for graph in graphs]


def are_isomorphic(first: nx.Graph, second: nx.Graph) -> bool:
    """Whether two networkx graphs are isomorphic, labels included."""
    return nx.is_isomorphic(first, second, node_match=lambda a, b: a.get("label") == b.get("label"))

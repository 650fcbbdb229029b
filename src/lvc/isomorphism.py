"""Isomorphism of many graphs: colours sort them, then vertices are singled out one by one.

networkx's tests are slow on the very regular graphs that the claims report needs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np

from lvc.colouring.colour import colour_jointly
from lvc.graph import Graph
from lvc.search.kinds import Search


def isomorphism_classes(graphs: Sequence[Graph], search: Search | str = "bfs:inf+dfs:1") -> list[int]:
    """A number for each graph, equal exactly for isomorphic ones; labels, which all have or none, must agree.

    ``search`` sorts the graphs that are then compared: a strong one for graphs that are much alike, else ``wl``.

    >>> path = Graph.from_edges(3, [(0, 1), (1, 2)])
    >>> isomorphism_classes([path, path.relabelled([1, 0, 2]), Graph.from_edges(3, [(0, 1)])])
    [0, 0, 1]
    """
    distinct = list(dict.fromkeys(graphs))
    if not distinct:
        return []
    number: dict[Graph, int] = {}
    kept: dict[tuple[int, ...], list[Graph]] = defaultdict(list)
    classes = 0
    for graph, colouring in zip(distinct, colour_jointly(distinct, search), strict=True):
        alike = kept[tuple(sorted(colouring.vertex.tolist()))]
        known = next((other for other in alike if are_isomorphic(graph, other)), None)
        if known is None:
            alike.append(graph)
            number[graph] = classes
            classes += 1
        else:
            number[graph] = number[known]
    return [number[graph] for graph in graphs]


def are_isomorphic(first: Graph, second: Graph) -> bool:
    """Whether two graphs are isomorphic, labels included: refine, single out a vertex, try all that it may go to.

    >>> are_isomorphic(Graph.from_edges(3, [(0, 1)]), Graph.from_edges(3, [(1, 2)]))
    True
    """
    if (first.n, first.m) != (second.n, second.m):
        return False
    waiting = [iter([(first, second)])]  # a stack and not recursion: there may be as many steps as vertices
    while waiting:
        pair = next(waiting[-1], None)
        if pair is None:
            waiting.pop()
            continue
        one, other = (colouring.vertex for colouring in colour_jointly(pair, "wl"))
        if not np.array_equal(np.sort(one), np.sort(other)):
            continue
        if len(np.unique(one)) == first.n:  # one image for every vertex; equal stable colours carry edges to edges
            return True
        waiting.append(_images(*pair, one, other))
    return False


def _images(first: Graph, second: Graph, one: np.ndarray, other: np.ndarray) -> Iterator[tuple[Graph, Graph]]:
    """A vertex of the smallest class that has several is singled out, with every vertex that it may go to."""
    counts = np.bincount(one)
    colour = int(np.argmin(np.where(counts > 1, counts, first.n + 1)))
    marked = _singled_out(first, one, int(np.flatnonzero(one == colour)[0]))
    return ((marked, _singled_out(second, other, int(v))) for v in np.flatnonzero(other == colour))


def _singled_out(graph: Graph, colours: np.ndarray, vertex: int) -> Graph:
    labels = colours.astype(np.int64)
    labels[vertex] = -1
    return graph.with_labels(labels)

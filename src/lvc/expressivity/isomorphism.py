"""Isomorphism of small graphs, many at once: colours sort them, then vertices are singled out one by one.

networkx's tests are slow on the very regular graphs that the claims report needs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from lvc.colouring.colour import colour_jointly
from lvc.graph import Graph


def isomorphism_classes(graphs: Sequence[Graph]) -> list[int]:
    """A number for each graph, equal exactly for isomorphic ones; labels, which all have or none, must agree.

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
    for graph, colouring in zip(distinct, colour_jointly(distinct, "bfs:inf+dfs:1"), strict=True):
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
    one, other = (colouring.vertex for colouring in colour_jointly([first, second], "wl"))
    counts = np.bincount(one, minlength=int(max(one.max(initial=0), other.max(initial=0))) + 1)
    if not np.array_equal(np.sort(one), np.sort(other)):
        return False
    if counts.max() == 1:  # one image for every vertex; equal stable colours carry edges to edges
        return True
    colour = int(np.argmin(np.where(counts > 1, counts, first.n + 1)))
    chosen = int(np.flatnonzero(one == colour)[0])
    marked = _singled_out(first, one, chosen)
    return any(are_isomorphic(marked, _singled_out(second, other, int(v))) for v in np.flatnonzero(other == colour))


def _singled_out(graph: Graph, colours: np.ndarray, vertex: int) -> Graph:
    labels = colours.astype(np.int64)
    labels[vertex] = -1
    return graph.with_labels(labels)

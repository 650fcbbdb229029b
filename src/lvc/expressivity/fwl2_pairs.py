"""Stable 2-FWL colours of pairs, jointly over many small graphs; :mod:`lvc.colouring.fwl2` gives out vertices only."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from lvc.graph import Graph

Key = tuple[int, int, int]


def fwl2_pair_colours(graphs: Sequence[Graph]) -> dict[Key, int]:
    """(graph, u, v) -> the stable colour Col(u, v) (paper, appendix), comparable across ``graphs``.

    >>> path = Graph.from_edges(3, [(0, 1), (1, 2)])
    >>> colour = fwl2_pair_colours([path])
    >>> colour[0, 0, 1] == colour[0, 2, 1], colour[0, 0, 1] == colour[0, 0, 2]
    (True, False)
    """
    colours: list[list[list[int]]] = []
    for graph in graphs:
        rows = [[0] * graph.n for _ in range(graph.n)]
        for u, v in graph.edges().tolist():
            rows[u][v] = rows[v][u] = 1
        for v in range(graph.n):
            rows[v][v] = 2
        colours.append(rows)
    classes = -1
    while True:
        number: dict[Hashable, int] = {}
        refined = []
        for rows in colours:
            columns = list(zip(*rows, strict=True))
            refined.append(
                [
                    [
                        number.setdefault((old, tuple(sorted(zip(row, columns[v], strict=True)))), len(number))
                        for v, old in enumerate(row)
                    ]
                    for row in rows
                ]
            )
        colours = refined
        if len(number) == classes:
            return {
                (g, u, v): colour
                for g, rows in enumerate(colours)
                for u, row in enumerate(rows)
                for v, colour in enumerate(row)
            }
        classes = len(number)

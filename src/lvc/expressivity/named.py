"""The graphs and pairs that the paper names, and those that its claims need, as functions.

The paper's pictures are not part of its source. Where only a picture shows a graph, what is here is the smallest one
that does what the text says of it, found by :mod:`lvc.expressivity.smallest`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lvc.errors import LvcError
from lvc.expressivity.regular import (
    GraphPair,
    biplane,
    circulant_twelve_and_doubled_k33,
    eight_vertices_beyond_bfc,
    k33_and_prism,
    one_sided,
    rook_and_shrikhande,
    rook_three_and_rewired,
    two_biplanes,
)
from lvc.graph import Graph, disjoint_union


@dataclass(frozen=True)
class NamedPair:
    """Two graphs that are not isomorphic, and what they are an example of."""

    name: str
    title: str
    make: Callable[[], GraphPair]


@dataclass(frozen=True)
class NamedGraph:
    """One graph, and what it is an example of."""

    name: str
    title: str
    make: Callable[[], Graph]


def cycle(n: int) -> Graph:
    """The cycle on ``n`` vertices.

    >>> cycle(3).edges().tolist()
    [[0, 1], [0, 2], [1, 2]]
    """
    if n < 3:
        raise LvcError(f"a cycle has at least 3 vertices, got {n}")
    return Graph.from_edges(n, [(i, (i + 1) % n) for i in range(n)])


def cycles(r: int) -> GraphPair:
    """Two cycles of length 2 r + 1, and one of length 4 r + 2 (paper, proof of the hierarchy theorem).

    BFC tells them apart from radius r + 1 on, and not before.

    >>> cycles(1)
    (Graph(n=6, m=6), Graph(n=6, m=6))
    """
    if r < 1:
        raise LvcError(f"r must be at least 1, got {r}")
    return disjoint_union([cycle(2 * r + 1)] * 2), cycle(4 * r + 2)


def two_triangles_and_hexagon() -> GraphPair:
    """The left pair of the paper's figure of circles: ``cycles(1)``."""
    return cycles(1)


def two_pentagons_and_decagon() -> GraphPair:
    """The right pair of the paper's figure of circles: ``cycles(2)``."""
    return cycles(2)


def joined_cycles(r: int) -> GraphPair:
    """``cycles(r)`` with one edge more: between the two small cycles, and between opposite vertices of the large one.

    Only the first graph has a bridge. 1-WL does not tell them apart, nor does a search that sees less than a cycle.

    >>> from lvc import bridges
    >>> [bridges(graph) for graph in joined_cycles(1)]
    [[(0, 3)], []]
    """
    two, one = cycles(r)
    half = 2 * r + 1
    joined, chorded = ([*graph.edges().tolist(), (0, half)] for graph in (two, one))
    return Graph.from_edges(2 * half, joined), Graph.from_edges(2 * half, chorded)


def joined_triangles_and_chorded_hexagon() -> GraphPair:
    """Two triangles joined by an edge, and a hexagon with a long chord: ``joined_cycles(1)``."""
    return joined_cycles(1)


def square_and_diamond() -> GraphPair:
    """A 4-cycle without and with a chord: the smallest pair that DFC-1 tells apart and DFC-2 does not.

    Inside a ball that is one block, DFC sees nothing but its size.
    """
    return cycle(4), Graph.from_edges(4, [(0, 1), (1, 2), (2, 3), (0, 3), (0, 2)])


def tailed_square_and_diamond() -> GraphPair:
    """The same two with a pendant vertex: the smallest pair that DFC-2 tells apart and DFC-3 does not.

    From the pendant vertex, radius 2 does not reach the opposite corner of the square.
    """
    square = [(0, 1), (1, 2), (2, 3), (0, 3), (0, 4)]
    return Graph.from_edges(5, square), Graph.from_edges(5, [*square, (0, 2)])


def uneven_barbell() -> Graph:
    """The uneven barbell of the paper's figure of DFC, as far as the text describes it.

    Vertex i is the paper's v_i. The block 0..3 has the back edges (v_2, v_0) and (v_3, v_1), 4 and 5 are type-1 cut
    vertices on the path, 2 and 6 are type-2 cut vertices, 6..8 is a triangle.

    >>> from lvc import cut_vertices
    >>> cut_vertices(uneven_barbell())
    [2, 4, 5, 6]
    """
    block = [(0, 1), (1, 2), (2, 3), (0, 2), (1, 3)]
    return Graph.from_edges(9, [*block, (2, 4), (4, 5), (5, 6), (6, 7), (7, 8), (6, 8)])


def search_example() -> Graph:
    """Six vertices with back edges inside a level and between levels.

    >>> search_example()
    Graph(n=6, m=8)
    """
    return Graph.from_edges(6, [(0, 1), (0, 2), (1, 2), (1, 3), (1, 4), (2, 4), (3, 5), (4, 5)])


def bowtie() -> Graph:
    """Two triangles that share vertex 0: the counterexample to the printed DFS rule.

    >>> bowtie().degrees.tolist()
    [4, 2, 2, 2, 2]
    """
    return Graph.from_edges(5, [(0, 1), (0, 2), (1, 2), (0, 3), (0, 4), (3, 4)])


_PAIRS = (
    NamedPair("triangles", "two triangles and a hexagon", two_triangles_and_hexagon),
    NamedPair("pentagons", "two 5-cycles and a 10-cycle", two_pentagons_and_decagon),
    NamedPair("heptagons", "two 7-cycles and a 14-cycle", lambda: cycles(3)),
    NamedPair(
        "bridge",
        "two triangles joined by an edge, and a hexagon with a long chord",
        joined_triangles_and_chorded_hexagon,
    ),
    NamedPair("k33-prism", "K33 and the prism: different ego shortest-path graphs", k33_and_prism),
    NamedPair("square-diamond", "a square, and one with a chord: DFC-1 but not DFC-2", square_and_diamond),
    NamedPair("tailed", "the same with a pendant vertex: DFC-2 but not DFC-3", tailed_square_and_diamond),
    NamedPair("rook", "4x4 rook's graph and Shrikhande graph", rook_and_shrikhande),
    NamedPair("beyond-bfc", "eight vertices: 3-WL but not BFC", eight_vertices_beyond_bfc),
    NamedPair("rook-3", "3x3 rook's graph and a rewired one: BFC-2 but no SGN", rook_three_and_rewired),
    NamedPair(
        "twelve",
        "circulant on 12 vertices and K33 x K2: different shortest-path graphs",
        circulant_twelve_and_doubled_k33,
    ),
    NamedPair("biplanes", "incidence graphs of two biplanes: three picks, nothing less", two_biplanes),
)

_GRAPHS = (
    NamedGraph("barbell", "the uneven barbell", uneven_barbell),
    NamedGraph("bowtie", "two triangles sharing a vertex", bowtie),
    NamedGraph("biplane", "incidence graph of a biplane", biplane),
    NamedGraph("one-sided", "a Cayley graph where pair colours are one-sided", one_sided),
)

#: Name -> pair, in the order in which a table should show them.
NAMED_PAIRS: dict[str, NamedPair] = {pair.name: pair for pair in _PAIRS}
#: Name -> single graph.
NAMED_GRAPHS: dict[str, NamedGraph] = {graph.name: graph for graph in _GRAPHS}

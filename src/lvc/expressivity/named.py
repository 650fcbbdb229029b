"""The graphs and pairs that the paper names, and those that its claims need, as functions.

The paper's pictures are not part of its source. Where only a picture shows a graph, what is here is the smallest one
that does what the text says of it, found by :mod:`lvc.expressivity.smallest`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lvc.errors import LvcError
from lvc.graph import Graph, disjoint_union

GraphPair = tuple[Graph, Graph]


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


def circulant(n: int, steps: tuple[int, ...]) -> Graph:
    """Vertices on a circle, each joined to those so many ``steps`` away.

    >>> circulant(5, (1,)) == cycle(5)
    True
    """
    return Graph.from_edges(n, sorted({tuple(sorted((i, (i + s) % n))) for i in range(n) for s in steps}))


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

    Only the first graph has a bridge. 1-WL does not tell them apart, and no search that sees less than a whole cycle does.

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


def k33_and_prism() -> GraphPair:
    """The two three-regular graphs on six vertices: different ego shortest-path graphs at radius 2, one 1-WL colour.

    The smallest pair for what the paper's figure of ESPGs shows.

    >>> from lvc import ego_shortest_path_graph
    >>> [len(ego_shortest_path_graph(graph, 0, 2)) for graph in k33_and_prism()]
    [9, 7]
    """
    k33 = Graph.from_edges(6, [(a, b) for a in range(3) for b in range(3, 6)])
    return k33, Graph.from_edges(6, [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5), (0, 3), (1, 4), (2, 5)])


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


def rook() -> Graph:
    """The 4x4 rook's graph: fields of a small chessboard, joined when a rook can move from one to the other.

    >>> rook().neighbours(0).tolist()
    [1, 2, 3, 4, 8, 12]
    """
    return rook_board(4)


def rook_board(side: int) -> Graph:
    """The rook's graph on a ``side`` x ``side`` board; field (row, column) is vertex ``row * side + column``."""
    fields = range(side * side)
    edges = [(a, b) for a in fields for b in range(a) if a // side == b // side or a % side == b % side]
    return Graph.from_edges(side * side, edges)


def shrikhande() -> Graph:
    """The Shrikhande graph: Z4 x Z4, joined when they differ by ±(0, 1), ±(1, 0) or ±(1, 1).

    >>> set(shrikhande().degrees.tolist())
    {6}
    """
    edges = [
        (4 * i + j, 4 * ((i + a) % 4) + (j + b) % 4)
        for i in range(4)
        for j in range(4)
        for a, b in ((0, 1), (1, 0), (1, 1))
    ]
    return Graph.from_edges(16, edges)


def rook_and_shrikhande() -> GraphPair:
    """Two strongly regular graphs with parameters (16, 6, 2, 2): DFC-1 tells them apart, 3-WL does not."""
    return rook(), shrikhande()


def tailed(graph: Graph, length: int) -> Graph:
    """``graph`` with a path of ``length`` new vertices hung on every vertex.

    >>> tailed(cycle(3), 1).edges().tolist()
    [[0, 1], [0, 2], [0, 3], [1, 2], [1, 4], [2, 5]]
    """
    n = graph.n
    tails = [(v + i * n, v + (i + 1) * n) for v in range(n) for i in range(length)]
    return Graph.from_edges(n * (length + 1), [*graph.edges().tolist(), *tails])


def tailed_rook_and_shrikhande(radius: int) -> GraphPair:
    """Rook and Shrikhande with tails of ``radius - 1`` vertices: DFC of that radius tells them apart, 3-WL does not.

    From the end of a tail the search sees just one vertex of the original graph and its neighbours.
    """
    return tailed(rook(), radius - 1), tailed(shrikhande(), radius - 1)


def eight_vertices_beyond_bfc() -> GraphPair:
    """The smallest pair (8 vertices, 4-regular) that 3-WL tells apart and BFC does not, at any radius.

    The first is the circulant of steps 1 and 2. Also their ego shortest-path graphs of radius 2 differ, and BFC gives
    all 16 vertices one colour.

    >>> first, second = eight_vertices_beyond_bfc()
    >>> set(first.degrees.tolist()), set(second.degrees.tolist())
    ({4}, {4})
    """
    return circulant(8, (1, 2)), Graph.from_graph6("G`urnO")


def rook_three_and_rewired() -> GraphPair:
    """The 3x3 rook's graph and another 4-regular graph in which every vertex is in two triangles.

    BFC-2 tells them apart; no SGN of any radius does, whatever its weights: it sums what BFC counts.
    """
    return rook_board(3), Graph.from_graph6("H\\rGrCV")


def circulant_twelve_and_doubled_k33() -> GraphPair:
    """The circulant on 12 vertices with steps 1 and 3, and K33 times an edge: equal pair colours, different SPGs.

    All vertices have one BFC colour; from a vertex to one at distance 3, the pair colours agree across the two graphs and
    the shortest-path graphs are not isomorphic.
    """
    k33 = k33_and_prism()[0].edges().tolist()
    copies = [*k33, *[(a + 6, b + 6) for a, b in k33], *[(a, a + 6) for a in range(6)]]
    return circulant(12, (1, 3)), Graph.from_edges(12, copies)


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


def bowtie() -> Graph:
    """Two triangles that share vertex 0: the counterexample to the printed DFS rule.

    >>> bowtie().degrees.tolist()
    [4, 2, 2, 2, 2]
    """
    return Graph.from_edges(5, [(0, 1), (0, 2), (1, 2), (0, 3), (0, 4), (3, 4)])


def biplane() -> Graph:
    """The incidence graph of a biplane on 16 points, from a difference set in Z2 x Z8; distance-regular, 32 vertices.

    2-FWL and BFC see nothing of a pair but its distance; the shortest-path graphs of pairs at distance 3 are of two kinds.

    >>> set(biplane().degrees.tolist())
    {6}
    """
    return _development((2, 8), ((0, 0), (0, 1), (0, 2), (0, 4), (1, 1), (1, 6)))


def two_biplanes() -> GraphPair:
    """The incidence graphs of two biplanes on 16 points: no search here tells them apart.

    Both are bipartite, so every ego shortest-path graph without limit is the whole graph.
    """
    return _development((4, 4), ((0, 0), (0, 1), (0, 2), (1, 0), (2, 1), (3, 2))), biplane()


def _development(group: tuple[int, int], difference_set: tuple[tuple[int, int], ...]) -> Graph:
    """Points and blocks of a symmetric design: point x is on block y if y - x is in the difference set."""
    rows, columns = group
    size = rows * columns
    edges = [
        (columns * i + j, size + columns * ((i + a) % rows) + (j + b) % columns)
        for i in range(rows)
        for j in range(columns)
        for a, b in difference_set
    ]
    return Graph.from_edges(2 * size, edges)


def one_sided() -> Graph:
    """A three-regular vertex-transitive graph on 20 vertices where equal λ_v(u) do not mean equal λ_u(v).

    A Cayley graph of the affine group of the field with five elements.
    """
    return Graph.from_graph6("SKOGCCS?a?_C_?AAc?_C@G@?S???_gACO")


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
    NamedPair("biplanes", "incidence graphs of two biplanes: nothing here", two_biplanes),
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

"""Regular graphs, on which colours have the least to go by: rook's graphs, circulants, biplanes."""

from __future__ import annotations

from lvc.graph import Graph

GraphPair = tuple[Graph, Graph]


def circulant(n: int, steps: tuple[int, ...]) -> Graph:
    """Vertices on a circle, each joined to those so many ``steps`` away.

    >>> circulant(4, (1,)).edges().tolist()
    [[0, 1], [0, 3], [1, 2], [2, 3]]
    """
    return Graph.from_edges(n, sorted({tuple(sorted((i, (i + s) % n))) for i in range(n) for s in steps}))


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

    >>> tailed(circulant(3, (1,)), 1).edges().tolist()
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

    All vertices have one BFC colour; from a vertex to one at distance 3, the pair colours agree across the two graphs
    and the shortest-path graphs are not isomorphic.
    """
    k33 = k33_and_prism()[0].edges().tolist()
    copies = [*k33, *[(a + 6, b + 6) for a, b in k33], *[(a, a + 6) for a in range(6)]]
    return circulant(12, (1, 3)), Graph.from_edges(12, copies)


def biplane() -> Graph:
    """The incidence graph of a biplane on 16 points, from a difference set in Z2 x Z8; distance-regular, 32 vertices.

    2-FWL and BFC see nothing of a pair but its distance; shortest-path graphs at distance 3 are of two kinds.

    >>> set(biplane().degrees.tolist())
    {6}
    """
    return _development((2, 8), ((0, 0), (0, 1), (0, 2), (0, 4), (1, 1), (1, 6)))


def two_biplanes() -> GraphPair:
    """The incidence graphs of two biplanes on 16 points: three nested picks tell them apart, and nothing less does.

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


def k33_and_prism() -> GraphPair:
    """The two three-regular graphs on six vertices: different ego shortest-path graphs at radius 2, one 1-WL colour.

    The smallest pair for what the paper's figure of ESPGs shows.

    >>> from lvc import ego_shortest_path_graph
    >>> [len(ego_shortest_path_graph(graph, 0, 2)) for graph in k33_and_prism()]
    [9, 7]
    """
    k33 = Graph.from_edges(6, [(a, b) for a in range(3) for b in range(3, 6)])
    return k33, Graph.from_edges(6, [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5), (0, 3), (1, 4), (2, 5)])

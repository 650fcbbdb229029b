"""Claims about what DFC's colours know of cut vertices, bridges, cycles and biconnectivity."""

from __future__ import annotations

from collections.abc import Callable

from lvc.colouring.compare import distinguishes
from lvc.colouring.reveal import bridges, cut_vertices, is_biconnected, is_edge_biconnected, vertices_on_cycles
from lvc.expressivity.claims.claim import Claim, Effort, Verdict, failed, held
from lvc.expressivity.claims.same import Item, Violation, flat, histograms, implication, vertices_of, whole
from lvc.expressivity.claims.tried import colours, everything
from lvc.expressivity.named import joined_cycles
from lvc.graph import Graph

LEMMA = "Lemma dfcbiconnectivity, section 4.3"


def _vertices(search: str, special: Callable[[Graph], list[int]], word: str) -> Callable[[Effort], Verdict]:
    """Equal colours, then both or neither ``special``."""

    def check(effort: Effort) -> Verdict:
        graphs = everything(effort)
        then = [v in chosen for graph in graphs for chosen in [set(special(graph))] for v in range(graph.n)]

        def explain(violation: Violation) -> str:
            first, second = violation.first.vertices[0], violation.second.vertices[0]
            return f"{search} gives vertices {first} and {second} one colour, and only one of them is {word}"

        given = flat(colours(graphs, search))
        return implication(graphs, effort, vertices_of(graphs), given, then, "vertices", explain)

    return check


def _edges(search: str) -> Callable[[Effort], Verdict]:
    """Edges with equal colours at their ends, then both or neither a bridge."""

    def check(effort: Effort) -> Verdict:
        graphs = everything(effort)
        items, given, then = [], [], []
        for g, (graph, vertex) in enumerate(zip(graphs, colours(graphs, search), strict=True)):
            cut = set(bridges(graph))
            for u, v in graph.edges().tolist():
                items.append(Item(g, (u, v)))
                given.append(tuple(sorted((vertex[u], vertex[v]))))
                then.append((u, v) in cut)

        def explain(violation: Violation) -> str:
            first, second = violation.first.vertices, violation.second.vertices
            return (
                f"edges {first} and {second} have equal colours at their ends under {search}, and only one is a bridge"
            )

        return implication(graphs, effort, items, given, then, "edges", explain)

    return check


def _graphs(search: str, special: Callable[[Graph], bool], word: str) -> Callable[[Effort], Verdict]:
    """Graphs not told apart, then both or neither ``special``."""

    def check(effort: Effort) -> Verdict:
        graphs = everything(effort)
        given, then = histograms(colours(graphs, search)), [special(graph) for graph in graphs]
        return implication(
            graphs,
            effort,
            whole(graphs),
            given,
            then,
            "graphs",
            lambda _: f"{search} does not tell them apart; one is {word}",
        )

    return check


def _wl_misses(effort: Effort) -> Verdict:
    first, second = joined_cycles(1)
    if distinguishes(first, second, "wl") or bridges(second) or not bridges(first):
        return failed(1, "one pair", "1-WL tells the pair apart", [first, second])
    return held(
        1,
        "one pair",
        "only the first graph has a bridge, and 1-WL does not tell them apart",
        [first, second],
        [(0, 3), (0, 3)],
    )


def _local(effort: Effort) -> Verdict:
    tried = "one pair for each of δ = 1, 2, 3, 4"
    for radius in (1, 2, 3, 4):
        first, second = joined_cycles(radius + 1)
        if distinguishes(first, second, f"dfs:{radius}") or bridges(second) or not bridges(first):
            return held(radius, tried)
    first, second = joined_cycles(2)
    because = "DFC-1 does not tell them apart; only the first has a bridge and cut vertices"
    return failed(4, tried, because, [first, second], [(0, 5), (0, 5)])


CLAIMS = (
    Claim(
        "cut-vertices",
        LEMMA,
        "Vertices with one stable DFC colour are both cut vertices or both not.",
        "DFC without limit, all graphs refined together",
        _vertices("dfs:inf", cut_vertices, "a cut vertex"),
    ),
    Claim(
        "cut-edges",
        LEMMA,
        "Edges with equal stable DFC colours at their ends are both bridges or both not.",
        "DFC without limit, all graphs refined together",
        _edges("dfs:inf"),
    ),
    Claim(
        "vertex-biconnected",
        LEMMA,
        "A vertex-biconnected graph and one that is not have different multisets of DFC colours.",
        "DFC without limit, all graphs refined together",
        _graphs("dfs:inf", is_biconnected, "biconnected"),
    ),
    Claim(
        "edge-biconnected",
        LEMMA,
        "An edge-biconnected graph and one that is not have different multisets of DFC colours.",
        "DFC without limit, all graphs refined together",
        _graphs("dfs:inf", is_edge_biconnected, "edge-biconnected"),
    ),
    Claim(
        "cycles",
        "Corollary vertexinbiconnectedcomponent, section 4.3",
        "Of two vertices with one stable DFC colour both lie on a cycle or neither does.",
        "DFC without limit, all graphs refined together",
        _vertices("dfs:inf", vertices_on_cycles, "on a cycle"),
    ),
    Claim(
        "biconnectivity-local",
        LEMMA,
        "The statements of the lemma also for DFC-δ, whose searches see a ball only.",
        "two cycles of length 2δ+3 joined by an edge, and one of length 4δ+6 with a long chord, δ = 1 to 4",
        _local,
        reading=True,
    ),
    Claim(
        "wl-misses-bridges",
        "Sections 1 and 4.3",
        "1-WL, and with it message passing, does not know whether a graph is biconnected.",
        "the smallest connected pair",
        _wl_misses,
    ),
)

"""Claims about the network: what SGN as printed can tell apart, over all weights at once."""

from __future__ import annotations

from collections.abc import Callable

from lvc.colouring.compare import distinguishes
from lvc.expressivity.claims.claim import Claim, Effort, Verdict, failed, held
from lvc.expressivity.claims.same import flat, histograms, implication, vertices_of, whole
from lvc.expressivity.claims.tried import Graphs, colours, every_graph, named
from lvc.expressivity.network_bound import network_classes, network_tells_apart
from lvc.expressivity.regular import rook_three_and_rewired

THEOREM = "Theorem lvcgnn, section 5"
LAYERS = 8
SEARCHES = ("bfs:2", "bfs:inf", "dfs:1")


def _graphs(effort: Effort) -> Graphs:
    """Small and named graphs: formal sums grow with the graph."""
    return (*every_graph(effort), *(graph for graph in named() if graph.n <= 10))


def _no_more(effort: Effort) -> Verdict:
    graphs = _graphs(effort)
    verdict = held(0, "")
    for search in SEARCHES:
        given, then = flat(colours(graphs, search)), flat(network_classes(graphs, search, layers=3))
        verdict = implication(
            graphs, effort, vertices_of(graphs), given, then, f"vertices, {search}", lambda _: "SGN tells them apart"
        )
        if not verdict.holds:
            return verdict
    return verdict


def _as_powerful(effort: Effort) -> Verdict:
    first, second = rook_three_and_rewired()
    tried = f"one pair, formal sums of {LAYERS} layers; radius 2 to 4 and without limit"
    if not distinguishes(first, second, "bfs:2"):
        return held(1, tried)
    if any(network_tells_apart(first, second, f"bfs:{r}", LAYERS) for r in (2, 3, 4, "inf")):
        return held(1, tried)
    because = (
        "BFC-2 sees how many shortest paths lead to each vertex and tells the graphs apart; SGN-BF adds the path "
        "counts up, 8 over 4 vertices in both graphs, so all vertices of both get one vector, whatever the weights"
    )
    return failed(1, tried, because, [first, second], [(0,), (0,)])


def _all_small(search: str) -> Callable[[Effort], Verdict]:
    """Graphs that the network leaves together after many layers, then LVC does too."""

    def check(effort: Effort) -> Verdict:
        graphs = every_graph(effort)
        given = histograms(network_classes(graphs, search, layers=5))
        then = histograms(colours(graphs, search))
        because = f"{search} tells them apart, and no SGN with 5 layers does"
        return implication(graphs, effort, whole(graphs), given, then, "graphs", lambda _: because)

    return check


CLAIMS = (
    Claim(
        "sgn-bounded",
        THEOREM,
        "SGN never tells vertices apart that LVC with the same search does not.",
        "formal sums over all weights, 3 layers, BFS radius 2 and without limit, DFS radius 1",
        _no_more,
        reading=True,
    ),
    Claim(
        "sgn-as-lvc",
        THEOREM,
        "SGN with the printed update rule and enough layers is as powerful as LVC.",
        "formal sums over all weights: where they agree, no weights tell the vertices apart",
        _as_powerful,
    ),
    Claim(
        "sgn-as-lvc-dfs-1",
        THEOREM,
        "The same for SGN-DF with radius 1 on small graphs.",
        "formal sums of 5 layers over all weights against stable DFC-1 colours, all graphs together",
        _all_small("dfs:1"),
        reading=True,
    ),
    Claim(
        "sgn-as-lvc-small",
        THEOREM,
        "The same for SGN-BF with radius 2 on small graphs.",
        "formal sums of 5 layers over all weights against stable BFC-2 colours, all graphs together",
        _all_small("bfs:2"),
        reading=True,
    ),
)

"""Claims that compare BFC and DFC with 1-WL and 3-WL."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lvc.colouring.compare import distinguishes
from lvc.colouring.reveal import cut_vertices
from lvc.expressivity.claims.claim import Claim, Effort, Verdict, failed, held
from lvc.expressivity.claims.same import flat, histograms, implication, vertices_of, whole
from lvc.expressivity.claims.tried import colours, everything
from lvc.expressivity.named import cycles, two_triangles_and_hexagon
from lvc.expressivity.printed_dfs import block_eta, printed_eta, printed_search
from lvc.expressivity.regular import (
    GraphPair,
    eight_vertices_beyond_bfc,
    rook_and_shrikhande,
    tailed_rook_and_shrikhande,
)
from lvc.graph import Graph
from lvc.search.balls import ball_sizes
from lvc.search.kinds import Search

Answers = Sequence[tuple[GraphPair, str | Search, bool]]
FIGURE = "Figure circle_examples, section 4.4"


def refines(finer: str, coarser: str, effort: Effort, by_vertex: bool = True) -> Verdict:
    """Whether what ``finer`` leaves together, ``coarser`` does too: vertices across all graphs, or whole graphs."""
    graphs = everything(effort)
    one, other = colours(graphs, finer), colours(graphs, coarser)
    because = f"{finer} leaves them together and {coarser} does not"
    if by_vertex:
        return implication(graphs, effort, vertices_of(graphs), flat(one), flat(other), "vertices", lambda _: because)
    return implication(graphs, effort, whole(graphs), histograms(one), histograms(other), "graphs", lambda _: because)


def at_least(pairs: Sequence[tuple[str, str]], by_vertex: bool = True) -> Callable[[Effort], Verdict]:
    """Every first search refines its second; the first failure, or the last verdict with all searches counted."""

    def check(effort: Effort) -> Verdict:
        cases = 0
        for finer, coarser in pairs:
            verdict = refines(finer, coarser, effort, by_vertex)
            cases += verdict.cases
            if not verdict.holds:
                return verdict
        return held(cases, f"{verdict.tried}; {len(pairs)} comparisons")

    return check


def told_apart(answers: Callable[[], Answers], because: str = "") -> Callable[[Effort], Verdict]:
    """Each pair is told apart by its search, or is not, as expected; the last pair is the one to show."""

    def check(effort: Effort) -> Verdict:
        expected = answers()
        tried = f"{len(expected)} comparisons of {len({pair for pair, _, _ in expected})} pairs"
        for done, ((first, second), search, answer) in enumerate(expected, 1):
            if distinguishes(first, second, search) != answer:
                verb = "does not tell" if answer else "tells"
                return failed(done, tried, f"{search} {verb} this pair apart", [first, second])
        return held(len(expected), tried, because, expected[-1][0])

    return check


def _strict_over_wl() -> Answers:
    pair = two_triangles_and_hexagon()
    return [(pair, "wl", False), (pair, "dfs:1", True)]


def _eta_sizes(effort: Effort) -> Verdict:
    pair = two_triangles_and_hexagon()
    sizes = [{len(members) for eta in block_eta(graph, 1) for members in eta.values()} for graph in pair]
    printed = [{len(m) for v in range(6) for m in printed_eta(graph, v, radius=1).values()} for graph in pair]
    tried = "every root and vertex of both graphs, radius 1, the printed rule and the block meaning"
    if sizes == printed == [{3}, {2}]:
        return held(48, tried)
    because = "η holds 3 vertices in the triangles and 1, the root, in the hexagon; the conclusion stands"
    return failed(48, tried, because, pair, [(0,), (0,)])


def _every_radius(kind: str, pair: GraphPair, first: int) -> Answers:
    return [(pair, "wl", False), *[(pair, f"{kind}:{r}", True) for r in [*range(first, 9), "inf"]]]


def _left() -> Answers:
    pair = cycles(1)
    return [(pair, "bfs:2", True), (pair, "dfs:1", True), (pair, "bfs:1", False), (pair, "wl", False)]


def _right() -> Answers:
    pair = cycles(2)
    apart: Answers = [(pair, "bfs:3", True), (pair, "dfs:2", True)]
    return [*apart, *[(pair, search, False) for search in ("bfs:2", "dfs:1", "wl")]]


def _beyond_bfc() -> Answers:
    pair = eight_vertices_beyond_bfc()
    return [(pair, "fwl2", True), *[(pair, f"bfs:{r}", False) for r in [*range(1, 8), "inf"]]]


def _rook() -> Answers:
    return [(rook_and_shrikhande(), "fwl2", False), (rook_and_shrikhande(), "dfs:1", True)]


def _rook_printed(effort: Effort) -> Verdict:
    pair = rook_and_shrikhande()
    balls = [set(ball_sizes(graph, 1).tolist()) for graph in pair]
    etas = [{len(m) for v in range(16) for m in printed_eta(graph, v, radius=1).values()} for graph in pair]
    if balls == etas == [{7}, {7}] and not distinguishes(*pair, printed_search(1)):
        because = (
            "two triangles' blocks that share the root are merged by the third condition, so η is the whole ball of 7 "
            "vertices in both graphs, in every order"
        )
        return failed(1, "the pair, every root", because, pair, [(0,), (0,)])
    return held(1, "the pair, every root")


def _rook_cut_vertex(effort: Effort) -> Verdict:
    rook, shrikhande = rook_and_shrikhande()
    cuts = [[cut_vertices(_closed(graph, v)) for v in range(16)] for graph in (rook, shrikhande)]
    tried = "the 16 closed neighbourhoods of each graph"
    if cuts[0] == [[0]] * 16 and cuts[1] == [[]] * 16:
        return held(32, tried, "the cut vertex is the root itself", [rook, shrikhande], [(0,), (0,)])
    return failed(32, tried, "a neighbourhood is otherwise", [rook, shrikhande])


def _closed(graph: Graph, v: int) -> Graph:
    """The subgraph on v and its neighbours, v first."""
    return graph.induced([v, *graph.neighbours(v).tolist()])


def _incomparable() -> Answers:
    found: list[tuple[GraphPair, str | Search, bool]] = []
    for radius in (1, 2, 3):
        for pair, apart in ((cycles(radius + 1), False), (tailed_rook_and_shrikhande(radius), True)):
            found += [(pair, f"dfs:{radius}", apart), (pair, "fwl2", not apart)]
    return found


CLAIMS = (
    Claim(
        "bfc-1-wl",
        "Lemma 1wlequal, section 4.4",
        "BFC-1 and 1-WL make the same partition.",
        "vertices of all graphs refined together, each refines the other",
        at_least([("bfs:1", "wl"), ("wl", "bfs:1")]),
    ),
    Claim(
        "dfc-1-wl",
        "Lemma dfc1wl, section 4.4",
        "DFC-1 tells apart whatever 1-WL does.",
        "vertices of all graphs refined together",
        at_least([("dfs:1", "wl")]),
    ),
    Claim(
        "dfc-1-wl-strict",
        "Lemma dfc1wl, section 4.4",
        "DFC-1 tells graphs apart that 1-WL does not.",
        "two triangles and a hexagon",
        told_apart(_strict_over_wl),
    ),
    Claim(
        "dfc-1-eta-sizes",
        "Proof of lemma dfc1wl, appendix",
        "At δ = 1, η_dfc has 3 vertices everywhere in two triangles and 2 everywhere in the hexagon.",
        "both rules for η",
        _eta_sizes,
    ),
    Claim(
        "dfc-2-wl",
        "Lemma dfc1wl, section 4.4",
        "Also DFC-2 tells apart whatever 1-WL does.",
        "whole graphs, all refined together",
        at_least([("dfs:2", "wl")], by_vertex=False),
        reading=True,
    ),
    Claim(
        "bfc-beyond-wl",
        "Corollary bfc_distinguish, section 4.4",
        "For every δ > 1, BFC-δ tells graphs apart that 1-WL does not.",
        "two triangles and a hexagon, δ = 2 to 8 and without limit",
        told_apart(lambda: _every_radius("bfs", cycles(1), 2)),
    ),
    Claim(
        "dfc-beyond-wl",
        "Corollary dfc_distinguish, section 4.4",
        "For every δ ≥ 1, DFC-δ tells graphs apart that 1-WL does not.",
        "both pairs of circles, δ = 1 (2 for the right pair) to 8 and without limit",
        told_apart(lambda: [*_every_radius("dfs", cycles(2), 2), *_every_radius("dfs", cycles(1), 1)]),
    ),
    Claim(
        "circles-left",
        FIGURE,
        "Two triangles and a hexagon: told apart by BFC-2 and DFC-1, not by BFC-1 and 1-WL.",
        "the pair",
        told_apart(_left),
    ),
    Claim(
        "circles-right",
        FIGURE,
        "Two 5-cycles and a 10-cycle: told apart by BFC-3 and DFC-2, not by BFC-2, DFC-1 and 1-WL.",
        "the pair",
        told_apart(_right),
    ),
    Claim(
        "bfc-3wl",
        "Theorem bfc3wl, section 4.4",
        "3-WL tells apart whatever BFC-δ does.",
        "vertices of all graphs, 2-FWL against BFC-1, 2, 3 and without limit",
        at_least([("fwl2", f"bfs:{r}") for r in (1, 2, 3, "inf")]),
    ),
    Claim(
        "bfc-3wl-strict",
        "Theorem bfc3wl, section 4.4, and figure bfc3wl, appendix",
        "3-WL tells graphs apart that BFC does not, whatever its radius.",
        "the smallest pair, found among all graphs with up to 8 vertices, under BFC-1 to 7 and without limit",
        told_apart(_beyond_bfc),
    ),
    Claim(
        "rook",
        "Figure rook_shrikhande, section 4.4",
        "DFC-1 tells the 4x4 rook's graph and the Shrikhande graph apart, 3-WL does not.",
        "the pair, with the block meaning of η",
        told_apart(_rook),
    ),
    Claim(
        "rook-printed",
        "Figure rook_shrikhande, section 4.4",
        "DFC-1 with the printed η tells the rook's graph and the Shrikhande graph apart.",
        "the pair, with the printed η",
        _rook_printed,
    ),
    Claim(
        "rook-cut-vertices",
        "Section 4.4",
        "In the rook's graph every vertex with its neighbours has a cut vertex, in the Shrikhande graph none has.",
        "all 16 neighbourhoods of both",
        _rook_cut_vertex,
    ),
    Claim(
        "dfc-3wl",
        "Theorem dfc3wl, section 4.4",
        "Each of DFC-δ and 3-WL tells graphs apart that the other does not.",
        "δ = 1, 2, 3: two circles and one circle; rook's graph and Shrikhande graph, with tails of δ - 1 vertices",
        told_apart(_incomparable),
    ),
    Claim(
        "dfc-inf-3wl",
        "Theorem dfc3wl, section 4.4",
        "Without a limit on the radius they are comparable: 3-WL tells apart whatever DFC does.",
        "vertices of all graphs, 2-FWL against DFC without limit",
        at_least([("fwl2", "dfs:inf")]),
        reading=True,
    ),
)

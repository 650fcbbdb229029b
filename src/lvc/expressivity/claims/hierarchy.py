"""Claims about larger radii, about single rounds, and about when a colouring is stable."""

from __future__ import annotations

from functools import partial
from itertools import pairwise

from lvc.colouring.refinement import refinement
from lvc.expressivity.claims.claim import Claim, Effort, Verdict, failed, held
from lvc.expressivity.claims.power import Answers, at_least, told_apart
from lvc.expressivity.claims.same import Violation, flat, implication, vertices_of
from lvc.expressivity.claims.tried import colours, everything, in_words
from lvc.expressivity.named import cycles, square_and_diamond, tailed_square_and_diamond
from lvc.expressivity.regular import GraphPair
from lvc.search.kinds import Search
from lvc.search.parsing import parse_search

HIERARCHY = "Theorem bfcexpressitybeyond, section 4.4"
NO_HIERARCHY = "Theorem dfcexpressitynotbeyond and figure dfc_expressity_delta, section 4.4"
RADII = ("1", "2", "3", "4", "inf")


def _each_round(effort: Effort) -> Verdict:
    graphs = everything(effort)
    cases = 0
    for rounds in (1, 2, 3):
        for small, large in pairwise(RADII[:-1]):
            one, other = (flat(colours(graphs, f"bfs:{radius}", rounds)) for radius in (large, small))
            explain = partial(_after_round, rounds, small, large)
            verdict = implication(graphs, effort, vertices_of(graphs), one, other, "vertices", explain)
            cases += verdict.cases
            if not verdict.holds:
                return verdict
    return held(cases, in_words(graphs, effort))


def _after_round(rounds: int, small: str, large: str, violation: Violation) -> str:
    return f"after round {rounds}, BFC-{large} gives them one colour and BFC-{small} does not"


def _family() -> Answers:
    answers: list[tuple[GraphPair, str | Search, bool]] = []
    for r in range(1, 9):
        answers += [(cycles(r), f"bfs:{r}", False), (cycles(r), f"bfs:{r + 1}", True)]
    return answers


def _only_smaller(pair: GraphPair, radius: int) -> Answers:
    return [(pair, f"dfs:{radius}", True), (pair, f"dfs:{radius + 1}", False)]


def _stands_still(effort: Effort) -> Verdict:
    """A round that does not refine the vertices, followed by one that does."""
    graphs = everything(effort)
    tried = f"BFC and DFC, radius 2, 3 and without limit, on {in_words(graphs, effort)}"
    cases = 0
    for graph in graphs:
        for search in ("bfs:2", "bfs:3", "bfs:inf", "dfs:2", "dfs:3", "dfs:inf"):
            cases += 1
            classes = [len(set(vertex.tolist())) for vertex in refinement([graph], parse_search(search))]
            still = [i for i in range(1, len(classes)) if classes[i] == classes[i - 1] < classes[-1]]
            if still:
                because = f"under {search} the rounds show {', '.join(map(str, classes))} vertex colours"
                return failed(cases, tried, because, [graph])
    return held(cases, tried)


CLAIMS = (
    Claim(
        "stable-by-vertices",
        "Section 2",
        "A colouring is stable once a round does not refine the vertex partition.",
        "number of vertex colours round by round; stable here means that neither vertices nor pairs refine",
        _stands_still,
    ),
    Claim(
        "bfc-hierarchy",
        "Lemma expressityequal, appendix",
        "BFC-(δ+1) tells apart whatever BFC-δ does.",
        "stable vertex colours of all graphs, δ = 1, 2, 3, 4 against the next and without limit",
        at_least([(f"bfs:{large}", f"bfs:{small}") for small, large in pairwise(RADII)]),
    ),
    Claim(
        "bfc-hierarchy-each-round",
        "Proof of lemma expressityequal, appendix",
        "After every single round, vertices with one colour under BFC-(δ+1) have one colour under BFC-δ.",
        "vertex colours after rounds 1, 2 and 3, δ = 1, 2, 3",
        _each_round,
    ),
    Claim(
        "bfc-hierarchy-strict",
        HIERARCHY,
        "BFC-(δ+1) tells two cycles of length 2δ+1 and one of length 4δ+2 apart, BFC-δ does not.",
        "δ = 1 to 8",
        told_apart(_family),
    ),
    Claim(
        "dfc-1-not-2",
        NO_HIERARCHY,
        "Some graphs are told apart by DFC-1 and not by DFC-2.",
        "the smallest pair, found among all graphs with up to 7 vertices",
        told_apart(lambda: _only_smaller(square_and_diamond(), 1)),
    ),
    Claim(
        "dfc-2-not-3",
        NO_HIERARCHY,
        "Some graphs are told apart by DFC-2 and not by DFC-3.",
        "the smallest pair, found among all graphs with up to 7 vertices",
        told_apart(lambda: _only_smaller(tailed_square_and_diamond(), 2)),
    ),
)

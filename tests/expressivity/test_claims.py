"""The report: every verdict written out, and every way to show it."""

import json
import re
from pathlib import Path

import pytest

from lvc import Graph, LvcError
from lvc.expressivity.claims import CLAIMS, EFFORTS, claims_markdown, run_claims, summary, to_json, to_text

FAILS = {
    "wl-eta", "wl-eta-local", "wl-eta-disconnected", "bfs-eta-printed", "dfs-eta-printed", "dfc-invariant-printed",
    "back-edge-cover", "spg-if", "spg-if-held", "spg-only-if", "spg-swap", "spg-swap-held", "spg-fwl2", "espg-if",
    "espg-if-held", "espg-only-if", "espg-3wl", "biconnectivity-local", "dfc-1-eta-sizes", "dfc-2-wl", "rook-printed",
    "stable-by-vertices", "bfc-hierarchy-each-round", "sgn-as-lvc",
}  # fmt: skip
PAGE = Path(__file__).parents[2] / "docs" / "claims.md"


@pytest.fixture(scope="module")
def results():
    return run_claims("quick")


def test_verdicts(results):
    assert {result.claim.id for result in results if not result.verdict.holds} == FAILS
    assert len(results) == len(CLAIMS) == 68


def test_every_failure_shows_why(results):
    for result in results:
        verdict = result.verdict
        assert verdict.cases > 0
        assert verdict.tried
        assert len(verdict.marked) == len(verdict.graphs)
        for graph, marked in zip(verdict.graphs, verdict.marked, strict=True):
            assert all(0 <= v < graph.n for v in marked)
        if not verdict.holds:
            assert verdict.because
            assert verdict.graphs


def test_every_statement_is_about_the_paper():
    assert all(claim.where and claim.statement.endswith(".") and claim.how for claim in CLAIMS.values())
    assert any(claim.reading for claim in CLAIMS.values())


def test_json_reads_back(results):
    rows = json.loads(to_json(results))
    assert [row["id"] for row in rows] == list(CLAIMS)
    bowtie = next(row for row in rows if row["id"] == "dfs-eta-printed")
    assert bowtie["verdict"] == "fails"
    assert Graph.from_graph6(bowtie["graphs"][0]).m == 6
    assert bowtie["command"] == "lvc claims --only dfs-eta-printed"


def test_text_and_page_name_every_claim(results):
    text, page = to_text(results), claims_markdown(results)
    for claim in CLAIMS:
        assert f" {claim} " in text
        assert f"## {claim}\n" in page
        assert f"`lvc claims --only {claim}`" in page
    assert summary(results) in text


def test_the_committed_page_has_these_verdicts():
    rows = re.findall(r"^\| \[([\w-]+)\].*\| \**(\w+)\** \|$", PAGE.read_text(encoding="utf8"), re.MULTILINE)
    assert {name for name, _ in rows} == set(CLAIMS)
    assert {name for name, word in rows if word == "fails"} == FAILS
    assert f"up to {EFFORTS['full'].largest} vertices" in PAGE.read_text(encoding="utf8")


def test_progress_and_choice():
    seen: list[str] = []
    run_claims("quick", only=["rook", "circles-left"], progress=lambda result: seen.append(result.claim.id))
    assert seen == ["circles-left", "rook"]  # in the paper's order


def test_unknown_names():
    with pytest.raises(LvcError, match="unknown claim 'rok'; use some of wl-eta"):
        run_claims("quick", only=["rok"])
    with pytest.raises(LvcError, match="unknown effort 'half'; use one of quick, full"):
        run_claims("half")


def test_effort_matters():
    (quick,), (full,) = (run_claims(effort, only=["bfc-1-wl"]) for effort in ("quick", "full"))
    assert quick.verdict.cases < full.verdict.cases


@pytest.mark.slow
def test_the_full_report_has_the_same_verdicts():
    assert {result.claim.id for result in run_claims("full") if not result.verdict.holds} == FAILS

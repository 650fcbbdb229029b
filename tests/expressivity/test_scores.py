import json
import os
import subprocess
import sys
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

import lvc
from lvc import Graph, LvcError, distinguishes, parse_search
from lvc.cli.expressivity import SEARCHES
from lvc.expressivity import scores
from lvc.expressivity.families import FAMILIES, brec, csl, csl_graphs, cycle_family, exp, family_called, small
from lvc.expressivity.regular import two_biplanes
from lvc.expressivity.scores import Score, copies_told_apart, pareto, score, scores_table
from lvc.expressivity.smallest import all_graphs, told_apart_by
from lvc.processes import side_by_side

SIZES = {
    "Basic": 60,
    "Simple Regular": 50,
    "Strongly Regular": 50,
    "Extension": 100,
    "CFI": 100,
    "4-Vertex Condition": 20,
    "Distance Regular": 20,
}


def lvc_command(*arguments):
    command = [sys.executable, "-m", "lvc.cli", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_brec_has_its_categories(real_data):
    found = brec()
    assert {category.name: len(category.pairs) for category in found} == SIZES
    assert score("brec", found, "wl").told_apart == 0


@pytest.mark.compiled
def test_brec_by_3wl_is_what_was_published(real_data):
    every = {category.name: category for category in brec()}
    few = [every[name]._replace(pairs=every[name].pairs[:10]) for name in ("Basic", "Strongly Regular", "Extension")]
    found = score("brec", few, "fwl2")
    assert [part.told_apart for part in found.categories] == [10, 0, 10]
    assert score("brec", few, "nest:1(bfs:2)").categories[1].told_apart == 10


def test_exp_is_pairs_with_one_1wl_colouring(real_data):
    (category,) = exp()
    assert len(category.pairs) == 600
    first, second = category.pairs[0]
    assert (first.n, second.n) == (59, 59)
    assert first.labels is not None
    assert set(first.labels) == {0, 1}
    assert not any(distinguishes(*pair, "wl") for pair in category.pairs[:50])


def test_csl():
    (category,) = csl()
    assert len(category.pairs) == 45
    assert score("csl", [category], "wl").told_apart == 0
    graphs = csl_graphs()
    assert len(graphs) == 150
    groups = told_apart_by(graphs, "bfs:inf")
    assert [len(group) for group in groups] == [15] * 10
    assert [graphs.index(group[0]) for group in groups] == list(range(0, 150, 15))


def test_a_radius_reaches_so_many_cycles():
    for radius in (1, 2, 4):
        assert score("cycles", cycle_family(6), f"bfs:{radius}").categories[0].which == tuple(range(radius - 1))


def test_small_pairs_are_those_that_wl_confuses():
    assert [(part.name, len(part.pairs)) for part in small(6)] == [("6 vertices", 3)]
    first, second = small(6)[0].pairs[0]
    assert not nx.is_isomorphic(first.to_networkx(), second.to_networkx())


def test_what_needs_data_says_so(monkeypatch):
    monkeypatch.delenv("LVC_DATA", raising=False)
    with pytest.raises(LvcError, match="set LVC_DATA to a folder that has BREC"):
        brec()
    with pytest.raises(LvcError, match="unknown family 'x'; use one of brec, exp"):
        family_called("x")


def test_processes_change_nothing_but_the_time():
    alone = score("cycles", cycle_family(4), "levels:2")
    shared = score("cycles", cycle_family(4), "levels:2", jobs=2)
    assert [(part.name, part.which) for part in alone.categories] == [
        (part.name, part.which) for part in shared.categories
    ]


REGULAR = [nx.random_regular_graph(3, 12, seed=seed) for seed in range(3)]


@pytest.mark.parametrize("search", ["bfs:2+dfs:1", "levels:2", "nest:2(bfs:2)", "pick:inf(pick:inf(wl))", "fwl2"])
def test_copies_are_never_told_apart(search):
    graphs = [*map(Graph.from_networkx, REGULAR), Graph.from_edges(0, []), Graph.from_edges(4, [(0, 1)])]
    assert copies_told_apart(graphs, search, copies=6) == []


def test_a_search_that_depends_on_the_numbering_is_found_out(monkeypatch):
    class ByOrder:
        def __init__(self, graph):
            self.vertex = np.array([graph.has_edge(0, v) for v in range(1, graph.n)])

    monkeypatch.setattr(scores, "colour_jointly", lambda graphs, search: [ByOrder(graph) for graph in graphs])
    assert copies_told_apart([Graph.from_edges(5, [(0, 1)])], "wl", copies=8) == [0]


@pytest.mark.parametrize(
    ("weaker", "stronger"),
    [
        *pairwise(["wl", "bfs:2", "bfs:3", "levels:3", "fwl2"]),
        *pairwise(["wl", "levels:1", "levels:2", "levels:inf", "fwl2"]),
        *pairwise(["wl", "nest:1(wl)", "nest:2(wl)", "nest:inf(wl)", "fwl2"]),
        *pairwise(["wl", "pick:inf(wl)", "pick:inf(pick:inf(wl))"]),
        ("pick:inf(wl)", "nest:inf(wl)"),
        ("bfs:2", "nest:1(bfs:2)"),
        ("dfs:1", "pick:1(dfs:1)"),
        ("dfs:2", "dfs:2+levels:1"),
    ],
)
def test_where_searches_stand_on_all_graphs_up_to_seven_vertices(weaker, stronger):
    """What the stronger search does not tell apart, the weaker does not either."""
    for n in range(1, 8):
        for group in told_apart_by(all_graphs(n), stronger):
            assert len(told_apart_by(group, weaker)) == 1


@pytest.mark.compiled
def test_three_picks_tell_biplanes_apart():
    pair = two_biplanes()
    assert not any(distinguishes(*pair, search) for search in ("fwl2", "nest:2(bfs:2)", "pick:inf(pick:inf(wl))"))
    assert distinguishes(*pair, "pick:inf(pick:inf(pick:inf(wl)))")


def test_pareto_front_and_table():
    found = [score("cycles", cycle_family(4), search) for search in ("bfs:3", "wl")]
    slow, fast = (
        Score(one.family, one.search, tuple(replaced(part, seconds) for part in one.categories))
        for one, seconds in zip(found, (0.4, 0.1), strict=True)
    )
    assert [one.search for one in pareto([slow, fast])] == ["wl", "bfs:3"]
    assert scores_table([fast, slow]).splitlines() == [
        "search  cycles 4  ms a pair  slowest s  front",
        "wl             0         25       0.05      *",
        "bfs:3          2        100       0.05      *",
    ]
    assert (
        scores_table([fast], markdown=True).splitlines()[1] == "| ------ | -------: | --------: | --------: | ----: |"
    )
    assert Score.from_json(json.dumps(asdict(slow))) == slow


def replaced(part, seconds):
    return scores.CategoryScore(part.name, part.pairs, part.which, seconds, 0.05)


def test_lvc_brec(tmp_path):
    out, picture = tmp_path / "scores.jsonl", tmp_path / "scores.png"
    arguments = ["brec", "--family", "cycles", "-s", "wl", "-s", "BFS:3", "--jobs", 1, "--out", out]
    first = lvc_command(*arguments, "--check", 2, "--draw", picture, "--pictures", tmp_path / "pairs")
    assert first.returncode == 0, first.stderr
    assert "bfs:3" in first.stdout
    assert "20 graphs, 2 renumbered copies each, none told apart" in first.stdout
    assert picture.stat().st_size > 10_000
    assert f"cycles: told apart by bfs:3, {tmp_path / 'pairs' / 'cycles.png'}" in first.stdout
    assert (tmp_path / "pairs" / "cycles.png").stat().st_size > 10_000
    before = out.read_text()
    rows = json.loads(lvc_command(*arguments, "--json").stdout)  # nothing is measured again
    assert out.read_text() == before
    assert [(row["search"], row["told_apart"], row["pairs"]) for row in rows] == [("wl", 0, 10), ("bfs:3", 2, 10)]
    out.write_text(before + "{}\n")
    broken = lvc_command(*arguments)
    assert broken.returncode == 2
    assert "line 3: this is no line of `lvc brec --out`" in broken.stderr


def test_the_page_shows_the_committed_lines():
    root = Path(__file__).parents[2]
    known = {}
    for line in (root / "results" / "brec.jsonl").read_text(encoding="utf-8").splitlines():
        one = Score.from_json(line)
        known[one.family, one.search] = one
    page = (root / "docs" / "expressivity.md").read_text(encoding="utf-8")
    table = scores_table([known["brec", str(parse_search(text))] for text in SEARCHES], markdown=True)
    assert table in page
    for family in ("exp", "csl", "cycles", "small"):
        lines = [one for (where, _), one in known.items() if where == family]
        assert scores_table(lines, markdown=True) in page
    shown = lvc_command("train", "brec", "--show", "--out", root / "results" / "trained-brec.jsonl")
    assert shown.stdout.strip() in page
    learnt = lvc_command("train", "biconnectivity", "--show", "--out", root / "results" / "biconnectivity.jsonl")
    assert learnt.stdout.strip() in page
    readme = (root / "README.md").read_text(encoding="utf-8")
    for one in (known["brec", "levels:inf"], known["brec", "pick:inf(pick:inf(wl))"]):
        assert f"| `{one.search}` | {one.told_apart} | {1000 * one.a_pair:.3g} |" in readme


def test_what_does_not_fit_is_marked_and_measured_again(tmp_path):
    out = tmp_path / "scores.jsonl"
    arguments = ["brec", "--family", "cycles", "-s", "fwl2", "--jobs", 1, "--out", out]
    command = [sys.executable, "-m", "lvc.cli", *map(str, arguments)]
    little = {**os.environ, "LVC_MEMORY_GB": "0.001"}
    tight = subprocess.run(command, capture_output=True, text=True, check=True, env=little)
    assert tight.stdout.splitlines()[1].split()[:2] == ["fwl2", "6?"]
    roomy = lvc_command(*arguments)
    assert roomy.stdout.splitlines()[1].split()[:2] == ["fwl2", "10"]
    assert len(out.read_text().splitlines()) == 1


def test_bad_input_is_one_sentence(tmp_path):
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    for arguments, sentence in (
        (["--out", tmp_path / "binary"], "cannot read"),
        (["--draw", tmp_path / "x.xyz"], "xyz"),
        (["-s", "nothing"], "unknown search 'nothing'"),
    ):
        found = lvc_command("brec", "--family", "cycles", "--jobs", 1, *arguments)
        assert found.returncode == 2
        assert sentence in found.stderr
        assert "Traceback" not in found.stderr


def test_a_process_that_dies_is_an_error_and_not_a_wait():
    with pytest.raises(LvcError, match="a process ended before its work was done"):
        list(side_by_side(os.abort, [(), ()], 2, int))


def test_broken_files_are_one_sentence(tmp_path, monkeypatch):
    monkeypatch.setenv("LVC_DATA", str(tmp_path))
    (tmp_path / "BREC").mkdir()
    (tmp_path / "BREC" / "pairs.g6").write_text("A_\nA?\n")
    with pytest.raises(LvcError, match=r"cannot read .*categories.json: No such file"):
        brec()
    for text in ("{", '{"categories": {"Basic": [0, 9]}}', '{"categories": 3}'):
        (tmp_path / "BREC" / "categories.json").write_text(text)
        with pytest.raises(LvcError, match=r"categories.json is not as it should be"):
            brec()


def test_every_family_is_named():
    assert list(FAMILIES) == ["brec", "exp", "csl", "cycles", "small"]
    assert lvc.Pick(None, lvc.WL()).within == lvc.WL()

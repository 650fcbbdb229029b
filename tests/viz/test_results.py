"""Result charts and the report page."""

import json
import re
import shutil
import subprocess
import sys
from base64 import b64decode
from pathlib import Path

import pytest

from lvc import LvcError
from lvc.experiments.report import entries
from lvc.experiments.results import read_rows
from lvc.viz.report_page import report_page
from lvc.viz.results import draw_accuracies, draw_cost

pytest.importorskip("matplotlib")
ROOT = Path(__file__).parents[2]
STORED = Path(__file__).parents[1] / "experiments" / "stored"


def test_bars_have_names_and_the_paper_s_number(tmp_path):
    found = [e for e in entries(read_rows(STORED / "results.jsonl")[0]) if e["task"] == "vertex"]
    svg = draw_accuracies(found, "title", tmp_path / "a.svg").read_text()
    assert "<!-- title" in svg
    for entry in found:
        assert f"<!-- {entry['dataset']} -->" in svg
    without = draw_accuracies([{**e, "paper": None} for e in found], "title", tmp_path / "b.svg").read_text()
    assert without.count("stroke-width: 1.6") < svg.count("stroke-width: 1.6")


def test_nothing_to_draw_is_said(tmp_path):
    with pytest.raises(LvcError, match="there are no results to draw"):
        draw_accuracies([], "title", tmp_path / "a.svg")
    with pytest.raises(LvcError, match="there are no epochs and no memory"):
        draw_cost([], tmp_path / "a.svg")


def test_cost_by_radius(tmp_path):
    rows: list[dict] = [
        {"what": "epoch", "threads": 1, "graph": "Cora", "model": f"bfs:{r}", "ratio": r} for r in (1, 2, 3)
    ]
    rows += [{"what": "memory", "graph": "Cora", "model": f"bfs:{r}", "above_the_data_mb": 9.0 * r} for r in (1, 2)]
    svg = draw_cost(rows, tmp_path / "a.svg").read_text()
    assert svg.count("<!-- Cora, bfs -->") == 2


@pytest.fixture(scope="module")
def page():
    return report_page(ROOT / "results", ROOT / "benchmarks" / "results")[0]


def test_the_page_has_every_committed_result(page):
    for row in entries(read_rows(ROOT / "results" / "vertex.jsonl")[0]):
        assert f"{row['mean']:.1f} ± {row['std']:.1f}" in page
    for line in (ROOT / "results" / "brec.jsonl").read_text(encoding="utf-8").splitlines():
        assert f"<th>{json.loads(line)['search']}</th>" in page
    assert "<th>SGN dfs:1</th>" in page


def test_the_page_fetches_nothing_and_its_figures_are_svg(page):
    sources = re.findall('src="([^"]*)"', page)
    assert sources
    for source in sources:
        assert source.startswith("data:image/svg+xml;base64,")
        assert b"<svg" in b64decode(source.partition(",")[2])
    assert not re.search('href="[^#]', page)


def test_an_empty_folder_is_refused(tmp_path):
    for name in ("vertex", "trained-brec", "biconnectivity"):
        (tmp_path / f"{name}.jsonl").touch()
    with pytest.raises(LvcError, match="there are no result lines in"):
        report_page(tmp_path, tmp_path)


@pytest.mark.parametrize("name", ["vertex", "brec", "trained-brec", "biconnectivity"])
def test_a_damaged_line_is_named_and_skipped(name, tmp_path):
    whole = (ROOT / "results" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()[-1]
    (tmp_path / f"{name}.jsonl").write_text(whole + "\n", encoding="utf-8")
    page, skipped = report_page(tmp_path, tmp_path)
    assert skipped == []
    spoilt = "\n".join(["{]", '{"a": 1}', "[]", whole, "null"])
    (tmp_path / f"{name}.jsonl").write_text(spoilt + "\n", encoding="utf-8")
    again, skipped = report_page(tmp_path, tmp_path)
    assert _without_figures(again) == _without_figures(page)
    assert skipped == [f"{tmp_path / name}.jsonl, line {number}: not a result; skipped" for number in (1, 2, 3, 5)]


def _without_figures(page):
    return re.sub('base64,[^"]*', "", page)  # matplotlib draws names of its own into each


def test_lines_of_models_that_were_mended_are_said_to_be_left_out(tmp_path):
    rows = read_rows(ROOT / "results" / "vertex.jsonl")[0]
    old = next(row for row in rows if row["settings"]["model"] == "chebnet" and row.get("version", 1) == 1)
    new = next(row for row in rows if row["settings"]["model"] == "gcn")
    (tmp_path / "vertex.jsonl").write_text("".join(json.dumps(row) + "\n" for row in (old, new)), encoding="utf-8")
    page, skipped = report_page(tmp_path, tmp_path)
    assert "ChebNet" not in page
    assert skipped == [f"{tmp_path / 'vertex.jsonl'}: 1 of 2 lines are of models that have been mended since; left out"]


def test_the_command_writes_the_page(tmp_path):
    (tmp_path / "results").mkdir()
    shutil.copy(ROOT / "results" / "brec.jsonl", tmp_path / "results")
    command = [sys.executable, "-m", "lvc.cli", "report", "--html"]
    found = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert (found.returncode, found.stdout) == (0, "report.html: open it in a browser\n")
    assert "<h3>BREC</h3>" in (tmp_path / "report.html").read_text(encoding="utf-8")
    refused = subprocess.run([*command, "--runtime"], capture_output=True, text=True, cwd=tmp_path)
    assert refused.returncode == 2
    assert "give it no other option than --out" in refused.stderr

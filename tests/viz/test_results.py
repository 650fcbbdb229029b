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
    return report_page(ROOT / "results", ROOT / "benchmarks" / "results")


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
def test_a_damaged_line_is_refused(name, tmp_path):
    (tmp_path / f"{name}.jsonl").write_text("{]\n")
    with pytest.raises(LvcError, match=r"line 1|this is no line"):
        report_page(tmp_path, tmp_path)


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

"""Reports of fixed results equal stored ones. To store them again after a wanted change: stored/again.sh."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from lvc import LvcError
from lvc.experiments.paper import VERTEX
from lvc.experiments.report import accuracy_tables, best_tables, entries, runtime_table
from lvc.experiments.results import read_rows
from lvc.experiments.tables import to_markdown

STORED = Path(__file__).parent / "stored"


def report(*arguments: str) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "lvc.cli", "report", *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=STORED)


@pytest.mark.parametrize(
    ("arguments", "stored"),
    [
        (["results.jsonl"], "report.md"),
        (["results.jsonl", "--format", "latex"], "report.tex"),
        (["results.jsonl", "--format", "html"], "report.html"),
        (["results.jsonl", "--settings"], "settings.md"),
        (["results.jsonl", "--best"], "best.md"),
        (["runtime.jsonl", "--runtime"], "runtime.md"),
    ],
)
def test_report_equals_the_stored_one(arguments, stored):
    found = report(*arguments)
    assert found.stdout == (STORED / stored).read_text(encoding="utf-8")
    assert found.returncode == 0
    corrupted = "lvc: results.jsonl, line 4: not a result; skipped\n"
    assert found.stderr == (corrupted if "results.jsonl" in arguments else "")


def test_report_as_json():
    rows = json.loads(report("results.jsonl", "--json").stdout)
    wanted = {"task", "dataset", "model", "protocol", "mean", "std", "splits", "paper"}
    assert all(row.keys() >= wanted for row in rows)
    by_place = {(row["dataset"], row["model"], row["protocol"]): row for row in rows}
    assert len(by_place) == len(rows) == 10
    bf = by_place["Cora", "sgn-bf", "random"]
    assert (bf["task"], bf["mean"], bf["std"], bf["splits"], bf["paper"]) == ("vertex", 88.6, 1.1, 10, 88.7)
    assert by_place["Minesweeper", "gcn", "random"]["paper"] is None


def test_what_stands_in_the_table_was_chosen_on_validation():
    rows, _ = read_rows(STORED / "results.jsonl")
    means = [
        row["mean"] for row in rows if row["settings"]["model"] == "sgn-bf" and row["settings"]["dataset"] == "Cora"
    ]
    assert max(means) == 95.0
    shown = accuracy_tables(entries(rows))[0]
    assert shown.rows[1][1][0].text == "88.6 ± 1.1"
    for row in rows:
        row["mean"] = 100 - row["mean"]
    assert [entry["settings"] for entry in entries(rows)] == [
        entry["settings"] for entry in entries(read_rows(STORED / "results.jsonl")[0])
    ]


def test_the_papers_numbers():
    assert len(VERTEX) == 99
    goals = {"Computers": 90.9, "Photo": 96.1, "CiteSeer": 79.7, "Cora": 89.5, "PubMed": 90.2, "Wisconsin": 91.2}
    goals |= {"Cornell": 89.5, "Texas": 88.7, "Chameleon": 72.8, "Squirrel": 59.0}
    for dataset, goal in goals.items():
        assert max(VERTEX[dataset, "sgn-bf"].mean, VERTEX[dataset, "sgn-df"].mean) == goal
    assert VERTEX["Cora", "bernnet"].deviation is None
    assert VERTEX["Squirrel", "h2gcn"] == (37.9, 2.0)


def test_what_cannot_be_reported_is_said(tmp_path):
    for arguments, sentence in (
        (["nosuch.jsonl"], "lvc: cannot read nosuch.jsonl: No such file or directory\n"),
        (["results.jsonl", "--format", "pdf"], "lvc: unknown format 'pdf'; use one of markdown, latex, html\n"),
        (["results.jsonl", "--settings", "--runtime"], "lvc: --settings and --runtime are two tables; ask for one"),
        (["results.jsonl", "--best", "--settings"], "lvc: --best and --settings are two tables; ask for one"),
    ):
        found = report(*arguments)
        assert found.returncode == 2
        assert found.stderr.startswith(sentence)
    rows, _ = read_rows(STORED / "runtime.jsonl")
    with pytest.raises(LvcError, match="no time of gcn on Cora"):
        runtime_table(rows[1:])


def test_a_report_is_written_to_a_file(tmp_path):
    assert report("results.jsonl", "--out", str(tmp_path / "r.md")).stdout == ""
    assert (tmp_path / "r.md").read_text(encoding="utf-8") == (STORED / "report.md").read_text(encoding="utf-8")


def test_a_report_is_written_between_the_marks_of_a_page(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(
        "before\n<!-- lvc report -->\nold\n<!-- end -->\nbetween\n<!-- lvc report --runtime -->\n<!-- end -->\nafter\n"
    )
    assert report("results.jsonl", "--into", str(page)).returncode == 0
    assert report("runtime.jsonl", "--runtime", "--into", str(page)).returncode == 0
    tables, times = ((STORED / name).read_text(encoding="utf-8") for name in ("report.md", "runtime.md"))
    first = f"<!-- lvc report -->\n\n{tables}\n<!-- end -->"
    second = f"<!-- lvc report --runtime -->\n\n{times}\n<!-- end -->"
    assert page.read_text(encoding="utf-8") == f"before\n{first}\nbetween\n{second}\nafter\n"
    unended = "<!-- lvc report -->\nprose\n<!-- lvc report --runtime -->\n<!-- end -->\n"
    page.write_text(unended)
    assert "must hold the marks" in report("results.jsonl", "--into", str(page)).stderr
    assert page.read_text() == unended
    page.write_text("no marks\n")
    assert "must hold the marks" in report("results.jsonl", "--into", str(page)).stderr
    assert page.read_text() == "no marks\n"


def test_the_pages_show_the_committed_results():
    root = Path(__file__).parent.parent.parent
    paths = [root / "results" / name for name in ("vertex.jsonl", "graph.jsonl")]
    rows = [row for path in paths if path.exists() for row in read_rows(path)[0]]
    page = (root / "docs" / "results.md").read_text(encoding="utf-8")
    assert rows
    assert to_markdown(accuracy_tables(entries(rows))).strip() in page
    times, _ = read_rows(root / "results" / "runtime.jsonl")
    assert to_markdown([runtime_table(times)]).strip() in page
    assert to_markdown(best_tables(entries(rows))).strip() in (root / "README.md").read_text(encoding="utf-8")

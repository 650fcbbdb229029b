"""The lists of studies in results/ and the lines that they ended with belong together."""

import json
from pathlib import Path
from typing import Any

import pytest
import typer.testing

pytest.importorskip("torch_geometric")
pytest.importorskip("optuna")

from lvc.cli.run import app
from lvc.experiments import tuning
from lvc.experiments.studies import Tuning

RESULTS = Path(__file__).parents[2] / "results"
COLUMNS = {
    "vertex": ("", "--model", "--protocol", "--trials", "--tuning-splits", "--set epochs=", "--set patience="),
    "graph": ("", "--model", "--trials", "--set epochs=", "--set patience="),
}


class ListedError(Exception):
    """Raised in the place of the search."""


def listed(task: str, line: str, monkeypatch) -> Tuning:
    """The search that ``results/vertex.sh`` and ``results/graph.sh`` make of a line."""
    words = line.split()
    count = len(COLUMNS[task])
    named = zip(COLUMNS[task], words[:count], strict=True)
    options = [f"{name}{word}" if name.endswith("=") else f"{name} {word}" for name, word in named]
    arguments = " ".join(options).split() + words[count:]
    if task == "graph":
        arguments += ["--protocol", "errica"]

    def stop(job: Tuning, *others: Any) -> None:
        raise ListedError(job)

    monkeypatch.setattr(tuning, "decided", stop)
    found = typer.testing.CliRunner().invoke(app, ["tune", task, *arguments])
    assert isinstance(found.exception, ListedError), f"{line}: {found.output}"
    return found.exception.args[0]


def lines_of(task: str) -> list[str]:
    lines = (RESULTS / f"{task}.txt").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if not line.startswith("#")]


def rows_of(task: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (RESULTS / f"{task}.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("task", ["vertex", "graph"])
def test_no_study_that_has_a_line_would_be_made_again(task, monkeypatch):
    decided = tuning.decided
    measured = {(row["settings"]["dataset"], row["settings"]["model"]) for row in rows_of(task)}
    again = []
    for line in lines_of(task):
        job = listed(task, line, monkeypatch)
        if decided(job, RESULTS / f"{task}.jsonl") is None and (job.base.dataset, job.base.model) in measured:
            again.append(f"{job.base.dataset} {job.base.model}")
    assert again == []

"""One HTML page with every table and figure of the results, ready to be sent to somebody: nothing is fetched."""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from lvc.errors import LvcError
from lvc.experiments.report import accuracy_tables, entries, runtime_table
from lvc.experiments.results import read_rows
from lvc.experiments.tables import html_table
from lvc.expressivity.scores import Score, scores_table
from lvc.files import json_lines
from lvc.viz.results import draw_accuracies, draw_cost
from lvc.viz.scores import draw_scores

STYLE = """
:root { color-scheme: light dark; --line: #8884; --quiet: #777; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 1100px; padding: 0 1rem; }
table { border-collapse: collapse; margin: 0.6rem 0 1.4rem; font-size: 0.92rem; }
th, td { padding: 0.25rem 0.7rem; text-align: left; border-bottom: 1px solid var(--line); }
thead th { border-bottom-width: 2px; }
tbody th { font-weight: 500; }
small { color: var(--quiet); }
div.wide { overflow-x: auto; }
img { max-width: 100%; background: #fff; border-radius: 6px; }
code { background: var(--line); padding: 0.05em 0.3em; border-radius: 4px; }
nav a { margin-right: 1rem; }
"""


class Section(NamedTuple):
    """A part of the page: what was measured, by which command, and what came of it."""

    title: str
    command: str
    parts: list[str]  # HTML


def report_page(results: Path, benchmarks: Path) -> str:
    """The page of all lines in the folder ``results``, and of the speed in ``benchmarks``; what is missing is left out.

    Raises :class:`lvc.LvcError` if there is nothing at all.
    """
    sections = [section for section in _sections(results, benchmarks) if section.parts]
    if not sections:
        raise LvcError(
            f"there are no result lines in {results}; train or tune first, or go to a folder that has results/"
        )
    links = "".join(f'<a href="#{_anchor(one.title)}">{html.escape(one.title)}</a>' for one in sections)
    body = "\n".join(
        f'<h2 id="{_anchor(one.title)}">{html.escape(one.title)}</h2>\n'
        f"<p>Measured by <code>{html.escape(one.command)}</code></p>\n" + "\n".join(one.parts)
        for one in sections
    )
    head = '<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">'
    top = "<h1>Local vertex colouring: results</h1>"
    title = "<title>lvc: results</title>"
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n{head}\n{title}\n<style>{STYLE}</style>\n</head>\n'
        f"<body>\n{top}\n<nav>{links}</nav>\n{body}\n</body>\n</html>\n"
    )


def _sections(results: Path, benchmarks: Path) -> Iterator[Section]:
    yield Section("Vertex classification", "results/vertex.sh", _accuracies(results / "vertex.jsonl"))
    yield Section("Graph classification", "results/graph.sh", _accuracies(results / "graph.jsonl"))
    yield Section("Seconds per epoch", "results/runtime.sh", _runtime(results / "runtime.jsonl"))
    yield Section("What exact colours tell apart", "lvc brec", _scores(results / "brec.jsonl"))
    trained = _trained(results / "trained-brec.jsonl", results / "brec.jsonl")
    yield Section("BREC with trained networks", "results/trained-brec.sh", trained)
    learnt = _biconnectivity(results / "biconnectivity.jsonl")
    yield Section("Cut vertices and bridges, learnt", "results/biconnectivity.sh", learnt)
    yield Section("What a radius costs", "python benchmarks/sgn.py", _cost(benchmarks / "sgn.jsonl"))


def _accuracies(path: Path) -> list[str]:
    """A table and a bar chart for every protocol and kind of data set."""
    found = entries(_rows(path))
    parts = []
    for table in accuracy_tables(found):
        parts.append(_wide(html_table(table)))
        here = [e for e in found if (e["task"], e["protocol"]) == table.about and e["dataset"] in table.columns]
        parts.append(_figure("the same as bars", lambda file, here=here: draw_accuracies(here, "", file)))  # type: ignore[misc]
    return parts


def _runtime(path: Path) -> list[str]:
    rows = _rows(path)
    return [_wide(html_table(runtime_table(rows)))] if rows else []


def _rows(path: Path) -> list[dict[str, Any]]:
    """Result lines; what is none is refused here, for nobody would see a warning on the page."""
    rows, faults = read_rows(path) if path.exists() else ([], [])
    if faults:
        raise LvcError(f"{faults[0].removesuffix('; skipped')}; remove the line")
    return rows


def _scores(path: Path) -> list[str]:
    parts = []
    for family, some in groupby(sorted(_exact(path), key=lambda one: one.family), key=lambda one: one.family):
        these = list(some)
        parts += [f"<h3>{html.escape(family.upper() if len(family) < 5 else family)}</h3>"]
        parts += [_wide(_from_markdown(scores_table(these, markdown=True)))]
        if family == "brec":
            parts.append(_figure("score against cost", lambda file, these=these: draw_scores(these, "BREC", file)))  # type: ignore[misc]
    return parts


def _exact(path: Path) -> list[Score]:
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [Score.from_json(line) for line in lines]


def _trained(path: Path, exact: Path) -> list[str]:
    from lvc.experiments.trained_brec import trained_table

    rows = json_lines(path) if path.exists() else []
    bounds = {one.search: one.told_apart for one in _exact(exact) if one.family == "brec"}
    return [_wide(_from_markdown(trained_table(rows, bounds)))] if rows else []


def _biconnectivity(path: Path) -> list[str]:
    from lvc.experiments.biconnectivity import result_table

    rows = json_lines(path) if path.exists() else []
    return [_wide(_from_markdown(result_table(rows)))] if rows else []


def _cost(path: Path) -> list[str]:
    draw = partial(draw_cost, json_lines(path)) if path.exists() else None
    return [] if draw is None else [_figure("radius against time and memory", draw)]


def _figure(shows: str, draw: Callable[[Path], object]) -> str:
    """A figure as part of the page itself."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "figure.svg"
        draw(file)
        code = base64.b64encode(file.read_bytes()).decode("ascii")
    return f'<p><img alt="{shows}" src="data:image/svg+xml;base64,{code}"></p>'


def _from_markdown(text: str) -> str:
    """A Markdown table as HTML."""
    rows = [
        [cell.strip() for cell in line.strip("|").split(" |")] for line in text.splitlines() if line.startswith("|")
    ]
    head = "".join(f"<th>{html.escape(cell)}</th>" for cell in rows[0])
    body = "".join(f"<tr>{_cells(row)}</tr>" for row in rows[2:])
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cells(row: Sequence[str]) -> str:
    return f"<th>{html.escape(row[0])}</th>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row[1:])


def _wide(table: str) -> str:
    inner = table.replace("<h2>", "<h3>").replace("</h2>", "</h3>")  # the page has sections of its own
    return f'<div class="wide">{inner}</div>'


def _anchor(title: str) -> str:
    return re.sub("[^a-z]+", "-", title.lower())

"""One HTML page with every table and figure of the results, ready to be sent to somebody: nothing is fetched."""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, TypeVar

from lvc.errors import LvcError
from lvc.experiments.report import accuracy_tables, entries, runtime_table
from lvc.experiments.results import current, read_rows
from lvc.experiments.tables import html_table
from lvc.expressivity.scores import Score, scores_table
from lvc.files import json_lines
from lvc.viz.results import draw_accuracies, draw_cost
from lvc.viz.scores import draw_scores

Row = dict[str, Any]
Made = TypeVar("Made")

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


def report_page(results: Path, benchmarks: Path) -> tuple[str, list[str]]:
    """The page of all lines in the folder ``results``, and of the speed in ``benchmarks``; what is missing is left out.

    With it a sentence for each line that is none, or is of a model that has been mended since, and was skipped.
    Raises :class:`lvc.LvcError` if there is nothing at all.
    """
    skipped: list[str] = []
    sections = [section for section in _sections(results, benchmarks, skipped) if section.parts]
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
    page = (
        f'<!doctype html>\n<html lang="en">\n<head>\n{head}\n{title}\n<style>{STYLE}</style>\n</head>\n'
        f"<body>\n{top}\n<nav>{links}</nav>\n{body}\n</body>\n</html>\n"
    )
    return page, skipped


def _sections(results: Path, benchmarks: Path, skipped: list[str]) -> Iterator[Section]:
    from lvc.experiments.biconnectivity import result_table
    from lvc.experiments.trained_brec import trained_table

    vertex, graph, runtime = (_rows(results / f"{name}.jsonl", skipped) for name in ("vertex", "graph", "runtime"))
    yield Section("Vertex classification", "results/vertex.sh", _accuracies(vertex))
    yield Section("Graph classification", "results/graph.sh", _accuracies(graph))
    yield Section("Seconds per epoch", "results/runtime.sh", _runtime(runtime))
    exact = _read(results / "brec.jsonl", Score.from_json, skipped)
    yield Section("What exact colours tell apart", "lvc brec", _scores(exact))
    bounds = {one.search: one.told_apart for one in exact if one.family == "brec"}
    trained = _tabulated(results / "trained-brec.jsonl", lambda rows: trained_table(rows, bounds), skipped)
    yield Section("BREC with trained networks", "results/trained-brec.sh", trained)
    learnt = _tabulated(results / "biconnectivity.jsonl", result_table, skipped)
    yield Section("Cut vertices and bridges, learnt", "results/biconnectivity.sh", learnt)
    yield Section("What a radius costs", "python benchmarks/sgn.py", _cost(benchmarks / "sgn.jsonl"))


def _accuracies(rows: Sequence[Row]) -> list[str]:
    """A table and a bar chart for every protocol and kind of data set."""
    found = entries(rows)
    parts = []
    for table in accuracy_tables(found):
        parts.append(_wide(html_table(table)))
        here = [e for e in found if (e["task"], e["protocol"]) == table.about and e["dataset"] in table.columns]
        parts.append(_figure("the same as bars", lambda file, here=here: draw_accuracies(here, "", file)))  # type: ignore[misc]
    return parts


def _runtime(rows: Sequence[Row]) -> list[str]:
    return [_wide(html_table(runtime_table(rows)))] if rows else []


def _rows(path: Path, skipped: list[str]) -> list[Row]:
    """Result lines of models as they are now."""
    rows, faults = read_rows(path) if path.exists() else ([], [])
    kept, left_out = current(rows)
    skipped += [*faults, *([f"{path}: {left_out}; left out"] if left_out else [])]
    return kept


def _scores(exact: Sequence[Score]) -> list[str]:
    parts = []
    for family, some in groupby(sorted(exact, key=lambda one: one.family), key=lambda one: one.family):
        these = list(some)
        parts += [f"<h3>{html.escape(family.upper() if len(family) < 5 else family)}</h3>"]
        parts += [_wide(_from_markdown(scores_table(these, markdown=True)))]
        if family == "brec":
            parts.append(_figure("score against cost", lambda file, these=these: draw_scores(these, "BREC", file)))  # type: ignore[misc]
    return parts


def _tabulated(path: Path, table: Callable[[list[Row]], str], skipped: list[str]) -> list[str]:
    """The table of all lines of a file that it can be made of."""

    def read(line: str) -> Row:
        row: Row = json.loads(line)
        table([row])
        return row

    rows = _read(path, read, skipped)
    return [_wide(_from_markdown(table(rows)))] if rows else []


def _read(path: Path, read: Callable[[str], Made], skipped: list[str]) -> list[Made]:
    """What ``read`` makes of every line of a file, and a sentence for each of which it can make nothing."""
    found = []
    for number, line in enumerate(path.read_bytes().splitlines() if path.exists() else [], 1):
        try:
            found.append(read(line.decode("utf-8")))
        except (LvcError, ValueError, TypeError, KeyError, AttributeError):
            skipped.append(f"{path}, line {number}: not a result; skipped")
    return found


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

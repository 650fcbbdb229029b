"""Commands that run for longer and print a report: claims, data, bench, report, figures, demo."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lvc.cli.app import app
from lvc.cli.common import JsonOption, SimplifyOption, bar_of, read_graph, rows_of, usual_files
from lvc.errors import LvcError

if TYPE_CHECKING:
    from lvc.experiments.tables import Table


@app.command()
def claims(
    only: Annotated[list[str] | None, typer.Option(metavar="ID", help="Just this claim; may be repeated.")] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Graphs up to 5 vertices instead of 7.")] = False,
    json_: JsonOption = False,
    markdown: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write the page docs/claims.md.", show_default=False)
    ] = None,
    draw: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Also draw what was found, a PNG a claim.", show_default=False)
    ] = None,
) -> None:
    """Check every lemma, corollary, theorem and named example of the paper; about a minute and a half."""
    from lvc.expressivity.claims.report import claims_called, claims_markdown, run_claims, to_json, to_text
    from lvc.files import write_text

    chosen = claims_called(only)
    with bar_of(len(chosen), "claims") as bar:
        results = run_claims("quick" if quick else "full", only, progress=lambda result: bar.update())
    if markdown is not None:
        write_text(markdown, claims_markdown(results))
    if draw is not None:
        from lvc.viz.claims import draw_claims

        draw_claims(results, draw)
    print(to_json(results) if json_ else to_text(results))


@app.command()
def data(
    names: Annotated[list[str] | None, typer.Argument(metavar="[NAME]...", help="By default all.")] = None,
    graphs: Annotated[bool, typer.Option("--graphs", help="Those for graph classification instead.")] = False,
    duplicates: Annotated[
        bool, typer.Option("--duplicates", help="Of those: isomorphic graphs, and what they cost.")
    ] = False,
    splits: Annotated[
        bool, typer.Option("--splits", help="What each protocol trains and tests on, and who is in it.")
    ] = False,
    json_: JsonOption = False,
) -> None:
    """List the data sets: statistics beside the paper's, whether they are on disk, what a radius will cost."""
    if splits and (graphs or duplicates):
        raise LvcError("--splits is about data sets of vertices; leave out --graphs and --duplicates")
    if splits:
        from lvc.data.split_statistics import describe_splits, splits_table

        found = describe_splits(names)
        rows, table = [asdict(one) for one in found], splits_table(found)
    elif duplicates:
        rows, table = _duplicates(names)
    elif graphs:
        from lvc.data.graph_datasets import describe_graphs, graphs_table

        rows = describe_graphs(names)
        table = graphs_table(rows)
    else:
        from lvc.data.statistics import describe_all, statistics_table

        rows = describe_all(names)
        table = statistics_table(rows)
    print(json.dumps(rows) if json_ else table)


def _duplicates(names: list[str] | None) -> tuple[list[dict[str, Any]], str]:
    """Rows and table for ``lvc data --duplicates``."""
    from lvc.data.duplicates import duplicates, duplicates_table
    from lvc.data.graph_datasets import GRAPH_DATASETS, graph_entry_called, load_graphs

    entries = [graph_entry_called(name) for name in names or GRAPH_DATASETS]
    found = []
    with bar_of(len(entries), "data sets") as bar:
        for entry in entries:
            found.append(duplicates(load_graphs(entry.name)))
            bar.update()
    return [asdict(one) for one in found], duplicates_table(found)


@app.command()
def bench(
    graph: Annotated[
        str, typer.Argument(metavar="GRAPH", help="A graph file, or a data set of `lvc data`.", show_default=False)
    ],
    searches: Annotated[
        list[str] | None, typer.Option("--search", "-s", help="May be repeated; by default bfs:1, bfs:2 and dfs:1.")
    ] = None,
    features: Annotated[int, typer.Option(min=1, help="Random features of a graph file's vertices.")] = 64,
    turns: Annotated[int, typer.Option(min=1, help="Medians are over so many turns.")] = 5,
    threads: Annotated[int, typer.Option(min=1, help="Threads of torch.")] = 1,
    simplify: SimplifyOption = False,
    json_: JsonOption = False,
) -> None:
    """Time searches on your graph: colouring over 1-WL, an epoch of SGN over one of PyG's GCN, in one run."""
    checked, data = _graph_to_time(graph, features, simplify)
    from lvc.experiments.costs import costs, costs_table
    from lvc.experiments.runs import threads_of_torch

    wanted = searches or ["bfs:1", "bfs:2", "dfs:1"]
    with bar_of(len(wanted), "searches") as bar, threads_of_torch(threads):
        found = costs(checked, data, wanted, turns, bar.update)
    if json_:
        print(json.dumps([asdict(one) for one in found]))
        return
    print(f"{checked.n} vertices, {checked.m} edges, {data.num_features} features; medians of {turns} turns")
    print(costs_table(found))


def _graph_to_time(name: str, features: int, simplify: bool) -> tuple[Any, Any]:
    """The graph, and the data that networks learn from: a data set's own, or random features."""
    from lvc.data.datasets import DATASETS, load

    known = {one.lower(): one for one in DATASETS}
    if name.lower() in known and not Path(name).exists():
        found = load(known[name.lower()])
        return found.graph, found.data
    checked = read_graph(name, simplify=simplify)
    from lvc.experiments.costs import data_of

    return checked, data_of(checked, features)


@app.command()
def report(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[FILE]...", help="Result lines; by default those in results/, else in out/.", show_default=False
        ),
    ] = None,
    format_: Annotated[str, typer.Option("--format", help="markdown, latex or html.")] = "markdown",
    json_: JsonOption = False,
    best: Annotated[
        bool,
        typer.Option("--best", help="Show the better SGN and the best other model instead, a line for a data set."),
    ] = False,
    settings: Annotated[bool, typer.Option("--settings", help="Show the chosen settings instead.")] = False,
    runtime: Annotated[bool, typer.Option("--runtime", help="Show seconds per epoch over GCN instead.")] = False,
    by: Annotated[
        str | None,
        typer.Option(
            metavar="SETTING",
            help="Show instead, of studies of vertices, the best trials with each value of a setting, e.g. radius.",
            show_default=False,
        ),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(
            metavar="MODEL",
            help="Show instead how far every model is ahead of this one, split by split, e.g. gin.",
            show_default=False,
        ),
    ] = None,
    html: Annotated[
        bool, typer.Option("--html", help="One page with every table and figure of results/ and benchmarks/results/.")
    ] = False,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write it there.", show_default=False)] = None,
    into: Annotated[
        Path | None,
        typer.Option(
            metavar="PAGE",
            help="Write it into a page between the marks <!-- lvc report --> (or <!-- lvc report --best -->, "
            "--settings, --runtime, --by SETTING, --against MODEL) and <!-- end -->.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Tables like the paper's from result lines: ours (the paper's, the difference), the best of ours bold."""
    from lvc.experiments.tables import FORMATS, between_marks
    from lvc.files import refuse_unwritable, write_text

    wanted = {"best": best, "settings": settings, "runtime": runtime, f"by {by}": by, f"against {against}": against}
    asked = [name for name, given in wanted.items() if given]
    if html:
        if files or asked or json_ or into is not None or format_ != "markdown":
            raise LvcError("--html is the page of all results; give it no other option than --out")
        _write_report_page(out or Path("report.html"))
        return
    if out is not None:
        refuse_unwritable(out)
        if into is not None:
            raise LvcError("--out and --into are two places; ask for one")
    if format_ not in FORMATS:
        raise LvcError(f"unknown format {format_!r}; use one of {', '.join(FORMATS)}")
    if len(asked) > 1:
        raise LvcError(f"--{asked[0]} and --{asked[1]} are two tables; ask for one at a time")
    if json_ and (asked or into is not None or format_ != "markdown"):
        raise LvcError("--json prints every row with all that the tables show; give it no other option than --out")
    which = asked[0] if asked else ""
    rows = _some(rows_of(files or (usual_files("runtime") if runtime else usual_files("vertex", "graph"))))
    text = _rows_as_json(rows) if json_ else FORMATS[format_](_tables_called(which, rows)).rstrip("\n")
    if into is not None:
        write_text(into, between_marks(into, text, f"lvc report --{which}" if which else "lvc report"))
    elif out is not None:
        write_text(out, text + "\n")
    else:
        print(text)


def _tables_called(which: str, rows: list[dict[str, Any]]) -> list[Table]:
    """The tables that an option of ``lvc report`` asks for."""
    from lvc.experiments.by_setting import by_setting_table
    from lvc.experiments.differences import best_tables, difference_tables
    from lvc.experiments.report import accuracy_tables, entries, runtime_table, settings_table

    if which == "runtime":
        return [runtime_table(rows)]
    rows = _current(rows)
    found, (option, _, value) = entries(rows), which.partition(" ")
    if option == "by":
        return [by_setting_table(rows, value)]
    if option == "against":
        return difference_tables(found, value)
    return {"": accuracy_tables, "best": best_tables, "settings": lambda found: [settings_table(found)]}[option](found)


def _rows_as_json(rows: list[dict[str, Any]]) -> str:
    from lvc.experiments.report import entries

    return json.dumps(entries(_current(rows)))


def _some(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    if not rows:
        raise LvcError("there is no line of results to report; make some with lvc train or lvc tune")
    return rows


def _current(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Those of models as they are now; says how many others there are."""
    from lvc.experiments.results import current

    kept, left_out = current(rows)
    if not kept:
        raise LvcError(f"{left_out}; measure them again")
    if left_out:
        print(f"lvc: {left_out}; left out", file=sys.stderr)
    return kept


def _write_report_page(out: Path) -> None:
    from lvc.files import refuse_unwritable, write_text
    from lvc.viz.report_page import report_page

    refuse_unwritable(out)
    page, skipped = report_page(Path("results"), Path("benchmarks/results"))
    for sentence in skipped:
        print(f"lvc: {sentence}", file=sys.stderr)
    write_text(out, page)
    print(f"{out}: open it in a browser")


@app.command()
def figures(
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="Where they go.")] = Path("out/figures"),
    format_: Annotated[str, typer.Option("--format", help="png, svg or pdf.")] = "png",
) -> None:
    """Draw every figure of the paper, from our own code."""
    from lvc.viz.paper import FIGURES, draw_paper

    with bar_of(len(FIGURES), "figures") as bar:
        drawn = draw_paper(out, f".{format_}", bar.update)
    for path in drawn:
        print(path)


@app.command()
def demo(
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="Where the pictures go.")] = Path("out"),
) -> None:
    """Show which searches tell the named pairs apart, draw pictures and a page, train two networks; about a minute."""
    from lvc.demo import demo as run_demo

    run_demo(out)

"""Commands that run for longer and print a report: claims, data, demo."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from lvc.cli.app import app
from lvc.cli.common import JsonOption, bar_of


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
    json_: JsonOption = False,
) -> None:
    """List the data sets: statistics beside the paper's, whether they are on disk, what a radius will cost."""
    from lvc.data.statistics import describe_all, statistics_table

    rows = describe_all(names)
    print(json.dumps(rows) if json_ else statistics_table(rows))


@app.command()
def demo(
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="Where the pictures go.")] = Path("out"),
) -> None:
    """Show which searches tell the named pairs apart, and draw a search tree and a colouring."""
    from lvc.demo import demo as run_demo

    run_demo(out)

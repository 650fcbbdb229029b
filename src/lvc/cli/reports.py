"""Commands that run for longer: claims, data, train, demo."""

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


train = typer.Typer(help="Train a network.", rich_markup_mode=None)
app.add_typer(train, name="train")


@train.command("vertex")
def train_vertex(
    dataset: Annotated[str, typer.Argument(metavar="DATA", help="A data set of `lvc data`.", show_default=False)],
    model: Annotated[
        str, typer.Option(help="mlp, gcn, gcn-jk, gat, appnp, chebnet, gprgnn, bernnet, h2gcn, sgn-bf, sgn-df.")
    ],
    search: Annotated[
        str | None, typer.Option("--search", "-s", help="SGN's search, e.g. bfs:2.", show_default=False)
    ] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="Another setting, e.g. hidden_channels=128; may be repeated."),
    ] = None,
    protocol: Annotated[str, typer.Option(help="random, per-class or published.")] = "random",
    splits: Annotated[int, typer.Option(help="How many splits.")] = 10,
    seed: Annotated[int, typer.Option(help="Decides splits and weights.")] = 0,
    threads: Annotated[int, typer.Option(help="Threads of torch.")] = 1,
    out: Annotated[Path, typer.Option(metavar="FILE", help="Where the result line goes.")] = Path("out/vertex.jsonl"),
) -> None:
    """Train on every split, print the accuracy, add a line of JSON, draw the learning curves beside it."""
    from lvc.data.datasets import entry_called
    from lvc.experiments.settings import VertexSettings, parse_settings

    name, options = entry_called(dataset).name, parse_settings(set_ or [])
    settings = VertexSettings(name, model, search, protocol=protocol, splits=splits, seed=seed, **options)
    from lvc.experiments.vertex import run_vertex

    with bar_of(settings.splits * settings.epochs, f"{settings.model} on {settings.dataset}") as bar:

        def show(split: int, epoch: int, loss: float, best: float) -> None:
            bar.update(split * settings.epochs + epoch - bar.n)
            bar.set_postfix(split=split, loss=f"{loss:.3f}", validation=f"{best:.3f}", refresh=False)

        row, done = run_vertex(settings, out, threads, show)
    print(f"{settings.model} on {settings.dataset}, protocol {settings.protocol}, {len(row['splits'])} splits:")
    print(f"test accuracy {row['mean']:.1f} ± {row['interval']:.1f} (95 % interval), deviation {row['std']:.1f}")
    print(f"validation {row['validation']:.1f}, {row['seconds']:.0f} s; written to {out}")
    if done and done[-1].curve:
        from lvc.viz.curves import draw_curves

        title = f"{settings.model} on {settings.dataset}"
        print(f"curves in {draw_curves([one.curve for one in done], title, out.with_name(f'{settings.key}.png'))}")


@app.command()
def demo(
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="Where the pictures go.")] = Path("out"),
) -> None:
    """Show which searches tell the named pairs apart, and draw a search tree and a colouring."""
    from lvc.demo import demo as run_demo

    run_demo(out)

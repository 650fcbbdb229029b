"""Commands that learn: train, tune."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from lvc.cli.app import app
from lvc.cli.common import bar_of

DatasetArgument = Annotated[str, typer.Argument(metavar="DATA", help="A data set of `lvc data`.", show_default=False)]
ModelOption = Annotated[
    str, typer.Option(help="mlp, gcn, gcn-jk, gat, appnp, chebnet, gprgnn, bernnet, h2gcn, sgn-bf, sgn-df.")
]
ProtocolOption = Annotated[str, typer.Option(help="random, per-class or published.")]
SplitsOption = Annotated[int, typer.Option(help="How many splits.")]
SeedOption = Annotated[int, typer.Option(help="Decides splits and weights.")]
ThreadsOption = Annotated[int, typer.Option(help="Threads of torch.")]
OutOption = Annotated[Path, typer.Option(metavar="FILE", help="Where the result line goes.")]
SearchOption = Annotated[
    str | None, typer.Option("--search", "-s", help="SGN's search, e.g. bfs:2.", show_default=False)
]

train = typer.Typer(help="Train a network.", rich_markup_mode=None)
app.add_typer(train, name="train")
tune = typer.Typer(help="Search for good settings on validation data.", rich_markup_mode=None)
app.add_typer(tune, name="tune")


@train.command("vertex")
def train_vertex(
    dataset: DatasetArgument,
    model: ModelOption,
    search: SearchOption = None,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="Another setting, e.g. hidden_channels=128; may be repeated."),
    ] = None,
    protocol: ProtocolOption = "random",
    splits: SplitsOption = 10,
    seed: SeedOption = 0,
    threads: ThreadsOption = 1,
    out: OutOption = Path("out/vertex.jsonl"),
) -> None:
    """Train on every split, print the accuracy, add a line of JSON, draw the learning curves beside it."""
    from lvc.data.datasets import entry_called
    from lvc.experiments.settings import VertexSettings, parse_settings

    name, options = entry_called(dataset).name, parse_settings(set_ or [])
    settings = VertexSettings(name, model, search, protocol=protocol, splits=splits, seed=seed, **options)
    from lvc.experiments.vertex import run_vertex

    with bar_of(settings.splits * settings.epochs, f"{settings.model} on {settings.dataset}") as bar:
        row, done = run_vertex(settings, out, threads, _split_progress(bar, settings.epochs))
    _print_result(row, out)
    if done and done[-1].curve:
        from lvc.viz.curves import draw_curves

        title = f"{settings.model} on {settings.dataset}"
        print(f"curves in {draw_curves([one.curve for one in done], title, out.with_name(f'{settings.key}.png'))}")


@tune.command("vertex")
def tune_vertex(
    dataset: DatasetArgument,
    model: ModelOption,
    trials: Annotated[int, typer.Option(help="How many settings to try, those of earlier runs included.")] = 30,
    tuning_splits: Annotated[int, typer.Option(help="Splits that each of them is trained on, at most.")] = 3,
    largest_radius: Annotated[int, typer.Option(help="Of SGN's search.")] = 4,
    search: SearchOption = None,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="A setting that is not searched; may be repeated."),
    ] = None,
    storage: Annotated[
        str | None,
        typer.Option(metavar="URL", help="Any Optuna storage; by default SQLite beside FILE.", show_default=False),
    ] = None,
    protocol: ProtocolOption = "random",
    splits: SplitsOption = 10,
    seed: SeedOption = 0,
    threads: ThreadsOption = 1,
    out: OutOption = Path("out/vertex.jsonl"),
) -> None:
    """Try settings, keep the best on validation data, then train on every split once; stop and go on at any moment."""
    from lvc.data.datasets import entry_called
    from lvc.experiments.settings import VertexSettings, parse_settings

    name, options = entry_called(dataset).name, parse_settings(set_ or [])
    base = VertexSettings(name, model, search, protocol=protocol, splits=splits, seed=seed, **options)
    from lvc.experiments import tuning

    fixed = (*options, *(["search"] if search is not None else []))
    job = tuning.Tuning(base, trials, tuning_splits, largest_radius, fixed)
    title = f"{model} on {name}"
    with bar_of(trials, f"{title}, trials") as trial_bar, bar_of(splits * base.epochs, f"{title}, splits") as bar:

        def show(finished: int, best: float | None) -> None:
            trial_bar.update(finished - trial_bar.n)
            trial_bar.set_postfix(best="-" if best is None else f"{best:.3f}", refresh=False)

        row = tuning.tune_vertex(job, out, storage, threads, show, _split_progress(bar, base.epochs))
    if row is None:
        print("others still run trials of this study; whoever finishes last trains on every split")
        return
    chosen = {one: row["settings"][one] for one in ("search", *job.space) if one in row["settings"]}
    print("best settings: " + ", ".join(f"{one}={value}" for one, value in chosen.items() if value is not None))
    _print_result(row, out)


def _split_progress(bar: Any, epochs: int) -> Any:
    def show(split: int, epoch: int, loss: float, best: float) -> None:
        bar.update(split * epochs + epoch - bar.n)
        bar.set_postfix(split=split, loss=f"{loss:.3f}", validation=f"{best:.3f}", refresh=False)

    return show


def _print_result(row: dict[str, Any], out: Path) -> None:
    settings = row["settings"]
    print(
        f"{settings['model']} on {settings['dataset']}, protocol {settings['protocol']}, {len(row['splits'])} splits:"
    )
    print(f"test accuracy {row['mean']:.1f} ± {row['interval']:.1f} (95 % interval), deviation {row['std']:.1f}")
    print(f"validation {row['validation']:.1f}, {row['seconds']:.0f} s; written to {out}")

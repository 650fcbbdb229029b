"""Commands that learn: train, tune."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from lvc.cli.app import app
from lvc.cli.common import bar_of, rows_of, where_it_is
from lvc.cli.options import (
    AsInOption,
    DatasetArgument,
    FixOption,
    FoldCountOption,
    FoldJobsOption,
    FoldsOption,
    GraphModelOption,
    GraphsArgument,
    JobsOption,
    ModelOption,
    OutOption,
    ProtocolOption,
    RadiusOption,
    SearchOption,
    SeedOption,
    SetOption,
    SplitsOption,
    StorageOption,
    ThreadsOption,
    TrialJobsOption,
    TrialsOption,
)
from lvc.errors import LvcError
from lvc.memory import keep_freed_memory
from lvc.provenance import commit

train = typer.Typer(help="Train a network.", rich_markup_mode=None)
app.add_typer(train, name="train")
tune = typer.Typer(help="Search for good settings on validation data.", rich_markup_mode=None)
app.add_typer(tune, name="tune")


@train.callback()
@tune.callback()
def _before_training() -> None:
    keep_freed_memory()
    commit()  # of the code that runs, not of what is there when it ends


@train.command("vertex")
def train_vertex(
    dataset: DatasetArgument,
    model: ModelOption,
    search: SearchOption = None,
    set_: SetOption = None,
    as_in: AsInOption = None,
    protocol: ProtocolOption = "random",
    splits: SplitsOption = 10,
    seed: SeedOption = 0,
    threads: ThreadsOption = 1,
    jobs: JobsOption = 1,
    out: OutOption = Path("out/vertex.jsonl"),
) -> None:
    """Train on every split, print the accuracy, add a line of JSON, draw the learning curves beside it."""
    options, tuning = _as_in(as_in, "vertex", dataset, model, protocol)
    settings, changed = _settings("vertex", dataset, model, search, set_, protocol, splits, seed, options)
    _train(settings, out, threads, jobs, tuning and tuning | {"changed": changed})


@train.command("graph")
def train_graph(
    dataset: GraphsArgument,
    model: GraphModelOption,
    search: SearchOption = None,
    set_: SetOption = None,
    as_in: AsInOption = None,
    protocol: FoldsOption = None,
    splits: FoldCountOption = 10,
    seed: SeedOption = 0,
    threads: ThreadsOption = 1,
    jobs: JobsOption = 1,
    out: OutOption = Path("out/graph.jsonl"),
) -> None:
    """Train on every fold, three times each, print the accuracy, add a line of JSON, draw the learning curves."""
    protocol = protocol or _usual_folds(dataset)
    options, tuning = _as_in(as_in, "graph", dataset, model, protocol)
    settings, changed = _settings("graph", dataset, model, search, set_, protocol, splits, seed, options)
    _train(settings, out, threads, jobs, tuning and tuning | {"changed": changed})


@tune.command("vertex")
def tune_vertex(
    context: typer.Context,
    dataset: DatasetArgument,
    model: ModelOption,
    trials: TrialsOption = 30,
    tuning_splits: Annotated[int, typer.Option(help="Splits that each of them is trained on, at most.")] = 3,
    finalists: Annotated[
        int, typer.Option(help="Settings that are then compared on the validation data of every split.")
    ] = 1,
    largest_radius: RadiusOption = 4,
    search: SearchOption = None,
    set_: FixOption = None,
    storage: StorageOption = None,
    protocol: ProtocolOption = "random",
    splits: SplitsOption = 10,
    seed: SeedOption = 0,
    threads: ThreadsOption = 1,
    jobs: TrialJobsOption = 1,
    out: OutOption = Path("out/vertex.jsonl"),
) -> None:
    """Try settings, keep the best on validation data, then train on every split once; stop and go on at any moment."""
    base, fixed = _settings("vertex", dataset, model, search, set_, protocol, splits, seed)
    _refuse_idle_radius(context, model, search)
    from lvc.experiments import tuning
    from lvc.experiments.studies import Tuning

    job = Tuning(base, trials, tuning_splits, largest_radius, fixed, finalists=finalists)
    there = _before(out, base, tuning.decided(job, out) is not None)
    title = f"{model} on {base.dataset}"
    with bar_of(trials, f"{title}, trials") as trial_bar, bar_of(splits * base.epochs, f"{title}, splits") as bar:

        def show(finished: int, best: float | None) -> None:
            trial_bar.update(finished - trial_bar.n)
            trial_bar.set_postfix(best="-" if best is None else f"{best:.3f}", refresh=False)

        row = tuning.tune(job, out, storage, threads, show, _split_progress(bar, base.epochs), jobs)
    if row is None:
        print("others still run trials of this study; whoever finishes last trains on every split")
        return
    chosen = {one: row["settings"][one] for one in ("search", *job.space) if one in row["settings"]}
    print("best settings: " + ", ".join(f"{one}={value}" for one, value in chosen.items() if value is not None))
    _print_result(row, out, there)


@tune.command("graph")
def tune_graph(
    context: typer.Context,
    dataset: GraphsArgument,
    model: GraphModelOption,
    trials: TrialsOption = 10,
    grid: Annotated[bool, typer.Option("--grid", help="The paper's whole grid instead of a search.")] = False,
    largest_radius: RadiusOption = 3,
    search: SearchOption = None,
    set_: FixOption = None,
    storage: StorageOption = None,
    protocol: FoldsOption = None,
    splits: FoldCountOption = 10,
    seed: SeedOption = 0,
    threads: ThreadsOption = 1,
    jobs: FoldJobsOption = 1,
    out: OutOption = Path("out/graph.jsonl"),
) -> None:
    """For each fold try settings on its own validation part, train the best three times, test; stop and go on."""
    if grid and _was_given(context, "trials"):
        raise LvcError("--grid tries every point of the grid; leave --trials out")
    protocol = protocol or _usual_folds(dataset)
    base, fixed = _settings("graph", dataset, model, search, set_, protocol, splits, seed)
    _refuse_idle_radius(context, model, search)
    from lvc.experiments import tuning
    from lvc.experiments.studies import Tuning

    job = Tuning(base, trials, 1, largest_radius, fixed, grid=grid)
    if grid:
        job = replace(job, trials=len(job.starts))
    there = _before(out, base, tuning.decided(job, out) is not None)
    with bar_of(splits, f"{model} on {base.dataset}, folds") as bar:
        row = tuning.tune_each_fold(job, out, storage, threads, lambda done: bar.update(done - bar.n), jobs)
    _print_result(row, out, there)


def _usual_folds(dataset: str) -> str:
    from lvc.data.graph_datasets import usual_protocol

    return usual_protocol(dataset)


def _refuse_idle_radius(context: typer.Context, model: str, search: str | None) -> None:
    """A largest radius is refused where none is searched for: there it would do nothing."""
    from lvc.experiments.settings import SGN

    if _was_given(context, "largest_radius") and (search is not None or model not in SGN):
        who = f"--search {search}" if search is not None else f"--model {model}"
        raise LvcError(f"{who} leaves no radius to search for; leave --largest-radius out")


def _was_given(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def _settings(
    task: str,
    dataset: str,
    model: str,
    search: str | None,
    set_: list[str] | None,
    protocol: str,
    splits: int,
    seed: int,
    known: dict[str, Any] | None = None,
) -> tuple[Any, tuple[str, ...]]:
    """The settings, and the names of those that were set by hand; wrong names are said before torch is loaded.

    What is set by hand stands over what is ``known``.
    """
    from lvc.experiments.settings import one_of, parse_settings

    kind = _kind(task)
    always = {"dataset": dataset, "model": model, "protocol": protocol, "splits": splits, "seed": seed}
    by_hand = parse_settings(set_ or [], kind, ("search", *always))
    if search is not None:
        by_hand["search"] = search
    settings = kind(**((known or {}) | by_hand | always))
    one_of("data set", settings.dataset, kind.datasets)
    return settings, tuple(by_hand)


def _as_in(path: Path | None, task: str, dataset: str, model: str, protocol: str) -> tuple[dict[str, Any] | None, Any]:
    """The settings of a file's best result, and what is written down of how they were chosen."""
    if path is None:
        return None, None
    from lvc.experiments.results import chosen_in

    return chosen_in(rows_of([path]), path, _kind(task), dataset, model, protocol)


def _kind(task: str) -> Any:
    from lvc.experiments.settings import GraphSettings, VertexSettings

    return {"vertex": VertexSettings, "graph": GraphSettings}[task]


def _train(settings: Any, out: Path, threads: int, jobs: int, tuning: dict[str, Any] | None) -> None:
    from lvc.experiments.runs import run

    there = _before(out, settings)
    with bar_of(settings.splits * settings.epochs, f"{settings.model} on {settings.dataset}") as bar:
        row, done = run(settings, out, threads, _split_progress(bar, settings.epochs), jobs, tuning)
    _print_result(row, out, there)
    if done and done[-1].curve:
        from lvc.viz.curves import draw_curves

        title = f"{settings.model} on {settings.dataset}"
        print(f"curves in {draw_curves([one.curve for one in done], title, out.with_name(f'{settings.key}.png'))}")


def _before(out: Path, settings: Any, there: bool | None = None) -> bool:
    """Whether the result is ``there`` already; if nobody knows, whether the file has a line with these settings.

    Says which lines of the file are no results and, if the result has to be made, what is to be known of the data.
    """
    from lvc.experiments.runs import notes_of

    rows = rows_of([out]) if out.is_file() else []
    if there is None:
        there = any((row["task"], row["key"]) == (settings.task, settings.key) for row in rows)
    for note in [] if there else notes_of(settings):
        print(f"lvc: {settings.dataset}: {note}", file=sys.stderr)
    if settings.protocol == "stratified" and not there:
        print(f"lvc: {settings.dataset}: folds are drawn here, not those of Errica et al. (2020)", file=sys.stderr)
    return there


def _split_progress(bar: Any, epochs: int) -> Any:
    def show(split: int, epoch: int, loss: float, best: float) -> None:
        bar.update(split * epochs + epoch - bar.n)
        bar.set_postfix(split=split, loss=f"{loss:.3f}", validation=f"{best:.3f}", refresh=False)

    return show


def _print_result(row: dict[str, Any], out: Path, there: bool = False) -> None:
    """What came of it, now or earlier."""
    from lvc.experiments.results import interval_of

    settings, interval = row["settings"], interval_of(row)
    splits = "1 split" if len(row["splits"]) == 1 else f"{len(row['splits'])} splits"
    print(f"{settings['model']} on {settings['dataset']}, protocol {settings['protocol']}, {splits}:")
    around = "" if interval is None else f" ± {interval:.1f} (95 % interval)"
    print(f"test accuracy {row['mean']:.1f}{around}, deviation {row['std']:.1f}")
    flattering = f"validation {row['validation']:.1f} in the best epoch, {row['estimate']:.1f} cross-fitted"
    print(f"{flattering}; {row['seconds']:.0f} s; {where_it_is(out, there)}")

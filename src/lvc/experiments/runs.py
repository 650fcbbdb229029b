"""A run: one setting on every split. What was done is kept, so that an interrupted run goes on."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import torch

from lvc.experiments.results import put_row, read_rows, result_row
from lvc.experiments.settings import Settings
from lvc.experiments.training import Fitted, Progress, seed_with
from lvc.files import make_folder, refuse_no_lines, write_text
from lvc.memory import keep_freed_memory
from lvc.processes import side_by_side
from lvc.provenance import commit

SplitProgress = Callable[[int, int, float, float], Any]  # split, then as the training loop reports
Trained = dict[tuple[Settings, int], Fitted]  # first trainings with some settings on some split


@dataclass(frozen=True)
class SplitResult:
    """What one split gave; over several trainings, their means."""

    split: int
    validation: float
    estimate: float  # cross-fitted: what settings are compared by
    test: float
    epoch: int  # of the best validation accuracy, in the first training
    epochs: int  # made in all
    seconds: float
    curve: tuple[tuple[float, float], ...]  # training loss and validation accuracy, epoch by epoch, of the first
    commit: str | None = None  # of the clone it was trained with; a run that goes on may have several
    threads: int | None = None  # of torch, which decide the order of sums


def task_of(settings: Settings) -> ModuleType:
    """How data is prepared, a model fitted and its accuracy found: the module of that task."""
    from lvc.experiments import graph, vertex

    return {"vertex": vertex, "graph": graph}[settings.task]


def notes_of(settings: Settings) -> list[str]:
    """What is to be known of the data that these settings are trained on; looked at once in a process."""
    places = os.environ.get("LVC_DATA"), os.environ.get("LVC_CACHE")
    key = settings.task, settings.dataset, *places
    if key not in _notes:
        _notes[key] = list(task_of(settings).notes(settings.dataset))
    return _notes[key]


_notes: dict[tuple[str | None, ...], list[str]] = {}


def fit_once(
    settings: Settings, prepared: Any, number: int, progress: Progress | None = None, training: int = 0
) -> Fitted:
    """One training on one split: the seed, the split and the number of the training decide it."""
    seed_with((settings.seed, number, training) if training else (settings.seed, number))
    return task_of(settings).fit_split(settings, prepared, number, progress)


def train_split(
    settings: Settings,
    prepared: Any,
    number: int,
    progress: Progress | None = None,
    trained: Trained | None = None,
) -> SplitResult:
    """Train on one split as often as the settings say, and look at its test part once for each training.

    What is ``trained`` already is not trained again.
    """
    made_with = commit(), torch.get_num_threads()
    known = (trained or {}).get((settings, number))
    fitted = [known or fit_once(settings, prepared, number, progress)]
    fitted += [fit_once(settings, prepared, number, progress, k) for k in range(1, settings.trainings)]
    tested = [task_of(settings).accuracy(settings, one.model, prepared, number) for one in fitted]
    return SplitResult(
        number,
        float(np.mean([one.validation for one in fitted])),
        float(np.mean([one.estimate for one in fitted])),
        float(np.mean(tested)),
        fitted[0].epoch,
        sum(len(one.curve) for one in fitted),
        sum(one.seconds for one in fitted),
        fitted[0].curve,
        *made_with,
    )


def run(
    settings: Settings,
    results: Path,
    threads: int = 1,
    progress: SplitProgress | None = None,
    jobs: int = 1,
    tuning: dict[str, Any] | None = None,
    trained: Trained | None = None,
) -> tuple[dict[str, Any], list[SplitResult]]:
    """Train on every split and add a line to ``results``; with ``jobs``, splits side by side in processes.

    Splits that an earlier, interrupted run finished are taken from beside ``results``; a run that is there already with
    exactly these settings is not made again. ``tuning`` is written down with it: how the settings were chosen, unless
    more is written there already, the study that chose them or whom it compared them with. What is ``trained`` in
    this process is not trained again.
    """
    about = {} if tuning is None else {"tuning": tuning}
    if results.is_file():
        found = [row for row in read_rows(results)[0] if (row["task"], row["key"]) == (settings.task, settings.key)]
        if found:
            row = found[0]
            known = row.get("tuning", {})
            if tuning is not None and all(what in tuning for what in ("study", "finalists") if what in known):
                row |= about
                put_row(results, row)
            return row, []
    refuse_no_lines(results)
    partial = results.with_name(f".{results.stem}-{settings.key}.json")
    done = read_partial(partial, settings.splits)
    missing = [number for number in range(settings.splits) if number not in {one.split for one in done}]
    for one in _trained(settings, missing, threads, progress, jobs, trained):
        done.append(one)
        make_folder(partial.parent)
        write_text(partial, json.dumps([asdict(each) for each in done]))
    done.sort(key=lambda one: one.split)
    row = result_row(settings, done) | about | {"notes": notes_of(settings)}
    put_row(results, row)
    partial.unlink(missing_ok=True)
    return row, done


def _trained(
    settings: Settings,
    numbers: list[int],
    threads: int,
    progress: SplitProgress | None,
    jobs: int,
    trained: Trained | None,
) -> Iterator[SplitResult]:
    if jobs > 1:
        yield from with_threads(_train_in_process, [(settings, number) for number in numbers], threads, jobs)
        return
    with threads_of_torch(threads):
        prepared = task_of(settings).prepare(settings) if numbers else None
        for number in numbers:
            report = None if progress is None else lambda *now, number=number: progress(number, *now)
            yield train_split(settings, prepared, number, report, trained)


class PreparedData:
    """Data as the last few settings take it: to search and join graphs takes as long as epochs."""

    def __init__(self) -> None:
        self._kept: dict[Hashable, Any] = {}

    def of(self, settings: Settings) -> Any:
        task = task_of(settings)
        key = task, settings.dataset, settings.protocol, settings.splits, settings.seed, task.data_key(settings)
        if key not in self._kept:
            if len(self._kept) >= 4:
                self._kept.pop(next(iter(self._kept)))
            self._kept[key] = task.prepare(settings)
        return self._kept[key]


OF_THIS_PROCESS = PreparedData()  # of one that works for another


def _train_in_process(settings: Settings, number: int) -> SplitResult:
    return train_split(settings, OF_THIS_PROCESS.of(settings), number)


def with_threads(function: Callable[..., Any], calls: Iterable[tuple], threads: int, jobs: int) -> Iterator[Any]:
    """Results of ``function`` as they come, from processes in which torch has so many threads."""
    return side_by_side(function, calls, jobs, _begin, (threads,))


def _begin(threads: int) -> None:
    keep_freed_memory()
    torch.set_num_threads(threads)


@contextmanager
def threads_of_torch(threads: int) -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def read_partial(path: Path, splits: int) -> list[SplitResult]:
    """The splits that were finished before an interruption; a damaged file counts as none."""
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
        done = [SplitResult(**{**row, "curve": tuple(map(tuple, row["curve"]))}) for row in rows]
    except (OSError, ValueError, TypeError, KeyError):
        return []
    numbers = [one.split for one in done]
    whole = all(type(one) is int and 0 <= one < splits for one in numbers) and len(set(numbers)) == len(numbers)
    return done if whole and all(map(is_whole, done)) else []


def is_whole(one: SplitResult) -> bool:
    """Whether all that was read is numbers, but for what it was made with."""
    others = ("curve", "commit", "threads")
    return all(type(value) in (int, float) for name, value in asdict(one).items() if name not in others)

"""Search for good settings on validation data, train with the best of them, test once, and write one line."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from optuna.trial import TrialState

from lvc.experiments.finalists import finalists
from lvc.experiments.results import put_row, read_rows, result_row
from lvc.experiments.runs import (
    OF_THIS_PROCESS,
    PreparedData,
    SplitProgress,
    SplitResult,
    is_whole,
    notes_of,
    run,
    task_of,
    threads_of_torch,
    train_split,
    with_threads,
)
from lvc.experiments.studies import (
    FINISHED,
    Tuning,
    count,
    default_storage,
    give_up_the_dead,
    open_study,
    reading,
    refuse_storage,
)
from lvc.experiments.trials import Progress, make_trials, summary, tell
from lvc.files import make_folder, refuse_no_lines, write_text

WAIT = 5  # seconds between looks at what others do
COUNTED = ("trials", "pruned", "seconds")  # of the searches of all folds together


def decided(tuning: Tuning, results: Path) -> dict[str, Any] | None:
    """The last line in ``results`` that this study ended with after as many trials and with as many finalists, or more.

    Of two studies that chose the same settings only the later has a line.
    """
    for row in reversed(read_rows(results)[0] if results.is_file() else []):
        about = row.get("tuning", {})
        if (row["task"], about.get("study")) == (tuning.base.task, tuning.name):
            compared = about.get("finalists_asked", len(about.get("finalists", [0])))
            made = [fold["trials"] for fold in about.get("folds", [])] or [about.get("trials", 0)]
            if min(made) >= tuning.trials and compared >= tuning.finalists:
                return row
    return None


def tune(
    tuning: Tuning,
    results: Path,
    storage: str | None = None,
    threads: int = 1,
    progress: Progress | None = None,
    split_progress: SplitProgress | None = None,
    jobs: int = 1,
) -> dict[str, Any] | None:
    """Search, then train on every split with the best settings and write one line; None if others still search.

    If there are several ``tuning.finalists``, they are first compared on the validation data of every split. A study
    whose line is there is not made again, even if its trials are gone. Trials run side by side in ``jobs`` processes,
    and so do the splits in the end.

    ``storage`` is anything Optuna takes; by default a SQLite file beside ``results``.
    """
    if (row := decided(tuning, results)) is not None:
        return row
    where = _place_of_trials(tuning, results, storage, jobs)
    study = open_study(tuning, where)
    with reading(where), threads_of_torch(threads):
        for _ in _trials_side_by_side([tuning], where, threads, jobs):
            tell(study, progress)
        trained = make_trials(tuning, study, progress)
        if count(study, TrialState.RUNNING):
            return None
        best = finalists(tuning, study, split_progress)
        about = summary(tuning, study, best, trained)
    return run(best[0].settings, results, threads, split_progress, jobs, about, trained)[0]


def tune_each_fold(
    tuning: Tuning,
    results: Path,
    storage: str | None = None,
    threads: int = 1,
    progress: Callable[[int], Any] | None = None,
    jobs: int = 1,
) -> dict[str, Any]:
    """Search anew for each fold, on its own validation part; train the best on it and test; one line for all folds.

    Folds run side by side in ``jobs`` processes, and if there are more of these than folds, so do the trials of a fold.
    Folds that are done are kept beside ``results``, and a search that is there already with at least as many trials is
    not made again.
    """
    if (row := decided(tuning, results)) is not None:
        return row
    where = _place_of_trials(tuning, results, storage, jobs)
    partial = results.with_name(f".{results.stem}-{tuning.name}.json")
    done = _read_folds(partial, tuning.trials)
    missing = [number for number in range(tuning.base.splits) if str(number) not in done]
    work = [(replace(tuning, fold=number), where) for number in missing]
    if progress is not None:
        progress(len(done))
    with threads_of_torch(threads):
        if jobs > len(work):
            for _ in _trials_side_by_side([fold for fold, _ in work], where, threads, jobs):
                pass
        kept = PreparedData()
        found = (
            with_threads(_tuned_in_process, work, threads, jobs)
            if jobs > 1
            else (_tuned_fold(*each, kept) for each in work)
        )
        for fold in found:
            done[str(fold["result"]["split"])] = fold
            write_text(partial, json.dumps(done))
            if progress is not None:
                progress(len(done))
    folds = [done[str(number)] for number in range(tuning.base.splits)]
    row = result_row(tuning.base, [SplitResult(**fold["result"]) for fold in folds])
    for split, fold in zip(row["splits"], folds, strict=True):
        split["settings"] = fold["settings"]
    searches = [fold["tuning"] for fold in folds]
    total = {name: sum(one[name] for one in searches) for name in COUNTED}
    row["key"] = hashlib.sha256(tuning.name.encode()).hexdigest()[:12]
    row["tuning"] = {"study": tuning.name, **total, "tuning_splits": 1, "folds": searches}
    row["notes"] = notes_of(tuning.base)
    put_row(results, row)
    partial.unlink(missing_ok=True)
    return row


def _place_of_trials(tuning: Tuning, results: Path, storage: str | None, jobs: int) -> str:
    """The storage; what cannot be split, or written down, is refused before anything is written."""
    refuse_no_lines(results)
    task_of(tuning.base).splits_of(tuning.base)
    where = storage or default_storage(results)
    refuse_storage(where, results, jobs)
    make_folder(results.parent)
    return where


def _trials_side_by_side(tunings: Sequence[Tuning], storage: str, threads: int, jobs: int) -> Iterator[None]:
    """Make the trials that are missing in ``jobs`` processes, which share the studies; yields after every trial.

    Which trials are given up early then depends on which are faster.
    """
    if jobs == 1:
        return
    missing = [tuning.trials - count(open_study(tuning, storage), *FINISHED) for tuning in tunings]
    turns = [
        (tuning, storage)
        for turn in range(max(missing, default=0))
        for tuning, left in zip(tunings, missing, strict=True)
        if turn < left
    ]
    yield from with_threads(_trial_in_process, turns, threads, jobs)


def _trial_in_process(tuning: Tuning, storage: str) -> None:
    study = open_study(tuning, storage)
    with reading(storage):
        make_trials(tuning, study, prepared=OF_THIS_PROCESS, most=1)


def _tuned_in_process(tuning: Tuning, storage: str) -> dict[str, Any]:
    return _tuned_fold(tuning, storage, OF_THIS_PROCESS)


def _tuned_fold(tuning: Tuning, storage: str, prepared: PreparedData) -> dict[str, Any]:
    assert tuning.fold is not None
    study = open_study(tuning, storage)
    with reading(storage):
        trained = make_trials(tuning, study, prepared=prepared)
        while count(study, TrialState.RUNNING):  # of others
            time.sleep(WAIT)
            give_up_the_dead(study)
            trained |= make_trials(tuning, study, prepared=prepared)
        best = finalists(tuning, study)
        about = summary(tuning, study, best, trained)
    settings = best[0].settings
    result = train_split(settings, prepared.of(settings), tuning.fold, trained=trained)
    chosen = {name: value for name, value in asdict(settings).items() if value != getattr(tuning.base, name)}
    return {
        "result": asdict(replace(result, curve=())),
        "settings": chosen,
        "tuning": about,
    }


def _read_folds(path: Path, trials: int) -> dict[str, Any]:
    """The folds that were finished before an interruption, with as many trials; a damaged file counts as none."""
    try:
        folds = json.loads(path.read_text(encoding="utf-8"))
        for number, fold in folds.items():
            result = SplitResult(**fold["result"])
            if not is_whole(result) or result.split != int(number) or not isinstance(fold["settings"], dict):
                return {}
            if not all(type(fold["tuning"][name]) in (int, float) for name in COUNTED):
                return {}
        return {number: fold for number, fold in folds.items() if fold["tuning"]["trials"] >= trials}
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return {}

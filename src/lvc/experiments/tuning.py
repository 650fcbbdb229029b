"""Search for good settings on validation data only; the labels of a split's test vertices are not looked at here."""

from __future__ import annotations

import hashlib
import json
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import optuna
from optuna.trial import FrozenTrial, TrialState

from lvc.errors import TooLargeError
from lvc.experiments.finalists import Finalist, finalists, seconds_of_finalists
from lvc.experiments.results import put_row, read_rows, result_row
from lvc.experiments.runs import (
    OF_THIS_PROCESS,
    PreparedData,
    SplitProgress,
    SplitResult,
    Trained,
    fit_once,
    is_whole,
    notes_of,
    run,
    task_of,
    threads_of_torch,
    train_split,
    with_threads,
)
from lvc.experiments.settings import Settings
from lvc.experiments.space import settings_from
from lvc.experiments.studies import (
    FINISHED,
    FIRST_RUNG,
    OWNER,
    REFUSED,
    REFUSED_BY,
    RUNG,
    THIS_PROCESS,
    Tuning,
    count,
    default_storage,
    give_up_the_dead,
    open_study,
    reading,
    this_process,
    trials_of,
)
from lvc.files import make_folder, refuse_unwritable, write_text
from lvc.provenance import commit

RUNGS = tuple(RUNG**k for k in range(8))
WAIT = 5  # seconds between looks at what others do
COUNTED = ("trials", "pruned", "seconds")  # of the searches of all folds together

Progress = Callable[[int, float | None], Any]  # trials finished, best validation accuracy so far


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
) -> dict[str, Any] | None:
    """Search, then train on every split with the best settings and write one line; None if others still search.

    If there are several ``tuning.finalists``, they are first compared on the validation data of every split. A study
    whose line is there is not made again, even if its trials are gone.

    ``storage`` is anything Optuna takes; by default a SQLite file beside ``results``.
    """
    if (row := decided(tuning, results)) is not None:
        return row
    refuse_unwritable(results)
    task_of(tuning.base).splits_of(tuning.base)  # what cannot be split is refused before anything is written
    make_folder(results.parent)
    where = storage or default_storage(results)
    study = open_study(tuning, where)
    with reading(where), threads_of_torch(threads):
        trained = search(tuning, study, progress)
        if count(study, TrialState.RUNNING):
            return None
        best = finalists(tuning, study, split_progress)
        about = summary(tuning, study, best, trained)
    return run(best[0].settings, results, threads, split_progress, tuning=about, trained=trained)[0]


def tune_each_fold(
    tuning: Tuning,
    results: Path,
    storage: str | None = None,
    threads: int = 1,
    progress: Callable[[int], Any] | None = None,
    jobs: int = 1,
) -> dict[str, Any]:
    """Search anew for each fold, on its own validation part; train the best on it and test; one line for all folds.

    Folds run side by side in ``jobs`` processes; those that are done are kept beside ``results``, and a search that is
    there already with at least as many trials is not made again.
    """
    if (row := decided(tuning, results)) is not None:
        return row
    refuse_unwritable(results)
    task_of(tuning.base).splits_of(tuning.base)  # what cannot be split is refused before anything is written
    make_folder(results.parent)
    where = storage or default_storage(results)
    partial = results.with_name(f".{results.stem}-{tuning.name}.json")
    done = _read_folds(partial, tuning.trials)
    missing = [number for number in range(tuning.base.splits) if str(number) not in done]
    work = [(replace(tuning, fold=number), where) for number in missing]
    if progress is not None:
        progress(len(done))
    with threads_of_torch(threads):
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


def _tuned_in_process(tuning: Tuning, storage: str) -> dict[str, Any]:
    return _tuned_fold(tuning, storage, OF_THIS_PROCESS)


def _tuned_fold(tuning: Tuning, storage: str, prepared: PreparedData) -> dict[str, Any]:
    assert tuning.fold is not None
    study = open_study(tuning, storage)
    with reading(storage):
        trained = search(tuning, study, prepared=prepared)
        while count(study, TrialState.RUNNING):  # of others
            time.sleep(WAIT)
            give_up_the_dead(study)
            trained |= search(tuning, study, prepared=prepared)
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


def search(
    tuning: Tuning, study: optuna.Study, progress: Progress | None = None, prepared: PreparedData | None = None
) -> Trained:
    """Make trials until there are ``tuning.trials`` in the study, whoever made them; what the best of them trained."""
    trial = Trial(tuning, prepared or PreparedData())
    while count(study, *FINISHED, TrialState.RUNNING) < tuning.trials:
        if progress is not None:
            progress(count(study, *FINISHED), _best(study))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
            study.enqueue_trial({}, user_attrs={OWNER: this_process()})  # one without an owner could never be given up
            with _unless_given_up():
                study.optimize(trial, n_trials=1)
    if progress is not None:
        progress(count(study, *FINISHED), _best(study))
    return trial.trained


@contextmanager
def _unless_given_up() -> Iterator[None]:
    """Another machine ends a trial that gave no sign of life for long, as one does that slept: it is made again."""
    try:
        yield
    except optuna.exceptions.UpdateFinishedTrialError:
        pass
    except (ValueError, AssertionError) as error:  # the second where Optuna stumbles over the first
        if "Cannot tell a FAIL trial" not in f"{error} {error.__context__}":
            raise


def summary(tuning: Tuning, study: optuna.Study, best: list[Finalist], trained: Trained) -> dict[str, Any]:
    """What is written down of a search, and of each of its trials.

    Time counts once: what was ``trained`` with the best settings counts where it is tested.
    """
    trials = trials_of(study, *FINISHED)
    spent = sum((one.duration.total_seconds() for one in trials if one.duration is not None), 0.0)
    spent += seconds_of_finalists(study)
    spent -= sum(one.seconds for (settings, _), one in trained.items() if settings == best[0].settings)
    place = {one.number: k for k, one in enumerate(trials)}
    compared = [{"trial": place[one.trial], "estimate": round(100 * one.estimate, 2)} for one in best]
    return {
        "study": tuning.name,
        "trials": len(trials),
        "pruned": sum(one.state == TrialState.PRUNED for one in trials),
        "tuning_splits": tuning.tuning_splits,
        "seconds": round(max(spent, 0.0), 1),
        **({"finalists": compared} if len(compared) > 1 else {}),
        **({"finalists_asked": tuning.finalists} if tuning.finalists > 1 else {}),
        "history": [_history(one, "splits" if tuning.fold is None else "rungs") for one in trials],
    }


def _history(trial: FrozenTrial, steps: str) -> dict[str, Any]:
    """Its settings, how far it came, and its mean cross-fitted accuracy.

    Of one that was given up what it was given up for: that of the splits it saw or, on a fold, that of its best epoch.
    """
    shown = {k: float(f"{v:.3g}") if isinstance(v, float) else v for k, v in sorted(trial.params.items())}
    seen = trial.intermediate_values
    last = seen[max(seen)] if trial.value is None and seen else trial.value
    given_up = {"given_up": True} if trial.state == TrialState.PRUNED else {}
    return {"estimate": None if last is None else round(100 * last, 2), steps: len(seen), **given_up, **shown}


class Trial:
    """Called by Optuna: choose settings, train on some splits, give up early if others did better."""

    def __init__(self, tuning: Tuning, prepared: PreparedData) -> None:
        self.tuning, self.prepared = tuning, prepared
        commit()  # it is remembered as it is now: the clone may move on before a fold ends
        self._best = -np.inf
        self.trained: Trained = {}  # by the best trial so far

    def __call__(self, trial: optuna.Trial) -> float:
        trial.set_user_attr(OWNER, this_process())  # it may have waited since its owner was killed
        chosen = {name: trial._suggest(name, choice) for name, choice in self.tuning.space.items()}
        settings = replace(self.tuning.base, **settings_from(self.tuning.base.model, chosen))
        try:
            return self._estimate(trial, settings)
        except TooLargeError as error:  # a radius, or a batch
            trial.set_user_attr(REFUSED, str(error))
            trial.set_user_attr(REFUSED_BY, THIS_PROCESS)  # another may have more memory
            raise optuna.TrialPruned from None

    def _estimate(self, trial: optuna.Trial, settings: Settings) -> float:
        """The mean cross-fitted accuracy over the splits of the search."""
        prepared, trained = self.prepared.of(settings), Trained()
        seen: list[float] = []
        alone = self.tuning.fold is not None
        for step, number in enumerate(self.tuning.numbers):
            rungs = (lambda epoch, loss, best: _rung(trial, epoch, best)) if alone else None
            trained[settings, number] = fit_once(settings, prepared, number, rungs)
            seen.append(trained[settings, number].estimate)
            if not alone:
                trial.report(float(np.mean(seen)), step)
                if step + 1 < len(self.tuning.numbers) and trial.should_prune():
                    raise optuna.TrialPruned
        if (estimate := float(np.mean(seen))) > self._best:
            self._best, self.trained = estimate, trained
        return estimate


def _rung(trial: optuna.Trial, epoch: int, best: float) -> None:
    """After 30, 90, 270, ... epochs a trial goes on only if it is among the best third that came so far.

    They are compared by their best epochs here: cross-fitted accuracy is known in the end only.
    """
    if epoch >= FIRST_RUNG and (epoch // FIRST_RUNG) in RUNGS and epoch % FIRST_RUNG == 0:
        trial.report(best, epoch)
        if trial.should_prune():
            raise optuna.TrialPruned


def _best(study: optuna.Study) -> float | None:
    values = [one.value for one in study.get_trials(deepcopy=False, states=(TrialState.COMPLETE,))]
    return max((value for value in values if value is not None), default=None)

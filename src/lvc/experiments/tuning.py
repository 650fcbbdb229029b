"""Search for good settings on validation data only, in a study that can be stopped at any moment and shared.

The labels of a split's test vertices are not looked at here. What a restarted study proposes depends on what is
finished and on the seed, not on where it was stopped: a trial that was killed is proposed again, and not counted.
"""

from __future__ import annotations

import hashlib
import json
import os
import socket
import warnings
from collections.abc import Callable, Hashable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import optuna
from filelock import FileLock
from optuna.samplers import BaseSampler, TPESampler
from optuna.trial import FrozenTrial, TrialState

from lvc.errors import LvcError
from lvc.experiments.results import put_row, result_row
from lvc.experiments.runs import (
    SplitProgress,
    SplitResult,
    run,
    side_by_side,
    task_of,
    threads_of_torch,
    train_split,
)
from lvc.experiments.settings import Settings
from lvc.experiments.space import Space, grid_of, settings_from, space_of, starts_of
from lvc.experiments.training import seed_with
from lvc.files import make_folder, write_text

VERSION = 2  # of what a trial's value means
FINISHED = (TrialState.COMPLETE, TrialState.PRUNED)
STARTUP = 8  # trials before the sampler looks back, and before anything is pruned
KEPT = 40.0  # per cent of trials that go on after each split
FIRST_RUNG, RUNG = 10, 3  # epochs after which the best third goes on: 10, 30, 90, ...
RUNGS = tuple(RUNG**k for k in range(8))
ALIVE = 60  # seconds between signs of life to a shared storage


@dataclass(frozen=True)
class Tuning:
    """A search for settings; ``base`` holds what is not searched, ``fixed`` the names in it that the user set."""

    base: Settings
    trials: int
    tuning_splits: int = 3  # of the protocol's, the first ones
    largest_radius: int = 4
    fixed: tuple[str, ...] = ()
    fold: int | None = None  # tuned for this split alone, by its own validation part
    grid: bool = False  # every point of the paper's grid instead of a search

    def __post_init__(self) -> None:
        for what in ("trials", "tuning_splits"):
            if getattr(self, what) < 1:
                raise LvcError(f"{what} must be at least 1, got {getattr(self, what)}")
        if self.tuning_splits > self.base.splits:
            raise LvcError(f"there are {self.base.splits} splits, so not {self.tuning_splits} of them to tune on")

    @property
    def numbers(self) -> tuple[int, ...]:
        """The splits that a trial is trained on."""
        return tuple(range(self.tuning_splits)) if self.fold is None else (self.fold,)

    @property
    def space(self) -> Space:
        if self.grid:
            return grid_of(self.base.model, self.largest_radius, self.fixed)[0]
        return space_of(type(self.base), self.base.model, self.largest_radius, self.fixed)

    @property
    def starts(self) -> list[dict[str, Any]]:
        if self.grid:
            return grid_of(self.base.model, self.largest_radius, self.fixed)[1]
        return starts_of(type(self.base), self.base.model, self.space, self.largest_radius)

    @property
    def name(self) -> str:
        """The study's: everything that decides a trial, so that unlike trials never meet in one study."""
        searched = {name: str(choice) for name, choice in sorted(self.space.items())}
        decides = [VERSION, self.base.key, self.tuning_splits, searched, self.starts]
        short = hashlib.sha256(json.dumps(decides).encode()).hexdigest()[:8]
        name = f"{self.base.dataset}-{self.base.model}-{self.base.protocol}-{short}"
        return name if self.fold is None else f"{name}-fold{self.fold}"


Progress = Callable[[int, float | None], Any]  # trials finished, best validation accuracy so far


def tune(
    tuning: Tuning,
    results: Path,
    storage: str | None = None,
    threads: int = 1,
    progress: Progress | None = None,
    split_progress: SplitProgress | None = None,
) -> dict[str, Any] | None:
    """Search, then train on every split with the best settings and write one line; None if others still search.

    ``storage`` is anything Optuna takes; by default a SQLite file beside ``results``.
    """
    study = open_study(tuning, storage or default_storage(results))
    with threads_of_torch(threads):
        search(tuning, study, progress)
    if count(study, TrialState.RUNNING):
        return None
    row, _ = run(best_settings(tuning, study), results, threads, split_progress)
    row["tuning"] = summary(tuning, study)
    put_row(results, row)
    return row


def tune_each_fold(
    tuning: Tuning,
    results: Path,
    storage: str | None = None,
    threads: int = 1,
    progress: Callable[[int], Any] | None = None,
    jobs: int = 1,
) -> dict[str, Any]:
    """Search anew for each fold, on its own validation part; train the best on it and test; one line for all folds.

    Folds run side by side in ``jobs`` processes; those that are done are kept beside ``results``.
    """
    where = storage or default_storage(results)
    partial = results.with_name(f".{results.stem}-{tuning.name}.json")
    done = _read_folds(partial)
    missing = [number for number in range(tuning.base.splits) if str(number) not in done]
    work = [(replace(tuning, fold=number), where) for number in missing]
    if progress is not None:
        progress(len(done))
    with threads_of_torch(threads):
        found = side_by_side(_tuned_fold, work, threads, jobs) if jobs > 1 else (_tuned_fold(*each) for each in work)
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
    total = {name: sum(one[name] for one in searches) for name in ("trials", "pruned", "seconds")}
    row["key"] = hashlib.sha256(tuning.name.encode()).hexdigest()[:12]
    row["tuning"] = {"study": tuning.name, **total, "tuning_splits": 1, "folds": searches}
    put_row(results, row)
    partial.unlink(missing_ok=True)
    return row


def _tuned_fold(tuning: Tuning, storage: str) -> dict[str, Any]:
    assert tuning.fold is not None
    study = open_study(tuning, storage)
    search(tuning, study)
    best = best_settings(tuning, study)
    result = train_split(best, task_of(best).prepare(best), tuning.fold)
    chosen = {name: value for name, value in asdict(best).items() if value != getattr(tuning.base, name)}
    return {"result": asdict(replace(result, curve=())), "settings": chosen, "tuning": summary(tuning, study)}


def _read_folds(path: Path) -> dict[str, Any]:
    try:
        return dict(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return {}


def default_storage(results: Path) -> str:
    """A SQLite file beside the results."""
    make_folder(results.parent)
    return f"sqlite:///{results.parent / 'studies.db'}"


def open_study(tuning: Tuning, storage: str) -> optuna.Study:
    """The study of ``tuning``, made if it is not there; trials of dead processes of this machine are given up."""
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    try:
        with _one_at_a_time(storage):
            study = optuna.create_study(
                storage=_storage(storage),
                study_name=tuning.name,
                direction="maximize",
                load_if_exists=True,
                sampler=Replayed(tuning.base.seed, tuning.starts),
                pruner=_pruner(tuning),
            )
    except Exception as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise LvcError(f"cannot open the study in {storage!r}: {reason}") from None
    for trial in study.get_trials(deepcopy=False, states=(TrialState.RUNNING,)):
        host, _, process = trial.user_attrs.get("owner", "").rpartition(":")
        if host == socket.gethostname() and not _alive(int(process)):
            study.tell(trial.number, state=TrialState.FAIL)
    return study


def _pruner(tuning: Tuning) -> optuna.pruners.BasePruner:
    """Over several splits give up after a split, on a single one after some epochs (successive halving)."""
    if tuning.grid:
        return optuna.pruners.NopPruner()
    if tuning.fold is not None:
        return optuna.pruners.SuccessiveHalvingPruner(min_resource=FIRST_RUNG, reduction_factor=RUNG)
    return optuna.pruners.PercentilePruner(KEPT, n_startup_trials=STARTUP)


def _storage(url: str) -> Any:
    """Optuna's storage; a database is told regularly that its trials are alive, so that others can give them up."""
    if "://" not in url or url.startswith("redis"):
        return url
    waiting = {"connect_args": {"timeout": 60}} if url.startswith("sqlite") else None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
        return optuna.storages.RDBStorage(url, waiting, heartbeat_interval=ALIVE, grace_period=3 * ALIVE)


def _one_at_a_time(url: str) -> AbstractContextManager[Any]:
    """Two processes must not make the tables of one SQLite file at once."""
    path = url.removeprefix("sqlite:///")
    return FileLock(f"{path}.lock") if path != url and path else nullcontext()


def search(tuning: Tuning, study: optuna.Study, progress: Progress | None = None) -> None:
    """Make trials until there are ``tuning.trials`` in the study, whoever made them."""
    trial = Trial(tuning)
    while count(study, *FINISHED, TrialState.RUNNING) < tuning.trials:
        if progress is not None:
            progress(count(study, *FINISHED), _best(study))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
            study.optimize(trial, n_trials=1)
    if progress is not None:
        progress(count(study, *FINISHED), _best(study))


def best_settings(tuning: Tuning, study: optuna.Study) -> Settings:
    """The settings with the best mean cross-fitted validation accuracy; of equals, the first."""
    complete = study.get_trials(deepcopy=False, states=(TrialState.COMPLETE,))
    if not complete:
        reasons = {one.user_attrs.get("refused", "") for one in study.get_trials(deepcopy=False)} - {""}
        raise LvcError(f"no trial of {tuning.name} came to an end: {'; '.join(sorted(reasons)) or 'all were pruned'}")
    best = max(complete, key=lambda one: (one.value, -one.number))
    return replace(tuning.base, **settings_from(tuning.base.model, best.params))


def summary(tuning: Tuning, study: optuna.Study) -> dict[str, Any]:
    """What is written down of a search, each trial with its settings and mean cross-fitted accuracy."""
    trials = study.get_trials(deepcopy=False, states=FINISHED)
    spent = sum((one.duration.total_seconds() for one in trials if one.duration is not None), 0.0)
    return {
        "study": tuning.name,
        "trials": len(trials),
        "pruned": sum(one.state == TrialState.PRUNED for one in trials),
        "tuning_splits": tuning.tuning_splits,
        "seconds": round(spent, 1),
        "history": [_history(one) for one in trials],
    }


def _history(trial: FrozenTrial) -> dict[str, Any]:
    shown = {k: float(f"{v:.3g}") if isinstance(v, float) else v for k, v in sorted(trial.params.items())}
    seen = trial.intermediate_values
    last = round(100 * seen[max(seen)], 2) if seen else None
    return {"estimate": last, "splits": len(seen), **shown}


def count(study: optuna.Study, *states: TrialState) -> int:
    return len(study.get_trials(deepcopy=False, states=states))


class Trial:
    """Called by Optuna: choose settings, train on some splits, give up early if others did better."""

    def __init__(self, tuning: Tuning) -> None:
        self.tuning = tuning
        self._prepared: dict[Hashable, Any] = {}

    def __call__(self, trial: optuna.Trial) -> float:
        trial.set_user_attr("owner", f"{socket.gethostname()}:{os.getpid()}")
        chosen = {name: trial._suggest(name, choice) for name, choice in self.tuning.space.items()}
        settings = replace(self.tuning.base, **settings_from(self.tuning.base.model, chosen))
        try:
            prepared = self._data(settings)
        except LvcError as error:  # a radius that does not fit into memory
            trial.set_user_attr("refused", str(error))
            raise optuna.TrialPruned from None
        seen: list[float] = []
        alone = self.tuning.fold is not None
        for step, number in enumerate(self.tuning.numbers):
            seed_with((settings.seed, number))
            rungs = (lambda epoch, loss, best: _rung(trial, epoch, best)) if alone else None
            seen.append(task_of(settings).fit_split(settings, prepared, number, rungs).estimate)
            if not alone:
                trial.report(float(np.mean(seen)), step)
                if step + 1 < len(self.tuning.numbers) and trial.should_prune():
                    raise optuna.TrialPruned
        return float(np.mean(seen))

    def _data(self, settings: Settings) -> Any:
        """Prepared data, kept for the next trial: a search takes longer than some trainings."""
        key = task_of(settings).data_key(settings)
        if key not in self._prepared:
            if len(self._prepared) >= 4:
                self._prepared.pop(next(iter(self._prepared)))
            self._prepared[key] = task_of(settings).prepare(settings)
        return self._prepared[key]


def _rung(trial: optuna.Trial, epoch: int, best: float) -> None:
    """After 10, 30, 90, ... epochs a trial goes on only if it is among the best third that came so far."""
    if epoch >= FIRST_RUNG and (epoch // FIRST_RUNG) in RUNGS and epoch % FIRST_RUNG == 0:
        trial.report(best, epoch)
        if trial.should_prune():
            raise optuna.TrialPruned


class Replayed(BaseSampler):
    """Optuna's TPE, seeded anew for each trial by how many came before it, and told the first trials' settings."""

    def __init__(self, seed: int, starts: Sequence[dict[str, Any]]) -> None:
        self.seed, self.starts = seed, starts
        self._now: BaseSampler = TPESampler(seed=seed)
        self._start: dict[str, Any] = {}

    def before_trial(self, study: optuna.Study, trial: FrozenTrial) -> None:
        earlier = [one for one in study.get_trials(deepcopy=False) if one.number < trial.number]
        order = sum(one.state != TrialState.FAIL for one in earlier)
        seed = int(np.random.SeedSequence([self.seed, order]).generate_state(1)[0])
        self._now = TPESampler(n_startup_trials=STARTUP, multivariate=True, seed=seed)
        self._start = self.starts[order] if order < len(self.starts) else {}
        self._now.before_trial(study, trial)

    def infer_relative_search_space(self, study: optuna.Study, trial: FrozenTrial) -> dict[str, Any]:
        return {} if self._start else self._now.infer_relative_search_space(study, trial)

    def sample_relative(self, study: optuna.Study, trial: FrozenTrial, search_space: dict[str, Any]) -> dict[str, Any]:
        return self._now.sample_relative(study, trial, search_space)

    def sample_independent(
        self, study: optuna.Study, trial: FrozenTrial, param_name: str, param_distribution: Any
    ) -> Any:
        if param_name in self._start:
            return self._start[param_name]
        return self._now.sample_independent(study, trial, param_name, param_distribution)

    def after_trial(
        self, study: optuna.Study, trial: FrozenTrial, state: TrialState, values: Sequence[float] | None
    ) -> None:
        self._now.after_trial(study, trial, state, values)


def _best(study: optuna.Study) -> float | None:
    values = [one.value for one in study.get_trials(deepcopy=False, states=(TrialState.COMPLETE,))]
    return max((value for value in values if value is not None), default=None)


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return process != os.getpid()

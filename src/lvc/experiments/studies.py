"""A study: where the trials of one search for settings are kept, who proposes them and which are given up early.

It can be stopped at any moment and shared. What a restarted study proposes depends on what is finished and on the seed,
not on where it was stopped: a trial that was killed is proposed again, and not counted.
"""

from __future__ import annotations

import hashlib
import json
import os
import socket
import warnings
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast
from uuid import uuid4

import numpy as np
import optuna
from filelock import FileLock
from optuna.samplers import BaseSampler, TPESampler
from optuna.trial import FrozenTrial, TrialState
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from lvc.errors import LvcError
from lvc.experiments.settings import Settings, at_least_one
from lvc.experiments.space import GRID_RADIUS, Space, grid_of, settings_from, space_of, starts_of

VERSION = 2  # of what a trial's value means
FINISHED = (TrialState.COMPLETE, TrialState.PRUNED)
STARTUP = 8  # trials before the sampler looks back
UNPRUNED = 4  # trials before one is given up
KEPT = 40.0  # per cent of trials that go on after each split
FIRST_RUNG, RUNG = 30, 3  # epochs after which the best third goes on: 30, 90, 270, ...
ALIVE = 60  # seconds between signs of life to a shared storage
OWNER, PLACE = "owner", "place"  # attributes of a trial: the process that makes it, and the how manieth it is
REFUSED, REFUSED_BY = "refused", "refused_by"  # of one that did not fit into memory: what was said, and by whom
THIS_PROCESS = uuid4().hex  # unlike its number, which another may have after it


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
    finalists: int = 1  # the best settings, which are compared on every split if there are several

    def __post_init__(self) -> None:
        at_least_one(self, "trials", "tuning_splits", "finalists", "largest_radius")
        if self.finalists > 1 and self.tuning_splits == self.base.splits:
            raise LvcError("trials on every split leave nothing to compare finalists on; leave finalists out")
        if self.fold is not None and self.finalists > 1:
            raise LvcError("settings of one fold cannot be compared on others, which may train on what it tests")
        if self.grid and self.largest_radius > GRID_RADIUS:
            raise LvcError(f"the grid's largest radius is {GRID_RADIUS}, got {self.largest_radius}; leave the grid out")
        if self.tuning_splits > self.base.splits:
            raise LvcError(f"tuning_splits must be at most {self.base.splits}, as splits, got {self.tuning_splits}")

    @property
    def numbers(self) -> tuple[int, ...]:
        """The splits that a trial is trained on."""
        return tuple(range(self.tuning_splits)) if self.fold is None else (self.fold,)

    @property
    def seeds(self) -> tuple[int, ...]:
        """What decides the settings that are tried: others in every fold."""
        return (self.base.seed,) if self.fold is None else (self.base.seed, self.fold)

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
        if self.base.task == "graph":  # always tuned fold by fold
            decides.append((FIRST_RUNG, RUNG))
        short = hashlib.sha256(json.dumps(decides).encode()).hexdigest()[:8]
        name = f"{self.base.dataset}-{self.base.model}-{self.base.protocol}-{short}"
        return name if self.fold is None else f"{name}-fold{self.fold}"


def settings_of(tuning: Tuning, trial: FrozenTrial) -> Settings:
    """What a trial was trained with."""
    return replace(tuning.base, **settings_from(tuning.base.model, trial.params))


def default_storage(results: Path) -> str:
    """A SQLite file beside the results."""
    return URL.create("sqlite", database=str(results.parent / "studies.db")).render_as_string()


def refuse_storage(storage: str, results: Path, jobs: int) -> None:
    """Raise if ``results`` is the file that trials are kept in, or ``jobs`` processes would not see each other's."""
    file = _file_of(storage)
    if file is None and jobs > 1 and storage.startswith("sqlite"):
        raise LvcError(f"{storage!r} is in memory, which {jobs} processes do not share; name a file, or leave jobs out")
    if file is not None and os.path.realpath(file) == os.path.realpath(results):
        raise LvcError(f"{results} is where trials are kept; choose another file for results")


def open_study(tuning: Tuning, storage: str) -> optuna.Study:
    """The study of ``tuning``, made if it is not there; trials of those who died are given up."""
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    try:
        with _one_at_a_time(storage):
            study = optuna.create_study(
                storage=_storage(storage),
                study_name=tuning.name,
                direction="maximize",
                load_if_exists=True,
                sampler=Replayed(tuning.seeds, tuning.starts),
                pruner=_pruner(tuning),
            )
    except Exception as error:
        raise LvcError(f"cannot open the study in {storage!r}: {_reason(error)}; name another storage") from None
    with reading(storage):
        give_up_the_dead(study)
    return study


@contextmanager
def reading(storage: str) -> Iterator[None]:
    """What goes wrong in a storage that is damaged, or out of reach, is one sentence."""
    try:
        yield
    except (optuna.exceptions.StorageInternalError, SQLAlchemyError) as error:
        advice = "try again; if it stays so, name another storage"
        raise LvcError(f"cannot use the study in {storage!r}: {_reason(error)}; {advice}") from None


def _reason(error: Exception) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__


def give_up_the_dead(study: optuna.Study) -> None:
    """End the trials of processes of this machine that are gone, and of others that gave no sign of life for long."""
    for trial in study.get_trials(deepcopy=False, states=(TrialState.RUNNING,)):
        host, _, process = trial.user_attrs.get(OWNER, "").rpartition(":")
        if host == socket.gethostname() and not _alive(int(process)):
            study.tell(trial.number, state=TrialState.FAIL, skip_if_finished=True)  # another may be faster
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
        optuna.storages.fail_stale_trials(study)


def this_process() -> str:
    return f"{socket.gethostname()}:{os.getpid()}"


def _pruner(tuning: Tuning) -> optuna.pruners.BasePruner:
    """Over several splits give up after a split, on a single one after some epochs (successive halving)."""
    if tuning.grid:
        return optuna.pruners.NopPruner()
    if tuning.fold is not None:
        return Halving(min_resource=FIRST_RUNG, reduction_factor=RUNG)
    return optuna.pruners.PercentilePruner(KEPT, n_startup_trials=UNPRUNED)


class Halving(optuna.pruners.SuccessiveHalvingPruner):
    """Successive halving among the trials that count: another is proposed again and would compete twice."""

    def prune(self, study: optuna.Study, trial: FrozenTrial) -> bool:
        return super().prune(cast(optuna.Study, _OfThoseThatCount(study)), trial)


class _OfThoseThatCount:
    """A study as a pruner sees it."""

    def __init__(self, study: optuna.Study) -> None:
        self._study = study

    def __getattr__(self, name: str) -> Any:
        return getattr(self._study, name)

    def get_trials(self, deepcopy: bool = True) -> list[FrozenTrial]:
        return [one for one in self._study.get_trials(deepcopy=deepcopy) if counts(one)]


def _storage(url: str) -> Any:
    """Optuna's storage; a database is told regularly that its trials are alive, so that others can give them up."""
    if "://" not in url or url.startswith("redis"):
        return url
    waiting = {"connect_args": {"timeout": 60}} if url.startswith("sqlite") else None
    if waiting is not None and _file_of(url) is None:  # in memory: seen by nobody else, and by one thread only
        return optuna.storages.RDBStorage(url, waiting)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
        return optuna.storages.RDBStorage(url, waiting, heartbeat_interval=ALIVE, grace_period=3 * ALIVE)


def _one_at_a_time(url: str) -> AbstractContextManager[Any]:
    """Two processes must not make the tables of one SQLite file at once."""
    file = _file_of(url)
    return nullcontext() if file is None else FileLock(f"{file}.lock", timeout=ALIVE)


def _file_of(url: str) -> str | None:
    """The file of a SQLite database, if it is one."""
    try:
        found = make_url(url)
    except ArgumentError:
        return None
    is_file = found.get_backend_name() == "sqlite" and found.database not in (None, "", ":memory:")
    return found.database if is_file else None


def counts(trial: FrozenTrial) -> bool:
    """Whether a trial holds its place: not if it was killed, nor if it did not fit into another process's memory."""
    return trial.state != TrialState.FAIL and not _refused_elsewhere(trial)


def _refused_elsewhere(trial: FrozenTrial) -> bool:
    return bool(trial.user_attrs.get(REFUSED_BY, THIS_PROCESS) != THIS_PROCESS)


def trials_of(study: optuna.Study, *states: TrialState) -> list[FrozenTrial]:
    """The trials of these states, but for those that another process may find room for."""
    return [one for one in study.get_trials(deepcopy=False, states=states) if not _refused_elsewhere(one)]


def count(study: optuna.Study, *states: TrialState) -> int:
    return len(trials_of(study, *states))


class Replayed(BaseSampler):
    """Optuna's TPE, seeded anew for each trial by its place among all, and told the first trials' settings."""

    def __init__(self, seeds: Sequence[int], starts: Sequence[dict[str, Any]]) -> None:
        self.seeds, self.starts = seeds, starts
        self._now: BaseSampler = TPESampler(seed=seeds[0])
        self._start: dict[str, Any] = {}

    def before_trial(self, study: optuna.Study, trial: FrozenTrial) -> None:
        order = _free_place(study.get_trials(deepcopy=False)[: trial.number])
        study._storage.set_trial_user_attr(trial._trial_id, PLACE, order)
        seed = int(np.random.SeedSequence([*self.seeds, order]).generate_state(1)[0])
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


def _free_place(earlier: Sequence[FrozenTrial]) -> int:
    """The first place in a study that no trial holds; one that does not count gives its place to the next."""
    places: set[int] = set()
    for one in earlier:
        if counts(one):
            places.add(one.user_attrs.get(PLACE, len(places)))
    return next(place for place in range(len(places) + 1) if place not in places)


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return process != os.getpid()

"""The trials of a study: each trains with the settings that it is given, on validation data only, and is summed up.

The labels of a split's test vertices are not looked at here.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np
import optuna
from optuna.trial import FrozenTrial, TrialState

from lvc.errors import TooLargeError
from lvc.experiments.finalists import Finalist, seconds_of_finalists
from lvc.experiments.runs import PreparedData, Trained, fit_once
from lvc.experiments.settings import Settings
from lvc.experiments.space import settings_from
from lvc.experiments.studies import (
    FINISHED,
    FIRST_RUNG,
    OWNER,
    PLACE,
    REFUSED,
    REFUSED_BY,
    RUNG,
    THIS_PROCESS,
    Tuning,
    count,
    this_process,
    trials_of,
)
from lvc.provenance import commit

RUNGS = tuple(RUNG**k for k in range(8))

Progress = Callable[[int, float | None], Any]  # trials finished, best validation accuracy so far


def make_trials(
    tuning: Tuning,
    study: optuna.Study,
    progress: Progress | None = None,
    prepared: PreparedData | None = None,
    most: int | None = None,
) -> Trained:
    """Make trials until there are ``tuning.trials`` in the study, whoever made them; what the best of them trained.

    At ``most`` so many are made here.
    """
    trial, made = Trial(tuning, prepared or PreparedData()), 0
    while count(study, *FINISHED, TrialState.RUNNING) < tuning.trials and made != most:
        made += 1
        tell(study, progress)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
            study.enqueue_trial({}, user_attrs={OWNER: this_process()})  # one without an owner could never be given up
            with _unless_given_up():
                study.optimize(trial, n_trials=1, catch=(_TooManyError,))
    tell(study, progress)
    return trial.trained


def tell(study: optuna.Study, progress: Progress | None) -> None:
    """How many trials are finished, and how good the best is."""
    if progress is not None:
        values = [one.value for one in study.get_trials(deepcopy=False, states=(TrialState.COMPLETE,))]
        best = max((value for value in values if value is not None), default=None)
        progress(count(study, *FINISHED), best)


class _TooManyError(Exception):
    """Raised by a trial that is one too many: another process began one at the same moment."""


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
        if trial.storage.get_trial_user_attrs(trial._trial_id)[PLACE] >= self.tuning.trials:
            raise _TooManyError
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

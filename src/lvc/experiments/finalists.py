"""The best settings of a search, compared on every split and not only on the few that trials are trained on.

The best of many trials on few splits is partly the luckiest. What each finalist reached is kept in the study, split by
split, so that a comparison that was stopped goes on.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
import optuna
from optuna.trial import FrozenTrial, TrialState

from lvc.errors import LvcError
from lvc.experiments.runs import SplitProgress, fit_once, task_of
from lvc.experiments.settings import Settings
from lvc.experiments.studies import REFUSED, Tuning, settings_of, trials_of

ESTIMATES, SECONDS = "finalist ", "seconds of finalist "  # and the number of a trial: names of what a study keeps


@dataclass(frozen=True)
class Finalist:
    """Settings that a search found, and their mean cross-fitted accuracy: on every split, or the trial's if alone."""

    trial: int
    settings: Settings
    estimate: float


def finalists(tuning: Tuning, study: optuna.Study, progress: SplitProgress | None = None) -> list[Finalist]:
    """The best ``tuning.finalists`` settings, the very best first; if there are several, trained on every split."""
    best = _best_trials(tuning, study)
    if len(best) > 1:
        estimates = [float(np.mean(_on_every_split(tuning, study, trial, progress))) for trial in best]
    else:
        estimates = [float(best[0].value or 0.0)]
    compared = [Finalist(one.number, settings_of(tuning, one), mean) for one, mean in zip(best, estimates, strict=True)]
    return sorted(compared, key=lambda one: (-one.estimate, one.trial))


def seconds_of_finalists(study: optuna.Study) -> float:
    """How long their comparison took, whoever made it."""
    return sum(sum(spent) for name, spent in study.user_attrs.items() if name.startswith(SECONDS))


def _best_trials(tuning: Tuning, study: optuna.Study) -> list[FrozenTrial]:
    """By their values; of equals the first; the same settings once."""
    complete = trials_of(study, TrialState.COMPLETE)
    if not complete:
        reasons = {one.user_attrs.get(REFUSED, "") for one in trials_of(study, TrialState.PRUNED)} - {""}
        raise LvcError(f"no trial of {tuning.name} came to an end: {'; '.join(sorted(reasons)) or 'all were pruned'}")
    found: dict[Settings, FrozenTrial] = {}
    for one in sorted(complete, key=lambda one: (-(one.value or 0.0), one.number)):
        found.setdefault(settings_of(tuning, one), one)
    return list(found.values())[: tuning.finalists]


def _on_every_split(
    tuning: Tuning, study: optuna.Study, trial: FrozenTrial, progress: SplitProgress | None
) -> list[float]:
    """The cross-fitted accuracy on each split; those of the trial itself are not made again."""
    settings, searched = settings_of(tuning, trial), _estimates(trial)
    seen, spent = f"{ESTIMATES}{trial.number}", f"{SECONDS}{trial.number}"
    prepared: Any = None
    while True:
        known = study.user_attrs  # read anew: others may work on this, too
        estimates = [*searched, *known.get(seen, [])][: settings.splits]
        number = len(estimates)
        if number == settings.splits:
            return estimates
        began = time.perf_counter()
        prepared = task_of(settings).prepare(settings) if prepared is None else prepared
        tell = None if progress is None else (lambda *news, number=number: progress(number, *news))
        estimates.append(fit_once(settings, prepared, number, tell).estimate)
        if len(study.user_attrs.get(seen, [])) < len(estimates) - len(searched):
            study.set_user_attr(seen, estimates[len(searched) :])
            study.set_user_attr(spent, [*known.get(spent, []), time.perf_counter() - began])


def _estimates(trial: FrozenTrial) -> list[float]:
    """Of each split, from the means that a trial reports after one split, after two, ..."""
    means = [trial.intermediate_values[step] for step in sorted(trial.intermediate_values)]
    sums = [mean * (step + 1) for step, mean in enumerate(means)]
    return [after - before for before, after in zip([0.0, *sums], sums, strict=False)]

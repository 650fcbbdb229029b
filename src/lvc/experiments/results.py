"""Results as lines of JSON: one run, everything that decided it, and what came of it."""

from __future__ import annotations

import json
import multiprocessing
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lvc.errors import LvcError
from lvc.experiments.settings import VERSIONS, Settings, have_their_types
from lvc.files import put_line
from lvc.provenance import provenance

if TYPE_CHECKING:
    from lvc.experiments.runs import SplitResult

NEEDED = {"task", "key", "settings", "mean", "std", "interval", "validation", "estimate", "splits", "seconds"}
SPLITS = 10  # of every protocol
PACKAGES = ("torch", "torch_geometric", "numpy", "numba")


class Summary(NamedTuple):
    """Accuracy over splits, in per cent."""

    mean: float
    deviation: float  # standard deviation over splits
    interval: float | None  # half the width of the 95 % confidence interval of the mean; None of a single split


def summarise(accuracies: Sequence[float]) -> Summary:
    """Mean, standard deviation over splits, and 95 % interval of the mean by Student's t.

    Splits overlap, so their accuracies are not independent, and the interval is still too narrow.

    >>> summarise([0.8, 0.9, 0.85])
    Summary(mean=85.0, deviation=5.0, interval=12.4)
    """
    mean, deviation, interval = spread_of(accuracies)
    return Summary(round(mean, 1), round(deviation, 1), None if interval is None else round(interval, 1))


def spread_of(accuracies: Sequence[float]) -> Summary:
    """The same, not rounded."""
    percent = 100 * np.asarray(accuracies)
    mean = float(percent.mean())
    if len(percent) == 1:
        return Summary(mean, 0.0, None)
    from scipy.special import stdtrit

    deviation = float(percent.std(ddof=1))
    return Summary(mean, deviation, float(stdtrit(len(percent) - 1, 0.975)) * deviation / len(percent) ** 0.5)


def interval_of(row: dict[str, Any]) -> float | None:
    """The 95 % interval by the splits' own accuracies: what earlier versions wrote into the row is too narrow.

    It still is, as :func:`summarise` says, because splits overlap.
    """
    return summarise([split["test"] for split in row["splits"]]).interval


def result_row(settings: Settings, done: Sequence[SplitResult]) -> dict[str, Any]:
    """What is written down of a run: no curves, they are drawn."""
    tested = summarise([one.test for one in done])
    return {
        "task": settings.task,
        "key": settings.key,
        "settings": asdict(settings),
        "version": VERSIONS.get(settings.model, 1),
        "mean": tested.mean,
        "std": tested.deviation,
        "interval": tested.interval,
        "validation": summarise([one.validation for one in done]).mean,
        "estimate": summarise([one.estimate for one in done]).mean,
        "splits": [{k: v for k, v in asdict(one).items() if k != "curve"} for one in done],
        "seconds": round(sum(one.seconds for one in done), 1),
        "memory_mb": _peak_memory(),
        **provenance(*PACKAGES),
    }


def put_row(path: Path, row: dict[str, Any]) -> None:
    """Write one line; a line of the same task and key gives way to it."""
    put_line(path, row, lambda line: _is(line, row))


def _is(line: str, row: dict[str, Any]) -> bool:
    found = _parsed(line)
    return found is not None and (found["task"], found["key"]) == (row["task"], row["key"])


def _parsed(line: str | bytes) -> dict[str, Any] | None:
    try:
        row = json.loads(line if isinstance(line, str) else line.decode("utf-8"))
    except (ValueError, RecursionError):
        return None
    return row if isinstance(row, dict) and row.keys() >= NEEDED and _is_result(row) else None


def _is_result(row: dict[str, Any]) -> bool:
    """Whether everything that a report looks at has its type."""
    settings, splits, tuning = row["settings"], row["splits"], row.get("tuning", {})
    if not isinstance(settings, dict) or not isinstance(tuning, dict) or not splits or not _are_objects(splits):
        return False
    folds = tuning.get("folds", [])
    if (
        not _is_history(tuning)
        or not _are_objects(folds)
        or not _are_objects(tuning.get("finalists", []))
        or not _are_objects([split.get("settings", {}) for split in splits])
    ):
        return False
    texts = [row["task"], row["key"], *(settings.get(name) for name in ("dataset", "model", "protocol"))]
    counts = [tuning.get("trials", 0), tuning.get("finalists_asked", 0), *(fold.get("trials") for fold in folds)]
    numbers = [row[name] for name in ("mean", "std", "validation", "estimate", "seconds")]
    numbers += [tuning.get("seconds", 0.0), *(split.get(name) for split in splits for name in ("test", "seconds"))]
    if len(splits) > 1 or row["interval"] is not None:
        numbers.append(row["interval"])
    return (
        all(isinstance(text, str) for text in texts)
        and isinstance(settings.get("search"), str | None)
        and _is_count(settings.get("seed"))
        and all(_is_number(one) for one in numbers)
        and all(_is_count(one) for one in counts)
        and all(_is_count(split.get("epochs")) and split["epochs"] > 0 for split in splits)
    )


def _is_history(tuning: dict[str, Any]) -> bool:
    """Whether the trials of a search, if there are any, are settings with an accuracy; None if it was never known."""
    trials = tuning.get("history", [])
    splits = tuning.get("tuning_splits", 1)
    if not _are_objects(trials) or not _is_count(splits) or splits == 0:
        return False
    plain = all(type(value) in (int, float, str, bool, type(None)) for trial in trials for value in trial.values())
    plain = plain and all(_is_count(trial.get("splits", 0)) for trial in trials)
    return plain and all(
        _is_number(trial.get("estimate")) or (trial.get("estimate") is None and not trial.get("splits"))
        for trial in trials
    )


def _are_objects(found: Any) -> bool:
    return isinstance(found, list) and all(isinstance(one, dict) for one in found)


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value < sys.maxsize


def _is_number(value: Any) -> bool:
    """Whether it is a finite number; JSON from Python may hold NaN, and integers that are no floats."""
    return type(value) in (int, float) and abs(value) <= sys.float_info.max


def read_rows(path: Path) -> tuple[list[dict[str, Any]], list[str]]:
    """The rows of a file, and a sentence for each line that is none."""
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise LvcError(f"cannot read {path}: {error.strerror}") from None
    rows, faults = [], []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        row = _parsed(line)
        if row is None:
            faults.append(f"{path}, line {number}: not a result; skipped")
        else:
            rows.append(row)
    return rows, faults


def by_fold(row: dict[str, Any]) -> bool:
    """Whether every fold has settings of its own, from its own search."""
    return any("settings" in split for split in row["splits"])


def best_of(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Of several results of one model on one data set that on the protocol's splits, and of those the best.

    By validation data; but where every fold chose its settings by itself, the last: what is chosen on all folds
    together is chosen on graphs that some fold tests.
    """
    chosen = [row for row in rows if by_fold(row)] or rows
    most = max(_splits(row) for row in chosen)
    whole = [row for row in chosen if _splits(row) == most]
    return whole[-1] if by_fold(whole[-1]) else max(whole, key=estimate_of)


def _splits(row: dict[str, Any]) -> int:
    """How many, up to the protocol's; more of them make no better result."""
    return min(len(row["splits"]), SPLITS)


def estimate_of(row: dict[str, Any]) -> float:
    """The cross-fitted accuracy of a row, in per cent; what is written down of it in the row is rounded."""
    estimates = [split.get("estimate") for split in row["splits"]]
    return 100 * float(np.mean(estimates)) if all(map(_is_number, estimates)) else float(row["estimate"])


def is_current(row: dict[str, Any]) -> bool:
    """Whether a row is of its model as it is now, and not as it was before it was mended."""
    return bool(row.get("version", 1) == VERSIONS.get(row["settings"]["model"], 1))


def current(rows: Sequence[dict[str, Any]]) -> tuple[list[dict[str, Any]], str]:
    """The rows of models as they are now, and how many others there are, in words; nothing if there are none."""
    kept = [row for row in rows if is_current(row)]
    others = f"{len(rows) - len(kept)} of {len(rows)} lines are of models that have been mended since"
    return kept, others if len(kept) < len(rows) else ""


def last_decisions(rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Of the rows of one study the one that was decided with finalists, with more trials, or later; all others as well.

    A later decision of a study saw all that an earlier one saw, and more. Rows of a model as it was before it was
    mended are left out.
    """
    kept: dict[Any, dict[str, Any]] = {}
    for number, row in enumerate(rows):
        if not is_current(row):
            continue
        tuning = row.get("tuning", {})
        study = (row["task"], str(tuning["study"])) if "study" in tuning else number
        if study not in kept or _thoroughness(row) >= _thoroughness(kept[study]):
            kept[study] = row
    return list(kept.values())


def _thoroughness(row: dict[str, Any]) -> tuple[bool, int]:
    return "finalists" in row["tuning"], row["tuning"].get("trials", 0)


def chosen_in(
    rows: Iterable[dict[str, Any]], path: Path, kind: type[Settings], dataset: str, model: str, protocol: str
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The settings that the best of a file's rows of ``model`` on ``dataset`` was made with, and how they were chosen.

    The best under ``protocol``; if there is none, under another.
    """
    asked = kind.task, dataset.lower(), model
    mine = [row for row in last_decisions(rows) if asked == (row["task"], *_of_what(row))]
    usable = [row for row in mine if not by_fold(row) and "as_in" not in row.get("tuning", {})]
    if not usable:
        folds = any(by_fold(row) for row in mine)
        how = "only with other settings in every fold" if folds else "only as in another" if mine else "not at all"
        command = f"lvc train {kind.task} {dataset} --model {model}"
        raise LvcError(f"{path} has {model} on {dataset} {how}; make a result with `{command}`")
    best = best_of([row for row in usable if row["settings"]["protocol"] == protocol] or usable)
    try:
        known = have_their_types(kind(**best["settings"]))
    except (TypeError, AttributeError):
        known = False
    if not known:
        raise LvcError(f"{path} has settings of {model} on {dataset} that this version does not know")
    tuning = best.get("tuning", {})
    about = {"as_in": best["key"], "protocol": best["settings"]["protocol"], "trials": tuning.get("trials", 0)}
    return best["settings"], about


def _of_what(row: dict[str, Any]) -> tuple[str, str]:
    return row["settings"]["dataset"].lower(), row["settings"]["model"]


def _peak_memory() -> int | None:
    """Megabytes that this process, or the largest it started, had at most; None where nobody counts: on Windows."""
    try:
        import resource
    except ImportError:
        return None
    for child in multiprocessing.active_children():  # it is counted when it has ended, which it was told to
        child.join(timeout=1)
    return max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)) // 1024

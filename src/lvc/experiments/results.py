"""Results as lines of JSON: one run, everything that decided it, and what came of it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lvc.errors import LvcError
from lvc.experiments.settings import Settings
from lvc.files import put_line
from lvc.provenance import provenance

if TYPE_CHECKING:
    from lvc.experiments.runs import SplitResult

NEEDED = {"task", "key", "settings", "mean", "std", "interval", "validation", "estimate", "splits", "seconds"}
PACKAGES = ("torch", "torch_geometric", "numpy", "numba")


class Summary(NamedTuple):
    """Accuracy over splits, in per cent."""

    mean: float
    deviation: float  # standard deviation over splits
    interval: float  # half the width of the 95 % confidence interval of the mean


def summarise(accuracies: Sequence[float]) -> Summary:
    """Mean, standard deviation over splits, and 95 % interval of the mean (normal approximation).

    >>> summarise([0.8, 0.9])
    Summary(mean=85.0, deviation=7.1, interval=9.8)
    """
    percent = 100 * np.asarray(accuracies)
    deviation = float(percent.std(ddof=1)) if len(percent) > 1 else 0.0
    interval = 1.96 * deviation / len(percent) ** 0.5
    return Summary(round(float(percent.mean()), 1), round(deviation, 1), round(interval, 1))


def result_row(settings: Settings, done: Sequence[SplitResult]) -> dict[str, Any]:
    """What is written down of a run: no curves, they are drawn."""
    tested = summarise([one.test for one in done])
    return {
        "task": settings.task,
        "key": settings.key,
        "settings": asdict(settings),
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


def _parsed(line: str) -> dict[str, Any] | None:
    try:
        row = json.loads(line)
    except ValueError:
        return None
    if not isinstance(row, dict) or not row.keys() >= NEEDED or not isinstance(row["settings"], dict):
        return None
    texts = [row["settings"].get(name) for name in ("dataset", "model", "protocol")]
    kinds = (
        isinstance(row["splits"], list) and all(isinstance(split, dict) for split in row["splits"]),
        isinstance(row["estimate"], int | float),
        isinstance(row.get("tuning", {}), dict),
    )
    return row if all(kinds) and all(isinstance(text, str) for text in texts) else None


def read_rows(path: Path) -> tuple[list[dict[str, Any]], list[str]]:
    """The rows of a file, and a sentence for each line that is none."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise LvcError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise LvcError(f"{path} is not a text in UTF-8, so no file of results") from None
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


def merit(row: dict[str, Any]) -> tuple[int, float]:
    """Of several results of one model on one data set the best, by validation data; the row's own mean is rounded."""
    estimates = [split.get("estimate") for split in row["splits"]]
    known = bool(estimates) and all(isinstance(one, int | float) for one in estimates)
    return len(estimates), 100 * float(np.mean(estimates)) if known else row["estimate"]


def chosen_in(
    rows: Iterable[dict[str, Any]], path: Path, kind: type[Settings], dataset: str, model: str, protocol: str
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The settings that the best of a file's rows of ``model`` on ``dataset`` was made with, and how they were chosen.

    The best under ``protocol``; if there is none, under another.
    """
    asked = kind.task, dataset.lower(), model
    mine = [row for row in rows if asked == (row["task"], *_of_what(row))]
    usable = [row for row in mine if not any("settings" in split for split in row["splits"])]
    if not usable:
        how = "only with other settings in every fold" if mine else "not at all"
        command = f"lvc train {kind.task} {dataset} --model {model}"
        raise LvcError(f"{path} has {model} on {dataset} {how}; make a result with `{command}`")
    best = max(usable, key=lambda row: (row["settings"]["protocol"] == protocol, merit(row)))
    try:
        kind(**best["settings"])
    except (TypeError, AttributeError):
        raise LvcError(f"{path} has settings of {model} on {dataset} that this version does not know") from None
    tuning = best.get("tuning", {})
    about = {"as_in": best["key"], "protocol": best["settings"]["protocol"], "trials": tuning.get("trials", 0)}
    return best["settings"], about


def _of_what(row: dict[str, Any]) -> tuple[str, str]:
    return row["settings"]["dataset"].lower(), row["settings"]["model"]


def _peak_memory() -> int:
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024

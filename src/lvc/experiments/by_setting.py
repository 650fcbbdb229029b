"""What the trials of the searches say of one setting: the best that was reached with each of its values."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lvc.errors import LvcError
from lvc.experiments.report import NAMES, place_in_tables
from lvc.experiments.results import last_decisions
from lvc.experiments.tables import Cell, Table

Row = dict[str, Any]

MOST_VALUES = 10
NOT_SETTINGS = ("estimate", "splits", "given_up")  # what else is written down of a trial


def by_setting_table(rows: Iterable[Row], name: str) -> Table:
    """A line for each study of vertices that tried several values of ``name``, a column for each value.

    In each place the best cross-fitted accuracy, and of how many trials. Only those that were trained on all splits of
    their search are compared. Other settings differed, too, so that many trials had better chances than few.
    """
    histories = [(row, _finished(row)) for row in last_decisions(rows)]
    known = sorted({setting for _, trials in histories for one in trials for setting in one} - set(NOT_SETTINGS))
    tried = [(row, [one for one in trials if name in known and name in one]) for row, trials in histories]
    several = [(row, trials) for row, trials in tried if len({_text(one[name]) for one in trials}) > 1]
    if not several:
        none = "only studies of vertices are compared, and there is none"
        instead = f"use one of {', '.join(known)}" if known else none
        raise LvcError(f"no search tried several values of {name!r}; {instead}")
    values = sorted({one[name] for _, trials in several for one in trials}, key=_order)
    if len(values) > MOST_VALUES:
        raise LvcError(f"{len(values)} values of {name} were tried; choose a setting with fewer, such as radius")
    several.sort(key=lambda one: place_in_tables({"task": one[0]["task"], **one[0]["settings"]}))
    lines = [
        (label, _cells(trials, name, values)) for label, (_, trials) in zip(_labels(several), several, strict=True)
    ]
    return Table(f"Best cross-fitted accuracy by {name} (of how many trials)", [_text(one) for one in values], lines)


def _finished(row: Row) -> list[Row]:
    tuning = row.get("tuning", {})
    return [one for one in tuning.get("history", []) if one.get("splits", 0) >= tuning.get("tuning_splits", 1)]


def _cells(trials: list[Row], name: str, values: list[Any]) -> list[Cell]:
    reached = [[one["estimate"] for one in trials if one[name] == value] for value in values]
    best = max(max(some) for some in reached if some)
    return [Cell(f"{max(some):.1f}", str(len(some)), max(some) == best) if some else Cell() for some in reached]


def _labels(studies: list[tuple[Row, list[Row]]]) -> list[str]:
    """Data set, model and protocol of each; of two with the same also how many settings were given and not searched."""
    plain = [_label(row["settings"]) for row, _ in studies]
    searched = [{setting for one in trials for setting in one} for _, trials in studies]
    labels = []
    for label, mine in zip(plain, searched, strict=True):
        any_of_them = set().union(*(some for other, some in zip(plain, searched, strict=True) if other == label))
        given = len(any_of_them - mine)
        labels.append(f"{label}, settings given: {given}" if given else label)
    return labels


def _label(settings: Row) -> str:
    protocol = "" if settings["protocol"] == "random" else f", {settings['protocol']}"
    return f"{settings['dataset']}, {NAMES.get(settings['model'], settings['model'])}{protocol}"


def _order(value: Any) -> tuple[bool, float, str]:
    is_number = isinstance(value, int | float)
    return not is_number, value if is_number else 0.0, _text(value)


def _text(value: Any) -> str:
    return "-" if value is None else str(value)

"""Which models are ahead of which, and how far, split by split: what is hard in a split is hard for both models.

So the mean of the differences is more exact than the difference of both means.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from lvc.errors import LvcError
from lvc.experiments.report import NAMES, PRINTED, place_of_model
from lvc.experiments.results import SPLITS, spread_of
from lvc.experiments.settings import SGN
from lvc.experiments.tables import Cell, Table

Row = dict[str, Any]


def difference(one: Row | None, other: Row | None) -> Cell:
    """The mean difference over the splits and its 95 % interval; bold if it lies beyond that."""
    if one is None or other is None:
        return Cell()
    if _splits_of(one) != _splits_of(other):
        return Cell("other splits")
    mean, _, interval = spread_of([a - b for a, b in zip(one["tests"], other["tests"], strict=True)])
    text = f"{round(mean, 1) + 0.0:+.1f}" + ("" if interval is None else f" ± {interval:.1f}")
    enough = len(one["tests"]) > 2  # two may agree by chance
    return Cell(text, bold=enough and interval is not None and abs(mean) > interval)


def best_tables(found: Sequence[Row]) -> list[Table]:
    """For each protocol a line for each data set: the better SGN, the best other model, the paper's better SGN.

    Which of ours is the best is decided by validation; if two accuracies then stand there, the higher one is bold, and
    their difference over the same splits stands beside them with its 95 % interval.
    """
    tables = []
    for (task, protocol), here in _protocols(found).items():
        lines = []
        for dataset in dict.fromkeys(entry["dataset"] for entry in here):
            mine = [entry for entry in here if entry["dataset"] == dataset]
            best = [
                _by_validation(entry for entry in mine if (entry["model"] in SGN) == ours) for ours in (True, False)
            ]
            means = [entry["mean"] for entry in best if entry is not None]
            highest = max(means) if len(means) == 2 else None
            printed = [PRINTED.get(task, {}).get((dataset, model)) for model in SGN]
            goal = max((one.mean for one in printed if one is not None), default=None)
            cells = [_named(entry, entry is not None and entry["mean"] == highest) for entry in best]
            lines.append((dataset, [*cells, Cell(difference(*best).text), Cell("" if goal is None else f"{goal:.1f}")]))
        title = f"The better SGN and the best other model, by validation; {task}, protocol {protocol}"
        tables.append(Table(title, ("SGN", "other models", "difference", "the paper's SGN"), lines, (task, protocol)))
    return tables


def _by_validation(found: Iterable[Row]) -> Row | None:
    return max(found, key=lambda entry: (min(entry["splits"], SPLITS), entry["estimate"]), default=None)


def _named(entry: Row | None, bold: bool) -> Cell:
    if entry is None:
        return Cell()
    model = str(entry["model"])
    return Cell(f"{entry['mean']:.1f} ± {entry['std']:.1f}", NAMES.get(model, model), bold)


def difference_tables(found: Sequence[Row], model: str) -> list[Table]:
    """For each protocol a line for each model: how far it is ahead of ``model`` on each data set, split by split."""
    measured = sorted({entry["model"] for entry in found}, key=place_of_model)
    model = {NAMES.get(name, name).lower(): name for name in measured}.get(model.lower(), model.lower())
    if model not in measured:
        raise LvcError(f"no result is of the model {model!r}; there are {', '.join(measured)}")
    tables = []
    for (task, protocol), here in _protocols(found).items():
        at = {(entry["dataset"], entry["model"]): entry for entry in here}
        others = [name for name in measured if name != model]
        columns = [name for name, its in at if its == model and any((name, other) in at for other in others)]
        cells = {name: [difference(at.get((column, name)), at[column, model]) for column in columns] for name in others}
        lines = [(NAMES.get(name, name), some) for name, some in cells.items() if any(cell.text for cell in some)]
        if lines:
            title = (
                f"Ahead of {NAMES.get(model, model)}, split by split, with 95 % intervals; {task}, protocol {protocol}"
            )
            tables.append(Table(title, columns, lines, (task, protocol)))
    if not tables:
        raise LvcError(f"nothing was measured that {NAMES.get(model, model)} could be compared with")
    return tables


def _protocols(found: Sequence[Row]) -> dict[tuple[str, str], list[Row]]:
    """What was measured, by task and protocol, which never share a table."""
    groups: dict[tuple[str, str], list[Row]] = {}
    for entry in found:
        groups.setdefault((entry["task"], entry["protocol"]), []).append(entry)
    return groups


def _splits_of(entry: Row) -> tuple[Any, Any]:
    return entry["settings"]["seed"], entry["splits"]

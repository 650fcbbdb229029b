"""Tables like the paper's from result lines: ours, the paper's, the difference; the best of ours is bold.

Where there are several results of one model on one data set, the one with the best (cross-fitted) validation accuracy
stands in the table, never the one with the best test accuracy; of those of one study, the last that was decided; where
every fold chose its settings by itself, the last study. Two protocols never share a table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import Any

from lvc.errors import LvcError
from lvc.experiments.paper import GRAPH, GRAPHS, HETEROPHILIC, HOMOPHILIC, RUNTIME, VERTEX
from lvc.experiments.results import best_of, by_fold, estimate_of, interval_of, last_decisions
from lvc.experiments.settings import GRAPH_MODELS, MODELS, OF_SGN, ONLY_OF, SGN
from lvc.experiments.tables import Cell, Table

Row = dict[str, Any]

NAMES = {
    "mlp": "MLP",
    "gcn": "GCN",
    "gcn-jk": "GCN+JK",
    "gat": "GAT",
    "appnp": "APPNP",
    "chebnet": "ChebNet",
    "gprgnn": "GPRGNN",
    "bernnet": "BernNet",
    "h2gcn": "H2GCN",
    "agnostic-chemical": "no structure, chemical",
    "agnostic-social": "no structure, social",
    "dgcnn": "DGCNN",
    "diffpool": "DiffPool",
    "ecc": "ECC",
    "gin": "GIN",
    "graphsage": "GraphSAGE",
    "e-cgmm": "E-CGMM (the paper's number)",
    "icgmm": "ICGMM (the paper's number)",
    "sgn-bf": "SGN-BF",
    "sgn-df": "SGN-DF",
}
GROUPS = {
    "vertex": (("homophilic data sets", HOMOPHILIC), ("heterophilic data sets", HETEROPHILIC)),
    "graph": (("graphs", GRAPHS),),
}
PRINTED = {"vertex": VERTEX, "graph": GRAPH}
ONLY_PRINTED = ("e-cgmm", "icgmm")  # not measured here
ORDER = (*MODELS[:-2], *GRAPH_MODELS[:-2], *ONLY_PRINTED, *SGN)


def entries(rows: Iterable[Row]) -> list[Row]:
    """One entry for each task, data set, model and protocol, in the order of the paper's tables."""
    found: dict[tuple[str, str, str, str], list[Row]] = {}
    for row in last_decisions(rows):
        settings = row["settings"]
        place = row["task"], settings["dataset"], settings["model"], settings["protocol"]
        found.setdefault(place, []).append(row)
    return sorted((_entry(place, here) for place, here in found.items()), key=place_in_tables)


def _entry(place: tuple[str, str, str, str], rows: Sequence[Row]) -> Row:
    """The best of these rows, by validation, with the trials and the time of all."""
    task, dataset, model, protocol = place
    printed = PRINTED.get(task, {}).get((dataset, model))
    row = best_of(rows)
    tunings = [one.get("tuning", {}) for one in rows]
    # of runs with settings of another study, and of studies; the former are among the latter if both are here
    borrowed = [tuning.get("trials", 0) for tuning in tunings if "as_in" in tuning]
    tried = [tuning.get("trials", 0) for tuning in tunings if "as_in" not in tuning]
    in_folds = [[fold["trials"] for fold in tuning["folds"]] for tuning in tunings if "folds" in tuning]
    return {
        "task": task,
        "dataset": dataset,
        "model": model,
        "protocol": protocol,
        "mean": row["mean"],
        "std": row["std"],
        "splits": len(row["splits"]),
        "paper": None if printed is None else printed.mean,
        "interval": interval_of(row),
        "validation": row["validation"],
        "estimate": estimate_of(row),
        "trials": sum(tried) if tried else max(borrowed),
        "fold_trials": [sum(each) for each in zip_longest(*in_folds, fillvalue=0)] if by_fold(row) else [],
        "seconds": round(sum(one["seconds"] for one in rows) + sum(one.get("seconds", 0.0) for one in tunings), 1),
        "settings": row["settings"],
        "fold_settings": [split.get("settings", {}) for split in row["splits"]] if by_fold(row) else [],
        "tests": [split["test"] for split in row["splits"]],
    }


def place_in_tables(entry: Row) -> tuple[Any, ...]:
    """Tasks, protocols, data sets and models in the order of the paper's tables."""
    datasets = (*HOMOPHILIC, *HETEROPHILIC, *GRAPHS)
    place = datasets.index(entry["dataset"]) if entry["dataset"] in datasets else len(datasets)
    return (
        entry["task"] == "graph",
        entry["protocol"] not in ("random", "errica"),
        entry["protocol"],
        place,
        entry["dataset"],
        place_of_model(entry["model"]),
    )


def place_of_model(name: str) -> int:
    return ORDER.index(name) if name in ORDER else len(ORDER)


def accuracy_tables(found: Sequence[Row]) -> list[Table]:
    """The tables of the paper, one for each protocol and kind of data set."""
    tables = []
    for task, protocol in dict.fromkeys((entry["task"], entry["protocol"]) for entry in found):
        here = [entry for entry in found if (entry["task"], entry["protocol"]) == (task, protocol)]
        groups = GROUPS.get(task, ())
        known = {name for _, group in groups for name in group}
        others = tuple(dict.fromkeys(entry["dataset"] for entry in here if entry["dataset"] not in known))
        for title, group in (*groups, ("other data sets", others)):
            chosen = [entry for entry in here if entry["dataset"] in group]
            if chosen:
                tables.append(_accuracies(f"Accuracy on {title}, protocol {protocol}", task, chosen, group))
    return tables


def _accuracies(title: str, task: str, found: Sequence[Row], group: Sequence[str]) -> Table:
    at = {(entry["dataset"], entry["model"]): entry for entry in found}
    columns = [name for name in group if any(entry["dataset"] == name for entry in found)]
    best = {name: max(entry["mean"] for entry in found if entry["dataset"] == name) for name in columns}
    measured = {entry["model"] for entry in found}
    printed = {model for dataset, model in PRINTED.get(task, {}) if model in ONLY_PRINTED and dataset in columns}
    lines: list[tuple[str, list[Cell]]] = []
    for model in sorted(measured | printed, key=place_of_model):
        cells = []
        for name in columns:
            entry, paper = at.get((name, model)), PRINTED.get(task, {}).get((name, model))
            if entry is not None:
                cells.append(_accuracy(entry, entry["mean"] == best[name]))
            else:
                cells.append(Cell(note=f"{paper.mean:.1f}") if paper is not None and model in printed else Cell())
        lines.append((NAMES.get(model, model), cells))
    of = {name: [entry for entry in found if entry["dataset"] == name] for name in columns}
    lines.append(("splits", [Cell(_span([entry["splits"] for entry in of[name]])) for name in columns]))
    lines.append(("trials", [Cell(_trials(of[name])) for name in columns]))
    minutes = [sum(entry["seconds"] for entry in of[name]) / 60 for name in columns]
    lines.append(("minutes", [Cell(f"{one:.0f}") for one in minutes]))
    whole = f"{title}; in brackets the paper's and the difference"
    return Table(whole, columns, lines, (task, found[0]["protocol"]))


def _accuracy(entry: Row, bold: bool) -> Cell:
    paper = entry["paper"]
    note = "" if paper is None else f"{paper:.1f}, {entry['mean'] - paper:+.1f}"
    return Cell(f"{entry['mean']:.1f} ± {entry['std']:.1f}", note, bold)


def _span(numbers: Sequence[int]) -> str:
    return str(numbers[0]) if min(numbers) == max(numbers) else f"{min(numbers)}-{max(numbers)}"


def _trials(found: Sequence[Row]) -> str:
    """How many settings were tried for each entry; where every fold had its own search, in each of them."""
    whole = [entry["trials"] for entry in found if not entry["fold_trials"]]
    in_folds = [trials for entry in found for trials in entry["fold_trials"]]
    return ", ".join(_span(some) + how for some, how in ((whole, ""), (in_folds, " a fold")) if some)


YOUNGER = {"head_layers": 0}  # settings that older lines do not have, and what they were trained with


def settings_table(found: Sequence[Row]) -> Table:
    """What the search for settings chose; where every fold had its own search, each value with its number of folds."""
    shown = ["search", *OF_SGN, "hidden_channels", "num_layers", "dropout", "input_dropout", "features"]
    shown += ["learning_rate", "weight_decay", "alpha"]
    filtering = ONLY_OF["propagation_dropout"]
    shown += ["propagation_dropout"] if any(entry["model"] in filtering for entry in found) else []
    graphs = ("readout", "head_layers", "batch_size")
    shown += [name for name in graphs if any(name in entry["settings"] for entry in found)]
    in_folds = {name: None for entry in found for fold in entry["fold_settings"] for name in fold}
    shown += [name for name in in_folds if name not in shown]
    lines = []
    for entry in found:
        cells = [Cell(entry["protocol"]), Cell(_trials([entry]))]
        cells += [Cell(_short(entry, name)) for name in shown]
        lines.append((f"{entry['dataset']}, {NAMES.get(entry['model'], entry['model'])}", cells))
    return Table("Settings chosen on validation data", ("protocol", "trials", *shown), lines)


def _short(entry: Row, name: str) -> str:
    """A setting as text, or those of all folds; nothing where the model does not have it."""
    model = entry["model"]
    if model not in ONLY_OF.get("scale" if name == "search" else name, (model,)):
        return ""
    values = [(YOUNGER | entry["settings"] | chosen).get(name) for chosen in entry["fold_settings"] or [{}]]
    values.sort(key=lambda value: (0, value, "") if isinstance(value, int | float) else (1, 0, _text(value)))
    folds = Counter(map(_text, values))
    return ", ".join(f"{text} ×{times}" for text, times in folds.items()) if len(folds) > 1 else _text(values[0])


def _text(value: Any) -> str:
    return f"{value:.2g}" if isinstance(value, float) else "-" if value is None else str(value)


def runtime_table(rows: Iterable[Row]) -> Table:
    """Seconds per epoch, and how many times a GCN's of the same size that is; the paper's ratio beside it."""
    per_epoch: dict[tuple[str, str], float] = {}
    sizes: dict[str, tuple[int, int]] = {}
    for row in rows:
        settings = row["settings"]
        size = settings.get("hidden_channels"), settings.get("num_layers")
        if sizes.setdefault(settings["dataset"], size) != size:
            raise LvcError(f"the models on {settings['dataset']} differ in width or layers; compare equal ones")
        what = settings.get("search") or settings["model"]
        epochs = sum(split["epochs"] for split in row["splits"])
        per_epoch[settings["dataset"], what] = sum(split["seconds"] for split in row["splits"]) / epochs
    datasets = list(dict.fromkeys(dataset for dataset, _ in per_epoch))
    missing = [dataset for dataset in datasets if not per_epoch.get((dataset, "gcn"))]
    if missing:
        raise LvcError(f"there is no time of gcn on {missing[0]} to compare with; train it with the same command")
    columns = list(dict.fromkeys(what for _, what in per_epoch))
    lines = [(dataset, [_time(dataset, what, per_epoch) for what in columns]) for dataset in datasets]
    return Table("Seconds per epoch, and over GCN (in brackets the paper's)", columns, lines)


def _time(dataset: str, what: str, per_epoch: dict[tuple[str, str], float]) -> Cell:
    if (dataset, what) not in per_epoch:
        return Cell()
    seconds, printed = per_epoch[dataset, what], RUNTIME.get(dataset, {})
    note = f"{printed[what] / printed['gcn']:.2f}" if what in printed else ""
    return Cell(f"{seconds:.4f}, {seconds / per_epoch[dataset, 'gcn']:.2f}", note)

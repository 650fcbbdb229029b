"""Results as figures: accuracies as bars with intervals, and what a radius costs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lvc.errors import LvcError
from lvc.experiments.report import NAMES
from lvc.viz.canvas import PALETTE, FilePath, save_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Row = dict[str, Any]


def draw_accuracies(found: Sequence[Row], title: str, path: FilePath) -> Path:
    """Bars by data set and model, the 95 % interval of the mean on top, the paper's number as a short line.

    ``found`` are what ``lvc.experiments.report.entries`` makes of result lines.
    """
    if not found:
        raise LvcError("there are no results to draw; train or tune first")
    datasets = list(dict.fromkeys(entry["dataset"] for entry in found))
    models = list(dict.fromkeys(entry["model"] for entry in found))
    width = 0.84 / len(models)

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot(1, 1, 1)
        for m, model in enumerate(models):
            shown = [entry for entry in found if entry["model"] == model]
            at = [datasets.index(entry["dataset"]) + width * (m - (len(models) - 1) / 2) for entry in shown]
            look: dict[str, Any] = {"color": PALETTE[m % len(PALETTE)], "hatch": "//" if m >= len(PALETTE) else None}
            means, intervals = [e["mean"] for e in shown], [e["interval"] or 0.0 for e in shown]
            axes.bar(at, means, 0.92 * width, yerr=intervals, capsize=2, label=NAMES.get(model, model), **look)
            printed = [(x, e["paper"]) for x, e in zip(at, shown, strict=True) if e["paper"] is not None]
            for x, paper in printed:
                axes.plot([x - 0.46 * width, x + 0.46 * width], [paper, paper], color="#111111", linewidth=1.6)
        axes.set_xticks(range(len(datasets)), datasets)
        lowest = min(entry["mean"] - (entry["interval"] or 0.0) for entry in found)
        axes.set_ylim(max(0.0, 10 * (lowest // 10) - 10), 100)
        axes.set_ylabel("test accuracy, per cent")
        axes.grid(axis="y", alpha=0.3)
        axes.set_axisbelow(True)
        about = "whiskers: 95 % interval of the mean; black lines: the paper's"
        axes.set_title(f"{title}\n{about}" if title else about, fontsize=9)
        axes.legend(
            fontsize=8, ncol=min(6, len(models)), loc="upper center", bbox_to_anchor=(0.5, -0.08), frameon=False
        )

    return save_figure(path, draw, width=max(5.5, 1.4 + 0.24 * len(found) + 0.8 * len(datasets)), height=4.4)


def draw_cost(rows: Sequence[Row], path: FilePath) -> Path:
    """Radius against time and memory, from the lines of ``benchmarks/sgn.py``: epochs over GCN's, megabytes."""
    epochs = _by_radius([r for r in rows if r.get("what") == "epoch" and r.get("threads") == 1], "ratio")
    memory = _by_radius([r for r in rows if r.get("what") == "memory"], "above_the_data_mb")
    if not epochs or not memory:
        raise LvcError("there are no epochs and no memory in these lines; make them with: make bench")

    def draw(figure: Figure) -> None:
        _lines(figure.add_subplot(1, 2, 1), epochs, "an epoch, over GCN's")
        _lines(figure.add_subplot(1, 2, 2), memory, "memory above the data, MB")

    return save_figure(path, draw, width=9.5, height=4.0)


def _by_radius(rows: Sequence[Row], what: str) -> dict[str, list[tuple[int, float]]]:
    """ "Cora, bfs" -> [(radius, value)], where there is more than one radius."""
    found: dict[str, list[tuple[int, float]]] = {}
    for row in rows:
        kind, colon, radius = row["model"].partition(":")
        if colon and radius.isdigit():
            found.setdefault(f"{row['graph']}, {kind}", []).append((int(radius), row[what]))
    return {name: sorted(points) for name, points in found.items() if len(points) > 1}


def _lines(axes: Axes, found: dict[str, list[tuple[int, float]]], title: str) -> None:
    for i, (name, points) in enumerate(found.items()):
        style = "--" if name.endswith("dfs") else "-"
        axes.plot(*zip(*points, strict=True), f"o{style}", color=PALETTE[i % len(PALETTE)], label=name)
    from matplotlib.ticker import StrMethodFormatter

    axes.set_yscale("log")
    axes.yaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    axes.yaxis.set_minor_formatter(StrMethodFormatter("{x:g}"))
    axes.tick_params(axis="y", which="both", labelsize=7)
    axes.set_xlabel("radius")
    axes.set_xticks(sorted({radius for points in found.values() for radius, _ in points}))
    axes.set_title(title, fontsize=10)
    axes.grid(alpha=0.3)
    axes.legend(fontsize=7)

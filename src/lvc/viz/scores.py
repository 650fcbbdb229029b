"""What searches tell apart: score against cost, and one pair of every category."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lvc.colouring.compare import compare, distinguishes
from lvc.expressivity.families import Category
from lvc.expressivity.scores import Score, pareto
from lvc.files import make_folder
from lvc.viz.canvas import PALETTE, FilePath, save_figure
from lvc.viz.figures import draw_comparison

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Point = tuple[float, float]


def draw_scores(scores: Sequence[Score], title: str, path: FilePath) -> Path:
    """Every search a point, the Pareto front joined; names of the front to the left, of others to the right."""
    front = pareto(scores)
    others = [one for one in scores if one not in front]

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot(1, 1, 1)
        axes.plot(*zip(*map(_point, front), strict=True), "o-", color=PALETTE[4], zorder=3)
        if others:
            axes.plot(*zip(*map(_point, others), strict=True), "o", color=PALETTE[7])
        axes.set_xscale("log")
        axes.set_xlabel("milliseconds a pair, one thread")
        axes.set_ylabel(f"pairs told apart, of {scores[0].pairs}")
        axes.margins(x=0.3, y=0.12)
        axes.grid(alpha=0.3)
        axes.set_title(title, fontsize=11)
        spacing = 0.028 * (axes.get_ylim()[1] - axes.get_ylim()[0])
        _name(axes, front, spacing, left=True)
        _name(axes, others, 0.8 * spacing, left=False)

    return save_figure(path, draw, width=9.5, height=6.4)


def draw_pairs(categories: Sequence[Category], searches: Sequence[str], folder: Path) -> list[tuple[str, str, Path]]:
    """For every category its smallest pair that one of ``searches`` tells apart, coloured by the first that does.

    Returns the category, the search and the file of each picture.
    """
    make_folder(folder)
    drawn = []
    for category in categories:
        for first, second in sorted(category.pairs, key=lambda pair: (pair[0].n, pair[0].m)):
            search = next((text for text in searches if distinguishes(first, second, text)), None)
            if search is not None:
                path = folder / f"{category.name.lower().replace(' ', '-')}.png"
                draw_comparison(first, second, compare(first, second, search), path)
                drawn.append((category.name, search, path))
                break
    return drawn


def _point(score: Score) -> Point:
    return 1000 * score.a_pair, score.told_apart


def _name(axes: Axes, scores: Sequence[Score], spacing: float, left: bool) -> None:
    """Write the names beside the points, with lines to them; moved up (left) or down where they would overlap."""
    step = spacing / 8 if left else -spacing / 8
    taken: list[Point] = []
    for score in sorted(scores, key=lambda one: one.told_apart, reverse=not left):
        x, y = _point(score)
        beside, at = (x / 1.35, y + spacing / 2) if left else (1.2 * x, y)
        near = [height for place, height in taken if max(place, beside) < 3.5 * min(place, beside)]
        while any(abs(at - height) < 0.99 * spacing for height in near):
            at += step
        taken.append((beside, at))
        axes.annotate(
            score.search,
            (x, y),
            (beside, at),
            fontsize=8 if left else 6.5,
            color="black" if left else "#666666",
            ha="right" if left else "left",
            va="center",
            arrowprops={"arrowstyle": "-", "linewidth": 0.4, "color": "#999999"},
        )

"""Score against cost: how many pairs a search tells apart, and what a pair takes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lvc.expressivity.scores import Score, pareto
from lvc.viz.figures import PALETTE, FilePath, save_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_scores(scores: Sequence[Score], title: str, path: FilePath) -> Path:
    """Every search a point, those on the Pareto front joined and named; the others small and grey."""
    front = pareto(scores)

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot(1, 1, 1)
        others = [one for one in scores if one not in front]
        axes.plot([1000 * one.a_pair for one in others], [one.told_apart for one in others], "o", color=PALETTE[7])
        for one in others:
            axes.annotate(
                one.search,
                (1000 * one.a_pair, one.told_apart),
                (4, -9),
                fontsize=6,
                color="#777777",
                textcoords=_POINTS,
            )
        axes.plot([1000 * one.a_pair for one in front], [one.told_apart for one in front], "o-", color=PALETTE[4])
        for one in front:
            axes.annotate(
                one.search, (1000 * one.a_pair, one.told_apart), (-4, 6), fontsize=8, ha="right", textcoords=_POINTS
            )
        axes.set_xscale("log")
        axes.set_xlabel("milliseconds a pair, one thread")
        axes.set_ylabel(f"pairs told apart, of {scores[0].pairs}")
        axes.margins(x=0.25, y=0.12)
        axes.grid(alpha=0.3)
        axes.set_title(title, fontsize=11)

    return save_figure(path, draw, width=8.5, height=5.2)


_POINTS = "offset points"

"""Learning curves."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lvc.viz.canvas import PALETTE, FilePath, save_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_curves(curves: Sequence[Sequence[tuple[float, float]]], title: str, path: FilePath) -> Path:
    """Training loss and validation accuracy, epoch by epoch, a thin line for every split."""

    def draw(figure: Figure) -> None:
        for place, name in enumerate(("training loss", "validation accuracy")):
            axes = figure.add_subplot(1, 2, place + 1)
            for curve in curves:
                axes.plot([point[place] for point in curve], linewidth=1, color=PALETTE[4], alpha=0.5)
            axes.set_xlabel("epoch")
            axes.set_title(name, fontsize=10)
            axes.grid(alpha=0.3)
        figure.suptitle(title, fontsize=11)

    return save_figure(path, draw, width=8.5, height=3.4)

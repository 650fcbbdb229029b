"""What every figure is made of: a file, panels, vertices, edges, a key.

Colours are those of Okabe and Ito, which colour-blind readers can tell apart; a class's number is written in its
vertices too, so that no figure needs colour to be read. The same input draws the same file.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lvc.errors import LvcError
from lvc.files import write_whole
from lvc.graph import Graph
from lvc.viz.layout import Positions, graph_positions

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PALETTE = ("#56B4E9", "#E69F00", "#009E73", "#F0E442", "#0072B2", "#D55E00", "#CC79A7", "#BBBBBB")
DARK = {"#0072B2"}
FORMATS = (".png", ".svg", ".pdf")
MOST_VERTICES = 400
TREE, BACK, PLAIN, MARK, PATH = "#009E73", "#555555", "#999999", "#B0004E", "#CC79A7"

FilePath = str | os.PathLike[str]
Edge = tuple[int, int]


@dataclass(frozen=True)
class Picture:
    """A graph in a panel: its vertices with colours or names, some of them ringed, some edges marked."""

    caption: str
    graph: Graph
    colours: Sequence[int] | None = None  # the number of every vertex's class; None: names, all white
    ring: Iterable[int] = ()
    marked: Iterable[Edge] = ()
    named: bool = False  # write the names beside the colours


def draw_pictures(pictures: Sequence[Picture], path: FilePath, title: str = "", title_size: int = 12) -> Path:
    """Graphs side by side."""
    for picture in pictures:
        check_size(picture.graph)

    def draw(figure: Figure) -> None:
        for i, picture in enumerate(pictures):
            paint(panel(figure, 1, len(pictures), i + 1, picture.caption), picture)
        if title:
            figure.suptitle(title, fontsize=title_size, parse_math=False)

    each = {1: 6.0, 2: 4.5}.get(len(pictures), 3.8)
    height = height_for([picture.graph for picture in pictures], each, 4.4) + 0.15 * title.count("\n")
    return save_figure(path, draw, each * len(pictures), height)


def height_for(graphs: Iterable[Graph], each: float, most: float) -> float:
    """How high a row of panels, each so many inches wide, must be for its tallest graph and the titles."""
    needed = 0.0
    for graph in graphs:
        x, y = zip(*graph_positions(graph).values(), strict=True)
        needed = max(needed, each * (max(y) - min(y)) / max(max(x) - min(x), 1e-9))
    return min(1.3 + needed, most)


def paint(axes: Axes, picture: Picture) -> None:
    """Put a graph into a panel."""
    graph, place = picture.graph, placed(axes, picture.graph)
    marked = {frozenset(edge) for edge in picture.marked}
    for u, v in graph.edges().tolist():
        if frozenset((u, v)) in marked:
            draw_edge(axes, place, u, v, color=PATH, width=3.2)
        else:
            draw_edge(axes, place, u, v)
    if picture.colours is None:
        fill, text = dict.fromkeys(place, "#FFFFFF"), {v: str(name_of(graph, v)) for v in place}
    else:
        fill = {v: PALETTE[picture.colours[v] % len(PALETTE)] for v in place}
        text = {v: str(picture.colours[v]) for v in place}
    draw_vertices(axes, place, fill, text, picture.ring)
    if picture.named:
        write_beside(axes, place, {v: str(name_of(graph, v)) for v in place})


def write_beside(axes: Axes, place: Positions, text: Mapping[int, str]) -> None:
    """Small texts up and right of the vertices."""
    box = {"facecolor": "white", "edgecolor": "none", "pad": 0.5}
    for v, at in place.items():
        axes.annotate(
            text[v], at, (13, 9), textcoords="offset points", fontsize=8, color=BACK, bbox=box, parse_math=False
        )


def placed(axes: Axes, graph: Graph) -> Positions:
    """Where the vertices stand, in a panel with equal scales."""
    axes.set_aspect("equal", adjustable="datalim")
    return graph_positions(graph)


def name_of(graph: Graph, v: int) -> Any:
    """What a vertex is called."""
    return v if graph.names is None else graph.names[v]


def panel(figure: Figure, rows: int, columns: int, number: int, title: str) -> Axes:
    """One part of a figure."""
    axes = figure.add_subplot(rows, columns, number)
    axes.set_title(title, fontsize=10, parse_math=False)
    axes.set_axis_off()
    axes.margins(0.14)
    return axes


def draw_edge(
    axes: Axes,
    place: Positions,
    u: int,
    v: int,
    color: str = PLAIN,
    style: str = "-",
    width: float = 1.2,
    bend: float = 0,
) -> None:
    """A line between two vertices, bent if asked."""
    arc = {
        "arrowstyle": "-",
        "color": color,
        "linestyle": style,
        "linewidth": width,
        "connectionstyle": f"arc3,rad={bend}",
    }
    axes.annotate("", place[u], place[v], arrowprops=arc, zorder=1)


def draw_vertices(
    axes: Axes, place: Positions, fill: Mapping[int, str], text: Mapping[int, str], ring: Iterable[int] = ()
) -> None:
    """Circles with texts in them; texts that begin with $v_ are formulas."""
    ringed = set(ring)
    small = len(place) > 60
    for v, (x, y) in place.items():
        edge, width = (MARK, 2.6) if v in ringed else ("#333333", 1.0)
        axes.scatter(
            [x], [y], s=60 if small else 330, c=fill[v], edgecolors=edge, linewidths=width, zorder=2, clip_on=False
        )
        if not small:
            color = "#FFFFFF" if fill[v] in DARK else "#111111"
            formula = text[v].startswith("$v_{")
            axes.text(x, y, text[v], ha="center", va="center", fontsize=9, color=color, zorder=3, parse_math=formula)


def draw_key(axes: Axes, lines: Sequence[tuple[str, str, str]]) -> None:
    """What the lines mean: (label, colour, style)."""
    from matplotlib.lines import Line2D

    looks: list[dict[str, Any]] = [
        {"label": label, "color": color, "linestyle": style} for label, color, style in lines
    ]
    handles = [Line2D([], [], linewidth=2, **look) for look in looks]
    axes.legend(
        handles=handles, loc="lower center", bbox_to_anchor=(0.5, -0.12), ncol=len(handles), frameon=False, fontsize=8
    )


def check_drawable(path: FilePath, *graphs: Graph) -> None:
    """Raise if there is no figure of these graphs, or none of this format."""
    if Path(path).suffix not in FORMATS:
        raise LvcError(f"a figure's name must end in {', '.join(FORMATS)}, got {Path(path).name!r}")
    for graph in graphs:
        check_size(graph)


def check_size(graph: Graph) -> None:
    """Raise if a graph is too large to be drawn."""
    if not 0 < graph.n <= MOST_VERTICES:
        raise LvcError(f"a figure needs between 1 and {MOST_VERTICES} vertices, got {graph.n}")


def save_figure(path: FilePath, draw: Callable[[Figure], None], width: float, height: float) -> Path:
    """Draw into a new figure and write it whole; the same drawing gives the same file."""
    check_drawable(path)
    target = Path(path)
    try:
        import matplotlib
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise LvcError("drawing needs matplotlib; install it with: pip install 'lvc-gnn[viz]'") from None
    settings: Any = {"svg.hashsalt": "lvc", "font.family": "DejaVu Sans"}
    with matplotlib.rc_context(settings):
        figure = Figure(figsize=(width, height), dpi=150, layout="constrained")
        FigureCanvasAgg(figure)
        draw(figure)
        metadata = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(target.suffix)
        return write_whole(target, lambda file: figure.savefig(file, metadata=metadata, facecolor="white"))

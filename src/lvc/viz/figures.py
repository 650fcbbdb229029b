"""Figures: a search tree, a colouring, two graphs side by side, blocks and bridges.

Colours are those of Okabe and Ito, which colour-blind readers can tell apart; a class's number is written in its
vertices too, so that no figure needs colour to be read. The same input draws the same file.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lvc.colouring.colour import Colouring
from lvc.colouring.compare import Comparison
from lvc.colouring.reveal import cut_vertices, structure
from lvc.errors import LvcError
from lvc.files import write_whole
from lvc.graph import Graph
from lvc.search.tree import SearchTree
from lvc.viz.layout import Positions, graph_positions, tree_positions

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PALETTE = ("#56B4E9", "#E69F00", "#009E73", "#F0E442", "#0072B2", "#D55E00", "#CC79A7", "#BBBBBB")
DARK = {"#0072B2", "#009E73", "#D55E00"}
FORMATS = (".png", ".svg", ".pdf")
MOST_VERTICES = 400
TREE, BACK, PLAIN, MARK = "#009E73", "#555555", "#999999", "#D55E00"

FilePath = str | os.PathLike[str]


def draw_search_tree(graph: Graph, tree: SearchTree, path: FilePath) -> Path:
    """The search tree from top to bottom: tree edges solid, back edges dashed, each vertex with its subscript v_i."""
    _check_size(graph)
    width = 1 + 0.9 * max(3, len(tree.visited) ** 0.75)
    return save_figure(path, lambda figure: _tree(figure, (1, 1, 1), graph, tree), width, height=4.2)


def draw_overview(graph: Graph, tree: SearchTree, coloured: Graph, colouring: Colouring, path: FilePath) -> Path:
    """A search tree beside a colouring."""
    _check_size(graph)
    _check_size(coloured)

    def draw(figure: Figure) -> None:
        _tree(figure, (1, 2, 1), graph, tree)
        title = f"{colouring.search}: {colouring.classes} colours"
        _coloured(_panel(figure, 1, 2, 2, title), coloured, colouring.vertex.tolist())

    return save_figure(path, draw, width=9.5, height=3.9)


def _tree(figure: Figure, where: tuple[int, int, int], graph: Graph, tree: SearchTree) -> None:
    axes = _panel(figure, *where, f"{tree.kind.upper()} from vertex {tree.root}")
    place = tree_positions(tree)
    axes.set_xlim(min(x for x, _ in place.values()) - 1, max(x for x, _ in place.values()) + 1)
    for i, (u, v) in enumerate(tree.back_edges):
        _edge(axes, place, u, v, color=BACK, style="--", bend=0.35 if i % 2 else -0.35)
    for u, v in tree.tree_edges:
        _edge(axes, place, u, v, color=TREE, width=2.4)
    text = {v: f"$v_{{{i}}}$" for i, v in enumerate(tree.visited)}
    _vertices(axes, place, dict.fromkeys(place, "#FFFFFF"), text, ring={tree.root})
    box = {"facecolor": "white", "edgecolor": "none", "pad": 0.5}
    for v, (x, y) in place.items():
        name = str(_name(graph, v))
        axes.annotate(
            name, (x, y), (13, 9), textcoords="offset points", fontsize=8, color=BACK, bbox=box, parse_math=False
        )
    _key(axes, [("tree edge", TREE, "-"), ("back edge", BACK, "--")])


def draw_colouring(graph: Graph, colouring: Colouring, path: FilePath) -> Path:
    """The graph with the classes of a colouring."""
    _check_size(graph)

    def draw(figure: Figure) -> None:
        title = f"{colouring.search}: {colouring.classes} colours, round {colouring.rounds}"
        _coloured(_panel(figure, 1, 1, 1, title), graph, colouring.vertex.tolist())

    return save_figure(path, draw, width=6.0, height=_height([graph], 6.0, 4.5))


def draw_rounds(graph: Graph, rounds: Sequence[Colouring], path: FilePath) -> Path:
    """A colouring round by round, from left to right."""
    _check_size(graph)

    def draw(figure: Figure) -> None:
        for i, colouring in enumerate(rounds):
            axes = _panel(figure, 1, len(rounds), i + 1, f"round {i}: {colouring.classes} colours")
            _coloured(axes, graph, colouring.vertex.tolist())
        figure.suptitle(str(rounds[0].search), fontsize=12)

    return save_figure(path, draw, width=3.6 * len(rounds), height=_height([graph], 3.6, 3.6))


def draw_comparison(first: Graph, second: Graph, comparison: Comparison, path: FilePath) -> Path:
    """Two graphs side by side in the round that tells them apart; vertices of differing classes are ringed."""
    _check_size(first)
    _check_size(second)

    def draw(figure: Figure) -> None:
        for i, graph in enumerate((first, second)):
            axes = _panel(figure, 1, 2, i + 1, ("first", "second")[i])
            ring = {v for d in comparison.differences for v in (d.first, d.second)[i]}
            _coloured(axes, graph, comparison.colours[i].tolist(), ring)
        verdict = "told apart" if comparison.told_apart else "same colours"
        figure.suptitle(f"{comparison.search}: {verdict}, round {comparison.round}", fontsize=12)

    return save_figure(path, draw, width=9.0, height=_height([first, second], 4.5, 4.3))


def draw_structure(graph: Graph, path: FilePath) -> Path:
    """Blocks (one colour each), bridges (thick, dashed), cut vertices (ringed)."""
    _check_size(graph)
    found = structure(graph)

    def draw(figure: Figure) -> None:
        axes = _panel(figure, 1, 1, 1, "blocks, bridges and cut vertices")
        place = _placed(axes, graph)
        bridges = set(found.bridges)
        block_of_edge = {(u, v): b for b, block in enumerate(found.blocks) for u in block for v in block if u < v}
        for u, v in graph.edges().tolist():
            if (u, v) in bridges:
                _edge(axes, place, u, v, color=MARK, style="--", width=2.4)
            else:
                _edge(axes, place, u, v, color=PALETTE[block_of_edge[u, v] % len(PALETTE)], width=2.4)
        text = {v: str(_name(graph, v)) for v in place}
        _vertices(axes, place, dict.fromkeys(place, "#FFFFFF"), text, ring=set(cut_vertices(graph)))
        _key(axes, [("bridge", MARK, "--"), ("edges of one block", PALETTE[0], "-")])

    return save_figure(path, draw, width=6.5, height=_height([graph], 6.5, 4.8))


def draw_graphs(graphs: Sequence[tuple[str, Graph, Iterable[int]]], title: str, path: FilePath) -> Path:
    """Graphs side by side with some vertices ringed; each is (caption, graph, ringed vertices)."""
    for _, graph, _ in graphs:
        _check_size(graph)

    def draw(figure: Figure) -> None:
        for i, (caption, graph, marked) in enumerate(graphs):
            axes = _panel(figure, 1, len(graphs), i + 1, caption)
            place = _placed(axes, graph)
            for u, v in graph.edges().tolist():
                _edge(axes, place, u, v)
            text = {v: str(_name(graph, v)) for v in place}
            _vertices(axes, place, dict.fromkeys(place, "#FFFFFF"), text, ring=set(marked))
        figure.suptitle(title, fontsize=9, parse_math=False)

    height = _height([graph for _, graph, _ in graphs], 4.2, 4.3) + 0.15 * title.count("\n")
    return save_figure(path, draw, width=4.2 * len(graphs), height=height)


def _coloured(axes: Axes, graph: Graph, colours: list[int], ring: Iterable[int] = ()) -> None:
    place = _placed(axes, graph)
    for u, v in graph.edges().tolist():
        _edge(axes, place, u, v)
    fill = {v: PALETTE[colours[v] % len(PALETTE)] for v in place}
    _vertices(axes, place, fill, {v: str(colours[v]) for v in place}, set(ring))


def _placed(axes: Axes, graph: Graph) -> Positions:
    axes.set_aspect("equal", adjustable="datalim")
    return graph_positions(graph)


def _height(graphs: Iterable[Graph], panel: float, most: float) -> float:
    """How high a row of panels, each so many inches wide, must be for its tallest graph and the titles."""
    needed = 0.0
    for graph in graphs:
        x, y = zip(*graph_positions(graph).values(), strict=True)
        needed = max(needed, panel * (max(y) - min(y)) / max(max(x) - min(x), 1e-9))
    return min(1.3 + needed, most)


def _name(graph: Graph, v: int) -> Any:
    return v if graph.names is None else graph.names[v]


def _panel(figure: Figure, rows: int, columns: int, number: int, title: str) -> Axes:
    axes = figure.add_subplot(rows, columns, number)
    axes.set_title(title, fontsize=10, parse_math=False)
    axes.set_axis_off()
    axes.margins(0.14)
    return axes


def _edge(
    axes: Axes,
    place: Positions,
    u: int,
    v: int,
    color: str = PLAIN,
    style: str = "-",
    width: float = 1.2,
    bend: float = 0,
) -> None:
    arc = {
        "arrowstyle": "-",
        "color": color,
        "linestyle": style,
        "linewidth": width,
        "connectionstyle": f"arc3,rad={bend}",
    }
    axes.annotate("", place[u], place[v], arrowprops=arc, zorder=1)


def _vertices(
    axes: Axes, place: Positions, fill: Mapping[int, str], text: Mapping[int, str], ring: Iterable[int] = ()
) -> None:
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


def _key(axes: Axes, lines: Sequence[tuple[str, str, str]]) -> None:
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
        _check_size(graph)


def _check_size(graph: Graph) -> None:
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

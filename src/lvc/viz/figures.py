"""Figures of graphs: a search tree, η, a colouring round by round, two graphs side by side, blocks and bridges."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lvc.colouring.colour import Colouring
from lvc.colouring.compare import Comparison
from lvc.colouring.reveal import cut_vertices, structure
from lvc.errors import LvcError
from lvc.graph import Graph
from lvc.search.kinds import Search
from lvc.search.parsing import parse_search
from lvc.search.tree import SearchTree
from lvc.search.trees import eta_from
from lvc.viz.canvas import (
    BACK,
    MARK,
    PALETTE,
    TREE,
    FilePath,
    Picture,
    check_size,
    draw_edge,
    draw_key,
    draw_pictures,
    draw_vertices,
    height_for,
    name_of,
    paint,
    panel,
    placed,
    save_figure,
    write_beside,
)
from lvc.viz.layout import tree_positions

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def draw_search_tree(graph: Graph, tree: SearchTree, path: FilePath) -> Path:
    """The search tree from top to bottom: tree edges solid, back edges dashed, each vertex with its subscript v_i."""
    check_size(graph)
    width = 1 + 0.9 * max(3, len(tree.visited) ** 0.75)
    return save_figure(path, lambda figure: paint_tree(figure, (1, 1, 1), graph, tree), width, height=4.2)


def draw_overview(graph: Graph, tree: SearchTree, coloured: Graph, colouring: Colouring, path: FilePath) -> Path:
    """A search tree beside a colouring."""
    check_size(graph)
    check_size(coloured)

    def draw(figure: Figure) -> None:
        paint_tree(figure, (1, 2, 1), graph, tree)
        title = f"{colouring.search}: {colouring.classes} colours"
        paint(panel(figure, 1, 2, 2, title), Picture(title, coloured, colouring.vertex.tolist()))

    return save_figure(path, draw, width=9.5, height=3.9)


def paint_tree(
    figure: Figure,
    where: tuple[int, int, int],
    graph: Graph,
    tree: SearchTree,
    colours: Mapping[int, int] | None = None,
) -> None:
    """One search tree in a panel; with ``colours``, of the pairs with its root, its vertices have them."""
    axes = panel(figure, *where, f"{tree.kind.upper()} from vertex {tree.root}")
    place = tree_positions(tree)
    axes.set_xlim(min(x for x, _ in place.values()) - 1, max(x for x, _ in place.values()) + 1)
    for i, (u, v) in enumerate(tree.back_edges):
        draw_edge(axes, place, u, v, color=BACK, style="--", bend=0.35 if i % 2 else -0.35)
    for u, v in tree.tree_edges:
        draw_edge(axes, place, u, v, color=TREE, width=2.4)
    if colours is None:
        fill, text = dict.fromkeys(place, "#FFFFFF"), {v: f"$v_{{{i}}}$" for i, v in enumerate(tree.visited)}
        side = {v: str(name_of(graph, v)) for v in place}
    else:
        fill = {v: PALETTE[colours[v] % len(PALETTE)] for v in place}
        text = {v: str(colours[v]) for v in place}
        side = {v: f"{name_of(graph, v)}{'*' if v == tree.root else ''}" for v in place}
    draw_vertices(axes, place, fill, text, ring={tree.root})
    write_beside(axes, place, side)
    draw_key(axes, [("tree edge", TREE, "-"), ("back edge", BACK, "--")])


def draw_eta(graph: Graph, search: str | Search, root: int, vertex: int, path: FilePath) -> Path:
    """η of one vertex in the search from a root: arrows from the vertices whose colours it takes; others are grey."""
    check_size(graph)
    chosen = parse_search(search)
    if len(chosen.parts) != 1:
        raise LvcError(f"η belongs to one search, got {chosen}; draw its parts one after another")
    eta = eta_from(graph, chosen, root)
    if vertex not in eta:
        raise LvcError(f"vertex {vertex} is not in the ball of {root} under {chosen}, or is the root itself")

    def draw(figure: Figure) -> None:
        axes = panel(figure, 1, 1, 1, f"{chosen}: η of vertex {vertex} in the search from {root}")
        place = placed(axes, graph)
        for u, v in graph.edges().tolist():
            draw_edge(axes, place, u, v)
        for w in eta[vertex]:
            if w != vertex:
                _arrow(axes, place[w], place[vertex])
        fill = {v: "#FFFFFF" if v == root or v in eta else "#E3E3E3" for v in place}
        fill |= dict.fromkeys(eta[vertex], PALETTE[1])
        fill[root] = PALETTE[0]
        text = {v: str(name_of(graph, v)) for v in place}
        draw_vertices(axes, place, fill, text, ring={vertex})
        draw_key(axes, [("root", PALETTE[0], "-"), ("in η", PALETTE[1], "-"), ("outside the ball", "#E3E3E3", "-")])

    return save_figure(path, draw, width=6.5, height=4.8)


def _arrow(axes: Axes, start: tuple[float, float], end: tuple[float, float]) -> None:
    look = {"arrowstyle": "-|>", "color": MARK, "linewidth": 2, "shrinkA": 10, "shrinkB": 11}
    axes.annotate("", end, start, arrowprops={**look, "connectionstyle": "arc3,rad=0.18"}, zorder=1.5)


def draw_colouring(graph: Graph, colouring: Colouring, path: FilePath) -> Path:
    """The graph with the classes of a colouring."""
    caption = f"{colouring.search}: {colouring.classes} colours, round {colouring.rounds}"
    return draw_pictures([Picture(caption, graph, colouring.vertex.tolist())], path)


def draw_rounds(graph: Graph, rounds: Sequence[Colouring], path: FilePath) -> Path:
    """A colouring round by round, from left to right."""
    pictures = [
        Picture(f"round {i}: {one.classes} colours", graph, one.vertex.tolist()) for i, one in enumerate(rounds)
    ]
    return draw_pictures(pictures, path, str(rounds[0].search))


def draw_comparison(first: Graph, second: Graph, comparison: Comparison, path: FilePath) -> Path:
    """Two graphs side by side in the round that tells them apart; vertices of differing classes are ringed."""
    verdict = "told apart" if comparison.told_apart else "same colours"
    title = f"{comparison.search}: {verdict}, round {comparison.round}"
    return draw_pictures(comparison_pictures(first, second, comparison), path, title)


def comparison_pictures(first: Graph, second: Graph, comparison: Comparison) -> list[Picture]:
    """Both graphs with their colours, vertices of differing classes ringed."""
    rings = [{v for d in comparison.differences for v in (d.first, d.second)[i]} for i in (0, 1)]
    return [
        Picture(("first", "second")[i], graph, comparison.colours[i].tolist(), rings[i])
        for i, graph in enumerate((first, second))
    ]


def draw_structure(graph: Graph, path: FilePath) -> Path:
    """Blocks (one colour each), bridges (thick, dashed), cut vertices (ringed)."""
    check_size(graph)
    found = structure(graph)

    def draw(figure: Figure) -> None:
        axes = panel(figure, 1, 1, 1, "blocks, bridges and cut vertices")
        place = placed(axes, graph)
        bridges = set(found.bridges)
        block_of_edge = {(u, v): b for b, block in enumerate(found.blocks) for u in block for v in block if u < v}
        for u, v in graph.edges().tolist():
            if (u, v) in bridges:
                draw_edge(axes, place, u, v, color=MARK, style="--", width=2.4)
            else:
                draw_edge(axes, place, u, v, color=PALETTE[block_of_edge[u, v] % len(PALETTE)], width=2.4)
        text = {v: str(name_of(graph, v)) for v in place}
        draw_vertices(axes, place, dict.fromkeys(place, "#FFFFFF"), text, ring=set(cut_vertices(graph)))
        draw_key(axes, [("bridge", MARK, "--"), ("edges of one block", PALETTE[0], "-")])

    return save_figure(path, draw, width=6.5, height=height_for([graph], 6.5, 4.8))


def draw_graphs(graphs: Sequence[tuple[str, Graph, Iterable[int]]], title: str, path: FilePath) -> Path:
    """Graphs side by side with some vertices ringed; each is (caption, graph, ringed vertices)."""
    return draw_pictures([Picture(text, graph, ring=ring) for text, graph, ring in graphs], path, title, title_size=9)

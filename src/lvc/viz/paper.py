"""All figures of the paper from our own code. Its pictures are not part of its source, so the graphs are ours."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from lvc.colouring.compare import compare
from lvc.colouring.reveal import ego_shortest_path_graph
from lvc.errors import LvcError
from lvc.expressivity.named import NAMED_PAIRS, search_example, uneven_barbell
from lvc.expressivity.pair_colours import PairColours, stable_pair_colours
from lvc.files import make_folder
from lvc.graph import Graph
from lvc.search.kinds import Search
from lvc.search.parsing import parse_search
from lvc.search.tree import search_tree
from lvc.viz.canvas import FORMATS, FilePath, Picture, draw_pictures, paint, panel, save_figure
from lvc.viz.figures import comparison_pictures, paint_tree

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_paper(folder: Path, ending: str = ".png", progress: Callable[[], object] | None = None) -> list[Path]:
    """Every figure of the paper as a file in ``folder``; ``progress`` is called after each."""
    if ending not in FORMATS:
        raise LvcError(f"a figure's name must end in {', '.join(FORMATS)}, got {ending!r}")
    make_folder(folder)
    drawn = []
    for name, draw in FIGURES.items():
        drawn.append(draw(folder / f"{name}{ending}"))
        if progress is not None:
            progress()
    return drawn


def draw_searches(path: FilePath) -> Path:
    """A graph, and its edges as breadth-first and depth-first search sort them (the paper's first figure)."""
    graph = search_example()

    def draw(figure: Figure) -> None:
        paint(panel(figure, 1, 3, 1, "a graph"), Picture("", graph))
        for i, kind in enumerate(("bfs", "dfs")):
            paint_tree(figure, (1, 3, i + 2), graph, search_tree(graph, 0, kind))

    return save_figure(path, draw, width=12, height=4.2)


def draw_first_round(graph: Graph, search: str | Search, roots: Iterable[int], path: FilePath) -> Path:
    """Colours after one round: of the vertices, and before that of the pairs with each of ``roots``."""
    chosen = parse_search(search)
    kind = str(chosen).partition(":")[0]
    if kind not in ("bfs", "dfs"):
        raise LvcError(f"trees are drawn of bfs or dfs, got {chosen}")
    found = stable_pair_colours([graph], chosen, rounds=1)
    searched = [(search_tree(graph, root, kind), _seen_from(found, root)) for root in roots]

    def draw(figure: Figure) -> None:
        columns = 1 + len(searched)
        caption = f"{chosen}, round 1: {len(set(found.vertex[0]))} colours of vertices"
        paint(panel(figure, 1, columns, 1, caption), Picture("", graph, found.vertex[0], named=True))
        for i, (tree, colours) in enumerate(searched):
            paint_tree(figure, (1, columns, i + 2), graph, tree, colours)

    return save_figure(path, draw, width=4 * (1 + len(searched)), height=4.6)


def _seen_from(found: PairColours, root: int) -> dict[int, int]:
    """λ_root(u) of every u: a root has its vertex colour, the numbers of other pairs begin behind those of vertices."""
    number: dict[int, int] = {}
    behind = len(set(found.vertex[0]))
    for pair, made in zip(found.pairs, found.pair, strict=True):
        if pair.distance > 0:
            number.setdefault(made, behind + len(number))
    seen = {u: number.get(made, -1) for (_, u, v), made in found.of_pair().items() if v == root}
    return {**seen, root: found.vertex[0][root]}


def draw_ego_graphs(path: FilePath) -> Path:
    """K33 and the prism: 1-WL sees no difference, the shortest paths from a vertex within two steps do."""
    pictures = []
    for name, graph in zip(("K33", "prism"), NAMED_PAIRS["k33-prism"].make(), strict=True):
        edges = ego_shortest_path_graph(graph, 0, 2)
        pictures.append(Picture(f"{name}: shortest paths from 0, two steps", graph, ring=[0], marked=edges))
    return draw_pictures(pictures, path)


def draw_pairs_apart(names: Iterable[tuple[str, str]], path: FilePath) -> Path:
    """Named pairs side by side, each coloured by the search that tells it apart."""
    pictures = []
    for name, search in names:
        pair = NAMED_PAIRS[name].make()
        found = compare(*pair, search)
        for picture in comparison_pictures(*pair, found):
            caption = f"{search}: {'told apart' if found.told_apart else 'same colours'}, {picture.caption}"
            pictures.append(Picture(caption, picture.graph, picture.colours, picture.ring))
    return draw_pictures(pictures, path)


def draw_beyond_bfc(path: FilePath) -> Path:
    """Two graphs on eight vertices that 3-WL tells apart and BFC does not."""
    return draw_pairs_apart((("beyond-bfc", "bfs:inf"), ("beyond-bfc", "fwl2")), path)


#: Name of the file -> what draws it, in the paper's order.
FIGURES: dict[str, Callable[[FilePath], Path]] = {
    "1-searches": draw_searches,
    "2-bfc-first-round": lambda path: draw_first_round(search_example(), "bfs:inf", (0, 3), path),
    "3-ego-shortest-path-graphs": draw_ego_graphs,
    "4-dfc-first-round": lambda path: draw_first_round(uneven_barbell(), "dfs:inf", (0, 7), path),
    "5-circles": lambda path: draw_pairs_apart((("triangles", "bfs:2"), ("pentagons", "bfs:3")), path),
    "6-rook-shrikhande": lambda path: draw_pairs_apart((("rook", "dfs:1"),), path),
    "7-dfc-radii": lambda path: draw_pairs_apart((("square-diamond", "dfs:1"), ("tailed", "dfs:2")), path),
    "8-beyond-bfc": draw_beyond_bfc,
}

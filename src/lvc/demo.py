"""What ``make demo`` shows: which searches tell the named pairs apart, what a network learns of it, and pictures."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

from lvc.colouring.colour import colour
from lvc.colouring.compare import compare
from lvc.expressivity.named import rook_and_shrikhande, search_example, uneven_barbell
from lvc.expressivity.verdicts import verdict_table, verdicts
from lvc.files import make_folder
from lvc.search.tree import search_tree
from lvc.viz.explore import write_explorer
from lvc.viz.figures import draw_colouring, draw_comparison, draw_overview, draw_search_tree


def draw_demo(out: Path) -> list[Path]:
    """The pictures of the demo and the README."""
    make_folder(out)
    graph, barbell = search_example(), uneven_barbell()
    rook, shrikhande = rook_and_shrikhande()
    tree, coloured = search_tree(graph, 0, "bfs"), colour(barbell, "dfs:2")
    return [
        draw_overview(graph, tree, barbell, coloured, out / "readme.png"),
        draw_search_tree(graph, tree, out / "search-bfs.png"),
        draw_search_tree(graph, search_tree(graph, 0, "dfs"), out / "search-dfs.png"),
        draw_colouring(barbell, coloured, out / "colouring.png"),
        draw_comparison(rook, shrikhande, compare(rook, shrikhande, "dfs:1"), out / "rook-shrikhande.png"),
    ]


def demo(out: Path) -> None:
    """Print the table, draw the pictures, train."""
    print("Which colourings tell these pairs of graphs apart (wl is 1-WL, fwl2 is as strong as 3-WL):\n")
    print(verdict_table(verdicts()))
    print("\nPictures:")
    for path in draw_demo(out):
        print(f"  {path}")
    write_explorer(out / "explorer.html", rook_and_shrikhande(), "dfs:1")
    print(f"  {out / 'explorer.html'}, a page to draw, colour and compare graphs in")
    train_demo()


def train_demo() -> None:
    """Cut-vertex detection by a message-passing network and by SGN-DF, if torch is there."""
    try:
        from lvc.experiments.biconnectivity import Settings, as_row, learn, result_table
    except ImportError:
        print("\nNo network was trained: that needs torch; install it with: pip install 'lvc-gnn[nn]'")
        return
    print("\nLearning to find cut vertices in generated graphs of 10 to 30 vertices (larger: 40 to 60):")
    rows = []
    for model in ("gin", "sgn-df"):
        small = Settings(model, sizes=(10, 30), larger=(40, 60), block=6, num_layers=3)
        small = replace(small, train_graphs=600, validation_graphs=100, test_graphs=200, epochs=15)
        rows.append(as_row(learn(small, partial(_say, model))))
    print("\nPer cent right on graphs the networks have not seen:\n")
    print(result_table(rows))


def _say(model: str, epoch: int, loss: float, best: float) -> None:
    if epoch % 5 == 0:
        print(f"  {model:8} epoch {epoch:3d}  loss {loss:.4f}  whole validation graphs right {100 * best:.1f} %")

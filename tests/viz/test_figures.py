import networkx as nx
import pytest

from lvc import Graph, LvcError, colour, compare, search_tree
from lvc.viz.canvas import MARK
from lvc.viz.figures import (
    draw_colouring,
    draw_comparison,
    draw_eta,
    draw_graphs,
    draw_rounds,
    draw_search_tree,
    draw_structure,
)
from lvc.viz.layout import graph_positions, tree_positions

pytest.importorskip("matplotlib")

BARBELL = Graph.from_networkx(nx.barbell_graph(4, 2))
TWO = Graph.from_networkx(nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(3)))

FIGURES = {
    "tree": lambda path: draw_search_tree(BARBELL, search_tree(BARBELL, 0, "dfs"), path),
    "colouring": lambda path: draw_colouring(BARBELL, colour(BARBELL, "bfs:2"), path),
    "rounds": lambda path: draw_rounds(BARBELL, [colour(BARBELL, "wl", rounds=k) for k in (0, 1, 2)], path),
    "comparison": lambda path: draw_comparison(TWO, TWO, compare(TWO, TWO, "wl"), path),
    "eta": lambda path: draw_eta(BARBELL, "dfs:2", 0, 4, path),
    "structure": lambda path: draw_structure(BARBELL, path),
    "graphs": lambda path: draw_graphs([("one", TWO, [0]), ("two", BARBELL, [])], "both", path),
}


@pytest.mark.parametrize("name", FIGURES)
def test_the_same_input_draws_the_same_file(name, tmp_path):
    for ending in ("png", "svg"):
        first, second = (FIGURES[name](tmp_path / f"{i}.{ending}").read_bytes() for i in (1, 2))
        assert first == second
        assert len(first) > 2000


def test_a_colouring_is_in_the_picture(tmp_path):
    """SVG text: every class's number stands in the figure, and more classes draw another picture."""
    coarse = draw_colouring(BARBELL, colour(BARBELL, "wl", rounds=0), tmp_path / "a.svg").read_text()
    fine = draw_colouring(BARBELL, colour(BARBELL, "wl"), tmp_path / "b.svg").read_text()
    assert "<!-- wl: 1 colours, round 0 -->" in coarse
    assert coarse.count("<!-- 0 -->") == BARBELL.n
    assert "<!-- 2 -->" in fine  # inside the cliques, where they are joined, on the path


def test_vertices_of_a_search_tree_stand_on_their_levels():
    tree = search_tree(BARBELL, 0, "bfs")
    place = tree_positions(tree)
    assert {v: -y for v, (_, y) in place.items()} == tree.level
    on_one_level = [place[v][0] for v in tree.visited if tree.level[v] == 1]
    assert on_one_level == sorted(on_one_level)
    assert len(set(place.values())) == len(place)


def test_components_do_not_overlap():
    place = graph_positions(TWO)
    assert max(place[v][0] for v in (0, 1, 2)) < min(place[v][0] for v in (3, 4, 5))


@pytest.mark.parametrize("n", [0, 401])
def test_too_few_or_too_many_vertices_are_refused(n, tmp_path):
    graph = Graph.from_edges(n, [])
    with pytest.raises(LvcError, match=f"a figure needs between 1 and 400 vertices, got {n}"):
        draw_colouring(graph, colour(graph, "wl"), tmp_path / "a.png")


def test_unknown_formats_are_refused_and_nothing_is_written(tmp_path):
    with pytest.raises(LvcError, match=r"must end in \.png, \.svg, \.pdf, got 'a\.bmp'"):
        draw_structure(BARBELL, tmp_path / "a.bmp")
    assert not list(tmp_path.iterdir())


def test_eta_is_in_the_picture(tmp_path):
    """Root 0 of a barbell: vertex 4 is entered by a bridge; an arrow (a path with a head) for every other member."""
    one = draw_eta(BARBELL, "dfs:2", 0, 4, tmp_path / "a.svg").read_text()
    block = draw_eta(BARBELL, "dfs:2", 0, 2, tmp_path / "b.svg").read_text()
    assert "dfs:2: η of vertex 4 in the search from 0" in one
    assert 0 < one.count(f"{MARK.lower()}; stroke-width: 2;") < block.count(f"{MARK.lower()}; stroke-width: 2;")


@pytest.mark.parametrize(
    ("search", "vertex", "sentence"),
    [
        ("bfs:1", 5, "vertex 5 is not in the ball of 0"),
        ("bfs:1", 0, "or is the root itself"),
        ("bfs:1+dfs:1", 1, "η belongs to one"),
    ],
)
def test_an_eta_that_is_not_there(search, vertex, sentence, tmp_path):
    with pytest.raises(LvcError, match=sentence):
        draw_eta(BARBELL, search, 0, vertex, tmp_path / "a.png")


def test_flat_graphs_get_flat_figures(tmp_path):
    """A path leaves no room above and below; a clique is as wide as it is high."""
    from matplotlib.image import imread

    heights = []
    for graph in (nx.path_graph(6), nx.complete_graph(6)):
        one = Graph.from_networkx(graph)
        heights.append(imread(draw_colouring(one, colour(one, "wl"), tmp_path / "one.png")).shape[0])
    assert 2 * heights[0] < heights[1]

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lvc import LvcError, search_tree, structure
from strategies import graphs


def test_breadth_first_on_a_square_with_a_diagonal():
    #  0 - 1
    #  | \ |
    #  3 - 2
    graph = nx.Graph([(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)])
    found = search_tree(graph, 0, "bfs")
    assert found.visited == (0, 1, 2, 3)
    assert found.tree_edges == ((0, 1), (0, 2), (0, 3))
    assert found.back_edges == ((2, 1), (3, 2))
    assert found.level == {0: 0, 1: 1, 2: 1, 3: 1}


def test_depth_first_on_the_same_graph_in_two_orders():
    graph = nx.Graph([(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)])
    found = search_tree(graph, 0, "dfs")
    assert found.tree_edges == ((0, 1), (1, 2), (2, 3))
    assert found.back_edges == ((2, 0), (3, 0))
    assert found.cover((3, 0)) == (3, 2, 1, 0)
    assert found.crossing() == (((2, 0), (3, 0)),)
    other = search_tree(graph, 0, "dfs", order=[2, 1, 0, 3])
    assert other.visited == (0, 2, 1, 3)
    assert other.back_edges == ((1, 0), (3, 0))


def test_printed_crossing_joins_two_triangles_that_share_the_root_and_paths_do_not():
    #  1   3
    #  |\ /|
    #  | 0 |     the back edges (2, 0) and (4, 0) end in the same vertex
    #  |/ \|
    #  2   4
    graph = nx.Graph([(0, 1), (1, 2), (2, 0), (0, 3), (3, 4), (4, 0)])
    found = search_tree(graph, 0, "dfs")
    assert found.crossing("printed") == (((2, 0), (4, 0)),)
    assert found.crossing("paths") == ()


@given(graphs(min_vertices=1), st.integers(0, 50), st.sampled_from(["bfs", "dfs"]))
def test_every_edge_is_a_tree_edge_or_a_back_edge_once(graph, seed, kind):
    found = search_tree(graph, 0, kind, order=seed)
    component = nx.node_connected_component(graph, 0)
    assert set(found.visited) == component
    edges = [frozenset(e) for e in found.tree_edges + found.back_edges]
    assert sorted(map(sorted, edges)) == sorted(map(sorted, graph.subgraph(component).edges))
    time = found.time
    assert all(time[u] < time[v] for u, v in found.tree_edges)
    assert all(time[u] > time[v] for u, v in found.back_edges)
    if kind == "bfs":
        assert found.level == nx.single_source_shortest_path_length(graph, 0)
        assert all(abs(found.level[u] - found.level[v]) <= 1 for u, v in found.back_edges)
    else:
        assert all(v in found.cover((u, v)) for u, v in found.back_edges)  # v is an ancestor of u


@given(graphs(min_vertices=1), st.integers(0, 50))
def test_chains_of_crossing_paths_are_the_blocks_in_every_order(graph, seed):
    found = search_tree(graph, 0, "dfs", order=seed)
    crossings = nx.Graph(found.crossing("paths"))
    crossings.add_nodes_from(found.back_edges)
    covered = {
        tuple(sorted({v for edge in chain for v in found.cover(edge)})) for chain in nx.connected_components(crossings)
    }
    component = nx.node_connected_component(graph, 0)
    assert covered == {block for block in structure(graph).blocks if set(block) <= component}


def test_the_radius_limits_the_search():
    assert search_tree(nx.path_graph(9), 4, "dfs", radius=2).visited == (4, 3, 2, 5, 6)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"kind": "both"}, "unknown kind of search 'both'; use one of bfs, dfs"),
        ({"kind": "bfs", "root": 5}, "root must be between 0 and 2, got 5"),
        ({"kind": "bfs", "order": [0, 1]}, "order must name each of the 3 vertices once"),
        ({"kind": "bfs", "order": -1}, "a seed must be 0 or more, got -1"),
        ({"kind": "bfs", "radius": 0}, "radius must be at least 1, got 0"),
    ],
)
def test_bad_arguments(arguments, sentence):
    with pytest.raises(LvcError, match=sentence):
        search_tree(nx.path_graph(3), **{"root": 0, **arguments})


def test_crossings_and_covers_are_for_depth_first_trees():
    found = search_tree(nx.cycle_graph(3), 0, "bfs")
    with pytest.raises(LvcError, match="not a back edge of a dfs tree"):
        found.cover((2, 1))
    with pytest.raises(LvcError, match="crossings are defined for a dfs tree"):
        found.crossing()
    with pytest.raises(LvcError, match="unknown rule 'mine'; use one of printed, paths"):
        search_tree(nx.cycle_graph(3), 0, "dfs").crossing("mine")

import networkx as nx
import numpy as np
import pytest
from networkx.algorithms.isomorphism import categorical_node_match

from lvc import Graph, as_graph, distinguishes
from lvc.expressivity.regular import rook_and_shrikhande
from lvc.isomorphism import are_isomorphic, isomorphism_classes


def shuffled(graph: Graph, seed: int = 0) -> Graph:
    return graph.relabelled(np.random.default_rng(seed).permutation(graph.n))


@pytest.mark.parametrize(
    "pair",
    [rook_and_shrikhande(), (nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(3)), nx.cycle_graph(6))],
)
def test_what_the_colouring_confuses_is_compared(pair):
    first, second = map(as_graph, pair)
    assert not distinguishes(first, second, "wl")
    assert isomorphism_classes([first, second, shuffled(first)], "wl") == [0, 1, 0]


@pytest.mark.parametrize("search", ["wl", "bfs:inf+dfs:1"])
@pytest.mark.parametrize("labelled", [True, False])
def test_against_networkx_on_random_graphs(search, labelled):
    rng = np.random.default_rng(0)
    graphs = []
    for _ in range(60):
        graph = as_graph(nx.gnp_random_graph(int(rng.integers(0, 6)), 0.5, seed=int(rng.integers(10**6))))
        graphs.append(graph.with_labels(rng.integers(0, 2, graph.n) if labelled else None))
    theirs = [graph.to_networkx() for graph in graphs]
    found = isomorphism_classes(graphs, search)
    match = categorical_node_match("label", None)
    for i, first in enumerate(theirs):
        for j, second in enumerate(theirs[:i]):
            assert (found[i] == found[j]) == nx.is_isomorphic(first, second, match)


@pytest.mark.compiled
def test_large_graphs_whose_colours_are_all_different():
    graph = as_graph(nx.random_regular_graph(4, 3000, seed=1)).with_labels(np.arange(3000))
    lacking = as_graph((3000, graph.edges()[1:])).with_labels(graph.labels)
    assert isomorphism_classes([graph, lacking, shuffled(graph)], "wl") == [0, 1, 0]


@pytest.mark.compiled
@pytest.mark.parametrize("graph", [nx.star_graph(1500), nx.disjoint_union_all([nx.cycle_graph(3)] * 500)])
def test_as_many_steps_as_vertices(graph):
    graph = as_graph(graph)
    assert are_isomorphic(graph, shuffled(graph))


def test_graphs_without_vertices():
    empty = as_graph((0, np.zeros((0, 2), np.int64)))
    assert are_isomorphic(empty, empty)
    assert isomorphism_classes([]) == []

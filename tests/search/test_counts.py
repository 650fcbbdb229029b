"""Path counts against their definition, worked out with distances and dense matrices."""

import networkx as nx
import numpy as np
import pytest

from lvc.errors import LvcError
from lvc.graph import Graph
from lvc.search.counts import path_counts


def graph_of(g: nx.Graph) -> Graph:
    return Graph.from_edges(g.number_of_nodes(), list(g.edges()))


def literal(g: nx.Graph, radius: int) -> dict[tuple[int, int], np.ndarray]:
    """a_{k,m}(u,x) word for word."""
    n = g.number_of_nodes()
    distance = np.full((n, n), n + 1)
    for u, lengths in nx.all_pairs_shortest_path_length(g):
        for v, d in lengths.items():
            distance[u, v] = d
    adjacency = nx.to_numpy_array(g, nodelist=range(n), dtype=np.int64)
    paths = {k: np.linalg.matrix_power(adjacency, k) * (distance == k) for k in range(radius + 1)}
    answer = {}
    for k in range(radius + 1):
        for m in range(radius - k + 1):
            roots = np.array(
                [[np.sum((distance[x] == m) & (distance[u] == m + k)) for x in range(n)] for u in range(n)]
            )
            answer[k, m] = paths[k] * roots
    return answer


def dense(graph: Graph, indptr: np.ndarray, indices: np.ndarray, values: np.ndarray) -> np.ndarray:
    matrix = np.zeros((graph.n, graph.n), np.int64)
    matrix[np.repeat(np.arange(graph.n), np.diff(indptr)), indices] = values
    return matrix


GRAPHS = {
    "random": nx.gnp_random_graph(14, 0.25, seed=1),
    "dense": nx.gnp_random_graph(10, 0.6, seed=2),
    "regular": nx.random_regular_graph(3, 12, seed=3),
    "tree": nx.random_labeled_tree(13, seed=4),
    "star": nx.star_graph(6),
    "clique": nx.complete_graph(5),
    "grid": nx.convert_node_labels_to_integers(nx.grid_2d_graph(4, 4)),
    "disconnected": nx.disjoint_union_all([nx.cycle_graph(5), nx.path_graph(4), nx.empty_graph(2)]),
}


@pytest.mark.parametrize("radius", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("name", GRAPHS)
def test_counts_are_what_they_say(name, radius):
    graph, wanted = graph_of(GRAPHS[name]), literal(GRAPHS[name], radius)
    counts = path_counts(graph, radius)
    for m in range(1, radius + 1):
        assert np.array_equal(np.diag(wanted[0, m]), counts.level[:, m - 1])
    for k in range(1, radius):
        for m in range(radius - k + 1):
            values = counts.values[k - 1][:, m]
            assert np.array_equal(wanted[k, m], dense(graph, counts.indptr[k - 1], counts.indices[k - 1], values))
    assert np.array_equal(wanted[radius, 0].sum(axis=1), counts.ends)


@pytest.mark.parametrize("radius", [2, 3, 4])
@pytest.mark.parametrize("name", GRAPHS)
def test_every_hop_factors(name, radius):
    graph, wanted = graph_of(GRAPHS[name]), literal(GRAPHS[name], radius)
    counts = path_counts(graph, radius)
    adjacency = dense(graph, graph.indptr, graph.indices, np.ones(len(graph.indices), np.int64))
    for k in range(2, radius + 1):
        closing = dense(graph, counts.indptr[k - 2], counts.indices[k - 2], counts.beside[k - 2])
        if k == 2:
            closing += np.diag(graph.degrees)
        else:
            closing += dense(graph, counts.indptr[k - 3], counts.indices[k - 3], counts.beyond[k - 3])
        assert np.array_equal(wanted[k - 1, 0] @ adjacency - closing, wanted[k, 0])


def test_counts_too_large_for_integers_are_refused():
    # a chain of 64 squares: 2**64 shortest paths from one end to the other
    edges = [(3 * i + a, 3 * i + b) for i in range(64) for a, b in ((0, 1), (0, 2), (1, 3), (2, 3))]
    graph = Graph.from_edges(3 * 64 + 1, edges)
    with pytest.raises(LvcError, match=r"2\*\*62 shortest paths"):
        path_counts(graph, 128)


def test_a_graph_without_edges_or_vertices():
    assert path_counts(Graph.from_edges(3, []), 2).level.tolist() == [[0, 0]] * 3
    assert path_counts(Graph.from_edges(0, []), 3).level.shape == (0, 3)


def test_memory_is_asked_for_first(monkeypatch):
    monkeypatch.setenv("LVC_MEMORY_GB", "0.0001")
    with pytest.raises(LvcError, match="needs about"):
        path_counts(graph_of(nx.gnp_random_graph(300, 0.1, seed=1)), 3)

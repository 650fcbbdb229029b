"""The formal bound on SGN against the printed equations run with random weights."""

import networkx as nx
import numpy as np
import pytest

import naive
from lvc import LvcError, distinguishes
from lvc.expressivity.named import cycles
from lvc.expressivity.network_bound import network_classes, network_tells_apart
from lvc.expressivity.regular import rook_three_and_rewired
from lvc.expressivity.smallest import all_graphs


def printed_sgn(graph: nx.Graph, eta, radius, layers: int, seed: int) -> dict[int, np.ndarray]:
    """Paper, equations of the network, word for word; sine of a random linear map for the MLP."""
    rng = np.random.default_rng(seed)
    width = 4
    vertex = {u: np.ones(width) for u in graph}
    etas = {v: eta(graph, v, radius) for v in graph}
    far = {v: naive.distances(graph, v, radius) for v in graph}
    pair = {(u, v): vertex[u] for v in graph for u in [v, *etas[v]]}
    for _ in range(layers):
        weights = {c: rng.normal(size=(width, width)) for c in range(1, 20)}
        mlp = rng.normal(size=(2 * width, width))
        pair = {
            (u, v): (vertex[u] + sum(pair[w, v] for w in etas[v][u])) @ weights[far[v][u]]
            for v in graph
            for u in etas[v]
        }
        heard = {u: sum((pair[u, v] for v in graph if (u, v) in pair), np.zeros(width)) for u in graph}
        vertex = {u: np.sin(np.concatenate([1.5 * vertex[u], heard[u]]) @ mlp / 8) for u in graph}
        pair |= {(v, v): vertex[v] for v in graph}
    return vertex


def outputs(graph, eta, radius, layers, seed):
    rows = printed_sgn(graph.to_networkx(), eta, radius, layers, seed)
    return np.array(sorted(np.round(row, 9).tolist() for row in rows.values()))


def test_no_weights_tell_the_rooks_pair_apart():
    first, second = rook_three_and_rewired()
    assert distinguishes(first, second, "bfs:2")
    for layers in (1, 2, 4, 8):
        assert not network_tells_apart(first, second, "bfs:2", layers)
    for seed in range(5):
        one, other = (outputs(graph, naive.bfs_eta, 2, 4, seed) for graph in (first, second))
        assert np.allclose(one, other)


@pytest.mark.parametrize(("search", "eta", "radius"), [("bfs:2", naive.bfs_eta, 2), ("dfs:1", naive.dfs_eta, 1)])
def test_classes_are_those_of_random_weights(search, eta, radius):
    for graph in all_graphs(5)[::3]:
        (classes,) = network_classes([graph], search, layers=3)
        rows = printed_sgn(graph.to_networkx(), eta, radius, layers=3, seed=1)
        numeric = {u: tuple(np.round(row, 8).tolist()) for u, row in rows.items()}
        assert naive.classes(dict(enumerate(classes))) == naive.classes(numeric)


def test_layers_matter():
    first, second = cycles(2)
    assert not network_tells_apart(first, second, "bfs:3", 0)
    assert network_tells_apart(first, second, "bfs:3", 1)
    with pytest.raises(LvcError, match="layers must be 0 or more, got -1"):
        network_classes([first], "bfs:1", -1)

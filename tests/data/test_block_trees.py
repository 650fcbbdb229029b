import networkx as nx
import numpy as np
import pytest

from lvc import LvcError, bridges, cut_vertices, structure
from lvc.data.block_trees import random_block_tree


@pytest.mark.parametrize("seed", range(30))
def test_block_trees_are_what_they_say(seed):
    graph = random_block_tree(np.random.default_rng(seed), 12, 20, block=5)
    assert 12 <= graph.n <= 20
    assert nx.is_connected(graph.to_networkx())
    assert cut_vertices(graph)
    assert max(map(len, structure(graph).blocks)) <= 5


def test_there_are_bridges_leaves_and_dense_blocks_among_them():
    graphs = [random_block_tree(np.random.default_rng(seed)) for seed in range(50)]
    assert any(bridges(graph) for graph in graphs)
    assert any(graph.degrees.min() == 1 for graph in graphs)
    density = [graph.m / graph.n for graph in graphs]
    assert min(density) < 1.3
    assert max(density) > 1.8


def test_degree_does_not_give_cut_vertices_away():
    cut: set[int] = set()
    other: set[int] = set()
    for seed in range(50):
        graph = random_block_tree(np.random.default_rng(seed))
        found = set(cut_vertices(graph))
        for v, degree in enumerate(graph.degrees.tolist()):
            (cut if v in found else other).add(degree)
    assert {2, 3, 4, 5} <= cut & other


def test_the_seed_decides():
    first, second, third = (random_block_tree(np.random.default_rng(seed)) for seed in (3, 3, 4))
    assert first == second != third


def test_impossible_sizes_are_refused():
    with pytest.raises(LvcError, match="needs 3 <= block <= smallest <= largest, got 6, 5, 4"):
        random_block_tree(np.random.default_rng(0), 5, 4)

"""Named pairs: not isomorphic, and which search tells which apart, with the answers written out."""

import networkx as nx
import numpy as np
import pytest

from lvc import Graph, LvcError, cut_vertices, distinguishes
from lvc.expressivity import NAMED_GRAPHS, NAMED_PAIRS
from lvc.expressivity.named import bowtie, cycle, cycles, joined_cycles, uneven_barbell
from lvc.expressivity.regular import biplane, one_sided, rook, shrikhande, tailed_rook_and_shrikhande
from lvc.isomorphism import are_isomorphic

SEARCHES = ("wl", "bfs:1", "bfs:2", "bfs:3", "dfs:1", "dfs:2", "dfs:3", "fwl2")
TOLD_APART = {
    #                  wl bfs 1  2  3  dfs 1  2  3  fwl2
    "triangles":      (0,     0, 1, 1,     1, 1, 1, 1),
    "pentagons":      (0,     0, 0, 1,     0, 1, 1, 1),
    "heptagons":      (0,     0, 0, 0,     0, 0, 1, 1),
    "bridge":         (0,     0, 1, 1,     1, 1, 1, 1),
    "k33-prism":      (0,     0, 1, 1,     1, 0, 0, 1),
    "square-diamond": (1,     1, 1, 1,     1, 0, 0, 1),
    "tailed":         (1,     1, 1, 1,     1, 1, 0, 1),
    "rook":           (0,     0, 0, 0,     1, 0, 0, 0),
    "beyond-bfc":     (0,     0, 0, 0,     1, 0, 0, 1),
    "rook-3":         (0,     0, 1, 1,     1, 0, 0, 1),
    "twelve":         (0,     0, 0, 0,     0, 0, 0, 1),
    "biplanes":       (0,     0, 0, 0,     0, 0, 0, 0),
}  # fmt: skip


def test_every_named_pair_has_its_answers():
    assert list(TOLD_APART) == list(NAMED_PAIRS)
    assert all(name == pair.name for name, pair in NAMED_PAIRS.items())


@pytest.mark.parametrize("name", TOLD_APART)
def test_which_search_tells_which_pair_apart(name):
    first, second = NAMED_PAIRS[name].make()
    assert tuple(int(distinguishes(first, second, search)) for search in SEARCHES) == TOLD_APART[name]


@pytest.mark.parametrize("name", [name for name in TOLD_APART if name != "biplanes"])
def test_named_pairs_are_not_isomorphic(name):
    first, second = NAMED_PAIRS[name].make()
    assert first.n == second.n
    assert not nx.is_isomorphic(first.to_networkx(), second.to_networkx())


def test_the_biplanes_are_not_isomorphic():
    # networkx would take hours; the cycles between a point and a block off it are an invariant: see test_biplane
    assert not are_isomorphic(*NAMED_PAIRS["biplanes"].make())


@pytest.mark.parametrize("r", range(1, 9))
def test_the_family_of_cycles(r):
    first, second = cycles(r)
    assert sorted(len(part) for part in nx.connected_components(first.to_networkx())) == [2 * r + 1] * 2
    assert nx.is_isomorphic(second.to_networkx(), nx.cycle_graph(4 * r + 2))
    assert not distinguishes(first, second, f"bfs:{r}")
    assert distinguishes(first, second, f"bfs:{r + 1}")


@pytest.mark.parametrize("r", [1, 2, 3])
def test_joined_cycles_differ_in_one_bridge(r):
    first, second = (graph.to_networkx() for graph in joined_cycles(r))
    assert len(list(nx.bridges(first))) == 1
    assert not nx.has_bridges(second)


def test_rook_and_shrikhande_are_strongly_regular():
    for graph in (rook(), shrikhande()):
        adjacency = nx.to_numpy_array(graph.to_networkx())
        assert np.array_equal(adjacency @ adjacency, 4 * np.eye(16) + 2 * np.ones((16, 16)))  # (16, 6, 2, 2)


@pytest.mark.parametrize("radius", [1, 2, 3])
def test_tails_carry_the_rook_to_any_radius(radius):
    first, second = tailed_rook_and_shrikhande(radius)
    assert first.n == 16 * radius
    assert distinguishes(first, second, f"dfs:{radius}")
    assert not distinguishes(first, second, "fwl2")


def test_barbell():
    #  0 - 1 - 3
    #   \ / \ /          block 0..3 (no edge 0 - 3), path 2 - 4 - 5 - 6, triangle 6 7 8
    #    2 - ...
    graph = uneven_barbell()
    assert cut_vertices(graph) == [2, 4, 5, 6]
    assert sorted(map(sorted, nx.biconnected_components(graph.to_networkx())), key=len) == [
        [5, 6],
        [4, 5],
        [2, 4],
        [6, 7, 8],
        [0, 1, 2, 3],
    ]


def test_bowtie():
    assert nx.is_isomorphic(bowtie().to_networkx(), nx.windmill_graph(2, 3))


def test_biplane_is_distance_regular_with_two_kinds_of_shortest_path_graphs():
    graph = biplane().to_networkx()
    assert nx.intersection_array(graph) == ([6, 5, 4], [1, 2, 6])
    kinds = []
    for block in range(16, 32):
        if not graph.has_edge(0, block):
            between = [
                w for w in graph if nx.shortest_path_length(graph, 0, w) + nx.shortest_path_length(graph, w, block) == 3
            ]
            inner = graph.subgraph(set(between) - {0, block})
            assert all(degree == 2 for _, degree in inner.degree)
            kinds.append(nx.number_connected_components(inner))
    assert sorted(kinds) == [1, 1, 1, 1, 2, 2, 2, 2, 2, 2]


def test_one_sided_is_three_regular():
    assert set(one_sided().degrees.tolist()) == {3}
    assert set(NAMED_GRAPHS) == {"barbell", "bowtie", "biplane", "one-sided"}
    assert all(isinstance(named.make(), Graph) for named in NAMED_GRAPHS.values())


def test_too_small_is_refused():
    with pytest.raises(LvcError, match="r must be at least 1, got 0"):
        cycles(0)
    with pytest.raises(LvcError, match="a cycle has at least 3 vertices, got 2"):
        cycle(2)

import networkx as nx
import numpy as np
import pytest
from hypothesis import given

from lvc import LvcError, compare, distinguishes
from strategies import graphs, graphs_and_permutations

TRIANGLES = nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(3))
HEXAGON = nx.cycle_graph(6)


@pytest.mark.parametrize(
    ("search", "apart"),
    [("wl", False), ("bfs:1", False), ("bfs:2", True), ("dfs:1", True), ("bfs:1+dfs:1", True), ("fwl2", True)],
)
def test_two_triangles_and_a_hexagon(search, apart):
    assert distinguishes(TRIANGLES, HEXAGON, search) is apart
    assert compare(TRIANGLES, HEXAGON, search).told_apart is apart


def test_a_comparison_says_where_and_when():
    found = compare(nx.star_graph(3), nx.path_graph(4), "wl")
    assert found.told_apart
    assert found.round == 1
    members = {(d.first, d.second) for d in found.differences}
    assert members == {((0,), ()), ((1, 2, 3), (0, 3)), ((), (1, 2))}  # degrees 3, 1 and 2


def test_rounds_limit_a_comparison():
    first, second = nx.path_graph(9), nx.disjoint_union(nx.path_graph(5), nx.cycle_graph(4))
    second.add_edge(4, 5)
    assert distinguishes(first, second, "wl", rounds=1)
    assert not distinguishes(first, second, "wl", rounds=0)
    assert not distinguishes(TRIANGLES, HEXAGON, "bfs:2", rounds=0)
    assert distinguishes(TRIANGLES, HEXAGON, "bfs:2", rounds=1)
    stopped = compare(TRIANGLES, HEXAGON, "bfs:2", rounds=0)
    assert (stopped.told_apart, stopped.stable, stopped.round) == (False, False, 0)
    assert compare(TRIANGLES, HEXAGON, "wl").stable


@pytest.mark.parametrize("rounds", [-1, 1.5, "2", True])
def test_bad_rounds_are_refused(rounds):
    for call in (compare, distinguishes):
        with pytest.raises(LvcError, match="rounds must be a whole number, 0 or more, got"):
            call(HEXAGON, HEXAGON, "wl", rounds=rounds)


def test_comparisons_can_be_put_into_sets():
    found = compare(HEXAGON, TRIANGLES, "bfs:2")
    assert found in {found}


@given(graphs(), graphs())
def test_verdicts_are_symmetric_and_the_same_for_both_functions(first, second):
    for search in ("wl", "bfs:2", "dfs:1", "bfs:1+bfs:3"):
        verdict = distinguishes(first, second, search)
        assert verdict == distinguishes(second, first, search) == compare(first, second, search).told_apart


@given(graphs_and_permutations())
def test_isomorphic_graphs_are_never_told_apart(case):
    graph, permutation = case
    other = nx.relabel_nodes(graph, dict(enumerate(permutation)))
    for search in ("wl", "bfs:1", "bfs:3", "bfs:inf", "dfs:1", "dfs:2", "dfs:inf", "bfs:2+dfs:2", "fwl2"):
        assert not distinguishes(graph, other, search)


def test_graphs_of_different_size_are_told_apart_before_the_first_round():
    assert compare(nx.path_graph(3), nx.path_graph(4), "wl").round == 0


def test_repr():
    assert repr(compare(TRIANGLES, HEXAGON, "wl")) == "Comparison(wl: same colours, stable after round 0)"


def test_the_colours_shown_are_those_of_the_round():
    found = compare(TRIANGLES, HEXAGON, "bfs:2")
    assert all(np.all(colours == colours[0]) for colours in found.colours)
    assert found.colours[0][0] != found.colours[1][0]

"""The printed rule, worked by hand on two triangles that share a vertex, and against the lead's search tree."""

from itertools import permutations

import pytest

import naive
from lvc import LvcError, distinguishes
from lvc.expressivity.named import bowtie
from lvc.expressivity.printed_dfs import (
    block_eta,
    crosses_as_printed,
    eta_of_tree,
    order_dependences,
    printed_eta,
    printed_search,
)
from lvc.expressivity.smallest import all_graphs
from lvc.search.tree import search_tree


def test_bowtie_by_hand():
    #  1     3
    #  | \ / |        root 1
    #  |  0  |
    #  | / \ |
    #  2     4
    #
    # Far triangle last: visit 1 0 2, back edge 2 -> 1, then 3 4, back edge 4 -> 0. Times: 1:0 0:1 2:2 3:3 4:4.
    # Back edges (2, 0) and (4, 1) in times: 0 < 1 < 2 < 4, condition (2): they "cross", and η(2) is all five vertices.
    crossed = search_tree(bowtie(), 1, "dfs", order=[0, 1, 2, 3, 4])
    assert crossed.visited == (1, 0, 2, 3, 4)
    assert set(crossed.back_edges) == {(2, 1), (4, 0)}
    assert eta_of_tree(crossed)[2] == {0, 1, 2, 3, 4}
    # Far triangle first: visit 1 0 3 4, back edge 4 -> 0, then 2, back edge 2 -> 1. Times: 1:0 0:1 3:2 4:3 2:4.
    # Back edges (3, 1) and (4, 0) in times: 0 < 1 < 3 < 4 is one inside the other, no condition: η(2) is its triangle.
    nested = search_tree(bowtie(), 1, "dfs", order=[0, 1, 3, 4, 2])
    assert nested.visited == (1, 0, 3, 4, 2)
    assert eta_of_tree(nested)[2] == {0, 1, 2}


def test_the_bowtie_is_the_smallest_order_dependence():
    for n in (1, 2, 3, 4):
        assert not any(list(order_dependences(graph)) for graph in all_graphs(n))
    found = [
        graph for graph in all_graphs(5) if next(order_dependences(graph, list(permutations(range(5)))[::7]), None)
    ]
    assert min(graph.m for graph in found) == bowtie().m == 6


def test_block_meaning_in_the_bowtie():
    assert block_eta(bowtie())[1][2] == {0, 1, 2}
    assert not [
        1
        for order in permutations(range(5))
        if eta_of_tree(search_tree(bowtie(), 1, "dfs", order=order), "paths")[2] != {0, 1, 2}
    ]


@pytest.mark.parametrize("radius", [1, 2, None])
def test_paths_rule_is_the_slow_twin(radius):
    for graph in all_graphs(5):
        for root in range(graph.n):
            expected = naive.dfs_eta(graph.to_networkx(), root, radius)
            for seed in range(3):
                tree = search_tree(graph, root, "dfs", order=seed, radius=radius)
                assert eta_of_tree(tree, "paths") == expected


def test_crossings_agree_with_the_search_tree():
    for graph in all_graphs(6)[::7]:
        tree = search_tree(graph, 0, "dfs", order=3)
        times = tree.time
        for e in tree.back_edges:
            for f in tree.back_edges:
                mine = crosses_as_printed((times[e[0]], times[e[1]]), (times[f[0]], times[f[1]]))
                assert mine == (((e, f) in tree.crossing()) or ((f, e) in tree.crossing()))


def test_printed_rule_tells_isomorphic_graphs_apart():
    copy = bowtie().relabelled([0, 2, 4, 1, 3])
    assert any(distinguishes(bowtie(), bowtie().relabelled(move), printed_search()) for move in permutations(range(5)))
    assert not distinguishes(bowtie(), copy, "dfs:inf")


def test_radius_and_rule_matter():
    assert set(printed_eta(bowtie(), 1, radius=1)) == {0, 2}
    with pytest.raises(LvcError, match="unknown rule 'blocks'; use one of printed, paths"):
        eta_of_tree(search_tree(bowtie(), 0, "dfs"), "blocks")

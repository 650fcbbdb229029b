"""Stable pair colours, 2-FWL colours of pairs, isomorphism: against slow twins and networkx."""

from itertools import combinations

import networkx as nx
import numpy as np
import pytest

import naive
from lvc import LvcError, disjoint_union
from lvc.expressivity.fwl2_pairs import fwl2_pair_colours
from lvc.expressivity.named import cycle, cycles
from lvc.expressivity.pair_colours import stable_pair_colours
from lvc.expressivity.regular import rook_and_shrikhande
from lvc.expressivity.smallest import all_graphs
from lvc.isomorphism import are_isomorphic, isomorphism_classes

SMALL = [graph for n in (3, 4, 5) for graph in all_graphs(n)][::2]


def last(rounds):
    *_, colours = rounds
    return colours


@pytest.mark.parametrize(("search", "eta", "radius"), [("bfs:2", naive.bfs_eta, 2), ("dfs:inf", naive.dfs_eta, None)])
def test_vertex_colours_are_the_slow_twins(search, eta, radius):
    union = disjoint_union(SMALL).to_networkx()
    expected = naive.classes(last(naive.lvc_rounds(union, [(eta, radius)])))
    found = [colour for graph in stable_pair_colours(SMALL, search).vertex for colour in graph]
    assert naive.classes(dict(enumerate(found))) == expected


def test_pairs_of_a_path():
    #  0 - 1 - 2 - 3
    path = all_graphs(4)[0].from_edges(4, [(0, 1), (1, 2), (2, 3)])
    colour = stable_pair_colours([path], "bfs:inf").of_pair()
    assert colour[0, 0, 1] == colour[0, 3, 2]  # mirrored
    assert len({colour[0, 0, 1], colour[0, 1, 0], colour[0, 1, 2], colour[0, 0, 2]}) == 4
    held = stable_pair_colours([path], "bfs:inf", held=True).of_pair()
    assert held[0, 0, 1] == held[0, 1, 0] == held[0, 1, 2]  # only the search counts
    assert held[0, 0, 2] != held[0, 0, 1]


def test_updated_root_changes_the_colours():
    def spread(graph, root, radius):
        return {u: graph.neighbours(u).tolist() for u in range(graph.n) if u != root}

    from lvc import Custom
    from lvc.expressivity.pair_colours import neighbours_of_root

    search = Custom(None, spread)
    marked = stable_pair_colours([cycle(5)], search)
    updated = stable_pair_colours([cycle(5)], search, root="updated", root_eta=neighbours_of_root)
    assert len(set(marked.pair)) == 3  # the root, its neighbours, the others
    assert len(set(updated.pair)) == 1
    with pytest.raises(LvcError, match="unknown root 'loose'; use one of vertex, updated"):
        stable_pair_colours([cycle(5)], search, root="loose")


def test_fwl2_vertices_are_the_slow_twins():
    for graph in SMALL:
        colours = fwl2_pair_colours([graph])
        expected = naive.classes(last(naive.fwl2_rounds(graph.to_networkx())))
        assert naive.classes({v: colours[0, v, v] for v in range(graph.n)}) == expected


def test_isomorphism_as_networkx_has_it():
    graphs = [*all_graphs(5), *cycles(1), *rook_and_shrikhande()]
    for one, other in combinations(graphs, 2):
        assert are_isomorphic(one, other) == nx.is_isomorphic(one.to_networkx(), other.to_networkx())


def test_isomorphism_of_renumbered_and_labelled_graphs():
    rng = np.random.default_rng(0)
    graphs = all_graphs(6)[::5]
    copies = [graph.relabelled(rng.permutation(6)) for graph in graphs]
    classes = isomorphism_classes([*graphs, *copies])
    assert classes[: len(graphs)] == classes[len(graphs) :]
    assert len(set(classes)) == len(graphs)
    path = graphs[0].from_edges(3, [(0, 1), (1, 2)])
    ends, middle = path.with_labels([1, 0, 0]), path.with_labels([0, 1, 0])
    assert isomorphism_classes([ends, middle, path.with_labels([0, 0, 1])]) == [0, 1, 0]
    assert isomorphism_classes([]) == []

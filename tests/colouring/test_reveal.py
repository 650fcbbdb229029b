from itertools import pairwise

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lvc
from lvc import LvcError
from strategies import graphs, radii


@given(graphs(max_vertices=10))
def test_cut_vertices_bridges_and_blocks_equal_networkx(graph):
    parts = [tuple(sorted(part)) for part in nx.biconnected_components(graph)]
    assert lvc.cut_vertices(graph) == sorted(nx.articulation_points(graph))
    assert lvc.bridges(graph) == sorted(part for part in parts if len(part) == 2)
    found = lvc.structure(graph)
    assert list(found.blocks) == sorted(part for part in parts if len(part) > 2)
    assert found.components == nx.number_connected_components(graph)
    assert lvc.vertices_on_cycles(graph) == sorted({v for part in parts if len(part) > 2 for v in part})


@given(graphs(max_vertices=7, min_vertices=2))
def test_biconnectivity_by_taking_things_away(graph):
    connected = nx.is_connected(graph)
    without_vertex = all(nx.is_connected(graph.subgraph(set(graph) - {v})) for v in graph)
    without_edge = all(nx.is_connected(nx.restricted_view(graph, [], [e])) for e in graph.edges)
    assert lvc.is_biconnected(graph) == (connected and without_vertex)
    assert lvc.is_edge_biconnected(graph) == (connected and without_edge)


def test_a_barbell_by_hand():
    #  0 - 1       5 - 6
    #   \ /         \ /
    #    2 - 3 - 4 - (4 is 3's other neighbour)
    barbell = nx.barbell_graph(3, 1)  # triangles 0 1 2 and 4 5 6 joined over 3
    assert lvc.cut_vertices(barbell) == [2, 3, 4]
    assert lvc.bridges(barbell) == [(2, 3), (3, 4)]
    assert lvc.vertices_on_cycles(barbell) == [0, 1, 2, 4, 5, 6]
    assert not lvc.is_biconnected(barbell)


@given(graphs(min_vertices=2), st.randoms(use_true_random=False))
def test_shortest_path_graph_is_the_union_of_all_shortest_paths(graph, random):
    u, v = random.sample(range(len(graph)), 2)
    paths = nx.all_shortest_paths(graph, u, v) if nx.has_path(graph, u, v) else []
    edges = {tuple(sorted(edge)) for path in paths for edge in pairwise(path)}
    assert lvc.shortest_path_graph(graph, u, v) == sorted(edges)


@given(graphs(min_vertices=1), radii)
def test_ego_shortest_path_graph_is_the_union_over_the_ball(graph, radius):
    ball = nx.single_source_shortest_path_length(graph, 0, cutoff=radius)
    edges = {edge for u in ball for edge in lvc.shortest_path_graph(graph, 0, u)}
    assert lvc.ego_shortest_path_graph(graph, 0, radius) == sorted(edges)


def test_a_vertex_that_is_not_there():
    with pytest.raises(LvcError, match="vertex must be between 0 and 2, got 3"):
        lvc.shortest_path_graph(nx.path_graph(3), 0, 3)

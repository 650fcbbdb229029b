import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from lvc import Graph, LvcError, ball
from lvc.search.bfs import bench, bfs_ball, clear
from strategies import graphs, radii


def test_paths_on_a_four_cycle():
    #  0 - 1
    #  |   |      two shortest paths from 0 to the opposite corner
    #  3 - 2
    found = ball(Graph.from_edges(4, [(0, 1), (1, 2), (2, 3), (3, 0)]), root=0, radius=2)
    assert dict(zip(found.vertex.tolist(), found.paths.tolist(), strict=True)) == {0: 1, 1: 1, 3: 1, 2: 2}


def test_a_ball_ends_at_its_radius():
    path = Graph.from_networkx(nx.path_graph(6))
    assert sorted(ball(path, 2, 1).vertex.tolist()) == [1, 2, 3]
    assert ball(path, 0).distance.tolist() == [0, 1, 2, 3, 4, 5]


@given(graphs(min_vertices=1), radii, st.randoms(use_true_random=False))
def test_ball_equals_its_definition(graph, radius, random):
    root = random.randrange(len(graph))
    found = ball(Graph.from_networkx(graph), root, radius)
    assert dict(zip(found.vertex.tolist(), found.distance.tolist(), strict=True)) == naive.distances(
        graph, root, radius
    )
    counts = dict(zip(found.vertex.tolist(), found.paths.tolist(), strict=True))
    assert counts == naive.path_counts(graph, root, radius)


def test_an_empty_graph_has_no_ball():
    with pytest.raises(LvcError, match="the graph has no vertices, got root 0"):
        ball(Graph.from_edges(0, []), 0)


def test_the_bench_is_clean_after_every_root():
    graph = Graph.from_networkx(nx.karate_club_graph())
    room = bench(graph.n)
    for root in range(graph.n):
        clear(room, bfs_ball(graph.indptr, graph.indices, root, 2, room))
        assert np.all(room.place == -1)


@pytest.mark.parametrize(
    ("root", "radius", "sentence"),
    [
        (4, 1, "root must be between 0 and 3, got 4"),
        (-1, 1, "root must be between 0 and 3, got -1"),
        (0, 0, "radius must be at least 1, got 0"),
        (0, 1.5, "radius must be a whole number or None, got 1.5"),
        (1.5, 1, "root must be between 0 and 3, got 1.5"),
    ],
)
def test_bad_roots_and_radii_are_refused(root, radius, sentence):
    with pytest.raises(LvcError, match=sentence):
        ball(Graph.from_edges(4, [(0, 1)]), root, radius)

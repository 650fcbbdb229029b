from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given

import naive
from lvc import BFS, DFS, WL, Custom, Graph, LvcError
from lvc.colouring.reveal import structure
from lvc.search.ball_blocks import ball_blocks_of_every_root
from lvc.search.balls import ball_sizes
from lvc.search.threads import set_num_threads
from lvc.search.trees import trees
from strategies import graphs, graphs_and_permutations, radii


def etas(graph: Graph, search) -> dict[int, dict[int, list[int]]]:
    """Root -> vertex of its ball -> sorted η, and a check of the layout on the way."""
    found = trees(graph, search)
    answer: dict[int, dict[int, list[int]]] = {}
    for root in range(graph.n):
        first, last = found.start[root], found.start[root + 1]
        assert found.vertex[first] == root
        assert found.group[first] == -1
        answer[root] = {}
        for p in range(first + 1, last):
            g = found.group[p]
            members = found.member[found.group_start[g] : found.group_start[g + 1]]
            assert np.all((first <= members) & (members < last))
            answer[root][int(found.vertex[p])] = sorted(found.vertex[members].tolist())
    return answer


def by_definition(graph: nx.Graph, eta, radius) -> dict[int, dict[int, list[int]]]:
    return {v: {u: sorted(of) for u, of in eta(graph, v, radius).items()} for v in graph}


@given(graphs(), radii)
def test_bfs_eta_equals_its_definition(graph, radius):
    assert etas(Graph.from_networkx(graph), BFS(radius)) == by_definition(graph, naive.bfs_eta, radius)


@given(graphs(), radii)
def test_dfs_eta_equals_its_definition(graph, radius):
    assert etas(Graph.from_networkx(graph), DFS(radius)) == by_definition(graph, naive.dfs_eta, radius)


@given(graphs_and_permutations(), radii)
def test_eta_does_not_depend_on_how_vertices_are_numbered(case, radius):
    graph, permutation = case
    plain = Graph.from_networkx(graph)
    for search in (BFS(radius), DFS(radius)):
        moved = etas(plain.relabelled(permutation), search)
        for root, of_root in etas(plain, search).items():
            for u, eta in of_root.items():
                assert moved[permutation[root]][permutation[u]] == sorted(permutation[w] for w in eta)


def test_dfs_at_radius_one_is_the_components_of_the_neighbourhood():
    #  1 - 2
    #   \ /
    #    0 - 3      from root 0: {0, 1, 2} is a block, 0 - 3 a bridge
    graph = Graph.from_edges(4, [(0, 1), (0, 2), (1, 2), (0, 3)])
    assert etas(graph, DFS(1))[0] == {1: [0, 1, 2], 2: [0, 1, 2], 3: [0]}


def test_a_cut_vertex_has_all_its_blocks_and_counts_itself_once():
    #  1 - 2 - 3
    #   \ / \ /
    #    0   4      from root 0, vertex 2 lies in both triangles
    graph = Graph.from_edges(5, [(0, 1), (0, 2), (1, 2), (2, 3), (2, 4), (3, 4)])
    assert etas(graph, DFS(2))[0] == {1: [0, 1, 2], 2: [0, 1, 2, 3, 4], 3: [2, 3, 4], 4: [2, 3, 4]}


def test_a_cut_vertex_that_a_bridge_leads_to():
    #  0 - 1 - 2
    #      | /
    #      3        from root 0 a bridge leads to 1, which lies in a triangle
    graph = Graph.from_edges(4, [(0, 1), (1, 2), (1, 3), (2, 3)])
    assert etas(graph, DFS(2))[0] == {1: [0, 1, 2, 3], 2: [1, 2, 3], 3: [1, 2, 3]}


@given(graphs(), radii)
def test_a_custom_eta_is_used_as_given(graph, radius):
    plain = Graph.from_networkx(graph)
    assert etas(plain, Custom(radius, lambda g, v, r: naive.bfs_eta(graph, v, r))) == etas(plain, BFS(radius))


def test_a_custom_eta_outside_the_ball_is_refused():
    path = Graph.from_networkx(nx.path_graph(3))
    with pytest.raises(LvcError, match="eta gave vertex 2, which is not in the ball of root 0"):
        trees(path, Custom(1, lambda g, v, r: {2: [0]}))
    with pytest.raises(LvcError, match="eta of 1 from root 0 holds 2, which is not in the ball"):
        trees(path, Custom(1, lambda g, v, r: {1: [2]} if v == 0 else {}))


@pytest.mark.parametrize(
    ("returned", "sentence"),
    [
        (None, "eta must return a mapping from vertices to vertices, got NoneType for root 0"),
        ([1], "eta must return a mapping from vertices to vertices, got list"),
        ({1: 0}, "eta of 1 from root 0 must be several vertices, got 0"),
        ({1: [[0]]}, r"eta of 1 from root 0 holds \[0\]"),
        ({1: ["a"]}, "eta of 1 from root 0 holds 'a'"),
    ],
)
def test_what_is_no_eta_is_refused(returned, sentence):
    with pytest.raises(LvcError, match=sentence):
        trees(Graph.from_edges(2, [(0, 1)]), Custom(1, lambda g, v, r: returned))


def test_a_custom_eta_may_hold_numpy_integers_and_repeat_itself():
    path = Graph.from_networkx(nx.path_graph(3))
    eta: Any = {np.int64(1): np.array([0, 0, 1]), 0: [1]}
    found = trees(path, Custom(1, lambda g, v, r: eta if v == 0 else {}))
    assert found.vertex[found.member].tolist() == [0, 1]


def test_only_local_searches_have_trees():
    with pytest.raises(LvcError, match="wl does not search from every vertex"):
        trees(Graph.from_edges(1, []), WL())


@given(graphs(), radii)
def test_ball_sizes(graph, radius):
    assert ball_sizes(Graph.from_networkx(graph), radius).tolist() == [
        len(naive.distances(graph, v, radius)) for v in graph
    ]


def test_what_does_not_fit_is_refused_with_a_way_out(monkeypatch):
    graph = Graph.from_networkx(nx.complete_graph(40))
    monkeypatch.setenv("LVC_MEMORY_GB", "0.00001")
    with pytest.raises(LvcError, match="a graph of 40 vertices needs about"):
        Graph.from_networkx(nx.complete_graph(40))
    for search in (BFS(1), DFS(1)):
        with pytest.raises(LvcError, match=r"on 40 vertices needs about .* GB can be had; use a smaller radius"):
            trees(graph, search)
    with pytest.raises(LvcError, match="custom:1"):
        trees(graph, Custom(1, lambda g, v, r: {}))
    for told in ("much", "inf", "-1", "nan"):
        monkeypatch.setenv("LVC_MEMORY_GB", told)
        with pytest.raises(LvcError, match=f"LVC_MEMORY_GB must be a number of gigabytes, got '{told}'"):
            trees(graph, BFS(1))


def test_unions_of_blocks_are_counted_before_they_are_stored(monkeypatch):
    """Triangles all around a cycle: every vertex of the cycle is in two blocks, and has the whole cycle in its η."""
    cycle = nx.cycle_graph(60)
    for v in range(60):
        cycle.add_edges_from([(v, 60 + 2 * v), (60 + 2 * v, 61 + 2 * v), (61 + 2 * v, v)])
    graph = Graph.from_networkx(cycle)
    pairs = graph.n**2
    monkeypatch.setenv("LVC_MEMORY_GB", str(150 * pairs / 2**30))
    with pytest.raises(LvcError, match="dfs:inf on 180 vertices needs about"):
        trees(graph, DFS())


def test_more_pairs_than_can_be_numbered_are_refused(monkeypatch):
    monkeypatch.setattr("lvc.memory.MOST_PAIRS", 10)
    for search in (BFS(1), DFS(1)):
        with pytest.raises(LvcError, match=f"{search} on 4 vertices has 16 pairs of root and vertex, and at most 10"):
            trees(Graph.from_networkx(nx.complete_graph(4)), search)


def arrays(found) -> list[np.ndarray]:
    return [np.asarray(column) for column in found]


def test_threads_change_nothing(monkeypatch):
    graph = Graph.from_networkx(nx.gnm_random_graph(60, 110, seed=2))
    results = []
    try:
        for count, worth in ((1, 50_000), (2, 1)):
            set_num_threads(count)
            monkeypatch.setattr("lvc.search.threads.WORTH_A_THREAD", worth)
            results.append([*arrays(trees(graph, BFS(3))), *arrays(trees(graph, DFS(2))), ball_sizes(graph, 2)])
    finally:
        set_num_threads(None)
    assert all(np.array_equal(a, b) for a, b in zip(*results, strict=True))


@pytest.mark.compiled
def test_a_path_of_a_million_vertices_does_not_overflow():
    n = 1_000_000
    path = Graph.from_edges(n, np.stack([np.arange(n - 1), np.arange(1, n)], axis=1))
    found = structure(path)
    assert len(found.bridges) == n - 1
    assert found.blocks == ()
    cycle = Graph.from_edges(n, np.stack([np.arange(n), (np.arange(n) + 1) % n], axis=1))
    (block,) = structure(cycle).blocks
    assert len(block) == n


@pytest.mark.compiled
def test_blocks_of_balls_on_a_larger_graph_equal_networkx():
    graph = nx.watts_strogatz_graph(300, 6, 0.2, seed=5)
    found = ball_blocks_of_every_root(Graph.from_networkx(graph), 2)
    block_root = np.searchsorted(found.start, found.member[found.block_start[:-1]], side="right") - 1
    for root in range(0, 300, 17):
        blocks = {
            frozenset(found.vertex[found.member[found.block_start[b] : found.block_start[b + 1]]].tolist())
            for b in np.flatnonzero(block_root == root)
        }
        components = nx.biconnected_components(nx.ego_graph(graph, root, 2))
        assert blocks == {frozenset(part) for part in components if len(part) > 2}

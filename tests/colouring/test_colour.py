from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given

import naive
from lvc import (
    BFS,
    DFS,
    Custom,
    Graph,
    Levels,
    LvcError,
    colour,
    colour_jointly,
    disjoint_union,
    distinguishes,
    read_graphs,
)
from lvc.colouring.refinement import refinement
from lvc.search.threads import set_num_threads
from strategies import graphs, graphs_and_permutations, labelled_graphs, radii

SEARCHES = ["wl", "fwl2", "bfs:1", "bfs:2", "bfs:inf", "dfs:1", "dfs:2", "dfs:inf", "bfs:2+dfs:1", "dfs:1+dfs:3"]
SEARCHES += ["levels:1", "levels:2", "levels:inf", "levels:1+dfs:2"]
NESTS = ["nest:1(wl)", "nest:2(bfs:2)", "nest:inf(levels:1)", "nest:1(nest:2(dfs:1))", "pick:inf(wl)"]
NESTS += ["pick:2(bfs:1)", "pick:inf(pick:inf(wl))", "nest:1(pick:inf(bfs:2))"]
ETA: dict[str, naive.Eta] = {"bfs": naive.bfs_eta, "dfs": naive.dfs_eta, "levels": naive.levels_eta}


def classes(colouring) -> set[frozenset[int]]:
    return {frozenset(members) for members in colouring.members()}


def twin(graph, search, labels=None):
    """The slow twin of ``search``: vertex colours round by round."""
    if search == "wl":
        return naive.wl_rounds(graph, labels)
    if search == "fwl2":
        return naive.fwl2_rounds(graph, labels)
    parts = []
    for part in search.split("+"):
        word, radius = part.split(":")
        parts.append((ETA[word], None if radius == "inf" else int(radius)))
    return naive.lvc_rounds(graph, parts, labels)


@pytest.mark.parametrize("search", SEARCHES)
@given(case=labelled_graphs())
def test_every_round_equals_the_definition(search, case):
    graph, labels = case
    given_labels = [labels[v] for v in graph]
    rounds = list(twin(graph, search, labels))
    for number, colours in enumerate(rounds):
        assert classes(colour(graph, search, rounds=number, labels=given_labels)) == naive.classes(colours)
    stable = colour(graph, search, labels=given_labels)
    assert stable.stable
    assert classes(stable) == naive.classes(rounds[-1])


def nest_twin(search: str) -> naive.Colourer:
    """The slow twin of a nest: stable colours of several graphs."""
    if search[:4] not in ("nest", "pick"):
        return naive.jointly(lambda graph, labels: twin(graph, search, labels))
    radius, _, inner = search[5:-1].partition("(")
    return naive.nested(
        nest_twin(inner), None if radius == "inf" else int(radius), search.startswith("pick"), "pick" in inner
    )


@pytest.mark.parametrize("search", NESTS)
@given(case=labelled_graphs(max_vertices=6))
def test_nests_equal_the_definition(search, case):
    graph, labels = case
    (colours,) = nest_twin(search)([graph], [labels], [dict.fromkeys(graph, 0)])
    found = colour(graph, search, labels=[labels[v] for v in graph])
    assert found.stable
    assert classes(found) == naive.classes(colours)


def prisms(*lengths: int) -> nx.Graph:
    return nx.disjoint_union_all([nx.circular_ladder_graph(n) for n in lengths])


def test_finer_colours_do_not_mislead_a_pick():
    """Beside many cliques a pick takes the prisms; once their colours tell them apart, it would take the cliques."""
    cliques = [nx.complete_graph(4)] * 3 + [nx.complete_graph(5)] * 6
    first, second = (nx.disjoint_union_all([prisms(*n), *cliques]) for n in ((6, 6), (12,)))
    for search in ("pick:inf(wl)", "nest:1(pick:inf(wl))", "pick:1(pick:inf(wl))"):
        assert distinguishes(first, second, search)
    bipartite = [nx.complete_bipartite_graph(3, 3)] * 2 + [nx.complete_graph(5)] * 6
    first, second = (nx.disjoint_union_all([prisms(*n), *bipartite]) for n in ((6, 6), (12,)))
    assert distinguishes(first, second, "nest:1(pick:inf(bfs:1))")
    assert distinguishes(first, second, "nest:1(pick:inf(bfs:1))+nest:2(bfs:1)")


@given(graph=graphs())
def test_nests_in_a_sum_refine_with_the_rest(graph):
    both = colour(graph, "nest:1(bfs:1)+dfs:2+pick:inf(bfs:2)+nest:2(pick:inf(bfs:1))").vertex.tolist()
    for part in ("nest:1(bfs:1)", "dfs:2", "pick:inf(bfs:2)", "nest:2(pick:inf(bfs:1))"):
        alone = colour(graph, part).vertex.tolist()
        assert len(set(zip(both, alone, strict=True))) == len(set(both))


@given(graph=graphs(max_vertices=6))
def test_nests_refine_what_is_inside_and_nothing_beyond_the_orbits(graph):
    orbits = naive.orbits(graph)
    for search in ("nest:1(bfs:2)", "pick:2(dfs:1)", "pick:inf(pick:inf(wl))", "nest:inf(fwl2)", "levels:inf"):
        found = classes(colour(graph, search))
        assert all(any(orbit <= part for part in found) for orbit in orbits)
        inner = search.partition("(")[2][:-1] or "bfs:inf"
        outer = classes(colour(graph, inner))
        assert all(any(part <= whole for whole in outer) for part in found)


@pytest.mark.parametrize("search", SEARCHES)
@given(graph=graphs())
def test_the_reported_round_is_the_first_with_the_stable_partition(search, graph):
    stable = colour(graph, search)
    assert classes(colour(graph, search, rounds=stable.rounds)) == classes(stable)
    if stable.rounds:
        assert classes(colour(graph, search, rounds=stable.rounds - 1)) != classes(stable)


@given(labelled_graphs(), radii, radii)
def test_hashed_equals_exact_in_every_round(case, radius, other):
    graph, labels = case
    given_labels = [labels[v] for v in graph]
    for search in (BFS(radius), DFS(radius), Levels(radius), BFS(radius) + DFS(other), BFS(radius) + BFS(other)):
        stable = colour(graph, search, labels=given_labels)
        assert classes(colour(graph, search, labels=given_labels, exact=False)) == classes(stable)
        for number in range(stable.rounds + 2):
            exact = colour(graph, search, labels=given_labels, rounds=number)
            hashed = colour(graph, search, labels=given_labels, rounds=number, exact=False)
            assert classes(hashed) == classes(exact)


@given(labelled_graphs(), radii, radii)
def test_sweeps_reach_the_partition_of_rounds(case, radius, other):
    graph, labels = case
    given_labels = [labels[v] for v in graph]
    for search in (BFS(radius), BFS(radius) + BFS(other)):
        swept = colour(graph, search, labels=given_labels, schedule="sweep")
        stable = colour(graph, search, labels=given_labels)
        assert classes(swept) == classes(stable)
        assert swept.stable
        assert swept.schedule == "sweep"
        assert swept.rounds <= stable.rounds


@pytest.mark.compiled
@pytest.mark.parametrize("seed", range(4))
def test_hashed_and_swept_equal_exact_on_larger_graphs(seed):
    regular = nx.random_regular_graph(3, 200, seed=seed)
    sparse = nx.gnm_random_graph(300, 330, seed=seed)
    for graph in (regular, sparse):
        for search in ("bfs:2", "bfs:4", "dfs:1", "dfs:3", "bfs:2+dfs:2"):
            exact = colour(graph, search)
            assert classes(colour(graph, search, exact=False)) == classes(exact)
            if "dfs" not in search:
                assert classes(colour(graph, search, schedule="sweep")) == classes(exact)


@given(graphs())
def test_wl_is_bfs_of_radius_one(graph):
    for number in (1, 2, None):
        assert classes(colour(graph, "wl", rounds=number)) == classes(colour(graph, "bfs:1", rounds=number))


def test_the_worked_example_of_a_custom_eta():
    """BFC-1 as a custom η: every neighbour of the root has just the root."""

    def star(graph, root, radius):
        return {int(u): [root] for u in graph.neighbours(root)}

    for seed in range(5):
        graph = nx.gnp_random_graph(9, 0.3, seed=seed)
        assert classes(colour(graph, Custom(1, star))) == classes(colour(graph, "wl"))


@pytest.mark.parametrize("search", SEARCHES)
@given(graph=graphs())
def test_colours_only_refine(search, graph):
    before = None
    for number in range(6):
        now = colour(graph, search, rounds=number).vertex
        if before is not None:
            assert len(set(zip(now.tolist(), before.tolist(), strict=True))) == len(set(now.tolist()))
        before = now


@pytest.mark.parametrize("search", SEARCHES)
@given(case=graphs_and_permutations())
def test_isomorphic_graphs_get_the_same_colours(search, case):
    graph, permutation = case
    first = Graph.from_networkx(graph)
    both = colour_jointly([first, first.relabelled(permutation)], search)
    assert both[0].vertex.tolist() == both[1].vertex[list(permutation)].tolist()


@pytest.mark.parametrize("search", SEARCHES)
@given(graph=graphs(max_vertices=5))
def test_colours_are_never_finer_than_the_orbits(search, graph):
    found = classes(colour(graph, search))
    assert all(any(orbit <= members for members in found) for orbit in naive.orbits(graph))


def test_a_joint_search_is_at_least_as_fine_as_its_parts():
    for seed in range(20):
        graph = nx.gnp_random_graph(9, 0.35, seed=seed)
        joint = classes(colour(graph, "bfs:2+dfs:1"))
        for part in ("bfs:2", "dfs:1"):
            assert all(any(small <= large for large in classes(colour(graph, part))) for small in joint)


def test_labels_of_the_graph_are_the_initial_colours():
    path = Graph.from_edges(3, [(0, 1), (1, 2)], labels=[5, 5, -1])
    assert colour(path, "wl").classes == 3
    assert colour(path, "wl", rounds=0).histogram() == {1: 2, 0: 1}
    assert colour(path, "wl", labels=[0, 0, 0]).classes == 2


def test_labels_of_several_graphs_are_compared_by_value():
    vertex = Graph.from_edges(1, [], labels=[3])
    other = Graph.from_edges(1, [], labels=[4])
    same, different = colour_jointly([vertex, vertex], "wl"), colour_jointly([vertex, other], "wl")
    assert same[0].vertex.tolist() == same[1].vertex.tolist()
    assert different[0].vertex.tolist() != different[1].vertex.tolist()


def test_graphs_without_vertices_or_edges():
    for search in SEARCHES:
        assert colour(Graph.from_edges(0, []), search).vertex.tolist() == []
        assert colour(Graph.from_edges(3, []), search).members() == [[0, 1, 2]]
    assert colour(Graph.from_edges(0, []), "bfs:2", exact=False).classes == 0
    assert colour(Graph.from_edges(0, []), "bfs:2", schedule="sweep").classes == 0


def test_a_path_by_hand():
    found = colour(nx.path_graph(5), "bfs:2")
    assert found.members() == [[0, 4], [1, 3], [2]]
    assert found.rounds == 1
    assert repr(found) == "Colouring(bfs:2, 3 colours of 5 vertices, round 1, stable)"


def test_the_vertex_partition_may_stand_still_and_go_on(real_data):
    pairs = read_graphs(real_data / "BREC" / "pairs.g6")
    first = 2 * (260 + 36)  # CFI begins at pair 260
    rounds = refinement([disjoint_union(pairs[first : first + 2])], BFS(6))
    counts = [int(vertex.max()) + 1 for vertex in rounds]
    assert counts[: counts.index(20) + 1] == [1, 9, 10, 10, 10, 12, 16, 18, 19, 20]
    assert counts[-1] == 20


def test_no_graph_at_all_is_refused():
    with pytest.raises(LvcError, match="there is no graph to colour; give at least one"):
        colour_jointly([], "wl")


@pytest.mark.compiled
def test_threads_change_no_colour(monkeypatch):
    graph = nx.gnm_random_graph(80, 160, seed=3)
    calls: list[tuple[str, dict[str, Any]]] = [
        ("bfs:3", {}),
        ("dfs:2", {}),
        ("fwl2", {}),
        ("wl", {}),
        ("bfs:2", {"schedule": "sweep"}),
    ]
    calls += [("bfs:2", {"exact": False}), ("bfs:2", {"exact": False, "rounds": 2}), ("dfs:2", {"exact": False})]
    results = []
    try:
        for count, worth in ((1, 50_000), (2, 1)):
            set_num_threads(count)
            monkeypatch.setattr("lvc.search.threads.WORTH_A_THREAD", worth)
            results.append([colour(graph, search, **options).vertex for search, options in calls])
    finally:
        set_num_threads(None)
    assert all(np.array_equal(a, b) for a, b in zip(*results, strict=True))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"search": "bfs:2", "rounds": -1}, "rounds must be a whole number, 0 or more, got -1"),
        ({"search": "bfs:2", "rounds": 1.5}, "rounds must be a whole number, 0 or more, got 1.5"),
        ({"search": "bfs:2", "schedule": "fast"}, "unknown schedule 'fast'; use one of rounds, sweep"),
        ({"search": "dfs:2", "schedule": "sweep"}, "schedule 'sweep' is for bfs run to stability"),
        ({"search": "bfs:2", "schedule": "sweep", "rounds": 2}, "schedule 'sweep' is for bfs run to stability"),
        ({"search": "wl", "exact": False}, "wl has no hashed mode; leave exact=True"),
        ({"search": "bfs:2", "labels": [1]}, "labels"),
        ({"search": "nothing"}, "unknown search 'nothing'"),
    ],
)
def test_bad_arguments(arguments, sentence):
    with pytest.raises(LvcError, match=sentence):
        colour(nx.path_graph(3), **arguments)


@pytest.mark.compiled
def test_fwl2_on_a_large_graph_is_refused():
    with pytest.raises(LvcError, match="fwl2 on 100000 vertices needs about"):
        colour(Graph.from_edges(100_000, [(0, 1)]), "fwl2")


def test_other_kinds_of_graph_are_taken():
    scipy_sparse = pytest.importorskip("scipy.sparse")
    path = nx.path_graph(4)
    expected = [[0, 3], [1, 2]]
    matrix = scipy_sparse.csr_array(nx.to_numpy_array(path))
    for graph in (path, matrix, nx.to_graph6_bytes(path, header=False).decode().strip(), (4, [(0, 1), (1, 2), (2, 3)])):
        assert colour(graph, "wl").members() == expected


@pytest.mark.compiled
def test_colours_repeat_bit_for_bit():
    graph = nx.gnm_random_graph(400, 900, seed=1)
    for search in ("wl", "bfs:2", "dfs:2", "bfs:2+dfs:1"):
        assert np.array_equal(colour(graph, search).vertex, colour(graph, search).vertex)
        if search != "wl":
            first, second = (colour(graph, search, exact=False, rounds=2).vertex for _ in range(2))
            assert np.array_equal(first, second)

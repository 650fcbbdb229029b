"""Every failing claim's counterexample, verified again by networkx, dictionaries and the slow twins."""

from itertools import pairwise, permutations

import networkx as nx
import numpy as np
import pytest
from networkx.algorithms.isomorphism import categorical_node_match

import naive
from lvc.expressivity.claims import run_claims


def counterexample(claim: str):
    (result,) = run_claims("quick", only=[claim])
    verdict = result.verdict
    assert verdict.holds is False
    assert verdict.because
    return [graph.to_networkx() for graph in verdict.graphs], verdict.marked


def last(rounds):
    *_, colours = rounds
    return colours


def histograms(graphs, rounds_of) -> list[list]:
    """Stable colours of the graphs side by side, as sorted lists."""
    union, sizes = side_by_side(graphs)
    colours = last(rounds_of(union))
    ends = np.cumsum([0, *sizes])
    return [sorted(colours[v] for v in range(a, b)) for a, b in pairwise(ends)]


def side_by_side(graphs):
    return nx.disjoint_union_all(graphs), [len(graph) for graph in graphs]


def bfc(radius):
    return lambda graph: naive.lvc_rounds(graph, [(naive.bfs_eta, radius)])


def dfc(radius):
    return lambda graph: naive.lvc_rounds(graph, [(naive.dfs_eta, radius)])


def slow_pairs(graph: nx.Graph, eta, held: bool = False) -> tuple[dict, dict]:
    """Stable vertex and pair colours, no limit on the radius; ``held`` as in the report."""
    etas = {v: eta(graph, v, None) for v in graph}
    vertex = dict.fromkeys(graph, 0)
    pair = {(u, v): ("first",) for v in graph for u in [v, *etas[v]]}
    sizes = None
    while True:
        told = {(u, v): (vertex[u], naive.multiset(pair[w, v] for w in etas[v][u])) for v in graph for u in etas[v]}
        names = {signature: i for i, signature in enumerate(sorted(set(told.values()), key=repr))}
        new: dict[tuple, tuple] = {key: ("phi", names[signature]) for key, signature in told.items()}
        if not held:
            heard = {u: (vertex[u], naive.multiset(new[u, v] for v in graph if (u, v) in new)) for u in graph}
            numbers = {signature: i for i, signature in enumerate(sorted(set(heard.values()), key=repr))}
            vertex = {u: numbers[heard[u]] for u in graph}
        pair = new | {(v, v): ("rho", vertex[v]) for v in graph}
        before, sizes = sizes, (len(set(vertex.values())), len(set(pair.values())))
        if sizes == before:
            return vertex, pair


def path_graph(graph: nx.Graph, u: int, v: int) -> nx.Graph:
    """SPG(u, v) from the list of all shortest paths."""
    found = nx.Graph()
    for path in nx.all_shortest_paths(graph, u, v):
        nx.add_path(found, path)
    nx.set_node_attributes(found, {x: x in (u, v) for x in found}, "end")
    return found


def ego(graph: nx.Graph, v: int, radius: int | None = None) -> nx.Graph:
    found = nx.Graph()
    for u in naive.distances(graph, v, radius):
        nx.add_path(found, [v])
        for path in nx.all_shortest_paths(graph, v, u):
            nx.add_path(found, path)
    return found


def test_wl_eta():
    graphs, _ = counterexample("wl-eta")
    assert len(set(map(tuple, histograms(graphs, naive.wl_rounds)))) == 1

    def all_neighbours(graph, root, radius):
        return {u: set(graph[u]) for u in naive.distances(graph, root, None) if u != root}

    one, other = histograms(graphs, lambda graph: naive.lvc_rounds(graph, [(all_neighbours, None)]))
    assert one != other


@pytest.mark.parametrize("claim", ["wl-eta-local", "wl-eta-disconnected"])
def test_wl_eta_with_updated_roots(claim):
    graphs, _ = counterexample(claim)
    one, other = histograms(graphs, naive.wl_rounds)
    assert one == other
    # what gives it away is the size of a ball, or an edge that leaves it
    radius = 2 if claim == "wl-eta-local" else None
    balls = [sorted(len(naive.distances(graph, v, radius)) for v in graph) for graph in graphs]
    assert balls[0] != balls[1]


def test_bfs_eta_as_printed():
    #  3 - 0      from root 3, whichever of 0 and 2 is visited first gets 1 by a tree edge; the other edge is a back
    #  |   |      edge that starts in 1, so it puts 1 into the η of its other end, and not that end into η(1)
    #  2 - 1
    (square,), ((root, u),) = counterexample("bfs-eta-printed")
    assert nx.is_isomorphic(square, nx.cycle_graph(4))
    assert nx.shortest_path_length(square, root, u) == 2


def test_printed_rule_on_the_bowtie():
    (graph,), _ = counterexample("dfs-eta-printed")
    assert nx.is_isomorphic(graph, nx.windmill_graph(2, 3))  # worked by hand in test_printed_dfs
    graphs, _ = counterexample("dfc-invariant-printed")
    assert nx.is_isomorphic(*graphs)


def test_a_bridge_is_covered_by_nothing():
    (graph,), _ = counterexample("back-edge-cover")
    assert nx.is_biconnected(graph)
    assert nx.is_tree(graph)


@pytest.mark.parametrize(("claim", "held"), [("spg-if", False), ("spg-if-held", True)])
def test_equal_pair_colours_and_different_shortest_path_graphs(claim, held):
    graphs, ((u, v), (u2, v2)) = counterexample(claim)
    union, (n, _) = side_by_side(graphs)
    _, pair = slow_pairs(union, naive.bfs_eta, held)
    x, y = u2 + n, v2 + n
    straight = pair[u, v] == pair[x, y] and pair[v, u] == pair[y, x]
    swapped = pair[u, v] == pair[y, x] and pair[v, u] == pair[x, y]
    assert straight or swapped
    assert not nx.is_isomorphic(path_graph(union, u, v), path_graph(union, x, y))


def test_isomorphic_shortest_path_graphs_and_different_pair_colours():
    (graph,), ((u, v, w),) = counterexample("spg-only-if")  # the path on four vertices: an outer and the inner edge
    _, pair = slow_pairs(graph, naive.bfs_eta)
    first, second = path_graph(graph, u, v), path_graph(graph, v, w)
    assert nx.is_isomorphic(first, second, node_match=categorical_node_match("end", False))
    assert {pair[u, v], pair[v, u]} != {pair[v, w], pair[w, v]}


def test_pair_colours_are_one_sided():
    (graph,), ((u, v, u2),) = counterexample("spg-swap")
    _, pair = slow_pairs(graph, naive.bfs_eta)
    assert pair[u, v] == pair[u2, v]
    assert pair[v, u] != pair[v, u2]


def test_held_pair_colours_are_one_sided():
    graphs, ((u, v), (u2, v2)) = counterexample("spg-swap-held")
    union, (n, _) = side_by_side(graphs)
    _, pair = slow_pairs(union, naive.bfs_eta, held=True)
    assert pair[u, v] == pair[u2 + n, v2 + n]
    assert pair[v, u] != pair[v2 + n, u2 + n]


def test_two_fwl_misses_shortest_path_graphs():
    (graph,), ((u, v, u2),) = counterexample("spg-fwl2")
    # the distance partition of a distance-regular graph is stable under 2-FWL: one colour for each distance
    assert nx.is_distance_regular(graph)
    assert nx.shortest_path_length(graph, u, v) == nx.shortest_path_length(graph, u2, v) == 3
    between = [path_graph(graph, x, v).subgraph(set(path_graph(graph, x, v)) - {x, v}) for x in (u, u2)]
    assert {nx.number_connected_components(part) for part in between} == {1, 2}


def test_equal_colours_and_different_ego_graphs():
    graphs, ((v,), (u,)) = counterexample("espg-if")
    union, (n, _) = side_by_side(graphs)
    colours = last(naive.lvc_rounds(union, [(naive.bfs_eta, None)]))
    assert colours[v] == colours[u + n]
    assert not nx.is_isomorphic(ego(union, v), ego(union, u + n))
    colours = last(naive.lvc_rounds(union, [(naive.bfs_eta, 2)]))
    assert colours[v] == colours[u + n]
    assert not nx.is_isomorphic(ego(union, v, 2), ego(union, u + n, 2))


def test_equal_searches_and_different_ego_graphs():
    (graph,), ((v, u),) = counterexample("espg-if-held")
    _, pair = slow_pairs(graph, naive.bfs_eta, held=True)
    heard = {x: naive.multiset(pair[x, root] for root in graph if root != x) for x in (u, v)}
    assert heard[u] == heard[v]
    assert not nx.is_isomorphic(ego(graph, v), ego(graph, u))


def test_isomorphic_ego_graphs_and_different_colours():
    graphs, ((v,), (u,)) = counterexample("espg-only-if")  # a triangle, and the middle of a path
    union, (n, _) = side_by_side(graphs)
    colours = last(naive.lvc_rounds(union, [(naive.bfs_eta, None)]))
    assert colours[v] != colours[u + n]
    assert nx.is_isomorphic(ego(union, v), ego(union, u + n))


def test_biplanes_are_their_own_ego_graphs():
    graphs, _ = counterexample("espg-3wl")
    for graph in graphs:
        assert nx.is_bipartite(graph)
        assert nx.utils.graphs_equal(ego(graph, 0), graph)
    assert nx.intersection_array(graphs[0]) == nx.intersection_array(graphs[1])


def test_dfc_of_fixed_radius_misses_a_bridge():
    graphs, _ = counterexample("biconnectivity-local")
    one, other = histograms(graphs, dfc(1))
    assert one == other
    assert [nx.has_bridges(graph) for graph in graphs] == [True, False]


def test_eta_in_the_hexagon_is_the_root():
    (triangles, hexagon), _ = counterexample("dfc-1-eta-sizes")
    assert {len(eta) for v in triangles for eta in naive.dfs_eta(triangles, v, 1).values()} == {3}
    assert {len(eta) for v in hexagon for eta in naive.dfs_eta(hexagon, v, 1).values()} == {1}


def test_dfc_2_is_not_beyond_wl():
    graphs, _ = counterexample("dfc-2-wl")
    same = histograms(graphs, dfc(2))
    assert same[0] == same[1]
    apart = histograms(graphs, naive.wl_rounds)
    assert apart[0] != apart[1]


def test_printed_rule_merges_the_rooks_blocks():
    # The ball of a rook: the root and two triangles. Any search finishes one triangle before the other, each has a back
    # edge to the root, and back edges with one end in common cross by condition (3).
    (rook, _), _ = counterexample("rook-printed")
    local = rook.subgraph(rook[0])
    assert sorted(len(part) for part in nx.connected_components(local)) == [3, 3]
    assert all(nx.density(local.subgraph(part)) == 1 for part in nx.connected_components(local))


def test_vertices_may_stand_still():
    (graph,), _ = counterexample("stable-by-vertices")
    counts = [len(set(colours.values())) for colours in naive.lvc_rounds(graph, [(naive.bfs_eta, 2)])]
    assert counts[:3] == [1, 1, 2]


def test_one_round_of_a_larger_radius_may_see_less():
    (graph,), ((u, v),) = counterexample("bfc-hierarchy-each-round")
    near, far = (list(naive.lvc_rounds(graph, [(naive.bfs_eta, r)]))[1] for r in (1, 2))
    assert near[u] != near[v]
    assert far[u] == far[v]


def test_bfc_2_sees_what_the_network_adds_up():
    graphs, _ = counterexample("sgn-as-lvc")
    one, other = histograms(graphs, bfc(2))
    assert one != other
    # vertices at distance 2 and shortest paths to them: 4 and 8 everywhere, in both; only their distribution differs
    counts = [[naive.path_counts(graph, v, 2) for v in graph] for graph in graphs]
    paths = [[sorted(c for u, c in of.items() if u != v and not g.has_edge(u, v)) for v, of in enumerate(row)]
             for g, row in zip(graphs, counts, strict=True)]  # fmt: skip
    assert {(len(of), sum(of)) for row in paths for of in row} == {(4, 8)}
    assert sorted(paths[0]) != sorted(paths[1])


def test_slow_pairs_know_a_square():
    _, pair = slow_pairs(nx.cycle_graph(4), naive.bfs_eta)
    assert len({pair[u, v] for u, v in permutations(range(4), 2)}) == 2

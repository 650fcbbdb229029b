"""Claims about shortest-path graphs: what BFC's pair colours λ_v(u) know of them, and what 2-FWL's do."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache

from lvc.colouring.reveal import shortest_path_graph
from lvc.expressivity.claims.claim import Claim, Effort, Verdict
from lvc.expressivity.claims.same import Item, Violation, implication
from lvc.expressivity.claims.tried import Graphs, connected, named, pair_colours
from lvc.expressivity.fwl2_pairs import fwl2_pair_colours
from lvc.expressivity.regular import biplane
from lvc.graph import Graph
from lvc.isomorphism import isomorphism_classes

SPG = "Lemma bfc2spg, section 4.2"


@lru_cache
def graphs_for_pairs(effort: Effort) -> Graphs:
    """All small connected graphs, the named ones (one of the biplanes), and two that differ only between two levels."""
    some_named = [graph for graph in named() if graph.n <= 20]
    found = dict.fromkeys([*connected(effort), *some_named, biplane(), *split_levels()])
    return tuple(sorted(found, key=lambda graph: graph.n))


def split_levels() -> tuple[Graph, Graph]:
    """Ends 0 and 7 at distance 3, between the levels 1, 2, 3 and 4, 5, 6 a path in one graph, a square and an edge in
    the other: degrees agree on both levels.

    >>> [sorted(graph.degrees.tolist()) for graph in split_levels()]
    [[2, 2, 3, 3, 3, 3, 3, 3], [2, 2, 3, 3, 3, 3, 3, 3]]
    """
    ends = [(0, 1), (0, 2), (0, 3), (4, 7), (5, 7), (6, 7)]
    path = [(1, 4), (4, 2), (2, 5), (5, 3), (3, 6)]
    square = [(1, 4), (1, 5), (2, 4), (2, 5), (3, 6)]
    return Graph.from_edges(8, ends + path), Graph.from_edges(8, ends + square)


def path_graph_between(graph: Graph, u: int, v: int, labelled: bool) -> Graph:
    """SPG(u, v) on its own vertices, ``u`` first and ``v`` last; ``labelled`` sets the two ends off from the rest."""
    edges = shortest_path_graph(graph, u, v)
    inner = sorted({x for edge in edges for x in edge} - {u, v})
    place = {x: i for i, x in enumerate([u, *inner, v])}
    labels = [1, *[0] * len(inner), 1] if labelled else None
    return Graph.from_edges(len(place), [(place[a], place[b]) for a, b in edges], labels)


@lru_cache
def path_graph_classes(effort: Effort, labelled: bool) -> dict[tuple[int, int, int], int]:
    """(graph, u, v) with u < v -> isomorphism class of SPG(u, v); ``labelled`` if ends must go to ends."""
    graphs = graphs_for_pairs(effort)
    keys = [(g, u, v) for g, graph in enumerate(graphs) for v in range(graph.n) for u in range(v)]
    keys = [key for key in keys if _joined(effort, key)]
    found = [path_graph_between(graphs[g], u, v, labelled) for g, u, v in keys]
    return dict(zip(keys, isomorphism_classes(found), strict=True))


@lru_cache
def distances(effort: Effort) -> dict[tuple[int, int, int], int]:
    """(graph, u, v) -> d(u, v), for all vertices with a path between them."""
    pairs = pair_colours(graphs_for_pairs(effort), "bfs:inf").pairs
    return {(p.graph, p.u, p.v): p.distance for p in pairs}


def _joined(effort: Effort, key: tuple[int, int, int]) -> bool:
    return key in distances(effort)


def _about_pairs(
    effort: Effort,
    given: Callable[[tuple[int, int, int]], Hashable],
    then: Callable[[tuple[int, int, int]], Hashable],
    explain: Callable[[Violation], str],
    keys: Sequence[tuple[int, int, int]],
) -> Verdict:
    graphs = graphs_for_pairs(effort)
    items = [Item(g, (u, v)) for g, u, v in keys]
    return implication(graphs, effort, items, [given(k) for k in keys], [then(k) for k in keys], "pairs", explain)


def _both_ways(effort: Effort, held: bool) -> Callable[[tuple[int, int, int]], Hashable]:
    """{{λ_v(u), λ_u(v)}}: equal exactly if condition (1) or (2) of the lemma holds."""
    colour = pair_colours(graphs_for_pairs(effort), "bfs:inf", held).of_pair()
    return lambda key: tuple(sorted((colour[key], colour[key[0], key[2], key[1]])))


def _pair(item: Item) -> str:
    return f"({item.vertices[0]}, {item.vertices[1]})"


def _spg_if(held: bool, farthest: int | None = None) -> Callable[[Effort], Verdict]:
    def check(effort: Effort) -> Verdict:
        classes, far = path_graph_classes(effort, False), distances(effort)
        keys = [key for key in classes if farthest is None or far[key] <= farthest]

        def explain(violation: Violation) -> str:
            first, second = violation
            apart = far[first.graph, first.vertices[0], first.vertices[1]]
            where = "" if first.graph == second.graph else " of the other graph"
            return (
                f"the pairs {_pair(first)} and {_pair(second)}{where}, at distance "
                f"{apart}, have "
                "equal colours both ways, and their shortest-path graphs are not isomorphic"
            )

        return _about_pairs(effort, _both_ways(effort, held), classes.__getitem__, explain, keys)

    return check


def _spg_only_if(held: bool) -> Callable[[Effort], Verdict]:
    def check(effort: Effort) -> Verdict:
        classes = path_graph_classes(effort, True)

        def explain(violation: Violation) -> str:
            return (
                f"the pairs {_pair(violation.first)} and {_pair(violation.second)} have isomorphic shortest-path "
                "graphs, and "
                "neither condition holds: stable vertex colours know the rest of the graph too"
            )

        return _about_pairs(effort, classes.__getitem__, _both_ways(effort, held), explain, list(classes))

    return check


def _swap(held: bool) -> Callable[[Effort], Verdict]:
    def check(effort: Effort) -> Verdict:
        colour = pair_colours(graphs_for_pairs(effort), "bfs:inf", held).of_pair()

        def explain(violation: Violation) -> str:
            (_, (u, v)), (_, (u2, v2)) = violation
            return f"λ_{v}({u}) = λ_{v2}({u2}) and λ_{u}({v}) ≠ λ_{u2}({v2})"

        keys = [key for key in colour if key[1] != key[2]]
        return _about_pairs(effort, colour.__getitem__, lambda key: colour[key[0], key[2], key[1]], explain, keys)

    return check


def _distance(effort: Effort) -> Verdict:
    far = distances(effort)
    colour = pair_colours(graphs_for_pairs(effort), "bfs:inf").of_pair()
    return _about_pairs(
        effort, colour.__getitem__, far.__getitem__, lambda _: "distances 1 and 2 look alike", list(colour)
    )


def _fwl2(effort: Effort) -> Verdict:
    classes, colour = path_graph_classes(effort, False), fwl2_pair_colours(graphs_for_pairs(effort))

    def explain(violation: Violation) -> str:
        return (
            f"the pairs {_pair(violation.first)} and {_pair(violation.second)} have one 2-FWL colour, and "
            "shortest-path "
            "graphs that are not isomorphic: between the ends lies a 12-cycle in one and two hexagons in the other"
        )

    return _about_pairs(effort, colour.__getitem__, classes.__getitem__, explain, list(classes))


CLAIMS = (
    Claim(
        "pair-distance",
        "Lemma diff_lambda_diff_hop, appendix",
        "Under BFC, λ_v(u) = λ_v'(u') only if d(u, v) = d(u', v').",
        "stable pair colours of all graphs refined together, no limit on the radius",
        _distance,
    ),
    Claim(
        "spg-if",
        SPG,
        "If λ_v(u) = λ_v'(u') and λ_u(v) = λ_u'(v'), or the same with u' and v' swapped, then SPG(u, v) and "
        "SPG(u', v') are "
        "isomorphic.",
        "stable pair colours of BFC without limit, refined together, against isomorphism by networkx",
        _spg_if(held=False),
    ),
    Claim(
        "spg-if-near",
        SPG,
        "The same for pairs at distance 1 or 2, where the number of shortest paths says all.",
        "as before, distance at most 2",
        _spg_if(held=False, farthest=2),
        reading=True,
    ),
    Claim(
        "spg-if-held",
        SPG,
        "The same if vertex colours do not refine inside φ, so that λ_v(u) knows the search from v and nothing else.",
        "stable pair colours with λ(u) held at one colour",
        _spg_if(held=True),
        reading=True,
    ),
    Claim(
        "spg-only-if",
        SPG,
        "If SPG(u, v) and SPG(u', v') are isomorphic, then λ_v(u) = λ_v'(u') and λ_u(v) = λ_u'(v'), or the same "
        "with u' and "
        "v' swapped.",
        "isomorphism by networkx, ends to ends, against stable pair colours of BFC without limit",
        _spg_only_if(held=False),
    ),
    Claim(
        "spg-only-if-held",
        SPG,
        "The same if vertex colours do not refine inside φ.",
        "stable pair colours with λ(u) held at one colour",
        _spg_only_if(held=True),
        reading=True,
    ),
    Claim(
        "spg-swap",
        "Proof of lemma bfc2spg, appendix",
        "λ_v(u) = λ_v'(u') if and only if λ_u(v) = λ_u'(v').",
        "stable pair colours of BFC without limit; one direction, the other is the same with names changed",
        _swap(held=False),
    ),
    Claim(
        "spg-swap-held",
        "Proof of lemma bfc2spg, appendix",
        "The same if vertex colours do not refine inside φ, as the proof's induction over the SPG alone would need.",
        "stable pair colours with λ(u) held at one colour",
        _swap(held=True),
        reading=True,
    ),
    Claim(
        "spg-fwl2",
        "Lemma bfc2fwl, appendix",
        "If SPG(u, v) and SPG(u', v') are not isomorphic, then the 2-FWL colours of the pairs differ.",
        "stable 2-FWL colours of pairs, refined together, against isomorphism by networkx",
        _fwl2,
    ),
)

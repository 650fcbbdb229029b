"""Claims about ego shortest-path graphs: what vertex colours know of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from lvc.colouring.compare import distinguishes
from lvc.colouring.reveal import ego_shortest_path_graph, shortest_path_graph, structure
from lvc.expressivity.claims.claim import Claim, Effort, Verdict, failed, held
from lvc.expressivity.claims.paths import graphs_for_pairs
from lvc.expressivity.claims.same import Item, Violation, flat, implication, vertices_of
from lvc.expressivity.claims.tried import Graphs, colours, everything, pair_colours
from lvc.expressivity.regular import k33_and_prism, two_biplanes
from lvc.graph import Graph
from lvc.isomorphism import isomorphism_classes
from lvc.search.balls import ball_sizes

ESPG = "Lemma lvcbfs_esgp, section 4.2"
RADII = (None, 2, 1)


def ego_graph(graph: Graph, v: int, radius: int | None, labelled: bool) -> Graph:
    """S_v on its own vertices, ``v`` first; ``labelled`` sets v off from the rest."""
    edges = ego_shortest_path_graph(graph, v, radius)
    others = sorted({x for edge in edges for x in edge} - {v})
    place = {x: i for i, x in enumerate([v, *others])}
    labels = [1, *[0] * len(others)] if labelled else None
    return Graph.from_edges(len(place), [(place[a], place[b]) for a, b in edges], labels)


@lru_cache
def graphs_for_egos(effort: Effort) -> Graphs:
    """Those of the claims about pairs with up to 16 vertices: isomorphism of larger regular ones takes long."""
    return tuple(graph for graph in graphs_for_pairs(effort) if graph.n <= 16)


@lru_cache
def ego_classes(effort: Effort, radius: int | None, labelled: bool) -> list[int]:
    """Isomorphism class of S_v for every vertex of every graph."""
    graphs = graphs_for_egos(effort)
    return isomorphism_classes([ego_graph(graph, v, radius, labelled) for graph in graphs for v in range(graph.n)])


def _search(radius: int | None) -> str:
    return f"bfs:{'inf' if radius is None else radius}"


def _about_vertices(effort: Effort, given: list[int], then: list[int], explain: Callable[[Violation], str]) -> Verdict:
    graphs = graphs_for_egos(effort)
    return implication(graphs, effort, vertices_of(graphs), given, then, "vertices", explain)


def _vertex(item: Item) -> int:
    return item.vertices[0]


def _vertex_colours(effort: Effort, radius: int | None, held: bool) -> list[int]:
    return flat(pair_colours(graphs_for_egos(effort), _search(radius), held).vertex)


def _if(radii: tuple[int | None, ...], held: bool) -> Callable[[Effort], Verdict]:
    def check(effort: Effort) -> Verdict:
        def explain(violation: Violation) -> str:
            return (
                f"vertices {_vertex(violation.first)} and {_vertex(violation.second)} have one colour under "
                f"{_search(radius)}, and ego shortest-path graphs that are not isomorphic"
            )

        for radius in radii:
            given = _vertex_colours(effort, radius, held)
            verdict = _about_vertices(effort, given, ego_classes(effort, radius, False), explain)
            if not verdict.holds:
                break
        return verdict

    return check


def _only_if(radii: tuple[int | None, ...], held: bool) -> Callable[[Effort], Verdict]:
    def check(effort: Effort) -> Verdict:
        def explain(violation: Violation) -> str:
            return (
                f"vertices {_vertex(violation.first)} and {_vertex(violation.second)} have isomorphic ego "
                "shortest-path "
                f"graphs, and {_search(radius)} gives them two colours: it also sees edges and vertices outside them"
            )

        for radius in radii:
            then = _vertex_colours(effort, radius, held)
            verdict = _about_vertices(effort, ego_classes(effort, radius, True), then, explain)
            if not verdict.holds:
                break
        return verdict

    return check


def _mpnn(effort: Effort) -> Verdict:
    first, second = k33_and_prism()
    apart = isomorphism_classes([ego_graph(graph, 0, 2, False) for graph in (first, second)])
    good = apart == [0, 1] and not distinguishes(first, second, "wl") and distinguishes(first, second, "bfs:2")
    if good:
        return held(1, "one pair of three-regular graphs", "K33 and the prism", [first, second], [(0,), (0,)])
    return failed(1, "one pair", "the pair does not show it", [first, second])


def _three_wl(effort: Effort) -> Verdict:
    first, second = two_biplanes()
    whole = all(ego_graph(graph, 0, None, False).m == graph.m for graph in (first, second))
    apart = _between_levels(first) != _between_levels(second)
    if whole and apart and not distinguishes(first, second, "fwl2"):
        because = (
            "the incidence graphs of two biplanes are bipartite, so each is its own ego shortest-path graph; "
            "they are not "
            "isomorphic, and 3-WL does not tell them apart"
        )
        return failed(1, "one pair", because, [first, second], [(0,), (0,)])
    return held(1, "one pair")


def _between_levels(graph: Graph) -> list[int]:
    """For every vertex at distance 3 from vertex 0, the number of cycles between them; an invariant of these graphs."""
    far = [v for v in range(16, 32) if not graph.has_edge(0, v)]
    inner = [{x for edge in shortest_path_graph(graph, 0, v) for x in edge} - {0, v} for v in far]
    return sorted(structure(graph.induced(sorted(vertices))).components for vertices in inner)


def _ball_size(effort: Effort) -> Verdict:
    graphs = everything(effort)
    verdict = held(0, "")
    for kind in ("bfs", "dfs"):
        for radius in (1, 2, 3, None):
            search = f"{kind}:{'inf' if radius is None else radius}"
            given = flat(colours(graphs, search))
            sizes = [size for graph in graphs for size in _sizes(graph, radius)]
            verdict = implication(
                graphs,
                effort,
                vertices_of(graphs),
                given,
                sizes,
                f"vertices (the last of 8 searches: {search})",
                lambda _: "",
            )
            if not verdict.holds:
                return verdict
    return verdict


def _sizes(graph: Graph, radius: int | None) -> list[int]:
    return ball_sizes(graph, radius).tolist()


CLAIMS = (
    Claim(
        "espg-if",
        ESPG,
        "If λ(v) = λ(u) under BFC-δ, then the ego shortest-path graphs S_v and S_u of radius δ are isomorphic.",
        "stable colours for δ = 1, 2 and without limit, refined together, against isomorphism by networkx",
        _if(RADII, held=False),
    ),
    Claim(
        "espg-if-one",
        ESPG,
        "The same for δ = 1, where S_v is a star.",
        "as before, δ = 1",
        _if((1,), held=False),
        reading=True,
    ),
    Claim(
        "espg-if-held",
        ESPG,
        "The same if vertex colours do not refine: λ(v) is made once, from pair colours that know only the searches.",
        "stable pair colours with λ(u) held at one colour, ρ applied once",
        _if(RADII, held=True),
        reading=True,
    ),
    Claim(
        "espg-only-if",
        ESPG,
        "If S_v and S_u are isomorphic, then λ(v) = λ(u) under BFC-δ.",
        "isomorphism by networkx, v to u, against stable colours for δ = 1, 2 and without limit",
        _only_if(RADII, held=False),
    ),
    Claim(
        "espg-only-if-held",
        ESPG,
        "The same if vertex colours do not refine.",
        "stable pair colours with λ(u) held at one colour, ρ applied once",
        _only_if(RADII, held=True),
        reading=True,
    ),
    Claim(
        "espg-mpnn",
        "Lemma mpnn_esgp and figure esgp_examples, section 4.2",
        "Some graphs with different ego shortest-path graphs are told apart by BFC-2 and not by 1-WL, "
        "three-regular ones "
        "among them.",
        "the smallest three-regular pair",
        _mpnn,
    ),
    Claim(
        "espg-3wl",
        "Proof of theorem bfc3wl, appendix",
        "3-WL tells graphs apart that have different ego shortest-path graphs.",
        "two distance-regular bipartite graphs, no limit on the radius",
        _three_wl,
    ),
    Claim(
        "equal-balls",
        "Lemma equal_neighbour_size, appendix",
        "If λ(v) = λ(u), then N_δ(v) and N_δ(u) have equally many vertices.",
        "BFC and DFC, δ = 1, 2, 3 and without limit",
        _ball_size,
    ),
)

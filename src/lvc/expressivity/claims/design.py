"""Claims about the 1-WL-equivalent η: all neighbours of u."""

from __future__ import annotations

from collections.abc import Callable

from lvc.expressivity.claims.claim import Claim, Effort, Verdict
from lvc.expressivity.claims.same import histograms, implication, whole
from lvc.expressivity.claims.tried import Graphs, colours, every_graph, is_connected, named
from lvc.expressivity.pair_colours import neighbours_of_root, stable_pair_colours
from lvc.graph import Graph
from lvc.search.bfs import ball
from lvc.search.kinds import Custom

WHERE = "Design considerations, section 4.1"


def all_neighbours(graph: Graph, root: int, radius: int | None) -> dict[int, list[int]]:
    """η_v(u) = all neighbours of u that the search from v has seen."""
    inside = set(ball(graph, root, graph.n if radius is None else radius).vertex.tolist())
    return {u: [w for w in graph.neighbours(u).tolist() if w in inside] for u in inside if u != root}


def _graphs(effort: Effort, only_connected: bool) -> Graphs:
    found = [*every_graph(effort), *(graph for graph in named() if graph.n <= 10)]
    return tuple(graph for graph in found if not only_connected or is_connected(graph))


def _same_as_wl(radius: int | None, root: str, only_connected: bool) -> Callable[[Effort], Verdict]:
    """Both directions, on whole graphs: first what 1-WL tells apart, then what it does not."""

    def check(effort: Effort) -> Verdict:
        graphs = _graphs(effort, only_connected)
        found = stable_pair_colours(graphs, Custom(radius, all_neighbours), root=root, root_eta=neighbours_of_root)
        own, wl = histograms(found.vertex), histograms(colours(graphs, "wl"))
        sizes = [graph.n for graph in graphs]
        first = implication(
            graphs, effort, whole(graphs), own, wl, "graphs", lambda _: "1-WL tells them apart and this scheme does not"
        )
        if not first.holds:
            return first
        because = "this scheme tells them apart and 1-WL does not"
        by_size = list(zip(wl, sizes, strict=True))
        return implication(graphs, effort, whole(graphs), by_size, own, "graphs", lambda _: because)

    return check


CLAIMS = (
    Claim(
        "wl-eta",
        WHERE,
        "With η all neighbours of u, LVC is 1-WL, when the root keeps its vertex colour, λ_v(v) = λ(v), as the network "
        "needs it.",
        "no limit on the radius: graphs told apart by this scheme and by 1-WL",
        _same_as_wl(None, "vertex", only_connected=True),
    ),
    Claim(
        "wl-eta-local",
        WHERE,
        "With η all neighbours of u inside the ball, LVC-2 is 1-WL, when the root's pair colour is updated like "
        "any other.",
        "radius 2: graphs told apart by this scheme and by 1-WL",
        _same_as_wl(2, "updated", only_connected=True),
    ),
    Claim(
        "wl-eta-disconnected",
        WHERE,
        "The same without a limit on the radius, disconnected graphs included.",
        "graphs told apart by this scheme and by 1-WL",
        _same_as_wl(None, "updated", only_connected=False),
        reading=True,
    ),
    Claim(
        "wl-eta-updated",
        WHERE,
        "With η all neighbours of u, LVC without a limit is 1-WL on connected graphs, when the root's pair "
        "colour is updated "
        "like any other.",
        "graphs told apart by this scheme and by 1-WL",
        _same_as_wl(None, "updated", only_connected=True),
        reading=True,
    ),
)

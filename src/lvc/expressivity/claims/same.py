"""Claims of the form "equal this, then equal that", tried on all items of all graphs at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from typing import NamedTuple

from lvc.expressivity.claims.claim import Effort, Verdict, failed, held
from lvc.expressivity.claims.tried import Graphs, in_words
from lvc.graph import Graph


class Item(NamedTuple):
    """Some vertices of one graph: one, a pair, the ends of an edge; or none, for the graph itself."""

    graph: int
    vertices: tuple[int, ...]


class Violation(NamedTuple):
    """Two items that agree in what is given and not in what should follow."""

    first: Item
    second: Item


def smallest_violation(
    graphs: Sequence[Graph], items: Sequence[Item], given: Sequence[Hashable], then: Sequence[Hashable]
) -> Violation | None:
    """The violation with the fewest vertices: those of one graph, or of the two graphs together.

    >>> path, edge = Graph.from_edges(3, [(0, 1), (1, 2)]), Graph.from_edges(2, [(0, 1)])
    >>> smallest_violation([path, edge], [Item(0, (0,)), Item(1, (0,))], given=["leaf", "leaf"], then=[3, 2])
    Violation(first=Item(graph=1, vertices=(0,)), second=Item(graph=0, vertices=(0,)))
    """
    anywhere: dict[Hashable, dict[Hashable, Item]] = defaultdict(dict)
    within: dict[Hashable, dict[Hashable, Item]] = defaultdict(dict)
    for item, one, other in sorted(zip(items, given, then, strict=True), key=lambda row: graphs[row[0].graph].n):
        anywhere[one].setdefault(other, item)
        within[one, item.graph].setdefault(other, item)
    found = []
    for several in [*within.values(), *anywhere.values()]:
        if len(several) > 1:
            first, second = list(several.values())[:2]
            size = sum(graphs[g].n for g in {first.graph, second.graph})
            found.append((size, Violation(first, second)))
    return min(found, key=lambda pair: pair[0])[1] if found else None


def implication(
    graphs: Graphs,
    effort: Effort,
    items: Sequence[Item],
    given: Sequence[Hashable],
    then: Sequence[Hashable],
    what: str,
    explain: Callable[[Violation], str],
) -> Verdict:
    """The verdict of "if ``given`` agrees, so does ``then``" for any two ``items``; ``what`` says what they are."""
    tried = f"{len(items)} {what} of {in_words(graphs, effort)}"
    violation = smallest_violation(graphs, items, given, then)
    if violation is None:
        return held(len(items), tried)
    return failed(len(items), tried, explain(violation), *shown(graphs, violation))


def shown(graphs: Sequence[Graph], violation: Violation) -> tuple[list[Graph], list[tuple[int, ...]]]:
    """The graphs of a violation with the vertices to mark; one graph if both items lie in it."""
    first, second = violation
    if first.graph == second.graph:
        together = tuple(dict.fromkeys(first.vertices + second.vertices))
        return [graphs[first.graph]], [together]
    return [graphs[first.graph], graphs[second.graph]], [first.vertices, second.vertices]


def vertices_of(graphs: Sequence[Graph]) -> list[Item]:
    """Every vertex of every graph."""
    return [Item(g, (v,)) for g, graph in enumerate(graphs) for v in range(graph.n)]


def whole(graphs: Sequence[Graph]) -> list[Item]:
    """Every graph as one item."""
    return [Item(g, ()) for g in range(len(graphs))]


def flat(colours: Sequence[Sequence[int]]) -> list[int]:
    """Colours in the order of :func:`vertices_of`."""
    return [colour for of_graph in colours for colour in of_graph]


def histograms(colours: Sequence[Sequence[int]]) -> list[tuple[int, ...]]:
    """The multiset of colours of each graph, by which graphs are compared."""
    return [tuple(sorted(of_graph)) for of_graph in colours]

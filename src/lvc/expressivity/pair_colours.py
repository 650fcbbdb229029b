"""Stable colours of pairs, jointly over many small graphs, in the readings of the scheme that the claims report tries.

:mod:`lvc.colouring.rounds` gives out vertex colours only and knows one meaning of the root's colour. The paper's lemmas
also speak of the pair colours λ_v(u), and leave open what λ_v(v) is; here both can be had, slowly, with dictionaries.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import count

from lvc.errors import LvcError
from lvc.graph import Graph, disjoint_union
from lvc.search.kinds import Search
from lvc.search.parsing import parse_search
from lvc.search.trees import trees

#: ``"vertex"``: λ_v(v) = λ(v), our meaning; ``"updated"``: λ_v(v) = φ(λ(v), {{λ_v(w) : w ∈ η_v(v)}}) as for the others.
ROOTS = ("vertex", "updated")

#: The places (in their ball) of the vertices of η_v(v), from the distances of a ball; only ``root="updated"`` asks.
RootEta = Callable[[Sequence[int]], Iterable[int]]


@dataclass(frozen=True)
class Pair:
    """A pair (u, v) with u in the ball of the root v; vertices as numbered in their own graph."""

    graph: int  # which of the graphs
    u: int
    v: int
    distance: int


@dataclass(frozen=True)
class PairColours:
    """Colours comparable across all graphs that were refined together."""

    pairs: list[Pair]
    pair: list[int]  # λ_v(u) of every pair, the roots' own pairs included
    vertex: list[list[int]]  # λ(u) of every vertex of every graph

    def of_pair(self) -> dict[tuple[int, int, int], int]:
        """(graph, u, v) -> λ_v(u)."""
        return {(p.graph, p.u, p.v): colour for p, colour in zip(self.pairs, self.pair, strict=True)}


def neighbours_of_root(distances: Sequence[int]) -> list[int]:
    """η_v(v) when η is all neighbours: the places at distance 1."""
    return [i for i, distance in enumerate(distances) if distance == 1]


def stable_pair_colours(
    graphs: Sequence[Graph],
    search: str | Search,
    *,
    rounds: int | None = None,
    held: bool = False,
    root: str = "vertex",
    root_eta: RootEta = lambda distances: (),
) -> PairColours:
    """Refine ``graphs`` together until neither vertices nor pairs refine any more, and give out both colours.

    Args:
        graphs: any number of graphs; equal colours mean the same across them.
        search: one search, ``bfs``, ``dfs`` or custom.
        rounds: stop after so many instead.
        held: hold λ(u) fast at one colour inside φ until the pairs are stable, and apply ρ once, at the end: colours
            then know the search from each root and nothing else.
        root: one of ``ROOTS``, what the pair colour of a root with itself is.
        root_eta: η_v(v), for ``root="updated"``.

    >>> path = Graph.from_edges(3, [(0, 1), (1, 2)])
    >>> colours = stable_pair_colours([path], "bfs:2").of_pair()
    >>> colours[0, 0, 2] == colours[0, 2, 0], colours[0, 0, 1] == colours[0, 0, 2]
    (True, False)
    """
    if root not in ROOTS:
        raise LvcError(f"unknown root {root!r}; use one of {', '.join(ROOTS)}")
    scheme = _Scheme(graphs, parse_search(search), root == "updated", root_eta)
    vertex, pair = [0] * scheme.n, [0] * len(scheme.of)
    sizes = None
    for done in count(1):
        new_pair = scheme.phi(vertex, pair)
        new_vertex = scheme.rho(vertex, new_pair)
        if not held:
            vertex = new_vertex
        pair = new_pair if root == "updated" else scheme.with_roots(vertex, new_pair)
        before, sizes = sizes, (len(set(vertex)), len(set(pair)))
        if sizes == before or done == rounds:
            return scheme.result(new_vertex, pair)
    raise AssertionError("colours refine only so often")


class _Scheme:
    """Pairs and η of the disjoint union, as lists."""

    def __init__(self, graphs: Sequence[Graph], search: Search, updated: bool, root_eta: RootEta) -> None:
        union = disjoint_union(graphs)
        found = trees(union, search)
        self.graphs, self.n = graphs, union.n
        self.of = found.vertex.tolist()
        self.distance = found.distance.tolist()
        self.start = found.start.tolist()
        bounds, member = found.group_start.tolist(), found.member.tolist()
        self.eta = [member[bounds[g] : bounds[g + 1]] if g >= 0 else [] for g in found.group.tolist()]
        self.roots = [] if updated else self.start[:-1]
        if updated:
            for base, end in zip(self.start[:-1], self.start[1:], strict=True):
                self.eta[base] = [base + place for place in root_eta(self.distance[base:end])]
        self.seen: list[list[int]] = [[] for _ in range(self.n)]
        for p, (u, distance) in enumerate(zip(self.of, self.distance, strict=True)):
            if distance > 0:
                self.seen[u].append(p)

    def phi(self, vertex: list[int], pair: list[int]) -> list[int]:
        signatures = (
            (vertex[u], tuple(sorted(pair[w] for w in eta))) for u, eta in zip(self.of, self.eta, strict=True)
        )
        return _numbered(signatures)

    def rho(self, vertex: list[int], pair: list[int]) -> list[int]:
        return _numbered((vertex[u], tuple(sorted(pair[p] for p in seen))) for u, seen in enumerate(self.seen))

    def with_roots(self, vertex: list[int], pair: list[int]) -> list[int]:
        """Roots take their vertex colour; φ and ρ have disjoint ranges."""
        marked = list(pair)
        for root, p in enumerate(self.roots):
            marked[p] = -1 - vertex[root]
        return marked

    def result(self, vertex: list[int], pair: list[int]) -> PairColours:
        owner = [(g, v) for g, graph in enumerate(self.graphs) for v in range(graph.n)]
        pairs = []
        for root in range(self.n):
            for p in range(self.start[root], self.start[root + 1]):
                graph, u = owner[self.of[p]]
                pairs.append(Pair(graph, u, owner[root][1], self.distance[p]))
        colours, end = [], 0
        for graph_ in self.graphs:
            colours.append(vertex[end : end + graph_.n])
            end += graph_.n
        return PairColours(pairs, pair, colours)


def _numbered(signatures: Iterable[Hashable]) -> list[int]:
    """Equal signatures, equal numbers."""
    number: dict[Hashable, int] = {}
    return [number.setdefault(signature, len(number)) for signature in signatures]

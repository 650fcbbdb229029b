"""Local vertex colouring round by round, for any η: the definition, with every pair stored.

    λ_v^{l+1}(u) = φ( λ^l(u), {{ λ_v^l(w) : w ∈ η_v(u) }} )        u ∈ N_r(v)         (paper, eq. 2)
    λ^{l+1}(u)   = ρ( λ^l(u), {{ λ_v^{l+1}(u) : v ∈ N_r(u) }} )                       (paper, eq. 1)
    λ_v^{l+1}(v) = λ^{l+1}(v)

φ and ρ have disjoint ranges, so a root is never taken for another vertex of its ball. The colouring is stable when
neither the vertex partition nor the pair partition refines any more; the vertex partition may stand still for several
rounds and then go on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numba import njit

from lvc.colouring.classes import Naming
from lvc.graph import Graph
from lvc.search.kinds import Search
from lvc.search.trees import Trees, trees


class Pairs(NamedTuple):
    """One search's pairs, and for every vertex the pairs in which it is not the root."""

    trees: Trees
    roots: np.ndarray  # int64[n], the pair (v, v) of each vertex
    seen_start: np.ndarray  # int64[n + 1]
    seen: np.ndarray  # int32[pairs - n], the pairs (u, v) of u


def pairs_of(graph: Graph, search: Search) -> Pairs:
    found = trees(graph, search)
    return Pairs(found, found.start[:-1], *_pairs_of_vertices(graph.n, found.vertex, found.group))


@njit(cache=True)
def _pairs_of_vertices(n, vertex, group):
    start = np.zeros(n + 1, np.int64)
    for p in range(len(vertex)):
        if group[p] >= 0:
            start[vertex[p] + 1] += 1
    for u in range(n):
        start[u + 1] += start[u]
    cursor = start[:-1].copy()
    seen = np.empty(start[n], np.int32)
    for p in range(len(vertex)):
        if group[p] >= 0:
            seen[cursor[vertex[p]]] = p
            cursor[vertex[p]] += 1
    return start, seen


def search_rounds(
    graph: Graph, searches: Sequence[Search], first: np.ndarray, naming: Naming, endless: bool = False
) -> Iterator[np.ndarray]:
    """The vertex colours ``λ^0, λ^1, ...`` of a joint refinement, until neither partition refines any more.

    ``first`` are the initial colours ``0..k-1``. One array of vertex colours is given out per round, the last one when
    the colouring is known to be stable; ``endless`` goes on for ever.
    """
    all_pairs = [pairs_of(graph, search) for search in searches]
    vertex = first
    pair_colours = [vertex[pairs.trees.vertex] for pairs in all_pairs]
    classes: list[int] = []
    while True:
        yield vertex
        before, classes = classes, []
        new = vertex
        for s, pairs in enumerate(all_pairs):
            pair_colours[s], count = _phi(pairs.trees, vertex, pair_colours[s], naming)
            new, vertex_classes = naming.seen(new, pairs.seen_start, pairs.seen, pair_colours[s])
            classes += [vertex_classes, count]
        for s, pairs in enumerate(all_pairs):
            pair_colours[s] = naming.behind(pair_colours[s], vertex_classes)  # φ and ρ have disjoint ranges
            pair_colours[s][pairs.roots] = new
        vertex = new
        if not endless and naming.settled(before, classes):
            return


def _phi(tree: Trees, vertex: np.ndarray, pair_colour: np.ndarray, naming: Naming) -> tuple[np.ndarray, int]:
    """New pair colours, 0 at the roots for now, and how many there are."""
    multiset, _ = naming.rows(tree.group_start, tree.told_apart(pair_colour))
    inner = tree.group >= 0
    named, count = naming.pairs(vertex[tree.vertex[inner]], multiset[tree.group[inner]])
    new = np.zeros(len(tree.vertex), np.int32)
    new[inner] = named
    return new, count

"""Colouring by 128-bit hashes, for size: no table of signatures and, for BFS, no pairs at all.

A colour is two 64-bit words. A multiset is the sum of its elements' scrambled words, so it needs no sorting and the
order in which roots are searched does not matter. Equal signatures always get equal colours; different ones get
different colours unless two hashes collide, for k signatures with probability about k² / 2^129. Comparing graphs never
uses this mode.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numba import njit

from lvc.colouring.classes import number_pairs
from lvc.colouring.rounds import pairs_of
from lvc.graph import Graph
from lvc.search.bfs import bench, bfs_ball, clear, limit
from lvc.search.kinds import BFS, Search
from lvc.search.threads import in_chunks
from lvc.search.trees import ROLES, Trees

PHI = np.uint64(0x9AE16A3B2F90404F)  # φ and ρ have disjoint ranges
RHO = np.uint64(0xC3A5C85C97CB3127)


def hashed_rounds(
    graph: Graph, searches: Sequence[Search], first: np.ndarray, rounds: int | None
) -> Iterator[np.ndarray]:
    """The vertex colours round by round.

    With ``rounds=None`` until stable, by sweeps if every search is a BFS. Otherwise as many rounds as are asked for:
    without stored pairs the pair partition is not seen, so stability is not noticed.
    """
    sweep = rounds is None and all(isinstance(search, BFS) for search in searches)
    sums: list[_Unstored | _Stored] = [
        _Unstored(graph, search, sweep)
        if isinstance(search, BFS) and (sweep or rounds is not None)
        else _Stored(graph, search, first)
        for search in searches
    ]
    colour = np.stack([first.astype(np.uint64), np.zeros(graph.n, np.uint64)], axis=1)
    history = [colour]
    classes: list[int] = []
    while True:
        vertex, vertex_classes = number_pairs(colour[:, 0], colour[:, 1])
        before, classes = classes, [vertex_classes, *(part.classes for part in sums)]
        if rounds is None and classes == before:
            return
        yield vertex
        totals = [part.of_round(history) for part in sums]
        for total in totals:
            colour = _rho(colour, total)
        for part in sums:
            part.take(colour)
        history = [*history, colour][-max(part.past for part in sums) - 1 :]


class _Unstored:
    """``Σ_v λ_v(u)`` over the roots v of u's ball, one BFS after the other, nothing kept.

    The pair colour ``λ_v^l(u)`` at distance c depends only on the vertex colours of rounds ``l-1 .. l-c`` along the
    shortest-path DAG. So one search with the last r rounds' vertex colours at hand computes it, a vertex at distance c
    carrying the r - c + 1 pair colours that vertices further out ask for.
    """

    classes = 0

    def __init__(self, graph: Graph, search: BFS, sweep: bool) -> None:
        self.graph, self.radius, self.sweep = graph, limit(graph, search.radius), sweep
        self.past = 1 if sweep else self.radius

    def of_round(self, history: list[np.ndarray]) -> np.ndarray:
        csr = self.graph.indptr, self.graph.indices
        work = self.graph.n + len(self.graph.indices)
        if self.sweep:
            return sum(in_chunks(_swept, work, *csr, self.radius, history[-1]))
        past = np.stack(history[: -self.radius - 1 : -1])  # past[t] is round l - 1 - t
        return sum(in_chunks(_unrolled, work, *csr, self.radius, past, len(history) == len(past)))

    def take(self, colour: np.ndarray) -> None:
        """Nothing is kept."""


class _Stored:
    """The same for any η, with every pair's colour kept."""

    past = 1

    def __init__(self, graph: Graph, search: Search, first: np.ndarray) -> None:
        self.pairs = pairs_of(graph, search)
        self.colour = np.zeros((len(self.pairs.trees.vertex), 2), np.uint64)
        self.colour[:, 0] = first[self.pairs.trees.vertex]
        self.classes = 0

    def of_round(self, history: list[np.ndarray]) -> np.ndarray:
        tree = self.pairs.trees
        multiset = _sums(tree.group_start, *_by_role(tree, self.colour))
        self.colour = _phi(history[-1], tree.vertex, tree.group, multiset)
        self.classes = number_pairs(self.colour[:, 0], self.colour[:, 1])[1]
        return _sums(self.pairs.seen_start, self.pairs.seen, self.colour)

    def take(self, colour: np.ndarray) -> None:
        self.colour[self.pairs.roots] = colour


@njit(cache=True)
def scramble(a, b):
    """A bijection of 128 bits in which every output bit hangs on every input bit, and nothing stays zero."""
    for _ in range(2):
        a += np.uint64(0x9E3779B97F4A7C15)
        a = (a ^ (b >> np.uint64(31)) ^ (b << np.uint64(17))) * np.uint64(0xBF58476D1CE4E5B9)
        a ^= a >> np.uint64(29)
        b = (b ^ (a >> np.uint64(30)) ^ (a << np.uint64(21))) * np.uint64(0x94D049BB133111EB)
        b ^= b >> np.uint64(32)
    return a, b


@njit(cache=True)
def _signed(mark, a, b, c, d):
    """One hash of the function's mark, a colour (a, b) and a multiset (c, d)."""
    a, b = scramble(a ^ mark, b)
    return scramble(a + c, b ^ d)


@njit(cache=True)
def _rho(colour, total):
    new = np.empty_like(colour)
    for u in range(len(colour)):
        new[u, 0], new[u, 1] = _signed(RHO, colour[u, 0], colour[u, 1], total[u, 0], total[u, 1])
    return new


@njit(cache=True)
def _phi(vertex_colour, vertex, group, multiset):
    new = np.zeros((len(vertex), 2), np.uint64)
    for p in range(len(vertex)):
        if group[p] >= 0:
            u, g = vertex[p], group[p]
            a, b = vertex_colour[u]
            new[p, 0], new[p, 1] = _signed(PHI, a, b, multiset[g, 0], multiset[g, 1])
    return new


def _by_role(tree: Trees, colour: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Members and colours; if there are roles, the colours once for each and members that point to the right one."""
    if tree.role is None:
        return tree.member, colour
    marks = np.stack([np.zeros(ROLES, np.uint64), np.arange(ROLES, dtype=np.uint64) * PHI], axis=1)
    marked = (colour[None] ^ marks[:, None]).reshape(-1, 2)
    return tree.member + tree.role.astype(np.int64) * len(colour), marked


def _sums(start: np.ndarray, member: np.ndarray, colour: np.ndarray) -> np.ndarray:
    """The multiset of colours of every row of pairs."""
    total = np.zeros((len(start) - 1, 2), np.uint64)
    in_chunks(_sum_rows, len(member), start, member, colour, total)
    return total


@njit(cache=True, nogil=True)
def _sum_rows(chunk, chunks, start, member, colour, total):
    for i in range(chunk, len(start) - 1, chunks):
        for k in range(start[i], start[i + 1]):
            a, b = scramble(colour[member[k], 0], colour[member[k], 1])
            total[i, 0] += a
            total[i, 1] += b


@njit(cache=True, nogil=True)
def _swept(chunk, chunks, indptr, indices, radius, colour):
    """Sums of the pair colours that one chunk of roots gives in a sweep."""
    n = len(indptr) - 1
    total = np.zeros((n, 2), np.uint64)
    room = bench(n)
    above = np.zeros((n, 2), np.uint64)  # by place: the multiset of the parents' colours
    for root in range(chunk, n, chunks):
        size = bfs_ball(indptr, indices, root, radius, room)
        for i in range(size):
            u = room.vertex[i]
            a, b = colour[u]
            if i > 0:
                a, b = _signed(PHI, a, b, above[i, 0], above[i, 1])
                above[i, 0], above[i, 1] = 0, 0
            a, b = scramble(a, b)
            if i > 0:
                total[u, 0] += a
                total[u, 1] += b
            if room.distance[i] < radius:
                _hand_on(indptr, indices, i, room, above, a, b)
        clear(room, size)
    return total


@njit(cache=True, nogil=True)
def _hand_on(indptr, indices, i, room, above, a, b):
    """Add a colour of place ``i`` to the multisets of its children in the shortest-path DAG."""
    u = room.vertex[i]
    for e in range(indptr[u], indptr[u + 1]):
        j = room.place[indices[e]]
        if room.distance[j] > room.distance[i]:
            above[j, 0] += a
            above[j, 1] += b


@njit(cache=True, nogil=True)
def _unrolled(chunk, chunks, indptr, indices, radius, past, from_start):
    """Sums of the pair colours ``λ_v^l(u)`` over a chunk of roots v.

    ``from_start`` says that ``past`` reaches back to round 0.
    """
    steps, n = len(past), len(indptr) - 1
    total = np.zeros((n, 2), np.uint64)
    room = bench(n)
    above = np.zeros((steps, n, 2), np.uint64)  # above[t] for pair colours of round l - t
    for root in range(chunk, n, chunks):
        size = bfs_ball(indptr, indices, root, radius, room)
        for i in range(size):
            u, distance = room.vertex[i], room.distance[i]
            for t in range(min(steps, radius - distance) + 1):
                # here a, b becomes the pair colour of round l - t
                if i > 0 and t < steps:
                    a, b = past[t, u]
                    a, b = _signed(PHI, a, b, above[t, i, 0], above[t, i, 1])
                    above[t, i, 0], above[t, i, 1] = 0, 0
                elif t > 0 and (i == 0 or from_start):
                    a, b = past[t - 1, u]  # the root's vertex colour; or round 0, where pairs have vertex colours
                else:
                    continue  # nobody asks for the root's colour of the round to be
                a, b = scramble(a, b)
                if t > 0:
                    _hand_on(indptr, indices, i, room, above[t - 1], a, b)
                else:
                    total[u, 0] += a
                    total[u, 1] += b
        clear(room, size)
    return total

"""BFC without stored searches: sweep each root outwards with the present vertex colours, parents first.

    λ_v(u) = φ( λ(u), {{ λ_v(w) : w ∈ η_v(u) }} ),    then    λ(u) ← ρ( λ(u), {{ λ_v(u) : v ∈ N_r(u) }} )

One sweep sees whole balls where one round sees one step, so there are fewer sweeps than rounds; the stable partition is
the same, for each of the two refines the other. Nothing is kept of a search but the colour it gave each vertex: four
bytes a pair, and the distinct signatures of the present sweep.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numba import njit

from lvc.colouring.classes import Naming, mix, sort_row
from lvc.graph import Graph
from lvc.memory import check_fits, check_pairs
from lvc.search.balls import ball_sizes, offsets
from lvc.search.bfs import bench, bfs_ball, clear, limit, parents_of
from lvc.search.kinds import BFS

BYTES_A_PAIR = 80  # above the measured peak: 67 with bfs:3 on 3000 vertices, 12000 edges, nearly all pairs distinct


def sweep_rounds(graph: Graph, searches: Sequence[BFS], first: np.ndarray, naming: Naming) -> Iterator[np.ndarray]:
    """The vertex colours after each sweep, until the vertex partition no longer refines: then it is stable."""
    radii = [limit(graph, search.radius) for search in searches]
    starts = [offsets(ball_sizes(graph, search.radius) - 1) for search in searches]
    what, advice = f"a sweep on {graph.n} vertices", "use a smaller radius, or the hashed mode (exact=False, --hashed)"
    for start in starts:
        check_pairs(int(start[-1]), what, advice)
    check_fits(BYTES_A_PAIR * max((int(start[-1]) for start in starts), default=0), what, advice)
    colour, classes = first, int(first.max(initial=-1)) + 1
    while True:
        yield colour
        before, new = classes, colour
        for radius, start in zip(radii, starts, strict=True):
            pair_colours = _sweep(graph.indptr, graph.indices, radius, colour, start)
            multiset, _ = naming.rows(start, pair_colours)
            new, classes = naming.pairs(new, multiset)
        colour = new
        if naming.settled(before, classes):
            return


@njit(cache=True)
def _sweep(indptr, indices, radius, colour, start):
    """The pair colours each vertex gets from the roots of its ball; exact, by a growing table of signatures."""
    n = len(indptr) - 1
    given = np.empty(start[n], np.int32)
    cursor = start[:-1].copy()
    room, parents = bench(n), np.empty(n, np.int32)
    pair_colour, signature = np.empty(n, np.int32), np.empty(n + 1, np.int32)
    roots = colour.max() + 1 if n else 0  # φ gives its colours behind those of the roots
    table, hashes = np.full(1024, -1, np.int32), np.empty(512, np.uint64)
    row_start, row = np.zeros(513, np.int64), np.empty(4096, np.int32)
    used = 0
    for root in range(n):
        size = bfs_ball(indptr, indices, root, radius, room)
        pair_colour[0] = colour[root]
        for i in range(1, size):
            u = room.vertex[i]
            count = parents_of(indptr, indices, i, room, parents)
            signature[0] = colour[u]
            for k in range(count):
                signature[1 + k] = pair_colour[parents[k]]
            sort_row(signature, 1, 1 + count)
            mixed = np.uint64(count)
            for k in range(1 + count):
                mixed = mix(mixed ^ np.uint64(signature[k]))
            slot = _find(table, hashes, row_start, row, signature, 1 + count, mixed)
            if table[slot] < 0:
                if used == len(hashes):
                    table, hashes, row_start = _grown(hashes, row_start)
                    slot = _find(table, hashes, row_start, row, signature, 1 + count, mixed)
                begin = row_start[used]
                if begin + 1 + count > len(row):
                    longer = np.empty(2 * (begin + 1 + count), np.int32)
                    longer[:begin] = row[:begin]
                    row = longer
                row[begin : begin + 1 + count] = signature[: 1 + count]
                row_start[used + 1] = begin + 1 + count
                hashes[used] = mixed
                table[slot] = used
                used += 1
            pair_colour[i] = roots + table[slot]
            given[cursor[u]] = pair_colour[i]
            cursor[u] += 1
        clear(room, size)
    return given


@njit(cache=True)
def _find(table, hashes, row_start, row, signature, length, mixed):
    """The slot of ``signature``, or the free slot where it belongs."""
    mask = np.uint64(len(table) - 1)
    slot = mixed & mask
    while table[slot] >= 0:
        at = table[slot]
        if hashes[at] == mixed and row_start[at + 1] - row_start[at] == length:
            begin, k = row_start[at], 0
            while k < length and row[begin + k] == signature[k]:
                k += 1
            if k == length:
                return slot
        slot = (slot + np.uint64(1)) & mask
    return slot


@njit(cache=True)
def _grown(hashes, row_start):
    """The table with twice the room."""
    used = len(hashes)
    new_hashes, new_start = np.empty(2 * used, np.uint64), np.empty(2 * used + 1, np.int64)
    new_hashes[:used] = hashes
    new_start[: used + 1] = row_start
    table = np.full(4 * used, -1, np.int32)
    mask = np.uint64(len(table) - 1)
    for at in range(used):
        slot = hashes[at] & mask
        while table[slot] >= 0:
            slot = (slot + np.uint64(1)) & mask
        table[slot] = at
    return table, new_hashes, new_start

"""2-FWL, which tells apart exactly what 3-WL does: colours on all pairs of vertices. For comparison, on small graphs.

    C^0(u, v)     = (u = v, or adjacent, or neither; the labels of u and v)
    C^{l+1}(u, v) = ρ( C^l(u, v), {{ (C^l(u, w), C^l(w, v)) : w ∈ V }} )

A vertex's colour is the colour of its pair with itself. Graphs compared are coloured with one table of colours, each on
its own pairs: there are no pairs between two graphs.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numba import njit

from lvc.colouring.classes import Naming
from lvc.graph import Graph
from lvc.memory import check_fits
from lvc.search.threads import in_chunks


def fwl2_rounds(graph: Graph, sizes: np.ndarray, first: np.ndarray, naming: Naming) -> Iterator[np.ndarray]:
    """The vertex colours ``C^l(v, v)`` round by round until the partition of pairs is stable.

    ``graph`` is a disjoint union of graphs with ``sizes`` vertices.
    """
    needed = int(24 * (sizes.astype(np.int64) ** 3).sum() + 60 * (sizes.astype(np.int64) ** 2).sum())
    check_fits(needed, f"fwl2 on {graph.n} vertices", "it is for small graphs; use bfs or dfs")
    at = np.concatenate([[0], np.cumsum(np.square(sizes))]).astype(np.int64)  # where each graph's pairs begin
    low = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)  # and its vertices
    own = np.arange(graph.n) - np.repeat(low[:-1], sizes)  # number of a vertex in its own graph
    itself = np.repeat(at[:-1], sizes) + own * (np.repeat(sizes, sizes) + 1)
    start = np.concatenate([[0], np.cumsum(np.repeat(sizes, np.square(sizes)))]).astype(np.int64)
    kind, ends = _atomic(graph.indptr, graph.indices, at, low, first.astype(np.int64))
    colour, classes = naming.pairs(ends, kind)
    while True:
        yield naming.pairs(colour[itself], np.zeros(len(itself), np.int32))[0]
        triples = np.empty(start[-1], np.int64)
        in_chunks(_write_triples, len(triples), colour, classes, at, low, triples)
        multiset, _ = naming.rows(start, triples)
        before, (colour, classes) = classes, naming.pairs(colour, multiset)
        if naming.settled(before, classes):
            return


@njit(cache=True)
def _atomic(indptr, indices, at, low, label):
    """Itself, adjacent or neither, and the labels of both ends, of every pair."""
    kind, ends = np.zeros(at[-1], np.int32), np.empty(at[-1], np.int64)
    labels = label.max() + 1 if len(label) else 1
    for g in range(len(at) - 1):
        size = low[g + 1] - low[g]
        for u in range(size):
            row = at[g] + u * size
            for v in range(size):
                ends[row + v] = label[low[g] + u] * labels + label[low[g] + v]
            kind[row + u] = 2
            for e in range(indptr[low[g] + u], indptr[low[g] + u + 1]):
                kind[row + indices[e] - low[g]] = 1
    return kind, ends


@njit(cache=True, nogil=True)
def _write_triples(chunk, chunks, colour, classes, at, low, triples):
    """For every pair (u, v) and vertex w the pair of colours (C(u, w), C(w, v)), as one integer."""
    cubes = 0
    for g in range(len(at) - 1):
        size = low[g + 1] - low[g]
        for u in range(chunk, size, chunks):
            for v in range(size):
                base = cubes + (u * size + v) * size
                for w in range(size):
                    outer, inner = colour[at[g] + u * size + w], colour[at[g] + w * size + v]
                    triples[base + w] = np.int64(outer) * classes + inner
        cubes += size**3

"""Random block trees: connected graphs made of cycles, cliques, chorded cycles and nearly regular blocks.

The blocks hang together in cut vertices.

Two blocks share a vertex or are joined by a bridge, and a block may have a pendant vertex, so that neither a vertex's
degree nor the number of triangles around it says whether it is a cut vertex.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from lvc.errors import LvcError
from lvc.graph import Graph

Edge = tuple[int, int]


def random_block_tree(rng: np.random.Generator, smallest: int = 10, largest: int = 30, block: int = 6) -> Graph:
    """A connected graph with between ``smallest`` and ``largest`` vertices, blocks of at most ``block``.

    >>> graph = random_block_tree(np.random.default_rng(1))
    >>> 10 <= graph.n <= 30
    True
    """
    if not (3 <= block <= smallest <= largest):
        raise LvcError(f"needs 3 <= block <= smallest <= largest, got {block}, {smallest}, {largest}")
    wanted = int(rng.integers(smallest, largest + 1))
    edges = _block(rng, list(range(int(rng.integers(3, block + 1)))))
    n = max(map(max, edges)) + 1
    while n < wanted:
        where = int(rng.integers(n))
        room = wanted - n
        kind = rng.choice(["share", "bridge", "leaf"], p=[0.5, 0.3, 0.2])
        size = int(rng.integers(3, block + 1))
        if kind == "share" and room >= size - 1:
            edges += _block(rng, [where, *range(n, n + size - 1)])
            n += size - 1
        elif kind == "bridge" and room >= size:
            edges += [(where, n), *_block(rng, list(range(n, n + size)))]
            n += size
        elif kind == "leaf" or room < 2:
            edges.append((where, n))
            n += 1
    return Graph.from_edges(n, edges).relabelled(rng.permutation(n))


def _block(rng: np.random.Generator, vertices: list[int]) -> list[Edge]:
    """A biconnected graph on ``vertices``: a cycle, a clique, a cycle with some chords, or a nearly regular graph."""
    order = [vertices[i] for i in rng.permutation(len(vertices))]
    around = list(zip(order, [*order[1:], order[0]], strict=True))
    on_cycle = {frozenset(edge) for edge in around}
    chords = [edge for edge in combinations(order, 2) if frozenset(edge) not in on_cycle]
    kind = rng.choice(["cycle", "clique", "chords", "regular"])
    if kind == "regular":
        return around + _matching([chords[i] for i in rng.permutation(len(chords))])
    share = {"cycle": 0.0, "clique": 1.0, "chords": float(rng.random())}[str(kind)]
    return around + [edge for edge in chords if rng.random() < share]


def _matching(chords: list[Edge]) -> list[Edge]:
    """Chords of which no two meet: with the cycle, every vertex they reach has degree 3."""
    met: set[int] = set()
    kept = []
    for edge in chords:
        if met.isdisjoint(edge):
            met.update(edge)
            kept.append(edge)
    return kept

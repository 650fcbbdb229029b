"""A fingerprint of a graph's colouring: one text for all graphs that the search cannot tell apart.

Format 1. Colours are numbered canonically: in every round the distinct signatures are sorted, first by length, then by
their entries, and numbered in that order; so the numbers do not depend on how the vertices are numbered. The
fingerprint is ``lvc1:`` followed by the SHA-256, in hexadecimal, of these lines, each ended by a line feed:

- ``lvc-fingerprint 1``, ``search TEXT`` (the text form; a joint search's parts in the order written),
  ``vertices N``, ``labels L...`` (the distinct labels in ascending order, ``0`` if there are none);
- for every table of signatures, in the order in which the scheme makes them, ``table K`` and then its K distinct
  signatures, one per line, entries joined by spaces;
- after round 0 and after every later round up to the stable one, ``round`` and the number of vertices of each colour
  in order of colours.

The tables of a round are, search by search: the multisets ``{{ λ_v(w) : w ∈ η_v(u) }}``; the pairs of λ(u) and such a
multiset's number (φ); the multisets ``{{ λ_v(u) : v }}``; the pairs of the colour so far and that multiset's number
(ρ). In entries, the pair colours that φ gives are counted on behind the vertex colours of their round.

Two graphs have equal fingerprints if and only if the search does not tell them apart, collisions of SHA-256 aside. The
format number changes if a fingerprint could.
"""

from __future__ import annotations

import hashlib
from itertools import pairwise
from typing import Any

import numpy as np

from lvc.colouring.colour import refinement
from lvc.errors import LvcError
from lvc.graph import as_graph
from lvc.search.kinds import Custom, Search, parse_search

FORMAT = 1


class Canonical:
    """Numbers signatures in sorted order, and writes every table of signatures to a digest."""

    def __init__(self, digest: hashlib._Hash) -> None:
        self.digest = digest

    def rows(self, start: np.ndarray, value: np.ndarray) -> tuple[np.ndarray, int]:
        rows = [tuple(sorted(value[a:b].tolist())) for a, b in pairwise(start.tolist())]
        return self._number(rows)

    def pairs(self, first: np.ndarray, second: np.ndarray) -> tuple[np.ndarray, int]:
        return self._number(list(zip(first.tolist(), second.tolist(), strict=True)))

    def _number(self, rows: list[tuple[int, ...]]) -> tuple[np.ndarray, int]:
        table = sorted(set(rows), key=lambda row: (len(row), row))
        self.line(f"table {len(table)}")
        for row in table:
            self.line(" ".join(map(str, row)))
        number = {row: i for i, row in enumerate(table)}
        return np.array([number[row] for row in rows], np.int32), len(table)

    def line(self, text: str) -> None:
        self.digest.update(text.encode() + b"\n")


def fingerprint(graph: Any, search: str | Search) -> str:
    """A text that is equal for isomorphic graphs on any machine, and different where ``search`` tells graphs apart.

    >>> import networkx as nx
    >>> fingerprint(nx.path_graph(3), "wl") == fingerprint(nx.star_graph([1, 0, 2]), "wl")
    True
    """
    graph, search = as_graph(graph), parse_search(search)
    if any(isinstance(part, Custom) for part in search.parts):
        raise LvcError(f"{search} has no fingerprint: a custom search has no text form; compare graphs with `compare`")
    naming = Canonical(hashlib.sha256())
    labels = [0] if graph.labels is None else np.unique(graph.labels).tolist()
    naming.line(f"lvc-fingerprint {FORMAT}")
    naming.line(f"search {search}")
    naming.line(f"vertices {graph.n}")
    naming.line(f"labels {' '.join(map(str, labels))}")
    for vertex in refinement([graph], search, naming=naming):
        naming.line(f"round {' '.join(map(str, np.bincount(vertex).tolist()))}")
    return f"lvc{FORMAT}:{naming.digest.hexdigest()}"

"""A fingerprint of a graph's colouring: one text for all graphs that the search cannot tell apart.

Format 1. Colours are numbered canonically: the distinct signatures of a table are sorted, first by length, then by
their entries, and numbered from 0 in that order; so the numbers do not depend on how the vertices are numbered. The
fingerprint is ``lvc1:`` followed by the SHA-256, in hexadecimal, of these lines, each ended by a line feed:

- ``lvc-fingerprint 1``, ``search TEXT`` (the text form; a joint search's parts in the order written),
  ``vertices N``, ``labels L...`` (the distinct labels in ascending order, ``0`` if there are none);
- ``round`` and the number of vertices of each colour, in order of colours: for round 0, where labels in ascending
  order are the colours, and for every later round up to the last that refines vertices or pairs, behind its tables;
- for each table ``table K`` and then its K distinct signatures, one per line, entries joined by spaces, a multiset's
  entries ascending. The tables of the round that shows stability are written too, without a line ``round``.

The tables of a round, for each search in turn:

1. the multisets ``{{ λ_v^l(w) : w ∈ η_v(u) }}``. Here λ^l are the vertex colours of the round before; a root's pair
   colour is its vertex colour, and any other pair's is its number in table 2 of that round plus the number of vertex
   colours of that round (in round 0 all pairs have their vertex's colour). For ``levels`` the entries are three times
   that, plus 0 for a parent, 1 for a sibling, 2 for a child;
2. φ: the pairs of λ^l(u) and u's number in table 1;
3. the multisets of the numbers in table 2 of all pairs in which u is not the root;
4. ρ: the pairs of the vertex colour so far (λ^l, or the table 4 of the search before) and the number in table 3.

For ``wl`` a round has two tables: the multisets of the neighbours' colours, and the pairs of a vertex's own colour and
the number of its multiset. For ``fwl2`` the first table are the pairs (L a + b, kind) of all pairs of vertices, where a
and b are their initial colours, L the number of these, and kind is 2 for a vertex with itself, 1 for an edge, 0
otherwise. Before every line ``round`` stands a table of the pairs (colour of a vertex with itself, 0); its numbers are
the vertex colours. Then follow the multisets of C(u, w) K + C(w, v) over all w, where K is the number of colours, and
the pairs of the colour so far and the number of the multiset.

For ``nest:R(S)`` these tables stand before the first line ``round``: the pairs of initial colour and distance of all
vertices of all balls without their roots; all tables of S on these balls, without lines ``round``; the multisets of
their stable colours; the pairs of the initial colour and the number of the multiset. The tables of S on the graph
follow, beginning with those numbers as colours. For ``pick:R(S)`` the tables of S on the graph stand before these, its
stable colours take the place of initial ones, the pairs of initial and stable colour follow them and a line ``round``,
and vertices whose balls are not coloured have 0 in the last pairs, others 1 more. In a sum every part's tables come
before the tables of what is inside them.
A nest that holds a pick has, like a pick, the tables of S on the graph, the pairs with its stable colours and a line
``round`` first, but its balls begin with initial colours. A sum that holds a pick begins with all tables of each of its
parts alone, each followed by the pairs of the colours so far and that part's stable colours.

Two graphs have equal fingerprints if and only if the search does not tell them apart, collisions of SHA-256 aside. The
format number changes if a fingerprint could.
"""

from __future__ import annotations

import hashlib
from itertools import pairwise
from typing import Any

import numpy as np

from lvc.colouring.classes import Naming
from lvc.colouring.refinement import refinement
from lvc.errors import LvcError
from lvc.graph import as_graph
from lvc.search.kinds import Custom, Search
from lvc.search.parsing import parse_search

FORMAT = 1


class Canonical(Naming):
    """Numbers signatures in sorted order, and writes every table of signatures to a digest."""

    def __init__(self, digest: hashlib._Hash) -> None:
        self.digest = digest

    def rows(self, start: np.ndarray, value: np.ndarray) -> tuple[np.ndarray, int]:
        rows = [tuple(sorted(value[a:b].tolist())) for a, b in pairwise(start.tolist())]
        return self._number(rows)

    def pairs(self, first: np.ndarray, second: np.ndarray) -> tuple[np.ndarray, int]:
        return self._number(list(zip(first.tolist(), second.tolist(), strict=True)))

    def seen(
        self, own: np.ndarray, start: np.ndarray, member: np.ndarray, colour: np.ndarray
    ) -> tuple[np.ndarray, int]:
        multiset, _ = self.rows(start, colour[member])
        return self.pairs(own, multiset)

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
    if search.holds(Custom):
        raise LvcError(f"{search} has no fingerprint: a custom search has no text form; compare graphs with `compare`")
    naming = Canonical(hashlib.sha256())
    labels = [] if graph.labels is None else np.unique(graph.labels).tolist()
    naming.line(f"lvc-fingerprint {FORMAT}")
    naming.line(f"search {search}")
    naming.line(f"vertices {graph.n}")
    naming.line(f"labels {' '.join(map(str, labels or [0]))}")
    for vertex in refinement([graph], search, naming=naming):
        naming.line(" ".join(["round", *map(str, np.bincount(vertex).tolist())]))
    return f"lvc{FORMAT}:{naming.digest.hexdigest()}"

"""Colour a graph, or several so that their colours can be compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np

from lvc.colouring.refinement import is_breadth_first, refinement
from lvc.errors import LvcError
from lvc.graph import as_graph
from lvc.search.kinds import Search
from lvc.search.parsing import parse_search


@dataclass(frozen=True, eq=False)
class Colouring:
    """The colours of one graph. Numbers mean nothing but equality, and that only within one refinement."""

    vertex: np.ndarray  #: int32[n], 0..k-1
    rounds: int  #: after so many rounds (sweeps, if it was swept) this partition was reached, and not before
    stable: bool  #: known not to refine any more
    search: Search
    schedule: str = "rounds"  #: or "sweep"

    @property
    def classes(self) -> int:
        """The number of colours."""
        return len(np.unique(self.vertex))

    def histogram(self) -> dict[int, int]:
        """Colour -> number of vertices that have it."""
        colours, counts = np.unique(self.vertex, return_counts=True)
        return dict(zip(colours.tolist(), counts.tolist(), strict=True))

    def members(self) -> list[list[int]]:
        """The classes of the partition, each a sorted list of vertices, in order of their first vertex."""
        return partition(self.vertex)

    def __repr__(self) -> str:
        how = "stable" if self.stable else "not known to be stable"
        size = f"{self.classes} colours of {len(self.vertex)} vertices"
        return f"Colouring({self.search}, {size}, {self.when}, {how})"

    @property
    def when(self) -> str:
        """Which round, or how many sweeps, it took, in words."""
        return f"round {self.rounds}" if self.schedule == "rounds" else f"sweep {self.rounds}"


def colour(
    graph: Any,
    search: str | Search,
    *,
    rounds: int | None = None,
    labels: Sequence[int] | None = None,
    schedule: str = "rounds",
    exact: bool = True,
) -> Colouring:
    """Colour the vertices of ``graph`` by local vertex colouring (paper, equations 1 and 2).

    Args:
        graph: a :class:`~lvc.Graph` or anything :func:`~lvc.as_graph` takes.
        search: a search or its text form: ``BFS(2) + DFS(1)``, ``"bfs:2+dfs:1"``, ``"wl"``, ``"fwl2"``.
        rounds: stop after this round; by default go on until neither vertices nor pairs refine any more.
        labels: initial colours, one integer per vertex; by default the graph's own labels, or one colour for all.
        schedule: ``"rounds"`` as in the paper, or ``"sweep"`` (BFS only, to stability only), which reaches the same
            stable partition in fewer passes and stores no searches; ``rounds`` of the result counts sweeps then.
            A nest counts the rounds on the graph itself; its round 0 is what the balls were coloured to, and a pick has
            a round before it, what the search inside makes of the graph.
        exact: ``False`` for 128-bit hashes instead of exact signatures, for size; see :mod:`lvc.colouring.hashed`.

    >>> import networkx as nx
    >>> path = colour(nx.path_graph(5), "wl")
    >>> path.members(), path.rounds
    ([[0, 4], [1, 3], [2]], 2)
    """
    return colour_jointly([graph], search, rounds=rounds, labels=labels, schedule=schedule, exact=exact)[0]


def colour_jointly(
    graphs: Sequence[Any],
    search: str | Search,
    *,
    rounds: int | None = None,
    labels: Sequence[int] | None = None,
    schedule: str = "rounds",
    exact: bool = True,
) -> list[Colouring]:
    """Colour several graphs in one refinement, so that equal numbers mean equal colours across them."""
    check_rounds(rounds)
    checked = [as_graph(graph) for graph in graphs]
    if not checked:
        raise LvcError("there is no graph to colour; give at least one")
    search = parse_search(search)
    every = refinement(checked, search, labels=labels, schedule=schedule, exact=exact, rounds=rounds)
    reached, at, vertex, stable = -1, 0, np.empty(0, np.int32), True
    for number, vertex in enumerate(every):
        classes = int(vertex.max(initial=-1)) + 1
        if classes > reached:
            reached, at = classes, number
        if number == rounds:
            stable = False
            break
    ends = np.cumsum([graph.n for graph in checked])
    swept = schedule == "sweep" or (not exact and rounds is None and is_breadth_first(search))
    schedule = "sweep" if swept else "rounds"
    return [Colouring(part, at, stable, search, schedule) for part in np.split(vertex, ends[:-1])]


def check_rounds(rounds: Any) -> None:
    """Raise unless ``rounds`` is a whole number, 0 or more, or None."""
    if rounds is not None and (isinstance(rounds, bool) or not isinstance(rounds, Integral) or rounds < 0):
        raise LvcError(f"rounds must be a whole number, 0 or more, got {rounds!r}")


def partition(vertex: np.ndarray) -> list[list[int]]:
    """Classes of equal colour, each a sorted list of vertices, in order of their first vertex.

    >>> partition(np.array([7, 3, 7]))
    [[0, 2], [1]]
    """
    members: dict[int, list[int]] = {}
    for v, number in enumerate(vertex.tolist()):
        members.setdefault(number, []).append(v)
    return list(members.values())

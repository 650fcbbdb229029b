"""Colour a graph, or several so that their colours can be compared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np

from lvc.colouring.classes import ByTable, Naming
from lvc.colouring.fwl2 import fwl2_rounds
from lvc.colouring.hashed import hashed_rounds
from lvc.colouring.rounds import search_rounds
from lvc.colouring.sweep import sweep_rounds
from lvc.colouring.wl import wl_rounds
from lvc.errors import LvcError
from lvc.graph import Graph, as_graph, disjoint_union
from lvc.search.kinds import BFS, FWL2, WL, Search, parse_search

SCHEDULES = ("rounds", "sweep")


@dataclass(frozen=True, eq=False)
class Colouring:
    """The colours of one graph. Numbers mean nothing but equality, and that only within one refinement."""

    vertex: np.ndarray  # int32[n], 0..k-1
    rounds: int  # after so many rounds (sweeps, if it was swept) this partition was reached, and not before
    stable: bool  # known not to refine any more
    search: Search
    schedule: str = "rounds"  # or "sweep"

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
        """In words: which round, or how many sweeps, it took."""
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
    swept = schedule == "sweep" or (not exact and rounds is None and _all_bfs(search))
    schedule = "sweep" if swept else "rounds"
    return [Colouring(part, at, stable, search, schedule) for part in np.split(vertex, ends[:-1])]


def check_rounds(rounds: Any) -> None:
    """Raise unless ``rounds`` is a whole number, 0 or more, or None."""
    if rounds is not None and (isinstance(rounds, bool) or not isinstance(rounds, Integral) or rounds < 0):
        raise LvcError(f"rounds must be a whole number, 0 or more, got {rounds!r}")


def _all_bfs(search: Search) -> bool:
    return all(isinstance(part, BFS) for part in search.parts)


def refinement(
    graphs: Sequence[Graph],
    search: Search,
    *,
    labels: Sequence[int] | None = None,
    schedule: str = "rounds",
    exact: bool = True,
    rounds: int | None = None,
    naming: Naming | None = None,
) -> Iterator[np.ndarray]:
    """The vertex colours of the disjoint union of ``graphs``, round by round; ends when they are stable."""
    if schedule not in SCHEDULES:
        raise LvcError(f"unknown schedule {schedule!r}; use one of {', '.join(SCHEDULES)}")
    breadth = [part for part in search.parts if isinstance(part, BFS)]
    if schedule == "sweep" and (breadth != list(search.parts) or rounds is not None):
        raise LvcError(f"schedule 'sweep' is for bfs run to stability; {search} with rounds={rounds} needs 'rounds'")
    if not exact and not search.is_local:
        raise LvcError(f"{search} has no hashed mode; leave exact=True")
    union = graphs[0] if len(graphs) == 1 else disjoint_union(graphs)
    first = initial_colours(union, labels)
    naming = ByTable() if naming is None else naming
    if isinstance(search, WL):
        return wl_rounds(union, first, naming)
    if isinstance(search, FWL2):
        return fwl2_rounds(union, [graph.n for graph in graphs], first, naming)
    if not exact:
        return hashed_rounds(union, search.parts, first, rounds)
    if schedule == "sweep":
        return sweep_rounds(union, breadth, first, naming)
    return search_rounds(union, search.parts, first, naming)


def initial_colours(graph: Graph, labels: Sequence[int] | None = None) -> np.ndarray:
    """The labels as colours ``0..k-1`` in order of the labels; one colour for all if there are none."""
    given = graph.labels if labels is None else graph.with_labels(labels).labels
    if given is None:
        return np.zeros(graph.n, np.int32)
    return np.unique(given, return_inverse=True)[1].astype(np.int32)


def partition(vertex: np.ndarray) -> list[list[int]]:
    """Classes of equal colour, each a sorted list of vertices, in order of their first vertex.

    >>> partition(np.array([7, 3, 7]))
    [[0, 2], [1]]
    """
    members: dict[int, list[int]] = {}
    for v, number in enumerate(vertex.tolist()):
        members.setdefault(number, []).append(v)
    return list(members.values())

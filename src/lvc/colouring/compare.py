"""Tell two graphs apart by their colours, and say where they differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from lvc.colouring.colour import refinement
from lvc.errors import LvcError
from lvc.graph import as_graph
from lvc.search.kinds import BFS, Search, parse_search


@dataclass(frozen=True)
class Difference:
    """A colour that the two graphs do not have on equally many vertices."""

    colour: int
    first: tuple[int, ...]  # the vertices of the first graph that have it
    second: tuple[int, ...]


@dataclass(frozen=True)
class Comparison:
    """What a joint refinement of two graphs shows."""

    search: Search
    told_apart: bool
    round: int  # in which they were told apart, or after which the colouring was stable
    colours: tuple[np.ndarray, np.ndarray]  # of both graphs in that round
    differences: tuple[Difference, ...]

    def __repr__(self) -> str:
        if self.told_apart:
            return (
                f"Comparison({self.search}: told apart in round {self.round}, {len(self.differences)} colours differ)"
            )
        return f"Comparison({self.search}: same colours, stable after round {self.round})"


def compare(first: Any, second: Any, search: str | Search, *, rounds: int | None = None) -> Comparison:
    """Refine the disjoint union of two graphs until their colours differ or are stable; exact.

    >>> import networkx as nx
    >>> two_triangles = nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(3))
    >>> compare(two_triangles, nx.cycle_graph(6), "bfs:2")
    Comparison(bfs:2: told apart in round 1, 2 colours differ)
    """
    if rounds is not None and rounds < 0:
        raise LvcError(f"rounds must be 0 or more, got {rounds}")
    return _compare(first, second, parse_search(search), rounds, "rounds")


def distinguishes(first: Any, second: Any, search: str | Search, *, rounds: int | None = None) -> bool:
    """Whether ``search`` tells two graphs apart: whether the multisets of their vertex colours differ. Exact.

    >>> import networkx as nx
    >>> distinguishes(nx.cycle_graph(5), nx.path_graph(5), "wl")
    True
    """
    search = parse_search(search)
    # To stability both schedules give one partition, and sweeps get there sooner.
    sweep = rounds is None and all(isinstance(part, BFS) for part in search.parts)
    return _compare(first, second, search, rounds, "sweep" if sweep else "rounds").told_apart


def _compare(first: Any, second: Any, search: Search, rounds: int | None, schedule: str) -> Comparison:
    graphs = as_graph(first), as_graph(second)
    number, colours = 0, (np.empty(0, np.int32), np.empty(0, np.int32))
    classes, reached = -1, 0
    for number, vertex in enumerate(refinement(graphs, search, schedule=schedule)):
        colours = vertex[: graphs[0].n], vertex[graphs[0].n :]
        differences = _differences(*colours)
        if differences:
            return Comparison(search, True, number, colours, differences)
        if int(vertex.max(initial=-1)) > classes:
            classes, reached = int(vertex.max(initial=-1)), number
        if number == rounds:
            break
    return Comparison(search, False, reached, colours, ())


def _differences(first: np.ndarray, second: np.ndarray) -> tuple[Difference, ...]:
    classes = max(int(first.max(initial=-1)), int(second.max(initial=-1))) + 1
    counts = np.bincount(first, minlength=classes), np.bincount(second, minlength=classes)
    return tuple(
        Difference(int(c), tuple(np.flatnonzero(first == c).tolist()), tuple(np.flatnonzero(second == c).tolist()))
        for c in np.flatnonzero(counts[0] != counts[1])
    )

"""Tell two graphs apart by their colours, and say where they differ."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from lvc.colouring.colour import check_rounds
from lvc.colouring.refinement import is_breadth_first, refinement
from lvc.graph import as_graph
from lvc.search.kinds import Search
from lvc.search.parsing import parse_search


@dataclass(frozen=True)
class Difference:
    """A colour that the two graphs do not have on equally many vertices."""

    colour: int
    first: tuple[int, ...]  #: the vertices of the first graph that have it
    second: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Comparison:
    """What a joint refinement of two graphs shows."""

    search: Search
    told_apart: bool
    round: int  #: in which they were told apart, or after which the partition did not change
    stable: bool  #: whether more rounds could change nothing; a verdict "same" is final only then
    colours: tuple[np.ndarray, np.ndarray]  #: of both graphs in that round
    differences: tuple[Difference, ...]

    def __repr__(self) -> str:
        if self.told_apart:
            return (
                f"Comparison({self.search}: told apart in round {self.round}, {len(self.differences)} colours differ)"
            )
        return (
            f"Comparison({self.search}: same colours, {'stable' if self.stable else 'so far'} after round {self.round})"
        )


def compare(first: Any, second: Any, search: str | Search, *, rounds: int | None = None) -> Comparison:
    """Refine the disjoint union of two graphs until their colours differ or are stable; exact.

    >>> import networkx as nx
    >>> two_triangles = nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(3))
    >>> compare(two_triangles, nx.cycle_graph(6), "bfs:2")
    Comparison(bfs:2: told apart in round 1, 2 colours differ)
    """
    check_rounds(rounds)
    graphs = as_graph(first), as_graph(second)
    number, colours = 0, (np.empty(0, np.int32), np.empty(0, np.int32))
    classes, reached = -1, 0
    search = parse_search(search)
    for number, vertex in enumerate(refinement(graphs, search)):
        colours = vertex[: graphs[0].n], vertex[graphs[0].n :]
        if _differ(*colours):
            return Comparison(search, True, number, False, colours, _differences(*colours))
        if int(vertex.max(initial=-1)) > classes:
            classes, reached = int(vertex.max(initial=-1)), number
        if number == rounds:
            return Comparison(search, False, number, False, colours, ())
    return Comparison(search, False, reached, True, colours, ())


def distinguishes(first: Any, second: Any, search: str | Search, *, rounds: int | None = None) -> bool:
    """Whether ``search`` tells two graphs apart: whether the multisets of their vertex colours differ. Exact.

    >>> import networkx as nx
    >>> distinguishes(nx.cycle_graph(5), nx.path_graph(5), "wl")
    True
    """
    check_rounds(rounds)
    search = parse_search(search)
    graphs = as_graph(first), as_graph(second)
    # To stability both schedules give one partition, and sweeps get there sooner.
    sweep = rounds is None and is_breadth_first(search)
    every = refinement(graphs, search, schedule="sweep" if sweep else "rounds")
    made = every if rounds is None else islice(every, rounds + 1)
    return any(_differ(vertex[: graphs[0].n], vertex[graphs[0].n :]) for vertex in made)


def _differ(first: np.ndarray, second: np.ndarray) -> bool:
    """Whether some colour is not on equally many vertices of both."""
    classes = max(int(first.max(initial=-1)), int(second.max(initial=-1))) + 1
    return not np.array_equal(np.bincount(first, minlength=classes), np.bincount(second, minlength=classes))


def _differences(first: np.ndarray, second: np.ndarray) -> tuple[Difference, ...]:
    members: dict[int, tuple[list[int], list[int]]] = {}
    for which, colours in enumerate((first, second)):
        for v, number in enumerate(colours.tolist()):
            members.setdefault(number, ([], []))[which].append(v)
    return tuple(
        Difference(number, tuple(members[number][0]), tuple(members[number][1]))
        for number in sorted(members)
        if len(members[number][0]) != len(members[number][1])
    )

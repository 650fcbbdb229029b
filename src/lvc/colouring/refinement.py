"""From a search to its rounds of colours: which scheme refines, and nests, which refine balls before the graph."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numba import njit

from lvc.colouring.classes import ByTable, Naming
from lvc.colouring.fwl2 import fwl2_rounds
from lvc.colouring.hashed import hashed_rounds
from lvc.colouring.rounds import search_rounds
from lvc.colouring.sweep import sweep_rounds
from lvc.colouring.wl import wl_rounds
from lvc.errors import LvcError
from lvc.graph import Graph, disjoint_union
from lvc.search.kinds import BFS, FWL2, WL, Nest, Pick, Search, joint
from lvc.search.punctured import punctured_balls

SCHEDULES = ("rounds", "sweep")


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
    if schedule == "sweep" and (not is_breadth_first(search) or rounds is not None):
        raise LvcError(f"schedule 'sweep' is for bfs run to stability; {search} with rounds={rounds} needs 'rounds'")
    if not exact and not search.is_local:
        raise LvcError(f"{search} has no hashed mode; leave exact=True")
    union = graphs[0] if len(graphs) == 1 else disjoint_union(graphs)
    first = initial_colours(union, labels)
    if not exact:
        return hashed_rounds(union, search.parts, first, rounds)
    beside = laid_beside(graphs, union)
    return rounds_of(beside, search, first, ByTable() if naming is None else naming, sweep=schedule == "sweep")


class Beside(NamedTuple):
    """Graphs side by side as one graph."""

    graph: Graph
    sizes: np.ndarray  # vertices of each
    distance: np.ndarray  # of each vertex to the root of the ball it is in; 0 in graphs that are no balls


def laid_beside(graphs: Sequence[Graph], union: Graph) -> Beside:
    """Graphs that are no balls, with their disjoint union."""
    return Beside(union, np.array([graph.n for graph in graphs], np.int64), np.zeros(union.n, np.int32))


def rounds_of(
    beside: Beside, search: Search, first: np.ndarray, naming: Naming, *, sweep: bool = False, endless: bool = False
) -> Iterator[np.ndarray]:
    """The vertex colours round by round until they are stable, beginning with ``first``.

    ``endless`` (for searches other than fwl2, and without sweeps) goes on for ever; what is inside a nest still ends.
    """
    if isinstance(search, WL):
        return wl_rounds(beside.graph, first, naming, endless)
    if isinstance(search, FWL2):
        return fwl2_rounds(beside.graph, beside.sizes, first, naming)
    if any(isinstance(part, Nest) for part in search.parts):
        return _nest_rounds(beside, search, first, naming, endless)
    if sweep:
        return sweep_rounds(beside.graph, [part for part in search.parts if isinstance(part, BFS)], first, naming)
    return search_rounds(beside.graph, search.parts, first, naming, endless)


def _stable(beside: Beside, search: Search, first: np.ndarray, naming: Naming) -> np.ndarray:
    sweep = is_breadth_first(search) and isinstance(naming, ByTable)  # the same partition, sooner
    return deque(rounds_of(beside, search, first, naming, sweep=sweep), maxlen=1).pop()


def _nest_rounds(
    beside: Beside, search: Search, first: np.ndarray, naming: Naming, endless: bool
) -> Iterator[np.ndarray]:
    """Every nest refines the initial colours; then the searches inside the nests refine the graph, jointly.

    Which class a pick takes depends on the colours it begins with, and finer ones may mislead it. So what a pick would
    find without the others is kept in the colours: then a sum tells apart what its parts do, a nest what it holds does.
    """
    colour, outer = first, list[Search]()
    if len(search.parts) > 1 and search.holds(Pick):
        for part in search.parts:
            colour, _ = naming.pairs(colour, _stable(beside, part, first, naming))
    for part in search.parts:
        outer += part.within.parts if isinstance(part, Nest) else (part,)
        if not isinstance(part, Nest):
            continue
        picks = isinstance(part, Pick)
        known = first
        if picks or part.within.holds(Pick):
            known = _stable(beside, part.within, first, naming)
            colour, _ = naming.pairs(colour, known)
            yield colour
        roots = _largest_classes(beside.sizes, known, beside.distance) if picks else None
        begin = known if picks else first
        colour, _ = naming.pairs(colour, _coloured_balls(beside.graph, part, begin, naming, roots))
    yield from rounds_of(beside, joint(outer), colour, naming, endless=endless)


def _coloured_balls(
    graph: Graph, nest: Nest, first: np.ndarray, naming: Naming, roots: np.ndarray | None = None
) -> np.ndarray:
    """For every root the number of the multiset of stable colours of its ball without it, all balls refined jointly.

    They begin with the colours ``first`` and the distances to the root, so that the colours of a ball tell the
    distances, too. Vertices that are no roots get 0.
    """
    balls = punctured_balls(graph, nest.radius, roots)
    colour, _ = naming.pairs(first[balls.vertex], balls.distance)
    colour = _stable(Beside(balls.graph, np.diff(balls.start), balls.distance), nest.within, colour, naming)
    number, _ = naming.rows(balls.start, colour.copy())
    if roots is None:
        return number
    every = np.zeros(graph.n, np.int32)
    every[roots] = number + 1
    return every


@njit(cache=True)
def _largest_classes(sizes, colour, distance):
    """The vertices of the largest class of each graph; of several, of those farthest from the root."""
    count = np.zeros(colour.max() + 1 if len(colour) else 0, np.int64)
    chosen = np.zeros(len(colour), np.bool_)
    begin = 0
    for size in sizes:
        end = begin + size
        for u in range(begin, end):
            count[colour[u]] += 1
        largest, farthest = 2, -1  # a class of one vertex is known already
        for u in range(begin, end):
            if count[colour[u]] > largest:
                largest, farthest = count[colour[u]], -1
            if count[colour[u]] == largest:
                farthest = max(farthest, distance[u])
        for u in range(begin, end):
            chosen[u] = count[colour[u]] == largest and distance[u] == farthest
        for u in range(begin, end):
            count[colour[u]] = 0
        begin = end
    return np.flatnonzero(chosen)


def is_breadth_first(search: Search) -> bool:
    """Whether it is bfs, alone or several jointly."""
    return all(isinstance(part, BFS) for part in search.parts)


def initial_colours(graph: Graph, labels: Sequence[int] | None = None) -> np.ndarray:
    """The labels as colours ``0..k-1`` in order of the labels; one colour for all if there are none."""
    given = graph.labels if labels is None else graph.with_labels(labels).labels
    if given is None:
        return np.zeros(graph.n, np.int32)
    return np.unique(given, return_inverse=True)[1].astype(np.int32)

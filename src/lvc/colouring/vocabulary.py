"""Colours that mean the same in every call: a refinement's distinct signatures, kept table by table.

Learning refines the disjoint union of some graphs and keeps the distinct signatures of every table. Reading refines
other graphs by the same steps: a signature that was learnt gets the number it had then, any other one a number behind
all learnt ones. This is exact, for the signatures themselves are kept and compared: a vertex gets a learnt colour if
and only if it would share it with a learnt vertex in a joint refinement of as many rounds.

A signature with a part that was not learnt was not learnt either. So a vertex whose colour is unknown in one round is
unknown in all later ones.

Refinements inside nests go on until what is learnt from is stable. Reading makes as many rounds there as learning did.
So what is read of a graph depends on it and on what was learnt, not on the graphs beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from lvc.colouring.classes import ByTable, Naming
from lvc.colouring.refinement import initial_colours, laid_beside, rounds_of
from lvc.errors import LvcError, TooLargeError
from lvc.graph import Graph, disjoint_union
from lvc.search.balls import offsets
from lvc.search.kinds import FWL2, Search

HALF = 2**30  # vertex colours are below it, pair colours are not, and both are int32

Table = tuple[np.ndarray, ...]  # distinct signatures in the order of their numbers


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """What was learnt of the colours of some graphs."""

    search: Search
    endless: bool  # whether a number of rounds was asked for, or stability
    labels: np.ndarray | None  # int64, ascending: those that were learnt; None if the graphs had none
    sizes: tuple[int, ...]  # how many colours each round has
    tables: tuple[Table, ...]  # in the order in which a refinement makes them
    ends: tuple[bool, ...]  # whether the refinement was stable, each time that was asked

    def read(self, graphs: Sequence[Graph]) -> list[np.ndarray]:
        """The colours of the disjoint union of ``graphs`` in each round; from ``sizes[l]`` on, unknown in round l."""
        union = disjoint_union(graphs)
        if (union.labels is None) != (self.labels is None):
            learnt, here = ("no labels", "labels") if self.labels is None else ("labels", "no labels")
            raise LvcError(f"the graphs learnt from had {learnt} and these have {here}; give labels to all or to none")
        first = _by_labels(self.labels, union)
        rounds = rounds_of(laid_beside(graphs, union), self.search, first, _Reading(self), endless=self.endless)
        return list(islice(rounds, len(self.sizes)))


def learn(graphs: Sequence[Graph], search: Search, rounds: int | None) -> tuple[Vocabulary, list[np.ndarray]]:
    """The vocabulary of ``graphs``, and the colours of their disjoint union in each round.

    ``rounds=None`` goes on until they are stable; otherwise there are that many rounds, even if they are stable sooner.

    >>> from lvc.search.kinds import WL
    >>> path, star = Graph.from_edges(3, [(0, 1), (1, 2)]), Graph.from_edges(4, [(0, 1), (0, 2), (0, 3)])
    >>> vocabulary, _ = learn([path], WL(), rounds=1)
    >>> [colour.tolist() for colour in vocabulary.read([path, star])]  # the centre of the star is unknown
    [[0, 0, 0, 0, 0, 0, 0], [0, 1, 0, 2, 0, 0, 0]]
    """
    if search.holds(FWL2):
        raise LvcError(f"{search} has no vocabulary, fwl2 is for comparing graphs only; use bfs, dfs, levels or a nest")
    union, naming = disjoint_union(graphs), _Learning()
    first, endless = initial_colours(union), rounds is not None
    every = rounds_of(laid_beside(graphs, union), search, first, naming, endless=endless)
    colours, made = list[np.ndarray](), 0
    for vertex in islice(every, None if rounds is None else rounds + 1):
        colours.append(vertex)
        made = len(naming.tables)  # those behind the last round only show that it is stable
    labels = None if union.labels is None else np.unique(union.labels)
    sizes = tuple(int(vertex.max(initial=-1)) + 1 for vertex in colours)
    return Vocabulary(search, endless, labels, sizes, tuple(naming.tables[:made]), tuple(naming.ends)), colours


def _by_labels(labels: np.ndarray | None, union: Graph) -> np.ndarray:
    """Initial colours: the place of a label among those learnt, or a number behind them."""
    if labels is None or union.labels is None:
        return np.zeros(union.n, np.int32)
    known = np.concatenate([labels, np.setdiff1d(union.labels, labels)])
    order = np.argsort(known)
    return order[np.searchsorted(known[order], union.labels)].astype(np.int32)


class _Halves(Naming):
    """Vertex colours and pair colours in ranges that do not move when there are more of them."""

    def behind(self, number: np.ndarray, classes: int) -> np.ndarray:
        most = max(classes, int(number.max(initial=0)) + 1)
        if most > HALF:
            raise TooLargeError(f"a round has {most} colours, and a vocabulary at most {HALF}; give fewer graphs")
        return number + np.int32(HALF)


class _Learning(_Halves):
    """Numbers signatures, and keeps one of each number."""

    def __init__(self) -> None:
        self.tables: list[Table] = []
        self.ends: list[bool] = []

    def rows(self, start: np.ndarray, value: np.ndarray) -> tuple[np.ndarray, int]:
        number, count = ByTable().rows(start, value)
        self.tables.append(_rows_at(_first_places(number, count), start, value))
        return number, count

    def pairs(self, first: np.ndarray, second: np.ndarray) -> tuple[np.ndarray, int]:
        number, count = ByTable().pairs(first, second)
        at = _first_places(number, count)
        self.tables.append((first[at], second[at]))
        return number, count

    def seen(
        self, own: np.ndarray, start: np.ndarray, member: np.ndarray, colour: np.ndarray
    ) -> tuple[np.ndarray, int]:
        number, count = ByTable().seen(own, start, member, colour)
        at = _first_places(number, count)
        some_start, some = _rows_at(at, start, member)
        self.tables.append((own[at], some_start, colour[some]))
        return number, count

    def settled(self, before: object, classes: object) -> bool:
        self.ends.append(super().settled(before, classes))
        return self.ends[-1]


class _Reading(_Halves):
    """Numbers signatures behind those of a vocabulary: numbers go by first appearance, and those come first."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.tables, self.ends = iter(vocabulary.tables), iter(vocabulary.ends)

    def rows(self, start: np.ndarray, value: np.ndarray) -> tuple[np.ndarray, int]:
        known_start, known = next(self.tables)
        number, count = ByTable().rows(_joined(known_start, start), np.concatenate([known, value]))
        return number[len(known_start) - 1 :], count

    def pairs(self, first: np.ndarray, second: np.ndarray) -> tuple[np.ndarray, int]:
        known = next(self.tables)
        number, count = ByTable().pairs(np.concatenate([known[0], first]), np.concatenate([known[1], second]))
        return number[len(known[0]) :], count

    def seen(
        self, own: np.ndarray, start: np.ndarray, member: np.ndarray, colour: np.ndarray
    ) -> tuple[np.ndarray, int]:
        known_own, known_start, known = next(self.tables)
        members = np.concatenate([np.arange(len(known), dtype=member.dtype), member + member.dtype.type(len(known))])
        number, count = ByTable().seen(
            np.concatenate([known_own, own]), _joined(known_start, start), members, np.concatenate([known, colour])
        )
        return number[len(known_own) :], count

    def settled(self, before: object, classes: object) -> bool:
        return next(self.ends)


def _first_places(number: np.ndarray, count: int) -> np.ndarray:
    """Where each number stands first."""
    place = np.empty(count, np.int64)
    place[number[::-1]] = np.arange(len(number) - 1, -1, -1)
    return place


def _rows_at(at: np.ndarray, start: np.ndarray, value: np.ndarray) -> Table:
    """The rows at the places ``at``, one after another."""
    lengths = np.diff(start)[at]
    some = offsets(lengths)
    return some, value[np.arange(some[-1]) + np.repeat(start[at] - some[:-1], lengths)]


def _joined(known: np.ndarray, start: np.ndarray) -> np.ndarray:
    return np.concatenate([known, start[1:] + known[-1]])

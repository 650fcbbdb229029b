"""Graphs that were searched as one: the operator of each is a piece, cut out of the whole when it is looked at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from torch import Tensor

from lvc.nn.operators.base import Operator, Starts, smallest
from lvc.search.balls import offsets

HANDFUL = 2**19  # numbers of one kind, of all graphs that are treated at once: few enough for the cache


@dataclass(frozen=True, eq=False)
class Whole:
    """The operator of several graphs side by side, and where each of them begins in it."""

    operator: Operator
    start: Starts
    rows: Starts  # the same of the rows of each tensor

    @classmethod
    def of(cls, operator: Operator, vertices: np.ndarray) -> Whole:
        """``vertices`` says where each graph begins, and where the last ends."""
        return cls(operator, *operator.bounds(vertices))

    @classmethod
    def of_several(cls, operators: Sequence[Operator]) -> Whole:
        """Operators of graphs that were searched one by one."""
        operators = [one.alone() for one in operators]  # what is cut out of another whole is not kept
        operator, start = Operator.united(operators)
        lengths = {name: np.array([len(one.tensors[name]) for one in operators]) for name in operator.tensors}
        return cls(operator, start, {name: offsets(each) for name, each in lengths.items()})

    def __len__(self) -> int:
        return len(self.start["vertices"]) - 1

    def pieces(self) -> list[Operator]:
        """The operator of each graph."""
        lengths = {name: np.diff(begins).tolist() for name, begins in self.start.items()}
        kind, search, radius = type(self.operator), self.operator.search, self.operator.radius
        found = []
        for number in range(len(self)):
            piece = kind(search, radius, {name: each[number] for name, each in lengths.items()})
            piece._piece = self, number
            found.append(piece)
        return found

    def longest(self, number: int | None = None) -> int:
        """How many numbers its longest tensor has, or that of one graph."""
        rows = {
            name: np.diff(begins) if number is None else np.diff(begins[number : number + 2])
            for name, begins in self.rows.items()
        }
        return max(int(rows[name].sum()) * tensor[:1].numel() for name, tensor in self.operator.tensors.items())

    def tensors_of(self, number: int) -> dict[str, Tensor]:
        """What the operator of one graph would hold had it been searched alone; no view, which would keep the rest."""
        if len(self) == 1:
            return self.operator.tensors
        found = {}
        for name, tensor in self.operator.tensors.items():
            first, last = self.rows[name][number : number + 2].tolist()
            size = self.operator.points_into(name)
            part = tensor[first:last]
            part = part - int(self.start[size][number]) if size else part.clone()
            found[name] = part if part.element_size() < 8 else smallest(part.numpy())  # another graph needed 64 bits
        return found


def in_handfuls(operators: Sequence[Operator]) -> Iterator[Whole]:
    """All of these in order, as many together as do not need much memory; a whole of them stays one if it is small."""
    others: list[Operator] = []
    for one in gathered(operators):
        if isinstance(one, Operator):
            others.append(one)
        elif len(one) > 1 and one.longest() > 2 * HANDFUL:
            others += one.pieces()  # fresh ones, so that what is cut out is not kept
        else:
            yield from _several(others)
            others = []
            yield one
    yield from _several(others)


def gathered(operators: Sequence[Operator]) -> Iterator[Whole | Operator]:
    """The same in order, with a whole in the place of all its pieces one after the other."""
    at = 0
    while at < len(operators):
        whole = _whole_from(operators, at)
        yield operators[at] if whole is None else whole
        at += 1 if whole is None else len(whole)


def _whole_from(operators: Sequence[Operator], first: int) -> Whole | None:
    """What all of whose pieces stand there."""
    piece_of = operators[first].piece_of
    if piece_of is None or piece_of[1] != 0 or len(operators) - first < len(piece_of[0]):
        return None
    whole = piece_of[0]
    return whole if all(operators[first + i].piece_of == (whole, i) for i in range(len(whole))) else None


def _several(operators: Sequence[Operator]) -> Iterator[Whole]:
    """Handfuls of operators that are not a whole."""
    handful = np.cumsum([_longest(one) for one in operators]) // HANDFUL
    for number in np.unique(handful):
        first, last = np.searchsorted(handful, [number, number + 1])
        yield Whole.of_several(operators[first:last])


def _longest(operator: Operator) -> int:
    """How many numbers its longest tensor has."""
    if operator.piece_of is not None:
        whole, number = operator.piece_of
        return whole.longest(number)
    return max(tensor.numel() for tensor in operator.tensors.values())

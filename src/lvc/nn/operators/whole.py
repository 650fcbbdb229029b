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
            piece.piece_of = self, number
            found.append(piece)
        return found

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
    """All of these in order, as many together as do not need much memory; what was searched together stays so."""
    wholes = wholes_of(operators)
    if wholes is not None and all(_longest(one.operator) <= 2 * HANDFUL for one in wholes):
        yield from wholes
        return
    handful = np.cumsum([_longest(one) for one in operators]) // HANDFUL
    for number in np.unique(handful):
        first, last = np.searchsorted(handful, [number, number + 1])
        yield Whole.of_several(operators[first:last])


def wholes_of(operators: Sequence[Operator]) -> list[Whole] | None:
    """What these are all the pieces of, one whole after the other; None if they are not."""
    found: list[Whole] = []
    expected = 0
    for one in operators:
        if one.piece_of is None:
            return None
        whole, number = one.piece_of
        if number != expected or (number > 0 and whole is not found[-1]):
            return None
        if number == 0:
            found.append(whole)
        expected = (number + 1) % len(whole)
    return found if expected == 0 else None


def _longest(operator: Operator) -> int:
    """How many numbers its longest tensor has."""
    return max(tensor.numel() for tensor in operator.tensors.values())

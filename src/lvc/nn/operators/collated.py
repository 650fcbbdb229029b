"""Operators of many graphs, each of which goes into many batches."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from torch import Tensor

from lvc.errors import LvcError
from lvc.nn.operators.base import Operator, Starts
from lvc.nn.operators.joining import joined, rebuilt
from lvc.nn.operators.whole import wholes_of
from lvc.nn.sparse import Matrix, TakenRows

HANDFUL = 2**19  # numbers of one kind, of all graphs of which matrices are made at once: few enough for the cache


class CollatedOperators:
    """The operators of many graphs, laid side by side once; any batch of them is cut out of that."""

    def __init__(self, operators: Sequence[Operator]) -> None:
        first = operators[0]
        for number, one in enumerate(operators):
            if (type(one), one.search, one.radius) != (type(first), first.search, first.radius):
                raise LvcError(
                    f"graph 0 was searched by {first.search}, graph {number} by {one.search}; use one search"
                )
        self.operators = tuple(operators)
        self.sizes = {name: np.array([one.sizes[name] for one in operators]) for name in operators[0].sizes}
        self._made: dict[Hashable, Any] = {}

    @cached_property
    def together(self) -> Operator:
        """One operator for all graphs."""
        return Operator.side_by_side(self.operators)

    def batch(self, numbers: np.ndarray) -> Operator:
        """One operator for the disjoint union of the graphs with these numbers."""
        first = self.operators[0]
        sizes = {name: int(lengths[numbers].sum()) for name, lengths in self.sizes.items()}
        parts = tuple(self.operators[number] for number in numbers.tolist())
        batch = type(first)(first.search, first.radius, sizes, parts=parts)
        batch._taken = Taken(self, numbers)
        return batch

    def made(self, name: str, *args: Hashable, like: Tensor) -> Any:
        key = (name, *args, like.dtype, like.device)
        if key not in self._made:
            ready = [_made_at_once(whole, start, name, *args, like=like) for whole, start in self._handfuls()]
            self._made[key] = joined(ready, known={})
        return self._made[key]

    def _handfuls(self) -> Iterator[tuple[Operator, Starts]]:
        """The operators in order, as many together as is made without much memory, and where each begins."""
        wholes = wholes_of(self.operators)
        if wholes is not None and all(_longest(one.operator) <= 2 * HANDFUL for one in wholes):
            yield from ((one.operator.alone(), one.start) for one in wholes)
            return
        handful = np.cumsum([_longest(one) for one in self.operators]) // HANDFUL
        for number in np.unique(handful):
            first, last = np.searchsorted(handful, [number, number + 1])
            yield Operator.united(self.operators[first:last])

    def __getstate__(self) -> dict[str, Any]:
        kept = {name: value for name, value in self.__dict__.items() if name != "together"}
        return {**kept, "_made": {}}


def _made_at_once(whole: Operator, start: Starts, name: str, *args: Hashable, like: Tensor) -> Any:
    """Of several small graphs, in little more time than of one."""
    made = whole.made(getattr(whole, name), *args, like=like)
    whole.mark(made, start)
    return made


def _longest(operator: Operator) -> int:
    """How many numbers its longest tensor has."""
    return max(tensor.numel() for tensor in operator.tensors.values())


class Taken:
    """Which of the collated operators a batch is made of, and what was taken out of them already."""

    def __init__(self, collated: CollatedOperators, numbers: np.ndarray) -> None:
        self.collated, self.numbers = collated, numbers
        self._known: TakenRows = {}

    def made(self, name: str, *args: Hashable, like: Tensor) -> Any:
        return self._of(self.collated.made(name, *args, like=like))

    def _of(self, whole: Any) -> Any:
        if whole is None:
            return None
        if isinstance(whole, Matrix):
            return whole.blocks(self.numbers, self._known)
        return rebuilt(whole, [self._of(part) for part in whole])

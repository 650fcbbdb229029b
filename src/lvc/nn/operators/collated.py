"""Operators of many graphs, each of which goes into many batches."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from torch import Tensor

from lvc.errors import LvcError
from lvc.nn.operators.base import Operator
from lvc.nn.operators.joining import joined, rebuilt
from lvc.nn.operators.whole import Whole, in_handfuls
from lvc.nn.sparse import Matrix, TakenRows


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
        nothing = None if parts else {name: tensor[:0] for name, tensor in first.looked_up().items()}
        batch = type(first)(first.search, first.radius, sizes, nothing, parts)
        batch._taken = Taken(self, numbers)
        return batch

    def made(self, name: str, *args: Hashable, like: Tensor) -> Any:
        key = (name, *args, like.dtype, like.device)
        if key not in self._made:
            ready = [_made_at_once(whole, name, *args, like=like) for whole in in_handfuls(self.operators)]
            self._made[key] = joined(ready, known={})
        return self._made[key]

    def __getstate__(self) -> dict[str, Any]:
        kept = {name: value for name, value in self.__dict__.items() if name != "together"}
        return {**kept, "_made": {}}


def _made_at_once(whole: Whole, name: str, *args: Hashable, like: Tensor) -> Any:
    """Of several small graphs, in little more time than of one."""
    operator = whole.operator.alone()  # what is made is joined, and then not kept
    made = operator.made(getattr(operator, name), *args, like=like)
    operator.mark(made, whole.start)
    return made


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

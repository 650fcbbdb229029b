"""Operators of many graphs, each of which goes into many batches."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import torch
from torch import Tensor

from lvc.errors import LvcError
from lvc.nn.operators.base import Operator
from lvc.nn.operators.joining import Stacked, joined, rebuilt
from lvc.nn.sparse import JoinedRows, Matrix, TakenRows


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
        self._joined: JoinedRows = {}

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
            ready = [one.made(getattr(one, name), *args, like=like) for one in self.operators]
            self._made[key] = joined(ready, self._joined, Stacked.of)
        return self._made[key]

    def __getstate__(self) -> dict[str, Any]:
        kept = {name: value for name, value in self.__dict__.items() if name != "together"}
        return {**kept, "_made": {}, "_joined": {}}


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
        if isinstance(whole, Stacked):
            return whole.values[torch.from_numpy(whole.places(self.numbers))]
        return rebuilt(whole, [self._of(part) for part in whole])

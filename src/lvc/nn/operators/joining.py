"""What was made of several graphs, as if it had been made of their disjoint union."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from lvc.nn.sparse import JoinedRows, Matrix
from lvc.search.balls import offsets


def joined(ready: Sequence[Any], known: JoinedRows, stack: Callable[[list[Tensor]], Any] = torch.cat) -> Any:
    """What was made of several graphs, as if it had been made of their disjoint union.

    ``known`` are rows that were joined before: matrices that share theirs still do afterwards.
    """
    first = ready[0]
    if first is None:
        return None
    if isinstance(first, Matrix):
        return Matrix.block_diagonal(ready, known)
    if isinstance(first, Tensor):
        return stack(list(ready))
    return rebuilt(first, [joined(column, known, stack) for column in zip(*ready, strict=True)])


def rebuilt(like: Any, columns: list[Any]) -> Any:
    """A tuple, or named tuple, of the same kind."""
    return type(like)(*columns) if hasattr(like, "_fields") else tuple(columns)


class Stacked(NamedTuple):
    """Tensors of many graphs below each other."""

    values: Tensor
    start: np.ndarray  # int64[graphs + 1]

    @classmethod
    def of(cls, tensors: list[Tensor]) -> Stacked:
        return cls(torch.cat(tensors), offsets(np.array([len(one) for one in tensors])))

    def places(self, numbers: np.ndarray) -> np.ndarray:
        return in_ranges(self.start[numbers], self.start[numbers + 1])


def in_ranges(first: np.ndarray, last: np.ndarray) -> np.ndarray:
    """All numbers from first to last, without last, of one range after the other.

    >>> in_ranges(np.array([4, 0]), np.array([6, 3])).tolist()
    [4, 5, 0, 1, 2]
    """
    lengths = last - first
    return np.arange(lengths.sum()) + np.repeat(first - offsets(lengths)[:-1], lengths)

"""What was made of several graphs, as if it had been made of their disjoint union."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from lvc.nn.sparse import JoinedRows, Matrix
from lvc.search.balls import offsets


def joined(ready: Sequence[Any], known: JoinedRows) -> Any:
    """What was made of several graphs, as if it had been made of their disjoint union.

    ``known`` are rows that were joined before: matrices that share theirs still do afterwards.
    """
    first = ready[0]
    if first is None:
        return None
    if isinstance(first, Matrix):
        return Matrix.block_diagonal(ready, known)
    return rebuilt(first, [joined(column, known) for column in zip(*ready, strict=True)])


def rebuilt(like: Any, columns: list[Any]) -> Any:
    """A tuple, or named tuple, of the same kind."""
    return type(like)(*columns) if hasattr(like, "_fields") else tuple(columns)


def in_ranges(first: np.ndarray, last: np.ndarray) -> np.ndarray:
    """All numbers from first to last, without last, of one range after the other.

    >>> in_ranges(np.array([4, 0]), np.array([6, 3])).tolist()
    [4, 5, 0, 1, 2]
    """
    lengths = last - first
    return np.arange(lengths.sum()) + np.repeat(first - offsets(lengths)[:-1], lengths)

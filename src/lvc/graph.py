"""Undirected simple graphs in compressed sparse rows, checked where they enter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lvc.errors import LvcError


@dataclass(frozen=True, eq=False, repr=False)
class Graph:
    """An undirected simple graph on the vertices ``0..n-1``; immutable.

    ``indices[indptr[v]:indptr[v + 1]]`` are the neighbours of ``v``, sorted; every edge stands in both directions.
    """

    indptr: np.ndarray  # int64[n + 1]
    indices: np.ndarray  # int32[2 m]
    labels: np.ndarray | None = None  # int64[n], the initial colours
    names: tuple[Any, ...] | None = None  # what the vertices are called outside

    @property
    def n(self) -> int:
        return len(self.indptr) - 1

    @property
    def m(self) -> int:
        return len(self.indices) // 2

    @classmethod
    def from_edges(cls, n: int, edges: Any, labels: Sequence[int] | None = None) -> Graph:
        pairs = np.asarray(edges, dtype=np.int64).reshape(-1, 2)
        if len(pairs) and (pairs.min() < 0 or pairs.max() >= n):
            raise LvcError("edge out of range")
        source = np.concatenate([pairs[:, 0], pairs[:, 1]])
        target = np.concatenate([pairs[:, 1], pairs[:, 0]])
        order = np.lexsort((target, source))
        indptr = np.zeros(n + 1, dtype=np.int64)
        np.cumsum(np.bincount(source, minlength=n), out=indptr[1:])
        return cls(indptr, target[order].astype(np.int32), None if labels is None else np.asarray(labels, np.int64))


def as_graph(graph: Any) -> Graph:
    """``graph`` as a :class:`Graph`, whatever it is now."""
    if isinstance(graph, Graph):
        return graph
    raise LvcError(f"cannot make a graph of {type(graph).__name__}")

"""``Collated``: many graphs laid side by side once; every mini-batch is cut out of that."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from functools import cached_property, partial
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.utils.data import DataLoader
from torch_geometric.data import Batch, Data

from lvc.errors import LvcError
from lvc.nn.features import SparseFeatures, remember, rows_if_mostly_zeros
from lvc.nn.operators import CollatedOperators, Operator, in_ranges
from lvc.nn.rows import Rows
from lvc.search.balls import offsets


class Collated:
    """Graphs that go into mini-batches again and again.

    torch_geometric's ``DataLoader`` joins the graphs of every batch anew, one attribute of one graph after another.
    This joins all graphs once and takes batches out of the whole, with the same entries in the same order. A batch
    can no longer be taken apart into its graphs. Its ``x``, if it is large and mostly zeros, is multiplied as sparse
    rows of the graphs: change it with torch's own functions (``x *= 2``, not ``x.data`` or ``x.numpy()``), which are
    noticed.

    >>> graphs = [Data(x=torch.ones(n, 1), edge_index=torch.tensor([[0, 1], [1, 0]])) for n in (2, 3, 4)]
    >>> Collated(graphs).batch([2, 0])
    DataBatch(x=[6, 1], edge_index=[2, 4], num_nodes=6, batch=[6], ptr=[3])
    >>> [batch.num_graphs for batch in Collated(graphs).loader(batch_size=2)]
    [2, 1]
    """

    def __init__(self, graphs: Iterable[Data]) -> None:
        graphs = list(graphs)  # a data set may make its graphs anew every time
        _check(graphs)
        held = [key for key, value in graphs[0].to_dict().items() if isinstance(value, Operator)]
        whole = Batch.from_data_list(graphs, exclude_keys=held)
        self._kind = type(graphs[0])
        self._ptr = whole.ptr.numpy()
        keys = set(whole.keys()) - {"batch", "ptr", "num_nodes"}
        self._columns = [_Column(whole, graphs, key) for key in sorted(keys)]
        self._features = next((column for column in self._columns if column.key == "x" and column.is_matrix), None)
        self._searches = {key: CollatedOperators([graph[key] for graph in graphs]) for key in held}

    def __len__(self) -> int:
        return len(self._ptr) - 1

    def batch(self, numbers: Sequence[int] | np.ndarray) -> Batch:
        """The graphs with these numbers as one, like ``Batch.from_data_list``."""
        chosen = self._checked(numbers)
        sizes = self._ptr[chosen + 1] - self._ptr[chosen]
        ptr = np.concatenate([[0], np.cumsum(sizes)])
        parts: dict[str, Any] = {column.key: column.of(chosen, ptr[:-1]) for column in self._columns}
        if self._features is not None:
            remember(parts["x"], partial(self._features.sparse, chosen))
        parts |= {key: operators.batch(chosen) for key, operators in self._searches.items()}
        owner = torch.from_numpy(np.repeat(np.arange(len(chosen)), sizes))
        return Batch(_base_cls=self._kind, **parts, num_nodes=int(ptr[-1]), batch=owner, ptr=torch.from_numpy(ptr))

    def loader(
        self, numbers: Sequence[int] | np.ndarray | None = None, batch_size: int = 32, **options: Any
    ) -> DataLoader:
        """torch's ``DataLoader`` over the graphs with these numbers, or all; ``options`` are its own."""
        chosen = range(len(self)) if numbers is None else self._checked(numbers).tolist()
        if "batch_sampler" not in options:
            options["batch_size"] = batch_size
        return DataLoader(chosen, collate_fn=self.batch, **options)  # type: ignore[arg-type]

    def _checked(self, numbers: Sequence[int] | np.ndarray) -> np.ndarray:
        try:
            given = np.asarray(numbers)
        except ValueError:  # lists of unlike lengths
            given = np.empty((0, 0))
        if given.ndim != 1 or (given.size > 0 and given.dtype.kind not in "iu"):
            raise LvcError(f"graphs are chosen by a list of their numbers, got {numbers!r}")
        wrong = given[(given < 0) | (given >= len(self))]
        if len(wrong) > 0:
            raise LvcError(f"the graphs have the numbers 0 to {len(self) - 1}, got {wrong[0]}")
        return given.astype(np.int64)


def _check(graphs: Sequence[Data]) -> None:
    """Raise unless the graphs can lie side by side."""
    if len(graphs) == 0:
        raise LvcError("there are no graphs to collate")
    for number, graph in enumerate(graphs):
        if not isinstance(graph, Data):
            raise LvcError(f"graph {number} is a {type(graph).__name__}, not a torch_geometric Data")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that it has to be guessed; collating says so again
            vertices = graph.num_nodes
        if vertices is None:
            raise LvcError(f"graph {number} does not say how many vertices it has; set its num_nodes")
        differ = set(graph.keys()) ^ set(graphs[0].keys())
        if differ:
            raise LvcError(f"graph 0 and graph {number} must have the same attributes; one lacks {min(differ)}")


class _Column:
    """One attribute of all graphs."""

    def __init__(self, whole: Batch, graphs: Sequence[Data], key: str) -> None:
        self.key, self.values, start = key, whole[key], whole._slice_dict[key]
        dense = isinstance(self.values, Tensor) and self.values.layout == torch.strided
        if not isinstance(start, Tensor) or not (dense or isinstance(self.values, list)):
            raise LvcError(f"cannot collate {key}, a {type(graphs[0][key]).__name__}; use torch_geometric's DataLoader")
        self.dim, self.start = whole.__cat_dim__(key, self.values) or 0, start.numpy()
        steps = np.array([int(torch.as_tensor(one.__inc__(key, one[key])).max()) for one in graphs])
        self.shift = offsets(steps)[:-1] if steps.any() else None
        if self.shift is not None and (steps != np.diff(whole.ptr.numpy())).any():
            raise LvcError(f"cannot collate {key}, which does not count vertices; use torch_geometric's DataLoader")

    @property
    def is_matrix(self) -> bool:
        return isinstance(self.values, Tensor) and self.values.dim() == 2 and self.dim == 0

    @cached_property
    def _rows(self) -> Rows | None:
        return rows_if_mostly_zeros(self.values)

    def sparse(self, numbers: np.ndarray) -> SparseFeatures | None:
        """The part of some graphs as sparse features, if the whole is mostly zeros."""
        begin, end = self.start[numbers], self.start[numbers + 1]
        return None if self._rows is None else SparseFeatures.of_vertices(self._rows, begin, end)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_rows"}

    def of(self, numbers: np.ndarray, first: np.ndarray) -> Tensor | list[Any]:
        """The part of some graphs, whose first vertices have these numbers now."""
        if isinstance(self.values, list):
            return [self.values[number] for number in numbers.tolist()]
        begin, end = self.start[numbers], self.start[numbers + 1]
        taken = self.values.index_select(self.dim, torch.from_numpy(in_ranges(begin, end)))
        if self.shift is None:
            return taken
        shift = torch.from_numpy(np.repeat(first - self.shift[numbers], end - begin)).to(taken.dtype)
        return taken + shift.view([-1 if dim == self.dim % taken.dim() else 1 for dim in range(taken.dim())])

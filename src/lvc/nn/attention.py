"""GAT on a processor: torch_geometric's layer, its sums over neighbours taken row by row.

torch_geometric makes a vector for every edge, writes it down and adds the vectors up; here a vertex reads the vectors
of its neighbours where they are. Weights, start and result are torch_geometric's, and so is the ReLU between layers,
where the paper (Veličković et al. 2018) has ELU.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import torch
from numba import njit
from torch import Tensor
from torch_geometric.nn import GAT, GATConv
from torch_geometric.utils import add_self_loops, remove_self_loops

from lvc.errors import LvcError
from lvc.graph import Graph
from lvc.nn.dropout import Dropout, dropout


class Neighbourhoods(NamedTuple):
    """Every vertex with its neighbours and itself, by compressed rows."""

    start: np.ndarray  # int64[n + 1]
    column: np.ndarray  # int32[entries]

    @classmethod
    def of(cls, graph: Graph) -> Neighbourhoods:
        start = graph.indptr + np.arange(graph.n + 1)
        column = np.insert(graph.indices, graph.indptr[1:], np.arange(graph.n, dtype=graph.indices.dtype))
        return cls(start.astype(np.int64), column.astype(np.int32))


class RowGAT(GAT):
    """torch_geometric's ``GAT`` that takes :class:`Neighbourhoods` for its graph, or an edge list with loops.

    With neighbourhoods: float32 or float64 on a processor, differentiated once.
    """

    def __init__(self, *sizes: int, dropout: float = 0.0, **options: Any) -> None:
        super().__init__(*sizes, dropout=dropout, **options)
        self.dropout = Dropout(dropout)  # between layers; torch's own is slow

    def init_conv(self, in_channels: Any, out_channels: int, heads: int = 1, **kwargs: Any) -> GATConv:
        options = {"heads": heads, "dropout": self.dropout.p, "add_self_loops": False, **kwargs}
        if getattr(self, "_is_conv_to_out", False):  # the heads of the last layer are averaged, those of others joined
            return RowGATConv(in_channels, out_channels, concat=False, **options)
        if out_channels % heads:
            raise LvcError(f"hidden_channels of GAT must be a multiple of its {heads} heads, got {out_channels}")
        return RowGATConv(in_channels, out_channels // heads, concat=True, **options)


class RowGATConv(GATConv):
    """torch_geometric's ``GATConv``; the two places where it goes from vertices to edges and back are ours."""

    def edge_updater(self, edge_index: Any, **sizes: Any) -> Tensor:
        if isinstance(edge_index, Tensor):
            return super().edge_updater(edge_index, **sizes)
        source, target = sizes["alpha"]
        if len(target) != len(edge_index.start) - 1:  # the kernels would read and write past the ends
            raise LvcError(
                f"x has {len(target)} rows and the graph {len(edge_index.start) - 1} vertices; give x a row for each"
            )
        weight = _Softmax.apply(edge_index, target, source, self.negative_slope)
        return dropout(weight, self.dropout) if self.training else weight

    def propagate(self, edge_index: Any, size: Any = None, **sizes: Any) -> Tensor:
        if isinstance(edge_index, Tensor):
            return super().propagate(edge_index, size=size, **sizes)
        return _WeightedSum.apply(edge_index, sizes["alpha"], sizes["x"][0])


def with_loops(data: Any) -> Tensor:
    """The edge list that :class:`RowGAT` takes on an accelerator."""
    return add_self_loops(remove_self_loops(data.edge_index)[0], num_nodes=data.num_nodes)[0]


class _Softmax(torch.autograd.Function):
    """``α_uv = exp s_uv / Σ_w exp s_uw`` with ``s_uv = LeakyReLU(target_u + source_v)``, for every head."""

    @staticmethod
    def forward(ctx, rows, target, source, slope):
        weight = target.new_empty(len(rows.column), target.shape[1])
        _scores(rows, _array(target), _array(source), slope, weight.numpy())
        weight.exp_()  # torch takes several entries at a time
        _normalise(rows, weight.numpy())
        ctx.rows, ctx.slope = rows, slope
        ctx.save_for_backward(target, source, weight)
        return weight

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, gradient):
        target, source, weight = ctx.saved_tensors
        by_target, by_source = torch.zeros_like(target), torch.zeros_like(source)
        arrays = map(_array, (target, source, weight, gradient))
        _softmax_back(ctx.rows, *arrays, ctx.slope, (by_target.numpy(), by_source.numpy()))
        return None, by_target, by_source, None


class _WeightedSum(torch.autograd.Function):
    """``Σ_v α_uv h_v`` for every head."""

    @staticmethod
    def forward(ctx, rows, weight, h):
        ctx.rows = rows
        ctx.save_for_backward(weight, h)
        total = torch.zeros_like(h)
        _weighted_sum(rows, _array(weight), _array(h), total.numpy())
        return total

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, gradient):
        weight, h = ctx.saved_tensors
        by_weight, by_h = torch.empty_like(weight), torch.zeros_like(h)
        _weighted_sum_back(ctx.rows, *map(_array, (weight, h, gradient)), by_weight.numpy(), by_h.numpy())
        return None, by_weight, by_h


def _array(tensor: Tensor) -> np.ndarray:
    return tensor.detach().contiguous().numpy()


@njit(cache=True)
def _scores(rows, target, source, slope, weight):
    """``s_uv`` less the largest of its row, so that ``exp`` stays finite."""
    start, column = rows
    heads, slope = target.shape[1], weight.dtype.type(slope)
    largest = np.empty(heads, weight.dtype)
    for u in range(len(start) - 1):
        first, end, here = start[u], start[u + 1], target[u]
        largest[:] = -np.inf
        for i in range(first, end):
            there, to = source[column[i]], weight[i]
            for head in range(heads):
                score = here[head] + there[head]
                score = score if score > 0 else score * slope
                to[head] = score
                largest[head] = max(largest[head], score)
        for i in range(first, end):
            to = weight[i]
            for head in range(heads):
                to[head] -= largest[head]


@njit(cache=True)
def _normalise(rows, weight):
    start, _ = rows
    heads = weight.shape[1]
    total = np.empty(heads, weight.dtype)
    for u in range(len(start) - 1):
        first, end = start[u], start[u + 1]
        total[:] = 0
        for i in range(first, end):
            here = weight[i]
            for head in range(heads):
                total[head] += here[head]
        for i in range(first, end):
            here = weight[i]
            for head in range(heads):
                here[head] /= total[head]


@njit(cache=True)
def _softmax_back(rows, target, source, weight, gradient, slope, by):
    (start, column), (by_target, by_source) = rows, by
    heads, slope = target.shape[1], weight.dtype.type(slope)
    mean = np.empty(heads, weight.dtype)
    for u in range(len(start) - 1):
        first, end, here, to_target = start[u], start[u + 1], target[u], by_target[u]
        mean[:] = 0
        for i in range(first, end):
            share, change = weight[i], gradient[i]
            for head in range(heads):
                mean[head] += share[head] * change[head]
        for i in range(first, end):
            share, change, there, to_source = weight[i], gradient[i], source[column[i]], by_source[column[i]]
            for head in range(heads):
                back = share[head] * (change[head] - mean[head])
                back = back if here[head] + there[head] > 0 else back * slope
                to_target[head] += back
                to_source[head] += back


@njit(cache=True)
def _weighted_sum(rows, weight, h, total):
    start, column = rows
    _, heads, width = h.shape
    for u in range(len(start) - 1):
        for i in range(start[u], start[u + 1]):
            v = column[i]
            for head in range(heads):
                factor, there, here = weight[i, head], h[v, head], total[u, head]
                for c in range(width):
                    here[c] += factor * there[c]


@njit(cache=True, fastmath={"reassoc", "contract"})  # so that the inner product is taken several entries at a time
def _weighted_sum_back(rows, weight, h, gradient, by_weight, by_h):
    start, column = rows
    _, heads, width = h.shape
    for u in range(len(start) - 1):
        for i in range(start[u], start[u + 1]):
            v = column[i]
            for head in range(heads):
                factor, there, here, to = weight[i, head], h[v, head], gradient[u, head], by_h[v, head]
                for c in range(width):
                    to[c] += factor * here[c]
                product = weight.dtype.type(0)
                for c in range(width):
                    product += here[c] * there[c]
                by_weight[i, head] = product

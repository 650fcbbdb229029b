"""What the networks that classify graphs have in common: one row for each graph, and a head that maps it."""

from __future__ import annotations

from typing import Any, NamedTuple

from torch import Tensor, long, nn
from torch_geometric.nn import MLP

from lvc.errors import LvcError

NORM = {"allow_single_element": True}  # a graph of one vertex may come alone


class Graphs(NamedTuple):
    """The graphs of one batch."""

    x: Tensor  # [n, F]
    edges: tuple[Tensor, Tensor | None]  # edge_index and edge_attr
    batch: Tensor  # int64[n], the graph of each vertex
    number: int


class GraphModel(nn.Module):
    """A model that makes one row of each graph (``rows``), and the result of each row (``head``)."""

    def __init__(self, in_channels: int, head: nn.Module) -> None:
        super().__init__()
        self.in_channels, self.head = in_channels, head

    def forward(self, data: Any) -> Tensor:
        x, dtype = data.x, next(self.parameters()).dtype
        if x is None or x.dim() != 2 or x.shape[1] != self.in_channels or x.dtype != dtype:
            got = "none" if x is None else f"{list(x.shape)} of {x.dtype}"
            raise LvcError(f"x must have shape [vertices, {self.in_channels}] of {dtype}, got {got}")
        batch = data.batch if "batch" in data else x.new_zeros(len(x), dtype=long)
        edges = data.edge_index, data.edge_attr if "edge_attr" in data else None
        return self.head(self.rows(Graphs(x, edges, batch, getattr(data, "num_graphs", 1))))

    def rows(self, graphs: Graphs) -> Tensor:
        raise NotImplementedError


def plain_mlp(channels: list[int], dropout: float = 0.0) -> MLP:
    """Linear maps with ReLU and dropout between them, and no norm."""
    return MLP(channels, dropout=float(dropout), norm=None)

"""The networks that graph classifiers are compared with, each called on a ``Batch`` and giving one row per graph.

They follow the descriptions in Errica et al. (2020), "A Fair Comparison of Graph Neural Networks for Graph
Classification", and are made of torch_geometric's layers. ECC is without its coarsening of the graph, and has one
convolution to a layer where they have three.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from math import ceil

import torch
from torch import Tensor, nn
from torch_geometric.nn import MLP, BatchNorm, GINConv, NNConv, SAGEConv, SimpleConv, SortAggregation
from torch_geometric.nn.resolver import aggregation_resolver

from lvc.errors import LvcError
from lvc.memory import check_fits
from lvc.nn.diffpool import DiffPool
from lvc.nn.graph_model import NORM, GraphModel, Graphs, plain_mlp

GRAPH_BASELINES = ("agnostic-chemical", "agnostic-social", "gin", "graphsage", "dgcnn", "diffpool", "ecc")
AGGREGATIONS = ("sum", "mean", "max")
SMALLEST_K = 10  # below it DGCNN's second convolution has nothing to slide over


class Layer(nn.Module):
    """A map of the vertices that is given the first ``sees`` of ``edge_index, edge_attr``, and what comes after it."""

    def __init__(self, conv: nn.Module, sees: int, *after: nn.Module) -> None:
        super().__init__()
        self.conv, self.sees, self.after = conv, sees, nn.Sequential(*after)

    def forward(self, h: Tensor, graphs: Graphs) -> Tensor:
        return self.after(self.conv(h, *graphs.edges[: self.sees]))


class Layered(GraphModel):
    """Layers on the vertices and a readout: agnostic, GIN, GraphSAGE, ECC.

    The readout sees all that the layers gave from ``first`` on, side by side: 0 is the input, -1 the last layer.
    """

    def __init__(self, in_channels: int, layers: list[Layer], first: int, readout: str, head: nn.Module) -> None:
        super().__init__(in_channels, head)
        self.layers, self.first, self.readout = nn.ModuleList(layers), first, aggregation_resolver(readout)

    def rows(self, graphs: Graphs) -> Tensor:
        seen = [graphs.x]
        for layer in self.layers:
            seen.append(layer(seen[-1], graphs))
        return self.readout(torch.cat(seen[self.first :], dim=1), graphs.batch, dim_size=graphs.number)


class SumOfLinear(nn.Module):
    """GIN's ``Σ_l dropout(W_l r_l + b_l)`` over the readouts ``r_l`` of the input and all layers (Xu et al. 2019)."""

    def __init__(self, channels: list[int], out_channels: int, dropout: float) -> None:
        super().__init__()
        self.channels, self.dropout = channels, nn.Dropout(dropout)
        self.maps = nn.ModuleList([nn.Linear(size, out_channels) for size in channels])

    def forward(self, rows: Tensor) -> Tensor:
        parts = zip(self.maps, rows.split(self.channels, dim=1), strict=True)
        return torch.stack([self.dropout(linear(part)) for linear, part in parts]).sum(dim=0)


class EdgeConv(NNConv):
    """``W h_u + mean_v F(e_uv) h_v``, a matrix for each edge from its features (Simonovsky and Komodakis 2017).

    Edges without features have the feature 1, so the same matrix, which is made once: then it is GraphSAGE with batch
    norm.
    """

    def __init__(self, in_channels: int, out_channels: int, edge_channels: int) -> None:
        network = plain_mlp([edge_channels, out_channels, in_channels * out_channels])
        super().__init__(in_channels, out_channels, network, aggr="mean")
        self.edge_channels = edge_channels

    def forward(self, x: Tensor, edge_index: Tensor, edge_attr: Tensor | None) -> Tensor:
        alike = edge_attr is None
        edge_attr = x.new_ones(1, 1) if edge_attr is None else edge_attr.to(x.dtype)
        edge_attr = edge_attr[:, None] if edge_attr.dim() == 1 else edge_attr
        edges, got = edge_attr.shape
        if got != self.edge_channels:
            raise LvcError(f"edge_attr must have {self.edge_channels} columns (1 if there is none), got {got}")
        needed = 3 * x.element_size() * edges * self.in_channels * self.out_channels
        check_fits(needed, f"ecc on {edges} edges", "use a smaller batch or fewer hidden channels")
        if not alike:
            return super().forward(x, edge_index, edge_attr)
        mapped = x @ self.nn(edge_attr).view(self.in_channels, self.out_channels)  # before there is a row for each edge
        return self.propagate(edge_index, x=(mapped, mapped), edge_attr=None, size=None) + self.lin(x) + self.bias

    def message(self, x_j: Tensor, edge_attr: Tensor | None) -> Tensor:
        return x_j if edge_attr is None else super().message(x_j, edge_attr)


class DGCNN(GraphModel):
    """Layers ``tanh(D^-1 (A + I) H W)``, then convolutions along the vertices in order (Zhang et al. 2018).

    The order is that of the last channel; the first ``k`` vertices are kept, or zeros added up to ``k``.
    """

    def __init__(self, channels: list[int], out_channels: int, dropout: float, k: int | None) -> None:
        if k is None or k < SMALLEST_K:
            raise LvcError(f"dgcnn needs k, the vertices it keeps of each graph, of at least {SMALLEST_K}, got {k}")
        super().__init__(channels[0], plain_mlp([32 * (k // 2 - 4), 128, out_channels], dropout))
        self.mean = SimpleConv("mean", combine_root="self_loop")
        self.maps = nn.ModuleList([nn.Linear(a, b) for a, b in pairwise([*channels, 1])])
        self.sort, wide = SortAggregation(k), sum(channels[1:]) + 1
        self.row = nn.Linear(wide, 16)  # a convolution of one vertex after the other, for which torch takes much longer
        self.along = nn.Sequential(nn.ReLU(), nn.MaxPool1d(2), nn.Conv1d(16, 32, 5), nn.ReLU(), nn.Flatten())

    def rows(self, graphs: Graphs) -> Tensor:
        h, seen = graphs.x, []
        for linear in self.maps:
            h = self.mean(linear(h), graphs.edges[0]).tanh()
            seen.append(h)
        kept = self.sort(torch.cat(seen, dim=1), graphs.batch, dim_size=graphs.number)
        return self.along(self.row(kept.view(graphs.number, -1, self.row.in_features)).transpose(1, 2))


def sort_pool_size(sizes: Iterable[int], share: float = 0.6) -> int:
    """DGCNN's ``k``: as many vertices as ``share`` of the graphs have at most, but at least 10.

    So it is in Errica et al.'s table; DGCNN's paper speaks of the graphs that have more.

    >>> sort_pool_size([50, 40, 30, 20, 10, 60])
    40
    """
    rising = sorted(sizes)
    if not rising or not 0 < share <= 1:
        raise LvcError(f"share must be above 0 and at most 1, of 1 graph or more, got {share} of {len(rising)}")
    return max(SMALLEST_K, int(rising[ceil(share * len(rising) - 1e-9) - 1]))


def graph_baseline(
    name: str,
    in_channels: int,
    hidden_channels: int,
    num_layers: int,
    out_channels: int,
    dropout: float = 0.0,
    readout: str | None = None,
    *,
    aggregation: str = "mean",
    k: int | None = None,
    largest: int | None = None,
    edge_channels: int = 1,
) -> nn.Module:
    """A baseline by name.

    Args:
        num_layers: layers on vertices; poolings in diffpool; agnostic-chemical has none.
        dropout: of the last hidden layer; in gin, of what each layer adds to the result.
        readout: sum, mean or max; None for max in graphsage, else sum. Dgcnn sorts and diffpool takes max instead.
        aggregation: sum, mean or max of the neighbours in graphsage.
        k: vertices that dgcnn keeps of each graph; see :func:`sort_pool_size`.
        largest: vertices of the largest graph; diffpool's clusters are 10 % of them, or 25 %, 6 %, ... in more layers.
        edge_channels: columns of ``edge_attr``, which ecc alone looks at; 1 if there is none.

    >>> from torch_geometric.data import Data
    >>> path = Data(x=torch.ones(3, 4), edge_index=torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]]))
    >>> graph_baseline("gin", 4, 8, 2, 5)(path).shape
    torch.Size([1, 5])
    """
    if name not in GRAPH_BASELINES:
        raise LvcError(f"unknown graph baseline {name!r}; use one of {', '.join(GRAPH_BASELINES)}")
    if num_layers < 1:
        raise LvcError(f"num_layers must be at least 1, got {num_layers}")
    if not 0 <= dropout < 1:
        raise LvcError(f"dropout must be at least 0 and less than 1, got {dropout}")
    readout = ("max" if name == "graphsage" else "sum") if readout is None else readout
    for what, value in (("readout", readout), ("aggregation", aggregation)):
        if value not in AGGREGATIONS:
            raise LvcError(f"{what} must be one of {', '.join(AGGREGATIONS)}, got {value!r}")
    channels = [in_channels] + [hidden_channels] * num_layers
    if name == "dgcnn":
        return DGCNN(channels, out_channels, dropout, k)
    if name == "diffpool":
        return DiffPool(channels, out_channels, dropout, largest)
    if name == "agnostic-chemical":
        channels = [in_channels]
    makers = {
        "agnostic-social": lambda a, b: Layer(nn.Linear(a, b), 0, nn.ReLU()),
        "gin": lambda a, b: Layer(GINConv(MLP([a, b, b], norm_kwargs=NORM, plain_last=False), train_eps=True), 1),
        "graphsage": lambda a, b: Layer(SAGEConv(a, b, aggregation, project=aggregation == "max"), 1, nn.ReLU()),
        "ecc": lambda a, b: Layer(EdgeConv(a, b, edge_channels), 2, BatchNorm(b, **NORM), nn.ReLU()),
    }
    layers = [makers[name](a, b) for a, b in pairwise(channels)]
    first = {"gin": 0, "graphsage": 1}.get(name, -1)
    head: nn.Module
    if name == "gin":
        head = SumOfLinear(channels, out_channels, dropout)
    else:
        head = plain_mlp([sum(channels[first:]), hidden_channels, out_channels], dropout)
    return Layered(in_channels, layers, first, readout, head)

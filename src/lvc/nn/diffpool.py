"""DiffPool: vertices shared out to clusters by learnt weights (Ying et al. 2018), with edges kept as edges at first.

torch_geometric fills every graph of a batch up to the largest and makes its adjacency dense; of PROTEINS' vertices
15 in 16 are then filled up. Here the first pooling, the only one of graphs that have edges, goes vertex by vertex.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import ceil
from typing import Any

import torch
from torch import Tensor, nn
from torch_geometric.nn import BatchNorm, SAGEConv, SimpleConv
from torch_geometric.nn.dense import DenseSAGEConv, dense_diff_pool

from lvc.errors import LvcError
from lvc.memory import check_fits
from lvc.nn.graph_model import NORM, GraphModel, Graphs, plain_mlp

TINY = 1e-15  # under a logarithm, as in torch_geometric


class Block(nn.Module):
    """Three GraphSAGE layers, on edges or on dense adjacency matrices, and a linear map of all three.

    Errica et al. normalise after the activation, leave the third layer plain, and map the shares only.
    """

    def __init__(self, conv: type[nn.Module], in_channels: int, hidden_channels: int, out_channels: int) -> None:
        super().__init__()
        channels = [in_channels] + [hidden_channels] * 3
        self.convs = nn.ModuleList([conv(a, b) for a, b in pairwise(channels)])
        self.norms = nn.ModuleList([BatchNorm(size, **NORM) for size in channels[1:]])
        self.final = nn.Linear(3 * hidden_channels, out_channels)

    def forward(self, x: Tensor, neighbours: Tensor) -> Tensor:
        seen = []
        for conv, norm in zip(self.convs, self.norms, strict=True):
            h = conv(x, neighbours)
            x = norm(h.flatten(0, -2)).relu().view_as(h)
            seen.append(x)
        return self.final(torch.cat(seen, dim=-1))


class DiffPool(GraphModel):
    """Vertices shared out to clusters, and those to fewer clusters, by learnt weights (Ying et al. 2018).

    ``auxiliary_loss`` is the sum of the link and entropy losses of the last call; training adds it to its loss.
    """

    def __init__(self, channels: list[int], out_channels: int, dropout: float, largest: int | None) -> None:
        if largest is None or largest < 1:
            raise LvcError(f"diffpool needs largest, the vertices of the largest graph, of at least 1, got {largest}")
        *inputs, hidden = channels
        super().__init__(channels[0], plain_mlp([len(channels) * hidden, hidden, out_channels], dropout))
        convs = [SAGEConv, *[DenseSAGEConv] * len(inputs)]  # what is made of graphs is dense
        clusters, divisor = [largest], 10 if len(inputs) == 1 else 4
        for _ in inputs:
            clusters.append(ceil(clusters[-1] / divisor))
        self.embed = nn.ModuleList(
            [Block(conv, size, hidden, hidden) for conv, size in zip(convs, channels, strict=True)]
        )
        self.assign = nn.ModuleList(
            [Block(conv, a, hidden, b) for conv, a, b in zip(convs, inputs, clusters[1:], strict=False)]
        )
        self.hidden, self.clusters = hidden, clusters[1:]
        self.auxiliary_loss = torch.zeros(())

    def rows(self, graphs: Graphs) -> Tensor:
        x, (edge_index, _), batch, count = graphs
        sizes = batch.bincount(minlength=count).tolist()
        what = f"diffpool on {count} graphs of {len(x)} vertices in {self.clusters[0]} clusters each"
        needed = x.element_size() * self._numbers(len(x), edge_index.shape[1], count)
        check_fits(needed, what, "use a smaller batch or another model")
        embed, assign = self.embed[0](x, edge_index), self.assign[0](x, edge_index)
        x, adjacency, loss = pooled(embed, edge_index, assign.softmax(dim=1), sizes)
        rows, losses = [x.amax(dim=1)], [loss]
        for embed, assign in zip(self.embed[1:-1], self.assign[1:], strict=True):
            x, adjacency, *both = dense_diff_pool(embed(x, adjacency), adjacency, assign(x, adjacency))
            rows.append(x.amax(dim=1))
            losses += both
        self.auxiliary_loss = torch.stack(losses).sum()
        return torch.cat([*rows, self.embed[-1](x, adjacency).amax(dim=1)], dim=1)

    def _numbers(self, vertices: int, edges: int, count: int) -> int:
        """How many are kept for a batch and for what is made of it; more than was measured."""
        first = self.clusters[0]
        of_edges = edges * (2 * self.hidden + 4 * first) + vertices * (50 * self.hidden + 10 * first)
        made = zip(self.clusters, [*self.clusters[1:], 0], strict=True)
        return of_edges + count * sum(one * (8 * one + 50 * self.hidden + 4 * fewer) for one, fewer in made)

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"auxiliary_loss": self.auxiliary_loss.detach()}  # else it could not be copied


def pooled(h: Tensor, edge_index: Tensor, shares: Tensor, sizes: Sequence[int]) -> tuple[Tensor, Tensor, Tensor]:
    """Of every graph, ``S^T H`` and ``S^T A S``; and of all of them the sum of ``dense_diff_pool``'s two losses.

    Vertices go graph by graph, and edges, of which none occurs twice, both ways. With N the most vertices of a graph,
    ``|A - S S^T| / (B N^2)``, of which no entry is made, since ``|A - S S^T|^2 = |A|^2 - 2 tr(S^T A S) + |S^T S|^2``;
    and the mean entropy of a row of S, over B N rows.

    Args:
        h: [n, H], what is pooled.
        shares: S, [n, C], of every vertex in every cluster of its graph.
        sizes: how many vertices each of the B graphs has.

    Returns:
        [B, C, H], [B, C, C], and a number.
    """
    clusters, most = shares.shape[1], max(*sizes, 1)
    rows = len(sizes) * most
    around = SimpleConv("sum")(shares, edge_index)
    beside = torch.cat([h, around, shares], dim=1).split(list(sizes))
    each = torch.stack([mine.t() @ other for mine, other in zip(shares.split(list(sizes)), beside, strict=True)])
    x, adjacency, overlap = each.split([h.shape[1], clusters, clusters], dim=2)
    met = adjacency.diagonal(dim1=1, dim2=2).sum()
    apart = (edge_index.shape[1] - 2 * met + overlap.square().sum()).clamp(min=TINY).sqrt()
    entropy = -(shares * (shares + TINY).log()).sum()
    return x, adjacency, apart / (rows * most) + entropy / rows

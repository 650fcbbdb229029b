"""The networks that SGN is compared with, each called on a whole ``Data`` as SGN is.

torch_geometric's own where it has them; GPRGNN, BernNet and H2GCN, which it does not have, are written here.
"""

from __future__ import annotations

from itertools import pairwise
from math import comb
from typing import Any

import numpy as np
import scipy.sparse as sp
import torch
from torch import Tensor, nn
from torch_geometric.nn import APPNP, GAT, GCN, MLP, ChebConv

from lvc.errors import LvcError
from lvc.graph import Graph
from lvc.nn.sparse import Matrix


class OnData(nn.Module):
    """A model of ``(x, edge_index)``, or of ``x`` alone, called on a ``Data``."""

    def __init__(self, model: nn.Module, with_edges: bool = True) -> None:
        super().__init__()
        self.model, self.with_edges = model, with_edges

    def forward(self, data: Any) -> Tensor:
        return self.model(data.x, data.edge_index) if self.with_edges else self.model(data.x)


class ChebNet(nn.Module):
    """Chebyshev filters of order ``order`` (Defferrard et al. 2016), one to each layer."""

    def __init__(self, channels: list[int], dropout: float, order: int = 2) -> None:
        super().__init__()
        self.convs = nn.ModuleList([ChebConv(a, b, order) for a, b in pairwise(channels)])
        self.dropout = nn.Dropout(dropout)

    def forward(self, data: Any) -> Tensor:
        h = data.x
        for i, conv in enumerate(self.convs):
            h = conv(self.dropout(h), data.edge_index)
            h = h.relu() if i + 1 < len(self.convs) else h
        return h


class _Adjacency:
    """Matrices of a graph, made when first asked for and kept while the same ``edge_index`` is used."""

    def __init__(self) -> None:
        self._of: Any = None
        self._made: dict[str, Matrix] = {}

    def get(self, data: Any, kind: str) -> Matrix:
        if self._of is not data.edge_index:
            self._of, self._made = data.edge_index, {}
        if kind not in self._made:
            self._made[kind] = Matrix.of(_matrix(Graph.from_pyg(data), kind), data.x)
        return self._made[kind]


def _matrix(graph: Graph, kind: str) -> sp.csr_matrix:
    """``loops``: D^-½ (A + I) D^-½; ``plain``: D^-½ A D^-½; ``two``: the same of the pairs at distance 2."""
    ones = np.ones(len(graph.indices))
    adjacency = sp.csr_matrix((ones, graph.indices, graph.indptr), shape=(graph.n, graph.n))
    if kind == "loops":
        adjacency = adjacency + sp.identity(graph.n, format="csr")
    if kind == "two":
        two = adjacency @ adjacency
        two.setdiag(0)
        two = two - two.multiply(adjacency)
        two.eliminate_zeros()
        adjacency = two.sign().tocsr()
    degree = np.asarray(adjacency.sum(axis=1)).ravel()
    root = sp.diags(np.divide(1, np.sqrt(degree), out=np.zeros(graph.n), where=degree > 0))
    return (root @ adjacency @ root).tocsr()


class Filtered(nn.Module):
    """An MLP on the features, then a polynomial of the graph: APPNP, GPRGNN, BernNet.

    - ``appnp``: personalised PageRank with fixed weights (Klicpera et al. 2019).
    - ``gpr``: ``Σ_k γ_k Â^k h`` with learnt γ, started as personalised PageRank (Chien et al. 2021).
    - ``bern``: ``Σ_k θ_k C(K,k) / 2^K (2I - L)^{K-k} L^k h`` with learnt θ ≥ 0, started at 1 (He et al. 2021).
    """

    KINDS = ("appnp", "gpr", "bern")

    def __init__(self, channels: list[int], dropout: float, kind: str, order: int = 10, alpha: float = 0.1) -> None:
        super().__init__()
        if kind not in self.KINDS:
            raise LvcError(f"unknown filter {kind!r}; use one of {', '.join(self.KINDS)}")
        self.kind, self.order, self.alpha = kind, order, alpha
        self.mlp = MLP(channels, dropout=dropout, norm=None)
        self.dropout = nn.Dropout(dropout)
        self.appnp = APPNP(order, alpha, cached=True) if kind == "appnp" else None
        start = torch.ones(order + 1)
        if kind == "gpr":
            start = alpha * (1 - alpha) ** torch.arange(order + 1.0)
            start[-1] = (1 - alpha) ** order
        self.weight = None if kind == "appnp" else nn.Parameter(start)
        self._adjacency = _Adjacency()

    def forward(self, data: Any) -> Tensor:
        h = self.dropout(self.mlp(self.dropout(data.x)))
        if self.appnp is not None:
            return self.appnp(h, data.edge_index)
        assert self.weight is not None
        if self.kind == "gpr":
            matrix = self._adjacency.get(data, "loops")
            total = self.weight[0] * h
            for k in range(1, self.order + 1):
                h = matrix @ h
                total = total + self.weight[k] * h
            return total
        matrix = self._adjacency.get(data, "plain")
        powers = [h]  # of 2I - L = I + Â
        for _ in range(self.order):
            powers.append(powers[-1] + matrix @ powers[-1])
        theta = self.weight.relu()
        total = theta[self.order] * powers[0]
        for k in range(self.order - 1, -1, -1):  # Horner's rule in L = I - Â
            total = theta[k] * comb(self.order, k) * powers[self.order - k] + total - matrix @ total
        return total / 2**self.order


class H2GCN(nn.Module):
    """Ego and neighbours apart, neighbours at distance 1 and 2 apart, all rounds joined (Zhu et al. 2020)."""

    def __init__(self, channels: list[int], dropout: float) -> None:
        super().__init__()
        self.rounds = max(len(channels) - 2, 1)
        self.embed = nn.Linear(channels[0], channels[1])
        self.final = nn.Linear(channels[1] * sum(2**k for k in range(self.rounds + 1)), channels[-1])
        self.dropout = nn.Dropout(dropout)
        self._adjacency = _Adjacency()

    def forward(self, data: Any) -> Tensor:
        h = self.embed(self.dropout(data.x)).relu()
        seen = [h]
        for _ in range(self.rounds):
            h = torch.cat([self._adjacency.get(data, kind) @ h for kind in ("plain", "two")], dim=1)
            seen.append(h)
        return self.final(self.dropout(torch.cat(seen, dim=1)))


def baseline(
    name: str, in_channels: int, hidden_channels: int, num_layers: int, out_channels: int, dropout: float
) -> nn.Module:
    """A baseline by name.

    >>> from torch_geometric.data import Data
    >>> baseline("mlp", 4, 8, 2, 3, 0.5)(Data(x=torch.ones(5, 4))).shape
    torch.Size([5, 3])
    """
    channels = [in_channels] + [hidden_channels] * (num_layers - 1) + [out_channels]
    deep = (in_channels, hidden_channels, num_layers, out_channels)
    makers = {
        "mlp": lambda: OnData(MLP(channels, dropout=dropout, norm=None), with_edges=False),
        "gcn": lambda: OnData(GCN(*deep, dropout=dropout, cached=True)),
        "gcn-jk": lambda: OnData(GCN(*deep, dropout=dropout, jk="cat", cached=True)),
        "gat": lambda: OnData(GAT(*deep, dropout=dropout, heads=8)),
        "chebnet": lambda: ChebNet(channels, dropout),
        "appnp": lambda: Filtered(channels, dropout, "appnp"),
        "gprgnn": lambda: Filtered(channels, dropout, "gpr"),
        "bernnet": lambda: Filtered(channels, dropout, "bern"),
        "h2gcn": lambda: H2GCN(channels, dropout),
    }
    if name not in makers:
        raise LvcError(f"unknown baseline {name!r}; use one of {', '.join(makers)}")
    return makers[name]()

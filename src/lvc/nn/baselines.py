"""The networks that SGN is compared with, each called on a whole ``Data`` as SGN is.

torch_geometric's own where it has them and they are not slow; the others are written here.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from math import comb
from typing import Any, TypeVar

import numpy as np
import scipy.sparse as sp
import torch
from torch import Tensor, nn
from torch.utils.weak import WeakIdKeyDictionary
from torch_geometric.nn import GCN, GCNConv

from lvc.errors import LvcError
from lvc.graph import Graph
from lvc.nn.attention import Neighbourhoods, RowGAT, with_loops
from lvc.nn.dropout import Dropout, refuse_share
from lvc.nn.features import SparseFeatures, SparseInput, dropout_of, features_of
from lvc.nn.sparse import Matrix

Made = TypeVar("Made")


_made: WeakIdKeyDictionary = WeakIdKeyDictionary()  # edge_index -> (its version, vertices, what was made of it)


def _of_graph(data: Any, kind: str, make: Callable[[Graph], Made], like: Tensor | None = None) -> Made:
    """What is made of a graph, when first asked for, and kept while its ``edge_index`` lives, unchanged."""
    if data.edge_index is None:
        raise LvcError("data has no edge_index; give it one, e.g. torch.empty(2, 0, dtype=torch.long)")
    version, vertices, made = _made.get(data.edge_index, (None, None, {}))
    if (version, vertices) != (data.edge_index._version, data.num_nodes):
        made = {}
        _made[data.edge_index] = (data.edge_index._version, data.num_nodes, made)
    key = kind if like is None else (kind, like.dtype, like.device)
    if key not in made:
        made[key] = make(Graph.from_pyg(data))
    return made[key]


def _matrix_of(data: Any, kind: str, like: Tensor) -> Matrix:
    return _of_graph(data, kind, lambda graph: Matrix.symmetric(_matrix(graph, kind), like), like)


def _matrix(graph: Graph, kind: str) -> sp.csr_matrix:
    """``loops``: D^-½ (A + I) D^-½; ``plain``: D^-½ A D^-½; ``two``: that of the pairs at distance 2."""
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


class OnData(nn.Module):
    """A model of ``(x, data)`` called on a ``Data``, with dropout of the features, which may be sparse."""

    def __init__(self, model: nn.Module, input_dropout: float) -> None:
        super().__init__()
        refuse_share("input_dropout", input_dropout)
        self.model, self.input_dropout = model, input_dropout

    def forward(self, data: Any) -> Tensor:
        x = features_of(data.x, next(self.parameters()).dtype)
        if x.shape[0] != data.num_nodes:
            raise LvcError(f"x has {x.shape[0]} rows and the graph {data.num_nodes} vertices; give x a row for each")
        if self.training and self.input_dropout > 0:
            x = dropout_of(x, self.input_dropout)
        return self.model(SparseInput(x) if isinstance(x, SparseFeatures) else x, data)


class Perceptron(nn.Sequential):
    """Linear maps with ReLU and dropout between them; the graph is not looked at."""

    def __init__(self, channels: list[int], dropout: float) -> None:
        layers: list[nn.Module] = []
        for before, after in pairwise(channels):
            layers += [nn.Linear(before, after), nn.ReLU(), Dropout(dropout)]
        super().__init__(*layers[:-2])

    def forward(self, x: Tensor, data: Any = None) -> Tensor:
        return super().forward(x)


class MatrixGCN(GCN):
    """torch_geometric's ``GCN`` that takes a :class:`Matrix` for its graph, whose transpose is at hand."""

    def __init__(self, *sizes: int, dropout: float, **options: Any) -> None:
        super().__init__(*sizes, **options)
        self.dropout = Dropout(dropout)

    def init_conv(self, in_channels: int, out_channels: int, **options: Any) -> GCNConv:
        return _MatrixGCNConv(in_channels, out_channels, normalize=False, **options)


class _MatrixGCNConv(GCNConv):
    def propagate(self, edge_index: Matrix, size: Any = None, **sizes: Any) -> Tensor:
        return edge_index @ sizes["x"]


class OnGraph(nn.Module):
    """A model of torch_geometric's, which takes the graph as a matrix (GCN) or by rows (GAT)."""

    def __init__(self, model: nn.Module, graph: str) -> None:
        super().__init__()
        self.model, self.graph = model, graph

    def forward(self, x: Tensor, data: Any) -> Tensor:
        if self.graph == "rows":
            on_processor = x.device.type == "cpu"
            rows = _of_graph(data, "rows", Neighbourhoods.of) if on_processor else with_loops(data)
            return self.model(x, rows)
        return self.model(x, _matrix_of(data, "loops", next(self.model.parameters())))


class Filtered(nn.Module):
    """An MLP on the features, then a polynomial of the graph: APPNP, GPRGNN, BernNet.

    - ``appnp``: ``Σ_k γ_k Â^k h`` with the γ of personalised PageRank (Klicpera et al. 2019).
    - ``gpr``: the same with learnt γ, started there (Chien et al. 2021).
    - ``bern``: ``Σ_k θ_k C(K,k) / 2^K (2I - L)^{K-k} L^k h`` with learnt θ ≥ 0, started at 1 (He et al. 2021).

    ``propagation_dropout`` is of what the polynomial is applied to; its papers have it in the learnt ones only.
    """

    KINDS = ("appnp", "gpr", "bern")

    def __init__(
        self,
        channels: list[int],
        dropout: float,
        kind: str,
        order: int = 10,
        alpha: float = 0.1,
        propagation_dropout: float = 0.0,
    ) -> None:
        super().__init__()
        if kind not in self.KINDS:
            raise LvcError(f"unknown filter {kind!r}; use one of {', '.join(self.KINDS)}")
        self.kind, self.order, self.alpha = kind, order, alpha
        self.mlp = Perceptron(channels, dropout)
        self.dropout = Dropout(propagation_dropout)
        start = torch.ones(order + 1)
        if kind != "bern":
            start = alpha * (1 - alpha) ** torch.arange(order + 1.0)
            start[-1] = (1 - alpha) ** order
        self.weight = nn.Parameter(start, requires_grad=kind != "appnp")
        self.undecayed = (self.weight,)  # as in the papers

    def forward(self, x: Tensor, data: Any) -> Tensor:
        h = self.dropout(self.mlp(x))
        if self.kind != "bern":
            matrix = _matrix_of(data, "loops", h)
            total = self.weight[0] * h
            for k in range(1, self.order + 1):
                h = matrix @ h
                total = total + self.weight[k] * h
            return total
        matrix = _matrix_of(data, "plain", h)
        powers = [h]  # of 2I - L = I + Â
        for _ in range(self.order):
            powers.append(powers[-1] + matrix @ powers[-1])
        theta = self.weight.relu()
        total = theta[self.order] * powers[0]
        for k in range(self.order - 1, -1, -1):  # Horner's rule in L = I - Â
            total = theta[k] * comb(self.order, k) * powers[self.order - k] + total - matrix @ total
        return total / 2**self.order


class ChebNet(nn.Module):
    """Chebyshev filters of order ``order`` (Defferrard et al. 2016), one to each layer: ``Σ_k T_k(-Â) h W_k + b``."""

    def __init__(self, channels: list[int], dropout: float, order: int = 2) -> None:
        super().__init__()
        self.order = order
        self.filters = nn.ModuleList([nn.Linear(a, (order + 1) * b, bias=False) for a, b in pairwise(channels)])
        self.biases = nn.ParameterList([torch.zeros(b) for b in channels[1:]])
        self.dropout = Dropout(dropout)

    def forward(self, x: Tensor, data: Any) -> Tensor:
        h = x
        for i, (weights, bias) in enumerate(zip(self.filters, self.biases, strict=True)):
            terms = weights(h if i == 0 else self.dropout(h).relu()).chunk(self.order + 1, dim=1)
            matrix = _matrix_of(data, "plain", terms[0])
            later, last = torch.zeros_like(terms[-1]), terms[-1]  # Clenshaw's rule: h is multiplied first, being wider
            for term in terms[-2:0:-1]:
                later, last = last, term - 2 * (matrix @ last) - later
            h = terms[0] - matrix @ last - later + bias
        return h


class H2GCN(nn.Module):
    """Ego and neighbours apart, neighbours at distance 1 and 2 apart, all rounds joined (Zhu et al. 2020)."""

    def __init__(
        self, in_channels: int, hidden_channels: int, num_layers: int, out_channels: int, dropout: float
    ) -> None:
        super().__init__()
        self.rounds = max(num_layers - 1, 1)
        self.embed = nn.Linear(in_channels, hidden_channels)
        self.final = nn.Linear(hidden_channels * sum(2**k for k in range(self.rounds + 1)), out_channels)
        self.dropout = Dropout(dropout)

    def forward(self, x: Tensor, data: Any) -> Tensor:
        h = self.embed(x).relu()
        seen = [h]
        for _ in range(self.rounds):
            h = torch.cat([_matrix_of(data, kind, h) @ h for kind in ("plain", "two")], dim=1)
            seen.append(h)
        return self.final(self.dropout(torch.cat(seen, dim=1)))


def baseline(
    name: str,
    in_channels: int,
    hidden_channels: int,
    num_layers: int,
    out_channels: int,
    dropout: float = 0.0,
    input_dropout: float = 0.0,
    alpha: float = 0.1,
    propagation_dropout: float = 0.0,
) -> nn.Module:
    """A baseline by name.

    ``alpha`` is the share of the start in APPNP and in the first weights of GPRGNN, ``propagation_dropout`` is of what
    GPRGNN and BernNet send through the graph.

    >>> from torch_geometric.data import Data
    >>> baseline("mlp", 4, 8, 2, 3, 0.5)(Data(x=torch.ones(5, 4))).shape
    torch.Size([5, 3])
    """
    channels = [in_channels] + [hidden_channels] * (num_layers - 1) + [out_channels]
    deep = (in_channels, hidden_channels, num_layers, out_channels)
    learnt: dict[str, Any] = {"propagation_dropout": propagation_dropout}
    makers = {
        "mlp": lambda: Perceptron(channels, dropout),
        "gcn": lambda: OnGraph(MatrixGCN(*deep, dropout=dropout), "matrix"),
        "gcn-jk": lambda: OnGraph(MatrixGCN(*deep, dropout=dropout, jk="cat"), "matrix"),
        "gat": lambda: OnGraph(RowGAT(*deep, dropout=dropout, heads=8), "rows"),
        "chebnet": lambda: ChebNet(channels, dropout),
        "appnp": lambda: Filtered(channels, dropout, "appnp", alpha=alpha),
        "gprgnn": lambda: Filtered(channels, dropout, "gpr", alpha=alpha, **learnt),
        "bernnet": lambda: Filtered(channels, dropout, "bern", **learnt),
        "h2gcn": lambda: H2GCN(*deep, dropout),
    }
    if name not in makers:
        raise LvcError(f"unknown baseline {name!r}; use one of {', '.join(makers)}")
    return OnData(makers[name](), input_dropout)

"""The search-guided network: layers of :class:`lvc.nn.SGNConv` with the usual things around them."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch_geometric.nn import MLP, BatchNorm, JumpingKnowledge
from torch_geometric.nn.resolver import activation_resolver, aggregation_resolver, normalization_resolver

from lvc.errors import LvcError
from lvc.nn.conv import SGNConv
from lvc.nn.dropout import Dropout, refuse_share
from lvc.nn.features import dropout_of, features_of, refuse_nan
from lvc.nn.transform import operator_of
from lvc.search.kinds import Search
from lvc.search.parsing import parse_search


class SGN(nn.Module):
    """SGN-BF with ``search=BFS(r)``, SGN-DF with ``DFS(r)``, both at once with ``BFS(2) + DFS(1)``, or your own η.

    Args:
        in_channels: size of the input features.
        hidden_channels: size of vertex and pair vectors.
        num_layers: layers; one layer looks one step further along each search.
        out_channels: size of the result; ``hidden_channels`` unless given.
        search: the search that was added to the data with :class:`lvc.nn.AddSearch`.
        dropout: between layers.
        input_dropout: of the input features; bags of words learn better with it, and stay sparse.
        act: between layers and inside the MLPs; None for none.
        norm: between layers, anything torch_geometric resolves, e.g. ``"batch_norm"``.
        jk: ``"last"``, ``"cat"``, ``"max"`` or ``"lstm"``: what of all layers the final linear map sees.
        readout: None for one row per vertex; ``"sum"``, ``"mean"``, ``"max"``, ...: one row per graph.
        head_layers: linear maps of each graph's row, ``hidden_channels`` wide, with batch norm, ReLU and dropout
            between them; with 0 it is vertices that are mapped to ``out_channels``, and then read out.
        scale, schedule, own_term, mlp_layers: as in :class:`SGNConv`.

    >>> from torch_geometric.data import Data
    >>> from lvc.nn import AddSearch
    >>> path = Data(x=torch.ones(3, 2), edge_index=torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]]))
    >>> model = SGN(2, 8, 2, 5, search="bfs:2")
    >>> model(AddSearch("bfs:2")(path)).shape
    torch.Size([3, 5])
    """

    def __init__(
        self,
        in_channels: int,
        hidden_channels: int,
        num_layers: int,
        out_channels: int | None = None,
        *,
        search: Search | str,
        dropout: float = 0.0,
        input_dropout: float = 0.0,
        act: str | Callable[[Tensor], Tensor] | None = "relu",
        act_kwargs: dict[str, Any] | None = None,
        norm: str | Callable[[Tensor], Tensor] | None = None,
        norm_kwargs: dict[str, Any] | None = None,
        jk: str | None = None,
        readout: str | nn.Module | None = None,
        head_layers: int = 0,
        scale: str = "sum",
        schedule: str = "rounds",
        own_term: bool = True,
        mlp_layers: int = 2,
    ) -> None:
        super().__init__()
        if num_layers < 1:
            raise LvcError(f"num_layers must be at least 1, got {num_layers}")
        refuse_share("input_dropout", input_dropout)
        if jk not in (None, "last", "cat", "max", "lstm"):
            raise LvcError(f"jk must be None, last, cat, max or lstm, got {jk!r}")
        if jk == "lstm" and num_layers * hidden_channels < 2:
            raise LvcError("jk='lstm' needs two channels or layers; raise hidden_channels or num_layers")
        if head_layers < 0:
            raise LvcError(f"head_layers must be 0 or more, got {head_layers}")
        if head_layers > 0 and readout is None:
            raise LvcError("head_layers are maps of whole graphs; give a readout, e.g. readout='sum'")
        self.in_channels, self.hidden_channels, self.num_layers = in_channels, hidden_channels, num_layers
        self.out_channels = hidden_channels if out_channels is None else out_channels
        self.search = parse_search(search)
        self.dropout, self.input_dropout = Dropout(dropout), input_dropout
        self.act = nn.Identity() if act is None else activation_resolver(act, **(act_kwargs or {}))
        mapped = jk is not None or head_layers > 0  # after the last layer
        inputs = [in_channels] + [hidden_channels] * (num_layers - 1)
        outputs = [hidden_channels] * (num_layers - 1) + [hidden_channels if mapped else self.out_channels]
        options: dict[str, Any] = {"scale": scale, "schedule": schedule, "own_term": own_term, "act": act}
        options |= {"mlp_layers": mlp_layers, "act_kwargs": act_kwargs}
        self.convs = nn.ModuleList(
            [SGNConv(f, g, self.search, hidden_channels, **options) for f, g in zip(inputs, outputs, strict=True)]
        )
        between = num_layers if mapped else num_layers - 1
        self.norms = nn.ModuleList([_norm(norm, hidden_channels, norm_kwargs) for _ in range(between)])
        self._norms_take_batch = [_takes_batch(one) for one in self.norms]
        self.jk = None if jk in (None, "last") else JumpingKnowledge(jk, hidden_channels, num_layers)
        width = num_layers * hidden_channels if jk == "cat" else hidden_channels
        self.final = nn.Linear(width, self.out_channels) if mapped and head_layers == 0 else None
        self.readout = None if readout is None else aggregation_resolver(readout)
        self.head = None if head_layers == 0 else self._head(self._width_of_rows(width), head_layers, dropout)

    def reset_parameters(self) -> None:
        """Draw all weights anew."""
        for module in (*self.convs, *self.norms, self.jk, self.final, self.readout, self.head):
            if hasattr(module, "reset_parameters"):
                module.reset_parameters()

    def forward(self, data: Any) -> Tensor:
        """One row per vertex of ``data``, or per graph with a readout. ``data`` has gone through ``AddSearch``.

        In full precision, under ``torch.autocast``, too.
        """
        device = next(self.parameters()).device.type
        if torch.is_autocast_enabled(device):  # sparse products take no other precision
            with torch.autocast(device, enabled=False):
                return self.forward(data)  # not self(data), which would call hooks twice
        operators = [operator_of(data, part) for part in self.search.parts]
        h: Any = features_of(data.x, next(self.parameters()).dtype)
        if h.shape[1] != self.in_channels:
            raise LvcError(f"x must have {self.in_channels} columns, as in_channels says, got {h.shape[1]}")
        if self.training and self.input_dropout > 0:
            h = dropout_of(h, self.input_dropout)
        batch = data.batch if "batch" in data else None
        state, layers = None, []
        for i, conv in enumerate(self.convs):
            h, state = conv(h, operators, state, last=i == self.num_layers - 1)
            if i == 0:
                refuse_nan(data.x, h)
            if i < len(self.norms):
                h = self.norms[i](h, batch) if self._norms_take_batch[i] else self.norms[i](h)
                h = self.dropout(self.act(h))
                layers.append(h)
        h = h if self.jk is None else self.jk(layers)
        h = h if self.final is None else self.final(h)
        if self.readout is None:
            return h
        batch = h.new_zeros(h.shape[0], dtype=torch.long) if batch is None else batch
        rows = self.readout(h, batch, dim_size=getattr(data, "num_graphs", 1))
        return rows if self.head is None else self.head(rows)

    def _width_of_rows(self, width: int) -> int:
        """How many columns the readout makes of so many."""
        assert self.readout is not None
        with torch.no_grad():
            return int(self.readout(torch.zeros(1, width), torch.zeros(1, dtype=torch.long), dim_size=1).shape[1])

    def _head(self, width: int, layers: int, dropout: float) -> MLP:
        sizes = [width] + [self.hidden_channels] * (layers - 1) + [self.out_channels]
        return MLP(sizes, dropout=float(dropout), norm_kwargs={"allow_single_element": True})

    def __repr__(self) -> str:
        sizes = f"{self.in_channels}, {self.hidden_channels}, {self.num_layers}, {self.out_channels}"
        return f"SGN({sizes}, search={self.search})"


def _norm(norm: Any, channels: int, kwargs: dict[str, Any] | None) -> nn.Module:
    made = nn.Identity() if norm is None else normalization_resolver(norm, channels, **(kwargs or {}))
    if isinstance(made, BatchNorm) and made.module.track_running_stats:
        made.allow_single_element = True  # a graph of one vertex may come alone
    return made


def _takes_batch(norm: nn.Module) -> bool:
    return "batch" in inspect.signature(norm.forward).parameters

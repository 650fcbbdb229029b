"""One layer of the search-guided network (the paper's section "Search Guided Graph Neural Network")."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Any, cast

import torch
from torch import Tensor, nn
from torch_geometric.nn.resolver import activation_resolver

from lvc.errors import LvcError
from lvc.nn.dense import multiplied
from lvc.nn.features import Features, mapped
from lvc.nn.operators import Layer, Operator, Rule, weights_of
from lvc.search.kinds import BFS, Search
from lvc.search.parsing import parse_search

State = tuple[Any, ...]


class SGNConv(nn.Module):
    """One layer of SGN, with ``c = d(u, v)``::

        h_{u←v}^{l+1} = ( h_u^l + Σ_{w ∈ η_v(u)} h_{w←v}^l ) W_c
        h_u^{l+1}     = MLP( (1+ε) h_u^l  ‖  Σ_{v ∈ N_r(u)} h_{u←v}^{l+1} )
        h_{v←v}^l     = h_v^l

    A joint search has one ``W`` and one sum for each of its parts. ``levels`` has one ``W`` for parents (and
    ``h_u^l``), one for siblings and one for children.

    Args:
        in_channels: F, the size of ``h_u^l`` and, from the second layer on, of ``h_{u←v}^l``.
        out_channels: the size of ``h_u^{l+1}``.
        search: which η, and how far.
        hidden_channels: H, the size of ``h_{u←v}^{l+1}`` and of the MLP; ``out_channels`` unless given.
            A layer that is followed by another must have both equal.
        scale: ``"sum"`` is the paper. ``"mean"`` and ``"sym"`` divide the sums by how many they add up
            (docs/how-sgn-is-computed.md); they train more calmly and can no longer count.
        schedule: ``"rounds"`` is the paper. ``"sweep"`` (BFS only) takes ``h_{w←v}`` from the present layer,
            parents first: one layer sees the whole ball.
        own_term: without it ``h_u`` is left out of ``h_{u←v}``.
        mlp_layers: 1 or more; linear maps in the MLP.
        act: activation inside the MLP, anything torch_geometric resolves, or None.

    Shapes:
        ``h``: [n, F]; ``operators``: one for each part of the search; returns [n, out] and the state
        for the next layer.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        search: Search | str,
        hidden_channels: int | None = None,
        *,
        scale: str = "sum",
        schedule: str = "rounds",
        own_term: bool = True,
        mlp_layers: int = 2,
        act: str | Callable[[Tensor], Tensor] | None = "relu",
        act_kwargs: dict[str, Any] | None = None,
    ) -> None:
        super().__init__()
        self.in_channels, self.out_channels = in_channels, out_channels
        self.hidden_channels = out_channels if hidden_channels is None else hidden_channels
        self.search = parse_search(search)
        self.rule = Rule(scale, schedule, own_term)
        if schedule == "sweep" and not all(isinstance(part, BFS) for part in self.search.parts):
            raise LvcError(f"schedule 'sweep' needs a breadth-first search, got {self.search}")
        if mlp_layers < 1:
            raise LvcError(f"mlp_layers must be at least 1, got {mlp_layers}")
        slots = [weights_of(part) for part in self.search.parts]
        # A sweep multiplies W_1 W_2 ··· within one layer, so its W_c are square and h is brought to size H first.
        square = schedule == "sweep"
        self.entry = nn.Linear(in_channels, self.hidden_channels, bias=False) if square else None
        width = self.hidden_channels if square else in_channels
        self.weight = nn.ParameterList([torch.empty(width, count, self.hidden_channels) for count in slots])
        self.eps = nn.Parameter(torch.empty(()))
        middle = self.hidden_channels if mlp_layers > 1 else out_channels
        # The MLP's first matrix in pieces, one for each thing joined by ‖, so that nothing has to be joined.
        self.own = nn.Parameter(torch.empty(in_channels, middle))
        self.mix = nn.ParameterList([torch.empty(self.hidden_channels, middle) for _ in slots])
        self.bias = nn.Parameter(torch.empty(middle))
        sizes = [middle] * (mlp_layers - 1) + [out_channels]
        self.act = nn.Identity() if act is None else activation_resolver(act, **(act_kwargs or {}))
        self.rest = nn.ModuleList([nn.Linear(a, b) for a, b in pairwise(sizes)])
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw all weights anew; ε starts at 0."""
        for weight in self.weight:
            bound = math.sqrt(6 / (weight.shape[0] + weight.shape[2]))  # Glorot, for each distance
            nn.init.uniform_(weight, -bound, bound)
        bound = 1 / math.sqrt(self.in_channels + len(self.mix) * self.hidden_channels)  # as torch does for one Linear
        for piece in (self.own, *self.mix, self.bias):
            nn.init.uniform_(piece, -bound, bound)
        for linear in (*self.rest, *([] if self.entry is None else [self.entry])):
            linear.reset_parameters()
        nn.init.zeros_(self.eps)

    def start(self, h: Features, operators: Sequence[Operator]) -> State:
        """The state before the first layer."""
        return tuple(operator.start(h) for operator in operators)

    def forward(
        self, h: Features, operators: Sequence[Operator], state: State | None = None, last: bool = True
    ) -> tuple[Tensor, State]:
        """h^{l+1} and the state; ``state`` is None in the first layer, ``last`` says that no layer follows."""
        if len(operators) != len(self.weight):
            raise LvcError(f"{self.search} needs {len(self.weight)} operators, got {len(operators)}")
        state = self.start(h, operators) if state is None else state
        swept = h if self.entry is None else mapped(h, self.entry.weight.t())
        out = mapped(h, (1 + self.eps) * self.own, self.bias)
        new_state = []
        for operator, weight, mix, before in zip(operators, self.weight, self.mix, state, strict=True):
            out, after = operator.step(before, swept, Layer(weight, mix, out, self.rule, last))
            new_state.append(after)
        for linear in cast(Iterable[nn.Linear], self.rest):
            out = multiplied(self.act(out), linear.weight.t(), linear.bias)
        return out, tuple(new_state)

    def extra_repr(self) -> str:
        return f"{self.in_channels}, {self.out_channels}, search={self.search}"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.extra_repr()})"

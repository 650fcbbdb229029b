"""Models as settings describe them: what both tasks have in common."""

from __future__ import annotations

import copy
from typing import Any

from torch import Tensor, nn

from lvc.experiments.settings import Settings
from lvc.nn import SGN


def sgn_of(settings: Settings, in_channels: int, out_channels: int, **options: Any) -> SGN:
    """A fresh SGN; ``options`` are those that one task has and the other has not."""
    assert settings.search is not None
    return SGN(
        in_channels,
        settings.hidden_channels,
        settings.num_layers,
        out_channels,
        search=settings.search,
        dropout=settings.dropout,
        act=settings.act,
        norm=settings.norm,
        jk=settings.jk,
        scale=settings.scale,
        schedule=settings.schedule,
        own_term=settings.own_term,
        mlp_layers=settings.mlp_layers,
        **options,
    )


class Standardised(nn.Module):
    """A model of features that were measured on unlike scales: ``x`` minus the mean, over the deviation, of ``seen``.

    Columns that do not vary are only shifted.
    """

    mean: Tensor
    deviation: Tensor

    def __init__(self, model: nn.Module, seen: Tensor) -> None:
        super().__init__()
        self.model = model
        deviation = seen.std(dim=0, correction=0)
        self.register_buffer("mean", seen.mean(dim=0))
        self.register_buffer("deviation", deviation.where(deviation > 0, 1.0))

    def forward(self, data: Any) -> Tensor:
        data = copy.copy(data)
        data.x = (data.x - self.mean) / self.deviation
        return self.model(data)

    @property
    def auxiliary_loss(self) -> Tensor | None:
        return getattr(self.model, "auxiliary_loss", None)

"""SGN as settings describe it; what both tasks have in common."""

from __future__ import annotations

from typing import Any

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

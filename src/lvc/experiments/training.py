"""The one training loop: full batch, Adam, early stopping on validation, the best epoch restored.

Labels of the test vertices are looked at once, in :func:`train_split`'s last line, after every choice has been made.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch_geometric.data import Data

from lvc.data.datasets import VertexData, load
from lvc.data.splits import Split, splits
from lvc.experiments.settings import VertexSettings
from lvc.nn import SGN, AddSearch
from lvc.nn.baselines import baseline
from lvc.nn.features import settle


@dataclass(frozen=True)
class SplitResult:
    """What one split gave."""

    split: int
    validation: float
    test: float
    epoch: int  # of the best validation accuracy
    epochs: int  # made in all
    seconds: float
    curve: tuple[tuple[float, float], ...]  # training loss and validation accuracy, epoch by epoch


def prepare(settings: VertexSettings) -> tuple[Data, VertexData]:
    """The data that the model of ``settings`` takes: features as it wants them, searches added."""
    found = load(settings.dataset)
    x = found.data.x.float()
    if settings.features == "row":
        x = x / x.abs().sum(dim=1, keepdim=True).clamp(min=1e-12)
    data = Data(x=x, y=found.data.y, edge_index=found.data.edge_index)
    if settings.search is not None:
        data = AddSearch(settings.search)(data)
        settle(data.x)  # a run that goes on with a later split must not begin with a pass that is rounded otherwise
    return data, found


def model_of(settings: VertexSettings, data: Data) -> nn.Module:
    """A fresh model."""
    classes = int(data.y.max()) + 1
    if settings.search is None:
        sizes = (data.x.shape[1], settings.hidden_channels, settings.num_layers, classes)
        return baseline(settings.model, *sizes, settings.dropout)
    return SGN(
        data.x.shape[1],
        settings.hidden_channels,
        settings.num_layers,
        classes,
        search=settings.search,
        dropout=settings.dropout,
        act=settings.act,
        norm=settings.norm,
        jk=settings.jk,
        scale=settings.scale,
        schedule=settings.schedule,
        own_term=settings.own_term,
    )


def splits_of(settings: VertexSettings, found: VertexData) -> list[Split]:
    """The splits of the settings' protocol."""
    labels = found.data.y.numpy()
    return splits(labels, settings.protocol, settings.splits, settings.seed, found.published)


def train_split(
    settings: VertexSettings,
    data: Data,
    split: Split,
    number: int,
    progress: Callable[[int, float, float], Any] | None = None,
) -> SplitResult:
    """Train on one split. The seed of the settings and the number of the split decide every random choice."""
    torch.manual_seed(int(np.random.SeedSequence([settings.seed, number]).generate_state(1)[0]))
    began = time.perf_counter()
    model = model_of(settings, data)
    optimiser = torch.optim.Adam(model.parameters(), lr=settings.learning_rate, weight_decay=settings.weight_decay)
    train, validation, test = (torch.from_numpy(part) for part in split)
    known = torch.full_like(data.y, -1)  # the labels that training and selection may see
    known[train], known[validation] = data.y[train], data.y[validation]
    best, best_loss, best_epoch, kept = -1.0, float("inf"), 0, copy.deepcopy(model.state_dict())
    curve: list[tuple[float, float]] = []
    for epoch in range(1, settings.epochs + 1):
        model.train()
        optimiser.zero_grad()
        loss = nn.functional.cross_entropy(model(data)[train], known[train])
        loss.backward()
        optimiser.step()
        accuracy, held_out = _evaluate(model, data, known, validation)
        curve.append((loss.item(), accuracy))
        if accuracy > best or (accuracy == best and held_out < best_loss):
            best, best_loss, best_epoch = accuracy, held_out, epoch
            kept = copy.deepcopy(model.state_dict())
        if progress is not None:
            progress(epoch, loss.item(), best)
        if epoch - best_epoch >= settings.patience:
            break
    model.load_state_dict(kept)
    tested, _ = _evaluate(model, data, data.y, test)
    return SplitResult(number, best, tested, best_epoch, epoch, time.perf_counter() - began, tuple(curve))


@torch.no_grad()
def _evaluate(model: nn.Module, data: Data, labels: Tensor, part: Tensor) -> tuple[float, float]:
    """Accuracy and loss on some vertices."""
    model.eval()
    out = model(data)[part]
    right = (out.argmax(dim=1) == labels[part]).float().mean().item()
    return right, nn.functional.cross_entropy(out, labels[part]).item()

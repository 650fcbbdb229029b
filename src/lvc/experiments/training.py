"""The one training loop: full batch, Adam, early stopping on validation, the best epoch restored.

Labels of the test vertices are looked at once, at the end of :func:`train_split`, after every choice has been made.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch_geometric.data import Data

from lvc.data.datasets import VertexData, load
from lvc.data.splits import Split, splits
from lvc.experiments.settings import VertexSettings
from lvc.nn import SGN, AddSearch
from lvc.nn.baselines import baseline
from lvc.nn.features import sparse_if_mostly_zeros


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


class Fitted(NamedTuple):
    """A trained model, as it was in its best epoch."""

    model: nn.Module
    validation: float
    epoch: int
    curve: tuple[tuple[float, float], ...]


def prepare(settings: VertexSettings) -> tuple[Data, VertexData]:
    """The data that the model of ``settings`` takes: features as it wants them, searches added."""
    found = load(settings.dataset)
    x = found.data.x.float()
    if settings.features == "row":
        x = x / x.abs().sum(dim=1, keepdim=True).clamp(min=1e-12)
    data = Data(x=sparse_if_mostly_zeros(x), y=found.data.y, edge_index=found.data.edge_index)
    return (data if settings.search is None else AddSearch(settings.search)(data)), found


def model_of(settings: VertexSettings, data: Data) -> nn.Module:
    """A fresh model."""
    classes = int(data.y.max()) + 1
    if settings.search is None:
        sizes = (data.x.shape[1], settings.hidden_channels, settings.num_layers, classes)
        return baseline(settings.model, *sizes, settings.dropout, settings.input_dropout, settings.alpha)
    return SGN(
        data.x.shape[1],
        settings.hidden_channels,
        settings.num_layers,
        classes,
        search=settings.search,
        dropout=settings.dropout,
        input_dropout=settings.input_dropout,
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


def fit_split(
    settings: VertexSettings,
    data: Data,
    split: Split,
    number: int,
    progress: Callable[[int, float, float], Any] | None = None,
) -> Fitted:
    """Train on one split, without a look at the labels of its test vertices.

    The seed of the settings and the number of the split decide every random choice.
    """
    torch.manual_seed(int(np.random.SeedSequence([settings.seed, number]).generate_state(1)[0]))
    model = model_of(settings, data)
    rate, decay = settings.learning_rate, settings.weight_decay
    optimiser = torch.optim.Adam(model.parameters(), lr=rate, weight_decay=decay, fused=True)
    train, validation = torch.from_numpy(split.train), torch.from_numpy(split.validation)
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
    return Fitted(model, best, best_epoch, tuple(curve))


def train_split(
    settings: VertexSettings,
    data: Data,
    split: Split,
    number: int,
    progress: Callable[[int, float, float], Any] | None = None,
) -> SplitResult:
    """Train on one split, then look at its test vertices, once."""
    began = time.perf_counter()
    model, validation, epoch, curve = fit_split(settings, data, split, number, progress)
    tested, _ = _evaluate(model, data, data.y, torch.from_numpy(split.test))
    return SplitResult(number, validation, tested, epoch, len(curve), time.perf_counter() - began, curve)


@torch.no_grad()
def _evaluate(model: nn.Module, data: Data, labels: Tensor, part: Tensor) -> tuple[float, float]:
    """Accuracy and loss on some vertices."""
    model.eval()
    out = model(data)[part]
    right = (out.argmax(dim=1) == labels[part]).float().mean().item()
    return right, nn.functional.cross_entropy(out, labels[part]).item()

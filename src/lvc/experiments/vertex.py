"""Vertex classification: one graph, full batch.

Labels of the test vertices are looked at in :func:`accuracy` only, after every choice has been made.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch_geometric.data import Data

from lvc.data.datasets import VertexData, load
from lvc.data.splits import Split, splits
from lvc.experiments.models import sgn_of
from lvc.experiments.settings import VertexSettings
from lvc.experiments.training import Fitted, Progress, Score, fit
from lvc.nn import AddSearch
from lvc.nn.baselines import baseline
from lvc.nn.features import sparse_if_mostly_zeros


class Prepared(NamedTuple):
    """What every split has in common."""

    data: Data
    splits: list[Split]


def prepare(settings: VertexSettings) -> Prepared:
    """The data that the model of ``settings`` takes: features as it wants them, searches added; and the splits."""
    found = load(settings.dataset)
    x = found.data.x.float()
    if settings.features == "row":
        x = x / x.abs().sum(dim=1, keepdim=True).clamp(min=1e-12)
    data = Data(x=sparse_if_mostly_zeros(x), y=found.data.y, edge_index=found.data.edge_index)
    if settings.search is not None:
        data = AddSearch(settings.search)(data)
    return Prepared(data, splits_of(settings, found))


def splits_of(settings: VertexSettings, found: VertexData | None = None) -> list[Split]:
    """The splits of the data set, which may be ``found`` already; a protocol that it does not have is refused."""
    found = load(settings.dataset) if found is None else found
    return splits(found.data.y.numpy(), settings.protocol, settings.splits, settings.seed, found.published)


def notes(dataset: str) -> tuple[str, ...]:
    """What had to be mended in the data, and what does not match the table."""
    return load(dataset).notes


def data_key(settings: VertexSettings) -> tuple[str | None, str]:
    """Of what the prepared data depends on, what a search for settings may change."""
    return settings.search, settings.features


def model_of(settings: VertexSettings, data: Data) -> nn.Module:
    """A fresh model."""
    features, classes = data.x.shape[1], int(data.y.max()) + 1
    if settings.search is not None:
        return sgn_of(settings, features, classes, input_dropout=settings.input_dropout)
    sizes = (features, settings.hidden_channels, settings.num_layers, classes)
    shares = settings.dropout, settings.input_dropout, settings.alpha, settings.propagation_dropout
    return baseline(settings.model, *sizes, *shares)


def fit_split(settings: VertexSettings, prepared: Prepared, number: int, progress: Progress | None = None) -> Fitted:
    """Train on one split, without a look at the labels of its test vertices."""
    data, split = prepared.data, prepared.splits[number]
    model = model_of(settings, data)
    train, validation = torch.from_numpy(split.train), torch.from_numpy(split.validation)
    known = torch.full_like(data.y, -1)  # the labels that training and selection may see
    known[train], known[validation] = data.y[train], data.y[validation]

    def epoch_of(optimiser: torch.optim.Optimizer) -> float:
        optimiser.zero_grad()
        loss = nn.functional.cross_entropy(model(data)[train], known[train])
        loss.backward()
        optimiser.step()
        return loss.item()

    return fit(settings, model, epoch_of, lambda: _score(model, data, known, validation), progress)


@torch.no_grad()
def accuracy(settings: VertexSettings, model: nn.Module, prepared: Prepared, number: int) -> float:
    """How many of the test vertices a model gets right: the one look at their labels."""
    return _score(model.eval(), prepared.data, prepared.data.y, torch.from_numpy(prepared.splits[number].test)).accuracy


def _score(model: nn.Module, data: Data, labels: Tensor, part: Tensor) -> Score:
    return Score.of(model(data)[part], labels[part])

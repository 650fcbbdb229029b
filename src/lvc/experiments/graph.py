"""Graph classification: many graphs, in batches.

Labels of the test graphs are looked at in :func:`accuracy` only, after every choice has been made.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import torch
from torch import nn
from torch_geometric.data import Batch, Data

from lvc.data.folds import folds
from lvc.data.graph_datasets import GraphData, load_graphs
from lvc.data.search_cache import with_searches
from lvc.data.splits import Split
from lvc.experiments.models import Standardised, sgn_of
from lvc.experiments.settings import OWN_READOUT, GraphSettings
from lvc.experiments.training import Fitted, Progress, Score, fit
from lvc.nn import Collated
from lvc.nn.graph_baselines import graph_baseline, sort_pool_size


class Prepared(NamedTuple):
    """What every fold has in common."""

    graphs: list[Data]
    collated: Collated
    splits: list[Split]


def prepare(settings: GraphSettings) -> Prepared:
    """The graphs, with searches added if the model of ``settings`` takes them, and the folds."""
    found = load_graphs(settings.dataset)
    graphs = list(found.graphs) if settings.search is None else with_searches(found, settings.search)
    return Prepared(graphs, Collated(graphs), splits_of(settings, found))


def splits_of(settings: GraphSettings, found: GraphData | None = None) -> list[Split]:
    """The folds of the data set, which may be ``found`` already; a protocol that it does not have is refused."""
    found = load_graphs(settings.dataset) if found is None else found
    return folds(found.labels, settings.protocol, settings.splits, settings.seed, found.published)


def notes(dataset: str) -> tuple[str, ...]:
    """What had to be mended in the data, and what does not match the table."""
    return load_graphs(dataset).notes


def data_key(settings: GraphSettings) -> str | None:
    """Of what the prepared data depends on, what a search for settings may change."""
    return settings.search


def model_of(settings: GraphSettings, graphs: list[Data], split: Split) -> nn.Module:
    """A fresh model; scales and DGCNN's size come from the training graphs, DiffPool's from the largest of all."""
    model = _plain_model(settings, graphs, split)
    if settings.features == "raw":
        return model
    return Standardised(model, torch.cat([graphs[i].x for i in split.train]))


def _plain_model(settings: GraphSettings, graphs: list[Data], split: Split) -> nn.Module:
    features, classes = graphs[0].x.shape[1], 1 + max(int(graph.y) for graph in graphs)
    if settings.search is not None:
        return sgn_of(settings, features, classes, readout=settings.readout, head_layers=settings.head_layers)
    sizes = (features, settings.hidden_channels, settings.num_layers, classes)
    pool = sort_pool_size([graphs[i].num_nodes for i in split.train])
    largest = max(graph.num_nodes for graph in graphs)
    readout = None if settings.model in OWN_READOUT else settings.readout
    return graph_baseline(settings.model, *sizes, settings.dropout, readout, k=pool, largest=largest)


def fit_split(settings: GraphSettings, prepared: Prepared, number: int, progress: Progress | None = None) -> Fitted:
    """Train on one fold; its test graphs are not touched."""
    split = prepared.splits[number]
    model = model_of(settings, prepared.graphs, split)
    order = torch.Generator().manual_seed(torch.initial_seed() % 2**63)
    batches = prepared.collated.loader(split.train, settings.batch_size, shuffle=True, generator=order)
    held_out = _batches(prepared, split.validation, settings.batch_size)

    def epoch_of(optimiser: torch.optim.Optimizer) -> float:
        total = 0.0
        for batch in batches:
            optimiser.zero_grad()
            loss = nn.functional.cross_entropy(model(batch), batch.y)
            auxiliary = getattr(model, "auxiliary_loss", None)
            (loss if auxiliary is None else loss + auxiliary).backward()
            optimiser.step()
            total += loss.item() * batch.num_graphs
        return total / len(split.train)

    return fit(settings, model, epoch_of, lambda: _score(model, held_out), progress)


@torch.no_grad()
def accuracy(settings: GraphSettings, model: nn.Module, prepared: Prepared, number: int) -> float:
    """How many of the test graphs a model gets right: the one look at their labels."""
    return _score(model.eval(), _batches(prepared, prepared.splits[number].test, settings.batch_size)).accuracy


def _batches(prepared: Prepared, numbers: np.ndarray, size: int) -> list[Batch]:
    return list(prepared.collated.loader(numbers, size))


def _score(model: nn.Module, batches: Iterable[Batch]) -> Score:
    out, labels = zip(*[(model(batch), batch.y) for batch in batches], strict=True)
    return Score.of(torch.cat(out), torch.cat(labels))

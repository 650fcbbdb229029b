"""Isomorphic graphs in a data set: what a model has seen before, and what no model can get right."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np

from lvc.data.graph_datasets import GraphData
from lvc.graph import Graph
from lvc.isomorphism import isomorphism_classes
from lvc.text import aligned


@dataclass(frozen=True)
class Repeats:
    """How often a data set has the same graph, and with which labels."""

    repeated: int  #: graphs that are isomorphic to another one
    classes: int  #: of two or more isomorphic graphs
    pairs: int  #: of isomorphic graphs
    classes_at_odds: int  #: in which not all labels are equal
    pairs_at_odds: int
    best_accuracy: float  #: of any model, which can give each class but one label


@dataclass(frozen=True)
class Duplicates:
    """The repeats of one data set."""

    name: str
    graphs: int
    with_features: Repeats  #: isomorphisms keep the features of vertices
    structure: Repeats  #: features are not looked at


def duplicates(found: GraphData) -> Duplicates:
    """Which graphs of a data set are isomorphic, with the features of their vertices and without. Exact.

    >>> import torch
    >>> from torch_geometric.data import Data
    >>> from lvc.data import load_graphs
    >>> edge = Data(x=torch.tensor([[0.0], [1.0]]), edge_index=torch.tensor([[0, 1], [1, 0]]), y=torch.tensor([0]))
    >>> other = Data(x=torch.tensor([[1.0], [0.0]]), edge_index=edge.edge_index, y=torch.tensor([1]))
    >>> duplicates(load_graphs([edge, other])).with_features
    Repeats(repeated=2, classes=1, pairs=1, classes_at_odds=1, pairs_at_odds=1, best_accuracy=0.5)
    """
    graphs = [Graph.from_pyg(data) for data in found.graphs]
    number: dict[bytes, int] = {}
    featured = []
    for graph, data in zip(graphs, found.graphs, strict=True):
        rows = [row.tobytes() for row in data.x.numpy() + 0.0]  # -0.0 becomes 0.0
        featured.append(graph.with_labels([number.setdefault(row, len(number)) for row in rows]))
    labels = found.labels
    return Duplicates(
        found.name,
        len(graphs),
        repeats(isomorphism_classes(featured, "wl"), labels),
        repeats(isomorphism_classes(graphs, "wl"), labels),
    )


def repeats(classes: Sequence[int], labels: Sequence[int] | np.ndarray) -> Repeats:
    """The numbers of a division into classes.

    >>> repeats([0, 0, 1, 0], [1, 1, 1, 0])
    Repeats(repeated=3, classes=1, pairs=3, classes_at_odds=1, pairs_at_odds=2, best_accuracy=0.75)
    """
    votes: dict[int, Counter[int]] = defaultdict(Counter)
    for number, label in zip(classes, np.asarray(labels).tolist(), strict=True):
        votes[number][label] += 1
    several = [counts for counts in votes.values() if counts.total() > 1]
    pairs = sum(_pairs(counts.total()) for counts in several)
    alike = sum(_pairs(times) for counts in several for times in counts.values())
    return Repeats(
        sum(counts.total() for counts in several),
        len(several),
        pairs,
        sum(len(counts) > 1 for counts in several),
        pairs - alike,
        sum(max(counts.values()) for counts in votes.values()) / len(classes),
    )


def _pairs(items: int) -> int:
    return items * (items - 1) // 2


def duplicates_table(found: Sequence[Duplicates]) -> str:
    """Two lines for each data set."""
    lines = [["data set", "graphs", "compared", "repeated", "classes", "pairs", "at odds", "pairs at odds", "best"]]
    for one in found:
        for compared, repeat in (("features", one.with_features), ("structure", one.structure)):
            *counts, best = asdict(repeat).values()
            lines.append([one.name, str(one.graphs), compared, *map(str, counts), f"{100 * best:.2f}"])
    explained = (
        "Repeated: graphs isomorphic to another one; classes, pairs: of isomorphic graphs; at odds: with different "
        "labels; best: accuracy (%) that no model can exceed."
    )
    return "\n".join([*aligned(lines), "", explained])

"""Isomorphic graphs in a data set: what a model has seen before, and what no model can get right.

Colours of 1-WL sort the graphs; those that it does not tell apart are compared. Where every vertex has a colour of its
own, equal colours say which vertex goes where, and edges are compared; the rest is left to networkx.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np

from lvc.data.graph_datasets import GraphData
from lvc.errors import LvcError
from lvc.graph import Graph
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
        repeats(classes_of_isomorphic(featured), labels),
        repeats(classes_of_isomorphic(graphs), labels),
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


def classes_of_isomorphic(graphs: Sequence[Graph]) -> list[int]:
    """A number for each graph, equal exactly for isomorphic ones; labels, which all have or none, must agree.

    >>> path = Graph.from_edges(3, [(0, 1), (1, 2)])
    >>> classes_of_isomorphic([path, path.relabelled([1, 0, 2]), Graph.from_edges(3, [(0, 1)])])
    [0, 0, 1]
    """
    from lvc.colouring.colour import colour_jointly

    if not graphs:
        raise LvcError("there is no graph to compare; give at least one")
    coloured = [
        graph.with_labels(colouring.vertex)
        for graph, colouring in zip(graphs, colour_jointly(graphs, "wl"), strict=True)
    ]
    alike: dict[bytes, list[tuple[int, Graph]]] = defaultdict(list)  # one graph of every class
    numbers: list[int] = []
    classes = 0
    for graph in coloured:
        known = alike[np.sort(_colours(graph)).tobytes()]
        number = next((number for number, other in known if _are_isomorphic(graph, other)), None)
        if number is None:
            number = classes
            classes += 1
            known.append((number, graph))
        numbers.append(number)
    return numbers


def _are_isomorphic(first: Graph, second: Graph) -> bool:
    """Whether there is an isomorphism that keeps the labels, of which both have the same multiset."""
    if first == second:
        return True
    if first.m != second.m:
        return False
    order = np.argsort(_colours(first))
    if (np.diff(_colours(first)[order]) > 0).all():
        return first.induced(order) == second.induced(np.argsort(_colours(second)))
    from networkx.algorithms.isomorphism import GraphMatcher, categorical_node_match

    matcher = GraphMatcher(first.to_networkx(), second.to_networkx(), categorical_node_match("label", None))
    same = matcher.is_isomorphic()
    matcher.reset_recursion_limit()  # which it has raised for everybody
    return same


def _colours(graph: Graph) -> np.ndarray:
    assert graph.labels is not None
    return graph.labels


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

"""The paper's data sets for graph classification, and MUTAG, as lists of simple undirected graphs.

Raw files and the cache are found as in :mod:`lvc.data.datasets`. Features are those of Errica et al. (2020), whom the
paper follows: vertex labels one-hot; ENZYMES has its 18 attributes besides; IMDB-BINARY has the degree. Edge features
are left out.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lvc.data.checked import checked_features
from lvc.data.folds import read_folds
from lvc.data.raw import below_data, cache_folder, from_disk, from_raw, making_sense_of
from lvc.data.simple import Took, mended
from lvc.data.splits import Split
from lvc.errors import LvcError
from lvc.text import aligned

if TYPE_CHECKING:
    from torch import Tensor
    from torch_geometric.data import Data


class GraphCounts(NamedTuple):
    """Graphs, features, classes."""

    graphs: int
    features: int
    classes: int


@dataclass(frozen=True)
class GraphEntry:
    """A data set of graphs that can be loaded by name."""

    name: str
    counts: GraphCounts
    folds: str = ""  #: the published ones, below LVC_DATA
    attributes: bool = False  #: whether vertices have more features than their label
    note: str = ""

    @property
    def folder(self) -> str:
        """Where the raw files are, below LVC_DATA."""
        return f"TUDataset/{self.name}/raw"


_CHEMICAL = "data_splits/CHEMICAL/{}_splits.json"
_ENTRIES = (
    GraphEntry("DD", GraphCounts(1178, 89, 2), _CHEMICAL.format("DD")),
    GraphEntry(
        "NCI1",
        GraphCounts(4110, 37, 2),
        _CHEMICAL.format("NCI1"),
        note="the paper's 29.78 vertices are a misprint",
    ),
    GraphEntry("PROTEINS", GraphCounts(1113, 3, 2), _CHEMICAL.format("PROTEINS_full")),
    GraphEntry(
        "ENZYMES",
        GraphCounts(600, 21, 6),
        _CHEMICAL.format("ENZYMES"),
        attributes=True,
        note="the paper's 64.14 edges are a misprint; its 3 features are those without the 18 attributes",
    ),
    GraphEntry(
        "IMDB-BINARY",
        GraphCounts(1000, 1, 2),
        "data_splits/COLLABORATIVE_DEGREE/IMDB-BINARY_splits.json",
        note="its file has every edge twice",
    ),
    GraphEntry("MUTAG", GraphCounts(188, 7, 2), note="not in the paper"),
)

#: Name -> data set, in the paper's order.
GRAPH_DATASETS: dict[str, GraphEntry] = {entry.name: entry for entry in _ENTRIES}


@dataclass(frozen=True, eq=False)
class GraphData:
    """A data set: graphs with features and one label each."""

    name: str
    graphs: tuple[Data, ...]  #: x float32, y long of shape [1], edge_index with both directions
    published: tuple[Split, ...]  #: folds; empty if there are none
    notes: tuple[str, ...]  #: what had to be mended, what does not match

    @property
    def labels(self) -> np.ndarray:
        """The label of every graph, int64."""
        return np.array([int(data.y) for data in self.graphs], np.int64)

    def __repr__(self) -> str:
        return f"GraphData({self.name}, {len(self.graphs)} graphs)"


def load_graphs(dataset: Any, cache: str | os.PathLike[str] | None = None, download: bool = True) -> GraphData:
    """A data set by name, or a torch_geometric dataset or list of graphs of your own.

    Directions, loops and repeated edges are removed, and that is noted; so are counts that differ from the table.
    Without features the degree is the only one. ``download=False`` refuses what is not on this machine.
    """
    if not isinstance(dataset, str):
        if not hasattr(dataset, "__len__") or hasattr(dataset, "is_undirected"):
            kind = type(dataset).__name__
            raise LvcError(f"load_graphs takes a name, a torch_geometric data set or a list of graphs, got {kind}")
        return _simple(getattr(dataset, "name", type(dataset).__name__), list(dataset))
    entry = graph_entry_called(dataset)
    options, root = {"use_node_attr": entry.attributes}, cache_folder(cache)
    graphs = from_raw(entry.name, entry.folder, root, download, options)
    with making_sense_of(below_data(entry.folder) or root / entry.folder):
        found = _simple(entry.name, graphs)
    file = below_data(entry.folds) if entry.folds else None
    if file is not None:
        found = replace(found, published=read_folds(file, len(found.graphs)))
    counts = GraphCounts(len(found.graphs), found.graphs[0].x.shape[1], len(np.unique(found.labels)))
    if counts != entry.counts:
        mismatch = f"counts {tuple(counts)} differ from the table's {tuple(entry.counts)}"
        return replace(found, notes=(*found.notes, mismatch))
    return found


def usual_protocol(name: str) -> str:
    """The protocol of a data set whose folds nobody chose: ``errica`` if the published ones are here."""
    entry = graph_entry_called(name)
    return "errica" if entry.folds and below_data(entry.folds) is not None else "stratified"


def graph_entry_called(name: str) -> GraphEntry:
    """The data set of that name, in capitals or not."""
    by_lower = {known.lower(): entry for known, entry in GRAPH_DATASETS.items()}
    if name.lower() not in by_lower:
        raise LvcError(f"unknown data set of graphs {name!r}; use one of {', '.join(GRAPH_DATASETS)}")
    return by_lower[name.lower()]


def _simple(name: str, given: Sequence[Data]) -> GraphData:
    """Simple undirected graphs, and a note of what that took in all."""
    from torch_geometric.data import Data

    if not given:
        raise LvcError("there is no graph in the data set; give at least one")
    graphs: list[Data] = []
    took = []
    for number, data in enumerate(given):
        if getattr(data, "edge_index", None) is None:
            raise LvcError(f"graph {number} must be a torch_geometric Data with an edge_index, got {data!r}")
        try:
            graph, edge_index, mending = mended(data)
        except LvcError as fault:
            raise LvcError(f"graph {number} (counting from 0): {fault}") from None
        x = _features(data, number, graph.degrees)
        if graphs and x.shape[1] != graphs[0].x.shape[1]:
            raise LvcError(
                f"graph {number} has {x.shape[1]} features and graph 0 has {graphs[0].x.shape[1]}; give all as many"
            )
        graphs.append(Data(x=x, y=_label(data, number), edge_index=edge_index))
        took.append(mending)
    notes = Took(*(sum(column) for column in zip(*took, strict=True))).notes()
    if any(data.x is None for data in given):
        notes = (*notes, "vertices have no features; their degree is taken")
    return GraphData(name, tuple(graphs), (), notes)


def _features(data: Data, number: int, degrees: np.ndarray) -> Tensor:
    import torch

    x = torch.from_numpy(degrees) if data.x is None else data.x
    x = checked_features(x, len(degrees), f"graph {number}")
    return x.to(torch.float32, copy=True)  # a view would drag its data set along when it is pickled


def _label(data: Data, number: int) -> Tensor:
    import torch

    if getattr(data, "y", None) is None:
        raise LvcError(f"graph {number} has no label; set its y to the number of its class")
    given = torch.as_tensor(data.y).reshape(-1)
    label = given.long()
    if len(label) != 1 or bool((label != given).any()):
        raise LvcError(f"graph {number} needs one whole number as its label, got y = {given.tolist()}")
    if int(label) < 0:
        raise LvcError(f"graph {number} has the label {int(label)}; number the classes from 0")
    return label.clone()


def describe_graphs(names: Sequence[str] | None = None) -> list[dict[str, Any]]:
    """Rows for ``lvc data --graphs``: counts, whether it is on disk, and if so what the graphs are like."""
    return [_described(graph_entry_called(name)) for name in names or GRAPH_DATASETS]


def _described(entry: GraphEntry) -> dict[str, Any]:
    found, faults = from_disk(load_graphs, entry.name, entry.folder)
    row: dict[str, Any] = {"name": entry.name, "on_disk": found is not None, **entry.counts._asdict()}
    row["notes"] = [entry.note] * bool(entry.note) + faults
    if found is not None:
        row["vertices"] = float(np.mean([data.num_nodes for data in found.graphs]))
        row["edges"] = float(np.mean([data.num_edges / 2 for data in found.graphs]))
        row["isolated"] = sum(int(data.num_nodes - len(data.edge_index[0].unique())) for data in found.graphs)
        row["published"] = len(found.published)
        row["notes"] += found.notes
    return row


def graphs_table(rows: Sequence[dict[str, Any]]) -> str:
    """The rows as text; vertices and edges are means over the graphs."""
    lines = [["data set", "disk", "graphs", "vertices", "edges", "features", "classes", "isolated", "folds"]]
    for row in rows:
        means = [f"{row[what]:.2f}" if row["on_disk"] else "-" for what in ("vertices", "edges")]
        counts = [str(row.get(what, "-")) for what in ("features", "classes", "isolated", "published")]
        lines.append([row["name"], "yes" if row["on_disk"] else "no", str(row["graphs"]), *means, *counts])
    notes = [f"{row['name']}: {note}" for row in rows for note in row["notes"]]
    return "\n".join([*aligned(lines), "", "Vertices and edges: mean over the graphs.", *notes])

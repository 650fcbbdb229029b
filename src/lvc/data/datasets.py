"""The paper's data sets for vertex classification, and those without its flaws, as simple undirected graphs."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lvc.data.checked import MASKS, checked_graph
from lvc.data.raw import cache_folder, from_raw, making_sense_of, on_disk
from lvc.data.simple import mended
from lvc.data.splits import Split
from lvc.errors import LvcError
from lvc.graph import Graph

if TYPE_CHECKING:
    from torch_geometric.data import Data


class Counts(NamedTuple):
    """Vertices, edges (undirected, without loops), features, classes."""

    vertices: int
    edges: int
    features: int
    classes: int


@dataclass(frozen=True)
class Entry:
    """A data set that can be loaded by name."""

    name: str
    folder: str  #: below LVC_DATA
    counts: Counts
    paper: Counts | None = None  #: what the paper's table says
    note: str = ""


@dataclass(frozen=True, eq=False)
class VertexData:
    """A data set: features, labels and a simple undirected graph."""

    name: str
    data: Data  #: x, y, edge_index with both directions
    graph: Graph
    published: tuple[Split, ...]  #: empty if there are none
    notes: tuple[str, ...]  #: what had to be mended, what does not match

    def __repr__(self) -> str:
        return f"VertexData({self.name}, {self.graph.n} vertices, {self.graph.m} edges)"


def _entry(name: str, folder: str, counts: tuple[int, int, int, int], note: str = "", **misprint: int) -> Entry:
    true = Counts(*counts)
    return Entry(name, folder, true, true._replace(**misprint), note)


_ENTRIES = (
    _entry("Cora", "Planetoid/Cora/raw", (2708, 5278, 1433, 7)),
    _entry("CiteSeer", "Planetoid/CiteSeer/raw", (3327, 4552, 3703, 6)),
    _entry(
        "PubMed", "Planetoid/PubMed/raw", (19717, 44324, 500, 3), "3 classes: the paper's 5 is a misprint", classes=5
    ),
    _entry("Computers", "Amazon/Computers/raw", (13752, 245861, 767, 10)),
    _entry("Photo", "Amazon/Photo/raw", (7650, 119081, 745, 8)),
    _entry("Chameleon", "WikipediaNetwork/chameleon/geom_gcn/raw", (2277, 31371, 2325, 5), "has duplicated vertices"),
    _entry("Squirrel", "WikipediaNetwork/squirrel/geom_gcn/raw", (5201, 198353, 2089, 5), "has duplicated vertices"),
    _entry("Texas", "WebKB/texas/raw", (183, 279, 1703, 5), "one class has one vertex"),
    _entry("Cornell", "WebKB/cornell/raw", (183, 277, 1703, 5), "has the features and labels of Texas, other edges"),
    _entry("Wisconsin", "WebKB/wisconsin/raw", (251, 450, 1703, 5), "the paper's 466 edges count the loops", edges=466),
    Entry("Chameleon-filtered", "WikipediaFiltered/chameleon_filtered.npz", Counts(890, 8854, 2325, 5)),
    Entry("Squirrel-filtered", "WikipediaFiltered/squirrel_filtered.npz", Counts(2223, 46998, 2089, 5)),
    Entry("Minesweeper", "HeterophilousGraphDataset/minesweeper/raw", Counts(10000, 39402, 7, 2)),
)

#: Name -> data set, in the paper's order.
DATASETS: dict[str, Entry] = {entry.name: entry for entry in _ENTRIES}


def load(dataset: Any, cache: str | os.PathLike[str] | None = None, download: bool = True) -> VertexData:
    """A data set by name, or one graph of your own: a torch_geometric ``Data``, or a data set that holds one.

    Directions, loops and repeated edges are removed, and that is noted; so are counts that differ from the table.
    The masks of your own graph, of shape [n] or [n, splits], become its published splits. ``download=False`` refuses
    what is not on this machine.
    """
    if not isinstance(dataset, str):
        name = getattr(dataset, "name", None)
        return _simple(name if isinstance(name, str) else type(dataset).__name__, dataset)
    entry = entry_called(dataset)
    root = cache_folder(cache)
    raw = on_disk(entry.folder, root)
    if entry.folder.endswith(".npz"):
        if raw is None:
            raise LvcError(f"{entry.name} cannot be downloaded here; set LVC_DATA to a folder that has {entry.folder}")
        data = _filtered(raw)
    else:
        options = {"geom_gcn_preprocess": True} if entry.folder.startswith("WikipediaNetwork") else {}
        data = from_raw(entry.name, entry.folder, root, download, options)[0]
        if entry.folder.startswith("Planetoid"):
            data = _with_ten_splits(entry, data, raw)
    with making_sense_of(raw or root / entry.folder):
        found = _simple(entry.name, data)
    counts = _counts(found)
    if counts != entry.counts:
        mismatch = f"counts {tuple(counts)} differ from the table's {tuple(entry.counts)}"
        return replace(found, notes=(*found.notes, mismatch))
    return found


def entry_called(name: str) -> Entry:
    """The data set of that name, in capitals or not."""
    by_lower = {known.lower(): entry for known, entry in DATASETS.items()}
    if name.lower() not in by_lower:
        raise LvcError(f"unknown data set {name!r}; use one of {', '.join(DATASETS)}")
    return by_lower[name.lower()]


def _counts(found: VertexData) -> Counts:
    return Counts(found.graph.n, found.graph.m, found.data.x.shape[1], len(np.unique(found.data.y.numpy())))


def _filtered(path: Path) -> Data:
    import torch
    from torch_geometric.data import Data

    names = ("node_features", "node_labels", "edges", "train_masks", "val_masks", "test_masks")
    with making_sense_of(path):
        x, y, edges, *masks = _arrays(path, names)
        return Data(
            x=torch.from_numpy(x).float(),
            y=torch.from_numpy(y),
            edge_index=torch.from_numpy(edges.T.copy()).long(),
            num_nodes=len(x),
            **{name: torch.from_numpy(mask.T.copy()) for name, mask in zip(MASKS, masks, strict=True)},
        )


def _arrays(path: Path, names: tuple[str, ...]) -> list[np.ndarray]:
    """Arrays of an npz file, by name."""
    with path.open("rb") as raw, np.load(raw) as file:
        return [file[name] for name in names]


def _with_ten_splits(entry: Entry, data: Data, raw: Path | None) -> Data:
    """A graph of Planetoid's with the masks of the files beside it, if they are there, instead of its single split."""
    import torch

    data = data.clone()
    for name in MASKS:
        del data[name]
    folder = None if raw is None else raw.parent.parent / "geom_gcn_splits"
    files = [] if folder is None else [folder / f"{entry.name.lower()}_split_0.6_0.2_{k}.npz" for k in range(10)]
    if folder is None or not any(path.exists() for path in files):
        return data
    with making_sense_of(folder):
        masks = [np.stack(columns, axis=1) for columns in zip(*(_arrays(path, MASKS) for path in files), strict=True)]
    for name, mask in zip(MASKS, masks, strict=True):
        data[name] = torch.from_numpy(mask)
    return data


def _simple(name: str, given: Any) -> VertexData:
    """The data, checked, with a simple undirected graph, and a note of what that took."""
    from torch_geometric.data import Data

    data, published, notes = checked_graph(given)
    graph, edge_index, took = mended(data)
    simple = Data(x=data.x, y=data.y, edge_index=edge_index)
    return VertexData(name, simple, graph, published, (*took.notes(), *notes))

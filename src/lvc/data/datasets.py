"""The paper's data sets for vertex classification, and those without its flaws, as simple undirected graphs.

Raw files come from the folder that the environment variable ``LVC_DATA`` names, otherwise torch_geometric downloads
them. What is made of them goes to a cache folder of the user's; ``LVC_CACHE`` names another one.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lvc.data.splits import Split
from lvc.errors import LvcError
from lvc.graph import Graph

if TYPE_CHECKING:
    from torch import Tensor
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


def load(dataset: Any, cache: str | os.PathLike[str] | None = None) -> VertexData:
    """A data set by name, or a torch_geometric dataset of your own (its first graph).

    Directions, loops and repeated edges are removed, and that is noted; so are counts that differ from the table.
    """
    if not isinstance(dataset, str):
        data = dataset if hasattr(dataset, "edge_index") else dataset[0]
        return _simple(getattr(dataset, "name", type(dataset).__name__), data, ())
    entry = entry_called(dataset)
    raw, root = raw_folder(entry), cache_folder(cache)
    if entry.folder.endswith(".npz"):
        if raw is None:
            raise LvcError(f"{entry.name} cannot be downloaded here; set LVC_DATA to a folder that has {entry.folder}")
        data, published = _filtered(raw)
    else:
        data = _from_pyg(entry, root)
        published = _published(entry, data, raw)
    found = _simple(entry.name, data, published)
    counts = _counts(found)
    if counts != entry.counts:
        mismatch = f"counts {tuple(counts)} differ from the table's {tuple(entry.counts)}"
        return VertexData(found.name, found.data, found.graph, found.published, (*found.notes, mismatch))
    return found


def entry_called(name: str) -> Entry:
    """The data set of that name, in capitals or not."""
    by_lower = {known.lower(): entry for known, entry in DATASETS.items()}
    if name.lower() not in by_lower:
        raise LvcError(f"unknown data set {name!r}; use one of {', '.join(DATASETS)}")
    return by_lower[name.lower()]


def raw_folder(entry: Entry) -> Path | None:
    """Where the raw files are on this machine, if they are."""
    return below_data(entry.folder)


def below_data(place: str) -> Path | None:
    """``place`` below the folder that ``LVC_DATA`` names, if it is there."""
    folder = os.environ.get("LVC_DATA")
    found = Path(folder) / place if folder else None
    return found if found is not None and found.exists() else None


def cache_folder(cache: str | os.PathLike[str] | None = None) -> Path:
    """Where processed files go: ``cache``, or ``LVC_CACHE``, or the platform's cache folder of the user."""
    from platformdirs import user_cache_path

    chosen = cache or os.environ.get("LVC_CACHE") or user_cache_path("lvc")
    return Path(chosen)


def _counts(found: VertexData) -> Counts:
    return Counts(found.graph.n, found.graph.m, found.data.x.shape[1], len(np.unique(found.data.y.numpy())))


def _from_pyg(entry: Entry, root: Path) -> Data:
    from torch_geometric import datasets

    makers: dict[str, Callable[[Path], Any]] = {
        "Planetoid": lambda at: datasets.Planetoid(str(at), entry.name),
        "Amazon": lambda at: datasets.Amazon(str(at), entry.name),
        "WikipediaNetwork": lambda at: datasets.WikipediaNetwork(str(at), entry.name.lower(), geom_gcn_preprocess=True),
        "WebKB": lambda at: datasets.WebKB(str(at), entry.name),
        "HeterophilousGraphDataset": lambda at: datasets.HeterophilousGraphDataset(str(at), entry.name),
    }
    family = entry.folder.split("/")[0]
    return from_raw(entry.name, entry.folder, root, makers[family])[0]


def from_raw(name: str, folder: str, root: Path, make: Callable[[Path], Any]) -> Any:
    """What ``make`` makes of the raw files in the cache: copied from below ``LVC_DATA``, else it downloads them."""
    raw = below_data(folder)
    if raw is not None:
        _copy_once(raw, root / folder)
    try:
        return make(root / folder.split("/")[0])
    except OSError as error:
        place = f"set LVC_DATA to a folder that has {folder}, or mend the network"
        raise LvcError(f"cannot load {name}: {getattr(error, 'reason', None) or error}; {place}") from None


def _copy_once(raw: Path, target: Path) -> None:
    """Copy the raw files into the cache, whole or not at all."""
    if _has_all(raw, target):
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_name(f".{target.name}-{os.getpid()}")
    shutil.copytree(raw, temporary, copy_function=shutil.copyfile)
    if not _has_all(raw, target):
        shutil.rmtree(target, ignore_errors=True)  # what a download that failed has left
    try:
        os.replace(temporary, target)
    except OSError:  # somebody else was faster
        shutil.rmtree(temporary)


def _has_all(raw: Path, target: Path) -> bool:
    return target.is_dir() and {file.name for file in raw.iterdir()} <= {file.name for file in target.iterdir()}


def _filtered(path: Path) -> tuple[Data, tuple[Split, ...]]:
    import torch
    from torch_geometric.data import Data

    with np.load(path) as file:
        data = Data(
            x=torch.from_numpy(file["node_features"]).float(),
            y=torch.from_numpy(file["node_labels"]).long(),
            edge_index=torch.from_numpy(file["edges"].T.copy()).long(),
        )
        masks = [file[f"{part}_masks"] for part in ("train", "val", "test")]
    return data, _from_masks(*masks)


def _published(entry: Entry, data: Data, raw: Path | None) -> tuple[Split, ...]:
    """Ten splits from the masks that torch_geometric loads, or from the files beside Planetoid's."""
    if getattr(data, "train_mask", None) is not None and data.train_mask.dim() == 2:
        return _from_masks(*(mask.numpy().T for mask in (data.train_mask, data.val_mask, data.test_mask)))
    if raw is None or not entry.folder.startswith("Planetoid"):
        return ()
    folder = raw.parent.parent / "geom_gcn_splits"
    files = sorted(folder.glob(f"{entry.name.lower()}_split_0.6_0.2_*.npz"))
    masks: list[tuple[np.ndarray, ...]] = []
    for path in files:
        with np.load(path) as file:
            masks.append(tuple(file[f"{part}_mask"].astype(bool) for part in ("train", "val", "test")))
    return _from_masks(*zip(*masks, strict=True)) if masks else ()


def _from_masks(train: Any, validation: Any, test: Any) -> tuple[Split, ...]:
    return tuple(
        Split(*(np.flatnonzero(np.asarray(mask)) for mask in masks))
        for masks in zip(train, validation, test, strict=True)
    )


def _simple(name: str, data: Data, published: tuple[Split, ...]) -> VertexData:
    """The data with a simple undirected graph, and a note of what that took."""
    from torch_geometric.data import Data

    graph, edge_index, took = mended(data)
    return VertexData(name, Data(x=data.x, y=data.y, edge_index=edge_index), graph, published, took.notes())


class Took(NamedTuple):
    """What it took to make a graph simple and undirected."""

    loops: int = 0
    repeated: int = 0
    one_way: int = 0

    def notes(self) -> tuple[str, ...]:
        """In words, if it was anything.

        >>> Took(loops=2).notes()
        ('2 loops removed',)
        """
        said = (
            "{} loops removed",
            "{} repeated edges removed",
            "{} edges stood in one direction only and were made undirected",
        )
        return tuple(text.format(number) for text, number in zip(said, self, strict=True) if number)


def mended(data: Data) -> tuple[Graph, Tensor, Took]:
    """The simple undirected graph of a data, its edges in both directions, and what it took."""
    import torch

    n = int(data.num_nodes)
    u, v = data.edge_index.numpy()
    graph = Graph.loose((n, np.stack([u, v], axis=1))).simplified()
    proper = u != v
    different = len(np.unique(u[proper].astype(np.int64) * n + v[proper]))
    took = Took(int((~proper).sum()), int(proper.sum()) - different, 2 * graph.m - different)
    source = np.repeat(np.arange(n), graph.degrees)
    return graph, torch.from_numpy(np.stack([source, graph.indices.astype(np.int64)])), took

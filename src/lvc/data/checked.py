"""A graph to be learnt from, the user's own or one that is known by name: what it must have, its masks as splits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from lvc.data.simple import kind_of
from lvc.data.splits import Split, splits_of_masks
from lvc.errors import LvcError

if TYPE_CHECKING:
    from torch import Tensor
    from torch_geometric.data import Data

MASKS = ("train_mask", "val_mask", "test_mask")


def checked_graph(dataset: Any) -> tuple[Data, tuple[Split, ...], tuple[str, ...]]:
    """Features, labels and edges of a graph, checked; the splits of its masks; notes."""
    from torch_geometric.data import Data

    given = _only_graph(dataset)
    if given.x is None:
        raise LvcError("the graph has no features; set its x, for example to the degree of each vertex")
    n = int(given.num_nodes)
    x, y = checked_features(given.x, n, "the graph"), _labels(given.y, n)
    published, notes = _splits_of(given, n)
    return Data(x=x, y=y, edge_index=given.edge_index), published, notes


def _only_graph(dataset: Any) -> Data:
    """The graph itself, or the one that a data set holds.

    A data set has to be told from a graph by its type: torch_geometric's have the attributes of their graphs too.
    """
    from torch_geometric.data import Data, Dataset

    given = dataset
    if isinstance(dataset, (Dataset, list, tuple)):
        if len(dataset) != 1:
            raise LvcError(f"load takes one graph, got {len(dataset)}; choose one, or use load_graphs for many")
        given = dataset[0]
    if isinstance(given, Data) and given.edge_index is not None:
        return given
    got = type(given).__name__ + (" without edge_index" if isinstance(given, Data) else "")
    raise LvcError(
        f"load takes a name, a torch_geometric Data with an edge_index, or a data set that holds one, got {got}"
    )


def checked_features(x: Any, n: int, whose: str) -> Tensor:
    """``x`` as a matrix with a row for each of ``n`` vertices, all of it finite."""
    import torch

    x = _real(x, f"x of {whose}")
    if x.dim() not in (1, 2) or len(x) != n:
        raise LvcError(f"{whose} has {n} vertices and x of shape {tuple(x.shape)}; give x a row for each vertex")
    wrong = ~torch.isfinite(x)
    if wrong.any():
        vertex = int(wrong.nonzero()[0, 0])
        raise LvcError(f"x of {whose} has NaN or infinity at vertex {vertex}; put a number there")
    return x.reshape(n, 1) if x.dim() == 1 else x


def _labels(y: Any, n: int) -> Tensor:
    """``y`` as n class numbers."""
    if y is None:
        raise LvcError("the graph has no labels; set its y to the number of each vertex's class")
    if tuple(getattr(y, "shape", ())) not in ((n,), (n, 1)):
        raise LvcError(
            f"y must be a tensor of one label for each of the {n} vertices, got {kind_of(y)}; number the classes"
        )
    given = _real(y, "y").reshape(n)
    labels = given.long()
    wrong = (labels != given) | (labels < 0)
    if wrong.any():
        vertex = int(wrong.nonzero()[0, 0])
        raise LvcError(
            f"labels must be whole numbers from 0 on, got {given[vertex].item()} at vertex {vertex}; "
            "number the classes from 0"
        )
    return labels


def _real(given: Any, what: str) -> Tensor:
    """A tensor whose entries can be read one by one, as numbers."""
    import torch

    if not isinstance(given, torch.Tensor) or given.layout != torch.strided or given.is_complex():
        kind = type(given).__name__ if not isinstance(given, torch.Tensor) else f"{given.layout} of {given.dtype}"
        raise LvcError(f"{what} must be a dense tensor of real numbers, got {kind}; make it one")
    return given.detach()


def _splits_of(data: Data, n: int) -> tuple[tuple[Split, ...], tuple[str, ...]]:
    """The splits that the masks say, and a note if one of the three masks is missing.

    A mask with one column serves all splits; WikiCS has such a test mask.
    """
    given = {name: getattr(data, name, None) for name in MASKS}
    there = {name: _mask(mask, name, n) for name, mask in given.items() if mask is not None}
    if len(there) < len(MASKS):
        missing = " and ".join(name for name in MASKS if name not in there)
        note = f"{' and '.join(there)} without {missing}, so there are no published splits"
        return (), (note,) if there else ()
    most = max(there, key=lambda name: there[name].shape[1])
    count = there[most].shape[1]
    for name, mask in there.items():
        if mask.shape[1] not in (1, count):
            raise LvcError(f"{most} has {count} splits and {name} has {mask.shape[1]}; give both as many")
    masks = [np.broadcast_to(mask, (n, count)) for mask in there.values()]
    overlaps = np.argwhere(np.sum(masks, axis=0) > 1)
    if len(overlaps):
        vertex, split = overlaps[0]
        raise LvcError(f"the masks of split {split} (counting from 0) overlap at vertex {vertex}; leave it in one mask")
    for name, mask in zip(there, masks, strict=True):
        if not mask.any(axis=0).all():
            split = int(np.argmin(mask.any(axis=0)))
            raise LvcError(f"{name} of split {split} (counting from 0) is empty; mark a vertex, or leave the masks out")
    return splits_of_masks(*(mask.T for mask in masks)), ()


def _mask(given: Any, name: str, n: int) -> np.ndarray:
    """A mask as bool[n, splits]."""
    mask = np.asarray(_real(given, name) if hasattr(given, "layout") else given)
    if mask.ndim not in (1, 2) or len(mask) != n:
        raise LvcError(f"{name} must have shape ({n},) or ({n}, splits), got {mask.shape}; give each vertex a row")
    wrong = mask[~np.isin(mask, (0, 1))]
    if len(wrong):
        raise LvcError(f"{name} must hold True and False, got {wrong[0]}; give a mask, not vertex numbers")
    return (mask if mask.ndim == 2 else mask[:, None]).astype(bool)

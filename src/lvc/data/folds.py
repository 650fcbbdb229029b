"""Ten folds of the graphs of a data set, each held out for test once, named by their protocol.

- ``errica``: those that Errica et al. (A fair comparison of graph neural networks, 2020) published: stratified, with a
  tenth of the rest for validation. The paper uses them.
- ``stratified``: the same, drawn here from a seed.

Results of two protocols are never comparable.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from lvc.data.splits import Split
from lvc.errors import LvcError

GRAPH_PROTOCOLS = ("errica", "stratified")
FOLDS = 10


def folds(
    labels: Sequence[int] | np.ndarray,
    protocol: str,
    count: int = FOLDS,
    seed: int = 0,
    published: Sequence[Split] = (),
) -> list[Split]:
    """The first ``count`` of the ten folds of a protocol; fold k depends on the seed and k alone.

    >>> [part.tolist() for part in folds([0] * 6 + [1] * 6, "stratified", count=1)[0]]
    [[0, 2, 3, 4, 6, 7, 9, 10, 11], [5], [1, 8]]
    """
    if protocol not in GRAPH_PROTOCOLS:
        raise LvcError(f"unknown protocol {protocol!r}; use one of {', '.join(GRAPH_PROTOCOLS)}")
    if not 1 <= count <= FOLDS:
        raise LvcError(f"the number of folds must be between 1 and {FOLDS}, got {count}")
    if protocol == "errica":
        if not published:
            raise LvcError(
                "this data set has no published folds; "
                "set LVC_DATA to a folder that has its file in data_splits, or use protocol stratified"
            )
        if len(published) < count:
            raise LvcError(f"{count} folds were asked for, and {len(published)} are published; ask for fewer")
        return list(published[:count])
    if seed < 0:
        raise LvcError(f"seed must be 0 or more, got {seed}")
    labels = np.asarray(labels)
    if len(labels) < FOLDS:
        raise LvcError(f"{FOLDS} folds need at least {FOLDS} graphs, got {len(labels)}")
    outer = _dealt(labels, np.random.default_rng([seed, FOLDS]))
    return [_fold(labels, outer == k, np.random.default_rng([seed, k])) for k in range(count)]


def read_folds(path: Path, graphs: int) -> tuple[Split, ...]:
    """The folds of a published file: a list of ``{test, model_selection: [{train, validation}]}``."""
    try:
        found = tuple(
            Split(*(_numbers(part) for part in (inner["train"], inner["validation"], fold["test"])))
            for fold in json.loads(path.read_text(encoding="utf-8"))
            for inner in fold["model_selection"][:1]
        )
    except (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
        raise LvcError(f"cannot read the folds in {path}: {error}; get the file anew") from None
    everything = np.arange(graphs)
    tested = [fold.test for fold in found]
    if len(found) != FOLDS or any(
        not np.array_equal(np.sort(np.concatenate(parts)), everything) for parts in (tested, *found)
    ):
        raise LvcError(f"{path} does not have {FOLDS} folds of {graphs} graphs; get the file anew")
    return found


def _numbers(part: Any) -> np.ndarray:
    """Some graphs of a published file, sorted."""
    if not isinstance(part, list) or not part or any(type(number) is not int for number in part):
        raise ValueError("a part must be a list of one whole number or more")
    return np.sort(np.array(part, np.int64))


def _fold(labels: np.ndarray, test: np.ndarray, rng: np.random.Generator) -> Split:
    rest = np.flatnonzero(~test)
    validation = _dealt(labels[rest], rng) == 0
    return Split(rest[~validation], rest[validation], np.flatnonzero(test))


def _dealt(labels: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """To which of ten parts each graph goes: shuffled, sorted by label, and dealt like cards."""
    order = rng.permutation(len(labels))
    order = order[np.argsort(labels[order], kind="stable")]
    part = np.empty(len(labels), np.int64)
    part[order] = np.arange(len(labels)) % FOLDS
    return part

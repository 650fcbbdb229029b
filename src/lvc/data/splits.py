"""Splits of the vertices into training, validation and test set, seeded and named by their protocol.

- ``random``: 60 % / 20 % / 20 % of the vertices, as the paper's text says.
- ``per-class``: of each class 60 % of (number of vertices / number of classes) for training, or all it has; of the rest
  20 % of all vertices for validation, what remains for test. This is what the baselines' papers do.
- ``published``: the ten fixed splits that come with a data set.

Results of two protocols are never comparable.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from lvc.errors import LvcError

PROTOCOLS = ("random", "per-class", "published")
TRAIN, VALIDATION = 0.6, 0.2


class Split(NamedTuple):
    """Sorted vertex numbers of each part."""

    train: np.ndarray
    validation: np.ndarray
    test: np.ndarray


def splits(
    labels: Sequence[int] | np.ndarray,
    protocol: str,
    count: int = 10,
    seed: int = 0,
    published: Sequence[Split] | None = None,
) -> list[Split]:
    """The first ``count`` splits of a protocol; split k depends on the seed and k alone.

    >>> [part.tolist() for part in splits([0, 1, 0, 1, 0], "random", count=1)[0]]
    [[2, 3, 4], [0], [1]]
    """
    if protocol not in PROTOCOLS:
        raise LvcError(f"unknown protocol {protocol!r}; use one of {', '.join(PROTOCOLS)}")
    if count < 1:
        raise LvcError(f"the number of splits must be at least 1, got {count}")
    if protocol == "published":
        if not published:
            raise LvcError(
                "there are no published splits of this data set here; set LVC_DATA if it has them (Planetoid's in "
                "Planetoid/geom_gcn_splits), or use protocol random or per-class"
            )
        if count > len(published):
            raise LvcError(f"there are {len(published)} published splits, got {count}; ask for fewer")
        return list(published[:count])
    draw = _random if protocol == "random" else _per_class
    drawn = [draw(np.asarray(labels), np.random.default_rng([seed, k])) for k in range(count)]
    if any(len(part) == 0 for split in drawn for part in split):
        raise LvcError(f"{len(labels)} vertices are too few for protocol {protocol}: a part stays empty; give more")
    return drawn


def _random(labels: np.ndarray, rng: np.random.Generator) -> Split:
    order = rng.permutation(len(labels))
    first, second = round(TRAIN * len(labels)), round((TRAIN + VALIDATION) * len(labels))
    return _sorted(order[:first], order[first:second], order[second:])


def _per_class(labels: np.ndarray, rng: np.random.Generator) -> Split:
    classes = np.unique(labels)
    share = round(TRAIN * len(labels) / max(len(classes), 1))
    order = rng.permutation(len(labels))
    train = np.concatenate([order[:0], *(order[labels[order] == c][:share] for c in classes)])
    # In ``order`` what is left of a small class stands last, behind what was taken of it; so a new order.
    rest = rng.permutation(order[~np.isin(order, train)])
    held_out = round(VALIDATION * len(labels))
    return _sorted(train, rest[:held_out], rest[held_out:])


def _sorted(*parts: np.ndarray) -> Split:
    return Split(*(np.sort(part) for part in parts))


def splits_of_masks(train: Any, validation: Any, test: Any) -> tuple[Split, ...]:
    """The splits of three lists of masks, one mask of each for a split."""
    return tuple(
        Split(*(np.flatnonzero(np.asarray(mask)) for mask in masks))
        for masks in zip(train, validation, test, strict=True)
    )

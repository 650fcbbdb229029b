"""What a protocol's splits are made of: who is in the test part decides how hard it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lvc.data.datasets import DATASETS, VertexData, entry_called, load
from lvc.data.raw import from_disk
from lvc.data.splits import PROTOCOLS, Split, splits
from lvc.text import aligned


@dataclass(frozen=True)
class SplitStatistics:
    """Means over the splits of one protocol on one data set."""

    name: str
    protocol: str
    train: float
    validation: float
    test: float
    classes: int
    never_tested: int  # classes without a vertex in any test part
    largest: float  # share of the test vertices that one class has: what the best constant answer scores


def split_statistics(name: str, protocol: str, labels: np.ndarray, found: Sequence[Split]) -> SplitStatistics:
    """The statistics of some splits.

    >>> labels = np.array([0] * 6 + [1] * 2)
    >>> split_statistics("toy", "per-class", labels, splits(labels, "per-class", count=3))
    SplitStatistics(name='toy', protocol='per-class', train=4.0, validation=2.0, test=2.0, classes=2, never_tested=1, \
largest=1.0)
    """
    tested = np.array([np.bincount(labels[split.test], minlength=labels.max() + 1) for split in found])
    shares = tested / np.maximum(tested.sum(axis=1, keepdims=True), 1)
    present = np.unique(labels)
    train, validation, test = (float(np.mean([len(split[part]) for split in found])) for part in range(3))
    never_tested = int((tested.sum(axis=0)[present] == 0).sum())
    largest = float(shares.mean(axis=0).max())
    return SplitStatistics(name, protocol, train, validation, test, len(present), never_tested, largest)


def statistics_of_protocols(found: VertexData) -> list[SplitStatistics]:
    """Of every protocol that a data set has: its published splits, or ten."""
    labels = found.data.y.numpy()
    rows = []
    for protocol in PROTOCOLS:
        if protocol == "published" and not found.published:
            continue
        count = len(found.published) if protocol == "published" else 10
        chosen = splits(labels, protocol, count, published=found.published)
        rows.append(split_statistics(found.name, protocol, labels, chosen))
    return rows


def describe_splits(names: Sequence[str] | None = None) -> list[SplitStatistics]:
    """Those of the named data sets, or of all that are on disk."""
    entries = [entry_called(name) for name in names or DATASETS]
    if names:
        found = [load(entry.name) for entry in entries]
    else:
        there = [from_disk(load, entry.name, entry.folder)[0] for entry in entries]
        found = [one for one in there if one is not None]
    return [row for one in found for row in statistics_of_protocols(one)]


def splits_table(rows: Sequence[SplitStatistics]) -> str:
    """The rows as text."""
    lines = [["data set", "protocol", "train", "validation", "test", "classes", "never tested", "largest class, %"]]
    for row in rows:
        sizes = [f"{size:.0f}" for size in (row.train, row.validation, row.test)]
        counts = [str(row.classes), str(row.never_tested), f"{100 * row.largest:.1f}"]
        lines.append([row.name, row.protocol, *sizes, *counts])
    explained = "Never tested: classes that no test part holds a vertex of. Largest class: its share of the test part."
    return "\n".join([*aligned(lines), "", explained])

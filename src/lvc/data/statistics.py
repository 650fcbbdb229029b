"""What a data set is like, and what a radius will cost on it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from lvc.data.datasets import DATASETS, Entry, VertexData, entry_called, load
from lvc.data.raw import from_disk
from lvc.search.balls import ball_sizes
from lvc.text import aligned

RADII = (1, 2, 3)
MEANING = (
    "homophily: share of edges between vertices of one class; ball r=k: vertices within k steps of one, on average; "
    "in brackets the paper's number, where it is another"
)


@dataclass(frozen=True)
class Statistics:
    """One data set in numbers."""

    vertices: int
    edges: int
    features: int
    classes: int
    homophily: float  # share of edges whose ends have one label
    isolated: int
    mean_balls: tuple[float, ...]  # vertices in a ball of radius 1, 2, 3, the root among them


def statistics(dataset: VertexData) -> Statistics:
    """The statistics of a loaded data set."""
    graph, labels = dataset.graph, dataset.data.y.numpy()
    edges = graph.edges()
    same = labels[edges[:, 0]] == labels[edges[:, 1]]
    return Statistics(
        graph.n,
        graph.m,
        int(dataset.data.x.shape[1]),
        len(np.unique(labels)),
        float(same.mean()) if len(edges) else float("nan"),
        int((graph.degrees == 0).sum()),
        tuple(float(ball_sizes(graph, r).mean()) for r in RADII),
    )


def describe(entry: Entry) -> dict[str, Any]:
    """A row for ``lvc data``: the table's counts, the paper's, whether it is on disk, and if so its statistics."""
    found, faults = from_disk(load, entry.name, entry.folder)
    row: dict[str, Any] = {"name": entry.name, "on_disk": found is not None, **entry.counts._asdict()}
    row["paper"] = None if entry.paper is None else entry.paper._asdict()
    row["notes"] = [entry.note] * bool(entry.note) + faults
    if found is not None:
        row |= asdict(statistics(found))
        row["notes"] += found.notes
    return row


def statistics_table(rows: list[dict[str, Any]]) -> str:
    """The rows as text; where the paper's table differs, its number stands in brackets."""
    head = ["data set", "disk", "vertices", "edges", "features", "classes", "homophily", "isolated"]
    lines = [[*head, *(f"ball r={r}" for r in RADII)]]
    for row in rows:
        cells = [row["name"], "yes" if row["on_disk"] else "no"]
        for what in ("vertices", "edges", "features", "classes"):
            paper = row["paper"] and row["paper"][what]
            cells.append(f"{row[what]}" + (f" ({paper})" if paper and paper != row[what] else ""))
        if row["on_disk"]:
            cells += [f"{row['homophily']:.2f}", str(row["isolated"]), *(f"{size:.1f}" for size in row["mean_balls"])]
        lines.append(cells + ["-"] * (len(lines[0]) - len(cells)))
    notes = [f"{row['name']}: {note}" for row in rows for note in row["notes"]]
    return "\n".join([*aligned(lines), "", MEANING, *notes])


def describe_all(names: list[str] | None = None) -> list[dict[str, Any]]:
    """Rows for the named data sets, or for all."""
    return [describe(entry_called(name)) for name in names or DATASETS]

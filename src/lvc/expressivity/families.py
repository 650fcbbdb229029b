"""Families of pairs of graphs that are hard to tell apart: BREC, EXP, CSL, cycles, all small graphs.

BREC (Wang and Zhang 2023) and EXP (Abboud et al. 2021) are read from the folder that ``LVC_DATA`` names; the others are
made here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np

from lvc.data.raw import below_data
from lvc.errors import LvcError
from lvc.expressivity.named import cycles
from lvc.expressivity.regular import GraphPair, circulant
from lvc.expressivity.smallest import LARGEST, connected_graphs, told_apart_by
from lvc.graph import Graph, read_graphs

CSL_VERTICES, CSL_SKIPS = 41, (2, 3, 4, 5, 6, 9, 11, 12, 13, 16)
CSL_COPIES = 15


class Category(NamedTuple):
    """Some pairs of a family."""

    name: str
    pairs: list[GraphPair]


@dataclass(frozen=True)
class Family:
    """Pairs of graphs that are not isomorphic."""

    name: str
    title: str
    make: Callable[[], list[Category]]


def brec() -> list[Category]:
    """400 pairs that 1-WL does not tell apart, in seven categories."""
    folder = _folder("BREC")
    graphs = read_graphs(folder / "pairs.g6")
    with _readable(folder / "categories.json") as text:
        return [
            Category(name.replace("_", " "), [(graphs[2 * i], graphs[2 * i + 1]) for i in range(low, high)])
            for name, (low, high) in json.loads(text)["categories"].items()
        ]


def exp() -> list[Category]:
    """600 pairs that 1-WL does not tell apart: formulas of which one can be satisfied and the other cannot."""
    graphs, at = [], 1
    with _readable(_folder("expressivity/EXP") / "GRAPHSAT.txt") as text:
        lines = text.splitlines()
        for _ in range(int(lines[0])):
            n = int(lines[at].split()[0])
            rows = [[int(number) for number in line.split()] for line in lines[at + 1 : at + 1 + n]]
            edges = [(v, w) for v, row in enumerate(rows) for w in row[2:] if v < w]
            graphs.append(Graph.from_edges(n, edges, labels=[row[0] for row in rows]))
            at += n + 1
    return [Category("EXP", [(graphs[i], graphs[i + 1]) for i in range(0, len(graphs), 2)])]


def csl() -> list[Category]:
    """The ten circular skip links on 41 vertices, every two of them: 4-regular, one colour for 1-WL."""
    return [Category("CSL", list(combinations([circulant(CSL_VERTICES, (1, skip)) for skip in CSL_SKIPS], 2)))]


def csl_graphs(seed: int = 0) -> list[Graph]:
    """All 150 graphs of CSL: 15 of each of the ten, differently numbered."""
    generator = np.random.default_rng(seed)
    return [
        circulant(CSL_VERTICES, (1, skip)).relabelled(generator.permutation(CSL_VERTICES))
        for skip in CSL_SKIPS
        for _ in range(CSL_COPIES)
    ]


def cycle_family(longest: int = 10) -> list[Category]:
    """Two cycles of length 2r + 1 and one of length 4r + 2, for r = 1, 2, ...: what a radius has to reach."""
    return [Category("cycles", [cycles(r) for r in range(1, longest + 1)])]


def small(largest: int = LARGEST) -> list[Category]:
    """Every pair of connected graphs on up to eight vertices that 1-WL does not tell apart, by number of vertices."""
    found = []
    for n in range(1, largest + 1):
        alike = told_apart_by(connected_graphs(n), "wl")
        pairs = [pair for group in alike for pair in combinations(group, 2)]
        if pairs:
            found.append(Category(f"{n} vertices", pairs))
    return found


@contextmanager
def _readable(path: Path) -> Iterator[str]:
    """The text of a file; what is wrong with it becomes a sentence."""
    try:
        yield path.read_text(encoding="utf-8")
    except OSError as error:
        raise LvcError(f"cannot read {path}: {error.strerror}") from None
    except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
        raise LvcError(f"{path} is not as it should be ({error}); fetch it again") from None


def _folder(place: str) -> Path:
    found = below_data(place)
    if found is None:
        raise LvcError(f"these pairs cannot be made here; set LVC_DATA to a folder that has {place}")
    return found


_FAMILIES = (
    Family("brec", "BREC", brec),
    Family("exp", "EXP", exp),
    Family("csl", "CSL", csl),
    Family("cycles", "two cycles or one", cycle_family),
    Family("small", "connected graphs on up to 8 vertices that 1-WL confuses", small),
)

#: Name -> family.
FAMILIES: dict[str, Family] = {family.name: family for family in _FAMILIES}


def family_called(name: str) -> Family:
    """The family of that name."""
    if name not in FAMILIES:
        raise LvcError(f"unknown family {name!r}; use one of {', '.join(FAMILIES)}")
    return FAMILIES[name]

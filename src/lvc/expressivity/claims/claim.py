"""What a claim is, what checking it can find, and how hard to try."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from lvc.errors import LvcError
from lvc.graph import Graph


@dataclass(frozen=True)
class Effort:
    """How much is tried: all graphs up to so many vertices, so many random graphs, so many visiting orders of each."""

    name: str
    largest: int
    random: int
    orders: int


EFFORTS = {
    "quick": Effort("quick", largest=5, random=8, orders=6),
    "full": Effort("full", largest=7, random=60, orders=6),
}


def effort_called(name: str) -> Effort:
    """The effort of that name.

    >>> effort_called("quick").largest
    5
    """
    if name not in EFFORTS:
        raise LvcError(f"unknown effort {name!r}; use one of {', '.join(EFFORTS)}")
    return EFFORTS[name]


@dataclass(frozen=True)
class Verdict:
    """What was found: the claim held on everything tried, or here is the smallest counterexample."""

    holds: bool
    cases: int
    tried: str  #: what the cases were
    because: str = ""  #: one sentence on why it fails, or on what shows that it holds
    graphs: tuple[Graph, ...] = ()  #: the counterexample, or the example that an existence claim asks for
    marked: tuple[tuple[int, ...], ...] = ()  #: the vertices that matter, for each of the graphs

    @property
    def word(self) -> str:
        """``holds`` or ``fails``."""
        return "holds" if self.holds else "fails"

    def to_json(self) -> dict[str, Any]:
        """A dictionary of plain values; graphs as graph6."""
        return {
            "verdict": self.word,
            "cases": self.cases,
            "tried": self.tried,
            "because": self.because,
            "graphs": [graph.to_graph6() for graph in self.graphs],
            "marked": [list(vertices) for vertices in self.marked],
        }


@dataclass(frozen=True)
class Claim:
    """One statement of the paper, or a reading of ours that shows where it is true or where it ends."""

    id: str
    where: str
    statement: str
    how: str
    check: Callable[[Effort], Verdict]
    reading: bool = False  #: ours, not the paper's wording


def held(
    cases: int, tried: str, because: str = "", graphs: Sequence[Graph] = (), marked: Sequence[Sequence[int]] = ()
) -> Verdict:
    """The verdict of a claim that held on every case."""
    return Verdict(True, cases, tried, because, tuple(graphs), _vertices(graphs, marked))


def failed(
    cases: int, tried: str, because: str, graphs: Sequence[Graph], marked: Sequence[Sequence[int]] = ()
) -> Verdict:
    """The verdict of a claim with a counterexample."""
    return Verdict(False, cases, tried, because, tuple(graphs), _vertices(graphs, marked))


def _vertices(graphs: Sequence[Graph], marked: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], ...]:
    given = [tuple(int(v) for v in vertices) for vertices in marked]
    return tuple(given + [()] * (len(graphs) - len(given)))

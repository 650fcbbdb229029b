"""How many pairs of a family a search tells apart, exactly, and what that costs; and that copies are never told apart.

Pairs are shared among processes; the time of a pair is its own on one thread, compilation not counted.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from lvc.colouring.colour import colour_jointly
from lvc.colouring.compare import distinguishes
from lvc.errors import LvcError, TooLargeError
from lvc.expressivity.families import Category
from lvc.expressivity.named import cycles
from lvc.graph import Graph
from lvc.processes import side_by_side
from lvc.provenance import provenance
from lvc.search.kinds import Search
from lvc.search.parsing import parse_search
from lvc.search.threads import set_num_threads
from lvc.text import aligned, padded

AT_ONCE = 4  # renumbered copies that are refined together


@dataclass(frozen=True)
class CategoryScore:
    """What a search did on one category."""

    name: str
    pairs: int
    which: tuple[int, ...]  # the pairs told apart, counted from 0 within the category
    seconds: float  # all pairs, one after the other
    slowest: float  # seconds of one pair
    refused: int = 0  # pairs that would not fit into memory, and count as not told apart
    times: tuple[float, ...] = ()  # seconds of each pair

    @property
    def told_apart(self) -> int:
        return len(self.which)


@dataclass(frozen=True)
class Score:
    """What a search did on a family."""

    family: str
    search: str
    categories: tuple[CategoryScore, ...]
    about: dict[str, Any] = field(default_factory=dict)  # versions, time, machine

    @property
    def told_apart(self) -> int:
        return sum(one.told_apart for one in self.categories)

    @property
    def pairs(self) -> int:
        return sum(one.pairs for one in self.categories)

    @property
    def seconds(self) -> float:
        return sum(one.seconds for one in self.categories)

    @property
    def refused(self) -> int:
        return sum(one.refused for one in self.categories)

    @property
    def a_pair(self) -> float:
        """Mean seconds of a pair."""
        return self.seconds / max(self.pairs, 1)

    @classmethod
    def from_json(cls, text: str) -> Score:
        try:
            facts = json.loads(text)
            parts = tuple(_category(one) for one in facts["categories"])
            return cls(facts["family"], facts["search"], parts, facts.get("about", {}))
        except (ValueError, TypeError, KeyError) as error:
            raise LvcError(f"this is no line of `lvc brec --out`: {error}") from None


def _category(facts: dict[str, Any]) -> CategoryScore:
    return CategoryScore(**{**facts, "which": tuple(facts["which"]), "times": tuple(facts.get("times", ()))})


Progress = Callable[[], Any]  # called once a pair


def score(
    family: str,
    categories: Sequence[Category],
    search: str | Search,
    jobs: int = 1,
    progress: Progress | None = None,
) -> Score:
    """Try ``search`` on every pair.

    >>> from lvc.expressivity.families import cycle_family
    >>> score("cycles", cycle_family(3), "bfs:2").categories[0].which
    (0,)
    """
    text = str(parse_search(search))
    calls = [(text, first, second) for category in categories for first, second in category.pairs]
    verdicts: Iterator[tuple[bool | None, float]] = _each(_tried, calls, jobs, text)
    parts = []
    for category in categories:
        found = []
        for _ in category.pairs:
            found.append(next(verdicts))
            if progress is not None:
                progress()
        parts.append(
            CategoryScore(
                category.name,
                len(found),
                tuple(i for i, (apart, _) in enumerate(found) if apart),
                round(sum(seconds for _, seconds in found), 4),
                round(max((seconds for _, seconds in found), default=0.0), 4),
                sum(apart is None for apart, _ in found),
                tuple(round(seconds, 5) for _, seconds in found),
            )
        )
    return Score(family, text, tuple(parts), provenance("numba", "numpy"))


def copies_told_apart(
    graphs: Sequence[Graph],
    search: str | Search,
    copies: int = 32,
    seed: int = 0,
    jobs: int = 1,
    progress: Progress | None = None,
) -> list[int]:
    """The graphs that are told apart from a random renumbering of themselves: there must be none.

    >>> copies_told_apart([Graph.from_edges(3, [(0, 1)])], "dfs:1", copies=4)
    []
    """
    text = str(parse_search(search))
    wrong = []
    calls = [(text, graph, copies, seed + i) for i, graph in enumerate(graphs)]
    for i, told in enumerate(_each(_split, calls, jobs, text)):
        if told:
            wrong.append(i)
        if progress is not None:
            progress()
    return wrong


def _tried(search: str, first: Graph, second: Graph) -> tuple[bool | None, float]:
    start = time.perf_counter()
    try:
        apart: bool | None = distinguishes(first, second, search)
    except TooLargeError:
        apart = None
    return apart, time.perf_counter() - start


def _split(search: str, graph: Graph, copies: int, seed: int) -> bool:
    """Whether a copy is told apart; a few at a time, since they are refined side by side."""
    generator = np.random.default_rng(seed)
    for begin in range(0, copies, AT_ONCE):
        some = [graph.relabelled(generator.permutation(graph.n)) for _ in range(min(AT_ONCE, copies - begin))]
        every = colour_jointly([graph, *some], search)
        if len({tuple(np.sort(one.vertex).tolist()) for one in every}) > 1:
            return True
    return False


def _each(function: Callable[..., Any], calls: list[tuple], jobs: int, search: str) -> Iterator[Any]:
    """Results in order, from ``jobs`` processes with one thread each, or from this one."""
    _warm(search)
    if jobs > 1:
        return side_by_side(function, calls, jobs, _begin, (search,), in_order=True)
    return (function(*call) for call in calls)


def _begin(search: str) -> None:
    set_num_threads(1)
    _warm(search)


def _warm(search: str) -> None:
    """Have everything compiled or loaded before the clock runs."""
    distinguishes(*cycles(3), search)


def pareto(scores: Sequence[Score]) -> list[Score]:
    """Those that no other beats in both score and time, cheapest first.

    >>> cheap = Score("f", "wl", (CategoryScore("c", 4, (0,), 1.0, 1.0),))
    >>> dear = Score("f", "fwl2", (CategoryScore("c", 4, (0,), 2.0, 1.0),))
    >>> [one.search for one in pareto([dear, cheap])]
    ['wl']
    """
    front: list[Score] = []
    for one in sorted(scores, key=lambda score: (score.seconds, -score.told_apart)):
        if not front or one.told_apart > front[-1].told_apart:
            front.append(one)
    return front


def scores_table(scores: Sequence[Score], markdown: bool = False) -> str:
    """One line per search: pairs told apart by category, all of them, the time a pair takes; the front is starred.

    A question mark: some pairs were refused for want of memory, and count as not told apart.
    """
    names = [one.name for one in scores[0].categories]
    sizes = {one.name: one.pairs for one in scores[0].categories}
    front = {one.search for one in pareto(scores)}
    total = [] if len(names) == 1 else [f"all {scores[0].pairs}"]
    head = ["search", *(f"{name} {sizes[name]}" for name in names), *total, "ms a pair", "slowest s", "front"]
    lines = [head]
    for one in scores:
        told = [f"{part.told_apart}{'?' if part.refused else ''}" for part in one.categories]
        whole = [str(one.told_apart)] if total else []
        slowest = max(part.slowest for part in one.categories)
        times = [_digits(1000 * one.a_pair, 3), _digits(slowest, 2), "*" if one.search in front else ""]
        lines.append([one.search, *told, *whole, *times])
    if not markdown:
        return "\n".join(aligned(lines))
    shown = padded(lines)
    rule = ["-" * len(shown[0][0]), *("-" * (len(cell) - 1) + ":" for cell in shown[0][1:])]
    return "\n".join(f"| {' | '.join(line)} |" for line in [shown[0], rule, *shown[1:]])


def _digits(number: float, most: int) -> str:
    """So many digits that count, and never a power of ten."""
    return f"{number:.{most}g}" if number < 10**most else f"{number:.0f}"

"""Which search tells which pair of graphs apart: one table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from lvc.colouring.compare import distinguishes
from lvc.expressivity.named import NAMED_PAIRS, NamedPair

SEARCHES = ("wl", "bfs:1", "bfs:2", "bfs:3", "dfs:1", "dfs:2", "fwl2")


class Verdicts(NamedTuple):
    """One pair, and whether each search tells it apart."""

    pair: NamedPair
    told_apart: tuple[bool, ...]


def verdicts(pairs: Iterable[NamedPair] | None = None, searches: Sequence[str] = SEARCHES) -> list[Verdicts]:
    """The verdict of every search on every pair; by default on the named pairs."""
    chosen = NAMED_PAIRS.values() if pairs is None else pairs
    rows = []
    for pair in chosen:
        first, second = pair.make()
        rows.append(Verdicts(pair, tuple(distinguishes(first, second, search) for search in searches)))
    return rows


def verdict_table(rows: Sequence[Verdicts], searches: Sequence[str] = SEARCHES) -> str:
    """The verdicts as text: ``apart`` or a dot."""
    width = max(len(row.pair.title) for row in rows)
    lines = [f"{'':{width}}  " + "  ".join(f"{search:>5}" for search in searches)]
    for row in rows:
        marks = "  ".join("apart" if apart else "    ." for apart in row.told_apart)
        lines.append(f"{row.pair.title:{width}}  {marks}")
    return "\n".join(lines)

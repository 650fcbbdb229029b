"""Refuse what would not fit, before it is begun."""

from __future__ import annotations

import os

from lvc.errors import LvcError
from lvc.graph import Graph

MOST_PAIRS = 2**31 - 1


def available_memory() -> int:
    """Bytes that can be had now; the environment variable ``LVC_MEMORY_GB`` lowers or raises it."""
    told = os.environ.get("LVC_MEMORY_GB")
    if told is not None:
        try:
            return int(float(told) * 2**30)
        except ValueError:
            raise LvcError(f"LVC_MEMORY_GB must be a number of gigabytes, got {told!r}") from None
    try:
        with open("/proc/meminfo") as lines:
            free = next(line for line in lines if line.startswith("MemAvailable"))
        return int(free.split()[1]) * 1024
    except (OSError, StopIteration):
        return 8 * 2**30


def check_fits(needed: int, what: str, graph: Graph, pairs: int = 0) -> None:
    """Raise unless ``needed`` bytes can be had."""
    have = available_memory()
    if needed > have or pairs > MOST_PAIRS:
        raise LvcError(
            f"{what} on {graph.n} vertices needs about {needed / 2**30:.1f} GB and {have / 2**30:.1f} GB can be had; "
            "use a smaller radius, or for bfs the hashed mode (exact=False, --hashed), which stores no pairs"
        )

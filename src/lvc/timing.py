"""How long things take, compared in one run."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Hashable, Mapping
from typing import TypeVar

Key = TypeVar("Key", bound=Hashable)


def medians(runs: Mapping[Key, Callable[[], object]], repeat: int = 7, warm: int = 1) -> dict[Key, float]:
    """Median seconds of each run, after some to warm up; runs take turns, so that a slow moment hits all of them."""
    for run in runs.values():
        for _ in range(warm):
            run()
    times: dict[Key, list[float]] = {name: [] for name in runs}
    for _ in range(repeat):
        for name, run in runs.items():
            times[name].append(seconds(run))
    return {name: statistics.median(values) for name, values in times.items()}


def seconds(run: Callable[[], object]) -> float:
    """How long one run takes."""
    began = time.perf_counter()
    run()
    return time.perf_counter() - began

"""Share the roots among threads, where there is work enough.

Kernels are compiled with ``nogil``, so plain Python threads run them side by side. Unlike numba's own pool this costs
nothing on small graphs, on busy machines and in forked workers, and it leaves the threads of torch alone: numba and
torch share one OpenMP, and starting numba's pool changes how many threads torch uses, and with that its rounding.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from lvc.errors import LvcError

WORTH_A_THREAD = 50_000  # elementary steps; fewer are done before a thread has started

_chosen: int | None = None


def num_threads() -> int:
    """How many threads searches may use: as set, or as ``LVC_THREADS`` says, or as many as there are cores."""
    if _chosen is not None:
        return _chosen
    told = os.environ.get("LVC_THREADS")
    if told is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if not told.isdecimal() or int(told) < 1:
        raise LvcError(f"LVC_THREADS must be a whole number, 1 or more, got {told!r}")
    return int(told)


def set_num_threads(threads: int | None) -> None:
    """Use this many threads from now on; None for the default. Results do not depend on it."""
    global _chosen
    if threads is not None and threads < 1:
        raise LvcError(f"the number of threads must be at least 1, got {threads}")
    _chosen = threads


def in_chunks(kernel: Callable[..., Any], work: int, *arguments: Any) -> list[Any]:
    """``kernel(chunk, chunks, *arguments)`` for every chunk; chunk c takes the items c, c + chunks, ...

    What a kernel writes must not depend on how many chunks there are.
    """
    chunks = min(num_threads(), max(1, work // WORTH_A_THREAD))
    if chunks == 1:
        return [kernel(0, 1, *arguments)]
    with ThreadPoolExecutor(chunks) as pool:
        return list(pool.map(lambda chunk: kernel(chunk, chunks, *arguments), range(chunks)))

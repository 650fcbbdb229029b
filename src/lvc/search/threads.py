"""Share the roots among threads, where there is work enough.

Kernels are compiled with ``nogil``, so plain Python threads run them side by side. Unlike a pool that spins between
calls, this costs nothing on small graphs, on busy machines and in forked workers.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from numba import get_num_threads

WORTH_A_THREAD = 50_000  # elementary steps; fewer are done before a thread has started


def in_chunks(kernel: Callable[..., Any], work: int, *arguments: Any) -> list[Any]:
    """``kernel(chunk, chunks, *arguments)`` for every chunk; chunk c takes the items c, c + chunks, ...

    ``numba.set_num_threads`` says how many threads there may be. What a kernel writes must not depend on the chunk.
    """
    chunks = min(get_num_threads(), max(1, work // WORTH_A_THREAD))
    if chunks == 1:
        return [kernel(0, 1, *arguments)]
    with ThreadPoolExecutor(chunks) as pool:
        return list(pool.map(lambda chunk: kernel(chunk, chunks, *arguments), range(chunks)))

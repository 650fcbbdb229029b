"""Share work among processes."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from lvc.errors import LvcError


def side_by_side(
    function: Callable[..., Any],
    calls: Iterable[tuple],
    jobs: int,
    begin: Callable[..., Any],
    arguments: tuple = (),
    in_order: bool = False,
) -> Iterator[Any]:
    """Results of ``function`` for each of ``calls``, from processes that end with this one's interest in them.

    Every process calls ``begin(*arguments)`` first. Results come as they are ready, or in the order of the calls.
    """
    others = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), _begin, (begin, arguments))
    try:
        work = [pool.submit(function, *call) for call in calls]
        for one in work if in_order else as_completed(work):
            yield one.result()
    except BrokenProcessPool:
        raise LvcError("a process ended before its work was done, perhaps for want of memory; use fewer jobs") from None
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in set(multiprocessing.active_children()) - others:
            process.terminate()


def _begin(begin: Callable[..., Any], arguments: tuple) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the one that started us is told, and ends us
    threading.Thread(target=_end_with_parent, daemon=True).start()
    begin(*arguments)


def _end_with_parent() -> None:
    """If the one that started us is killed, it cannot end us."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)

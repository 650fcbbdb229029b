"""Share work among processes."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Iterable, Iterator
from typing import Any


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
    context = multiprocessing.get_context("spawn")
    with context.Pool(jobs, _begin, (begin, arguments)) as pool:
        each = pool.imap if in_order else pool.imap_unordered
        yield from each(_called, [(function, call) for call in calls])


def _begin(begin: Callable[..., Any], arguments: tuple) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the one that started us is told, and ends us
    begin(*arguments)


def _called(call: tuple[Callable[..., Any], tuple]) -> Any:
    function, arguments = call
    return function(*arguments)

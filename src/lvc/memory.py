"""Refuse what would not fit, before it is begun."""

from __future__ import annotations

import ctypes
import math
import os
import time

from lvc.errors import LvcError, TooLargeError

MOST_PAIRS = 2**31 - 1  # pairs are numbered by int32
UNKNOWN = 8 * 2**30  # where the system does not say
GOOD_FOR = 0.1  # seconds; of many small graphs each is checked, and asking the system takes as long as searching one

_OF_TORCH = ("DefaultCPUAllocator", "Storage size calculation overflowed", "Overflow when unpacking long")

_told_last = (-math.inf, UNKNOWN)  # when, and how much
_keeps = False  # whether this process keeps what it frees


def available_memory() -> int:
    """Bytes that can be had now; the environment variable ``LVC_MEMORY_GB`` says otherwise."""
    told = os.environ.get("LVC_MEMORY_GB")
    if told is not None:
        try:
            gigabytes = float(told)
        except ValueError:
            gigabytes = math.nan
        if not (0 < gigabytes < math.inf):
            raise LvcError(f"LVC_MEMORY_GB must be a number of gigabytes, got {told!r}")
        return int(gigabytes * 2**30)
    return _told_by_the_system() + (_kept_memory() if _keeps else 0)


def _told_by_the_system() -> int:
    global _told_last
    now = time.monotonic()
    if now - _told_last[0] > GOOD_FOR:
        try:
            with open("/proc/meminfo") as lines:
                free = next(line for line in lines if line.startswith("MemAvailable"))
            _told_last = (now, int(free.split()[1]) * 1024)
        except (OSError, StopIteration):
            _told_last = (now, UNKNOWN)
    return _told_last[1]


def keep_freed_memory() -> None:
    """Have this process keep what it frees for its next allocations, up to 2 GB; only glibc can be told.

    An epoch makes the same large tensors as the one before it. Usually each is given back to the system and had again
    as fresh pages of zeros, and that takes time.
    """
    try:
        tell = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):  # no such function, or no way to look for it
        return
    most_mapped, trim_above = -4, -1  # M_MMAP_MAX and M_TRIM_THRESHOLD of malloc.h
    tell(most_mapped, 0)
    tell(trim_above, 2**31 - 1)
    global _keeps
    _keeps = True


class _Malloc(ctypes.Structure):
    """What glibc tells of its heap, in bytes: ``struct mallinfo2`` of malloc.h, whose last but one is what is free."""

    _fields_ = (("others", ctypes.c_size_t * 8), ("free", ctypes.c_size_t), ("last", ctypes.c_size_t))


def _kept_memory() -> int:
    """Bytes that were freed and kept, which the system counts as taken."""
    try:
        ask = ctypes.CDLL(None).mallinfo2
    except (AttributeError, OSError):
        return 0
    ask.restype = _Malloc
    return int(ask().free)


def check_fits(needed: int, what: str, advice: str) -> None:
    """Raise unless ``needed`` bytes can be had."""
    have = available_memory()
    if needed > have:
        sizes = f"{needed / 2**30:.2g} GB and {have / 2**30:.2g} GB can be had"
        raise TooLargeError(f"{what} needs about {sizes}; {advice}")


def check_pairs(pairs: int, what: str, advice: str) -> None:
    """Raise if there are more pairs than can be numbered."""
    if pairs > MOST_PAIRS:
        sizes = f"{pairs} pairs of root and vertex, and at most {MOST_PAIRS} can be stored"
        raise TooLargeError(f"{what} has {sizes}; {advice}")


def says_no_memory(error: Exception) -> bool:
    """Whether an error says that there is not enough memory, or not enough numbers to say how much would be needed.

    >>> says_no_memory(RuntimeError("[...] DefaultCPUAllocator: can't allocate memory"))
    True
    """
    return isinstance(error, MemoryError) or any(words in str(error) for words in _OF_TORCH)

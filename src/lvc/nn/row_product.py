"""Compressed rows times a dense matrix on one thread, eight entries of a row at a time.

Eight rows of the dense factor are on their way from memory at once, where one after the other would be waited for; the
wider they are, the more that is worth. ``python benchmarks/baselines.py`` compares it with torch's.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from numba import njit
from torch import Tensor

WIDE = 64  # columns of the dense factor from which this is as fast as torch's product, or faster


class Arrays(NamedTuple):
    """Compressed rows as numpy keeps them."""

    start: np.ndarray
    column: np.ndarray
    value: np.ndarray


def is_faster(total: Tensor, values: Tensor, dense: Tensor) -> bool:
    """Whether :func:`add_rows` can multiply rows with such values, and is faster than torch, which can use threads."""
    return (
        dense.shape[1] >= WIDE
        and dense.dtype in (torch.float32, torch.float64)
        and total.dtype == values.dtype == dense.dtype
        and total.device.type == values.device.type == dense.device.type == "cpu"
        and total.is_contiguous()
        and torch.get_num_threads() == 1
    )


def add_rows(total: Tensor, rows: Arrays, dense: Tensor, fresh: bool) -> None:
    """``total + rows @ dense`` in the place of ``total``, of which nothing is read if it is ``fresh``.

    Nothing is checked: rows that point past the end of ``dense`` read what happens to stand there.
    """
    right = dense.detach().resolve_neg().contiguous().numpy()
    _add_rows(*rows, right, total.detach().numpy(), fresh)


@njit(cache=True, nogil=True, error_model="numpy", fastmath={"contract"})
def _add_rows(start, column, value, dense, total, fresh):
    width = dense.shape[1]
    for i in range(len(start) - 1):
        row, at, end = total[i], start[i], start[i + 1]
        if fresh:
            row[:] = 0
        while at + 8 <= end:
            a, b, c, d = value[at], value[at + 1], value[at + 2], value[at + 3]
            e, f, g, h = value[at + 4], value[at + 5], value[at + 6], value[at + 7]
            of_a, of_b = dense[column[at]], dense[column[at + 1]]
            of_c, of_d = dense[column[at + 2]], dense[column[at + 3]]
            of_e, of_f = dense[column[at + 4]], dense[column[at + 5]]
            of_g, of_h = dense[column[at + 6]], dense[column[at + 7]]
            for j in range(width):
                first = (a * of_a[j] + b * of_b[j]) + (c * of_c[j] + d * of_d[j])
                second = (e * of_e[j] + f * of_f[j]) + (g * of_g[j] + h * of_h[j])
                row[j] += first + second
            at += 8
        while at + 2 <= end:
            a, b = value[at], value[at + 1]
            of_a, of_b = dense[column[at]], dense[column[at + 1]]
            for j in range(width):
                row[j] += a * of_a[j] + b * of_b[j]
            at += 2
        if at < end:
            a, of_a = value[at], dense[column[at]]
            for j in range(width):
                row[j] += a * of_a[j]

"""Compressed rows times a dense matrix on one thread, with the row that comes out kept in registers.

Numba's loops go through memory for every entry; so what is added up for one row, 64 columns at a time, is written here
as a vector of LLVM's. Rows of the dense factor that are needed soon are fetched ahead.
``python benchmarks/baselines.py`` compares it with torch's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import torch
from llvmlite import ir
from numba import config, njit, types
from numba.core import cgutils
from numba.extending import intrinsic
from torch import Tensor

from lvc.nn.vectors import add_product, everywhere, vector_at

WIDE = 64  # columns of the dense factor from which this is as fast as torch's product, or faster
AHEAD = 8  # entries from the one that is multiplied to the one whose row is fetched
LINE = 64  # bytes that are fetched together


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
        and not config.DISABLE_JIT
    )


def add_rows(total: Tensor, terms: Sequence[tuple[Arrays, Tensor]], fresh: bool) -> None:
    """``total + Σ rows @ dense`` over the terms in the place of ``total``, of which nothing is read if ``fresh``.

    Nothing is checked: rows that point past the end of ``dense`` read what happens to stand there.
    """
    given = tuple((*rows, dense.detach().resolve_neg().contiguous().numpy()) for rows, dense in terms)
    _add_rows(given, total.detach().numpy(), fresh)


def _adder(lanes: int) -> Callable[..., None]:
    """What adds so many columns, from column ``first``, of one row of the products."""

    @intrinsic
    def add(typing, terms, total, row, first, fresh):
        arrays = [total, *(array for term in terms for array in term)]
        reals = {total.dtype, *(array.dtype for term in terms for array in term[2:])}
        if len(reals) > 1 or any(array.layout != "C" for array in arrays):
            return None  # numba says that it does not know such an add
        return types.void(terms, total, types.intp, types.intp, types.boolean), partial(_emit, lanes)

    return add


def _emit(lanes: int, context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """``total[row, first:first + lanes] = (0 if fresh else itself) + Σ value[i] dense[column[i], first:...]``."""
    kinds, kind_of_total = signature.args[:2]
    terms, total, row, first, fresh = arguments
    whole, real = context.get_value_type(types.intp), context.get_value_type(kind_of_total.dtype)
    vector, size = ir.VectorType(real, lanes), context.get_abi_sizeof(real)

    def opened(kind: Any, array: Any) -> Any:
        return context.make_array(kind)(context, builder, array)

    def number(array: Any, i: Any) -> Any:
        return builder.sext(builder.load(builder.gep(array.data, [i])), whole)

    total = opened(kind_of_total, total)

    def place(array: Any, line: Any) -> Any:
        return vector_at(builder, array, line, first, vector)

    here, added = place(total, row), cgutils.alloca_once(builder, vector)
    with builder.if_else(fresh) as (nothing_yet, something):
        with nothing_yet:
            builder.store(ir.Constant(vector, None), added)
        with something:
            builder.store(builder.load(here, align=size), added)
    for k, kind in enumerate(kinds):
        term = builder.extract_value(terms, k)
        start, column, value, dense = (opened(one, builder.extract_value(term, i)) for i, one in enumerate(kind))
        begin, end = number(start, row), number(start, builder.add(row, whole(1)))
        last = builder.sub(builder.extract_value(column.shape, 0), whole(1))
        with cgutils.for_range_slice(builder, begin, end, whole(1), whole) as (i, _):
            soon = builder.add(i, whole(AHEAD))
            soon = builder.select(builder.icmp_signed("<", soon, last), soon, last)  # no column is read past the end
            _fetch(builder, place(dense, number(column, soon)), lanes * size)
            factor = everywhere(builder, builder.load(builder.gep(value.data, [i])), vector)
            add_product(builder, added, factor, builder.load(place(dense, number(column, i)), align=size))
    builder.store(builder.load(added), here, align=size)
    return context.get_dummy_value()


def _fetch(builder: Any, place: Any, size: int) -> None:
    """Have so many bytes brought into the cache; to read, and to stay there."""
    byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
    kind = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
    prefetch = builder.module.declare_intrinsic("llvm.prefetch", [byte], kind)
    begin = builder.bitcast(place, byte)
    for offset in range(0, size, LINE):
        builder.call(prefetch, [builder.gep(begin, [ir.IntType(64)(offset)]), number(0), number(3), number(1)])


_add_64, _add_16, _add_4, _add_1 = (_adder(lanes) for lanes in (64, 16, 4, 1))


@njit(cache=True, nogil=True)
def _add_rows(terms, total, fresh):
    height, width = total.shape
    for row in range(height):
        first = 0
        while first + 64 <= width:
            _add_64(terms, total, row, first, fresh)
            first += 64
        while first + 16 <= width:
            _add_16(terms, total, row, first, fresh)
            first += 16
        while first + 4 <= width:
            _add_4(terms, total, row, first, fresh)
            first += 4
        while first < width:
            _add_1(terms, total, row, first, fresh)
            first += 1

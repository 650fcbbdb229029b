"""A tall matrix times a small one on one thread, with tiles of what comes out kept in registers.

torch gives dense products to Intel's MKL. On processors that are not Intel's it multiplies with vectors of 256 bits
even where there are 512: half of what they can do. ``python benchmarks/baselines.py`` compares. OpenBLAS is hardly
faster, and oneDNN makes a program for every height, of which each batch has its own (docs/how-sgn-is-computed.md).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any

import numpy as np
import torch
from llvmlite import binding, ir
from numba import config, njit, types
from numba.core import cgutils
from numba.extending import intrinsic
from torch import Tensor

from lvc.nn.vectors import add_product, at, everywhere, vector_at

LANES = 16  # numbers of 32 bits in a vector
ROWS = 4  # rows of a tile: with four vectors in each, half of the registers
WORTH = 2**20  # products of two numbers from which a call pays
BLOCK = 64  # rows that are added up together, so that they stay in the cache


def is_faster(size: Sequence[int], given: Sequence[Tensor]) -> bool:
    """Whether a product of this height, inner size and width can be made here of what is given, and faster."""
    height, inner, width = size
    return (
        width % LANES == 0
        and height * inner * width >= WORTH
        and all(one.dtype == torch.float32 and one.layout == torch.strided for one in given)
        and all(one.device.type == "cpu" for one in given)
        and torch.get_num_threads() == 1
        and not config.DISABLE_JIT
        and mkl_is_slow()
    )


@cache
def mkl_is_slow() -> bool:
    """Whether this is a processor of AMD's with vectors of 512 bits; Zen 4 has them, but multiplies half by half."""
    name = binding.get_host_cpu_name()
    kind = name.removeprefix("znver")
    return kind != name and kind.isdecimal() and int(kind) >= 5 and bool(binding.get_host_cpu_features().get("avx512f"))


def multiply(onto: np.ndarray, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """``onto + left @ right``; ``onto`` may be one row, which is added to all."""
    total = np.empty((len(left), right.shape[1]), left.dtype)
    _multiply(total, onto, left, right)
    return total


def multiply_turned(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """``left.T @ right`` of two tall matrices."""
    total = np.zeros((left.shape[1], right.shape[1]), left.dtype)
    _multiply_turned(total, left, right)
    return total


def _tile(rows: int, vectors: int, turned: bool) -> Callable[..., None]:
    """What makes so many rows and vectors of a product, from ``row`` and column ``first``.

    ``left[row, k]`` is multiplied with ``right[k]``, or ``left[k, row]`` if it is turned, for every k from ``begin`` to
    ``end``, and added to ``onto[row]``, or to its only row.
    """

    @intrinsic
    def tile(typing, total, onto, left, right, row, first, begin, end):
        arrays = (total, onto, left, right)
        if any(array.layout != "C" or array.dtype != types.float32 for array in arrays):
            return None  # numba says that it does not know such a tile
        return types.void(*arrays, *[types.intp] * 4), partial(_emit, rows, vectors, turned)

    return tile


def _emit(rows: int, vectors: int, turned: bool, context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    whole, real = context.get_value_type(types.intp), context.get_value_type(types.float32)
    vector, size = ir.VectorType(real, LANES), context.get_abi_sizeof(real)
    row, first, begin, end = arguments[4:]
    total, onto, left, right = (
        context.make_array(kind)(context, builder, one)
        for kind, one in zip(signature.args[:4], arguments[:4], strict=True)
    )
    one_row = builder.icmp_signed("==", builder.extract_value(onto.shape, 0), whole(1))
    here = [builder.add(row, whole(r)) for r in range(rows)]
    columns = [builder.add(first, whole(v * LANES)) for v in range(vectors)]
    sums = [[cgutils.alloca_once(builder, vector) for _ in columns] for _ in here]
    for i, line in zip(here, sums, strict=True):
        from_row = builder.select(one_row, whole(0), i)
        for j, one in zip(columns, line, strict=True):
            builder.store(builder.load(vector_at(builder, onto, from_row, j, vector), align=size), one)
    with cgutils.for_range_slice(builder, begin, end, whole(1), whole) as (k, _):
        others = [builder.load(vector_at(builder, right, k, j, vector), align=size) for j in columns]
        for i, line in zip(here, sums, strict=True):
            factor = everywhere(builder, builder.load(at(builder, left, *((k, i) if turned else (i, k)))), vector)
            for one, other in zip(line, others, strict=True):
                add_product(builder, one, factor, other)
    for i, line in zip(here, sums, strict=True):
        for j, one in zip(columns, line, strict=True):
            builder.store(builder.load(one), vector_at(builder, total, i, j, vector), align=size)
    return context.get_dummy_value()


_wide, _wide_row = _tile(ROWS, 4, False), _tile(1, 4, False)
_narrow, _narrow_row = _tile(ROWS, 1, False), _tile(1, 1, False)
_wide_turned, _wide_turned_row = _tile(ROWS, 4, True), _tile(1, 4, True)
_narrow_turned, _narrow_turned_row = _tile(ROWS, 1, True), _tile(1, 1, True)


@njit(cache=True, nogil=True)
def _multiply(total, onto, left, right):
    (height, width), inner = total.shape, len(right)
    whole, wide = height - height % ROWS, width - width % (4 * LANES)
    for first in range(0, wide, 4 * LANES):
        for row in range(0, whole, ROWS):
            _wide(total, onto, left, right, row, first, 0, inner)
        for row in range(whole, height):
            _wide_row(total, onto, left, right, row, first, 0, inner)
    for first in range(wide, width, LANES):
        for row in range(0, whole, ROWS):
            _narrow(total, onto, left, right, row, first, 0, inner)
        for row in range(whole, height):
            _narrow_row(total, onto, left, right, row, first, 0, inner)


@njit(cache=True, nogil=True)
def _multiply_turned(total, left, right):
    (height, width), inner = total.shape, len(right)
    whole, wide = height - height % ROWS, width - width % (4 * LANES)
    for begin in range(0, inner, BLOCK):
        end = min(begin + BLOCK, inner)
        for first in range(0, wide, 4 * LANES):
            for row in range(0, whole, ROWS):
                _wide_turned(total, total, left, right, row, first, begin, end)
            for row in range(whole, height):
                _wide_turned_row(total, total, left, right, row, first, begin, end)
        for first in range(wide, width, LANES):
            for row in range(0, whole, ROWS):
                _narrow_turned(total, total, left, right, row, first, begin, end)
            for row in range(whole, height):
                _narrow_turned_row(total, total, left, right, row, first, begin, end)

"""Rows of constant sparse matrices: cut into panels for the cache, joined along a diagonal, taken out of it."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np
import scipy.sparse as sp
import torch
from numba import njit
from torch import Tensor

from lvc.errors import LvcError
from lvc.nn.row_product import Arrays

PANEL = 1024  # rows of the dense factor that are read together, so that they stay in the cache
FULL = 32  # entries that a row of a panel must have on average for panels to pay


class Rows:
    """A sparse matrix by rows; what is multiplied with is made when it is needed.

    These are panels of columns: where rows are long, going panel by panel finds the dense factor in the cache. They are
    numpy's arrays for our own product, and torch's tensors, in the same memory, for torch's.
    """

    def __init__(
        self,
        shape: tuple[int, int],
        like: Tensor,
        arrays: Arrays | None = None,
        panels: list[Tensor] | None = None,
        corners: np.ndarray | None = None,
    ) -> None:
        self.shape, self.like, self._arrays, self._panels = shape, like.new_empty(0), arrays, panels
        self._pieces: list[Arrays] | None = None
        self._corners = corners  # int64[2, blocks + 1]: where blocks along the diagonal begin, and where the last ends

    @classmethod
    def of(cls, matrix: sp.csr_matrix, like: Tensor) -> Rows:
        matrix.sort_indices()
        index = np.int64 if max(matrix.nnz, *matrix.shape) >= 2**31 else np.int32
        value = np.asarray(matrix.data).astype(numpy_dtype(like.dtype), copy=False)
        arrays = Arrays(matrix.indptr.astype(index, copy=False), matrix.indices.astype(index, copy=False), value)
        return cls(matrix.shape, like, arrays)

    @classmethod
    def block_diagonal(cls, blocks: Sequence[Rows]) -> Rows:
        if len(blocks) == 1 and blocks[0]._corners is not None:
            return blocks[0]
        corners = np.zeros((2, len(blocks) + 1), np.int64)
        np.cumsum(np.array([block.shape for block in blocks]).T, axis=1, out=corners[:, 1:])
        height, width = (int(end) for end in corners[:, -1])
        starts, columns, values = zip(*[block.arrays for block in blocks], strict=True)
        ends = np.cumsum([0, *map(len, columns)])
        index = np.int64 if max(ends[-1], height, width) >= 2**31 else np.int32
        start = np.empty(height + 1, index)
        start[0] = 0
        np.concatenate([one[1:] for one in starts], out=start[1:], casting="same_kind")
        column = np.concatenate(columns, dtype=index)
        _add_to_blocks(start[1:], corners[0], ends[:-1])
        _add_to_blocks(column, ends, corners[1])
        arrays = Arrays(start, column, np.concatenate(values))
        finer = [np.zeros((2, 1), np.int64) if one._corners is None else one._corners[:, :-1] for one in blocks]
        within = [first[:, None] + one for first, one in zip(corners.T, finer, strict=False)]
        return cls((height, width), blocks[0].like, arrays, corners=np.concatenate([*within, corners[:, -1:]], axis=1))

    def mark(self, corners: np.ndarray) -> None:
        """Say where blocks along the diagonal begin, in rows and in columns, and where the last ends."""
        self._corners = corners

    def blocks(self, numbers: np.ndarray) -> Rows:
        """Some of the blocks along the diagonal, along that of a smaller matrix."""
        assert self._corners is not None
        arrays = self.arrays
        height, width, count = _size_of_blocks(arrays.start, self._corners, numbers)
        taken = Arrays(
            np.empty(height + 1, arrays.start.dtype),
            np.empty(count, arrays.column.dtype),
            np.empty(count, arrays.value.dtype),
        )
        _take_blocks(arrays, self._corners, numbers, taken)
        return Rows((height, width), self.like, taken)

    @property
    def arrays(self) -> Arrays:
        if self._arrays is None:
            whole = sp.hstack([_scipy(panel) for panel in self.panels], format="csr")
            return Arrays(whole.indptr, whole.indices, whole.data)
        return self._arrays

    @property
    def count(self) -> int:
        """How many entries there are."""
        if self._arrays is not None:
            return len(self._arrays.value)
        return sum(panel.values().numel() for panel in self.panels)

    @property
    def panels(self) -> list[Tensor]:
        """Torch's; no panel at all if there are no entries, which torch does not multiply with."""
        if self._panels is None:
            sizes = [(self.shape[0], width) for width in self.widths]
            self._panels = [self._tensor(piece, size) for piece, size in zip(self.pieces, sizes, strict=True)]
        return self._panels

    @property
    def pieces(self) -> list[Arrays]:
        """The panels as numpy keeps them."""
        if self._pieces is None:
            if self._panels is not None:
                self._pieces = [Arrays(*map(Tensor.numpy, parts_of(panel))) for panel in self._panels]
            else:
                assert self._arrays is not None
                self._pieces = self._cut(self._arrays)
                if len(self._pieces) > 1:
                    self._arrays = None  # a single panel shares their memory, several do not
        return self._pieces

    @property
    def widths(self) -> list[int]:
        """Columns of each panel."""
        if self._panels is not None:
            return [panel.shape[1] for panel in self._panels]
        if len(self.pieces) < 2:
            return [self.shape[1]] * len(self.pieces)
        return [min(PANEL, self.shape[1] - first) for first in range(0, self.shape[1], PANEL)]

    def _cut(self, arrays: Arrays) -> list[Arrays]:
        height, width = self.shape
        if len(arrays.value) == 0:
            return []
        if len(arrays.value) < FULL * height * -(-width // PANEL):
            return [arrays]
        columns = sp.csr_matrix((arrays.value, arrays.column, arrays.start), shape=self.shape).tocsc()
        pieces = [columns[:, first : first + PANEL].tocsr() for first in range(0, width, PANEL)]
        for piece in pieces:
            piece.sort_indices()
        return [Arrays(one.indptr, one.indices, one.data) for one in pieces]

    def _tensor(self, arrays: Arrays, shape: tuple[int, int]) -> Tensor:
        start, column, value = map(torch.from_numpy, arrays)
        return compressed(start, column, value, shape).to(self.like.device)


def csr(matrix: sp.csr_matrix, like: Tensor) -> Tensor:
    """``matrix`` as torch's own compressed rows, in the dtype and on the device of ``like``."""
    rows = Rows.of(matrix, like)
    return rows._tensor(rows.arrays, matrix.shape)


def compressed(rows: Tensor, columns: Tensor, values: Tensor, shape: tuple[int, ...]) -> Tensor:
    return torch.sparse_csr_tensor(rows, columns, values, shape, check_invariants=False)


def parts_of(panel: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Where its rows begin, the columns of its entries, and these."""
    return panel.crow_indices(), panel.col_indices(), panel.values()


with warnings.catch_warnings():  # torch says once that compressed rows are beta and not checked; here, unheard
    warnings.filterwarnings("ignore", message="Sparse (CSR tensor support|invariant checks)")
    torch.sparse_csr_tensor(torch.tensor([0, 1]), torch.tensor([0]), torch.ones(1), (1, 1))


@njit(cache=True)
def _add_to_blocks(numbers, bounds, added):
    """``added[b]`` to the numbers from ``bounds[b]`` to ``bounds[b + 1]``."""
    for b in range(len(bounds) - 1):
        for i in range(bounds[b], bounds[b + 1]):
            numbers[i] += added[b]


@njit(cache=True)
def _size_of_blocks(start, corners, numbers):
    """Height, width and entries of the matrix that has these blocks along its diagonal."""
    height, width, count = 0, 0, 0
    for number in numbers:
        top, bottom = corners[0, number], corners[0, number + 1]
        height += bottom - top
        width += corners[1, number + 1] - corners[1, number]
        count += start[bottom] - start[top]
    return height, width, count


@njit(cache=True)
def _take_blocks(arrays, corners, numbers, taken):
    (start, column, value), (new_start, new_column, new_value) = arrays, taken
    at, row, left = 0, 0, 0
    new_start[0] = 0
    for number in numbers:
        top, bottom = corners[0, number], corners[0, number + 1]
        first, last = start[top], start[bottom]
        for i in range(bottom - top):
            new_start[row + 1 + i] = start[top + 1 + i] - first + at
        for i in range(last - first):
            new_column[at + i] = column[first + i] - corners[1, number] + left
            new_value[at + i] = value[first + i]
        at, row = at + last - first, row + bottom - top
        left += corners[1, number + 1] - corners[1, number]


def numpy_dtype(dtype: torch.dtype) -> np.dtype:
    if dtype in (torch.float16, torch.bfloat16):
        raise LvcError(
            f"sparse products take float32 or float64, not {dtype}; use model.float() and x.float(), and no autocast"
        )
    return torch.empty(0, dtype=dtype).numpy().dtype


def _scipy(panel: Tensor) -> sp.csr_matrix:
    start, column, value = (part.cpu().numpy() for part in parts_of(panel))
    return sp.csr_matrix((value, column, start), shape=tuple(panel.shape))

"""Constant sparse matrices times dense ones: both ways are compressed-row products, never a gather and scatter."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np
import scipy.sparse as sp
import torch
from numba import njit
from torch import Tensor

from lvc.errors import LvcError
from lvc.nn.row_product import Arrays, add_rows, is_faster

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
        value = np.asarray(matrix.data).astype(_numpy_dtype(like.dtype), copy=False)
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
        counts = np.array([len(column) for column in columns])
        index = np.int64 if max(counts.sum(), height, width) >= 2**31 else np.int32
        start = np.empty(height + 1, index)
        start[0] = 0
        np.concatenate([one[1:] for one in starts], out=start[1:], casting="same_kind")
        start[1:] += np.repeat((np.cumsum(counts) - counts).astype(index), np.diff(corners[0]))
        column = np.concatenate(columns, dtype=index)
        column += np.repeat(corners[1, :-1].astype(index), counts)
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
                self._pieces = [Arrays(*map(Tensor.numpy, _parts(panel))) for panel in self._panels]
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


JoinedRows = dict[tuple[int, ...], tuple[list[Rows], Rows]]
TakenRows = dict[int, Rows]


class Matrix:
    """A constant sparse matrix kept by rows, and its transpose kept by rows for the way back."""

    def __init__(self, forward: Rows, backward: Rows) -> None:
        self.shape, self.forward, self.backward = forward.shape, forward, backward

    @classmethod
    def of(cls, matrix: sp.spmatrix, like: Tensor) -> Matrix:
        """``matrix`` in the dtype and on the device of ``like``."""
        return cls(Rows.of(matrix.tocsr(), like), Rows.of(matrix.T.tocsr(), like))

    @classmethod
    def symmetric(cls, matrix: sp.spmatrix, like: Tensor) -> Matrix:
        """A matrix that is its own transpose, kept once."""
        rows = Rows.of(matrix.tocsr(), like)
        return cls(rows, rows)

    @classmethod
    def block_diagonal(cls, blocks: Sequence[Matrix], known: JoinedRows | None = None) -> Matrix:
        """The blocks along the diagonal of one matrix; rows that are ``known`` are not joined again."""
        known = {} if known is None else known
        sides = []
        for rows in ([block.forward for block in blocks], [block.backward for block in blocks]):
            key = tuple(map(id, rows))
            if key not in known:
                known[key] = rows, Rows.block_diagonal(rows)  # with the rows themselves, so that ids stay theirs
            sides.append(known[key][1])
        return cls(*sides)

    def mark(self, rows: np.ndarray, columns: np.ndarray) -> None:
        """Say in which rows and columns the blocks along the diagonal begin, and where the last ends."""
        self.forward.mark(np.stack([rows, columns]))
        self.backward.mark(np.stack([columns, rows]))

    def blocks(self, numbers: np.ndarray, known: TakenRows) -> Matrix:
        """Some of the blocks along the diagonal; rows that are ``known`` are not taken again."""
        for rows in (self.forward, self.backward):
            if id(rows) not in known:
                known[id(rows)] = rows.blocks(numbers)
        return Matrix(known[id(self.forward)], known[id(self.backward)])

    @property
    def transposed(self) -> Matrix:
        return Matrix(self.backward, self.forward)

    def __matmul__(self, dense: Tensor) -> Tensor:
        return sum_of_products([(self, dense)])

    def with_values(self, places: Matrix, values: Tensor) -> Matrix:
        """The same pattern with other entries; ``places``, of this pattern too, says which of ``values`` goes where."""
        forward, backward = (
            [
                compressed(*_parts(panel)[:2], values[place.values()], panel.shape)
                for panel, place in zip(side.panels, numbers.panels, strict=True)
            ]
            for side, numbers in ((self.forward, places.forward), (self.backward, places.backward))
        )
        return Matrix(
            Rows(self.forward.shape, values, panels=forward), Rows(self.backward.shape, values, panels=backward)
        )

    def dense(self, like: Tensor) -> Tensor:
        """The same matrix in full."""
        if not self.forward.panels:
            return like.new_zeros(self.shape)
        return torch.cat([panel.to_dense() for panel in self.forward.panels], dim=1)

    def __repr__(self) -> str:
        count = sum(panel.values().numel() for panel in self.forward.panels)
        return f"Matrix({self.shape[0]} x {self.shape[1]}, {count} entries)"


def entries(rows: np.ndarray, columns: np.ndarray, values: np.ndarray, shape: tuple[int, int]) -> sp.coo_matrix:
    """The matrix with these entries; entries at the same place add up."""
    return sp.coo_matrix((values, (rows, columns)), shape=shape)


Grid = Sequence[Sequence[Matrix | None]]


def sum_of_products(terms: Sequence[tuple[Matrix, Tensor]], onto: Tensor | None = None) -> Tensor:
    """``onto + Σ matrix @ dense`` over the terms, added up in place; ``onto``, if given, is overwritten."""
    matrices, dense = zip(*terms, strict=True)
    return sums_of_products([matrices], dense, [onto])[0]


@torch.compiler.disable
def sums_of_products(grid: Grid, dense: Sequence[Tensor], onto: Sequence[Tensor | None] | None = None) -> list[Tensor]:
    """``onto[i] + Σ_j grid[i][j] @ dense[j]`` for every row i of the grid; None stands for a matrix of zeros.

    What is met several times has its gradient added up in one go. ``onto[i]``, if given, is overwritten; so it must not
    be one of ``dense``, nor a view if there are several rows.
    """
    onto = [None] * len(grid) if onto is None else onto
    return list(_SumsOfProducts.apply(tuple(map(tuple, grid)), *onto, *dense))


class _SumsOfProducts(torch.autograd.Function):
    @staticmethod
    def forward(ctx, grid, *tensors):
        onto, dense = tensors[: len(grid)], tensors[len(grid) :]
        ctx.grid = grid
        ctx.set_materialize_grads(False)
        ctx.mark_dirty(*[total for total in onto if total is not None])
        return tuple(
            _added(total, [(matrix, right) for matrix, right in zip(row, dense, strict=True) if matrix is not None])
            for total, row in zip(onto, grid, strict=True)
        )

    @staticmethod
    def backward(ctx, *gradients):
        known = [i for i, gradient in enumerate(gradients) if gradient is not None]
        needed = ctx.needs_input_grad[1:]
        back = [None] * (len(needed) - len(gradients))
        columns = list(zip(*(ctx.grid[i] for i in known), strict=True))
        wanted = [j for j, column in enumerate(columns) if needed[len(gradients) + j] and any(column)]
        if wanted:
            turned = [[None if one is None else one.transposed for one in columns[j]] for j in wanted]
            found = sums_of_products(turned, [gradients[i] for i in known])
            for j, gradient in zip(wanted, found, strict=True):
                back[j] = gradient
        passed = [gradient if wished else None for gradient, wished in zip(gradients, needed, strict=False)]
        return (None, *passed, *back)


def _added(total: Tensor | None, terms: Sequence[tuple[Matrix, Tensor]]) -> Tensor:
    """``total + Σ matrix @ dense`` in the place of ``total``, or fresh if it is None."""
    fresh, together = total is None, []
    for matrix, right in terms:
        if right.dim() != 2 or len(right) != matrix.shape[1]:
            raise LvcError(
                f"a matrix of shape {matrix.shape} takes as many rows as it has columns, got {list(right.shape)}"
            )
        if total is None:  # with beta = 0 what stands there is not read; torch's own `@` would write it three times
            total = right.new_empty(matrix.shape[0], right.shape[1])
        elif total.shape != (matrix.shape[0], right.shape[1]):
            raise LvcError(f"{list(total.shape)} cannot take a product of shape {[matrix.shape[0], right.shape[1]]}")
        rows, first = matrix.forward, 0
        ours = is_faster(total, rows.like, right)
        if ours and len(rows.pieces) == 1:
            together.append((rows.pieces[0], right))
            continue
        for number, width in enumerate(rows.widths):
            part = right[first : first + width]
            if ours:
                add_rows(total, [(rows.pieces[number], part)], fresh)
            else:
                total.addmm_(rows.panels[number], part, beta=0 if fresh else 1)
            first, fresh = first + width, False
    assert total is not None
    if together:
        add_rows(total, together, fresh)
        fresh = False
    return total.zero_() if fresh else total


def csr(matrix: sp.csr_matrix, like: Tensor) -> Tensor:
    """``matrix`` as torch's own compressed rows, in the dtype and on the device of ``like``."""
    rows = Rows.of(matrix, like)
    return rows._tensor(rows.arrays, matrix.shape)


def compressed(rows: Tensor, columns: Tensor, values: Tensor, shape: tuple[int, ...]) -> Tensor:
    return torch.sparse_csr_tensor(rows, columns, values, shape, check_invariants=False)


with warnings.catch_warnings():  # torch says once that compressed rows are beta and not checked; here, unheard
    warnings.filterwarnings("ignore", message="Sparse (CSR tensor support|invariant checks)")
    torch.sparse_csr_tensor(torch.tensor([0, 1]), torch.tensor([0]), torch.ones(1), (1, 1))


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
    at, row, first = 0, 0, 0
    new_start[0] = 0
    for number in numbers:
        shift = first - corners[1, number]
        for old in range(corners[0, number], corners[0, number + 1]):
            for i in range(start[old], start[old + 1]):
                new_column[at] = column[i] + shift
                new_value[at] = value[i]
                at += 1
            row += 1
            new_start[row] = at
        first += corners[1, number + 1] - corners[1, number]


def _numpy_dtype(dtype: torch.dtype) -> np.dtype:
    return torch.empty(0, dtype=dtype).numpy().dtype


def _parts(panel: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    return panel.crow_indices(), panel.col_indices(), panel.values()


def _scipy(panel: Tensor) -> sp.csr_matrix:
    start, column, value = (part.cpu().numpy() for part in _parts(panel))
    return sp.csr_matrix((value, column, start), shape=tuple(panel.shape))

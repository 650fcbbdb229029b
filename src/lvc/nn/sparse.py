"""Constant sparse matrices times dense ones: both ways are compressed-row products, never a gather and scatter."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import scipy.sparse as sp
import torch
from torch import Tensor

from lvc.errors import LvcError
from lvc.nn.compressing import by_rows, turned
from lvc.nn.row_product import Arrays, add_rows, is_faster
from lvc.nn.rows import Rows, compressed, numpy_dtype, parts_of

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
    def of_entries(
        cls, row: np.ndarray, column: np.ndarray, value: np.ndarray, shape: tuple[int, int], like: Tensor
    ) -> Matrix:
        """The matrix with these entries; those at the same place add up, and zeros are left out."""
        return cls.of_rows(by_rows(row, column, value, shape, numpy_dtype(like.dtype)), shape, like)

    @classmethod
    def of_rows(cls, arrays: Arrays, shape: tuple[int, int], like: Tensor) -> Matrix:
        """The matrix with these rows."""
        return cls(Rows(shape, like, arrays), Rows(shape[::-1], like, turned(arrays, shape[1])))

    @classmethod
    def diagonal(cls, value: np.ndarray, like: Tensor) -> Matrix:
        every = np.arange(len(value) + 1, dtype=np.int32 if len(value) < 2**31 else np.int64)
        arrays = Arrays(every, every[:-1], value.astype(numpy_dtype(like.dtype)))
        rows = Rows((len(value), len(value)), like, arrays)
        return cls(rows, rows)

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
                compressed(*parts_of(panel)[:2], values[place.values()], panel.shape)
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
        return f"Matrix({self.shape[0]} x {self.shape[1]}, {self.forward.count} entries)"


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
    return list(_SumsOfProducts.apply(grid, *onto, *dense))


class _SumsOfProducts(torch.autograd.Function):
    @staticmethod
    def forward(ctx, grid, *tensors):
        onto, dense = tensors[: len(grid)], tensors[len(grid) :]
        ctx.grid = grid
        ctx.set_materialize_grads(False)
        ctx.mark_dirty(*[total for total in onto if total is not None])
        return tuple(_products(grid, onto, dense))

    @staticmethod
    def backward(ctx, *gradients):
        known = [i for i, gradient in enumerate(gradients) if gradient is not None]
        needed = ctx.needs_input_grad[1:]
        back = [None] * (len(needed) - len(gradients))
        columns = list(zip(*(ctx.grid[i] for i in known), strict=True))
        wanted = [j for j, column in enumerate(columns) if needed[len(gradients) + j] and any(column)]
        if wanted:
            turned = [[None if one is None else one.transposed for one in columns[j]] for j in wanted]
            arrived: list[Tensor] = [gradients[i] for i in known]
            twice = torch.is_grad_enabled()  # the gradient is to have a gradient
            found = sums_of_products(turned, arrived) if twice else _products(turned, [None] * len(turned), arrived)
            for j, gradient in zip(wanted, found, strict=True):
                back[j] = gradient
        passed = [gradient if wished else None for gradient, wished in zip(gradients, needed, strict=False)]
        return (None, *passed, *back)


def _products(grid: Grid, onto: Sequence[Tensor | None], dense: Sequence[Tensor]) -> list[Tensor]:
    return [
        _added(total, [(matrix, right) for matrix, right in zip(row, dense, strict=True) if matrix is not None])
        for total, row in zip(onto, grid, strict=True)
    ]


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

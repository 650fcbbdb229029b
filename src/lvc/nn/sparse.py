"""Constant sparse matrices times dense ones: both ways are compressed-row products, never a gather and scatter."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np
import scipy.sparse as sp
import torch
from torch import Tensor

PANEL = 1024  # rows of the dense factor that are read together, so that they stay in the cache
FULL = 32  # entries that a row of a panel must have on average for panels to pay


class Matrix:
    """A constant sparse matrix kept by rows, and its transpose kept by rows for the way back.

    Each is kept as panels of columns: where rows are long, going panel by panel finds the dense factor in the cache.
    """

    def __init__(self, shape: tuple[int, int], forward: list[Tensor], backward: list[Tensor]) -> None:
        self.shape, self.forward, self.backward = shape, forward, backward

    @classmethod
    def of(cls, matrix: sp.spmatrix, like: Tensor) -> Matrix:
        """``matrix`` in the dtype and on the device of ``like``."""
        return cls(matrix.shape, _panels(matrix.tocsr(), like), _panels(matrix.T.tocsr(), like))

    @property
    def transposed(self) -> Matrix:
        return Matrix((self.shape[1], self.shape[0]), self.backward, self.forward)

    def __matmul__(self, dense: Tensor) -> Tensor:
        return sum_of_products([(self, dense)])

    def with_values(self, places: Matrix, values: Tensor) -> Matrix:
        """The same pattern with other entries; ``places``, of this pattern too, says which of ``values`` goes where."""
        forward, backward = (
            [
                compressed(panel.crow_indices(), panel.col_indices(), values[place.values()], panel.shape)
                for panel, place in zip(panels, numbers, strict=True)
            ]
            for panels, numbers in ((self.forward, places.forward), (self.backward, places.backward))
        )
        return Matrix(self.shape, forward, backward)

    def dense(self, like: Tensor) -> Tensor:
        """The same matrix in full."""
        if not self.forward:
            return like.new_zeros(self.shape)
        return torch.cat([panel.to_dense() for panel in self.forward], dim=1)

    def __repr__(self) -> str:
        count = sum(panel.values().numel() for panel in self.forward)
        return f"Matrix({self.shape[0]} x {self.shape[1]}, {count} entries)"


def entries(rows: np.ndarray, columns: np.ndarray, values: np.ndarray, shape: tuple[int, int]) -> sp.coo_matrix:
    """The matrix with these entries; entries at the same place add up."""
    return sp.coo_matrix((values, (rows, columns)), shape=shape)


@torch.compiler.disable
def sum_of_products(terms: Sequence[tuple[Matrix, Tensor]], onto: Tensor | None = None) -> Tensor:
    """``onto + Σ matrix @ dense`` over the terms, added up in place; ``onto``, if given, is overwritten."""
    matrices, dense = zip(*terms, strict=True)
    return _SumOfProducts.apply(matrices, onto, *dense)


class _SumOfProducts(torch.autograd.Function):
    @staticmethod
    def forward(ctx, matrices, onto, *dense):
        ctx.matrices = matrices
        if onto is not None:
            ctx.mark_dirty(onto)
        total = onto
        for matrix, right in zip(matrices, dense, strict=True):
            total = _add_product(total, matrix, right)
        return total

    @staticmethod
    def backward(ctx, gradient):
        back = [
            _SumOfProducts.apply((matrix.transposed,), None, gradient) if needed else None
            for matrix, needed in zip(ctx.matrices, ctx.needs_input_grad[2:], strict=True)
        ]
        return (None, gradient if ctx.needs_input_grad[1] else None, *back)


def _add_product(total: Tensor | None, matrix: Matrix, right: Tensor) -> Tensor:
    first, fresh = 0, total is None
    if total is None:  # with beta = 0 what stands there is not read; torch's own `@` would write it three times
        total = right.new_empty(matrix.shape[0], right.shape[1])
    for panel in matrix.forward:
        total.addmm_(panel, right[first : first + panel.shape[1]], beta=0 if fresh else 1)
        first, fresh = first + panel.shape[1], False
    return total.zero_() if fresh else total


def _panels(matrix: sp.csr_matrix, like: Tensor) -> list[Tensor]:
    """No panel at all if there are no entries, which torch does not multiply with."""
    height, width = matrix.shape
    if matrix.nnz == 0:
        return []
    panels = -(-width // PANEL)
    if matrix.nnz < FULL * height * panels:
        return [csr(matrix, like)]
    columns = matrix.tocsc()
    return [csr(columns[:, first : first + PANEL].tocsr(), like) for first in range(0, width, PANEL)]


def csr(matrix: sp.csr_matrix, like: Tensor) -> Tensor:
    matrix.sort_indices()
    wide = max(matrix.nnz, *matrix.shape) >= 2**31
    index = torch.int64 if wide else torch.int32
    return compressed(
        torch.as_tensor(matrix.indptr, dtype=index),
        torch.as_tensor(matrix.indices, dtype=index),
        torch.as_tensor(np.asarray(matrix.data), dtype=like.dtype),
        matrix.shape,
    ).to(like.device)


def compressed(rows: Tensor, columns: Tensor, values: Tensor, shape: tuple[int, ...]) -> Tensor:
    with warnings.catch_warnings():  # torch calls compressed rows beta and says that it does not check them
        warnings.filterwarnings("ignore", message="Sparse (CSR tensor support|invariant checks)")
        return torch.sparse_csr_tensor(rows, columns, values, shape)

"""Constant sparse matrices times dense ones: both ways are compressed-row products, never a gather and scatter."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np
import scipy.sparse as sp
import torch
from torch import Tensor


class Matrix:
    """A constant sparse matrix kept by rows, and its transpose kept by rows for the way back."""

    def __init__(self, forward: Tensor, backward: Tensor) -> None:
        self.forward, self.backward = forward, backward

    @classmethod
    def of(cls, matrix: sp.spmatrix, like: Tensor) -> Matrix:
        """``matrix`` in the dtype and on the device of ``like``."""
        return cls(_csr(matrix.tocsr(), like), _csr(matrix.T.tocsr(), like))

    @property
    def transposed(self) -> Matrix:
        return Matrix(self.backward, self.forward)

    @property
    def shape(self) -> torch.Size:
        return self.forward.shape

    def __matmul__(self, dense: Tensor) -> Tensor:
        return sum_of_products([(self, dense)])

    def __repr__(self) -> str:
        return f"Matrix({self.shape[0]} x {self.shape[1]}, {self.forward.values().numel()} entries)"


def entries(rows: np.ndarray, columns: np.ndarray, values: np.ndarray, shape: tuple[int, int]) -> sp.coo_matrix:
    """The matrix with these entries; entries at the same place add up."""
    return sp.coo_matrix((values, (rows, columns)), shape=shape)


@torch.compiler.disable
def sum_of_products(terms: Sequence[tuple[Matrix, Tensor]]) -> Tensor:
    """``Σ matrix @ dense`` over the terms, added in place as the products go."""
    matrices, dense = zip(*terms, strict=True)
    return _SumOfProducts.apply(matrices, *dense)


class _SumOfProducts(torch.autograd.Function):
    @staticmethod
    def forward(ctx, matrices, *dense):
        ctx.matrices = matrices
        total = None
        for matrix, right in zip(matrices, dense, strict=True):
            total = _add_product(total, matrix.forward, right)
        return total

    @staticmethod
    def backward(ctx, gradient):
        needed = ctx.needs_input_grad[1:]
        back = [
            _SumOfProducts.apply((matrix.transposed,), gradient) if need else None
            for matrix, need in zip(ctx.matrices, needed, strict=True)
        ]
        return (None, *back)


def _add_product(total: Tensor | None, matrix: Tensor, right: Tensor) -> Tensor:
    if matrix.values().numel() == 0:
        return right.new_zeros(matrix.shape[0], right.shape[1]) if total is None else total
    return matrix @ right if total is None else total.addmm_(matrix, right)


def _csr(matrix: sp.csr_matrix, like: Tensor) -> Tensor:
    matrix.sort_indices()
    wide = max(matrix.nnz, *matrix.shape) >= 2**31
    index = torch.int64 if wide else torch.int32
    with warnings.catch_warnings():  # torch calls its compressed rows a beta feature, once per process
        warnings.filterwarnings("ignore", message="Sparse CSR tensor support is in beta")
        return torch.sparse_csr_tensor(
            torch.as_tensor(matrix.indptr, dtype=index),
            torch.as_tensor(matrix.indices, dtype=index),
            torch.as_tensor(np.asarray(matrix.data), dtype=like.dtype),
            matrix.shape,
        ).to(like.device)

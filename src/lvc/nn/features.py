"""Input features, dense or sparse, behind one sign: ``h @ W``.

Bags of words are mostly zeros even where they are stored in full. A dense tensor that is seen for the second time (an
epoch later) and is mostly zeros is therefore kept as a sparse matrix beside it, for as long as it lives unchanged. A
batch comes once: :class:`lvc.nn.Collated` looks at the features of all its graphs, and cuts the sparse rows of a batch
out of those.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse as sp
import torch
from torch import Tensor, nn
from torch.utils.weak import WeakIdKeyDictionary

from lvc.errors import LvcError
from lvc.nn.compressing import rows_in
from lvc.nn.dense import multiplied
from lvc.nn.dropout import dropout
from lvc.nn.row_product import Arrays
from lvc.nn.rows import Rows, compressed, csr
from lvc.nn.sparse import Matrix

SPARSE_BELOW = 0.2  # share of entries that are not zero
WORTH_LOOKING = 2**18  # entries
WORTH_CUTTING = 2**16  # entries of a batch, whose sparse form is cut out of a whole


class SparseFeatures:
    """Sparse input features, shape [n, F]."""

    def __init__(self, matrix: Matrix) -> None:
        like = matrix.forward.like
        self.shape, self.dtype, self.device = torch.Size(matrix.shape), like.dtype, like.device
        self._matrix = matrix
        self._numbered: tuple[Tensor, Matrix] | None = None

    @classmethod
    def of(cls, x: Tensor) -> SparseFeatures:
        """Those of a dense tensor, or of one of torch's sparse ones."""
        return cls(Matrix.of(_scipy(x), torch.empty(0, dtype=x.dtype, device=x.device)))

    def __matmul__(self, weight: Tensor) -> Tensor:
        return self._matrix @ weight

    @property
    def entries_per_row(self) -> float:
        return self._matrix.forward.count / max(self.shape[0], 1)

    def dense(self) -> Tensor:
        """The same features in full."""
        return self._matrix.dense(self._matrix.forward.like)

    @classmethod
    def of_vertices(cls, rows: Rows, begin: np.ndarray, end: np.ndarray) -> SparseFeatures:
        """Those of the vertices in some ranges, one range after the other, out of the rows of all."""
        arrays = rows_in(rows.arrays, begin, end)
        return cls(Matrix.of_rows(arrays, (len(arrays.start) - 1, rows.shape[1]), rows.like))

    def dropout(self, share: float) -> SparseFeatures:
        """A copy in which each entry is left out with probability ``share`` and the others grow to make up for it."""
        if self._numbered is None:
            start, column, value = self._matrix.forward.arrays
            like = torch.empty(0, dtype=torch.long, device=self.device)
            numbered = Arrays(start, column, np.arange(len(value)))
            places = Matrix.of_rows(numbered, (self.shape[0], self.shape[1]), like)
            self._numbered = torch.from_numpy(value).to(self.device), places
        values, places = self._numbered
        return SparseFeatures(self._matrix.with_values(places, dropout(values, share)))


class SparseInput(Tensor):
    """Sparse features in the place of a tensor, for layers that begin with a linear map; they fit nowhere else.

    torch's own compressed rows can stand there, too, but are transposed anew on every way back.
    """

    features: SparseFeatures

    @staticmethod
    def __new__(cls, features: SparseFeatures) -> SparseInput:
        made = Tensor._make_wrapper_subclass(cls, features.shape, dtype=features.dtype, device=features.device)
        made.features = features
        return made

    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        if function is nn.functional.linear:
            return _linear(*args, **(kwargs or {}))
        return super().__torch_function__(function, types, args, kwargs or {})

    @classmethod
    def __torch_dispatch__(cls, function, types, args=(), kwargs=None):  # type: ignore[override]
        raise TypeError(f"sparse features can be mapped linearly and not put into {function}; give dense ones")

    def __repr__(self, *, tensor_contents: Any = None) -> str:  # type: ignore[override]
        return f"SparseInput({list(self.shape)})"


def _linear(input: SparseInput, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """``torch.nn.functional.linear`` of sparse features, by its own names."""
    product = input.features @ weight.T
    return product if bias is None else product + bias


Features = Tensor | SparseFeatures
#: tensor -> its version, and its sparse form, or what makes it, False if it is not worth it, None if nobody looked
_seen: WeakIdKeyDictionary = WeakIdKeyDictionary()


def features_of(x: Tensor | None, dtype: torch.dtype) -> Features:
    """``x`` ready for a layer whose weights are ``dtype``; refuses what no layer can take."""
    if x is None:
        raise LvcError("data has no x; give it features, e.g. torch_geometric.transforms.Constant()")
    if x.dim() != 2:
        raise LvcError(f"x must have shape [vertices, features], got {list(x.shape)}")
    if x.dtype != dtype:
        raise LvcError(
            f"x must be {dtype} like the weights, got {x.dtype}; use data.x.to({dtype}) or model.to({x.dtype})"
        )
    if x.layout not in (torch.strided, torch.sparse_csr):
        x = x.to_sparse_csr()
    if x.layout == torch.strided and not (_may_be_sparse(x) and (x.numel() >= WORTH_LOOKING or x in _seen)):
        return x
    return _remembered(x)


def remember(x: Tensor, sparse: Callable[[], SparseFeatures | None]) -> None:
    """Have dense ``x``, unless it is small, multiplied as ``sparse()``, which is made when a layer first meets x.

    If that is None, nothing is gained by it, and ``x`` stays as it is. It does so, too, once it is changed in place.
    """
    if x.numel() >= WORTH_CUTTING and not x.is_inference():  # whose changes nobody counts
        _seen[x] = (x._version, sparse)


def mapped(h: Features, weight: Tensor, onto: Tensor | None = None) -> Tensor:
    """``h W``, plus ``onto``, a row for all or one for each."""
    if isinstance(h, Tensor):
        return multiplied(h, weight, onto)
    return h @ weight if onto is None else h @ weight + onto


def sparse_if_mostly_zeros(x: Tensor) -> Tensor:
    """``x`` by compressed rows if that is how it would be multiplied, else as it is."""
    return csr(_scipy(x), x) if _mostly_zeros(x) else x


def dropout_of(x: Features, share: float) -> Features:
    """Dropout of the entries of dense or sparse features; zeros stay zeros."""
    if isinstance(x, SparseFeatures):
        return x.dropout(share)
    if x.layout == torch.strided:
        return dropout(x, share)
    return compressed(x.crow_indices(), x.col_indices(), dropout(x.values(), share), x.shape)


def refuse_nan(x: Tensor, result: Tensor) -> None:
    """Raise if ``x`` holds NaN; looks at ``x`` only if the ``result`` of the first layer is not finite."""
    if torch.compiler.is_compiling() or bool(torch.isfinite(result.detach().sum())):
        return
    values = x if x.layout == torch.strided else x.coalesce().values() if x.layout == torch.sparse_coo else x.values()
    wrong = torch.isnan(values)
    if wrong.any():
        where = f"first at vertex {int(wrong.nonzero()[0, 0])}" if x.layout == torch.strided else "in sparse features"
        raise LvcError(f"x holds {int(wrong.sum())} NaN, {where}; use e.g. data.x.nan_to_num()")


def _remembered(x: Tensor) -> Features:
    if x.is_inference():
        return SparseFeatures.of(x)
    version, kept = _seen.get(x, (None, None))
    if version != x._version:
        dense = x.layout == torch.strided
        _seen[x] = (x._version, None if dense else SparseFeatures.of(x))
        return x if dense else _seen[x][1]
    if kept is None or callable(kept):
        made = kept() if callable(kept) else SparseFeatures.of(x) if _mostly_zeros(x) else None
        kept = False if made is None else made
        _seen[x] = (version, kept)
    return kept if isinstance(kept, SparseFeatures) else x


def rows_if_mostly_zeros(x: Tensor) -> Rows | None:
    """The rows of dense features as those of a sparse matrix, if they are mostly zeros."""
    return Rows.of(_scipy(x), x) if _mostly_zeros(x) else None


def _may_be_sparse(x: Tensor) -> bool:
    """Whether dense features may be kept as sparse ones: nobody asks for their gradient, scipy knows the dtype."""
    known = x.dtype in (torch.float32, torch.float64)
    return known and not (x.requires_grad or x.is_inference() or torch.compiler.is_compiling())


def _mostly_zeros(x: Tensor) -> bool:
    return x.count_nonzero().item() < SPARSE_BELOW * x.numel()


def _scipy(x: Tensor) -> sp.csr_matrix:
    x = x.detach().cpu()
    if x.layout == torch.strided:
        return sp.csr_matrix(x.numpy())
    parts = x.values().numpy(), x.col_indices().numpy(), x.crow_indices().numpy()
    return sp.csr_matrix(parts, shape=tuple(x.shape))

"""Input features, dense or sparse, behind one sign: ``h @ W``.

Bags of words are mostly zeros even where they are stored in full. A dense tensor that is seen for the second time (an
epoch later) and is mostly zeros is therefore kept as a sparse matrix beside it, for as long as it lives unchanged.
"""

from __future__ import annotations

import scipy.sparse as sp
import torch
from torch import Tensor
from torch.utils.weak import WeakIdKeyDictionary

from lvc.errors import LvcError
from lvc.nn.sparse import Matrix

SPARSE_BELOW = 0.2  # share of entries that are not zero
WORTH_LOOKING = 2**18  # entries


class SparseFeatures:
    """Sparse input features, shape [n, F]."""

    def __init__(self, x: Tensor) -> None:
        self.shape, self.dtype, self.device, self.given = x.shape, x.dtype, x.device, x
        self._matrix = Matrix.of(_scipy(x), x.new_empty(0, dtype=x.dtype) if x.layout == torch.strided else x.values())

    def __matmul__(self, weight: Tensor) -> Tensor:
        return self._matrix @ weight

    def dense(self) -> Tensor:
        """The same features in full."""
        return self.given if self.given.layout == torch.strided else self.given.to_dense()


Features = Tensor | SparseFeatures
_seen: WeakIdKeyDictionary = WeakIdKeyDictionary()  # tensor -> (version, sparse form or None if it is not worth it)


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
    if x.layout in (torch.sparse_coo, torch.sparse_csc):
        x = x.to_sparse_csr()
    if x.layout == torch.strided and (x.requires_grad or x.numel() < WORTH_LOOKING or torch.compiler.is_compiling()):
        return x
    return _remembered(x)


def settle(x: Tensor) -> None:
    """Decide now how ``x`` is multiplied, so that the first pass over it is rounded like all later ones."""
    for _ in range(2):
        features_of(x, x.dtype)


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
    version, kept = _seen.get(x, (None, None))
    if version != x._version:
        dense = x.layout == torch.strided
        _seen[x] = (x._version, None if dense else SparseFeatures(x))
        return x if dense else _seen[x][1]
    if kept is None:
        mostly_zeros = x.count_nonzero().item() < SPARSE_BELOW * x.numel()
        kept = SparseFeatures(x) if mostly_zeros else x.shape
        _seen[x] = (version, kept)
    return kept if isinstance(kept, SparseFeatures) else x


def _scipy(x: Tensor) -> sp.csr_matrix:
    x = x.detach().cpu()
    if x.layout == torch.strided:
        return sp.csr_matrix(x.numpy())
    parts = x.values().numpy(), x.col_indices().numpy(), x.crow_indices().numpy()
    return sp.csr_matrix(parts, shape=tuple(x.shape))

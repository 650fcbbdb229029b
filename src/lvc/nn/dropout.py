"""Dropout whose random numbers are made where they are used: torch draws and stores them first, and that is slow.

Whether an entry stays is decided by its place and a seed (splitmix64, Steele et al. 2014). So the way back needs no
mask, only the seed.
"""

from __future__ import annotations

import numpy as np
import torch
from numba import njit
from torch import Tensor, nn

from lvc.errors import LvcError

STEP, FIRST, SECOND = (np.uint64(it) for it in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))


def dropout(x: Tensor, share: float) -> Tensor:
    """``x`` with each entry left out with probability ``share`` < 1, the others over 1 - share."""
    refuse_share("dropout", share)
    if share == 0:
        return x
    if x.device.type != "cpu" or x.dtype not in (torch.float32, torch.float64) or torch.compiler.is_compiling():
        return nn.functional.dropout(x, share)
    seed = torch.empty((), dtype=torch.int64, device="cpu").random_(-(2**63), None).item()
    return _Dropped.apply(x, share, seed)


def refuse_share(what: str, share: float) -> None:
    """Raise unless that share of all can be left out."""
    if not 0 <= share < 1:
        raise LvcError(f"{what} must be at least 0 and less than 1, got {share}")


class Dropout(nn.Module):
    """:func:`dropout` while training."""

    def __init__(self, share: float) -> None:
        super().__init__()
        refuse_share("dropout", share)
        self.share = share

    def forward(self, x: Tensor) -> Tensor:
        return dropout(x, self.share) if self.training else x

    def extra_repr(self) -> str:
        return f"{self.share}"


class _Dropped(torch.autograd.Function):
    """Linear in ``x``, so the way back does the same to the gradient."""

    @staticmethod
    def forward(ctx, x, share, seed):
        ctx.share, ctx.seed = share, seed
        out = torch.empty(x.shape, dtype=x.dtype, device=x.device)
        array = x.detach().resolve_neg().contiguous().view(-1).numpy()
        least = np.uint64(int(share * 2**64))
        _drop(array, np.uint64(seed % 2**64), least, array.dtype.type(1 / (1 - share)), out.view(-1).numpy())
        return out

    @staticmethod
    def backward(ctx, gradient):
        return _Dropped.apply(gradient, ctx.share, ctx.seed), None, None


@njit(cache=True)
def _drop(x, seed, least, factor, out):
    """``out[i] = factor x[i]`` if the i-th number of the stream that ``seed`` begins is at ``least`` that, else 0."""
    nothing = x.dtype.type(0)
    for i in range(len(x)):
        number = seed + np.uint64(i) * STEP
        number = (number ^ (number >> np.uint64(30))) * FIRST
        number = (number ^ (number >> np.uint64(27))) * SECOND
        number ^= number >> np.uint64(31)
        out[i] = x[i] * factor if number >= least else nothing

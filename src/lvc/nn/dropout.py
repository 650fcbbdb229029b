"""Dropout that draws sixteen bits for an entry, where torch draws a number: on a processor that is the slow part."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from lvc.errors import LvcError

STEPS = 2**16


def dropout(x: Tensor, share: float) -> Tensor:
    """``x`` with each entry left out with probability ``share`` < 1, to one in 65536, the others over 1 - share."""
    if x.device.type != "cpu" or torch.compiler.is_compiling():
        return nn.functional.dropout(x, share)
    left_out = min(round(share * STEPS), STEPS - 1)
    if left_out == 0:
        return x
    bits = torch.empty(-(-x.numel() // 4), dtype=torch.int64).random_(-(2**63), None).view(torch.int16)
    kept = bits[: x.numel()].view(x.shape) >= left_out - STEPS // 2
    factor = kept.view(torch.uint8).to(x.dtype).mul_(1 / (1 - share))  # multiplying with booleans is slower than this
    return x * factor if x.requires_grad else factor.mul_(x)


class Dropout(nn.Module):
    """:func:`dropout` while training."""

    def __init__(self, share: float) -> None:
        super().__init__()
        if not 0 <= share < 1:
            raise LvcError(f"dropout must be at least 0 and less than 1, got {share}")
        self.share = share

    def forward(self, x: Tensor) -> Tensor:
        return dropout(x, self.share) if self.training else x

    def extra_repr(self) -> str:
        return f"{self.share}"

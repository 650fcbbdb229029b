"""Dense products ``onto + left @ right``, of many rows with a small matrix."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from lvc.nn.dense_product import is_faster, multiply, multiply_turned


@torch.compiler.disable
def multiplied(left: Tensor, right: Tensor, onto: Tensor | None = None) -> Tensor:
    """``left @ right``, plus ``onto``, a row for all or one for each, by whichever kernel is faster."""
    given = (left, right) if onto is None else (left, right, onto)
    if _fit(left, right, onto) and is_faster((*left.shape, right.shape[1]), given):
        return Product.apply(left, right, onto)
    return left @ right if onto is None else torch.addmm(onto, left, right)


def _fit(left: Tensor, right: Tensor, onto: Tensor | None) -> bool:
    """Whether the shapes are those of a product; torch says what is wrong with others."""
    if left.dim() != 2 or right.dim() != 2 or left.shape[1] != right.shape[0]:
        return False
    return onto is None or onto.shape in (right.shape[1:], (left.shape[0], right.shape[1]))


class Product(torch.autograd.Function):
    """The same by our kernels, of what they can multiply."""

    @staticmethod
    def forward(ctx, left, right, onto):
        ctx.save_for_backward(left, right)
        ctx.one_row = onto is not None and onto.dim() == 1
        start = np.zeros((1, right.shape[1]), np.float32) if onto is None else _array(onto.reshape(-1, right.shape[1]))
        return torch.from_numpy(multiply(start, _array(left), _array(right)))

    @staticmethod
    def backward(ctx, gradient):
        left, right = ctx.saved_tensors
        for_left, for_right, for_onto = ctx.needs_input_grad
        return (
            multiplied(gradient, right.t()) if for_left else None,
            _turned_product(left, gradient) if for_right else None,
            (gradient.sum(dim=0) if ctx.one_row else gradient) if for_onto else None,
        )


def _turned_product(left: Tensor, right: Tensor) -> Tensor:
    """``left.T @ right``."""
    twice = torch.is_grad_enabled()  # the gradient is to have a gradient
    if twice or not is_faster((left.shape[1], *right.shape), (left, right)):
        return left.t() @ right
    return torch.from_numpy(multiply_turned(_array(left), _array(right)))


def _array(tensor: Tensor) -> np.ndarray:
    return tensor.detach().resolve_neg().contiguous().numpy()

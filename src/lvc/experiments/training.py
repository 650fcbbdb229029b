"""The one training loop: Adam, early stopping on validation, the best epoch restored."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from lvc.experiments.settings import Settings

Progress = Callable[[int, float, float], Any]  # epoch, training loss, best validation accuracy so far


class Score(NamedTuple):
    """How well a model does on some vertices or graphs."""

    accuracy: float
    loss: float
    halves: tuple[float, float]  # accuracy on every other one, and on the rest

    @classmethod
    def of(cls, out: Tensor, labels: Tensor) -> Score:
        right = (out.argmax(dim=1) == labels).float()
        loss = nn.functional.cross_entropy(out, labels).item()
        halves = (right[::2].mean().item(), (right[1::2] if len(right) > 1 else right).mean().item())
        return cls(right.mean().item(), loss, halves)


class Fitted(NamedTuple):
    """A trained model, as it was in its best epoch."""

    model: nn.Module
    validation: float  # accuracy in the best epoch: it was chosen by this, so it flatters
    estimate: float  # accuracy on each half of the validation data in the epoch that the other half chooses
    epoch: int
    curve: tuple[tuple[float, float], ...]  # training loss and validation accuracy, epoch by epoch
    seconds: float = 0.0  # that the training took


@contextmanager
def tiny_is_zero() -> Iterator[None]:
    """Numbers too small for their full precision count as zero, where torch has one thread.

    Gradients of graphs that a network is sure of become that small, and a processor may be many times slower with them.
    Each thread counts in its own way, and what torch's others do would depend on when they began.
    """
    if torch.get_num_threads() > 1:
        yield
        return
    was_zero = _halved(torch.finfo(torch.float32).tiny) == 0
    torch.set_flush_denormal(True)
    try:
        yield
    finally:
        torch.set_flush_denormal(was_zero)


def _halved(number: float) -> float:
    return (torch.tensor(number) / 2).item()


@tiny_is_zero()
def fit(
    settings: Settings,
    model: nn.Module,
    epoch_of: Callable[[torch.optim.Optimizer], float],
    validate: Callable[[], Score],
    progress: Progress | None = None,
) -> Fitted:
    """Train ``model`` until validation no longer improves.

    ``epoch_of`` makes one pass over the training data and returns its loss; ``validate`` looks at the validation data.
    """
    began = time.perf_counter()
    optimiser = torch.optim.Adam(decayed(model, settings.weight_decay), lr=settings.learning_rate, fused=True)
    best, best_epoch, kept = (-1.0, -float("inf")), 0, copy_of(model)
    curve: list[tuple[float, float]] = []
    halves: list[tuple[float, float]] = []
    for epoch in range(1, settings.epochs + 1):
        model.train()
        loss = epoch_of(optimiser)
        model.eval()
        with torch.no_grad():
            score = validate()
        curve.append((loss, score.accuracy))
        halves.append(score.halves)
        if (score.accuracy, -score.loss) > best:
            best, best_epoch, kept = (score.accuracy, -score.loss), epoch, copy_of(model)
        if progress is not None:
            progress(epoch, loss, best[0])
        if epoch - best_epoch >= settings.patience:
            break
    model.load_state_dict(kept)
    return Fitted(model, best[0], cross_fitted(halves), best_epoch, tuple(curve), time.perf_counter() - began)


def copy_of(model: nn.Module) -> dict[str, Tensor]:
    """Its weights as they are now; much faster than ``copy.deepcopy``, which small models notice in every epoch."""
    return {name: value.clone() for name, value in model.state_dict().items()}


def decayed(model: nn.Module, decay: float) -> list[dict[str, Any]]:
    """The parameters for an optimiser, with weight decay but for those that a module calls ``undecayed``."""
    spared = [parameter for module in model.modules() for parameter in getattr(module, "undecayed", ())]
    others = [parameter for parameter in model.parameters() if all(parameter is not one for one in spared)]
    return [{"params": others, "weight_decay": decay}, {"params": spared, "weight_decay": 0.0}]


def cross_fitted(halves: Sequence[tuple[float, float]]) -> float:
    """Accuracy on each half in the first epoch that was best on the other half, averaged.

    The best of many epochs is better than any of them is on new data, and the more so the noisier they are; settings
    that are compared by it are chosen for their noise.

    >>> cross_fitted([(0.5, 0.5), (0.9, 0.6), (0.6, 0.7)])
    0.6
    """
    first, second = np.array(halves).T
    return float((second[first.argmax()] + first[second.argmax()]) / 2)


def seed_with(numbers: Sequence[int]) -> None:
    """These numbers decide every random choice from here on."""
    torch.manual_seed(int(np.random.SeedSequence(list(numbers)).generate_state(1)[0]))

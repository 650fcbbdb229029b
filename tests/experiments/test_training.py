"""The training loop, told epoch by epoch what validation says."""

from collections.abc import Sequence
from typing import Any

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("torch_geometric")

from lvc.experiments.runs import threads_of_torch  # noqa: E402
from lvc.experiments.settings import VertexSettings  # noqa: E402
from lvc.experiments.training import Fitted, Score, fit, tiny_is_zero  # noqa: E402


def fit_to(scores: Sequence[tuple[float, float]], patience: int, epochs: int | None = None) -> Fitted:
    """A model whose one weight counts the epochs, trained while validation says these accuracies and losses."""
    model = torch.nn.Linear(1, 1, bias=False)
    torch.nn.init.zeros_(model.weight)
    said = iter(scores)

    def epoch_of(optimiser: Any) -> float:
        assert model.training
        with torch.no_grad():
            model.weight += 1
        return 1.0

    def validate() -> Score:
        assert not model.training
        accuracy, loss = next(said)
        return Score(accuracy, loss, (accuracy, accuracy))

    settings = VertexSettings("Cora", "mlp", epochs=epochs or len(scores), patience=patience)
    return fit(settings, model, epoch_of, validate)


def epochs_in(found: Fitted) -> float:
    (weight,) = found.model.parameters()
    return weight.item()


def test_the_best_epoch_is_restored():
    found = fit_to([(0.5, 1), (0.8, 1), (0.7, 1), (0.6, 1)], patience=9)
    assert (found.epoch, found.validation, len(found.curve)) == (2, 0.8, 4)
    assert epochs_in(found) == 2


def test_training_stops_when_validation_has_not_improved_for_so_many_epochs():
    falling = [(0.5, 1), (0.8, 1), (0.7, 1), (0.7, 1), (0.7, 1), (0.9, 1)]
    found = fit_to(falling, patience=3)  # epochs 3, 4 and 5 are no better than the second
    assert (found.epoch, len(found.curve)) == (2, 5)
    assert epochs_in(found) == 2
    assert fit_to(falling, patience=4).epoch == 6


def test_an_improvement_begins_the_waiting_anew():
    found = fit_to([(0.5, 1), (0.5, 1), (0.6, 1), (0.6, 1), (0.6, 1), (0.9, 1)], patience=2)
    assert (found.epoch, len(found.curve)) == (3, 5)


def test_of_equal_accuracies_the_smaller_loss_is_better_and_of_equal_losses_the_first():
    assert fit_to([(0.8, 0.5), (0.8, 0.4), (0.8, 0.6)], patience=9).epoch == 2
    assert fit_to([(0.8, 0.5), (0.8, 0.5), (0.7, 0.1)], patience=9).epoch == 1


def test_it_ends_with_the_last_epoch():
    assert len(fit_to([(0.1, 1), (0.2, 1), (0.3, 1)], patience=9, epochs=2).curve) == 2


def tiny() -> float:
    """A number of less than full precision, made anew."""
    return float((torch.tensor(torch.finfo(torch.float32).tiny) / 2).item())


def test_numbers_too_small_for_full_precision_are_zero_while_training_and_only_then():
    if not torch.set_flush_denormal(False):
        pytest.skip("this processor cannot count them as zero")
    seen = []

    def epoch_of(optimiser: Any) -> float:
        seen.append(tiny())
        return 1.0

    model = torch.nn.Linear(1, 1)
    fit(VertexSettings("Cora", "mlp", epochs=1), model, epoch_of, lambda: Score(0.5, 1.0, (0.5, 0.5)))
    assert seen == [0.0]
    assert tiny() > 0

    with pytest.raises(ZeroDivisionError):
        fit(VertexSettings("Cora", "mlp", epochs=1), model, lambda _: 1 / 0, lambda: Score(0.5, 1.0, (0.5, 0.5)))
    assert tiny() > 0


def test_with_several_threads_nothing_is_changed():
    with threads_of_torch(2), tiny_is_zero():
        assert tiny() > 0


def test_who_counts_them_as_zero_already_goes_on_doing_so():
    if not torch.set_flush_denormal(True):
        pytest.skip("this processor cannot count them as zero")
    try:
        with tiny_is_zero():
            assert tiny() == 0
        assert tiny() == 0
    finally:
        torch.set_flush_denormal(False)

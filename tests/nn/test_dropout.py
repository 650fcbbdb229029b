import numpy as np
import pytest

torch = pytest.importorskip("torch")

from lvc import LvcError  # noqa: E402
from lvc.nn.dropout import Dropout, _drop, dropout  # noqa: E402


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_as_many_are_left_out_as_it_says_and_the_mean_stays(share, dtype):
    torch.manual_seed(0)
    x = torch.ones(1000, 1001, dtype=dtype)
    out = dropout(x, share)
    assert out.dtype == dtype
    assert (out == 0).double().mean().item() == pytest.approx(share, abs=0.002)  # four deviations
    assert torch.allclose(out[out != 0], torch.tensor(1 / (1 - share), dtype=dtype))
    assert out.double().mean().item() == pytest.approx(1, abs=0.002 / (1 - share))


def test_every_column_and_every_draw_is_by_itself():
    torch.manual_seed(0)
    ones = torch.ones(200_000, 4)
    gone = torch.cat([dropout(ones, 0.5) == 0 for _ in range(2)], dim=1).double()
    assert torch.allclose(gone.mean(dim=0), torch.tensor(0.5, dtype=torch.float64), atol=0.005)
    assert torch.allclose(torch.corrcoef(gone.T), torch.eye(8, dtype=torch.float64), atol=0.01)


def test_the_numbers_are_those_of_splitmix64():
    """The first three that the generator's authors give for the seed 1234567, the first at place 1 as theirs is."""
    numbers = [6457827717110365317, 3203168211198807973, 9817491932198370423]
    one = np.ones(4)
    for place, number in enumerate(numbers, start=1):
        for least, kept in ((number, True), (number + 1, False)):
            out = np.full(4, np.nan)
            _drop(one, np.uint64(1234567), np.uint64(least), 2.0, out)
            assert out[place] == (2.0 if kept else 0.0)


def test_any_layout_and_twice_differentiated():
    x = torch.randn(6, 7, dtype=torch.float64).T.requires_grad_()
    assert not x.is_contiguous()

    def dropped(x):
        torch.manual_seed(5)
        return dropout(x, 0.3) ** 3

    assert torch.autograd.gradcheck(dropped, x)
    assert torch.autograd.gradgradcheck(dropped, x)


def test_the_seed_decides_and_gradients_follow_what_was_kept():
    x = torch.randn(37, 5, requires_grad=True)
    torch.manual_seed(3)
    first = dropout(x, 0.4)
    torch.manual_seed(3)
    assert torch.equal(first, dropout(x, 0.4))
    assert not torch.equal(first, dropout(x, 0.4))
    first.sum().backward()
    assert torch.equal(x.grad != 0, first != 0)


def test_gradients_or_not_the_numbers_are_the_same():
    x = torch.randn(37, 5)
    torch.manual_seed(3)
    plain = dropout(x, 0.4)
    torch.manual_seed(3)
    assert torch.equal(plain, dropout(x.requires_grad_(), 0.4))
    assert torch.equal(plain[plain != 0], (x * torch.tensor(1 / 0.6))[plain != 0])


def test_what_it_does_not_know_is_left_to_torch():
    torch.manual_seed(0)
    half = dropout(torch.ones(1000, dtype=torch.bfloat16), 0.5)
    assert half.dtype == torch.bfloat16
    assert 400 < (half == 0).sum() < 600
    assert torch.equal(dropout(torch.imag(torch.ones(9, dtype=torch.complex64).conj()), 0.5), torch.zeros(9))


def test_edges():
    layer = Dropout(0.5)
    x = torch.randn(3, 3)
    assert layer.eval()(x) is x
    assert dropout(x, 0.0) is x
    assert dropout(torch.empty(0, 4), 0.5).shape == (0, 4)
    assert repr(layer) == "Dropout(0.5)"
    for share in (-0.5, 1.0, 2.0):
        for refuse in (Dropout, lambda share: dropout(x, share)):
            with pytest.raises(LvcError, match="at least 0 and less than 1"):
                refuse(share)

import pytest

torch = pytest.importorskip("torch")

from lvc import LvcError  # noqa: E402
from lvc.nn.dropout import Dropout, dropout  # noqa: E402


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


def test_every_column_is_drawn_by_itself():
    """Four entries share one draw of 64 bits; they must not be left out together."""
    torch.manual_seed(0)
    gone = (dropout(torch.ones(200_000, 4), 0.5) == 0).double()
    assert torch.allclose(gone.mean(dim=0), torch.tensor(0.5, dtype=torch.float64), atol=0.005)
    assert torch.allclose(torch.corrcoef(gone.T), torch.eye(4, dtype=torch.float64), atol=0.01)


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


def test_edges():
    layer = Dropout(0.5)
    x = torch.randn(3, 3)
    assert layer.eval()(x) is x
    assert dropout(x, 0.0) is x
    assert dropout(torch.empty(0, 4), 0.5).shape == (0, 4)
    assert repr(layer) == "Dropout(0.5)"
    for share in (-0.5, 1.0, 2.0):
        with pytest.raises(LvcError, match="at least 0 and less than 1"):
            Dropout(share)

"""Dense products by our kernels, which are tried on any processor, and when they are taken."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from families import FAMILIES, data_of
from lvc.nn import SGN, AddSearch, dense, dense_product
from lvc.nn.dense import multiplied

pytestmark = pytest.mark.compiled
SHAPES = [(1, 1, 16), (7, 5, 16), (9, 64, 64), (130, 33, 80), (301, 64, 192), (64, 300, 48)]


@pytest.fixture
def ours(monkeypatch):
    """Takes our kernels wherever they can multiply; what they were called with."""
    calls: list[str] = []
    monkeypatch.setattr(dense_product, "mkl_is_slow", lambda: True)
    monkeypatch.setattr(dense_product, "WORTH", 1)
    for name in ("multiply", "multiply_turned"):
        kernel = getattr(dense_product, name)

        def counted(*arrays: Any, name: str = name, kernel: Any = kernel) -> Any:
            calls.append(name)
            return kernel(*arrays)

        monkeypatch.setattr(dense, name, counted)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield calls
    torch.set_num_threads(threads)


def drawn(*shape: int) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(sum(shape)))


def exact(left: torch.Tensor, right: torch.Tensor, onto: torch.Tensor | None) -> torch.Tensor:
    product = left.double() @ right.double()
    return product if onto is None else product + onto.double()


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("added", ["nothing", "a row", "all rows"])
def test_products_and_their_gradients(shape, added, ours):
    height, inner, width = shape
    onto = {"nothing": None, "a row": drawn(width), "all rows": drawn(height, width)}[added]
    given = [drawn(height, inner), drawn(inner, width)] + ([] if onto is None else [onto])
    for one in given:
        one.requires_grad_()
    found, expected = multiplied(*given), exact(given[0], given[1], onto)
    assert torch.allclose(found.double(), expected, rtol=1e-4, atol=1e-4)
    back = drawn(height, width)
    gradients = torch.autograd.grad(found, given, back)
    references = torch.autograd.grad(expected, given, back.double())
    for one, other in zip(gradients, references, strict=True):
        assert one.shape == other.shape
        assert torch.allclose(one, other.float(), rtol=1e-4, atol=1e-3)
    by_ours = ["multiply", *(["multiply"] if inner % 16 == 0 else []), "multiply_turned"]
    assert ours == by_ours


def test_gradients_of_gradients(ours):
    left, right = drawn(30, 32).requires_grad_(), drawn(32, 16).requires_grad_()

    def second(product: torch.Tensor) -> tuple[torch.Tensor, ...]:
        (first,) = torch.autograd.grad(product.sin().sum(), right, create_graph=True)
        return torch.autograd.grad(first.square().sum(), (left, right))

    found, expected = second(multiplied(left, right)), second(left @ right)
    assert all(torch.allclose(one, other, rtol=1e-3, atol=1e-2) for one, other in zip(found, expected, strict=True))
    assert "multiply" in ours


def test_only_what_needs_a_gradient_has_one(ours):
    left, right = drawn(20, 32), drawn(32, 16).requires_grad_()
    multiplied(left, right).sum().backward()
    assert ours == ["multiply", "multiply_turned"]
    assert left.grad is None
    with torch.no_grad():
        assert not multiplied(left, right).requires_grad


def test_factors_in_any_order_of_memory(ours):
    left, right, onto = drawn(32, 20).t(), drawn(16, 32).t(), drawn(16).expand(20, 16)
    assert torch.allclose(multiplied(left, right, onto), onto + left @ right, atol=1e-4)
    assert torch.allclose(multiplied(left, right[:, :].neg()), -(left @ right), atol=1e-4)
    assert ours == ["multiply"] * 2


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (drawn(20, 32).double(), drawn(32, 16).double()),
        (drawn(20, 32), drawn(32, 10)),
        (drawn(0, 32), drawn(32, 16)),
        (drawn(20, 0), drawn(0, 16)),
    ],
)
def test_where_torch_multiplies(left, right, ours):
    assert torch.equal(multiplied(left, right), left @ right)
    assert ours == []


def test_what_does_not_fit_is_refused_by_torch(ours):
    for wrong in (
        (drawn(20, 31), drawn(32, 16)),
        (drawn(32), drawn(32, 16, 1)),
        (drawn(20, 32), drawn(32, 16), drawn(9)),
    ):
        with pytest.raises(RuntimeError):
            multiplied(*wrong)
    assert multiplied(drawn(20, 32), drawn(32, 16), drawn(1, 16)).shape == (20, 16)
    assert ours == []


def test_small_products_and_those_on_several_threads_are_left_to_torch(ours, monkeypatch):
    left, right = drawn(20, 32), drawn(32, 16)
    monkeypatch.setattr(dense_product, "WORTH", 20 * 32 * 16 + 1)
    multiplied(left, right)
    monkeypatch.setattr(dense_product, "WORTH", 20 * 32 * 16)
    torch.set_num_threads(2)
    multiplied(left, right)
    assert ours == []
    torch.set_num_threads(1)
    multiplied(left, right)
    assert ours == ["multiply"]


@pytest.mark.parametrize(
    ("name", "wide", "slow"),
    [
        ("znver5", True, True),
        ("znver6", True, True),
        ("znver5", False, False),
        ("znver4", True, False),
        ("znver", True, False),
        ("skylake-avx512", True, False),
    ],
)
def test_on_which_processors(name, wide, slow, monkeypatch):
    monkeypatch.setattr(dense_product.binding, "get_host_cpu_name", lambda: name)
    monkeypatch.setattr(dense_product.binding, "get_host_cpu_features", lambda: {"avx512f": wide})
    assert dense_product.mkl_is_slow.__wrapped__() == slow


@pytest.mark.parametrize("search", ["bfs:2", "dfs:1", "dfs:2", "bfs:1+dfs:2"])
def test_a_network_computes_the_same_up_to_rounding(search, ours, monkeypatch):
    data = AddSearch(search)(data_of(FAMILIES["random"]))
    data.x = data.x.float()
    torch.manual_seed(0)
    model = SGN(data.num_features, 16, 3, 16, search=search)
    results = []
    for slow in (True, False):
        monkeypatch.setattr(dense_product, "mkl_is_slow", lambda slow=slow: slow)
        model.zero_grad()
        out = model(data)
        out.square().sum().backward()
        results.append([out.detach(), *[one.grad.clone() for one in model.parameters() if one.grad is not None]])
        assert len(ours) > 0
    for one, other in zip(*results, strict=True):
        assert torch.allclose(one, other, rtol=1e-3, atol=1e-3 * float(other.abs().max()) + 1e-6)

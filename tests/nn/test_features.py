import numpy as np
import pytest
import scipy.sparse as sp
import torch

from lvc.nn import features
from lvc.nn.features import (
    SparseFeatures,
    SparseInput,
    dropout_of,
    features_of,
    remember,
    rows_if_mostly_zeros,
    sparse_if_mostly_zeros,
)
from lvc.nn.sparse import Matrix


def words(vertices: int, words: int, share: float) -> torch.Tensor:
    generator = torch.Generator().manual_seed(0)
    kept = torch.rand(vertices, words, generator=generator) < share
    return torch.rand(vertices, words, generator=generator) * kept


@pytest.mark.parametrize(("vertices", "columns", "share"), [(40, 30, 0.1), (3000, 200, 0.19), (5, 4, 0.0)])
def test_dropout_of_sparse_features_is_the_same_matrix_both_ways(vertices, columns, share):
    x = words(vertices, columns, share)  # the second is kept as panels on the way back
    torch.manual_seed(1)
    dropped = SparseFeatures.of(x).dropout(0.4)
    dense = dropped.dense()
    weight = torch.rand(columns, 3, requires_grad=True)
    copy = weight.detach().clone().requires_grad_()
    (dropped @ weight).square().sum().backward()
    (dense @ copy).square().sum().backward()
    assert weight.grad is not None
    assert copy.grad is not None
    assert torch.allclose(weight.grad, copy.grad, rtol=1e-4)
    kept = dense != 0
    assert torch.allclose(dense[kept], x[kept] / 0.6)
    assert not kept[x == 0].any()
    if share:
        assert 0.5 < kept.sum() / (x != 0).sum() < 0.7
    assert torch.equal(SparseFeatures.of(x).dense(), x)


def test_sparse_features_in_the_place_of_a_tensor():
    x = words(40, 30, 0.1)
    given, weight, bias = SparseInput(SparseFeatures.of(x)), torch.rand(3, 30), torch.rand(3)
    linear = torch.nn.functional.linear
    assert torch.allclose(linear(given, weight), x @ weight.T)
    for found in (
        linear(given, weight, bias),
        linear(given, bias=bias, weight=weight),
        linear(input=given, weight=weight, bias=bias),
    ):
        assert torch.allclose(found, x @ weight.T + bias)
    assert repr(given) == "SparseInput([40, 30])"
    with pytest.raises(TypeError, match="sparse features can be mapped linearly and not put into"):
        torch.relu(given)


def test_features_that_numpy_does_not_know_stay_as_they_are():
    x = words(1000, 300, 0.01)
    assert [type(features_of(x, torch.float32)) for _ in range(2)] == [torch.Tensor, SparseFeatures]
    half = x.bfloat16()
    assert [features_of(half, torch.bfloat16) is half for _ in range(2)] == [True, True]
    with torch.inference_mode():
        inferred = x.clone()
    assert [features_of(inferred, torch.float32) is inferred for _ in range(2)] == [True, True]


def test_dropout_of_dense_of_compressed_and_of_sparse_features():
    x = words(200, 50, 0.1)
    for given in (x, sparse_if_mostly_zeros(x), SparseFeatures.of(x)):
        dropped = dropout_of(given, 0.5)
        full = dropped.dense() if isinstance(dropped, SparseFeatures) else dropped.to_dense()
        assert 0.3 < (full != 0).sum() / (x != 0).sum() < 0.7
        assert set((full[full != 0] / x[full != 0]).round(decimals=4).tolist()) == {2.0}


def test_only_what_is_mostly_zeros_is_compressed():
    assert sparse_if_mostly_zeros(words(50, 50, 0.1)).layout == torch.sparse_csr
    assert sparse_if_mostly_zeros(words(50, 50, 0.5)).layout == torch.strided


def test_panels_and_the_arrays_made_of_them_are_the_same_matrix():
    dense = words(40, 3000, 0.9)  # full enough for panels
    given = sp.csr_matrix(dense.numpy())
    matrix = Matrix.of(given, dense)
    assert len(matrix.forward.panels) > 1
    start, column, value = matrix.forward.arrays
    assert (start.tolist(), column.tolist(), value.tolist()) == (
        given.indptr.tolist(),
        given.indices.tolist(),
        given.data.tolist(),
    )
    both = Matrix.block_diagonal([matrix, matrix])
    assert torch.equal(both.dense(dense), torch.block_diag(dense, dense))


@pytest.mark.parametrize(("columns", "share"), [(30, 0.1), (3000, 0.15)])
def test_features_of_some_vertices(columns, share):
    x = words(100, columns, share)  # of the second forward rows are panels, once they were multiplied with
    whole = SparseFeatures.of(x)
    assert whole.entries_per_row == (x != 0).sum() / 100
    rows = rows_if_mostly_zeros(x)
    assert rows is not None
    for _ in range(2):
        some = SparseFeatures.of_vertices(rows, np.array([90, 3, 3, 7]), np.array([100, 9, 9, 7]))
        chosen = [*range(90, 100), *range(3, 9), *range(3, 9)]
        assert torch.equal(some.dense(), x[chosen])
        assert some.shape == (22, columns)
        assert some.entries_per_row == (x[chosen] != 0).sum() / 22
        weight = torch.rand(columns, 2)
        assert torch.allclose(whole @ weight, x @ weight, rtol=1e-4)


def test_what_is_remembered_is_made_when_it_is_needed_and_once(monkeypatch):
    made = []
    x = words(300, 300, 0.1)

    def sparse() -> SparseFeatures:
        made.append(1)
        return SparseFeatures.of(x)

    remember(x, sparse)
    assert made == []
    x[0, 0] = 6.0  # before a layer met it
    assert features_of(x, torch.float32) is x
    remember(x, sparse)
    first, second = (features_of(x, torch.float32) for _ in range(2))
    assert isinstance(first, SparseFeatures)
    assert (second is first, made) == (True, [1])
    x[0, 0] = 7.0
    assert features_of(x, torch.float32) is x
    remember(x, lambda: None)
    assert [features_of(x, torch.float32) is x for _ in range(3)] == [True] * 3
    small = words(30, 30, 0.1)
    remember(small, sparse)
    assert features_of(small, torch.float32) is small
    monkeypatch.setattr(features, "WORTH_CUTTING", 900)
    remember(small, sparse)
    assert isinstance(features_of(small, torch.float32), SparseFeatures)

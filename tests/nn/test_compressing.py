import numpy as np
import pytest
import scipy.sparse as sp
import torch

from lvc.nn.compressing import by_rows, some_rows, turned
from lvc.nn.sparse import Matrix


def random_entries(count: int, shape: tuple[int, int], seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    height, width = shape
    return rng.integers(0, height, count), rng.integers(0, width, count), rng.integers(-2, 3, count).astype(np.float64)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(("count", "shape"), [(0, (3, 4)), (1, (1, 1)), (60, (7, 5)), (500, (40, 300)), (0, (0, 0))])
def test_the_same_as_scipy(count, shape, dtype):
    row, column, value = random_entries(count, shape, seed=count)
    wanted = sp.coo_matrix((value, (row, column)), shape=shape).tocsr()
    wanted.sum_duplicates()
    wanted.eliminate_zeros()
    if count == 60:
        assert wanted.nnz < len(set(zip(row.tolist(), column.tolist(), strict=True))), "some places come to nothing"
    found = by_rows(row, column, value, shape, np.dtype(dtype))
    for mine, theirs in zip(found, (wanted.indptr, wanted.indices, wanted.data), strict=True):
        assert mine.tolist() == theirs.tolist()
    assert found.value.dtype == dtype
    back = wanted.tocsc()
    for mine, theirs in zip(turned(found, shape[1]), (back.indptr, back.indices, back.data), strict=True):
        assert mine.tolist() == theirs.tolist()


def test_entries_are_added_up_in_full_precision():
    value = np.array([1.0, 2.0**-40, -1.0])
    assert by_rows(np.zeros(3, int), np.zeros(3, int), value, (1, 1), np.dtype(np.float32)).value == 2.0**-40


def test_some_rows_are_those_of_the_whole():
    whole = by_rows(*random_entries(200, (20, 9), seed=0), (20, 9), np.dtype(np.float64))
    kept = sp.csr_matrix((whole.value, whole.column, whole.start), shape=(20, 9))[4:11]
    part = some_rows(whole, 4, 11)
    assert (
        sp.csr_matrix((part.value, part.column, part.start), shape=(7, 9)).toarray().tolist() == kept.toarray().tolist()
    )


def test_a_diagonal():
    matrix = Matrix.diagonal(np.array([2.0, 0.0, 3.0]), torch.empty(0, dtype=torch.float64))
    dense = torch.arange(6.0, dtype=torch.float64).reshape(3, 2)
    assert (matrix @ dense).tolist() == [[0.0, 2.0], [0.0, 0.0], [12.0, 15.0]]

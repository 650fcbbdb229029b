"""Our own product of compressed rows, against the dense one and against torch's."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
import torch
from torch.autograd import forward_ad
from torch_geometric.data import Data

from lvc import LvcError
from lvc.nn import SGN, AddSearch, row_product, sparse
from lvc.nn.row_product import WIDE
from lvc.nn.rows import Rows
from lvc.nn.sparse import Matrix, sum_of_products, sums_of_products


@pytest.fixture
def calls(monkeypatch):
    """How often our own product was made."""
    made = []
    plain = row_product._add_rows

    def counted(*given):
        made.append(given)
        plain(*given)

    monkeypatch.setattr(row_product, "_add_rows", counted)
    return made


def matrix_with_rows_of(*lengths: int, columns: int = 40, seed: int = 0) -> sp.csr_matrix:
    rows = [sp.random(1, columns, density=length / columns, random_state=seed + k) for k, length in enumerate(lengths)]
    return sp.vstack(rows).tocsr()


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("width", [WIDE, WIDE + 3, WIDE + 16 + 4 + 1, 2 * WIDE + 32])  # 64, 16, 4 and 1 at a time
def test_rows_of_every_length(calls, dtype, width):
    given = matrix_with_rows_of(*range(20), 40, 0)
    right = torch.randn(40, width, dtype=dtype, generator=torch.Generator().manual_seed(0), requires_grad=True)
    matrix, dense = Matrix.of(given, right), torch.from_numpy(given.toarray()).to(dtype)
    product = matrix @ right
    torch.testing.assert_close(product, dense @ right)
    towards = torch.randn_like(product)
    (back,) = torch.autograd.grad(product, right, towards)
    torch.testing.assert_close(back, dense.T @ towards)
    assert len(calls) == 2  # there and back


def test_a_row_worked_by_hand():
    #  2 h_0 + 3 h_2, nothing, -h_1
    given = sp.csr_matrix(([2.0, 3.0, -1.0], [0, 2, 1], [0, 2, 2, 3]), shape=(3, 3))
    right = torch.tensor([[1.0], [10.0], [100.0]]).expand(3, WIDE)  # of stride 0: it is copied first
    assert (Matrix.of(given, right) @ right)[:, 0].tolist() == [302.0, 0.0, -10.0]


def test_it_is_added_to_what_is_there_and_panels_to_each_other(calls):
    given = sp.random(30, 3000, density=0.9, random_state=0).tocsr()  # full enough for panels
    few = sp.random(30, 3000, density=0.001, random_state=1).tocsr()
    right, onto = torch.randn(3000, WIDE, dtype=torch.float64), torch.randn(30, WIDE, dtype=torch.float64)
    matrix, thin = Matrix.of(given, right), Matrix.of(few, right)
    product, small = (torch.from_numpy(one.toarray()) @ right for one in (given, few))
    torch.testing.assert_close(sum_of_products([(matrix, right), (matrix, right)], onto.clone()), onto + 2 * product)
    assert len(calls) == 2 * len(matrix.forward.panels) == 6
    for terms in ([(matrix, right), (thin, right)], [(thin, right), (matrix, right)]):
        torch.testing.assert_close(sum_of_products(terms, onto.clone()), onto + product + small)
        torch.testing.assert_close(sum_of_products(terms), product + small)


def test_what_stands_in_fresh_memory_is_not_read(monkeypatch):
    def spoilt(self: torch.Tensor, *shape: int) -> torch.Tensor:
        return torch.full(shape, float("nan"), dtype=self.dtype)

    wide = sp.random(30, 3000, density=0.9, random_state=0).tocsr()  # in panels
    thin = sp.random(30, 3000, density=0.001, random_state=1).tocsr()
    right = torch.randn(3000, WIDE)
    matrices = [Matrix.of(one, right) for one in (wide, thin)]
    monkeypatch.setattr(torch.Tensor, "new_empty", spoilt)
    for matrix in matrices:
        assert (matrix @ right).isfinite().all()


@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_numbers_of_columns_may_be_of_either_size_in_one_call(index):
    first, second = matrix_with_rows_of(3, 0, 9), matrix_with_rows_of(1, 4, 0, seed=9)
    right, total = torch.randn(40, WIDE, dtype=torch.float64), torch.full((3, WIDE), float("nan"), dtype=torch.float64)
    terms = [
        (row_product.Arrays(one.indptr.astype(kind), one.indices.astype(kind), one.data), right)
        for one, kind in ((first, np.int32), (second, index))
    ]
    row_product.add_rows(total, terms, fresh=True)
    torch.testing.assert_close(total, torch.from_numpy((first + second).toarray()) @ right)


def test_what_is_not_laid_out_row_by_row_is_left_to_torch(calls):
    matrix, right = Matrix.of(matrix_with_rows_of(3, 9, columns=10), torch.empty(0)), torch.ones(10, WIDE)
    onto = torch.zeros(WIDE, 2).T
    torch.testing.assert_close(sum_of_products([(matrix, right)], onto), matrix.dense(right) @ right)
    assert calls == []


def test_what_is_overwritten_and_needed_again_is_told_by_torch():
    matrix, right = Matrix.of(matrix_with_rows_of(3, 9, columns=10), torch.empty(0)), torch.ones(10, WIDE)
    onto = torch.ones(2, WIDE, requires_grad=True).exp()  # whose gradient needs its values
    with pytest.raises(RuntimeError, match="inplace"):
        sum_of_products([(matrix, right)], onto).sum().backward()


def test_what_is_overwritten_without_gradients_and_needed_again_is_told_by_torch():
    matrix, right = Matrix.of(matrix_with_rows_of(3, 9, columns=10), torch.empty(0)), torch.ones(10, WIDE)
    onto = torch.ones(2, WIDE, requires_grad=True).exp()
    with torch.no_grad():
        sum_of_products([(matrix, right)], onto)
    with pytest.raises(RuntimeError, match="inplace"):
        onto.sum().backward()


def test_a_derivative_forwards_is_refused_and_not_lost():
    matrix, right = Matrix.of(matrix_with_rows_of(3, 9, columns=10), torch.empty(0)), torch.ones(10, WIDE)
    with torch.no_grad(), forward_ad.dual_level(), pytest.raises(NotImplementedError, match="jvp"):
        matrix @ forward_ad.make_dual(right, right)


@pytest.mark.parametrize(("threads", "width"), [(1, WIDE - 1), (2, WIDE)])
def test_where_torch_is_faster_it_is_torch_that_multiplies(calls, threads, width):
    right = torch.ones(10, width)
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        Matrix.of(matrix_with_rows_of(3, 9, columns=10), right) @ right
    finally:
        torch.set_num_threads(before)
    assert calls == []


@pytest.mark.parametrize("width", [WIDE - 1, WIDE])  # torch's product and ours
def test_what_does_not_fit_is_refused_and_not_read_past_its_end(width):
    matrix = Matrix.of(matrix_with_rows_of(3, 9, columns=10), torch.empty(0))
    right = torch.ones(10, width)
    for wrong in (right[:9], torch.ones(11, width), right[0]):
        with pytest.raises(LvcError, match=r"a matrix of shape \(2, 10\) takes as many rows as it has columns, got \["):
            matrix @ wrong
    for onto in (torch.zeros(3, width), torch.zeros(2, width + 1)):
        with pytest.raises(LvcError, match="cannot take a product of shape"):
            sum_of_products([(matrix, right)], onto)
    with pytest.raises(RuntimeError):  # torch's own words
        matrix @ right.double()


def test_both_forms_of_the_panels_are_one_matrix_in_one_memory():
    given = matrix_with_rows_of(3, 9, columns=10)
    rows = Rows.of(given, torch.empty(0))
    for panel, piece, width in zip(rows.panels, rows.pieces, rows.widths, strict=True):
        assert panel.shape == (2, width)
        assert panel.values().data_ptr() == piece.value.ctypes.data
    again = Rows(rows.shape, torch.empty(0), panels=rows.panels)
    assert [piece.column.tolist() for piece in again.pieces] == [piece.column.tolist() for piece in rows.pieces]
    nothing = Rows.of(sp.csr_matrix((2, 3)), torch.empty(0))
    assert (nothing.panels, nothing.pieces, nothing.widths) == ([], [], [])


@pytest.mark.parametrize("width", [3, WIDE])  # torch's product and ours
def test_a_grid_of_matrices_is_one_matrix_in_blocks(calls, width):
    random = torch.Generator().manual_seed(0)
    whole = torch.zeros(9, 11, dtype=torch.float64)  # rows 5 + 4, columns 4 + 7
    grid: list[list[Matrix | None]] = [[None, None], [None, None]]
    for i, j, rows, columns in (
        (0, 0, slice(5), slice(4)),
        (0, 1, slice(5), slice(4, 11)),
        (1, 1, slice(5, 9), slice(4, 11)),
    ):
        block = torch.randn(whole[rows, columns].shape, dtype=torch.float64, generator=random)
        whole[rows, columns] = block
        grid[i][j] = Matrix.of(sp.csr_matrix(block.numpy()), block)
    first, second, onto = (
        torch.randn(n, width, dtype=torch.float64, generator=random, requires_grad=True) for n in (4, 7, 5)
    )

    def sums(first, second, onto):
        return torch.cat(sums_of_products(grid, [first, second], [onto.clone(), None]))

    expected = whole @ torch.cat([first, second]) + torch.nn.functional.pad(onto, (0, 0, 0, 4))
    torch.testing.assert_close(sums(first, second, onto), expected)
    if width < WIDE:  # column by column; more of them say no more
        assert torch.autograd.gradcheck(sums, (first, second, onto))
        assert torch.autograd.gradgradcheck(sums, (first, second, onto))
    made = len(calls)
    sums(first, second.detach(), onto).sum().backward()
    assert len(calls) - made == (3 if width == WIDE else 0)  # two rows there, and one back: the other needs no gradient
    (_, below) = sums_of_products(grid, [first, second])
    towards = torch.randn_like(below)
    back = torch.autograd.grad(below, (first, second), towards, allow_unused=True)
    assert back[0] is None  # the second row of the grid does not see it
    torch.testing.assert_close(back[1], whole[5:, 4:].T @ towards)


@pytest.mark.parametrize("search", ["bfs:3", "dfs:1", "dfs:2"])
@pytest.mark.parametrize("scale", ["sum", "mean"])
def test_networks_give_the_same_numbers_with_either_product(calls, monkeypatch, search, scale):
    edges = torch.from_numpy(np.array(nx.barbell_graph(4, 3).edges()).T)
    x = torch.randn(11, 5, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    data = AddSearch(search)(Data(x=x, edge_index=torch.cat([edges, edges.flip(0)], dim=1)))
    model = SGN(5, WIDE, 3, 2, search=search, scale=scale).double()

    def results() -> list[torch.Tensor]:
        out = model(data)
        return [out, *torch.autograd.grad(out.square().sum(), list(model.parameters()))]

    ours = results()
    assert len(calls) > 0
    made = len(calls)
    monkeypatch.setattr(sparse, "is_faster", lambda *_: False)
    torch.testing.assert_close(results(), ours)
    assert len(calls) == made


def test_without_a_compiler_it_is_torch_that_multiplies(monkeypatch):
    right = torch.ones(10, WIDE)
    assert row_product.is_faster(right, right, right)
    monkeypatch.setattr(row_product.config, "DISABLE_JIT", 1)
    assert not row_product.is_faster(right, right, right)


def test_a_gradient_of_a_gradient_by_our_kernel(calls):
    matrix = Matrix.of(matrix_with_rows_of(3, 9, 2, columns=10), torch.empty(0, dtype=torch.float64))
    right = torch.randn(10, WIDE, dtype=torch.float64, requires_grad=True)

    def second(product: torch.Tensor) -> torch.Tensor:
        (first,) = torch.autograd.grad(product.sin().sum(), right, create_graph=True)
        return torch.autograd.grad(first.square().sum(), right)[0]

    torch.testing.assert_close(second(matrix @ right), second(matrix.dense(right) @ right))
    assert len(calls) > 2

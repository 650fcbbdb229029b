import pytest
import torch
from torch_geometric.data import Batch, Data
from torch_geometric.nn.dense import dense_diff_pool
from torch_geometric.utils import erdos_renyi_graph, to_dense_adj, to_dense_batch

from lvc.nn.diffpool import pooled


def batch_of(*sizes: int) -> Batch:
    torch.manual_seed(0)
    return Batch.from_data_list([Data(edge_index=erdos_renyi_graph(n, 0.3), num_nodes=n) for n in sizes])


@pytest.mark.parametrize("sizes", [(7,), (9, 4, 1, 6), (1, 1), (30, 2)])
def test_it_pools_as_torch_geometric_does_with_dense_matrices(sizes):
    batch = batch_of(*sizes)
    h, scores = (torch.randn(sum(sizes), width, dtype=torch.float64, requires_grad=True) for width in (5, 3))
    filled, mask = to_dense_batch(h, batch.batch, batch_size=len(sizes))
    dense = to_dense_adj(batch.edge_index, batch.batch, batch_size=len(sizes)).double()
    x, adjacency, link, entropy = dense_diff_pool(filled, dense, to_dense_batch(scores, batch.batch)[0], mask)
    expected = x, adjacency, link + entropy
    found = pooled(h, batch.edge_index, scores.softmax(dim=1), sizes)
    for mine, other in zip(found, expected, strict=True):
        torch.testing.assert_close(mine, other)
    towards = [torch.randn_like(one) for one in expected]
    for mine, other in zip(
        *(torch.autograd.grad(results, (h, scores), towards) for results in (found, expected)), strict=True
    ):
        torch.testing.assert_close(mine, other)


def test_a_path_shared_out_by_hand():
    #  0 - 1 - 2 in two clusters: the ends, the middle
    edges = torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]])
    shares = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]])
    x, adjacency, loss = pooled(torch.tensor([[1.0], [10.0], [100.0]]), edges, shares, [3])
    assert x.tolist() == [[[101.0], [10.0]]]
    assert adjacency.tolist() == [[[0.0, 2.0], [2.0, 0.0]]]
    assert loss.item() == pytest.approx(9**0.5 / 9)  # A has four ones, S S^T five others


def test_graphs_without_vertices_have_no_loss():
    h, shares = torch.zeros(0, 2), torch.zeros(0, 3)
    x, adjacency, loss = pooled(h, torch.zeros(2, 0, dtype=torch.long), shares, [0, 0])
    assert (x.shape, adjacency.shape) == ((2, 3, 2), (2, 3, 3))
    assert loss.item() == pytest.approx(0, abs=1e-6)

import networkx as nx
import numpy as np
import pytest
import torch
from torch_geometric.data import Data
from torch_geometric.nn import GAT

from lvc import Graph, LvcError
from lvc.nn.attention import Neighbourhoods, RowGAT, _Softmax, _WeightedSum, with_loops

GRAPHS = {
    "random": nx.gnp_random_graph(12, 0.3, seed=1),
    "isolated vertices": nx.disjoint_union(nx.path_graph(3), nx.empty_graph(2)),
    "no edges": nx.empty_graph(3),
}


def data_of(graph: nx.Graph) -> Data:
    edges = np.array(graph.edges, dtype=np.int64).T.reshape(2, -1)
    x = torch.randn(len(graph), 5, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    return Data(x=x, edge_index=torch.from_numpy(np.concatenate([edges, edges[::-1]], axis=1)))


def rows_of(graph: nx.Graph) -> Neighbourhoods:
    return Neighbourhoods.of(Graph.from_networkx(graph))


@pytest.mark.parametrize("name", GRAPHS)
def test_a_row_is_a_vertex_with_its_neighbours(name):
    graph, rows = GRAPHS[name], rows_of(GRAPHS[name])
    found = [sorted(rows.column[first:last]) for first, last in zip(rows.start, rows.start[1:], strict=False)]
    assert found == [sorted({u, *graph[u]}) for u in graph]


def test_large_scores_stay_finite():
    rows = rows_of(GRAPHS["random"])
    target, source = torch.full((12, 2), 500.0), torch.arange(24.0).reshape(12, 2) * 100
    weight = _Softmax.apply(rows, target, source, 0.2)
    sums = np.add.reduceat(weight.numpy(), rows.start[:-1])
    assert np.allclose(sums, 1)


@pytest.mark.parametrize("layers", [1, 3])
@pytest.mark.parametrize("name", GRAPHS)
def test_it_is_the_gat_of_torch_geometric(name, layers):
    torch.manual_seed(0)
    theirs = GAT(5, 8, layers, 3, heads=4).double()
    ours = RowGAT(5, 8, layers, 3, heads=4).double()
    assert [(n, p.shape) for n, p in ours.named_parameters()] == [(n, p.shape) for n, p in theirs.named_parameters()]
    ours.load_state_dict(theirs.state_dict())
    data = data_of(GRAPHS[name])
    expected = theirs(data.x, data.edge_index)
    expected.square().sum().backward()
    for graph in (rows_of(GRAPHS[name]), with_loops(data)):
        ours.zero_grad()
        found = ours(data.x, graph)
        found.square().sum().backward()
        assert torch.allclose(found, expected)
        for one, other in zip(ours.parameters(), theirs.parameters(), strict=True):
            assert torch.allclose(one.grad, other.grad)


def test_gradients_of_both_steps():
    rows = rows_of(GRAPHS["random"])
    draw = torch.Generator().manual_seed(0)
    target, source, h = (
        torch.randn(12, 2, *more, generator=draw, dtype=torch.float64, requires_grad=True) for more in ((), (), (3,))
    )
    weight = torch.rand(len(rows.column), 2, generator=draw, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda *both: _Softmax.apply(rows, *both, 0.2), (target, source))
    assert torch.autograd.gradcheck(lambda *both: _WeightedSum.apply(rows, *both), (weight, h))


def test_weights_of_attention_are_dropped_while_training():
    torch.manual_seed(0)
    model = RowGAT(5, 8, 1, 3, heads=4, dropout=0.5).double()
    data, rows = data_of(GRAPHS["random"]), rows_of(GRAPHS["random"])
    assert not torch.equal(model(data.x, rows), model(data.x, rows))
    model.eval()
    assert torch.equal(model(data.x, rows), model(data.x, rows))


def test_a_width_that_heads_do_not_divide_is_refused():
    with pytest.raises(LvcError, match="hidden_channels of GAT must be a multiple of its 8 heads, got 10"):
        RowGAT(5, 10, 2, 3, heads=8)


def test_features_of_another_graph_are_refused():
    model, rows = RowGAT(5, 8, 1, 3, heads=4).double(), rows_of(GRAPHS["random"])
    for vertices in (11, 13):
        x = torch.zeros(vertices, 5, dtype=torch.float64)
        with pytest.raises(LvcError, match=f"x has {vertices} rows and the graph 12 vertices"):
            model(x, rows)


def test_loops_of_an_edge_list_are_counted_once():
    data = Data(x=torch.zeros(2, 5), edge_index=torch.tensor([[0, 1, 0], [1, 0, 0]]))
    assert sorted(with_loops(data).T.tolist()) == [[0, 0], [0, 1], [1, 0], [1, 1]]

import copy
from math import comb
from typing import Any
from unittest.mock import Mock

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
import torch
from torch_geometric.data import Data
from torch_geometric.nn import APPNP, GCN, ChebConv

from lvc import Graph, LvcError
from lvc.nn import SGN, AddSearch, baselines
from lvc.nn.baselines import ChebNet, Filtered, _matrix, baseline
from lvc.nn.rows import csr


def data_of(graph: nx.Graph, features: int = 5) -> Data:
    edges = np.array(graph.edges).T.reshape(2, -1)
    both = torch.from_numpy(np.concatenate([edges, edges[::-1]], axis=1)).long()
    x = torch.randn(len(graph), features, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    return Data(x=x, edge_index=both, num_nodes=len(graph))


def dense(graph: nx.Graph, loops: bool) -> torch.Tensor:
    matrix = nx.to_numpy_array(graph, nodelist=range(len(graph))) + (np.eye(len(graph)) if loops else 0)
    degree = matrix.sum(axis=1)
    root = np.where(degree > 0, 1 / np.sqrt(np.maximum(degree, 1)), 0)
    return torch.from_numpy(root[:, None] * matrix * root)


GRAPH = nx.gnp_random_graph(12, 0.3, seed=1)


def filtered(kind: str) -> tuple[Any, Data]:
    torch.manual_seed(0)
    model: Any = Filtered([5, 8, 3], 0.0, kind, order=4).double().eval()
    with torch.no_grad():
        model.weight.copy_(torch.rand(5))
    return model, data_of(GRAPH)


def test_gprgnn_is_its_polynomial():
    model, data = filtered("gpr")
    h, matrix = model.mlp(data.x), dense(GRAPH, loops=True)
    expected = sum(model.weight[k] * torch.linalg.matrix_power(matrix, k) @ h for k in range(5))
    assert torch.allclose(model(data.x, data), expected)


def test_appnp_is_that_of_torch_geometric():
    model: Any = Filtered([5, 8, 3], 0.0, "appnp", order=4, alpha=0.2).double().eval()
    data = data_of(GRAPH)
    assert torch.allclose(model(data.x, data), APPNP(4, 0.2)(model.mlp(data.x), data.edge_index))
    assert not model.weight.requires_grad


def test_dropout_of_what_is_propagated_is_that_of_the_learnt_filters_alone():
    """One linear map: nothing else could be dropped."""
    data = data_of(GRAPH)
    for name, drops in (("appnp", False), ("gprgnn", True), ("bernnet", True)):
        torch.manual_seed(0)
        model = baseline(name, data.x.shape[1], 8, 1, 3, dropout=0.5, propagation_dropout=0.5).double()
        assert torch.equal(model.train()(data), model.eval()(data)) != drops
        plain = baseline(name, data.x.shape[1], 8, 1, 3, dropout=0.5).double()
        assert torch.equal(plain.train()(data), plain.eval()(data))


def test_bernnet_is_its_polynomial():
    model, data = filtered("bern")
    h = model.mlp(data.x)
    identity = torch.eye(len(GRAPH), dtype=torch.float64)
    laplacian = identity - dense(GRAPH, loops=False)
    power = torch.linalg.matrix_power
    expected = sum(
        model.weight[k] * comb(4, k) / 2**4 * power(2 * identity - laplacian, 4 - k) @ power(laplacian, k) @ h
        for k in range(5)
    )
    assert torch.allclose(model(data.x, data), expected)


def test_bernnet_starts_as_the_identity():
    model = Filtered([5, 8, 3], 0.0, "bern").double().eval()
    data = data_of(GRAPH)
    assert torch.allclose(model(data.x, data), model.mlp(data.x))


def test_the_neighbours_of_h2gcn_at_distance_two():
    two = _matrix(Graph.from_networkx(GRAPH), "two").toarray() > 0
    distance = dict(nx.all_pairs_shortest_path_length(GRAPH))
    expected = [[distance[u].get(v) == 2 for v in GRAPH] for u in GRAPH]
    assert two.tolist() == expected


@pytest.mark.parametrize("layers", [1, 2, 3])
def test_h2gcn_as_written(layers):
    """One round for one and for two layers: embedding, then neighbours at distance 1 and 2 apart, all joined."""
    torch.manual_seed(0)
    model: Any = baseline("h2gcn", 5, 8, layers, 3).double().eval()
    distance = dict(nx.all_pairs_shortest_path_length(GRAPH))
    rings = [nx.Graph([(u, v) for u in GRAPH for v in distance[u] if distance[u][v] == d]) for d in (1, 2)]
    for ring in rings:
        ring.add_nodes_from(GRAPH)
    data, net = data_of(GRAPH), model.model
    h = net.embed(data.x).relu()
    assert h.shape[1] == 8
    seen = [h]
    for _ in range(max(layers - 1, 1)):
        h = torch.cat([dense(ring, loops=False) @ h for ring in rings], dim=1)
        seen.append(h)
    assert torch.allclose(model(data), net.final(torch.cat(seen, dim=1)))


def test_chebnet_is_that_of_torch_geometric():
    torch.manual_seed(0)
    data = data_of(GRAPH)
    model: Any = ChebNet([5, 3], 0.0, order=3).double()
    theirs = ChebConv(5, 3, K=4).double()
    for k, linear in enumerate(theirs.lins):
        linear.weight.data.copy_(model.filters[0].weight[3 * k : 3 * k + 3])
    with torch.no_grad():
        model.biases[0].copy_(theirs.bias.normal_())
    assert torch.allclose(model(data.x, data), theirs(data.x, data.edge_index))


NAMES = ["mlp", "gcn", "gcn-jk", "gat", "chebnet", "appnp", "gprgnn", "bernnet", "h2gcn"]


@pytest.mark.parametrize("name", NAMES)
def test_a_model_used_on_another_graph_takes_the_other_graph(name):
    """What was made of a graph is kept with its edges; a copy of the edges has nothing kept with it."""
    torch.manual_seed(0)
    model, data = baseline(name, 5, 8, 2, 3).double().eval(), data_of(GRAPH)

    def anew(one: Data) -> torch.Tensor:
        return copy.deepcopy(model)(Data(x=one.x, edge_index=one.edge_index.clone()))

    model(data)
    other = data_of(nx.cycle_graph(12))
    assert torch.equal(model(other), anew(other))
    before = model(other)
    two = nx.disjoint_union(nx.cycle_graph(6), nx.cycle_graph(6))
    other.edge_index[:] = data_of(two).edge_index  # changed in place
    assert torch.equal(model(other), anew(other))
    assert torch.equal(model(other), before) == (name == "mlp")
    smaller = Data(x=other.x[:3], edge_index=data_of(nx.path_graph(3)).edge_index)
    larger = Data(x=other.x[:4], edge_index=smaller.edge_index)
    for one in (smaller, larger, smaller):
        assert torch.equal(model(one), anew(one))
    assert model.float()(Data(x=data.x.float(), edge_index=data.edge_index)).dtype == torch.float32


def test_what_is_made_of_a_graph_is_made_once_for_all_models(monkeypatch):
    data, made = data_of(GRAPH), Mock(side_effect=_matrix)
    monkeypatch.setattr(baselines, "_matrix", made)
    for _ in range(2):
        baseline("h2gcn", 5, 8, 2, 3).double()(data)
    assert made.call_count == 2  # neighbours, and vertices at distance 2
    baseline("h2gcn", 5, 8, 2, 3)(Data(x=data.x.float(), edge_index=data.edge_index))
    assert made.call_count == 4


@pytest.mark.parametrize("jk", [None, "cat"])
def test_gcn_is_that_of_torch_geometric(jk):
    torch.manual_seed(0)
    data, theirs = data_of(GRAPH), GCN(5, 8, 2, 3, jk=jk).double()
    model: Any = baseline("gcn" if jk is None else "gcn-jk", 5, 8, 2, 3).double()
    model.model.model.load_state_dict(theirs.state_dict())
    assert torch.allclose(model(data), theirs(data.x, data.edge_index))


def test_unknown_names_are_refused():
    with pytest.raises(LvcError, match="unknown baseline 'gnc'; use one of mlp, gcn, gcn-jk"):
        baseline("gnc", 1, 1, 1, 1, 0.0)
    with pytest.raises(LvcError, match="unknown filter 'x'; use one of appnp, gpr, bern"):
        Filtered([1, 1], 0.0, "x")


@pytest.mark.parametrize("name", NAMES)
def test_sparse_features_give_what_dense_ones_give(name):
    torch.manual_seed(0)
    model = baseline(name, 5, 8, 2, 3, 0.5, 0.5).double().eval()
    data = data_of(GRAPH)
    data.x[torch.rand(data.x.shape, generator=torch.Generator().manual_seed(1)) < 0.8] = 0
    thin = Data(x=csr(sp.csr_matrix(data.x.numpy()), data.x), edge_index=data.edge_index, num_nodes=data.num_nodes)
    assert torch.allclose(model(data), model(thin))
    model.train()
    for one in (data, thin):
        model.zero_grad()
        model(one).sum().backward()
        assert any(p.grad is not None and p.grad.abs().sum() > 0 for p in model.parameters())


@pytest.mark.parametrize("name", NAMES)
def test_dropout_is_for_training_only(name):
    data = data_of(GRAPH)
    model, plain = (baseline(name, 5, 8, 2, 3, dropout=share).double() for share in (0.5, 0.0))
    assert not torch.equal(model.train()(data), model(data))
    assert torch.equal(model.eval()(data), model(data))
    assert torch.equal(plain.train()(data), plain(data))


@pytest.mark.parametrize("name", NAMES)
def test_what_does_not_fit_is_refused(name):
    data = data_of(GRAPH)
    model = baseline(name, 5, 8, 2, 3).double()
    with pytest.raises(LvcError, match="x has 14 rows and the graph 12 vertices; give x a row for each"):
        model(Data(x=torch.ones(14, 5, dtype=torch.float64), edge_index=data.edge_index, num_nodes=12))
    for share in ({"dropout": 1.0}, {"input_dropout": 1.0}):
        with pytest.raises(LvcError, match=r"dropout must be at least 0 and less than 1, got 1\.0"):
            baseline(name, 5, 8, 2, 3, **share)
    if name != "mlp":
        with pytest.raises(LvcError, match="data has no edge_index"):
            model(Data(x=data.x))


def test_what_is_made_of_a_graph_goes_with_it():
    data, before = data_of(GRAPH), len(baselines._made)
    baseline("gcn", 5, 8, 2, 3).double()(data)
    assert len(baselines._made) == before + 1
    del data
    assert len(baselines._made) == before


@pytest.mark.parametrize("name", ["appnp", "gprgnn"])
def test_alpha_changes_the_result(name):
    data, seen = data_of(GRAPH), []
    for alpha in (0.1, 0.9):
        torch.manual_seed(0)
        seen.append(baseline(name, 5, 8, 2, 3, alpha=alpha).double().eval()(data))
    assert not torch.allclose(*seen)


def test_input_dropout_is_for_training_only():
    data = data_of(GRAPH)
    for model in (
        baseline("gcn", 5, 8, 2, 3, input_dropout=0.5).double(),
        SGN(5, 8, 2, 3, search="bfs:1", input_dropout=0.5).double(),
    ):
        searched = AddSearch("bfs:1")(data)
        assert not torch.equal(model.train()(searched), model(searched))
        assert torch.equal(model.eval()(searched), model(searched))

import copy
from typing import Any

import networkx as nx
import pytest
import torch
from torch import Tensor, nn
from torch_geometric.data import Batch, Data
from torch_geometric.nn import NNConv

from lvc import LvcError
from lvc.nn.graph_baselines import GRAPH_BASELINES, EdgeConv, graph_baseline, sort_pool_size

FEATURES = 4


def data_of(graph: nx.Graph, seed: int = 0) -> Data:
    edges = torch.tensor(list(graph.edges)).long().reshape(-1, 2).T
    x = torch.randn(len(graph), FEATURES, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    return Data(x=x, edge_index=torch.cat([edges, edges.flip(0)], dim=1))


def model_of(name: str, dropout: float = 0.0, **options: Any) -> Any:
    torch.manual_seed(0)
    return graph_baseline(name, FEATURES, 8, 2, 3, dropout, **{"k": 12, "largest": 30, **options}).double()


def relabelled(data: Data) -> Data:
    new = torch.randperm(data.num_nodes, generator=torch.Generator().manual_seed(1))  # of each old vertex
    return Data(x=data.x[new.argsort()], edge_index=new[data.edge_index])


GRAPHS = [
    data_of(nx.gnp_random_graph(20, 0.2, seed=1), 1),
    data_of(nx.disjoint_union(nx.cycle_graph(5), nx.empty_graph(1)), 2),  # an isolated vertex
    data_of(nx.empty_graph(3), 3),  # no edge
    data_of(nx.empty_graph(1), 4),
]
every = pytest.mark.parametrize("name", GRAPH_BASELINES)


def trained_a_little(name: str) -> Any:
    """In eval mode, with statistics of batch norm that are not those it starts with."""
    model = model_of(name)
    for _ in range(3):
        model(Batch.from_data_list(GRAPHS))
    return model.eval()


@every
def test_one_row_per_graph(name):
    model = model_of(name, dropout=0.5)
    assert model(Batch.from_data_list(GRAPHS)).shape == (4, 3)
    for graph in GRAPHS:  # alone too, in training
        row = model(graph)
        row.sum().backward()
        assert row.shape == (1, 3)
        assert row.isfinite().all()
    assert all(p.grad is None or p.grad.isfinite().all() for p in model.parameters())


@every
def test_a_batch_gives_what_its_graphs_give_in_any_order(name):
    model = trained_a_little(name)
    alone = torch.cat([model(graph) for graph in GRAPHS])
    assert torch.allclose(model(Batch.from_data_list(GRAPHS)), alone)
    assert torch.allclose(model(Batch.from_data_list(GRAPHS[::-1])), alone.flip(0))


@every
def test_relabelling_vertices_changes_nothing(name):
    model = trained_a_little(name)
    assert torch.allclose(
        model(Batch.from_data_list([relabelled(g) for g in GRAPHS])), model(Batch.from_data_list(GRAPHS))
    )


@every
def test_who_sees_edges(name):
    model = trained_a_little(name)
    before = model(GRAPHS[0])
    after = model(Data(x=GRAPHS[0].x, edge_index=data_of(nx.cycle_graph(20)).edge_index))
    assert torch.equal(before, after) == name.startswith("agnostic")


@every
def test_eight_graphs_are_learnt_by_heart(name):
    batch = Batch.from_data_list([data_of(nx.gnp_random_graph(6 + i, 0.4, seed=i), seed=i) for i in range(8)])
    labels = torch.tensor([0, 1, 2, 0, 2, 1, 1, 0])
    model = model_of(name)
    optimiser = torch.optim.Adam(model.parameters(), lr=0.02)
    for _ in range(200):
        optimiser.zero_grad()
        loss = nn.functional.cross_entropy(model(batch), labels)
        (loss + getattr(model, "auxiliary_loss", 0)).backward()
        optimiser.step()
    assert loss < 0.2
    assert torch.equal(model(batch).argmax(dim=1), labels)


@every
def test_a_seed_decides_everything(name):
    def once() -> Tensor:
        return model_of(name, dropout=0.5)(Batch.from_data_list(GRAPHS))

    assert torch.equal(once(), once())


def test_agnostic_chemical_by_hand():
    model = trained_a_little("agnostic-chemical")
    total = GRAPHS[0].x.sum(dim=0, keepdim=True)
    first, second = model.head.lins
    assert torch.allclose(model(GRAPHS[0]), second(first(total).relu()))


def head(model: Any, rows: Tensor) -> Tensor:
    first, second = model.head.lins
    return second(first(rows).relu())


def normalised(norm: Any, h: Tensor) -> Tensor:
    """Batch norm in eval mode."""
    known = norm.module
    return (h - known.running_mean) / (known.running_var + known.eps).sqrt() * known.weight + known.bias


def adjacency_of(data: Data) -> Tensor:
    dense = torch.zeros(data.num_nodes, data.num_nodes, dtype=torch.float64)
    dense[data.edge_index[0], data.edge_index[1]] = 1
    return dense


def mean_of_neighbours(adjacency: Tensor, h: Tensor) -> Tensor:
    """Of none: zeros."""
    return adjacency @ h / adjacency.sum(dim=1, keepdim=True).clamp(min=1)


def social_by_hand(model: Any, data: Data) -> Tensor:
    h = data.x
    for layer in model.layers:
        h = layer.conv(h).relu()
    return head(model, h.sum(dim=0))


def gin_by_hand(model: Any, data: Data) -> Tensor:
    h, adjacency = data.x, adjacency_of(data)
    out = model.head.maps[0](h.sum(dim=0))
    for layer, linear in zip(model.layers, model.head.maps[1:], strict=True):
        h = (1 + layer.conv.eps) * h + adjacency @ h
        first, second = layer.conv.nn.lins
        before, after = layer.conv.nn.norms
        h = normalised(after, second(normalised(before, first(h)).relu())).relu()
        out = out + linear(h.sum(dim=0))
    return out


def graphsage_by_hand(model: Any, data: Data) -> Tensor:
    h, adjacency, seen = data.x, adjacency_of(data), []
    for layer in model.layers:
        h = (layer.conv.lin_l(mean_of_neighbours(adjacency, h)) + layer.conv.lin_r(h)).relu()
        seen.append(h)
    return head(model, torch.cat(seen, dim=1).amax(dim=0))


def ecc_by_hand(model: Any, data: Data) -> Tensor:
    h, adjacency = data.x, adjacency_of(data)
    for layer in model.layers:
        first, second = layer.conv.nn.lins
        matrix = second(first(torch.ones(1, dtype=torch.float64)).relu()).view(h.shape[1], -1)
        h = mean_of_neighbours(adjacency, h @ matrix) + layer.conv.lin(h) + layer.conv.bias
        h = normalised(layer.after[0], h).relu()
    return head(model, h.sum(dim=0))


def dgcnn_by_hand(model: Any, data: Data, k: int = 12) -> Tensor:
    h, adjacency, seen = data.x, adjacency_of(data) + torch.eye(data.num_nodes), []
    for linear in model.maps:
        h = (adjacency @ linear(h) / adjacency.sum(dim=1, keepdim=True)).tanh()
        seen.append(h)
    every = torch.cat(seen, dim=1)
    kept = torch.zeros(k, every.shape[1], dtype=torch.float64)
    falling = every[every[:, -1].argsort(descending=True)][:k]
    kept[: len(falling)] = falling
    row, along = model.row, model.along[2]
    rows = (kept @ row.weight.T + row.bias).relu()  # [k, 16], one for each vertex
    pairs = torch.maximum(rows[0::2], rows[1::2])
    windows = torch.stack([pairs[i : i + 5].T for i in range(k // 2 - 4)])  # [places, 16, 5]
    slid = torch.einsum("pcw,ocw->op", windows, along.weight) + along.bias[:, None]
    return head(model, slid.relu().flatten())


def diffpool_by_hand(model: Any, data: Data) -> Tensor:
    """With the sum of its losses as a last number."""

    def block(layers: Any, h: Tensor, adjacency: Tensor) -> Tensor:
        seen = []
        for conv, norm in zip(layers.convs, layers.norms, strict=True):
            near, itself = (conv.lin_l, conv.lin_r) if hasattr(conv, "lin_l") else (conv.lin_rel, conv.lin_root)
            h = near(mean_of_neighbours(adjacency, h)) + itself(h)
            h = normalised(norm, h).relu()
            seen.append(h)
        return layers.final(torch.cat(seen, dim=1))

    h, adjacency, rows = data.x, adjacency_of(data), []
    loss = torch.zeros((), dtype=torch.float64)
    for embed, assign in zip(model.embed[:-1], model.assign, strict=True):
        shares = block(assign, h, adjacency).softmax(dim=1)
        loss = loss + (adjacency - shares @ shares.T).square().sum().sqrt() / adjacency.numel()
        loss = loss - (shares * (shares + 1e-15).log()).sum(dim=1).mean()
        h, adjacency = shares.T @ block(embed, h, adjacency), shares.T @ adjacency @ shares
        rows.append(h.amax(dim=0))
    rows.append(block(model.embed[-1], h, adjacency).amax(dim=0))
    return torch.cat([head(model, torch.cat(rows)), loss[None]])


BY_HAND: dict[str, Any] = {
    "agnostic-social": social_by_hand,
    "gin": gin_by_hand,
    "graphsage": graphsage_by_hand,
    "ecc": ecc_by_hand,
    "dgcnn": dgcnn_by_hand,
    "diffpool": diffpool_by_hand,
}


@pytest.mark.parametrize("name", BY_HAND)
def test_dense_by_hand(name):
    model = trained_a_little(name)
    for parameter in model.parameters():  # a bias or an eps of 0 would hide
        nn.init.normal_(parameter, std=0.5)
    for data in GRAPHS:
        found = model(data)[0]
        if name == "diffpool":
            found = torch.cat([found, model.auxiliary_loss[None]])
        assert torch.allclose(found, BY_HAND[name](model, data))


def test_eps_of_gin_is_learnt():
    model = model_of("gin")
    learnt = {name for name, _ in model.named_parameters()}
    assert learnt >= {f"layers.{number}.conv.eps" for number in range(len(model.layers))}


def test_statistics_of_diffpool_are_of_vertices_alone():
    #  torch_geometric fills a batch up to its largest graph; what fills up is no vertex
    model = model_of("diffpool").train()
    norm = model.embed[0].norms[0].module
    norm.momentum = 1.0
    model(Batch.from_data_list(GRAPHS))
    conv, every = model.embed[0].convs[0], []
    for data in GRAPHS:
        every.append(conv.lin_l(mean_of_neighbours(adjacency_of(data), data.x)) + conv.lin_r(data.x))
    assert torch.allclose(norm.running_mean, torch.cat(every).mean(dim=0))
    assert torch.allclose(norm.running_var, torch.cat(every).var(dim=0))


@pytest.mark.parametrize("name", ["agnostic-chemical", "agnostic-social", "gin", "graphsage", "ecc"])
def test_readouts_differ_and_the_default_is_the_papers(name):
    results = {readout: model_of(name, readout=readout)(GRAPHS[0]) for readout in (None, "sum", "mean", "max")}
    assert torch.equal(results[None], results["max" if name == "graphsage" else "sum"])
    assert not torch.allclose(results["sum"], results["mean"])
    assert not torch.allclose(results["mean"], results["max"])


def test_aggregations_of_graphsage_differ():
    results = [model_of("graphsage", aggregation=how)(GRAPHS[0]) for how in ("sum", "mean", "max")]
    assert not torch.allclose(results[0], results[1])
    assert not torch.allclose(results[1], results[2])


@every
def test_dropout_and_depth_change_the_result(name):
    batch = Batch.from_data_list(GRAPHS)
    assert not torch.allclose(model_of(name)(batch), model_of(name, dropout=0.5)(batch))
    deep, shallow = (
        sum(p.numel() for p in graph_baseline(name, FEATURES, 8, layers, 3, k=10, largest=30).parameters())
        for layers in (3, 1)
    )
    assert (deep > shallow) == (name != "agnostic-chemical")


def test_sort_pool_size_by_hand():
    assert sort_pool_size([50, 40, 30, 20, 10]) == 30  # three of five have at most 30
    assert sort_pool_size([10, 20, 30, 40, 50], share=1) == 50
    assert sort_pool_size([10, 20, 30, 40, 50], share=0.61) == 40
    assert sort_pool_size([10, 20, 30, 40, 50], share=0.4) == 20
    assert sort_pool_size([3, 4, 5]) == 10
    assert sort_pool_size(iter([77])) == 77
    for sizes, share in (([], 0.6), ([20], 0.0), ([20], 1.5)):
        with pytest.raises(LvcError, match=f"share must be above 0 .* got {share} of {len(sizes)}"):
            sort_pool_size(sizes, share)


def test_dgcnn_fills_up_to_k_and_cuts_to_k():
    small, large = data_of(nx.cycle_graph(4)), data_of(nx.cycle_graph(40))
    for k in (10, 25):
        model = model_of("dgcnn", k=k)
        seen: list[Tensor] = []
        model.sort.register_forward_hook(lambda *call, seen=seen: seen.append(call[-1]))
        assert model(Batch.from_data_list([small, large])).shape == (2, 3)
        vertices = seen[0].view(2, k, -1)
        assert (vertices[0, :4] != 0).all()
        assert (vertices[0, 4:] == 0).all()
        assert (vertices[1] != 0).all()
        assert (vertices[1, :, -1].diff() <= 0).all()


def test_the_auxiliary_loss_of_diffpool_has_a_gradient():
    model = model_of("diffpool")
    assert model.auxiliary_loss == 0
    model(Batch.from_data_list(GRAPHS))
    assert model.auxiliary_loss > 0
    model.auxiliary_loss.backward()
    assert all(any(p.grad.abs().sum() > 0 for p in block.parameters()) for block in model.assign)
    assert not copy.deepcopy(model).auxiliary_loss.requires_grad
    assert not any(hasattr(model_of(name), "auxiliary_loss") for name in GRAPH_BASELINES if name != "diffpool")


def test_clusters_of_diffpool():
    def clusters(layers: int) -> list[int]:
        model: Any = graph_baseline("diffpool", FEATURES, 8, layers, 3, largest=41)
        return [block.final.out_features for block in model.assign]

    assert clusters(1) == [5]
    assert clusters(2) == [11, 3]


def test_what_does_not_fit_is_refused(monkeypatch):
    monkeypatch.setenv("LVC_MEMORY_GB", "0.001")
    small = Batch.from_data_list([data_of(nx.cycle_graph(10))] * 8)
    model_of("diffpool")(small)
    with pytest.raises(LvcError, match=r"diffpool on 8 graphs of 80 vertices in 1437 clusters each needs about .* GB"):
        model_of("diffpool", largest=5748)(small)
    large = data_of(nx.empty_graph(3000))
    with pytest.raises(LvcError, match=r"diffpool on 2 graphs of 3020 vertices in 8 clusters each needs about .* GB"):
        model_of("diffpool")(Batch.from_data_list([large, GRAPHS[0]]))
    cycle = data_of(nx.cycle_graph(3000))
    cycle.edge_attr = torch.ones(6000, 1)
    with pytest.raises(LvcError, match=r"ecc on 6000 edges needs about .* GB"):
        model_of("ecc")(cycle)
    del cycle.edge_attr
    assert model_of("ecc")(cycle).shape == (1, 3)


def test_edges_without_features_have_the_feature_one():
    torch.manual_seed(0)
    conv, graph = EdgeConv(FEATURES, 8, 1).double(), GRAPHS[0]
    ones = torch.ones(graph.num_edges, 1, dtype=torch.float64)
    given = conv(graph.x, graph.edge_index, None)
    assert torch.allclose(given, NNConv.forward(conv, graph.x, graph.edge_index, ones))
    assert torch.allclose(given, conv(graph.x, graph.edge_index, ones[:, 0].long()))


def test_ecc_sees_edge_features():
    model, graph = model_of("ecc", edge_channels=2), copy.copy(GRAPHS[0])
    graph.edge_attr = torch.zeros(graph.num_edges, 2)
    before = model(graph)
    graph.edge_attr = torch.eye(2)[torch.arange(graph.num_edges) % 2]
    assert not torch.allclose(model(graph), before)
    with pytest.raises(LvcError, match=r"edge_attr must have 2 columns \(1 if there is none\), got 1"):
        model(GRAPHS[0])


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("gnc", {}, f"unknown graph baseline 'gnc'; use one of {', '.join(GRAPH_BASELINES)}"),
        ("gin", {"readout": "sort"}, "readout must be one of sum, mean, max, got 'sort'"),
        ("graphsage", {"aggregation": "lstm"}, "aggregation must be one of sum, mean, max, got 'lstm'"),
        ("gin", {"dropout": 1.0}, "dropout must be at least 0 and less than 1, got 1.0"),
        ("dgcnn", {"k": None}, "dgcnn needs k, .* at least 10, got None"),
        ("dgcnn", {"k": 9}, "dgcnn needs k, .* at least 10, got 9"),
        ("diffpool", {"largest": None}, "diffpool needs largest, .* got None"),
    ],
)
def test_wrong_options_are_refused(name, options, message):
    with pytest.raises(LvcError, match=message):
        model_of(name, **options)


def test_wrong_sizes_are_refused():
    with pytest.raises(LvcError, match="num_layers must be at least 1, got 0"):
        graph_baseline("gin", 4, 8, 0, 3)
    model = graph_baseline("gin", 5, 8, 1, 3)
    for x, got in ((None, "none"), (torch.ones(2, 4), r"\[2, 4\] of torch.float32")):
        with pytest.raises(LvcError, match=rf"x must have shape \[vertices, 5\] of torch.float32, got {got}"):
            model(Data(x=x, edge_index=torch.empty(2, 0, dtype=torch.long)))

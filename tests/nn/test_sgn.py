"""The network: shapes, invariance, features, options that all do something, refusals."""

import pytest
import torch
from torch_geometric.data import Batch, Data
from torch_geometric.nn import MultiAggregation

from families import FAMILIES, data_of
from lvc.errors import LvcError
from lvc.nn import SGN, AddSearch, SGNConv
from lvc.nn import features as features_module
from lvc.search.kinds import BFS, DFS, Levels

SEARCHES = [BFS(1), BFS(2), BFS(3), DFS(1), DFS(2), BFS(2) + DFS(1), DFS(1) + DFS(3), Levels(1) + Levels(2)]


def made(search, name="random", **options):
    torch.manual_seed(0)
    model = SGN(3, 4, 3, 2, search=search, **options).double().eval()
    return model, AddSearch(search)(data_of(FAMILIES[name]))


@pytest.mark.parametrize("search", SEARCHES, ids=str)
def test_relabelling_the_vertices_relabels_the_rows(search):
    model, _ = made(search)
    for name, g in FAMILIES.items():
        data = data_of(g)
        order = torch.randperm(data.num_nodes, generator=torch.Generator().manual_seed(1))
        place = torch.argsort(order)
        other = Data(x=data.x[order], edge_index=place[data.edge_index])
        add = AddSearch(search)
        assert torch.allclose(model(add(other)), model(add(data))[order], rtol=1e-9, atol=1e-9), name


@pytest.mark.parametrize("readout", ["sum", "mean", "max"])
def test_readout_gives_one_row_per_graph(readout):
    model, data = made(BFS(2), readout=readout)
    graphs = [AddSearch(BFS(2))(data_of(g, seed=i)) for i, g in enumerate(FAMILIES.values())]
    together = model(Batch.from_data_list(graphs))
    assert together.shape == (len(graphs), 2)
    assert torch.allclose(together, torch.cat([model(d) for d in graphs]), rtol=1e-10, atol=1e-10)
    rows = SGN(3, 4, 3, 2, search=BFS(2)).double().eval()
    rows.load_state_dict(model.state_dict())
    pooled = {"sum": rows(data).sum(0), "mean": rows(data).mean(0), "max": rows(data).amax(0)}[readout]
    assert torch.allclose(model(data)[0], pooled)


@pytest.mark.parametrize("jk", [None, "last", "cat", "max"])
def test_a_head_maps_what_was_read_out(jk):
    model, data = made(BFS(2), readout="sum", jk=jk, norm="batch_norm", head_layers=2)
    layers: list[torch.Tensor] = []
    for norm in model.norms:
        norm.register_forward_hook(lambda module, given, out: layers.append(out.relu()))
    found = model(data)
    seen = {"cat": lambda: torch.cat(layers, 1), "max": lambda: torch.stack(layers).amax(0)}
    row = seen.get(jk, lambda: layers[-1])().sum(0)
    (first, last), norm = model.head.lins, model.head.norms[0].module
    centred = (first(row) - norm.running_mean) / (norm.running_var + norm.eps).sqrt()
    assert torch.allclose(found[0], last((centred * norm.weight + norm.bias).relu()), rtol=1e-9)
    assert len(layers) == model.num_layers


def test_the_layers_of_a_head_are_counted_and_dropped_out():
    heads = [made(BFS(2), readout="mean", head_layers=layers)[0].head for layers in (0, 1, 3)]
    assert [None if head is None else len(head.lins) for head in heads] == [None, 1, 3]
    model, data = made(BFS(2), readout="sum", head_layers=2, dropout=0.5)
    model.train()
    model.dropout.share = 0.0  # of the layers, so that what varies is the head
    assert len({tuple(model(data)[0].tolist()) for _ in range(20)}) > 1


def test_a_head_is_as_wide_as_what_is_read_out():
    model, data = made(BFS(2), readout=MultiAggregation(["sum", "max"]), head_layers=2)
    assert model.head.lins[0].in_channels == 2 * model.hidden_channels
    assert model(data).shape == (1, model.out_channels)


def test_an_lstm_needs_two_channels():
    with pytest.raises(LvcError, match="jk='lstm' needs two channels or layers; raise hidden_channels or num_layers"):
        SGN(3, 1, 1, 2, search="bfs:1", jk="lstm")
    assert SGN(3, 1, 2, 2, search="bfs:1", jk="lstm").out_channels == 2


def test_a_head_needs_a_readout():
    with pytest.raises(LvcError, match=r"head_layers are maps of whole graphs; give a readout, e\.g\. readout='sum'"):
        SGN(3, 4, 2, 2, search="bfs:1", head_layers=2)
    with pytest.raises(LvcError, match="head_layers must be 0 or more, got -1"):
        SGN(3, 4, 2, 2, search="bfs:1", readout="sum", head_layers=-1)


OPTIONS = [
    {"scale": "mean"}, {"scale": "sym"}, {"schedule": "sweep"}, {"own_term": False}, {"mlp_layers": 1},
    {"mlp_layers": 3}, {"act": "tanh"}, {"act": None}, {"act": "leaky_relu", "act_kwargs": {"negative_slope": 0.5}},
    {"norm": "batch_norm", "norm_kwargs": {"track_running_stats": False}}, {"norm": "graph_norm"},
    {"norm": "layer_norm", "norm_kwargs": {"mode": "node"}},
    {"jk": "last"}, {"jk": "cat"}, {"jk": "max"}, {"jk": "lstm"}, {"readout": "sum"},
]  # fmt: skip


@pytest.mark.parametrize("option", OPTIONS, ids=str)
def test_every_option_changes_the_output(option):
    plain, data = made(BFS(2))
    other, _ = made(BFS(2), **option)
    with torch.no_grad():
        own = dict(plain.named_parameters())
        for name, parameter in other.named_parameters():
            if name in own and own[name].shape == parameter.shape:
                parameter.copy_(own[name])
    before, after = plain(data), other(data)
    assert after.shape == ((1, 2) if "readout" in option else before.shape)
    assert before.shape != after.shape or not torch.allclose(before, after, rtol=1e-3)
    assert torch.isfinite(after).all()


@pytest.mark.parametrize("option", [{"scale": "mean"}, {"scale": "sym"}, {"own_term": False}], ids=str)
def test_options_of_the_search_change_blocks_too(option):
    (plain, data), (other, _) = made(DFS(2), "cactus"), made(DFS(2), "cactus", **option)
    assert not torch.allclose(plain(data), other(data), rtol=1e-3)


def test_dropout_only_while_training():
    model, data = made(BFS(1), dropout=0.5)
    assert torch.equal(model(data), model(data))
    model.train()
    assert not torch.allclose(model(data), model(data))


def test_resetting_draws_all_weights_anew():
    for options in ({}, {"jk": "cat"}, {"readout": "sum", "head_layers": 2}):
        model, _ = made(BFS(1), **options)
        before = {name: matrix.clone() for name, matrix in model.named_parameters() if matrix.dim() == 2}
        model.reset_parameters()
        assert len(before) > model.num_layers
        for name, matrix in before.items():
            assert not torch.equal(model.get_parameter(name), matrix), name


def test_eps_and_reset():
    model, data = made(BFS(1))
    before = model(data)
    with torch.no_grad():
        model.convs[0].eps.fill_(1.0)
    assert not torch.allclose(model(data), before)
    model.reset_parameters()
    assert model.convs[0].eps.item() == 0
    assert not torch.allclose(model(data), before)


@pytest.mark.parametrize(("search", "price"), [(BFS(2), 0), (BFS(2), 10**6), (DFS(2), 1)], ids=str)
@pytest.mark.parametrize("layout", ["to_sparse_coo", "to_sparse_csr", "to_sparse_csc"])
@pytest.mark.filterwarnings("ignore:Sparse CS. tensor support is in beta")
def test_sparse_features_are_the_same_features(search, price, layout, monkeypatch):
    """Cheap ones, which every layer multiplies again, and expensive ones."""
    monkeypatch.setattr("lvc.nn.operators.paths.PRICE_OF_AN_ENTRY", price)
    model, data = made(search)
    data.x = data.x * (data.x > 0.5)
    dense = model(data)
    model(data).sum().backward()
    gradients = [p.grad.clone() for p in model.parameters()]
    model.zero_grad()
    data.x = getattr(data.x, layout)()
    assert torch.allclose(model(data), dense, rtol=1e-12, atol=1e-12)
    model(data).sum().backward()
    for parameter, gradient in zip(model.parameters(), gradients, strict=True):
        assert torch.allclose(parameter.grad, gradient, rtol=1e-10, atol=1e-10)


def test_mostly_zero_features_are_found_on_second_sight_and_forgotten_when_changed(monkeypatch):
    monkeypatch.setattr(features_module, "WORTH_LOOKING", 1)
    model, data = made(BFS(2))
    data.x = data.x * (data.x > 1.5)
    kinds = [type(features_module.features_of(data.x, torch.float64)).__name__ for _ in range(2)]
    assert kinds == ["Tensor", "SparseFeatures"]
    as_sparse = model(data)
    monkeypatch.setattr(features_module, "WORTH_LOOKING", 10**9)
    assert torch.allclose(model(data), as_sparse, rtol=1e-12, atol=1e-12)
    monkeypatch.setattr(features_module, "WORTH_LOOKING", 1)
    data.x[0, 0] = 5.0
    changed = model(data)
    assert torch.allclose(model(data), changed, rtol=1e-12, atol=1e-12)
    assert not torch.allclose(changed, as_sparse)


def test_single_precision():
    model, data = made(BFS(3))
    exact = model(data)
    data.x = data.x.float()
    result = model.float()(data)
    assert result.dtype == torch.float32
    assert torch.allclose(result.double(), exact, rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("layout", ["dense", "sparse"])
@pytest.mark.filterwarnings("ignore:Sparse CS. tensor support is in beta")
def test_nan_is_refused(layout):
    model, data = made(BFS(2))
    data.x[4, 1] = float("nan")
    data.x = data.x if layout == "dense" else data.x.to_sparse_csr()
    with pytest.raises(LvcError, match=r"x holds 1 NaN, (first at vertex 4|in sparse)"):
        model(data)


def test_infinite_weights_are_not_taken_for_bad_features():
    model, data = made(BFS(1))
    with torch.no_grad():
        model.convs[0].bias.fill_(float("nan"))
    assert model(data).isnan().all()


def test_what_is_refused():
    model, data = made(BFS(1))
    cases = [
        (lambda: SGN(3, 4, 0, search="bfs:1"), "num_layers must be at least 1, got 0"),
        (lambda: SGN(3, 4, 1, search="bfs:1", scale="max"), "scale must be one of sum, mean, sym, got 'max'"),
        (lambda: SGN(3, 4, 1, search="bfs:1", schedule="x"), "schedule must be one of rounds, sweep"),
        (lambda: SGN(3, 4, 1, search="dfs:1", schedule="sweep"), "'sweep' needs a breadth-first search, got dfs:1"),
        (lambda: SGN(3, 4, 1, search="bfs:1", jk="sum"), "jk must be None, last, cat, max or lstm"),
        (lambda: SGN(3, 4, 1, search="bfs:1", dropout=1.0), "dropout must be at least 0 and less than 1"),
        (lambda: SGN(3, 4, 1, search="bfs:1", mlp_layers=0), "mlp_layers must be at least 1, got 0"),
        (lambda: SGNConv(3, 4, "bfs:1+dfs:1")(data.x.float(), [data.search_bfs_1]), "needs 2 operators, got 1"),
        (lambda: model.float()(data), "x must be torch.float32 like the weights, got torch.float64"),
        (lambda: model.double()(Data(num_nodes=13, search_bfs_1=data.search_bfs_1)), "has no x"),
    ]
    for call, message in cases:
        with pytest.raises(LvcError, match=message):
            call()
    data.x = data.x[:, :2]
    with pytest.raises(LvcError, match="x must have 3 columns, as in_channels says, got 2"):
        model(data)
    data.x = data.x[:, 0]
    with pytest.raises(LvcError, match=r"x must have shape \[vertices, features\], got \[13\]"):
        model(data)


def test_checkpoint(tmp_path):
    model, data = made(BFS(2) + DFS(1))
    torch.save(model.state_dict(), tmp_path / "model.pt")
    other = SGN(3, 4, 3, 2, search="bfs:2+dfs:1").double().eval()
    other.load_state_dict(torch.load(tmp_path / "model.pt", weights_only=True))
    assert torch.equal(other(data), model(data))


def test_representations():
    assert repr(SGN(3, 4, 2, 5, search=BFS(2))) == "SGN(3, 4, 2, 5, search=bfs:2)"
    assert repr(SGNConv(3, 4, "dfs:1")) == "SGNConv(3, 4, search=dfs:1)"


@pytest.mark.filterwarnings("ignore")
def test_compiled_gives_the_same_numbers():
    torch.manual_seed(0)
    model = SGN(3, 4, 1, 2, search="bfs:2").double().eval()
    data = AddSearch("bfs:2")(data_of(FAMILIES["random"]))
    compiled = torch.compile(model, backend="eager")
    assert torch.allclose(compiled(data), model(data), rtol=1e-12, atol=1e-12)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("search", ["bfs:1", "bfs:3", "dfs:2"])
def test_compiled_on_batches_with_gradients_and_without(search):
    torch.manual_seed(0)
    model = SGN(3, 4, 3, 2, search=search, readout="sum").double().eval()
    graphs = [AddSearch(search)(data_of(FAMILIES[name])) for name in ("random", "tree")]
    compiled = torch.compile(model, backend="eager")
    for batch in (Batch.from_data_list(graphs), Batch.from_data_list(graphs[::-1])):
        expected = model(batch)
        assert torch.allclose(compiled(batch), expected, rtol=1e-12, atol=1e-12)
        with torch.no_grad():
            assert torch.allclose(compiled(batch), expected, rtol=1e-12, atol=1e-12)


def test_under_autocast_it_computes_in_full_precision():
    data = AddSearch("bfs:2+dfs:2")(data_of(FAMILIES["random"]))
    data.x = data.x.float()
    model = SGN(3, 64, 2, 2, search="bfs:2+dfs:2", norm="batch_norm").eval()
    calls: list[object] = []
    model.register_forward_hook(lambda *called: calls.append(called))
    with torch.autocast("cpu", torch.bfloat16):
        found = model(data)
    assert len(calls) == 1
    assert torch.equal(found, model(data))


def test_it_learns_to_count_the_vertices_at_distance_two():
    torch.manual_seed(0)
    data = AddSearch(BFS(2))(data_of(FAMILIES["tree"]))
    data.x = torch.ones(data.num_nodes, 1)
    wanted = data.search_bfs_2.tensors["level"][:, 1:].float()
    model = SGN(1, 8, 1, 1, search=BFS(2))
    optimiser = torch.optim.Adam(model.parameters(), 0.02)
    for _ in range(300):
        optimiser.zero_grad()
        loss = (model(data) - wanted).square().mean()
        loss.backward()
        optimiser.step()
    assert loss.item() < 0.01


def test_a_vertex_that_comes_alone_is_trained_on():
    alone = AddSearch("bfs:1")(Data(x=torch.ones(1, 2), edge_index=torch.empty(2, 0, dtype=torch.long)))
    model = SGN(2, 4, 2, 3, search="bfs:1", norm="batch_norm", readout="sum", head_layers=2).train()
    assert model(alone).shape == (1, 3)
    strict = SGN(2, 4, 2, 3, search="bfs:1", norm="batch_norm", norm_kwargs={"track_running_stats": False}).train()
    with pytest.raises(ValueError, match="more than 1 value"):
        strict(alone)


@pytest.mark.parametrize("search", ["bfs:2", "dfs:1", "dfs:2"])
@pytest.mark.parametrize("scale", ["sum", "mean", "sym"])
def test_a_network_that_was_first_asked_without_gradients_can_be_trained(search, scale):
    model, data = made(search, scale=scale)
    with torch.inference_mode():
        expected = model(data).clone()
    out = model(data)
    out.sum().backward()
    torch.testing.assert_close(out.detach(), expected)
    assert all(parameter.grad is not None for parameter in model.parameters())

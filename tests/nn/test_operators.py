"""The fast operators against the definition: the same numbers and the same gradients."""

from itertools import pairwise
from typing import Any

import networkx as nx
import pytest
import torch

import naive
from families import FAMILIES, fast, graph_of, literal, run
from lvc.nn import SGNConv
from lvc.nn.operators import Layer, Operator, Paths, Rule, operator_for
from lvc.search.kinds import BFS, DFS, Levels
from lvc.search.trees import trees

F64 = torch.float64


def layers(search, count, width=3, **options):
    torch.manual_seed(count)
    widths = [width] + [4] * count
    convs = [SGNConv(a, b, search, act="tanh", **options) for a, b in pairwise(widths)]
    return torch.nn.ModuleList(convs).double()


def union(make, search):
    return Operator.side_by_side([make(name, search) for name in FAMILIES])


def result_and_gradients(convs, operator):
    width = convs[0].in_channels
    x = torch.randn(operator.vertices, width, dtype=F64, generator=torch.Generator().manual_seed(7)).requires_grad_()
    convs.zero_grad()
    out = run(convs, [operator], x)
    (out * torch.linspace(-1, 1, out.numel(), dtype=F64).view_as(out)).sum().backward()
    gradients = [p.grad if p.grad is not None else torch.zeros_like(p) for p in (x, *convs.parameters())]
    return [out, *gradients]


def assert_same(ours, theirs):
    for a, b in zip(ours, theirs, strict=True):
        assert torch.allclose(a, b, rtol=1e-11, atol=1e-11 * (1 + float(b.detach().abs().max())))


@pytest.mark.parametrize("radius", [1, 2, 3, 4])
@pytest.mark.parametrize("kind", [BFS, DFS])
def test_fast_equals_pairwise(kind, radius):
    ours, theirs = union(fast, kind(radius)), union(literal, kind(radius))
    for count, own_term in ((1, True), (2, True), (3, True), (4, True), (3, False)):
        convs = layers(kind(radius), count, own_term=own_term)
        assert_same(result_and_gradients(convs, ours), result_and_gradients(convs, theirs))


@pytest.mark.parametrize("own_term", [True, False])
@pytest.mark.parametrize("radius", [2, 3, 4])
def test_wide_input_is_multiplied_once_and_gives_the_same(radius, own_term, monkeypatch):
    ours, theirs, entered = union(fast, BFS(radius)), union(literal, BFS(radius)), []
    enter = Paths._enter

    def seen(*args: Any) -> Any:
        entered.append(1)
        return enter(*args)

    monkeypatch.setattr(Paths, "_enter", seen)
    for count in (1, 2, 3, 4):
        convs = layers(BFS(radius), count, width=11, own_term=own_term)
        assert_same(result_and_gradients(convs, ours), result_and_gradients(convs, theirs))
        assert len(entered) == count - 1, "unless the first layer is the last"
    convs = layers(BFS(radius), 3, width=4, own_term=own_term)
    result_and_gradients(convs, ours)
    assert len(entered) == 3, "narrow input is kept as it is"


@pytest.mark.parametrize("narrow", [True, False])
@pytest.mark.parametrize("scale", ["sum", "mean"])
@pytest.mark.parametrize("radius", [1, 2, 3])
def test_blocks_of_input_that_is_kept_or_multiplied_first(radius, scale, narrow, monkeypatch):
    ours, theirs = union(fast, DFS(radius)), union(literal, DFS(radius))
    monkeypatch.setattr("lvc.nn.operators.blocks.Products.is_narrow", lambda *args: narrow)
    for count, own_term in ((1, True), (3, True), (3, False)):
        convs = layers(DFS(radius), count, scale=scale, own_term=own_term)
        assert_same(result_and_gradients(convs, ours), result_and_gradients(convs, theirs))


@pytest.mark.parametrize("scale", ["sum", "mean", "sym"])
@pytest.mark.parametrize("radius", [2, 3])
def test_the_last_hop_as_one_matrix_and_as_two(radius, scale, monkeypatch):
    """Where A_{k,0} is cheap it is made; both ways give the same, and the test sees both."""
    convs = layers(BFS(radius), 3, scale=scale)
    found = []
    for cheap in (0, 10**9):
        monkeypatch.setattr("lvc.nn.operators.paths.CHEAP", cheap)
        operator = union(fast, BFS(radius))
        assert operator.is_cheap(2) == (cheap > 0)
        found.append(result_and_gradients(convs, operator))
    assert_same(*found)


@pytest.mark.parametrize("scale", ["mean", "sym"])
@pytest.mark.parametrize("radius", [1, 2, 3])
def test_blocks_are_scaled_like_pairs(radius, scale):
    convs = layers(DFS(radius), 3, scale=scale)
    ours, theirs = union(fast, DFS(radius)), union(literal, DFS(radius))
    assert_same(result_and_gradients(convs, ours), result_and_gradients(convs, theirs))


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("search", [BFS(2), BFS(3), DFS(1), DFS(2)], ids=str)
def test_a_single_graph(name, search):
    convs = layers(search, 3)
    assert_same(result_and_gradients(convs, fast(name, search)), result_and_gradients(convs, literal(name, search)))


def matrices_by_hand(name, radius):
    """A_{k,m}(u,x): every root v, every u, and every chain of k parents back from u."""
    graph, found = graph_of(FAMILIES[name]), trees(graph_of(FAMILIES[name]), BFS(radius))
    counts = {(k, m): torch.zeros(graph.n, graph.n, dtype=F64) for k in range(radius + 1) for m in range(radius + 1)}
    for root in range(graph.n):
        for pair in range(found.start[root] + 1, found.start[root + 1]):
            chains = [pair]
            for k in range(int(found.distance[pair]) + 1):
                for end in chains:
                    counts[k, int(found.distance[pair]) - k][found.vertex[pair], found.vertex[end]] += 1
                groups = [found.group[end] for end in chains if found.group[end] >= 0]
                chains = [w for g in groups for w in found.member[found.group_start[g] : found.group_start[g + 1]]]
    return counts


@pytest.mark.parametrize("scale", ["sum", "mean", "sym"])
@pytest.mark.parametrize("schedule", ["rounds", "sweep"])
@pytest.mark.parametrize("radius", [1, 2, 3])
def test_paths_scaled_and_swept_as_written(radius, schedule, scale):
    """One layer against Σ A_{k,m} h W ··· W with every A_{k,m} written out and divided."""
    for name in ("random", "disconnected", "star"):
        conv = layers(BFS(radius), 1, scale=scale, schedule=schedule)[0]
        operator = fast(name, BFS(radius))
        x = torch.randn(operator.vertices, 3, dtype=F64)
        h = x if conv.entry is None else conv.entry(x)
        total = torch.zeros(operator.vertices, 4, dtype=F64)
        for (k, m), matrix in matrices_by_hand(name, radius).items():
            if not 1 <= k + m <= radius or (schedule == "rounds" and k > 1):
                continue
            rows, columns = matrix.sum(1, keepdim=True).clamp(min=1), matrix.sum(0, keepdim=True).clamp(min=1)
            matrix = {"sum": matrix, "mean": matrix / rows, "sym": matrix / (rows * columns).sqrt()}[scale]
            carried = h
            steps = range(max(m, 1), m + k + 1) if schedule == "sweep" else [k + m]
            for c in steps:
                carried = carried @ conv.weight[0][:, c - 1]
            total += matrix @ carried
        hidden = torch.tanh(x @ conv.own + total @ conv.mix[0] + conv.bias)
        assert torch.allclose(conv(x, [operator])[0], conv.rest[0](hidden), rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("search", [BFS(1), BFS(3), DFS(1), DFS(2)], ids=str)
def test_gradcheck(search):
    operator = fast("cactus", search)
    convs = layers(search, 2)
    x = torch.randn(operator.vertices, 3, dtype=F64, requires_grad=True)
    weights = tuple(p.detach().clone().requires_grad_() for p in convs.parameters())
    names = [name for name, _ in convs.named_parameters()]

    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.convs = convs

        def forward(self, x):
            return run(self.convs, [operator], x)

    def function(x, *values):
        named = {f"convs.{name}": value for name, value in zip(names, values, strict=True)}
        return torch.func.functional_call(Net(), named, (x,))

    assert torch.autograd.gradcheck(function, (x, *weights), fast_mode=True)


@pytest.mark.parametrize("radius", [1, 2, 3])
@pytest.mark.parametrize("name", ["random", "dense", "disconnected", "isolated"])
def test_levels_by_plain_loops(name, radius):
    """Two layers pair by pair: one W for parents and h_u, one for siblings, one for children."""
    g = FAMILIES[name]
    operator = fast(name, Levels(radius))
    convs = layers(Levels(radius), 2)
    x = torch.randn(len(g), 3, dtype=F64, generator=torch.Generator().manual_seed(5))
    eta = {v: naive.levels_eta(g, v, radius) for v in g}
    far = {v: naive.distances(g, v, radius) for v in g}
    h, pair = x, {(u, v): x[u] for v in g for u in far[v]}
    for conv in convs:
        weight = conv.weight[0].view(-1, 3, radius, 4)
        new = {}
        for v in g:
            for u, those in eta[v].items():
                parts = [h[u] if role == 0 else torch.zeros_like(h[u]) for role in range(3)]
                for w, role in those.items():
                    parts[role] = parts[role] + (h[v] if w == v else pair[w, v])
                new[u, v] = sum(part @ weight[:, role, far[v][u] - 1] for role, part in enumerate(parts))
        nothing = torch.zeros(4, dtype=F64)
        total = torch.stack([sum((new[u, v] for v in g if (u, v) in new), nothing) for u in g])
        h = torch.tanh(conv.rest[0](torch.tanh(h @ conv.own + total @ conv.mix[0] + conv.bias)))
        pair = new
    assert torch.allclose(run(convs, [operator], x), h, rtol=1e-11, atol=1e-11)


def test_levels_side_by_side():
    convs = layers(Levels(2), 3, scale="sym")
    x = torch.randn(sum(map(len, FAMILIES.values())), 3, dtype=F64)
    together = run(convs, [union(fast, Levels(2))], x)
    parts = [
        run(convs, [fast(name, Levels(2))], part)
        for name, part in zip(FAMILIES, x.split([len(g) for g in FAMILIES.values()]), strict=True)
    ]
    assert torch.allclose(together, torch.cat(parts), rtol=1e-11, atol=1e-11)


def test_a_path_of_three_by_hand():
    # 0 - 1 - 2 with h = 1, W = 1 and radius 2: h_{1<-0} = h_1 + h_0 = 2, h_{2<-0} = h_2 + h_{1<-0}^0 = 2
    path = operator_for(graph_of(nx.path_graph(3)), BFS(2))
    one = torch.ones(1, 1, dtype=F64)
    weight, zero = torch.ones(1, 2, 1, dtype=F64), torch.zeros(3, 1, dtype=F64)
    total, _ = path.step(None, torch.ones(3, 1, dtype=F64), Layer(weight, one, zero, Rule(), last=True))
    assert total.flatten().tolist() == [4, 4, 4]  # two roots each, 2 from each

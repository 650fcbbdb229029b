import gc
import pickle
import weakref

import networkx as nx
import numpy as np
import pytest
import torch
from torch_geometric.data import Batch, Data, HeteroData
from torch_geometric.loader import DataLoader
from torch_geometric.transforms import ToSparseTensor
from torch_geometric.utils import from_networkx

from lvc import LvcError
from lvc.nn import SGN, AddSearch, Collated, features
from lvc.nn.operators import Blocks, whole
from lvc.nn.rows import Rows

SEARCHES = ["bfs:1", "bfs:3", "dfs:1", "dfs:1+dfs:2", "levels:1", "bfs:2+dfs:1"]
SHAPES = [
    nx.petersen_graph(),
    nx.empty_graph(2),
    nx.barbell_graph(4, 2),
    nx.star_graph(5),
    nx.disjoint_union(nx.cycle_graph(5), nx.empty_graph(1)),
    nx.empty_graph(1),
    nx.gnp_random_graph(15, 0.2, seed=3),
]
NUMBERS = [[0, 1, 2, 3, 4, 5, 6], [4, 1, 6], [2], [5, 1], [3, 3, 0]]


def graphs_of(search: str | None = None) -> list[Data]:
    draw, found = torch.Generator().manual_seed(0), []
    for number, shape in enumerate(SHAPES):
        edges = np.array(shape.edges, dtype=np.int64).T.reshape(2, -1)
        both = torch.from_numpy(np.concatenate([edges, edges[::-1]], axis=1))
        x = torch.randn(len(shape), 3, generator=draw, dtype=torch.float64)
        found.append(Data(x=x, edge_index=both, y=torch.tensor([number % 2]), name=f"graph {number}"))
    return found if search is None else [AddSearch(search)(graph) for graph in found]


def assert_same(batch: Batch, expected: Batch) -> None:
    for key in ("x", "edge_index", "y", "batch", "ptr"):
        assert torch.equal(batch[key], expected[key]), key
        assert batch[key].dtype == expected[key].dtype
    assert batch.name == expected.name
    assert (batch.num_graphs, batch.num_nodes) == (expected.num_graphs, expected.num_nodes)


def with_gradients(model: torch.nn.Module, batch: Batch) -> list[torch.Tensor]:
    """What a model says of a batch, and the gradients of its parameters."""
    model.zero_grad()
    out = model(batch)
    out.sum().backward()
    return [out, *[one.grad.clone() for one in model.parameters() if one.grad is not None]]


@pytest.mark.parametrize("numbers", NUMBERS)
def test_a_batch_is_that_of_torch_geometric(numbers):
    graphs = graphs_of()
    assert_same(Collated(graphs).batch(numbers), Batch.from_data_list([graphs[i] for i in numbers]))


@pytest.mark.parametrize("numbers", [[0, 0], [1, 1, 0]])
@pytest.mark.parametrize("shapes", [[2], [1, 2]])
def test_graphs_that_begin_with_no_vertex_at_all(numbers, shapes):
    """Edges are shifted even if no graph before the last has vertices."""
    graphs = [graphs_of()[i] for i in shapes]
    if len(shapes) > 1:
        graphs[0] = Data(x=graphs[0].x[:0], edge_index=graphs[0].edge_index, y=graphs[0].y, name="empty")
    chosen = [min(number, len(graphs) - 1) for number in numbers]
    assert_same(Collated(graphs).batch(chosen), Batch.from_data_list([graphs[i] for i in chosen]))


@pytest.mark.parametrize("scale", ["sum", "mean", "sym"])
@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("handful", [1, 100, whole.HANDFUL])  # made of one graph, a few, all at once
def test_a_network_computes_the_same_to_the_last_bit(search, scale, handful, monkeypatch):
    monkeypatch.setattr(whole, "HANDFUL", handful)
    graphs = graphs_of(search)
    collated = Collated(graphs_of(search))
    torch.manual_seed(0)
    model = SGN(3, 4, 3, 2, search=search, readout="sum", scale=scale).double()
    for numbers in NUMBERS:
        both = collated.batch(numbers), Batch.from_data_list([graphs[i] for i in numbers])
        found = [with_gradients(model, batch) for batch in both]
        assert all(torch.equal(one, other) for one, other in zip(*found, strict=True))


def test_what_is_made_of_a_graph_is_made_once():
    collated = Collated(graphs_of("dfs:1+dfs:2"))
    model = SGN(3, 4, 2, 2, search="dfs:1+dfs:2", readout="sum").double()
    model(collated.batch([0, 1]))
    made = [dict(one._made) for one in collated._searches.values()]
    model(collated.batch([2, 3, 4]))
    assert [one._made for one in collated._searches.values()] == made


def test_a_loader_goes_through_the_graphs_as_torch_geometrics_does():
    graphs, chosen = graphs_of(), [6, 0, 3, 2, 1]
    ours = Collated(graphs).loader(chosen, 2, shuffle=True, generator=torch.Generator().manual_seed(5))
    picked = [graphs[i] for i in chosen]
    theirs = DataLoader(picked, 2, shuffle=True, generator=torch.Generator().manual_seed(5))
    assert len(ours) == len(theirs) == 3
    for _ in range(2):
        for batch, expected in zip(ours, theirs, strict=True):
            assert_same(batch, expected)


def test_other_attributes_count_vertices_or_nothing():
    graphs = graphs_of()
    for graph in graphs:
        graph.marked_index = torch.arange(min(2, graph.num_nodes))
        graph.weight = 0.5
    expected = Batch.from_data_list([graphs[i] for i in (6, 2)])
    batch = Collated(graphs).batch([6, 2])
    assert torch.equal(batch.weight, expected.weight)
    assert batch.marked_index.tolist() == expected.marked_index.tolist() == [0, 1, 15, 16]


def test_matrices_that_are_not_cheap_are_made_for_no_graph():
    """In a star A_{2,0} has an entry for every two leaves; a batch of other graphs does not ask for it."""
    shapes = [nx.path_graph(5), nx.star_graph(300)]
    graphs = [AddSearch("bfs:2")(Data(x=torch.ones(len(g), 3), edge_index=from_networkx(g).edge_index)) for g in shapes]
    collated = Collated(graphs)
    SGN(3, 4, 2, 2, search="bfs:2", readout="sum")(collated.batch([0]))
    (operators,) = collated._searches.values()
    made = [matrix for key, matrix in operators._made.items() if "_wave_matrix" in str(key)]
    assert max(len(matrix.forward.arrays.value) for matrix in made) < 3000


class Named(Data):
    @property
    def twice(self) -> int:
        return 2 * self.num_nodes


def test_the_kind_of_data_and_of_numbers_stays():
    graphs = [Named(x=torch.ones(2, 1), edge_index=torch.tensor([[0, 1], [1, 0]], dtype=torch.int32))] * 2
    batch = Collated(graphs).batch([0, 1])
    assert (batch.twice, batch.edge_index.dtype) == (8, torch.int32)
    assert batch.edge_index.tolist() == [[0, 1, 2, 3], [1, 0, 3, 2]]


def test_graphs_that_come_one_by_one():
    batches = [Collated(given).batch([2, 0]) for given in (graphs_of("bfs:2"), iter(graphs_of("bfs:2")))]
    assert_same(*batches)


def test_other_ways_to_draw_batches():
    collated = Collated(graphs_of())
    batches = list(collated.loader(batch_sampler=[[0, 1], [6]]))
    assert [batch.num_graphs for batch in batches] == [2, 1]
    assert collated.batch([]).num_nodes == 0
    searched = Collated(graphs_of("bfs:2"))
    assert SGN(3, 4, 2, 2, search="bfs:2", readout="sum").double()(searched.batch([])).shape == (0, 2)


@pytest.mark.parametrize(
    ("numbers", "sentence"),
    [
        ([0, -1], "the graphs have the numbers 0 to 6, got -1"),
        ([7], "the graphs have the numbers 0 to 6, got 7"),
        ([True] * 7, "chosen by a list of their numbers"),
        ([[1], [1, 2]], "chosen by a list of their numbers"),
        ([1.5], "chosen by a list of their numbers"),
        (3, "chosen by a list of their numbers, got 3"),
    ],
)
def test_numbers_that_are_none_of_the_graphs(numbers, sentence):
    collated = Collated(graphs_of())
    for take in (collated.batch, collated.loader):
        with pytest.raises(LvcError, match=sentence):
            take(numbers)


def test_graphs_that_differ_are_refused():
    graphs = graphs_of()
    with pytest.raises(LvcError, match="graph 0 and graph 1 must have the same attributes; one lacks search_bfs_1"):
        Collated([AddSearch("bfs:1")(graphs[0]), graphs[1]])
    first, second = AddSearch("bfs:1")(graphs[2]), AddSearch("bfs:2")(graphs[3])
    second.search_bfs_1 = second.search_bfs_2
    del second.search_bfs_2
    with pytest.raises(LvcError, match="graph 0 was searched by bfs:1, graph 1 by bfs:2; use one search"):
        Collated([first, second])
    with pytest.raises(LvcError, match="graph 1 is a HeteroData, not a torch_geometric Data"):
        Collated([graphs[4], HeteroData()])
    with pytest.raises(LvcError, match="graph 0 does not say how many vertices it has; set its num_nodes"):
        Collated([Data(y=torch.zeros(1))])
    graphs[5].parts = [torch.ones(1)]
    with pytest.raises(LvcError, match="cannot collate parts, a list; use torch_geometric's DataLoader"):
        Collated([graphs[5]])


def test_a_batch_can_be_pickled_and_moved(tmp_path):
    collated = Collated(graphs_of("bfs:2"))
    batch = collated.batch([0, 2])
    model = SGN(3, 4, 2, 2, search="bfs:2", readout="sum").double()
    expected = model(batch)
    again = pickle.loads(pickle.dumps(collated))
    assert torch.equal(model(again.batch([0, 2])), expected)
    torch.save(batch, tmp_path / "batch.pt")
    again = torch.load(tmp_path / "batch.pt", weights_only=False)
    assert torch.allclose(model(again), expected)
    assert torch.allclose(model(batch.clone().to("cpu")), expected)
    assert batch.to("cpu").search_bfs_2 is batch.search_bfs_2


def test_what_cannot_be_collated_is_refused():
    with pytest.raises(LvcError, match="there are no graphs to collate"):
        Collated([])
    with pytest.raises(LvcError, match=r"cannot collate adj_t, a \w+; use torch_geometric's DataLoader"):
        Collated([ToSparseTensor(layout=torch.sparse_csr)(graph) for graph in graphs_of()[:1]])
    graphs = graphs_of()
    for graph in graphs:
        graph.other_index = torch.zeros(2, 1, dtype=torch.long)

    class Bipartite(Data):
        def __inc__(self, key, value, *args, **kwargs):
            return 3 if key == "other_index" else super().__inc__(key, value, *args, **kwargs)

    with pytest.raises(LvcError, match="cannot collate other_index, which does not count vertices"):
        Collated([Bipartite.from_dict(graph.to_dict()) for graph in graphs])


def of_kinds(search: str | None, kinds: int = 9) -> list[Data]:
    """Graphs whose vertices are of few kinds, one-hot; small graphs have large ones beside them."""
    draw, graphs = torch.Generator().manual_seed(1), graphs_of(search)
    for graph in graphs:
        graph.x = torch.eye(kinds, dtype=torch.float64)[torch.randint(kinds, (graph.num_nodes,), generator=draw)]
    return graphs


@pytest.mark.parametrize("hidden", [4, 64])  # wider and narrower than the features
@pytest.mark.parametrize("search", SEARCHES)
def test_one_hot_features_of_a_batch_are_multiplied_as_sparse_ones(search, hidden, monkeypatch):
    monkeypatch.setattr(features, "WORTH_CUTTING", 1)
    graphs = of_kinds(search)
    collated = Collated(graphs)
    if (search, hidden) == ("dfs:1", 64):  # h itself travels, as if it were dense, since that is narrower
        monkeypatch.setattr(Blocks, "_enter", None)
    torch.manual_seed(0)
    model = SGN(9, hidden, 3, 2, search=search, readout="sum").double()
    for numbers in NUMBERS:
        both = collated.batch(numbers), Batch.from_data_list([graphs[i] for i in numbers])
        found = [with_gradients(model, batch) for batch in both]
        kept = [features.features_of(batch.x, torch.float64) for batch in both]
        assert [isinstance(one, features.SparseFeatures) for one in kept] == [True, False]
        assert all(torch.allclose(one, other, rtol=1e-10, atol=1e-10) for one, other in zip(*found, strict=True))


def test_sparse_forms_cost_nothing_where_nobody_asks(monkeypatch):
    monkeypatch.setattr(features, "WORTH_CUTTING", 1)
    asked = []
    looked = features.rows_if_mostly_zeros

    def counted(x: torch.Tensor) -> Rows | None:
        asked.append(len(x))
        return looked(x)

    monkeypatch.setattr("lvc.nn.collated.rows_if_mostly_zeros", counted)
    graphs = of_kinds("bfs:2")
    collated = Collated(graphs)
    batch = collated.batch([0, 2])
    assert asked == []
    model = SGN(9, 4, 1, 2, search="bfs:2").double()
    for numbers in ([0, 2], [3], [0, 2]):
        model(collated.batch(numbers))
    assert asked == [sum(graph.num_nodes for graph in graphs)]  # all at once; batches are cut out
    assert len(pickle.dumps(collated)) < len(pickle.dumps(Collated(graphs))) + 100
    model(batch)
    held = weakref.ref(batch.x)
    del batch
    gc.collect()
    assert held() is None


def test_batches_in_inference_mode(monkeypatch):
    monkeypatch.setattr(features, "WORTH_CUTTING", 1)
    collated = Collated(of_kinds("bfs:2"))
    model = SGN(9, 4, 2, 2, search="bfs:2").double()
    expected = model(collated.batch([0, 2]))
    with torch.inference_mode():
        assert torch.allclose(model(collated.batch([0, 2])), expected, rtol=1e-12)
        sparse = collated.batch([0, 2])
        sparse.x = sparse.x.to_sparse_coo()
        assert torch.allclose(model(sparse), expected, rtol=1e-12)


class OneColumnEach(Data):
    """Whose x has a column for each vertex."""

    def __cat_dim__(self, key, value, *args, **kwargs):
        return 1 if key == "x" else super().__cat_dim__(key, value, *args, **kwargs)


def test_features_that_are_no_matrix_or_not_mostly_zeros_stay_as_they_are(monkeypatch):
    monkeypatch.setattr(features, "WORTH_CUTTING", 1)
    full = Collated(graphs_of()).batch([0, 2])
    assert features.features_of(full.x, torch.float64) is full.x
    graphs = of_kinds(None)
    for graph in graphs:
        graph.x.requires_grad_()
    wanted = Collated(graphs).batch([0, 2])
    assert features.features_of(wanted.x, torch.float64) is wanted.x
    other = Collated([OneColumnEach(x=graph.x.detach().T, num_nodes=graph.num_nodes) for graph in graphs]).batch([0, 2])
    assert other.x.shape[0] == 9
    assert features.features_of(other.x, torch.float64) is other.x
    for graph in graphs:
        graph.x = torch.arange(graph.num_nodes)
    assert Collated(graphs).batch([2]).x.tolist() == list(range(10))
    for graph in graphs:
        graph.num_nodes, graph.x = graph.num_nodes, [1, 2]
    assert Collated(graphs).batch([2]).x == [[1, 2]]

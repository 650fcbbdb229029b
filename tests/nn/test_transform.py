"""AddSearch behaves like any transform: it batches, moves, pickles, and refuses in good time."""

import copy
import pickle

import networkx as nx
import pytest
import torch
from torch_geometric.data import Batch, Data, HeteroData, InMemoryDataset
from torch_geometric.loader import DataLoader

from families import FAMILIES, data_of, graph_of
from lvc.errors import LvcError
from lvc.nn import SGN, AddSearch
from lvc.nn.operators import Operator, at_most, estimate
from lvc.nn.operators.products import Products
from lvc.nn.transform import joined_searches, key_of
from lvc.search.kinds import BFS, DFS, Custom, Levels
from lvc.search.parsing import parse_search

SEARCH = BFS(2) + DFS(1) + DFS(2)


@pytest.fixture
def model():
    torch.manual_seed(0)
    return SGN(3, 4, 3, 2, search=SEARCH, act="tanh").double().eval()


@pytest.fixture
def graphs():
    return [AddSearch(SEARCH)(data_of(g, seed=i)) for i, g in enumerate(FAMILIES.values())]


@pytest.fixture
def alone(model, graphs):
    return torch.cat([model(data) for data in graphs])


def test_it_attaches_one_attribute_for_each_search(graphs):
    assert {"search_bfs_2", "search_dfs_1", "search_dfs_2"} <= set(graphs[0].keys())
    assert repr(AddSearch("bfs:2+dfs:1")) == "AddSearch(bfs:2+dfs:1)"
    assert "search_bfs_2=Paths(bfs:2, 13 vertices)" in repr(graphs[0])


def test_the_given_data_is_left_alone():
    data = data_of(FAMILIES["tree"])
    AddSearch(BFS(1))(data)
    assert "search_bfs_1" not in data


@pytest.mark.parametrize("workers", [0, 2])
def test_loader(model, graphs, alone, workers):
    loader = DataLoader(graphs, batch_size=4, num_workers=workers)
    assert torch.allclose(torch.cat([model(batch) for batch in loader]), alone, rtol=1e-12, atol=1e-12)


def test_batch_and_back(model, graphs, alone):
    batch = Batch.from_data_list(graphs)
    assert torch.allclose(model(batch), alone, rtol=1e-12, atol=1e-12)
    assert torch.equal(model(batch[3]), model(graphs[3]))
    assert len(batch.to_data_list()) == len(graphs)


@pytest.mark.parametrize(
    "carry",
    [
        lambda data: pickle.loads(pickle.dumps(data)),
        copy.deepcopy,
        lambda data: data.clone(),
        lambda data: data.to("cpu"),
        lambda data: data.cpu().contiguous().share_memory_(),
    ],
    ids=["pickle", "deepcopy", "clone", "to", "share_memory"],
)
def test_carried_about(model, graphs, alone, carry):
    assert torch.equal(torch.cat([model(carry(data)) for data in graphs]), alone)
    batch = Batch.from_data_list(graphs)
    assert torch.allclose(model(carry(batch)), alone, rtol=1e-12, atol=1e-12)


def test_moving_makes_another_dtype_or_device_but_keeps_what_need_not_move(graphs):
    operator = graphs[0].search_bfs_2
    assert operator.to("cpu") is operator
    assert operator.to("meta") is not operator


def test_saved_and_loaded_with_weights_only(tmp_path, model, graphs):
    torch.save(graphs[0].to_dict(), tmp_path / "data.pt")
    loaded = torch.load(tmp_path / "data.pt", weights_only=True)
    assert torch.equal(model(type(graphs[0]).from_dict(loaded)), model(graphs[0]))


@pytest.mark.parametrize("together", [True, False])
def test_what_was_trained_with_is_saved_as_well(tmp_path, together):
    given = [data_of(g) for g in FAMILIES.values()]
    graphs = AddSearch("bfs:3+dfs:2").each(given) if together else [AddSearch("bfs:3+dfs:2")(data) for data in given]
    model = SGN(3, 4, 3, 2, search="bfs:3+dfs:2").double()
    for data in graphs:
        expected = model(data)
        torch.save(data.to_dict(), tmp_path / "data.pt")
        loaded = torch.load(tmp_path / "data.pt", weights_only=True)
        assert torch.equal(model(type(data).from_dict(loaded)), expected)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize("search", ["bfs:2", "dfs:1", "levels:1"])
def test_numbers_too_short_are_refused(search, dtype):
    data = AddSearch(search)(data_of(FAMILIES["barbell"]))
    data.x = data.x.to(dtype)
    with pytest.raises(LvcError, match=r"float32 or float64, not torch.b?float16; use model.float\(\) and x.float\(\)"):
        SGN(3, 4, 2, 2, search=search).to(dtype)(data)


class Generated(InMemoryDataset):
    @property
    def processed_file_names(self):
        return "data.pt"

    def process(self):
        data = [data_of(g, seed=i) for i, g in enumerate(FAMILIES.values())]
        self.save([self.pre_transform(d) for d in data], self.processed_paths[0])


def test_in_memory_dataset(tmp_path, model, alone):
    for _ in range(2):  # the second time from the disk
        dataset = Generated(tmp_path, pre_transform=AddSearch(SEARCH), force_reload=False)
        dataset.load(dataset.processed_paths[0])
        result = torch.cat([model(batch) for batch in DataLoader(dataset, batch_size=3)])
        assert torch.allclose(result, alone, rtol=1e-12, atol=1e-12)


def test_functional_name():
    from torch_geometric.data.datapipes import IterDataPipe

    assert hasattr(IterDataPipe, "add_search") or "add_search" in IterDataPipe.functions


def test_a_users_own_eta(model):
    def neighbours(graph, root, radius):
        return {int(u): [root] for u in graph.neighbours(root)}

    search = Custom(1, neighbours)  # the paper's η that is as strong as 1-WL; equal to BFS at radius 1
    data = AddSearch(search + BFS(1))(data_of(FAMILIES["random"]))
    assert "search_custom_1_neighbours" in data
    own, ours = SGN(3, 4, 2, search=search).double(), SGN(3, 4, 2, search=BFS(1)).double()
    ours.load_state_dict(own.state_dict())
    assert torch.allclose(own(data), ours(data), rtol=1e-12)


def test_threads_of_torch_stay(graphs):
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    AddSearch(BFS(3))(graphs[0])
    assert torch.get_num_threads() == 1
    torch.set_num_threads(before)


def test_what_is_refused():
    data = data_of(FAMILIES["random"])
    with pytest.raises(LvcError, match="bounded radius"):
        AddSearch("bfs:inf")
    with pytest.raises(LvcError, match="cannot be guided by wl"):
        AddSearch("wl")
    with pytest.raises(LvcError, match="takes a torch_geometric Data, got HeteroData"):
        AddSearch("bfs:1")(HeteroData())
    data.edge_index = data.edge_index[:, 1:]
    with pytest.raises(LvcError):
        AddSearch("bfs:1")(data)
    with pytest.raises(LvcError, match="rename one function"):
        AddSearch(Custom(1, lambda g, v, r: {}) + Custom(1, lambda g, v, r: {v: []}))


def test_a_search_that_is_not_there_or_too_old():
    data = data_of(FAMILIES["random"])
    with pytest.raises(LvcError, match=r"data has no search bfs:1; use data = AddSearch\('bfs:1'\)"):
        SGN(3, 4, 1, search="bfs:1").double()(data)
    data = AddSearch("bfs:1")(data)
    data.x = data.x[:5]
    with pytest.raises(LvcError, match="was added to a graph of 13 vertices, the data now has 5"):
        SGN(3, 4, 1, search="bfs:1").double()(data)


@pytest.mark.parametrize("kind", [BFS, DFS])
def test_what_does_not_fit_is_refused_with_the_radius_that_does(monkeypatch, kind):
    g = nx.random_regular_graph(3, 400, seed=1)
    two = estimate(graph_of(g), kind(2))
    monkeypatch.setenv("LVC_MEMORY_GB", str(1.01 * two / 2**30))
    AddSearch(kind(2))(data_of(g))
    with pytest.raises(LvcError, match=r"needs about .* GB can be had; the largest radius that fits is 2"):
        AddSearch(kind(5))(data_of(g))
    monkeypatch.setattr("lvc.nn.transform.available_memory", lambda: 1000)
    with pytest.raises(LvcError, match="no radius fits"):
        AddSearch(kind(2))(data_of(g))


@pytest.mark.parametrize("family", FAMILIES)
def test_the_estimate_never_exceeds_what_is_said_without_searching(family):
    graph = graph_of(FAMILIES[family])
    kinds = (BFS, DFS, Levels, lambda radius: Custom(radius, lambda g, v, r: {}))
    assert all(estimate(graph, kind(r)) <= at_most(graph, kind(r)) for kind in kinds for r in (1, 2, 3, 9))


@pytest.mark.parametrize("radius", [1, 2, 10, 60])
def test_the_estimate_grows_with_the_matrices(radius):
    """Far out most have hardly an entry, and still a row for every unit."""
    path = nx.path_graph(400)
    data = AddSearch(DFS(radius))(data_of(path))
    data.x = data.x.float()
    SGN(3, 4, 2, 2, search=DFS(radius))(data)
    (products,) = (made for made in data[key_of(DFS(radius))]._made.values() if isinstance(made, Products))
    matrices = [one for some in products if some is not None for one in some]
    sides = {id(side): side.arrays for matrix in matrices for side in (matrix.forward, matrix.backward)}
    held = sum(array.nbytes for arrays in sides.values() for array in arrays)
    assert held < estimate(graph_of(path), DFS(radius)) < 12 * held


@pytest.mark.parametrize("search", ["bfs:2", "dfs:1+dfs:2", "levels:1"])
def test_joined_searches_are_the_same_searches(search):
    graphs = [AddSearch(search)(data_of(g)) for g in FAMILIES.values()]
    torch.manual_seed(0)
    model = SGN(3, 4, 2, 2, search=search, readout="sum").double().eval()
    batch = Batch.from_data_list(graphs)
    plain = model(batch)
    joined = joined_searches(batch)
    assert torch.equal(model(joined), plain)
    held = joined[key_of(parse_search(search).parts[0])]
    assert isinstance(held, Operator)
    made = dict(held._made)
    model(joined)
    assert held._made == made  # nothing was made anew


@pytest.mark.parametrize("layout", ["to_sparse_coo", "to_sparse_csr", "to_sparse_csc", "to_sparse_bsr"])
@pytest.mark.filterwarnings("ignore:Sparse .* tensor support is in beta")
def test_a_sparse_edge_index_is_refused(layout):
    options = ((1, 1),) if layout == "to_sparse_bsr" else ()
    edges = getattr(torch.tensor([[0, 1], [1, 0]]), layout)(*options)
    with pytest.raises(LvcError, match="edge_index is a sparse tensor; give a dense one"):
        AddSearch("bfs:1")(Data(x=torch.ones(2, 1), edge_index=edges))

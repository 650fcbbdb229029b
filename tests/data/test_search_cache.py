import hashlib
import pickle

import networkx as nx
import pytest

from lvc import LvcError
from lvc.data import load_graphs, search_cache, with_searches
from lvc.search.kinds import BFS, Custom
from lvc.search.parsing import parse_search

torch = pytest.importorskip("torch")
Data = pytest.importorskip("torch_geometric.data").Data
nn = pytest.importorskip("lvc.nn")

SEARCHES = ["bfs:1", "bfs:3", "dfs:2", "bfs:2+dfs:1"]
#: What the graphs below give. If it changes, the old files are wrong: change FORMAT in search_cache.py as well.
CONTENT_OF_FORMAT = {2: "cfcb54167f8971f0"}


def data_of(graph, label=0):
    graph = nx.convert_node_labels_to_integers(graph).to_directed()
    edges = torch.tensor(sorted(graph.edges), dtype=torch.long).reshape(-1, 2).T
    return Data(x=torch.ones(len(graph), 1), y=torch.tensor([label]), edge_index=edges)


@pytest.fixture
def found():
    lollipop_and_isolated = nx.disjoint_union(nx.lollipop_graph(4, 3), nx.empty_graph(2))
    graphs = [lollipop_and_isolated, nx.empty_graph(3), nx.empty_graph(1), nx.cycle_graph(7), nx.grid_2d_graph(3, 3)]
    return load_graphs([data_of(graph, label) for label, graph in enumerate(graphs)])


def built(found, search, cache):
    """The graphs, and how many had to be searched."""
    calls: list[object] = []
    return with_searches(found, search, cache, progress=calls.append), len(calls)


def assert_searched(graphs, found, search):
    for data, given in zip(graphs, found.graphs, strict=True):
        assert data.x is given.x
        assert data.edge_index is given.edge_index
        expected = nn.AddSearch(search)(given)
        assert list(data.keys()) == list(expected.keys())
        for part in parse_search(search).parts:
            key = nn.transform.key_of(part)
            one, other = data[key], expected[key]
            assert (type(one), one.search, one.radius, one.sizes) == (
                type(other),
                other.search,
                other.radius,
                other.sizes,
            )
            assert list(one.tensors) == list(other.tensors)
            for name, tensor in one.tensors.items():
                assert tensor.dtype == other.tensors[name].dtype
                assert tensor.shape == other.tensors[name].shape
                assert torch.equal(tensor, other.tensors[name])


def only_file(cache):
    (file,) = (cache / "searches").iterdir()
    return file


@pytest.mark.parametrize("search", SEARCHES)
def test_searched_once_and_the_same_ever_after(search, found, tmp_path):
    graphs, calls = built(found, search, tmp_path)
    assert calls == len(found.graphs)
    assert_searched(graphs, found, search)
    graphs, calls = built(found, search, tmp_path)
    assert calls == 0
    assert_searched(graphs, found, search)
    assert all(not key.startswith("search") for data in found.graphs for key in data.keys())  # noqa: SIM118


@pytest.mark.parametrize("search", SEARCHES)
def test_a_network_gets_the_same_from_the_file(search, found, tmp_path):
    from torch_geometric.data import Batch

    model = nn.SGN(1, 4, num_layers=2, out_channels=2, search=search)
    fresh, read = (Batch.from_data_list(built(found, search, tmp_path)[0]) for _ in range(2))
    assert torch.equal(model(fresh), model(read))


def test_another_search_or_data_set_is_searched_anew(found, tmp_path):
    assert built(found, "bfs:2", tmp_path)[1] == 5
    assert built(found, "bfs:1", tmp_path)[1] == 5
    fewer = load_graphs(found.graphs[:4])
    graphs, calls = built(fewer, "bfs:2", tmp_path)
    assert calls == 4
    assert_searched(graphs, fewer, "bfs:2")
    changed = load_graphs([*found.graphs[:4], data_of(nx.grid_2d_graph(3, 4))])
    graphs, calls = built(changed, "bfs:2", tmp_path)
    assert calls == 5
    assert_searched(graphs, changed, "bfs:2")
    for known in (found, fewer, changed):
        assert built(known, BFS(2), tmp_path)[1] == 0


def test_features_and_labels_are_not_kept(found, tmp_path):
    built(found, "dfs:1", tmp_path)
    for data in found.graphs:
        data.x, data.y = torch.rand(data.num_nodes, 2), torch.tensor([7])
    graphs, calls = built(found, "dfs:1", tmp_path)
    assert calls == 0
    assert_searched(graphs, found, "dfs:1")


def test_another_format_is_searched_anew(found, tmp_path, monkeypatch):
    built(found, "bfs:2", tmp_path)
    monkeypatch.setattr(search_cache, "FORMAT", 0)
    assert built(found, "bfs:2", tmp_path)[1] == 5
    old = max((tmp_path / "searches").iterdir(), key=lambda file: file.stat().st_mtime_ns)
    monkeypatch.undo()
    new = next(file for file in (tmp_path / "searches").iterdir() if file != old)
    new.write_bytes(old.read_bytes())  # even under the right name
    graphs, calls = built(found, "bfs:2", tmp_path)
    assert calls == 5
    assert_searched(graphs, found, "bfs:2")


def test_a_damaged_file_is_made_anew(found, tmp_path):
    built(found, "bfs:2+dfs:2", tmp_path)
    file = only_file(tmp_path)
    good = file.read_bytes()
    lengths = [0, 1, 31, 32, 33, len(good) // 2, len(good) - 1]
    places = [0, 31, 32, 40, 100, len(good) // 3, len(good) // 2, len(good) - 30, len(good) - 1]
    damaged = [good[:length] for length in lengths]
    damaged += [good[:place] + bytes([good[place] ^ 4]) + good[place + 1 :] for place in places]
    damaged += [good + b"\0", b"\0" * len(good)]
    for content in damaged:
        file.write_bytes(content)
        graphs, calls = built(found, "bfs:2+dfs:2", tmp_path)
        assert calls == 5
        assert_searched(graphs, found, "bfs:2+dfs:2")
        assert file.read_bytes() == good
    file.unlink()
    file.mkdir()
    assert built(found, "bfs:2+dfs:2", tmp_path)[1] == 5


def test_an_interrupted_search_leaves_nothing(found, tmp_path):
    def stop(data):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        with_searches(found, "bfs:2", tmp_path, progress=stop)
    assert not list(tmp_path.iterdir())


def test_where_nothing_can_be_kept_it_is_searched_every_time(found, tmp_path):
    (tmp_path / "file").touch()
    for _ in range(2):
        graphs, calls = built(found, "bfs:2", tmp_path / "file")
        assert calls == 5
        assert_searched(graphs, found, "bfs:2")


def test_a_custom_search_is_not_kept(found, tmp_path):
    def star(graph, root, radius):
        return {int(u): [root] for u in graph.neighbours(root)}

    for _ in range(2):
        graphs, calls = built(found, Custom(1, star), tmp_path)
        assert calls == 5
        assert_searched(graphs, found, Custom(1, star))
    assert not (tmp_path / "searches").exists()


def test_a_search_that_no_network_takes_is_refused(found, tmp_path):
    with pytest.raises(LvcError, match="a network cannot be guided by wl"):
        built(found, "wl", tmp_path)
    with pytest.raises(LvcError, match="bounded radius"):
        built(found, "bfs:inf", tmp_path)


def test_names_cannot_leave_the_folder(found, tmp_path):
    odd = load_graphs(found.graphs)
    object.__setattr__(odd, "name", "../a b/ü:*" + 300 * "c")
    assert [built(odd, "bfs:1", tmp_path)[1] for _ in range(2)] == [5, 0]
    assert only_file(tmp_path).name.startswith("_a_b_ccc")


def test_a_graph_read_is_small_to_pickle(tmp_path):
    many = load_graphs([data_of(nx.cycle_graph(5))] * 400)
    alone = len(pickle.dumps(built(many, "bfs:2", tmp_path)[0][0]))
    assert len(pickle.dumps(built(many, "bfs:2", tmp_path)[0][0])) < 1.1 * alone


def test_other_edges_of_the_same_number_are_searched_anew(tmp_path):
    star, path = (load_graphs([data_of(g), data_of(nx.path_graph(3), 1)]) for g in (nx.star_graph(4), nx.path_graph(5)))
    built(star, "bfs:2", tmp_path)
    graphs, calls = built(path, "bfs:2", tmp_path)
    assert calls == 2
    assert_searched(graphs, path, "bfs:2")


def test_the_same_edges_in_other_graphs_are_searched_anew(tmp_path):
    def of(*graphs):
        """Of each graph its vertices and its edges, both ways."""
        edges = [torch.tensor(some, dtype=torch.long).reshape(-1, 2).T for _, some in graphs]
        sizes, label = [n for n, _ in graphs], torch.tensor([0])
        return load_graphs(
            [Data(x=torch.ones(n, 1), y=label, edge_index=one) for n, one in zip(sizes, edges, strict=True)]
        )

    one, other = [(0, 1), (1, 0)], [(0, 2), (2, 0)]
    kinds = [of((3, one + other), (3, [])), of((4, one + other), (3, [])), of((3, one), (3, other))]
    for found in kinds:  # the second has an isolated vertex more, in the third edges are in another graph
        graphs, calls = built(found, "bfs:2", tmp_path)
        assert calls == 2
        assert_searched(graphs, found, "bfs:2")


@pytest.mark.parametrize("search", ["bfs:2+dfs:1", "levels:1"])
@pytest.mark.parametrize("few", [True, False])
def test_graphs_read_are_pieces_that_nobody_has_looked_at(search, few, found, tmp_path, monkeypatch):
    if few:
        monkeypatch.setattr(nn.transform, "PORTION", 20)
        monkeypatch.setattr(nn.operators.whole, "HANDFUL", 20 if "levels" in search else 200)
    searched, read = (built(found, search, tmp_path)[0] for _ in range(2))
    keys = [nn.transform.key_of(part) for part in parse_search(search).parts]
    if "levels" not in search:
        assert all(data[key]._tensors is None for data in searched for key in keys)
    assert all(data[key]._tensors is None for data in read for key in keys)
    assert (len({data[keys[0]].piece_of[0] for data in read}) > 1) == few
    assert_searched(read, found, search)


def test_the_format_changes_with_what_operators_hold(found, tmp_path):
    digest = hashlib.sha256()
    for search in ("bfs:1", "bfs:3+dfs:1+dfs:2"):
        flat = search_cache._flat(built(found, search, tmp_path)[0], parse_search(search))
        for name, array in flat.items():
            digest.update(f"{name} {array.dtype} {array.shape}\n".encode() + array.tobytes())
    assert digest.hexdigest()[:16] == CONTENT_OF_FORMAT[search_cache.FORMAT]


def test_mutag(real_data, tmp_path):
    found = load_graphs("MUTAG", cache=tmp_path)
    for calls in (188, 0):
        graphs, called = built(found, "bfs:2+dfs:1", tmp_path)
        assert called == calls
        assert_searched(graphs, found, "bfs:2+dfs:1")

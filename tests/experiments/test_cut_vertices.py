import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("torch_geometric")

from torch_geometric.data import Batch  # noqa: E402

from lvc import LvcError  # noqa: E402
from lvc.experiments.cut_vertices import (  # noqa: E402
    Accuracy,
    Result,
    Settings,
    accuracy,
    as_data,
    block_trees,
    learn_cut_vertices,
    networks,
    result_table,
)
from lvc.expressivity.named import joined_triangles_and_chorded_hexagon  # noqa: E402
from lvc.nn import AddSearch  # noqa: E402

QUICK = Settings(train_graphs=300, test_graphs=60, epochs=10)


@pytest.fixture(scope="module")
def quick_results() -> list[Result]:
    return learn_cut_vertices(QUICK, progress=lambda line: None)


def test_sgn_finds_whole_graphs_where_gin_does_not(quick_results):
    gin, sgn = quick_results
    assert sgn.same_size.graphs > gin.same_size.graphs + 0.2
    assert sgn.larger.vertices > gin.larger.vertices
    assert sgn.same_size.vertices > 0.97


def test_the_same_seed_gives_the_same_numbers(quick_results):
    threads = torch.get_num_threads()
    assert learn_cut_vertices(QUICK, progress=lambda line: None) == quick_results
    assert torch.get_num_threads() == threads


def test_gin_cannot_and_sgn_can_on_the_pair_that_1wl_confuses():
    """The ends of the middle edge: cut vertices in one graph, not in the other, and of one colour under 1-WL."""
    bridge, chord = (as_data(graph) for graph in joined_triangles_and_chorded_hexagon())
    assert bridge.y.sum() == 2
    assert chord.y.sum() == 0
    for name, (model, run) in networks(Settings()).items():
        model.eval()
        search = AddSearch("dfs:1+dfs:4")
        outputs = [run(Batch.from_data_list([search(data)])).flatten().sort().values for data in (bridge, chord)]
        assert torch.allclose(*outputs, atol=1e-6) is (name == "GIN")


def test_accuracy_counts_vertices_and_whole_graphs():
    graphs = block_trees(3, seed=0)
    model = torch.nn.Linear(1, 1)
    vertices = sum(data.num_nodes for data in graphs)
    assert accuracy(model, lambda batch: 2 * batch.y[:, None] - 1, graphs) == Accuracy(1.0, 1.0)
    never = accuracy(model, lambda batch: -torch.ones(batch.num_nodes, 1), graphs)
    assert never == Accuracy(sum(int((1 - data.y).sum()) for data in graphs) / vertices, 0.0)


def test_bad_settings_are_refused():
    with pytest.raises(LvcError, match="train_graphs, test_graphs and epochs must be at least 1"):
        learn_cut_vertices(Settings(epochs=0))


def test_the_table():
    text = result_table([Result("one", Accuracy(0.5, 0.25), Accuracy(1, 0))])
    assert text.splitlines()[-1].split() == ["one", "50.0", "25.0", "100.0", "0.0"]

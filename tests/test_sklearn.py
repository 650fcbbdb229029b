"""ColourHistogram: answers worked by hand, the same colours in every call, and a classifier behind it."""

from __future__ import annotations

import pickle
import subprocess
import sys

import networkx as nx
import numpy as np
import pytest

pytest.importorskip("sklearn")

from scipy.sparse import coo_array, issparse
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

from lvc import BFS, DFS, Graph, LvcError, as_graph, colour_jointly
from lvc.sklearn import ColourHistogram

SEARCHES = ["wl", "bfs:1", "bfs:2", "dfs:1", "levels:2", "bfs:2+dfs:1", "nest:1(bfs:2)", "pick:inf(wl)"]
RANDOM = [nx.gnp_random_graph(n, 0.35, seed=n) for n in (5, 7, 8, 9, 10, 12)]


def histograms(search: str, rounds: int | None, graphs: list) -> list[list[float]]:
    return ColourHistogram(search, rounds).fit_transform(graphs).toarray().tolist()


def two_triangles() -> nx.Graph:
    return nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(3))


def test_a_path_and_a_star_by_hand():
    # round 0: all vertices; round 1: degree 1, degree 2, degree 3
    assert histograms("wl", 1, [nx.path_graph(4), nx.star_graph(3)]) == [[4, 2, 2, 0], [4, 3, 0, 1]]


def test_two_triangles_and_a_hexagon():
    same = histograms("wl", 2, [two_triangles(), nx.cycle_graph(6)])
    assert same == [[6, 6, 6], [6, 6, 6]]
    told_apart = histograms("bfs:2", 2, [two_triangles(), nx.cycle_graph(6)])
    assert told_apart == [[6, 6, 0, 6, 0], [6, 0, 6, 0, 6]]


def test_no_rounds_count_labels():
    graphs = [Graph.from_edges(3, [(0, 1)], labels=[5, 5, 8]), Graph.from_edges(2, [], labels=[8, -1])]
    assert histograms("bfs:2", 0, graphs) == [[0, 2, 1], [1, 0, 1]]


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("rounds", [0, 2, None])
def test_every_round_is_that_of_a_joint_colouring(search, rounds):
    counter = ColourHistogram(search, rounds)
    found = counter.fit_transform(RANDOM).toarray()
    begin = 0
    for number, size in enumerate(counter.vocabulary_.sizes):
        block = found[:, begin : begin + size]
        joint = [colouring.histogram() for colouring in colour_jointly(RANDOM, search, rounds=number)]
        expected = np.array([[histogram.get(c, 0) for c in range(size)] for histogram in joint])
        assert sorted(block.T.tolist()) == sorted(expected.T.tolist())
        begin += size
    assert begin == found.shape[1]
    assert counter.rounds_ == number
    assert rounds is None or number == rounds


@pytest.mark.parametrize("search", SEARCHES)
def test_one_meaning_in_every_call(search):
    counter = ColourHistogram(search, 2)
    found = counter.fit_transform(RANDOM)
    assert issparse(found)
    assert found.format == "csr"
    assert found.dtype == np.float64
    assert (found != ColourHistogram(search, 2).fit(RANDOM).transform(RANDOM)).nnz == 0
    assert (found[[4, 1]] != counter.transform([RANDOM[4], RANDOM[1]])).nnz == 0
    again = pickle.loads(pickle.dumps(counter))
    assert (found != again.transform(RANDOM)).nnz == 0


@pytest.mark.parametrize("search", SEARCHES)
def test_numbering_does_not_matter(search):
    rng = np.random.default_rng(0)
    turned = [as_graph(graph).relabelled(rng.permutation(len(graph))) for graph in RANDOM]
    counter = ColourHistogram(search, 2)
    assert (counter.fit_transform(RANDOM) != counter.transform(turned)).nnz == 0


def test_unseen_colours_are_in_no_column():
    counter = ColourHistogram("wl", 2).fit([nx.path_graph(4)])  # round 1: ends, inner vertices; so in round 2
    star = counter.transform([nx.star_graph(3), nx.path_graph(4)]).toarray().tolist()
    assert star == [[4, 3, 0, 0, 0], [4, 2, 2, 2, 2]]  # the centre is new, then its leaves are, too
    labelled = ColourHistogram("bfs:1", 1).fit([Graph.from_edges(2, [(0, 1)], labels=[1, 2])])
    assert labelled.transform([Graph.from_edges(2, [(0, 1)], labels=[7, 8])]).nnz == 0


def test_a_kernel_with_training_graphs_does_not_miss_unseen_colours():
    whole = ColourHistogram("bfs:2", 3).fit_transform(RANDOM)
    counter = ColourHistogram("bfs:2", 3)
    train = counter.fit_transform(RANDOM[:4])
    test = counter.transform(RANDOM[4:])
    assert np.array_equal((test @ train.T).toarray(), (whole[4:] @ whole[:4].T).toarray())


def test_norms_count_unseen_colours():
    counter = ColourHistogram("wl", 1, normalise=True).fit([nx.path_graph(4), nx.empty_graph(0)])
    assert counter.transform([nx.path_graph(4), nx.empty_graph(0)]).toarray().tolist() == (
        [[4 / 24**0.5, 2 / 24**0.5, 2 / 24**0.5], [0, 0, 0]]  # 16 + 4 + 4
    )
    star = counter.transform([nx.star_graph(3)]).toarray().tolist()
    assert star == [[4 / 26**0.5, 3 / 26**0.5, 0]]  # 16 + 9 + 1 for the centre, which is in no column


def test_a_normalised_kernel_with_training_graphs_does_not_miss_unseen_colours():
    whole = ColourHistogram("bfs:2", 3).fit_transform(RANDOM)
    kernel = (whole @ whole.T).toarray()
    norm = np.sqrt(kernel.diagonal())
    counter = ColourHistogram("bfs:2", 3, normalise=True)
    train = counter.fit_transform(RANDOM[:4])
    test = counter.transform(RANDOM[4:])
    expected = (kernel / norm / norm[:, None])[4:, :4]
    np.testing.assert_allclose((test @ train.T).toarray(), expected, rtol=1e-12)


def test_names_of_columns():
    counter = ColourHistogram("wl", 1).fit([nx.path_graph(4)])
    assert counter.get_feature_names_out().tolist() == ["round0_colour0", "round1_colour0", "round1_colour1"]


def test_output_can_be_set():
    counter = ColourHistogram("wl", 1).set_output(transform="default")
    assert issparse(counter.fit_transform(RANDOM))
    with pytest.raises(ValueError, match="sparse"):
        counter.set_output(transform="pandas").fit_transform(RANDOM)


def test_every_option_changes_the_output():
    graphs = [nx.path_graph(4), two_triangles(), nx.cycle_graph(6)]
    for graph in graphs:
        nx.set_node_attributes(graph, {v: "N" if v == 1 else "C" for v in graph}, "element")
    outputs = {
        str(counter.fit_transform(graphs).toarray().tolist())
        for counter in (
            ColourHistogram("wl", 2),
            ColourHistogram(BFS(2) + DFS(1), 2),
            ColourHistogram("wl", 1),
            ColourHistogram("wl", 2, label="element"),
            ColourHistogram("wl", 2, normalise=True),
        )
    }
    assert len(outputs) == 5


def test_graphs_of_all_kinds():
    triangle = [(0, 1), (1, 2), (2, 0)]
    matrix = coo_array(nx.to_scipy_sparse_array(nx.cycle_graph(3), weight=None))
    kinds = [nx.cycle_graph(3), Graph.from_edges(3, triangle), matrix, "Bw", (3, triangle)]
    boxed = np.empty(len(kinds), dtype=object)
    boxed[:] = kinds
    for given in (kinds, tuple(kinds), boxed, iter(kinds)):
        assert ColourHistogram("bfs:2", 1).fit_transform(given).toarray().tolist() == [[3, 3]] * 5


def rings() -> tuple[list[nx.Graph], np.ndarray]:
    """Regular graphs: a triangle and a cycle, or one cycle with as many vertices. 1-WL sees their size only."""
    graphs, labels = [], []
    for n in range(6, 18):
        graphs += [nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(n)), nx.cycle_graph(n + 3)]
        labels += [0, 1]
    return graphs, np.array(labels)


def test_a_classifier_separates_what_1_wl_does_not():
    graphs, labels = rings()
    score = {}
    for search in ("wl", "bfs:2"):
        model = make_pipeline(ColourHistogram(search, 2), LinearSVC())
        score[search] = model.fit(graphs[:12], labels[:12]).score(graphs[12:], labels[12:])
    assert score == {"wl": 0.5, "bfs:2": 1.0}


def test_a_grid_search_clones_and_sets():
    graphs, labels = rings()
    model = make_pipeline(ColourHistogram("wl"), LinearSVC())
    grid = GridSearchCV(model, {"colourhistogram__search": ["wl", "bfs:2"], "colourhistogram__rounds": [0, 2]}, cv=3)
    assert grid.fit(graphs, labels).best_params_ == {"colourhistogram__search": "bfs:2", "colourhistogram__rounds": 2}
    assert clone(ColourHistogram(BFS(2), 1)).search == BFS(2)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (nx.cycle_graph(3), "got Graph; put a single graph into a list"),
        (as_graph("Bw"), "put a single graph into a list"),
        ("Bw", "got str; put a single graph into a list"),
        (np.eye(3), r"got ndarray of shape \(3, 3\)"),
        (nx.to_scipy_sparse_array(nx.cycle_graph(3)), r"got csr_array of shape \(3, 3\)"),
        (7, "got int"),
        ([], "no graph in X"),
        (["Bw", 3.5], r"graph 1 \(counting from 0\): cannot make a graph of float"),
        ([nx.DiGraph([(0, 1)])], r"graph 0 \(counting from 0\): .*to_undirected"),
        ([as_graph("Bw"), as_graph("Bw").with_labels([1, 2, 3])], "graph 1 has labels and graph 0 has none"),
    ],
)
def test_bad_graphs(given, message):
    with pytest.raises(LvcError, match=message):
        ColourHistogram().fit(given)
    with pytest.raises(LvcError, match=message):
        ColourHistogram().fit(["Bw"]).transform(given)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"search": "fwl2"}, "fwl2 has no vocabulary"),
        ({"search": "dijkstra"}, "unknown search"),
        ({"rounds": -1}, "rounds must be a whole number"),
        ({"rounds": 1.5}, "rounds must be a whole number"),
        ({"label": "element"}, "label names a vertex attribute of a networkx graph, got str"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises(LvcError, match=message):
        ColourHistogram(**options).fit(["Bw"])


def test_fit_comes_first():
    for method in (lambda c: c.transform(["Bw"]), lambda c: c.get_feature_names_out()):
        with pytest.raises(NotFittedError):
            method(ColourHistogram())


def test_labels_in_fit_and_transform():
    counter = ColourHistogram("wl").fit(["Bw"])
    with pytest.raises(LvcError, match="give labels to all or to none"):
        counter.transform([as_graph("Bw").with_labels([0, 0, 0])])


def test_a_data_set_of_torch_geometric():
    datasets = pytest.importorskip("torch_geometric.datasets")
    data = datasets.FakeDataset(num_graphs=3, avg_num_nodes=8, avg_degree=2)
    found = ColourHistogram("wl", 0).fit_transform(data).toarray().tolist()
    assert found == [[graph.num_nodes] for graph in data]
    with pytest.raises(LvcError, match="put a single graph into a list"):
        ColourHistogram("wl", 0).fit(data[0])


def test_without_scikit_learn_there_is_one_sentence():
    code = "import sys; sys.modules['sklearn'] = None; sys.modules['sklearn.base'] = None\nimport lvc.sklearn"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr.splitlines()[-1] == (
        "ModuleNotFoundError: lvc.sklearn needs scikit-learn; install it with: pip install 'lvc-gnn[sklearn]'"
    )


def test_the_weisfeiler_lehman_kernel_of_grakel():
    grakel = pytest.importorskip("grakel", reason="grakel is installed for benchmarks only")
    graphs = [as_graph(graph).with_labels([v % 3 for v in graph]) for graph in RANDOM]
    theirs = [
        grakel.Graph({v: dict.fromkeys(graph[v], 1.0) for v in graph}, node_labels={v: v % 3 for v in graph})
        for graph in RANDOM
    ]
    kernel = grakel.WeisfeilerLehman(n_iter=4, base_graph_kernel=grakel.VertexHistogram).fit_transform(theirs)
    found = ColourHistogram("wl", 4).fit_transform(graphs)
    assert np.array_equal((found @ found.T).toarray(), kernel)

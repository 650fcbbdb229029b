import json
import os
import subprocess
import sys

import networkx as nx
import numpy as np
import pytest

from lvc import LvcError, as_graph, distinguishes
from lvc.data import duplicates, load_graphs
from lvc.data.duplicates import classes_of_isomorphic, duplicates_table, repeats
from lvc.expressivity.isomorphism import isomorphism_classes
from lvc.expressivity.regular import rook_and_shrikhande

torch = pytest.importorskip("torch")
Data = pytest.importorskip("torch_geometric.data").Data


def data_of(graph, label, features=None):
    graph = as_graph(graph)
    both = np.concatenate([graph.edges(), graph.edges()[:, ::-1]]).T
    x = torch.ones(graph.n, 1) if features is None else torch.tensor(features, dtype=torch.float32)[:, None]
    return Data(x=x, y=torch.tensor([label]), edge_index=torch.from_numpy(both.copy()))


def test_by_hand():
    found = duplicates(
        load_graphs(
            [
                data_of(nx.cycle_graph(3), 0, [1, 2, 2]),
                data_of(nx.cycle_graph(3), 1, [2, 1, 2]),  # the same, another label
                data_of(nx.cycle_graph(3), 0, [1, 1, 2]),  # the same without features
                data_of(nx.path_graph(3), 1, [1, 2, 2]),
                data_of(nx.star_graph([1, 0, 2]), 1, [2, 1, 2]),  # the path, with another vertex first
                data_of(nx.empty_graph(3), 0, [0, 0, 0]),
                data_of(nx.empty_graph(3), 0, [0, -0.0, 0]),
                data_of(nx.empty_graph(4), 0, [0, 0, 0, 0]),
            ]
        )
    )
    # {0, 1}, {2}, {3}, {4}, {5, 6}, {7} with features; the path's end and middle are 1 and 2
    assert found.with_features == repeats([0, 0, 2, 3, 4, 5, 5, 7], [0, 1, 0, 1, 1, 0, 0, 0])
    assert (found.with_features.repeated, found.with_features.pairs_at_odds) == (4, 1)
    assert found.with_features.best_accuracy == 7 / 8
    # {0, 1, 2}, {3, 4}, {5, 6}, {7} without
    assert (found.structure.repeated, found.structure.classes, found.structure.pairs) == (7, 3, 5)
    assert (found.structure.classes_at_odds, found.structure.pairs_at_odds) == (1, 2)
    assert found.structure.best_accuracy == 7 / 8
    line = duplicates_table([found]).splitlines()[2]
    assert line.split() == ["list", "8", "structure", "7", "3", "5", "1", "2", "87.50"]


@pytest.mark.parametrize(
    "pair",
    [rook_and_shrikhande(), (nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(3)), nx.cycle_graph(6))],
)
def test_what_the_colouring_confuses_is_compared(pair):
    first, second = map(as_graph, pair)
    assert not distinguishes(first, second, "wl")
    shuffled = first.relabelled(np.random.default_rng(0).permutation(first.n))
    assert classes_of_isomorphic([first, second, shuffled]) == [0, 1, 0]


def test_against_the_twin_on_random_graphs():
    rng = np.random.default_rng(0)
    graphs = []
    for _ in range(150):
        graph = as_graph(nx.gnp_random_graph(int(rng.integers(0, 6)), 0.5, seed=int(rng.integers(10**6))))
        graphs.append(graph.with_labels(rng.integers(0, 2, graph.n)))
    assert classes_of_isomorphic(graphs) == isomorphism_classes(graphs)
    plain = [graph.with_labels(None) for graph in graphs]
    assert classes_of_isomorphic(plain) == isomorphism_classes(plain)


@pytest.mark.compiled
def test_large_graphs_whose_colours_are_all_different():
    graph = as_graph(nx.random_regular_graph(4, 3000, seed=1)).with_labels(np.arange(3000))
    edges = graph.edges()
    lacking = as_graph((3000, edges[1:])).with_labels(graph.labels)
    shuffled = graph.relabelled(np.random.default_rng(0).permutation(3000))
    assert classes_of_isomorphic([graph, lacking, shuffled]) == [0, 1, 0]


def test_the_recursion_limit_stays():
    before = sys.getrecursionlimit()
    cycle = as_graph(nx.cycle_graph(before))
    assert classes_of_isomorphic([cycle, cycle.relabelled(np.roll(np.arange(before), 7)[::-1])]) == [0, 0]
    assert sys.getrecursionlimit() == before


def test_nothing_to_compare_is_refused():
    with pytest.raises(LvcError, match="no graph to compare"):
        classes_of_isomorphic([])


@pytest.mark.compiled
def test_mutag_against_the_twin(real_data, tmp_path):
    found = load_graphs("MUTAG", cache=tmp_path)
    plain = [as_graph(data) for data in found.graphs]
    atoms = [graph.with_labels(data.x.argmax(dim=1).numpy()) for graph, data in zip(plain, found.graphs, strict=True)]
    numbers = duplicates(found)
    assert numbers.structure == repeats(isomorphism_classes(plain), found.labels)
    assert numbers.with_features == repeats(isomorphism_classes(atoms), found.labels)
    assert (numbers.structure.repeated, numbers.with_features.repeated) == (79, 24)


def test_lvc_data_duplicates(real_data, tmp_path):
    command = [sys.executable, "-m", "lvc.cli", "data", "--duplicates", "mutag"]
    environment = {**os.environ, "LVC_CACHE": str(tmp_path)}
    text, rows = (
        subprocess.run([*command, *more], capture_output=True, text=True, check=True, env=environment).stdout
        for more in ([], ["--json"])
    )
    assert "MUTAG" in text
    (row,) = json.loads(rows)
    assert (row["graphs"], row["with_features"]["classes_at_odds"], row["structure"]["classes_at_odds"]) == (188, 0, 4)

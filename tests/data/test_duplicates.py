import json
import os
import subprocess
import sys

import networkx as nx
import numpy as np
import pytest

from lvc import as_graph
from lvc.data import duplicates, load_graphs
from lvc.data.duplicates import duplicates_table, repeats

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


def test_mutag(real_data, tmp_path):
    numbers = duplicates(load_graphs("MUTAG", cache=tmp_path))
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

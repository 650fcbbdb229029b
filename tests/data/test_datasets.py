import json
import os
import subprocess
import sys
from urllib.error import URLError

import networkx as nx
import numpy as np
import pytest

from lvc import LvcError
from lvc.data import DATASETS, load, splits
from lvc.data.statistics import describe_all, statistics, statistics_table

torch = pytest.importorskip("torch")
pyg_data = pytest.importorskip("torch_geometric.data")

SMALL = ["Cora", "Texas", "Cornell", "Wisconsin", "Chameleon", "Chameleon-filtered", "Minesweeper"]


@pytest.fixture(scope="session")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


@pytest.mark.parametrize("name", SMALL)
def test_counts_equal_the_table(name, real_data, cache):
    found = load(name, cache=cache)
    assert not [note for note in found.notes if "differ" in note]
    counts = (found.graph.n, found.graph.m, found.data.x.shape[1], len(found.data.y.unique()))
    assert counts == tuple(DATASETS[name].counts)
    assert found.data.edge_index.shape == (2, 2 * found.graph.m)
    assert found.data.is_undirected()
    assert not found.data.has_self_loops()


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in DATASETS if name not in SMALL])
def test_counts_of_the_larger_ones(name, real_data, cache):
    test_counts_equal_the_table(name, real_data, cache)


@pytest.mark.parametrize("name", ["Cora", "Texas", "Chameleon", "Chameleon-filtered", "Minesweeper"])
def test_published_splits_are_disjoint(name, real_data, cache):
    found = load(name, cache=cache)
    assert len(found.published) == 10
    for split in splits(found.data.y.numpy(), "published", published=found.published):
        together = np.concatenate(split)
        assert len(np.unique(together)) == len(together) <= found.graph.n
        assert 0.4 < len(split.train) / found.graph.n < 0.65


def test_coercion_is_noted(real_data, cache):
    assert load("texas", cache=cache).notes[0] == "16 loops removed"
    assert "made undirected" in load("Texas", cache=cache).notes[1]
    assert load("Cora", cache=cache).notes == ()


def test_without_data_and_network_it_says_what_to_do(tmp_path, monkeypatch):
    def no_network(*_, **__):
        raise URLError("no network")

    monkeypatch.delenv("LVC_DATA", raising=False)
    monkeypatch.setattr("urllib.request.urlopen", no_network)
    monkeypatch.setattr("fsspec.core.OpenFile.__enter__", no_network)
    with pytest.raises(
        LvcError, match="cannot load Texas: no network; set LVC_DATA to a folder that has WebKB/texas/raw"
    ):
        load("Texas", cache=tmp_path)


def test_nothing_is_written_beside_the_raw_files(real_data, cache):
    load("Cornell", cache=cache)
    assert not (real_data / "WebKB" / "cornell" / "processed").exists()
    assert (cache / "WebKB" / "cornell" / "processed").exists()


def test_a_data_set_of_ones_own():
    edge_index = torch.tensor([[0, 1, 2, 2], [1, 2, 2, 1]])
    found = load(pyg_data.Data(x=torch.ones(3, 2), y=torch.tensor([0, 1, 1]), edge_index=edge_index))
    assert found.graph.edges().tolist() == [[0, 1], [1, 2]]
    assert found.notes == ("1 loops removed", "1 edges stood in one direction only and were made undirected")
    numbers = statistics(found)
    assert (numbers.homophily, numbers.isolated, numbers.mean_balls[0]) == (0.5, 0, (2 + 3 + 2) / 3)


def test_unknown_names_are_refused():
    with pytest.raises(LvcError, match="unknown data set 'Coral'; use one of Cora, CiteSeer"):
        load("Coral")
    with pytest.raises(LvcError, match="unknown data set 'Coral'; use one of Cora"):
        describe_all(["Coral"])


def test_what_is_not_on_disk_is_listed_so(monkeypatch):
    monkeypatch.delenv("LVC_DATA", raising=False)
    (row,) = describe_all(["PubMed"])
    assert row["on_disk"] is False
    assert "3 (5)" in statistics_table([row])
    with pytest.raises(LvcError, match="set LVC_DATA to a folder that has WikipediaFiltered"):
        load("Chameleon-filtered")


def test_statistics_against_networkx(real_data, cache):
    found = load("Texas", cache=cache)
    graph = found.graph.to_networkx()
    balls = [len(nx.single_source_shortest_path_length(graph, v, cutoff=2)) for v in graph]
    assert statistics(found).mean_balls[1] == pytest.approx(np.mean(balls))


def test_cornell_is_texas_with_other_edges(real_data, cache):
    cornell, texas = load("Cornell", cache=cache), load("Texas", cache=cache)
    assert torch.equal(cornell.data.x, texas.data.x)
    assert torch.equal(cornell.data.y, texas.data.y)
    assert (cornell.graph.m, texas.graph.m) == (277, 279)


def test_lvc_data(real_data, cache):
    command = [sys.executable, "-m", "lvc.cli", "data", "Texas", "--json"]
    found = subprocess.run(
        command, capture_output=True, text=True, check=True, env={**os.environ, "LVC_CACHE": str(cache)}
    )
    (row,) = json.loads(found.stdout)
    assert row["edges"] == 279
    assert row["homophily"] == pytest.approx(0.06, abs=0.01)

import io
import json
import os
import re
import shutil
import subprocess
import sys
from urllib.error import URLError

import networkx as nx
import numpy as np
import pytest

from lvc import LvcError
from lvc.data import DATASETS, load, splits
from lvc.data.split_statistics import describe_splits
from lvc.data.statistics import describe_all, statistics, statistics_table

torch = pytest.importorskip("torch")
pyg_data = pytest.importorskip("torch_geometric.data")

from torch_geometric.data import InMemoryDataset  # noqa: E402

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


EDGES = torch.tensor([[0, 1, 1, 2, 2, 3], [1, 0, 2, 1, 3, 2]])


def path_of_four(**more):
    #  0 - 1 - 2 - 3
    parts = {"x": torch.eye(4), "y": torch.tensor([0, 1, 1, 0]), "edge_index": EDGES, **more}
    return pyg_data.Data(**{name: part for name, part in parts.items() if part is not None})


class Own(InMemoryDataset):
    """A data set of ours that holds some graphs."""

    def __init__(self, graphs):
        super().__init__()
        self.data, self.slices = self.collate(graphs)


def test_a_torch_geometric_data_set_of_one_graph():
    karate = load(pytest.importorskip("torch_geometric.datasets").KarateClub())
    assert repr(karate) == "VertexData(KarateClub, 34 vertices, 78 edges)"
    assert (karate.data.x.shape, karate.published) == ((34, 34), ())
    assert karate.notes == ("train_mask without val_mask and test_mask, so there are no published splits",)
    for dataset in (Own([path_of_four()]), Own([path_of_four(), path_of_four()])[1:], [path_of_four()]):
        found = load(dataset)
        assert (found.name, found.graph.m) == (type(dataset).__name__, 3)
        assert torch.equal(found.data.x, torch.eye(4))
        assert torch.equal(found.data.edge_index, EDGES)


def test_features_and_labels_of_ones_own_take_their_shape():
    found = load(path_of_four(x=torch.arange(4.0), y=torch.tensor([[0.0], [1.0], [1.0], [2.0]])))
    assert found.data.x.tolist() == [[0], [1], [2], [3]]
    assert (found.data.y.dtype, found.data.y.tolist()) == (torch.int64, [0, 1, 1, 2])


def masks(train, validation, test):
    return {
        name: torch.tensor(mask, dtype=torch.bool)
        for name, mask in (("train_mask", train), ("val_mask", validation), ("test_mask", test))
    }


def test_published_splits_are_all_there_or_none(real_data, tmp_path, monkeypatch):
    shutil.copytree(real_data / "Planetoid" / "Cora", tmp_path / "Planetoid" / "Cora")
    monkeypatch.setenv("LVC_DATA", str(tmp_path))
    assert load("Cora", cache=tmp_path / "cache").published == ()
    some = tmp_path / "Planetoid" / "geom_gcn_splits"
    some.mkdir()
    for number in range(1, 10):
        shutil.copy(real_data / "Planetoid" / "geom_gcn_splits" / f"cora_split_0.6_0.2_{number}.npz", some)
    with pytest.raises(LvcError, match=r"cora_split_0\.6_0\.2_0\.npz"):  # or split 0 would be that of file 1
        load("Cora", cache=tmp_path / "cache")


def test_masks_of_ones_own_become_the_published_splits():
    (split,) = load(path_of_four(**masks([1, 0, 0, 1], [0, 1, 0, 0], [0, 0, 1, 0]))).published
    assert [part.tolist() for part in split] == [[0, 3], [1], [2]]
    learnt = torch.tensor([1.0, 0.0, 0.0, 1.0], requires_grad=True)
    same = load(path_of_four(**{**masks([], [0, 1, 0, 0], [0, 0, 1, 0]), "train_mask": learnt})).published[0]
    assert same.train.tolist() == [0, 3]
    train, validation = [[1, 0], [0, 1], [0, 0], [0, 0]], [[0, 1], [1, 0], [0, 0], [0, 0]]
    whole = path_of_four(**masks(train, validation, [[0, 0], [0, 0], [1, 0], [1, 1]]))
    found = load(Own([whole])).published
    assert [[part.tolist() for part in split] for split in found] == [[[0], [1], [2, 3]], [[1], [0], [3]]]
    one_test = load(path_of_four(**masks(train, validation, [0, 0, 1, 0]))).published
    assert [split.test.tolist() for split in one_test] == [[2], [2]]
    assert splits(whole.y.numpy(), "published", 2, published=found) == list(found)


@pytest.mark.parametrize(
    ("dataset", "message"),
    [
        (None, "load takes a name, .* or a data set that holds one, got NoneType"),
        (3, "load takes a name, .* or a data set that holds one, got int"),
        ([], "load takes one graph, got 0; choose one, or use load_graphs for many"),
        ([path_of_four(), path_of_four()], "load takes one graph, got 2"),
        (Own([path_of_four(), path_of_four()]), "load takes one graph, got 2"),
        ([3], "or a data set that holds one, got int"),
        (pyg_data.HeteroData(), "or a data set that holds one, got HeteroData"),
        (path_of_four(edge_index=None), "or a data set that holds one, got Data without edge_index"),
        (path_of_four(edge_index=EDGES.T), r"edge_index must be .* shape \(2, m\), got shape \(6, 2\)"),
        (path_of_four(edge_index=EDGES + 1), "out of range for 4 vertices"),
        (path_of_four(x=None, num_nodes=4), "the graph has no features; set its x, .* degree"),
        (path_of_four(x=torch.ones(3, 1), num_nodes=4), r"the graph has 4 vertices and x of shape \(3, 1\); give"),
        (path_of_four(x=torch.ones(4, 1, 1)), r"the graph has 4 vertices and x of shape \(4, 1, 1\)"),
        (path_of_four(x=torch.eye(4).to_sparse()), "x of the graph must be a dense tensor of real numbers, got .*coo"),
        (path_of_four(x=torch.ones(4, 1, dtype=torch.cfloat)), "x of the graph must be .* got .*complex64"),
        (path_of_four(y=torch.ones(4, dtype=torch.cfloat)), "y must be a dense tensor of real numbers, got .*complex"),
        (path_of_four(x=torch.tensor([[0.0], [0.0], [float("nan")], [0.0]])), "NaN or infinity at vertex 2"),
        (path_of_four(x=torch.tensor([float("inf"), 0.0, 0.0, 0.0])), "NaN or infinity at vertex 0"),
        (path_of_four(y=None), "the graph has no labels; set its y"),
        (
            path_of_four(y=torch.zeros(3)),
            r"y must be a tensor of one label for each of the 4 vertices, got shape \(3,\)",
        ),
        (
            path_of_four(y=torch.eye(4)),
            r"y must be a tensor of one label for each of the 4 vertices, got shape \(4, 4\)",
        ),
        (path_of_four(y=["a", "b", "a", "b"]), "y must be a tensor of one label .* got list"),
        (path_of_four(y=torch.tensor([0, 1, 0, -1])), "whole numbers from 0 on, got -1 at vertex 3"),
        (path_of_four(y=torch.tensor([0, 0.5, 0, 0])), "whole numbers from 0 on, got 0.5 at vertex 1"),
        (path_of_four(y=torch.tensor([0, 0, 0, float("nan")])), "whole numbers from 0 on, got nan at vertex 3"),
        (path_of_four(**masks([1, 0, 1, 0], [0, 1, 0, 0], [0, 0, 1, 1])), "split 0 .* overlap at vertex 2"),
        (
            path_of_four(**masks([[1, 0]] * 4, [[0, 0]] * 3 + [[0, 1]], [[0, 0]] * 3 + [[0, 1]])),
            "split 1 .* overlap at vertex 3",
        ),
        (path_of_four(**masks([1, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0])), r"train_mask must have shape \(4,\) or \(4, "),
        (path_of_four(**masks([[1] * 4] * 2, [[0] * 4] * 2, [[0] * 4] * 2)), r"train_mask must .* got \(2, 4\)"),
        (
            path_of_four(**masks([[0] * 3] * 4, [[0] * 2] * 4, [0] * 4)),
            "train_mask has 3 splits and val_mask has 2; give both as many",
        ),
        (
            path_of_four(**{**masks([0] * 4, [0] * 4, [0] * 4), "val_mask": torch.eye(4).to_sparse()}),
            "val_mask must be a dense tensor of real numbers, got .*coo",
        ),
        (
            path_of_four(**{**masks([0] * 4, [0] * 4, [0] * 4), "val_mask": torch.arange(4)}),
            "val_mask must hold True and False, got 2",
        ),
        (
            path_of_four(**masks([[1, 1]] + [[0, 0]] * 3, [[0, 0], [1, 0], [0, 0], [0, 0]], [0, 0, 1, 1])),
            r"val_mask of split 1 \(counting from 0\) is empty",
        ),
    ],
)
def test_what_is_no_data_set_is_refused(dataset, message):
    with pytest.raises(LvcError, match=message) as refusal:
        load(dataset)
    assert "\n" not in str(refusal.value)


def test_unknown_names_are_refused():
    with pytest.raises(LvcError, match="unknown data set 'Coral'; use one of Cora, CiteSeer"):
        load("Coral")
    with pytest.raises(LvcError, match="unknown data set 'Coral'; use one of Cora"):
        describe_all(["Coral"])


def test_what_is_not_on_disk_is_listed_so(monkeypatch, tmp_path, no_download):
    monkeypatch.delenv("LVC_DATA", raising=False)
    monkeypatch.setenv("LVC_CACHE", str(tmp_path))
    (row,) = describe_all(["PubMed"])
    assert row["on_disk"] is False
    assert "3 (5)" in statistics_table([row])
    with pytest.raises(LvcError, match="set LVC_DATA to a folder that has WikipediaFiltered"):
        load("Chameleon-filtered")


def test_what_was_downloaded_to_the_cache_is_on_disk(real_data, monkeypatch, tmp_path, no_download):
    monkeypatch.setenv("LVC_CACHE", str(tmp_path))
    load("Texas")
    monkeypatch.delenv("LVC_DATA")
    (row,) = describe_all(["Texas"])
    assert (row["on_disk"], row["edges"]) == (True, 279)
    assert "0.06" in statistics_table([row])
    assert {row.name for row in describe_splits()} == {"Texas"}
    next((tmp_path / "WebKB" / "texas" / "raw").iterdir()).unlink()
    (row,) = describe_all(["Texas"])
    assert row["on_disk"] is False


@pytest.fixture
def texas(real_data, monkeypatch, tmp_path):
    """A copy of the raw files of Texas that may be spoiled, and an empty cache."""
    raw = tmp_path / "data" / "WebKB" / "texas" / "raw"
    shutil.copytree(real_data / "WebKB" / "texas" / "raw", raw, copy_function=shutil.copyfile)
    monkeypatch.setenv("LVC_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("LVC_CACHE", str(tmp_path / "cache"))
    return raw


def test_raw_files_that_changed_are_read_anew(texas, tmp_path):
    edges = texas / "out1_graph_edges.txt"
    whole = edges.read_text()
    edges.write_text("\n".join(whole.splitlines()[:101]) + "\n")
    cut = load("Texas")
    assert cut.graph.m <= 100
    assert cut.notes[-1].startswith(f"counts (183, {cut.graph.m}, 1703, 5) differ from the table's")
    edges.write_text(whole)
    assert load("Texas").graph.m == 279


def test_a_processed_file_that_was_cut_off_is_made_anew(texas, tmp_path):
    load("Texas")
    processed = tmp_path / "cache" / "WebKB" / "texas" / "processed" / "data.pt"
    for content in (processed.read_bytes()[:100], b"", b"no file of torch's"):
        processed.write_bytes(content)
        assert load("Texas").graph.m == 279
    assert processed.stat().st_size > 100


@pytest.mark.parametrize("content", ["", "what is this\n", "node_id\tfeature\tlabel\nx\ty\tz\n"])
def test_raw_files_that_make_no_sense_are_named(texas, content, no_download):
    (texas / "out1_node_feature_label.txt").write_text(content)
    with pytest.raises(LvcError, match=f"cannot make sense of {re.escape(str(texas))}: .*; put what") as refusal:
        load("Texas")
    assert "\n" not in str(refusal.value)
    assert "recursion" not in str(refusal.value)
    rows = {row["name"]: row for row in describe_all()}  # the others are listed all the same
    assert rows["Texas"]["on_disk"] is False
    assert f"cannot make sense of {texas}" in rows["Texas"]["notes"][-1]


def test_arrays_that_make_no_sense_are_named(real_data, monkeypatch, tmp_path):
    place = tmp_path / "WikipediaFiltered" / "chameleon_filtered.npz"
    place.parent.mkdir()
    whole = (real_data / "WikipediaFiltered" / "chameleon_filtered.npz").read_bytes()
    monkeypatch.setenv("LVC_DATA", str(tmp_path))
    with np.load(real_data / "WikipediaFiltered" / "chameleon_filtered.npz") as file:
        arrays = dict(file)
    spoilt = [b"", b"text", whole[:1000], whole[: len(whole) // 2], _npy(arrays["edges"])]
    for name, wrong in (("val_masks", 3), ("node_labels", 100)):
        spoilt.append(_npz(arrays | {name: arrays[name][:wrong]}))
    spoilt.append(_npz(arrays | {"node_labels": arrays["node_labels"].astype(str)}))
    spoilt.append(_npz({name: array for name, array in arrays.items() if name != "edges"}))
    spoilt.append(_npz(arrays | {"node_features": arrays["node_features"][:, :, None]}))
    for content in spoilt:
        place.write_bytes(content)
        with pytest.raises(LvcError, match=f"cannot make sense of {re.escape(str(place))}"):
            load("Chameleon-filtered")
    not_a_number = arrays["node_features"].astype(float)
    not_a_number[7, 3] = np.nan
    negative = np.where(np.arange(len(arrays["node_labels"])) == 5, -1, arrays["node_labels"])
    longer = np.pad(arrays["train_masks"], ((0, 0), (0, 1)))
    for change, sentence in (
        ({"node_features": not_a_number}, "x of the graph has NaN or infinity at vertex 7"),
        ({"node_labels": negative}, "labels must be whole numbers from 0 on, got -1 at vertex 5"),
        ({"test_masks": arrays["train_masks"]}, r"the masks of split 0 \(counting from 0\) overlap at vertex"),
        ({"val_masks": np.zeros_like(arrays["val_masks"])}, "val_mask of split 0 .* is empty"),
        ({"train_masks": longer}, "train_mask must have shape"),
    ):
        place.write_bytes(_npz(arrays | change))
        with pytest.raises(LvcError, match=f"cannot make sense of {re.escape(str(place))}: {sentence}"):
            load("Chameleon-filtered")


def _npz(arrays):
    np.savez(content := io.BytesIO(), **arrays)
    return content.getvalue()


def _npy(array):
    np.save(content := io.BytesIO(), array)
    return content.getvalue()


def test_a_cache_that_is_the_data_itself_loses_nothing(texas, tmp_path, monkeypatch):
    monkeypatch.setenv("LVC_CACHE", str(tmp_path / "data"))
    (texas / "more").mkdir()
    (texas / "more" / "mine.txt").write_text("mine")
    before = sorted(texas.rglob("*"))
    assert load("Texas").graph.m == 279
    (texas / "out1_node_feature_label.txt").write_text("")
    shutil.rmtree(texas.parent / "processed")
    with pytest.raises(LvcError, match="cannot make sense of"):
        load("Texas")
    assert sorted(texas.rglob("*")) == before


def test_raw_files_that_cannot_be_replaced_stay(texas, tmp_path, monkeypatch):
    load("Texas")
    copied = tmp_path / "cache" / "WebKB" / "texas" / "raw"
    before = {file.name: file.read_bytes() for file in copied.iterdir()}
    (texas / "out1_graph_edges.txt").write_text("node_id\tnode_id\n0\t1\n")
    real = os.replace

    def fail(source, target):
        if ".raw-new" in str(source):
            raise OSError(5, "Input/output error")
        real(source, target)

    monkeypatch.setattr("os.replace", fail)
    with pytest.raises(LvcError, match=r"cannot copy .*: Input/output error; set LVC_CACHE"):
        load("Texas")
    assert {file.name: file.read_bytes() for file in copied.iterdir()} == before
    assert [path.name for path in copied.parent.iterdir()] == ["raw"]


def test_a_cache_that_cannot_be_written_is_named(texas, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("LVC_CACHE", str(tmp_path / "file"))
    with pytest.raises(LvcError, match=f"cannot make the folder {re.escape(str(tmp_path))}"):
        load("Texas")
    monkeypatch.setenv("LVC_CACHE", str(tmp_path / "full"))
    monkeypatch.setattr("shutil.copyfile", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    with pytest.raises(
        LvcError, match=r"cannot copy .* to .*: .*No space left on device; set LVC_CACHE to a folder with room"
    ):
        load("Texas")
    assert list((tmp_path / "full" / "WebKB" / "texas").iterdir()) == []


def test_raw_files_that_are_incomplete_are_not_on_disk(real_data, monkeypatch, tmp_path, no_download):
    raw = tmp_path / "data" / "WebKB" / "texas" / "raw"
    shutil.copytree(real_data / "WebKB" / "texas" / "raw", raw, copy_function=shutil.copyfile)
    next(raw.iterdir()).unlink()
    monkeypatch.setenv("LVC_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("LVC_CACHE", str(tmp_path / "cache"))
    (row,) = describe_all(["Texas"])
    assert row["on_disk"] is False
    with pytest.raises(
        LvcError, match="Texas is not on disk; set LVC_DATA to a folder that has all of WebKB/texas/raw"
    ):
        load("Texas", download=False)


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

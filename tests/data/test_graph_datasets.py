import json
import os
import pickle
import shutil
import subprocess
import sys
from urllib.error import URLError

import numpy as np
import pytest

from lvc import LvcError
from lvc.data import GRAPH_DATASETS, folds, load_graphs
from lvc.data.folds import FOLDS, read_folds
from lvc.data.graph_datasets import describe_graphs, graphs_table, usual_protocol

torch = pytest.importorskip("torch")
Data = pytest.importorskip("torch_geometric.data").Data

PUBLISHED = [name for name in GRAPH_DATASETS if name != "MUTAG"]
LARGE = [pytest.param(name, marks=pytest.mark.slow) for name in ("DD", "NCI1")]
SMALL = [name for name in GRAPH_DATASETS if name not in ("DD", "NCI1")]


@pytest.fixture(scope="session")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


def graph(edges, n=3, label=0, **more):
    return Data(edge_index=torch.tensor(edges).reshape(-1, 2).T, y=torch.tensor([label]), num_nodes=n, **more)


@pytest.mark.parametrize("name", [*SMALL, *LARGE])
def test_counts_equal_the_table_and_graphs_are_simple(name, real_data, cache):
    found = load_graphs(name, cache=cache)
    assert not [note for note in found.notes if "differ" in note]
    assert (len(found.graphs), len(np.unique(found.labels))) == GRAPH_DATASETS[name].counts[::2]
    for data in found.graphs:
        assert (data.x.dtype, data.x.shape) == (torch.float32, (data.num_nodes, GRAPH_DATASETS[name].counts.features))
        assert (data.y.dtype, data.y.shape) == (torch.int64, (1,))
        assert data.is_undirected()
        assert not data.has_self_loops()
        assert data.is_coalesced()


@pytest.mark.parametrize("name", ["PROTEINS", "MUTAG", *LARGE])
def test_vertex_labels_are_one_hot(name, real_data, cache):
    for data in load_graphs(name, cache=cache).graphs:
        assert set(data.x.unique().tolist()) <= {0.0, 1.0}
        assert (data.x.sum(dim=1) == 1).all()


def test_enzymes_has_attributes_besides_and_imdb_the_degree(real_data, cache):
    for data in load_graphs("ENZYMES", cache=cache).graphs[:50]:
        assert (data.x[:, 18:].sum(dim=1) == 1).all()
        assert data.x[:, :18].unique().numel() > 2
    imdb = load_graphs("imdb-binary", cache=cache)
    for data in imdb.graphs[:50]:
        assert data.x[:, 0].tolist() == torch.bincount(data.edge_index[0], minlength=data.num_nodes).tolist()
    assert imdb.notes == ("vertices have no features; their degree is taken",)


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_folds(name, real_data):
    entry = GRAPH_DATASETS[name]
    indicator = real_data / entry.folder / f"{name}_graph_labels.txt"
    labels = np.loadtxt(indicator, dtype=np.int64)
    published = read_folds(real_data / entry.folds, len(labels))
    found = folds(labels, "errica", published=published)
    assert len(found) == FOLDS
    assert np.array_equal(np.sort(np.concatenate([fold.test for fold in found])), np.arange(len(labels)))
    for train, validation, test in found:
        assert not set(test.tolist()) & {*train.tolist(), *validation.tolist()}
        assert not set(train.tolist()) & set(validation.tolist())
        assert len(train) + len(validation) + len(test) == len(labels)
        assert len(validation) == pytest.approx((len(labels) - len(test)) / 10, abs=1)
        for label in np.unique(labels):
            assert (labels[test] == label).sum() == pytest.approx((labels == label).sum() / 10, abs=1)
    assert folds(labels, "errica", count=2, published=published)[1] is found[1]


def test_published_folds_come_with_the_data(real_data, cache):
    assert len(load_graphs("ENZYMES", cache=cache).published) == 10
    mutag = load_graphs("MUTAG", cache=cache)
    assert mutag.published == ()
    with pytest.raises(LvcError, match=r"no published folds; set LVC_DATA .* or use protocol stratified"):
        folds(mutag.labels, "errica", published=mutag.published)


def test_folds_are_the_published_ones_where_they_are(tmp_path, monkeypatch):
    monkeypatch.delenv("LVC_DATA", raising=False)
    assert usual_protocol("nci1") == "stratified"
    monkeypatch.setenv("LVC_DATA", str(tmp_path))
    assert usual_protocol("NCI1") == "stratified"
    file = tmp_path / GRAPH_DATASETS["NCI1"].folds
    file.parent.mkdir(parents=True)
    file.write_text("[]")
    assert [usual_protocol(name) for name in ("nci1", "DD", "MUTAG")] == ["errica", "stratified", "stratified"]
    with pytest.raises(LvcError, match="unknown data set of graphs 'NCI'"):
        usual_protocol("NCI")


@pytest.mark.parametrize("sizes", [(60, 40), (31, 17, 5), (10,), (333, 333, 334)])
def test_stratified_folds(sizes):
    labels = np.random.default_rng(1).permutation(np.repeat(np.arange(len(sizes)), sizes))
    found = folds(labels, "stratified", seed=3)
    assert np.array_equal(np.sort(np.concatenate([fold.test for fold in found])), np.arange(len(labels)))
    for fold in found:
        assert np.array_equal(np.sort(np.concatenate(fold)), np.arange(len(labels)))
        assert all((np.diff(part) > 0).all() for part in fold)
        assert all(len(part) for part in fold)
        rest = np.concatenate(fold[:2])
        for label, size in enumerate(sizes):
            assert (labels[fold.test] == label).sum() in (size // 10, -(-size // 10))
            inner = (labels[rest] == label).sum()
            assert (labels[fold.validation] == label).sum() in (inner // 10, -(-inner // 10))


def test_stratified_folds_depend_on_the_seed_alone():
    labels = np.arange(50) % 3
    first, again, other = (folds(labels, "stratified", seed=seed) for seed in (0, 0, 1))
    for one, two in zip(first, again, strict=True):
        assert all(np.array_equal(a, b) for a, b in zip(one, two, strict=True))
    assert any(not np.array_equal(one.test, two.test) for one, two in zip(first, other, strict=True))
    (three,) = folds(labels, "stratified", count=3, seed=0)[2:]
    assert all(np.array_equal(a, b) for a, b in zip(three, first[2], strict=True))
    assert not np.array_equal(first[0].validation, first[1].validation)


def test_wrong_folds_are_refused(tmp_path):
    with pytest.raises(LvcError, match="unknown protocol 'random'; use one of errica, stratified"):
        folds([0] * 20, "random")
    with pytest.raises(LvcError, match="between 1 and 10, got 11"):
        folds([0] * 20, "stratified", count=11)
    with pytest.raises(LvcError, match="at least 10 graphs, got 9"):
        folds([0] * 9, "stratified")
    with pytest.raises(LvcError, match="seed must be 0 or more, got -1"):
        folds([0] * 20, "stratified", seed=-1)
    with pytest.raises(LvcError, match="2 folds were asked for, and 1 are published; ask for fewer"):
        folds([0] * 20, "errica", count=2, published=folds([0] * 20, "stratified", count=1))
    file = tmp_path / "folds.json"
    for text in ("[", "3", "[{}]", '[{"test": "a", "model_selection": [{"train": [], "validation": []}]}]'):
        file.write_text(text)
        with pytest.raises(LvcError, match="cannot read the folds"):
            read_folds(file, 3)
    inner = [{"train": [(k + i) % 10 for i in range(2, 10)], "validation": [(k + 1) % 10]} for k in range(10)]
    good = [{"test": [k], "model_selection": [inner[k]]} for k in range(10)]
    file.write_text(json.dumps(good))
    assert [part.tolist() for part in read_folds(file, 10)[1]] == [[0, 3, 4, 5, 6, 7, 8, 9], [2], [1]]
    for wrong, graphs in ((good, 11), (good[:9], 10), ([good[0], *good[:9]], 10), ({}, 10)):
        file.write_text(json.dumps(wrong))
        with pytest.raises(LvcError, match=f"does not have 10 folds of {graphs} graphs"):
            read_folds(file, graphs)
    with pytest.raises(LvcError, match="cannot read the folds"):
        read_folds(tmp_path / "nothing.json", 3)
    for part in ([10**30], [[1], [2]], [], [3.4], ["1"], [True], 3, None):
        for spoilt in ({"test": part}, {"model_selection": [inner[0] | {"validation": part}]}):
            file.write_text(json.dumps([good[0] | spoilt, *good[1:]]))
            with pytest.raises(LvcError, match="cannot read the folds"):
                read_folds(file, 10)
    file.write_text("[" * 100_000)
    with pytest.raises(LvcError, match="cannot read the folds"):
        read_folds(file, 10)


def test_graphs_of_ones_own_are_mended():
    found = load_graphs(
        [
            graph([(0, 1), (1, 0), (1, 1)]),  # a loop
            graph([(0, 1), (1, 0), (0, 1), (1, 2)], label=1),  # a repeat, and one direction only
            graph([], n=2, label=1),
        ]
    )
    assert [data.edge_index.T.tolist() for data in found.graphs] == [
        [[0, 1], [1, 0]],
        [[0, 1], [1, 0], [1, 2], [2, 1]],
        [],
    ]
    assert found.notes == (
        "1 loops removed",
        "1 repeated edges removed",
        "1 edges stood in one direction only and were made undirected",
        "vertices have no features; their degree is taken",
    )
    assert [data.x.flatten().tolist() for data in found.graphs] == [[1, 1, 0], [1, 2, 1], [0, 0]]
    assert (found.labels.tolist(), repr(found)) == ([0, 1, 1], "GraphData(list, 3 graphs)")


def test_features_of_ones_own_are_kept_apart():
    whole = torch.arange(2000, dtype=torch.float64)
    found = load_graphs([graph([(0, 1), (1, 0)], x=whole[:3]), graph([], n=1, x=whole[7:8, None])])
    assert [data.x.tolist() for data in found.graphs] == [[[0], [1], [2]], [[7]]]
    assert len(pickle.dumps(load_graphs([graph([], x=whole.float()[:3])]).graphs[0])) < 4000
    assert found.notes == ()


@pytest.mark.parametrize(
    ("graphs", "message"),
    [
        (3, "load_graphs takes a name, a torch_geometric data set or a list of graphs, got int"),
        (None, "a list of graphs, got NoneType"),
        (graph([]), "a list of graphs, got Data"),
        ([], "there is no graph"),
        ([Data(x=torch.ones(1, 1))], "graph 0 must be a torch_geometric Data with an edge_index, got Data"),
        (["C"], "graph 0 must be a torch_geometric Data with an edge_index, got 'C'"),
        ([graph([]), graph([], label=0.5)], "graph 1 needs one whole number as its label, got y = "),
        ([graph([], label=[0, 1])], "graph 0 needs one whole number as its label"),
        ([Data(edge_index=torch.empty(2, 0, dtype=torch.long), num_nodes=1)], "graph 0 has no label"),
        ([Data(edge_index=torch.empty(2, 0, dtype=torch.long), num_nodes=1, y=-1)], "graph 0 has the label -1"),
        ([graph([]), graph([], label=-1)], "graph 1 has the label -1; number the classes from 0"),
        ([graph([], label=float("nan"))], "graph 0 needs one whole number as its label, got y = "),
        ([graph([]), graph([], x=torch.tensor([0, 1, float("nan")]))], "graph 1 .* NaN or infinity at vertex 2"),
        ([graph([], n=3, x=torch.ones(2, 2))], r"graph 0 has 3 vertices and x of shape \(2, 2\)"),
        ([graph([]), graph([], x=torch.ones(3, 2))], "graph 1 has 2 features and graph 0 has 1; give all as many"),
        ([graph([(0, 9)])], r"graph 0 \(counting from 0\): .*9"),
    ],
)
def test_what_is_no_data_set_is_refused(graphs, message):
    with pytest.raises(LvcError, match=message):
        load_graphs(graphs)


def test_counts_that_differ_are_noted(monkeypatch):
    monkeypatch.setattr("lvc.data.graph_datasets.from_raw", lambda *_: [graph([], label=0), graph([], label=1)])
    monkeypatch.delenv("LVC_DATA", raising=False)
    assert load_graphs("mutag").notes[-1] == "counts (2, 1, 2) differ from the table's (188, 7, 2)"


@pytest.fixture
def no_network(monkeypatch):
    def fail(*_, **__):
        raise URLError("no network")

    monkeypatch.delenv("LVC_DATA", raising=False)
    monkeypatch.setattr("fsspec.core.OpenFile.__enter__", fail)


def test_without_data_and_network_it_says_what_to_do(tmp_path, no_network):
    with pytest.raises(LvcError, match=r"cannot load MUTAG: .*; set LVC_DATA to a folder that has TUDataset/MUTAG/raw"):
        load_graphs("MUTAG", cache=tmp_path)


def test_what_it_says_helps_after_a_download_that_failed(tmp_path, no_network, real_data, monkeypatch):
    with pytest.raises(LvcError, match="set LVC_DATA"):
        load_graphs("MUTAG", cache=tmp_path)
    monkeypatch.undo()
    assert len(load_graphs("MUTAG", cache=tmp_path).graphs) == 188


@pytest.mark.parametrize("file", ["graph_labels", "node_labels"])
def test_raw_files_that_are_cut_off_are_named(file, real_data, tmp_path, monkeypatch):
    raw = tmp_path / "TUDataset" / "MUTAG" / "raw"
    shutil.copytree(real_data / "TUDataset" / "MUTAG" / "raw", raw)
    lines = (raw / f"MUTAG_{file}.txt").read_text().splitlines(keepends=True)
    (raw / f"MUTAG_{file}.txt").write_text("".join(lines[:100]))
    monkeypatch.setenv("LVC_DATA", str(tmp_path))
    for _ in range(2):  # the second time there may be something in the cache
        with pytest.raises(LvcError, match=f"cannot make sense of {raw}"):
            load_graphs("MUTAG", cache=tmp_path / "cache")
    (raw / f"MUTAG_{file}.txt").write_text("".join(lines))
    assert load_graphs("MUTAG", cache=tmp_path / "cache").notes == load_graphs("MUTAG").notes


def test_unknown_names_are_refused():
    with pytest.raises(LvcError, match="unknown data set of graphs 'Cora'; use one of DD, NCI1"):
        load_graphs("Cora")


def test_the_table(real_data, cache, monkeypatch):
    monkeypatch.setenv("LVC_CACHE", str(cache))
    (row,) = describe_graphs(["ENZYMES"])
    assert (round(row["vertices"], 2), round(row["edges"], 2), row["isolated"]) == (32.63, 62.14, 106)
    assert "32.63  62.14" in graphs_table([row])


def test_what_was_downloaded_to_the_cache_is_on_disk(real_data, no_download, tmp_path, monkeypatch):
    monkeypatch.setenv("LVC_CACHE", str(tmp_path))
    monkeypatch.delenv("LVC_DATA")
    rows = describe_graphs()
    assert [row["on_disk"] for row in rows] == [False] * 6
    assert len(graphs_table(rows).splitlines()) >= 8
    monkeypatch.setenv("LVC_DATA", str(real_data))
    load_graphs("MUTAG")
    monkeypatch.delenv("LVC_DATA")
    (row,) = describe_graphs(["MUTAG"])
    assert (row["on_disk"], round(row["vertices"], 2)) == (True, 17.93)
    (tmp_path / "TUDataset" / "MUTAG" / "raw" / "MUTAG_A.txt").unlink()
    (row,) = describe_graphs(["MUTAG"])
    assert row["on_disk"] is False
    with pytest.raises(
        LvcError, match="MUTAG is not on disk; set LVC_DATA to a folder that has all of TUDataset/MUTAG"
    ):
        load_graphs("MUTAG", download=False)


def test_lvc_data_graphs(real_data, cache):
    command = [sys.executable, "-m", "lvc.cli", "data", "--graphs", "MUTAG", "--json"]
    found = subprocess.run(
        command, capture_output=True, text=True, check=True, env={**os.environ, "LVC_CACHE": str(cache)}
    )
    (row,) = json.loads(found.stdout)
    assert (row["graphs"], row["features"], row["isolated"], row["published"]) == (188, 7, 0, 0)


def test_a_folder_of_data_that_is_not_there_is_named(tmp_path, monkeypatch):
    monkeypatch.setenv("LVC_DATA", str(tmp_path / "dta"))
    with pytest.raises(LvcError, match=r"LVC_DATA names .*dta, and that is no folder; correct it, or unset it"):
        load_graphs("ENZYMES")

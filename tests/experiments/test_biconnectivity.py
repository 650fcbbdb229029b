import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("torch_geometric")

from torch_geometric.data import Batch  # noqa: E402

from lvc import LvcError, cut_vertices  # noqa: E402
from lvc.data.block_trees import random_block_tree  # noqa: E402
from lvc.experiments.biconnectivity import (  # noqa: E402
    MODELS,
    SEARCHES,
    Accuracy,
    Network,
    Settings,
    accuracy,
    as_data,
    as_row,
    block_trees,
    learn,
    result_table,
    together,
)
from lvc.expressivity.named import joined_triangles_and_chorded_hexagon  # noqa: E402
from lvc.files import put_line  # noqa: E402
from lvc.nn import AddSearch  # noqa: E402
from lvc.search.kinds import DFS  # noqa: E402
from lvc.search.trees import trees  # noqa: E402

ROOT = Path(__file__).parents[2]
QUICK = Settings("gin", train_graphs=250, validation_graphs=40, test_graphs=60, sizes=(10, 30), larger=(40, 60))
QUICK = replace(QUICK, block=6, epochs=8, num_layers=3)


@pytest.mark.parametrize("task", ["cut-vertex", "bridge"])
def test_sgn_finds_whole_graphs_where_gin_does_not(task):
    gin, sgn = (learn(replace(QUICK, model=model, task=task)) for model in ("gin", "sgn-df"))
    assert sgn.same_size.graphs > gin.same_size.graphs + 0.1
    assert sgn.larger.single > gin.larger.single
    assert sgn.same_size.single > 0.97


def test_the_same_seed_gives_the_same_numbers():
    threads, few = torch.get_num_threads(), replace(QUICK, train_graphs=40, epochs=2)
    first, second = (learn(few)._replace(seconds=0) for _ in range(2))
    assert first == second
    assert torch.get_num_threads() == threads


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("task", ["cut-vertex", "bridge"])
def test_only_searches_can_on_the_pair_that_1wl_confuses(model, task):
    """The middle edge and its ends: a bridge in one graph, not in the other, and alike under 1-WL."""
    graphs = joined_triangles_and_chorded_hexagon()
    bridge, chord = (as_data(graph, task) for graph in graphs)
    assert bridge.y.sum() == (2 if task == "cut-vertex" else 1)
    assert chord.y.sum() == 0
    torch.manual_seed(0)
    network = Network(Settings(model, task)).eval()
    search = AddSearch(SEARCHES[model]) if model in SEARCHES else lambda data: data
    outputs = [network(Batch.from_data_list([search(data)])).sort().values for data in (bridge, chord)]
    assert torch.allclose(*outputs, atol=1e-6) is (model not in SEARCHES)


@pytest.mark.parametrize("task", ["cut-vertex", "bridge"])
def test_accuracy_counts_single_ones_and_whole_graphs(task):
    class Fixed(torch.nn.Module):  # type: ignore[name-defined]
        def __init__(self, answer):
            super().__init__()
            self.answer = answer

        def forward(self, batch):
            return self.answer(batch.y)

    graphs = block_trees(replace(QUICK, task=task), 5, 0, (10, 30))
    assert accuracy(Fixed(lambda y: 2 * y - 1), together(graphs)) == Accuracy(1.0, 1.0)
    never = accuracy(Fixed(lambda y: -torch.ones_like(y)), together(graphs))
    every, ones = sum(len(data.y) for data in graphs), sum(int(data.y.sum()) for data in graphs)
    whole = sum(int(data.y.sum()) == 0 for data in graphs)
    assert never == Accuracy((every - ones) / every, whole / len(graphs))


def test_test_labels_are_looked_at_once_at_the_end(monkeypatch):
    """Poisoned labels of the unseen graphs change nothing but the last two numbers."""
    from lvc.experiments import biconnectivity

    few = replace(QUICK, train_graphs=40, epochs=2)
    honest = learn(few)
    real = biconnectivity.block_trees

    def poisoned(settings, count, seed, sizes):
        made = real(settings, count, seed, sizes)
        for data in made if seed >= 2 else []:
            data.y = 1 - data.y
        return made

    monkeypatch.setattr(biconnectivity, "block_trees", poisoned)
    found = learn(few)
    assert (found.validation, found.epoch) == (honest.validation, honest.epoch)
    assert found.same_size.single == pytest.approx(1 - honest.same_size.single)


def test_bad_settings_are_refused():
    with pytest.raises(LvcError, match="epochs must be at least 1, got 0"):
        Settings(epochs=0)
    with pytest.raises(LvcError, match="unknown task 'x'; use one of cut-vertex, bridge"):
        Settings(task="x")
    with pytest.raises(LvcError, match="seed must be 0 or more, got -1"):
        Settings(seed=-1)
    with pytest.raises(LvcError, match="sizes must be from block = 8 vertices up, fewest first, got 5-20"):
        Settings(sizes=(5, 20))


def test_results_are_written_once(tmp_path):
    row = as_row(learn(replace(QUICK, train_graphs=20, epochs=1)))
    path = tmp_path / "some" / "lines.jsonl"
    put_line(path, row)
    path.write_text("no result\n" + path.read_text())
    put_line(path, {**row, "seconds": 7})
    strange, line = path.read_text().splitlines()
    assert strange == "no result"
    assert json.loads(line)["seconds"] == 7
    assert result_table([json.loads(line)]).splitlines()[-1].startswith("| cut-vertex | gin |  |")


def test_lvc_train_biconnectivity(tmp_path):
    out = tmp_path / "lines.jsonl"
    settings = ["train_graphs=20", "validation_graphs=5", "test_graphs=5", "epochs=1", "sizes=10-20"]
    command = [sys.executable, "-m", "lvc.cli", "train", "biconnectivity", "--model", "gcn", "--out", str(out)]
    for setting in settings:
        command += ["--set", setting]
    found = subprocess.run([*command, "--task", "bridge"], capture_output=True, text=True, check=True)
    table, where = found.stdout.rstrip("\n").rsplit("\n", 1)
    assert "| bridge | gcn |" in table
    assert where == f"written to {out}"
    assert json.loads(out.read_text())["settings"]["train_graphs"] == 20
    before = out.read_text()
    again = subprocess.run([*command, "--task", "bridge"], capture_output=True, text=True, check=True)
    assert again.stdout == f"{table}\n{out} had it already, nothing was trained\n"  # with its seconds
    assert out.read_text() == before


def test_lines_go_to_out_and_committed_ones_are_shown(tmp_path):
    (tmp_path / "results").mkdir()
    line = (ROOT / "results" / "biconnectivity.jsonl").read_text().splitlines()[0]
    (tmp_path / "results" / "biconnectivity.jsonl").write_text(f"{line}\n")
    command = [sys.executable, "-m", "lvc.cli", "train", "biconnectivity"]

    def lvc(*more: str) -> str:
        return subprocess.run([*command, *more], capture_output=True, text=True, check=True, cwd=tmp_path).stdout

    shown = lvc("--show")
    assert shown == f"{result_table([json.loads(line)])}\n"
    few = [f"--set={one}" for one in ("train_graphs=2", "validation_graphs=1", "test_graphs=1", "epochs=1")]
    assert lvc("--model", "gcn", *few).endswith("\nwritten to out/biconnectivity.jsonl\n")
    assert lvc("--show") == shown


def test_counts_that_sgn_df_can_make_decide_who_is_a_cut_vertex():
    """N(u): the roots v in their own η_v(u). T(u): over neighbours v, the w of η_v(u) that are v or have v in η_v(w).

    Both are sums of linear maps of pair vectors, given a channel in which only roots are not 0: one layer for N, one
    more for T, which is the part of its sum at distance 1. T = degree (N + 1) unless u is a cut vertex or a leaf.
    """
    rng = np.random.default_rng(0)
    for sizes in ((10, 30), (10, 60), (80, 120)) * 5:
        graph = random_block_tree(rng, *sizes, 8)
        n, t = (np.zeros(graph.n, int) for _ in range(2))
        found = trees(graph, DFS(4))
        for v in range(graph.n):
            pairs = range(found.start[v] + 1, found.start[v + 1])
            bounds = {int(found.vertex[p]): found.group_start[found.group[p] :][:2] for p in pairs}
            eta = {u: set(found.vertex[found.member[a:b]].tolist()) for u, (a, b) in bounds.items()}
            for u, members in eta.items():
                n[u] += v in members
                if u in graph.neighbours(v):
                    t[u] += sum(w == v or v in eta[w] for w in members)
        inner = (graph.degrees <= 1) | (t == graph.degrees * (n + 1))
        assert np.flatnonzero(~inner).tolist() == cut_vertices(graph)

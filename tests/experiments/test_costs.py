"""What ``lvc bench`` prints is about the graph that it was given; how long things take is not tested."""

import json
import subprocess
import sys

import pytest

pytest.importorskip("torch_geometric")

from lvc import Graph, LvcError, colour
from lvc.experiments.costs import costs, costs_table, data_of


def rings() -> Graph:
    """Cycles of three, four and five vertices."""
    edges, n = [], 0
    for size in (3, 4, 5):
        edges += [(n + i, n + (i + 1) % size) for i in range(size)]
        n += size
    return Graph.from_edges(n, edges)


def test_costs_of_searches():
    graph = rings()
    seen = []
    found = costs(graph, data_of(graph, 7), ["bfs:2", "dfs:1", "wl"], turns=2, progress=lambda: seen.append(1))
    assert [one.search for one in found] == ["wl, GCN", "bfs:2", "dfs:1", "wl"]
    assert len(seen) == 3
    peers, bfs, dfs, wl = found
    assert (peers.over_wl, peers.over_gcn, peers.colours) == (1.0, 1.0, 1)
    assert bfs.colours == colour(graph, "bfs:2").classes == 3
    assert dfs.colours == colour(graph, "dfs:1").classes == 2
    assert bfs.ball == pytest.approx((3 * 3 + 4 * 4 + 5 * 5) / 12)
    assert dfs.ball == 3
    for one in (bfs, dfs):
        measured = one.colouring_s, one.over_wl, one.adding_s, one.epoch_s, one.over_gcn
        assert all(value is not None and value > 0 for value in measured)
        assert one.refused == ()
    assert (wl.epoch_s, wl.memory_mb, wl.ball) == (None, None, None)
    assert "cannot be guided by wl" in wl.refused[0]
    table = costs_table(found).splitlines()
    assert table[1].split()[:5] == ["wl,", "GCN", "-", "1", f"{peers.colouring_s:.3g}"]
    assert table[-1].startswith("wl: a network cannot be guided by wl")


def test_what_does_not_fit_is_said_and_the_rest_is_timed(monkeypatch):
    graph = rings()
    monkeypatch.setenv("LVC_MEMORY_GB", "0.000002")  # the graph fits, its searches do not
    _, bfs = costs(graph, data_of(graph, 2), ["bfs:2"], turns=1)
    assert bfs.epoch_s is None
    assert any("needs about" in why for why in bfs.refused)


def test_nothing_can_be_timed_on_nothing():
    empty = Graph.from_edges(0, [])
    with pytest.raises(LvcError, match="no vertices"):
        costs(empty, data_of(empty, 2), ["bfs:1"])


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["nosuch.txt"], "nosuch.txt"),
        (["graph6:Bw", "-s", "bfs:0"], "radius must be at least 1, got 0"),
        (["graph6:Bw", "--turns", "0"], "greater than or equal to 1"),
    ],
)
def test_bad_input_is_one_sentence(arguments, sentence):
    found = subprocess.run([sys.executable, "-m", "lvc.cli", "bench", *arguments], capture_output=True, text=True)
    assert found.returncode == 2
    assert sentence in found.stderr.splitlines()[-1]
    assert "Traceback" not in found.stderr


def test_lvc_bench():
    command = [sys.executable, "-m", "lvc.cli", "bench", "graph6:Bw", "-s", "bfs:1", "--turns", "1"]
    found = subprocess.run([*command, "--json"], capture_output=True, text=True, check=True)
    peers, bfs = json.loads(found.stdout)
    assert (peers["search"], bfs["search"], bfs["colours"], bfs["ball"]) == ("wl, GCN", "bfs:1", 1, 3.0)
    shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert shown.startswith("3 vertices, 3 edges, 64 features; medians of 1 turns\nsearch ")

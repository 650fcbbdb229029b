import json
import subprocess
import sys

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("torch_geometric")

import numpy as np  # noqa: E402

from lvc import LvcError  # noqa: E402
from lvc.experiments import trained_brec  # noqa: E402
from lvc.experiments.trained_brec import PairResult, Settings, hotelling, run, trained_table, try_pair  # noqa: E402
from lvc.expressivity.families import Category, cycle_family  # noqa: E402
from lvc.expressivity.named import cycles, rook_and_shrikhande  # noqa: E402

FEW = {"copies": 6, "epochs": 6, "num_layers": 2, "hidden_channels": 8, "out_channels": 4}


def test_sgn_tells_apart_what_gin_cannot():
    gin, sgn = (try_pair(Settings(search, **FEW), *cycles(1)) for search in (None, "bfs:2"))
    assert not gin.told_apart
    assert sgn.told_apart
    assert gin.reliable
    assert sgn.reliable


def test_a_graph_is_not_told_apart_from_itself():
    first, _ = rook_and_shrikhande()
    found = try_pair(Settings("dfs:1", **FEW), first, first.relabelled(np.random.default_rng(1).permutation(16)))
    assert not found.told_apart
    assert found.reliable


def test_hotelling_against_the_textbook():
    """T² of n differences is n times what the benchmark computes."""
    generator = np.random.default_rng(0)
    sample = generator.normal(loc=[1.0, 0.0, 0.5], size=(20, 3))
    mean, covariance = sample.mean(axis=0), np.cov(sample.T)
    expected = mean @ np.linalg.inv(covariance) @ mean
    assert hotelling(torch.from_numpy(sample), 0.0) == pytest.approx(expected)


def test_bit_identical_vectors_fail_without_the_ridge_only():
    different = torch.full((8, 4), 3.0, dtype=torch.float64)
    same = torch.zeros(8, 4, dtype=torch.float64)
    found = PairResult(*(hotelling(one, ridge) for ridge in (0.0, trained_brec.RIDGE) for one in (different, same)))
    assert found.told_apart
    assert not found.told_apart_plainly
    assert found.reliable


def test_an_interrupted_run_goes_on(tmp_path, monkeypatch):
    categories = cycle_family(3)
    settings = Settings("bfs:2", **FEW)
    whole = run(settings, "cycles", categories, tmp_path / "whole.jsonl")
    real, calls = trained_brec.try_pair, []

    def interrupted(*arguments):
        calls.append(arguments[-1])
        if len(calls) == 2:
            raise KeyboardInterrupt
        return real(*arguments)

    monkeypatch.setattr(trained_brec, "try_pair", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run(settings, "cycles", categories, tmp_path / "other.jsonl")
    again = run(settings, "cycles", categories, tmp_path / "other.jsonl")
    assert calls == [0, 1, 1, 2]
    assert again["categories"] == whole["categories"] == [{**whole["categories"][0], "which": [0]}]
    assert not list(tmp_path.glob(".*.json"))


def test_families_do_not_mix(tmp_path, monkeypatch):
    monkeypatch.setattr(trained_brec, "try_pair", lambda settings, first, second, number: PairResult(0, 0, 90, 0))
    out = tmp_path / "lines.jsonl"
    for family, categories in (("cycles", cycle_family(2)), ("others", cycle_family(3)), ("cycles", cycle_family(2))):
        run(Settings(), family, categories, out)
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert [(row["family"], row["categories"][0]["pairs"]) for row in rows] == [("cycles", 2), ("others", 3)]


def test_a_finished_run_is_not_repeated(tmp_path, monkeypatch):
    first = run(Settings("bfs:2", **FEW), "cycles", cycle_family(2), tmp_path / "lines.jsonl")
    monkeypatch.setattr(trained_brec, "try_pair", lambda *arguments: pytest.fail("trained again"))
    assert run(Settings("bfs:2", **FEW), "cycles", cycle_family(2), tmp_path / "lines.jsonl") == first


def test_a_damaged_partial_file_counts_as_none(tmp_path):
    (tmp_path / "partial.json").write_text("{")
    assert trained_brec._read(tmp_path / "partial.json") == {}


def test_labelled_graphs_are_refused(tmp_path):
    first, second = (graph.with_labels([0] * graph.n) for graph in cycles(1))
    with pytest.raises(LvcError, match="the graphs of exp have labels, which these networks are not given"):
        run(Settings(), "exp", [Category("c", [(first, second)])], tmp_path / "lines.jsonl")


def test_table_and_refusals():
    row = trained_brec._row(Settings(), "f", [Category("c", [cycles(1)])], {"0": [80.0, 0.0, 90.0, 0.0]}, 1.0)
    assert trained_table([row], {"wl": 1}).splitlines()[-1] == "| GIN | 1 | 1 | 1 | 1 | 0 | 1 |"
    loud = trained_brec._row(Settings(), "f", [Category("c", [cycles(1)])], {"0": [90.0, 80.0, 90.0, 80.0]}, 1.0)
    assert trained_table([loud]).splitlines()[-1] == "| GIN | 0 | 0 |  | 0 | 1 | 1 |"
    with pytest.raises(LvcError, match="copies must be at least 2, for a covariance, got 1"):
        Settings(copies=1)
    with pytest.raises(LvcError, match="unknown search 'x'"):
        Settings("x")
    with pytest.raises(LvcError, match="learning_rate must be 0 or more, got nan"):
        Settings(learning_rate=float("nan"))


def test_lvc_train_brec(tmp_path):
    out = tmp_path / "lines.jsonl"
    command = [sys.executable, "-m", "lvc.cli", "train", "brec", "--family", "cycles", "-s", "bfs:2", "--out", str(out)]
    for name, value in FEW.items():
        command += ["--set", f"{name}={value}"]
    found = subprocess.run(command, capture_output=True, text=True, check=True)
    table, where = found.stdout.rstrip("\n").rsplit("\n", 1)
    assert table.splitlines()[-1].startswith("| SGN bfs:2 | 1 | 1 |")
    assert where == f"written to {out}"
    assert json.loads(out.read_text())["settings"]["copies"] == 6
    again = subprocess.run(command, capture_output=True, text=True, check=True)
    assert again.stdout == f"{table}\n{out} had it already, nothing was trained\n"
    shown = subprocess.run([*command[:5], "--show", *command[5:]], capture_output=True, text=True, check=True)
    assert shown.stdout == f"{table}\n"
    nothing = subprocess.run([*command[:5], "--show", "--out", str(tmp_path / "no")], capture_output=True, text=True)
    assert nothing.returncode == 2
    assert "measure first, or choose another" in nothing.stderr

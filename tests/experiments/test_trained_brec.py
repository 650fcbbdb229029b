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
    whole = run(settings, categories, tmp_path / "whole.jsonl")
    real, calls = trained_brec.try_pair, []

    def interrupted(*arguments):
        calls.append(arguments[-1])
        if len(calls) == 2:
            raise KeyboardInterrupt
        return real(*arguments)

    monkeypatch.setattr(trained_brec, "try_pair", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run(settings, categories, tmp_path / "other.jsonl")
    again = run(settings, categories, tmp_path / "other.jsonl")
    assert calls == [0, 1, 1, 2]
    assert again["categories"] == whole["categories"] == [{**whole["categories"][0], "which": [0]}]
    assert not list(tmp_path.glob(".*.json"))


def test_a_partial_file_of_other_settings_is_not_used(tmp_path):
    path = tmp_path / "partial.json"
    path.write_text(json.dumps({"settings": {}, "done": {"0": [1, 1, 1, 1]}}))
    assert trained_brec._read(path, Settings()) == {}
    path.write_text("{")
    assert trained_brec._read(path, Settings()) == {}


def test_table_and_refusals():
    row = trained_brec._row(Settings(), [Category("c", [cycles(1)])], {"0": [80.0, 0.0, 90.0, 0.0]}, 1.0)
    assert trained_table([row]).splitlines()[-1] == "| GIN | 1 | 1 | 1 | 0 | 1 |"
    with pytest.raises(LvcError, match="copies must be at least 2, for a covariance, got 1"):
        Settings(copies=1)
    with pytest.raises(LvcError, match="unknown search 'x'"):
        Settings("x")


def test_lvc_train_brec(tmp_path):
    out = tmp_path / "lines.jsonl"
    command = [sys.executable, "-m", "lvc.cli", "train", "brec", "--family", "cycles", "-s", "bfs:2", "--out", str(out)]
    for name, value in FEW.items():
        command += ["--set", f"{name}={value}"]
    found = subprocess.run(command, capture_output=True, text=True, check=True)
    assert found.stdout.splitlines()[-1].startswith("| SGN bfs:2 | 1 | 1 |")
    assert json.loads(out.read_text())["settings"]["copies"] == 6

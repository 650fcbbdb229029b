import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from typing import Any

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("torch_geometric")

from torch_geometric.data import Data  # noqa: E402

from lvc import LvcError  # noqa: E402
from lvc.data.splits import splits  # noqa: E402
from lvc.experiments import runs, vertex  # noqa: E402
from lvc.experiments.models import sgn_of  # noqa: E402
from lvc.experiments.results import chosen_in, put_row, read_rows, result_row, summarise  # noqa: E402
from lvc.experiments.settings import CHOICES, MODELS, VertexSettings, parse_settings  # noqa: E402
from lvc.experiments.training import decayed  # noqa: E402
from lvc.nn import AddSearch  # noqa: E402
from lvc.nn.baselines import baseline  # noqa: E402
from lvc.nn.features import WORTH_LOOKING, SparseFeatures, features_of  # noqa: E402

QUICK: dict[str, Any] = {"epochs": 40, "patience": 40, "splits": 3, "features": "raw", "hidden_channels": 16}


@pytest.mark.parametrize("model", MODELS)
def test_every_model_trains_and_gives_one_row_per_vertex(model, rings):
    settings = VertexSettings("rings", model, **{**QUICK, "epochs": 3})
    prepared = vertex.prepare(settings)
    assert vertex.model_of(settings, prepared.data)(prepared.data).shape == (rings.graph.n, 2)
    result = runs.train_split(settings, prepared, 0)
    assert result.epochs == 3
    assert 0 <= result.test <= 1


def test_structure_is_learnt_where_features_say_nothing(rings):
    def accuracy(model: str, search: str | None = None) -> float:
        settings = VertexSettings("rings", model, search, dropout=0.0, **QUICK)
        return runs.train_split(settings, vertex.prepare(settings), 0).test

    assert accuracy("sgn-df", "dfs:1") == 1.0
    assert accuracy("sgn-bf", "bfs:2") == 1.0
    assert accuracy("mlp") < 0.8
    assert accuracy("gcn") < 0.8


def test_rows_of_features_are_divided_by_their_sums(rings):
    rings.data.x = torch.tensor([[1.0, -3.0], [0.0, 0.0]]).repeat(-(-rings.graph.n // 2), 1)[: rings.graph.n]
    raw, row = (vertex.prepare(VertexSettings("rings", "mlp", features=how)).data.x for how in ("raw", "row"))
    assert raw.equal(rings.data.x)
    assert row[:2].tolist() == [[0.25, -0.75], [0.0, 0.0]]


def test_selection_never_sees_test_labels(rings):
    settings = VertexSettings("rings", "sgn-bf", dropout=0.2, **QUICK)
    prepared = vertex.prepare(settings)
    honest = runs.train_split(settings, prepared, 0)
    test = torch.from_numpy(prepared.splits[0].test)
    prepared.data.y = prepared.data.y.clone()
    prepared.data.y[test] = 1 - prepared.data.y[test]
    fooled = runs.train_split(settings, prepared, 0)
    assert (fooled.curve, fooled.epoch, fooled.validation) == (honest.curve, honest.epoch, honest.validation)
    assert fooled.test == pytest.approx(1 - honest.test)


def test_every_pass_over_the_data_is_rounded_alike(rings):
    settings = VertexSettings("rings", "sgn-bf", **QUICK)
    data = vertex.prepare(settings).data
    assert data.x.numel() > WORTH_LOOKING
    model = vertex.model_of(settings, data).eval()
    assert torch.equal(model(data), model(data))
    assert isinstance(features_of(data.x, data.x.dtype), SparseFeatures)


def numbers(row):
    return [(one["validation"], one["test"], one["epoch"]) for one in row["splits"]]


def test_an_interrupted_run_goes_on_and_equals_one_that_was_not(rings, tmp_path, monkeypatch):
    settings = VertexSettings("rings", "sgn-bf", dropout=0.3, **QUICK)
    whole, _ = runs.run(settings, tmp_path / "whole.jsonl")
    real, calls = runs.train_split, []
    monkeypatch.setattr(runs, "commit", lambda: "earlier")

    def interrupted(*arguments):
        calls.append(arguments[2])
        if len(calls) == 3:
            raise KeyboardInterrupt
        return real(*arguments)

    monkeypatch.setattr(runs, "train_split", interrupted)
    with pytest.raises(KeyboardInterrupt):
        runs.run(settings, tmp_path / "again.jsonl")
    assert not (tmp_path / "again.jsonl").exists()
    monkeypatch.setattr(runs, "commit", lambda: "later")
    resumed, _ = runs.run(settings, tmp_path / "again.jsonl")
    assert calls == [0, 1, 2, 2]
    assert numbers(resumed) == numbers(whole)
    assert [one["commit"] for one in resumed["splits"]] == ["earlier", "earlier", "later"]
    assert [path.name for path in tmp_path.glob(".*") if path.suffix != ".lock"] == []
    assert runs.run(settings, tmp_path / "again.jsonl")[0] == json.loads(json.dumps(resumed))
    assert len(calls) == 4


SPLIT = {
    "split": 0,
    "validation": 0.5,
    "estimate": 0.5,
    "test": 0.5,
    "epoch": 1,
    "epochs": 1,
    "seconds": 0.1,
    "curve": [],
}


@pytest.mark.parametrize(
    "kept",
    [
        "{",
        "3",
        "[3]",
        [SPLIT | {"split": "x"}],
        [SPLIT | {"split": 3}],
        [SPLIT | {"split": -1}],
        [SPLIT, SPLIT],
        [SPLIT | {"test": None}],
        [SPLIT | {"test": True}],
        [SPLIT | {"curve": 3}],
        [{"split": 0}],
    ],
)
def test_what_was_kept_of_an_interrupted_run_counts_only_if_it_is_whole(tmp_path, kept):
    path = tmp_path / "kept.json"
    path.write_text(json.dumps([SPLIT, SPLIT | {"split": 2}]))
    assert [one.split for one in runs.read_partial(path, 3)] == [0, 2]
    path.write_text(kept if isinstance(kept, str) else json.dumps(kept))
    assert runs.read_partial(path, 3) == []


def test_a_place_that_takes_no_files_is_named_before_anything_is_trained(rings, tmp_path, monkeypatch, count_fits):
    fits = count_fits(vertex)
    monkeypatch.setattr("os.access", lambda place, how: place != tmp_path)
    with pytest.raises(LvcError, match=f"cannot write .*r.jsonl: {tmp_path} takes no new files; choose another place"):
        runs.run(VertexSettings("rings", "mlp", **QUICK), tmp_path / "deep" / "r.jsonl")
    assert fits == []


def test_results_say_what_is_to_be_known_of_the_data(rings, tmp_path, monkeypatch):
    monkeypatch.setattr(vertex, "load", lambda name: replace(rings, notes=("2 loops removed",)))
    monkeypatch.setattr(runs, "_notes", {})
    settings = VertexSettings("rings", "mlp", **{**QUICK, "epochs": 1})
    assert runs.run(settings, tmp_path / "r.jsonl")[0]["notes"] == ["2 loops removed"]


def test_results_say_what_decided_them(rings, tmp_path):
    settings = VertexSettings("rings", "gcn", **{**QUICK, "epochs": 2})
    row, done = runs.run(settings, tmp_path / "r.jsonl")
    assert row["settings"]["model"] == "gcn"
    assert row["mean"] == summarise([one.test for one in done]).mean
    assert row["versions"]["torch"] == torch.__version__
    assert {(one["commit"], one["threads"]) for one in row["splits"]} == {(row["commit"], 1)}
    rows, faults = read_rows(tmp_path / "r.jsonl")
    assert (len(rows), faults) == (1, [])


def test_the_settings_of_a_result_are_found_again_by_validation(tmp_path):
    path, one = tmp_path / "r.jsonl", runs.SplitResult(0, 0.5, 0.4, 0.25, 1, 2, 0.1, ())
    good, flattered = VertexSettings("Cora", "sgn-bf"), VertexSettings("Cora", "sgn-bf", "bfs:3")
    put_row(path, result_row(flattered, [replace(one, test=0.9)]))
    put_row(path, result_row(good, [replace(one, estimate=0.45)]) | {"tuning": {"trials": 7}})
    put_row(path, result_row(VertexSettings("Cora", "gcn"), [replace(one, estimate=0.8)]))
    settings, how = chosen_in(read_rows(path)[0], path, VertexSettings, "cora", "sgn-bf", "per-class")
    assert VertexSettings(**settings) == good
    assert how == {"as_in": good.key, "protocol": "random", "trials": 7}
    put_row(path, result_row(replace(flattered, protocol="per-class"), [replace(one, estimate=0.1)]))
    assert chosen_in(read_rows(path)[0], path, VertexSettings, "Cora", "sgn-bf", "random")[1]["as_in"] == good.key
    assert chosen_in(read_rows(path)[0], path, VertexSettings, "Cora", "sgn-bf", "per-class")[0]["search"] == "bfs:3"
    as_in = {"tuning": {"as_in": good.key, "trials": 7}}  # what is itself as in another is not looked at
    put_row(path, result_row(replace(good, protocol="per-class"), [replace(one, estimate=0.9)]) | as_in)
    assert chosen_in(read_rows(path)[0], path, VertexSettings, "Cora", "sgn-bf", "per-class")[0]["search"] == "bfs:3"
    put_row(path, result_row(VertexSettings("Cora", "gat"), [one]) | as_in)
    with pytest.raises(LvcError, match="has gat on Cora only as in another; make a result"):
        chosen_in(read_rows(path)[0], path, VertexSettings, "Cora", "gat", "random")
    with pytest.raises(
        LvcError, match="mlp on Cora not at all; make a result with `lvc train vertex Cora --model mlp`"
    ):
        chosen_in(read_rows(path)[0], path, VertexSettings, "Cora", "mlp", "random")
    close = [replace(good, dropout=0.1 * k) for k in range(3)]
    for k, settings_ in enumerate(close):  # the same when rounded
        put_row(path, result_row(settings_, [replace(one, estimate=0.50001 + 0.00001 * (k == 1))]))
    rows = read_rows(path)[0]
    assert chosen_in(rows, path, VertexSettings, "Cora", "sgn-bf", "random")[1]["as_in"] == close[1].key
    row = result_row(VertexSettings("Texas", "gcn"), [one])
    row["splits"][0]["settings"] = {"dropout": 0.1}
    put_row(path, row)
    with pytest.raises(LvcError, match="other settings in every fold"):
        chosen_in(read_rows(path)[0], path, VertexSettings, "Texas", "gcn", "random")
    for strange in (
        {"momentum": 0.9},
        {"dropout": "half"},
        {"hidden_channels": None},
        {"epochs": 3.5},
        {"own_term": 1},
    ):
        row = result_row(VertexSettings("Cornell", "gcn"), [one])
        row["settings"] |= strange
        put_row(path, row)
        with pytest.raises(LvcError, match="settings of gcn on Cornell that this version does not know"):
            chosen_in(read_rows(path)[0], path, VertexSettings, "Cornell", "gcn", "random")


def test_a_run_that_is_there_already_learns_how_its_settings_were_chosen(rings, tmp_path):
    settings = VertexSettings("rings", "gcn", **{**QUICK, "epochs": 2})
    before, _ = runs.run(settings, tmp_path / "r.jsonl")
    after, _ = runs.run(settings, tmp_path / "r.jsonl", tuning={"trials": 3})
    assert after == json.loads(json.dumps(before)) | {"tuning": {"trials": 3}}
    assert read_rows(tmp_path / "r.jsonl")[0] == [after]
    studied, _ = runs.run(settings, tmp_path / "r.jsonl", tuning={"study": "x", "trials": 9})
    assert runs.run(settings, tmp_path / "r.jsonl", tuning={"as_in": settings.key, "trials": 9})[0] == studied
    assert studied["tuning"] == {"study": "x", "trials": 9}


def test_corrupted_lines_are_named_and_skipped(tmp_path):
    path = tmp_path / "r.jsonl"
    settings = VertexSettings("rings", "gcn")
    one = runs.SplitResult(0, 0.5, 0.4, 0.25, 1, 2, 0.1, ())
    put_row(path, result_row(settings, [one]))
    whole = json.loads(path.read_text())
    broken = [whole | {"splits": 3}, whole | {"tuning": None}, whole | {"settings": whole["settings"] | {"dataset": 3}}]
    path.write_text(path.read_text() + '{"half": \n[1]\n' + "".join(json.dumps(row) + "\n" for row in broken))
    put_row(path, result_row(replace(settings, seed=1), [one]))
    rows, faults = read_rows(path)
    assert len(rows) == 2
    assert faults == [f"{path}, line {n}: not a result; skipped" for n in range(2, 7)]
    path.write_bytes(b"\xff\xfe\n")
    assert read_rows(path) == ([], [f"{path}, line 1: not a result; skipped"])


def test_a_result_that_is_made_again_takes_the_place_of_the_first(tmp_path):
    one = runs.SplitResult(0, 0.5, 0.4, 0.25, 1, 2, 0.1, ())
    for seed, accuracy in ((0, 0.1), (1, 0.2), (0, 0.3)):
        put_row(
            tmp_path / "r.jsonl", result_row(VertexSettings("rings", "gcn", seed=seed), [replace(one, test=accuracy)])
        )
    assert [row["mean"] for row in read_rows(tmp_path / "r.jsonl")[0]] == [20.0, 30.0]


def test_two_processes_write_into_one_file(tmp_path):
    code = (
        "import sys, json; from pathlib import Path; from lvc.experiments.results import put_row\n"
        "path, row = Path(sys.argv[1]), json.loads(sys.argv[3])\n"
        "for k in range(40): put_row(path, {**row, 'key': f'{sys.argv[2]}{k}'})"
    )
    row = result_row(VertexSettings("rings", "gcn"), [runs.SplitResult(0, 0.5, 0.4, 0.25, 1, 2, 0.1, ())])
    command = [sys.executable, "-c", code, str(tmp_path / "r.jsonl")]
    jobs = [subprocess.Popen([*command, name, json.dumps(row)]) for name in "ab"]
    assert [job.wait() for job in jobs] == [0, 0]
    assert len(read_rows(tmp_path / "r.jsonl")[0]) == 80


def test_settings_have_keys_of_their_own():
    one = VertexSettings("cora", "sgn-bf")
    assert one.dataset == "Cora"
    assert one.search == "bfs:2"
    assert one.key == VertexSettings("Cora", "sgn-bf", "bfs:2").key
    others = [
        replace(one, seed=1),
        replace(one, dropout=0.1),
        replace(one, search="bfs:3"),
        replace(one, norm="batch_norm"),
    ]
    assert len({settings.key for settings in [one, *others]}) == 5
    assert one.key == "c5833862ba25"  # a change here disowns every result and study that there is
    filtering = [VertexSettings("Cora", "bernnet", propagation_dropout=share).key for share in (0.0, 0.5)]
    assert filtering[0] != filtering[1]


def test_every_choice_of_sgn_can_be_built():
    for name, known in CHOICES.items():
        for value in known:
            chosen: dict[str, Any] = {name: value}
            model = sgn_of(VertexSettings("Cora", "sgn-bf", **chosen), 3, 2)
            data = AddSearch("bfs:2")(Data(x=torch.ones(3, 3), edge_index=torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]])))
            assert model(data).shape == (3, 2)


def test_coefficients_of_learnt_filters_are_not_decayed():
    model = baseline("gprgnn", 5, 8, 2, 3)
    (with_decay, without) = decayed(model, 0.1)
    assert with_decay["weight_decay"] == 0.1
    assert without["weight_decay"] == 0.0
    assert [parameter.shape for parameter in without["params"]] == [(11,)]
    assert len(with_decay["params"]) == len(list(model.parameters())) - 1
    assert decayed(baseline("gcn", 5, 8, 2, 3), 0.1)[1]["params"] == []


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"model": "gnc"}, "unknown model 'gnc'; use one of mlp, gcn"),
        ({"model": "gcn", "search": "bfs:2"}, "gcn does not search; leave search out"),
        ({"model": "gcn", "protocol": "mine"}, "unknown protocol 'mine'"),
        ({"model": "gcn", "dropout": 1.0}, "dropout must be at least 0 and less than 1"),
        ({"model": "gcn", "epochs": 0}, "epochs must be at least 1, got 0"),
        ({"model": "sgn-bf", "search": "bfs:0"}, "radius must be at least 1, got 0"),
        ({"model": "sgn-bf", "search": "dfs:1"}, "sgn-bf searches like bfs:2, not dfs:1"),
        ({"model": "sgn-df", "search": "dfs:1+bfs:1"}, r"sgn-df searches like dfs:1\+dfs:2, not"),
        ({"model": "sgn-bf", "norm": "foo"}, "unknown norm 'foo'; use one of none, batch_norm"),
        ({"model": "sgn-bf", "act": "foo"}, "unknown act 'foo'; use one of none, relu"),
        ({"model": "gcn", "own_term": False}, "gcn has no own_term; leave it out, or use one of sgn-bf, sgn-df"),
        ({"model": "mlp", "norm": "batch_norm"}, "mlp has no norm"),
        (
            {"model": "appnp", "propagation_dropout": 0.1},
            "appnp has no propagation_dropout; leave it out, or use one of g",
        ),
        ({"model": "sgn-bf", "alpha": 0.5}, "sgn-bf has no alpha; leave it out, or use one of appnp, gprgnn"),
        ({"model": "gprgnn", "propagation_dropout": 1.0}, "propagation_dropout must be at least 0 and less than 1"),
    ],
)
def test_bad_settings(arguments, sentence):
    with pytest.raises(LvcError, match=sentence):
        VertexSettings("Cora", **arguments)


def test_settings_from_text():
    assert parse_settings(["dropout=0.25", "norm=batch_norm"]) == {"dropout": 0.25, "norm": "batch_norm"}
    for text, sentence in (
        ("colour=red", "NAME=VALUE"),
        ("epochs=many", "epochs must be of type int"),
        ("own_term=no", "bool"),
    ):
        with pytest.raises(LvcError, match=sentence):
            parse_settings([text])


def test_random_splits_of_texas_keep_their_vertices():
    """A change here changes every result: split 0 of seed 0 on 183 vertices."""
    assert splits([0] * 183, "random")[0].test[:5].tolist() == [7, 12, 14, 26, 29]


def test_lvc_train(real_data, tmp_path):
    command = [sys.executable, "-m", "lvc.cli", "train", "vertex", "Texas", "--model", "sgn-bf", "--search", "bfs:1"]
    command += ["--splits", "2", "--set", "epochs=5", "--out", str(tmp_path / "v.jsonl")]
    environment = {**os.environ, "LVC_CACHE": str(tmp_path / "cache")}
    found = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert "sgn-bf on Texas, protocol random, 2 splits:" in found.stdout
    assert "test accuracy" in found.stdout
    assert len(read_rows(tmp_path / "v.jsonl")[0]) == 1
    assert len(list(tmp_path.glob("*.png"))) == 1
    assert "lvc: Texas: 16 loops removed\n" in found.stderr
    assert found.stdout.endswith(".png\n")
    once_more = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert "v.jsonl had it already, nothing was trained" in once_more.stdout
    assert once_more.stderr == ""

    again = [*command[:5], "texas", "--model", "sgn-bf", "--splits", "2", "--protocol", "per-class"]
    again += ["--as-in", str(tmp_path / "v.jsonl"), "--set", "epochs=4", "--out", str(tmp_path / "v.jsonl")]
    with (tmp_path / "v.jsonl").open("a") as lines:
        lines.write('{"half": a li\n')
    found = subprocess.run(again, capture_output=True, text=True, check=True, env=environment)
    assert "v.jsonl, line 2: not a result; skipped" in found.stderr
    first, second = read_rows(tmp_path / "v.jsonl")[0]
    assert second["settings"] == first["settings"] | {"protocol": "per-class", "epochs": 4}
    assert second["tuning"] == {"as_in": first["key"], "protocol": "random", "trials": 0, "changed": ["epochs"]}


@pytest.mark.parametrize("more", [[], ["--jobs", "2"]])
def test_lvc_train_interrupted_by_the_user(real_data, tmp_path, more):
    command = [sys.executable, "-m", "lvc.cli", "train", "vertex", "Texas", "--model", "mlp", "--out"]
    command += [str(tmp_path / "v.jsonl"), "--set", "epochs=100000", "--set", "patience=100000", *more]
    environment = {**os.environ, "LVC_CACHE": str(tmp_path / "cache")}
    heard = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)}  # a suite in the background ignores it
    pipes: Any = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, **heard}
    with subprocess.Popen(command, env=environment, **pipes) as job:
        try:
            assert job.stderr is not None
            said = ["begin"]
            while said[-1] and "undirected" not in said[-1]:  # the last note of the data: training begins
                said.append(job.stderr.readline())
            time.sleep(2)
            job.send_signal(signal.SIGINT)
            out, rest = job.communicate(timeout=60)
        finally:
            job.kill()
    assert (job.returncode, out) == (130, "")
    assert rest.splitlines()[-1] == "lvc: interrupted; the same command goes on where something was kept"
    assert not (tmp_path / "v.jsonl").exists()

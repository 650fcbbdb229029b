import json
import os
import subprocess
import sys
from dataclasses import replace
from typing import Any

import networkx as nx
import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("torch_geometric")
optuna = pytest.importorskip("optuna")

from torch import nn  # noqa: E402
from torch_geometric.data import Data  # noqa: E402

from lvc import LvcError  # noqa: E402
from lvc.data import GraphData  # noqa: E402
from lvc.data.folds import folds  # noqa: E402
from lvc.experiments import graph, runs, training, tuning  # noqa: E402
from lvc.experiments.finalists import finalists  # noqa: E402
from lvc.experiments.models import Standardised  # noqa: E402
from lvc.experiments.results import read_rows  # noqa: E402
from lvc.experiments.settings import GRAPH_MODELS, GraphSettings  # noqa: E402
from lvc.experiments.studies import open_study  # noqa: E402
from lvc.experiments.trials import make_trials, summary  # noqa: E402
from lvc.nn import AddSearch, Collated  # noqa: E402

QUICK: dict[str, Any] = {"protocol": "stratified", "splits": 3, "epochs": 12, "patience": 12, "hidden_channels": 8}


def as_data(given: nx.Graph, label: int) -> Data:
    given = nx.convert_node_labels_to_integers(given)
    both = torch.tensor([(u, v) for a, b in given.edges for u, v in ((a, b), (b, a))]).reshape(-1, 2).long().t()
    return Data(x=torch.ones(len(given), 1), edge_index=both, y=torch.tensor([label]), num_nodes=len(given))


@pytest.fixture
def rings(monkeypatch) -> GraphData:
    """Pairs that 1-WL confuses: one ring of 2k vertices, or two of k; the label says which."""
    graphs = []
    for k in (3, 4) * 12:
        graphs.append(as_data(nx.cycle_graph(2 * k), 0))
        graphs.append(as_data(nx.disjoint_union(nx.cycle_graph(k), nx.cycle_graph(k)), 1))
    found = GraphData("rings", tuple(graphs), (), ())
    monkeypatch.setattr(graph, "load_graphs", lambda name: found)
    monkeypatch.setattr(graph, "with_searches", lambda _, search: [AddSearch(search)(one.clone()) for one in graphs])
    return found


@pytest.mark.parametrize("model", GRAPH_MODELS)
def test_every_model_trains(model, rings):
    settings = GraphSettings("rings", model, features="standard", **QUICK | {"epochs": 2, "runs": 1})
    result = runs.train_split(settings, graph.prepare(settings), 0)
    assert result.epochs == 2
    assert 0 <= result.test <= 1


def test_what_message_passing_cannot_see_is_learnt(rings):
    def accuracy(model: str, search: str | None = None) -> float:
        settings = GraphSettings(
            "rings", model, search, learning_rate=0.01, runs=1, **QUICK | {"epochs": 60, "patience": 60}
        )
        return runs.train_split(settings, graph.prepare(settings), 0).test

    assert accuracy("sgn-bf", "bfs:4") == 1.0
    assert accuracy("gin") < 0.7  # which half of a pair is for training decides, so it may be far below a half
    assert accuracy("agnostic-chemical") < 0.7


def test_selection_never_sees_test_labels(rings):
    settings = GraphSettings("rings", "sgn-bf", runs=1, **QUICK)
    honest = runs.train_split(settings, graph.prepare(settings), 0)
    prepared = graph.prepare(settings)
    for number in prepared.splits[0].test:
        prepared.graphs[number].y = 1 - prepared.graphs[number].y
    poisoned = prepared._replace(collated=Collated(prepared.graphs))
    fooled = runs.train_split(settings, poisoned, 0)
    assert (fooled.curve, fooled.epoch, fooled.validation) == (honest.curve, honest.epoch, honest.validation)
    assert fooled.test == pytest.approx(1 - honest.test)


class Seen(nn.Module):
    """Remembers the features that it was shown."""

    def forward(self, data):
        self.x = data.x
        return data.x


def test_features_are_standardised_and_the_batch_stays_as_it_was():
    x = torch.tensor([[1.0, 7.0, 0.0], [3.0, 7.0, 4.0]])
    model = Standardised(Seen(), x)
    data = Data(x=x.clone())
    wanted = torch.tensor([[-1.0, 0.0, -1.0], [1.0, 0.0, 1.0]])  # the second column does not vary
    assert torch.equal(model(data), wanted)
    assert torch.equal(data.x, x)
    assert torch.equal(model(data), wanted)
    assert model.auxiliary_loss is None
    assert set(model.state_dict()) == {"mean", "deviation"}


class WithAuxiliaryLoss(nn.Module):
    """Its first number is in the auxiliary loss alone, its second in the result."""

    def __init__(self):
        super().__init__()
        self.numbers = nn.Parameter(torch.ones(2))

    def forward(self, data):
        self.auxiliary_loss = self.numbers[0].square()
        return self.numbers[1] * torch.eye(2)[data.y]


@pytest.mark.parametrize("features", ["raw", "standard"])
def test_an_auxiliary_loss_is_trained_with(features, rings, monkeypatch):
    monkeypatch.setattr(graph, "_plain_model", lambda *_: WithAuxiliaryLoss())
    settings = GraphSettings("rings", "diffpool", features=features, runs=1, **QUICK | {"epochs": 1})
    (auxiliary, own), *_ = graph.fit_split(settings, graph.prepare(settings), 0).model.parameters()
    assert auxiliary < 1  # it is pushed towards 0
    assert own > 1


def test_scales_are_taken_from_training_graphs_alone(rings):
    settings = GraphSettings("rings", "gin", runs=1, features="standard", **QUICK)
    honest = runs.train_split(settings, graph.prepare(settings), 0)
    prepared = graph.prepare(settings)
    for number in prepared.splits[0].test:
        prepared.graphs[number] = prepared.graphs[number].clone()
        prepared.graphs[number].x = 1000 * prepared.graphs[number].x + 5
    assert runs.train_split(settings, prepared, 0).curve == honest.curve


def test_three_trainings_are_averaged(rings):
    settings = GraphSettings("rings", "gin", runs=3, **QUICK)
    prepared = graph.prepare(settings)
    result = runs.train_split(settings, prepared, 1)
    tested, validated, epochs = [], [], 0
    for seeds in ((0, 1), (0, 1, 1), (0, 1, 2)):
        training.seed_with(seeds)
        fitted = graph.fit_split(settings, prepared, 1)
        tested.append(graph.accuracy(settings, fitted.model, prepared, 1))
        validated.append(fitted.validation)
        epochs += len(fitted.curve)
    assert result.test == pytest.approx(np.mean(tested))
    assert result.validation == pytest.approx(np.mean(validated))
    assert result.epochs == epochs


def test_batch_equals_single_graphs(rings):
    settings = GraphSettings("rings", "sgn-df", **QUICK)
    prepared = graph.prepare(settings)
    lonely = AddSearch("dfs:1+dfs:2")(as_data(nx.empty_graph(2), 0))
    graphs = [*prepared.graphs[:5], lonely]
    model = graph.model_of(settings, prepared.graphs, prepared.splits[0]).eval()
    together = graph._batches(graph.Prepared(graphs, Collated(graphs), []), np.arange(6), 6)[0]
    assert torch.allclose(model(together), torch.cat([model(one) for one in graphs]), atol=1e-5)


def base(model: str = "gin") -> GraphSettings:
    return GraphSettings("rings", model, runs=1, **QUICK | {"splits": 2})


def job(model: str = "gin", trials: int = 3, **changes: Any) -> tuning.Tuning:
    return tuning.Tuning(base(model), trials, 1, 2, **changes)


def of_folds(row: dict[str, Any]) -> list[Any]:
    return [(one["settings"], one["test"], one["validation"]) for one in row["splits"]]


def test_each_fold_is_tuned_by_itself_and_an_interrupted_search_goes_on(rings, tmp_path, monkeypatch):
    whole = tuning.tune_each_fold(job(), tmp_path / "a" / "g.jsonl")
    assert whole["tuning"]["trials"] == 6
    assert [one["study"][-5:] for one in whole["tuning"]["folds"]] == ["fold0", "fold1"]
    real, calls = graph.fit_split, []

    def interrupted(*arguments):
        calls.append(arguments[2])
        if len(calls) in (2, 6):
            raise KeyboardInterrupt
        return real(*arguments)

    monkeypatch.setattr(graph, "fit_split", interrupted)
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            tuning.tune_each_fold(job(), tmp_path / "b" / "g.jsonl")
    again = tuning.tune_each_fold(job(), tmp_path / "b" / "g.jsonl")
    assert of_folds(again) == of_folds(whole)
    assert calls == [0, 0, 0, 0, 0, 1, 1, 1, 1, 1][: len(calls)]
    assert len(read_rows(tmp_path / "b" / "g.jsonl")[0]) == 1
    made = len(calls)
    assert tuning.tune_each_fold(job(), tmp_path / "b" / "g.jsonl") == again
    assert len(calls) == made  # what is finished is not made again ...
    longer = tuning.tune_each_fold(job(trials=4), tmp_path / "b" / "g.jsonl")
    assert longer["tuning"]["trials"] == 8
    assert len(calls) > made  # ... unless more trials are asked for
    assert len(read_rows(tmp_path / "b" / "g.jsonl")[0]) == 1


def test_a_killed_trial_does_not_compete_with_itself(rings, tmp_path, monkeypatch):
    """The best third of five is .5 alone; of six, with .4 counted twice, .45 would belong to it."""
    accuracies = [0.5, 0.4, 0.3, 0.3, 0.45]
    search = replace(job(trials=5), base=replace(base("gin"), epochs=100, patience=100), fold=0)

    def epochs_of_trials(place, killed: int | None) -> list[int]:
        lasted: list[int] = []
        kills = [] if killed is None else [killed]

        def scripted(settings, prepared, number, progress):
            trial = len(lasted)
            for epoch in range(1, 101):
                try:
                    progress(epoch, 1.0, accuracies[trial])
                except optuna.TrialPruned:
                    if trial not in kills:
                        lasted.append(epoch)
                        raise
                if epoch == 30 and trial in kills:
                    kills.remove(trial)
                    raise KeyboardInterrupt
            lasted.append(100)
            return training.Fitted(nn.Identity(), accuracies[trial], accuracies[trial], 1, ())

        monkeypatch.setattr(graph, "fit_split", scripted)
        for _ in range(2):
            study = open_study(search, f"sqlite:///{place}")
            try:
                make_trials(search, study)
            except KeyboardInterrupt:
                continue
        return lasted

    whole = epochs_of_trials(tmp_path / "a.db", None)
    assert whole == [100, 30, 30, 30, 30]
    assert epochs_of_trials(tmp_path / "b.db", 1) == whole


def test_a_trial_that_another_machine_gave_up_is_made_again(rings, tmp_path, monkeypatch):
    search, where, real = replace(job(trials=2), fold=0), f"sqlite:///{tmp_path / 's.db'}", graph.fit_split
    study = open_study(search, where)
    fits = []

    def slept(*arguments):
        fits.append(arguments[2])
        if len(fits) == 1:
            optuna.load_study(study_name=search.name, storage=where).tell(0, state=optuna.trial.TrialState.FAIL)
        return real(*arguments)

    monkeypatch.setattr(graph, "fit_split", slept)
    make_trials(search, study)
    assert [one.state.name for one in study.trials] == ["FAIL", "COMPLETE", "COMPLETE"]
    monkeypatch.setattr(graph, "fit_split", lambda *_: (_ for _ in ()).throw(ValueError("of another kind")))
    with pytest.raises(ValueError, match="of another kind"):
        make_trials(replace(search, trials=3), study)


def test_every_fold_has_as_many_trials_as_are_asked_for(rings, tmp_path, monkeypatch):
    real = tuning._tuned_fold
    monkeypatch.setattr(tuning, "_tuned_fold", lambda one, *more: real(one, *more) if one.fold == 0 else 1 / 0)
    with pytest.raises(ZeroDivisionError):
        tuning.tune_each_fold(job(trials=4), tmp_path / "g.jsonl")
    monkeypatch.setattr(tuning, "_tuned_fold", real)

    def trials(wanted: int) -> list[int]:
        row = tuning.tune_each_fold(job(trials=wanted), tmp_path / "g.jsonl")
        return [fold["trials"] for fold in row["tuning"]["folds"]]

    assert trials(1) == [4, 1]
    assert trials(2) == [4, 2]


def test_a_folder_is_made_whatever_the_storage(rings, tmp_path):
    where = f"sqlite:///{tmp_path / 's.db'}"
    row = tuning.tune_each_fold(job(trials=1), tmp_path / "new" / "g.jsonl", where)
    assert read_rows(tmp_path / "new" / "g.jsonl")[0] == [row]


RESULT = {"split": 0, "validation": 0.5, "estimate": 0.5, "test": 0.5, "epoch": 1, "epochs": 1, "seconds": 1.0}
FOLD: dict[str, Any] = {
    "result": RESULT | {"curve": []},
    "settings": {},
    "tuning": {"trials": 9, "pruned": 0, "seconds": 1.0},
}
DAMAGED = (
    FOLD | {"result": RESULT},
    FOLD | {"result": FOLD["result"] | {"test": "x"}},
    FOLD | {"result": FOLD["result"] | {"split": 1}},
    FOLD | {"settings": []},
    FOLD | {"tuning": {"trials": 9}},
    FOLD | {"tuning": FOLD["tuning"] | {"seconds": "x"}},
)


def test_a_finished_fold_is_taken_from_its_file(rings, tmp_path, count_fits):
    fits = count_fits(graph)
    (tmp_path / f".g-{job().name}.json").write_text(json.dumps({"0": FOLD}))
    row = tuning.tune_each_fold(job(trials=1), tmp_path / "g.jsonl")
    assert row["splits"][0]["test"] == 0.5
    assert set(fits) == {1}


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        '{"0": 1}',
        '{"0": {"result": {}, "tuning": {"trials": 9}}}',
        '{"0"',
        "3",
        *(json.dumps({"0": one}) for one in DAMAGED),
    ],
)
def test_a_damaged_file_of_finished_folds_counts_as_none(rings, tmp_path, text):
    beside = tmp_path / f".g-{job().name}.json"
    beside.write_text(text)
    row = tuning.tune_each_fold(job(trials=1), tmp_path / "g.jsonl")
    assert [one["split"] for one in row["splits"]] == [0, 1]
    assert not beside.exists()


def test_the_first_of_the_trainings_is_the_best_trial_itself(rings, tmp_path, count_fits):
    fits = count_fits(graph)
    wanted = replace(job(trials=2), base=replace(base("gin"), runs=3))
    at_once = tuning.tune_each_fold(wanted, tmp_path / "a" / "g.jsonl")
    assert fits == [0] * (2 + 2) + [1] * (2 + 2)
    (tmp_path / "b").mkdir()
    where = f"sqlite:///{tmp_path / 'b' / 'studies.db'}"
    for fold in range(2):
        make_trials(replace(wanted, fold=fold), open_study(replace(wanted, fold=fold), where))
    fits.clear()
    anew = tuning.tune_each_fold(wanted, tmp_path / "b" / "g.jsonl")
    assert fits == [0] * 3 + [1] * 3
    assert of_folds(anew) == of_folds(at_once)


def test_trials_are_given_up_after_30_epochs_and_not_before(rings, tmp_path, monkeypatch):
    """One that starts slowly and is best in epoch 30 goes on; one that is never best is given up then."""
    accuracies = iter([lambda epoch: 0.6, lambda epoch: 0.1 if epoch < 30 else 0.7, lambda epoch: 0.65])
    lasted = []

    def fit_split(settings, prepared, number, progress):
        accuracy = next(accuracies)
        lasted.append(0)
        for epoch in range(1, 101):
            lasted[-1] = epoch
            progress(epoch, 1.0, accuracy(epoch))
        return training.Fitted(torch.nn.Identity(), accuracy(100), accuracy(100), 1, ())

    monkeypatch.setattr(graph, "fit_split", fit_split)
    one = replace(job(), fold=0)
    study = open_study(one, f"sqlite:///{tmp_path / 'studies.db'}")
    make_trials(one, study)
    assert lasted == [100, 100, 30]
    assert study.best_value == 0.7
    written = summary(one, study, finalists(one, study), {})["history"]
    assert [trial.get("given_up", False) for trial in written] == [False, False, True]


def test_settings_of_a_fold_do_not_depend_on_its_test_labels(rings, tmp_path, monkeypatch):
    """Folds are published ones: those that are drawn look at all labels."""
    fixed = replace(rings, published=tuple(folds(rings.labels, "stratified")))
    monkeypatch.setattr(graph, "load_graphs", lambda name: fixed)
    settings = replace(base("sgn-bf"), protocol="errica", epochs=30, patience=30, learning_rate=0.01)
    one = tuning.Tuning(settings, 3, 1, 4, ("learning_rate",), fold=0)

    def tuned(name: str, flipped: Any) -> tuple[Any, ...]:
        for number in flipped:
            fixed.graphs[number].y = 1 - fixed.graphs[number].y
        found = tuning._tuned_fold(one, f"sqlite:///{tmp_path / name}.db", runs.PreparedData())
        trials = [(trial["estimate"], trial["rungs"]) for trial in found["tuning"]["history"]]
        return found["settings"], found["result"]["validation"], trials, found["result"]["test"]

    train, _, test = fixed.published[0]
    honest, fooled = tuned("honest", []), tuned("fooled", test)
    assert fooled[:3] == honest[:3]
    assert fooled[3] == pytest.approx(1 - honest[3])
    assert tuned("other", train)[:3] != honest[:3], "and the test can fail"


def test_a_fold_waits_for_trials_of_others(rings, tmp_path, monkeypatch):
    where = f"sqlite:///{tmp_path / 'studies.db'}"
    one = replace(job(), fold=0)
    study = open_study(one, where)
    optuna.load_study(study_name=one.name, storage=where).ask().set_user_attr("owner", "elsewhere:1")
    waited = []

    def sleep(seconds: float) -> None:
        waited.append(seconds)
        study.tell(0, 0.0)

    monkeypatch.setattr("lvc.experiments.tuning.time.sleep", sleep)
    assert tuning._tuned_fold(one, where, runs.PreparedData())["tuning"]["trials"] == 3
    assert len(waited) == 1


def test_folds_of_a_smaller_budget_are_searched_on(rings, tmp_path, monkeypatch):
    real = tuning._tuned_fold

    def interrupted(one: tuning.Tuning, *more: Any) -> Any:
        if one.fold == 1:
            raise KeyboardInterrupt
        return real(one, *more)

    with monkeypatch.context() as patch:
        patch.setattr(tuning, "_tuned_fold", interrupted)
        with pytest.raises(KeyboardInterrupt):
            tuning.tune_each_fold(job(trials=1), tmp_path / "g.jsonl")
    row = tuning.tune_each_fold(job(trials=3), tmp_path / "g.jsonl")
    assert [fold["trials"] for fold in row["tuning"]["folds"]] == [3, 3]


def test_graphs_are_searched_and_joined_once_for_all_folds(rings, tmp_path, monkeypatch):
    real, seen = graph.prepare, []

    def counted(settings: Any) -> Any:
        seen.append(settings.search)
        return real(settings)

    monkeypatch.setattr(graph, "prepare", counted)
    tuning.tune_each_fold(job(trials=3), tmp_path / "g.jsonl")
    assert sorted(seen) == sorted(set(seen))


def test_every_fold_tries_settings_of_its_own(rings, tmp_path):
    row = tuning.tune_each_fold(job(trials=5), tmp_path / "g.jsonl")
    one, two = ([trial["learning_rate"] for trial in fold["history"]] for fold in row["tuning"]["folds"])
    given = len(job().starts)
    assert given < 5
    assert one[:given] == two[:given]
    assert one[given:] != two[given:]


def test_the_grid_has_no_other_size():
    with pytest.raises(LvcError, match="the grid's largest radius is 3, got 5; leave the grid out"):
        tuning.Tuning(base("sgn-df"), 3, 1, 5, grid=True)
    command = [sys.executable, "-m", "lvc.cli", "tune", "graph", "ENZYMES", "--model", "gin", "--grid", "--trials", "3"]
    found = subprocess.run(command, capture_output=True, text=True)
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr == "lvc: --grid tries every point of the grid; leave --trials out\n"


@pytest.mark.parametrize("task", [["vertex", "Cora"], ["graph", "ENZYMES"]])
def test_where_no_radius_is_searched_there_is_no_largest(task):
    options = ["--model", "sgn-bf", "--search", "bfs:1", "--largest-radius", "3"]
    found = subprocess.run([sys.executable, "-m", "lvc.cli", "tune", *task, *options], capture_output=True, text=True)
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr == "lvc: --search bfs:1 leaves no radius to search for; leave --largest-radius out\n"
    options = ["--model", "agnostic-social" if "graph" in task else "mlp", "--largest-radius", "3"]
    found = subprocess.run([sys.executable, "-m", "lvc.cli", "tune", *task, *options], capture_output=True, text=True)
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr == f"lvc: --model {options[1]} leaves no radius to search for; leave --largest-radius out\n"


def test_a_head_is_sgns_and_a_setting_like_any_other(rings):
    with pytest.raises(LvcError, match="gin has no head_layers; leave it out, or use one of sgn-bf, sgn-df"):
        GraphSettings("ENZYMES", "gin", head_layers=2)
    with pytest.raises(LvcError, match="head_layers must be 0 or more, got -1"):
        GraphSettings("ENZYMES", "sgn-bf", head_layers=-1)
    plain = base("sgn-bf")
    with_head = replace(plain, head_layers=2)
    assert with_head.key != plain.key
    prepared = graph.prepare(plain)
    without, model = (graph.model_of(one, prepared.graphs, prepared.splits[0]) for one in (plain, with_head))
    assert without.head is None
    assert len(model.head.lins) == 2


def test_a_baseline_without_layers_has_no_number_of_them():
    with pytest.raises(LvcError, match="agnostic-chemical has no num_layers; leave it out, or use one of agnostic-s"):
        GraphSettings("ENZYMES", "agnostic-chemical", num_layers=5)
    assert "num_layers" not in job("agnostic-chemical").space


def test_the_papers_grid_is_tried_whole(rings, tmp_path):
    points = job("sgn-df", grid=True).starts
    assert len(points) == 30  # radius 1 and 2 here
    fewer = job("sgn-df", grid=True, fixed=("num_layers", "search"))
    assert fewer.starts == [{"dropout": share} for share in (0.2, 0.5, 0.7)]
    assert list(fewer.space) == ["dropout"]
    row = tuning.tune_each_fold(
        replace(job("gin", trials=15, grid=True), base=replace(base(), splits=1, epochs=1)), tmp_path / "g.jsonl"
    )
    tried = {(one["num_layers"], one["dropout"]) for one in row["tuning"]["folds"][0]["history"]}
    assert len(tried) == 15
    assert row["tuning"]["pruned"] == 0


def test_lvc_train_and_tune_graphs(real_data, tmp_path):
    environment = {**os.environ, "LVC_CACHE": str(tmp_path / "cache")}
    usual = ["MUTAG", "--model", "sgn-df", "--splits", "2", "--set", "epochs=2"]

    def lvc(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "lvc.cli", *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True, env=environment)

    for jobs in "12":
        done = lvc("train", "graph", *usual, "--jobs", jobs, "--out", str(tmp_path / jobs / "g.jsonl"))
        assert "sgn-df on MUTAG, protocol stratified, 2 splits:" in done.stdout
        assert "MUTAG: folds are drawn here, not those of Errica et al. (2020)" in done.stderr
    one, two = (read_rows(tmp_path / jobs / "g.jsonl")[0][0] for jobs in "12")
    assert [split["test"] for split in one["splits"]] == [split["test"] for split in two["splits"]]
    for jobs in "123":  # two folds: with three processes their trials run side by side, too
        lvc("tune", "graph", *usual, "--trials", "2", "--jobs", jobs, "--out", str(tmp_path / jobs / "tuned.jsonl"))
    one, *others = (json.loads((tmp_path / jobs / "tuned.jsonl").read_text()) for jobs in "123")
    for other in others:
        assert other["tuning"]["trials"] == 4
        for name in ("test", "estimate", "settings", "threads"):
            assert [split[name] for split in one["splits"]] == [split[name] for split in other["splits"]]
        assert histories(one) == histories(other)


def histories(row: dict[str, Any]) -> list[list[str]]:
    """What every fold tried, in whatever order."""
    return [sorted(json.dumps(trial) for trial in fold["history"]) for fold in row["tuning"]["folds"]]

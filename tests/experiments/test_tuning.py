import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

pytest.importorskip("torch_geometric")
optuna = pytest.importorskip("optuna")

from optuna.trial import TrialState  # noqa: E402
from torch import nn  # noqa: E402

from lvc import LvcError  # noqa: E402
from lvc.errors import TooLargeError  # noqa: E402
from lvc.experiments import studies, tuning, vertex  # noqa: E402
from lvc.experiments.finalists import finalists, seconds_of_finalists  # noqa: E402
from lvc.experiments.results import read_rows  # noqa: E402
from lvc.experiments.runs import run  # noqa: E402
from lvc.experiments.settings import GraphSettings, VertexSettings  # noqa: E402
from lvc.experiments.space import space_of, starts_of  # noqa: E402
from lvc.experiments.training import Fitted  # noqa: E402
from lvc.experiments.trials import make_trials  # noqa: E402

BASE = VertexSettings("rings", "sgn-bf", epochs=4, patience=4, splits=3)


def job(trials: int = 12, **changes: Any) -> studies.Tuning:
    usual: dict[str, Any] = {"tuning_splits": 2, "largest_radius": 2, "fixed": ("hidden_channels",)}
    return studies.Tuning(BASE, trials, **usual | changes)


def url(folder) -> str:
    return f"sqlite:///{folder / 'studies.db'}"


def history(study) -> list:
    return [
        (one.params, one.intermediate_values, one.state)
        for one in study.get_trials(states=(TrialState.COMPLETE, TrialState.PRUNED))
    ]


def test_a_search_that_was_interrupted_and_killed_equals_one_that_was_not(rings, tmp_path, monkeypatch):
    whole = studies.open_study(job(), url(tmp_path))
    make_trials(job(), whole)
    (tmp_path / "again").mkdir()
    where = url(tmp_path / "again")
    real, calls = vertex.fit_split, []

    def interrupted(*arguments):
        calls.append(arguments[2])
        if len(calls) in (2, 9):  # in the first trial, which is given, and in a later one
            raise KeyboardInterrupt
        return real(*arguments)

    monkeypatch.setattr(vertex, "fit_split", interrupted)
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            make_trials(job(), studies.open_study(job(), where))
    leave_a_trial_behind(where, f"{socket.gethostname()}:{dead_process()}")
    resumed = studies.open_study(job(), where)
    make_trials(job(), resumed)
    assert history(resumed) == history(whole)
    assert len(history(resumed)) == 12
    assert studies.count(resumed, TrialState.FAIL) == 3
    (one,), (other,) = finalists(job(), resumed), finalists(job(), whole)
    assert one.settings == other.settings
    assert any(state == TrialState.PRUNED for _, _, state in history(whole))


def test_a_trial_whose_process_is_killed_as_soon_as_it_is_there_is_given_up(rings, tmp_path, monkeypatch):
    def killed(*_):
        raise KeyboardInterrupt

    begun = studies.open_study(job(2), url(tmp_path))
    with monkeypatch.context() as patch:
        patch.setattr(studies.Replayed, "before_trial", killed)
        with pytest.raises(KeyboardInterrupt):
            make_trials(job(2), begun)
    study = studies.open_study(job(2), url(tmp_path))
    assert studies.count(study, TrialState.FAIL) == 1
    make_trials(job(2), study)
    assert [one.params["scale"] for one in study.trials if one.params] == ["sum", "mean"]  # as the starts have it


def test_the_place_of_a_trial_that_was_killed_is_taken_by_the_next(rings, tmp_path):
    """Two processes share a study, the first is killed while the second goes on: every start is tried once."""
    study = studies.open_study(job(4), url(tmp_path))
    sampler = studies.Replayed(job().seeds, job().starts)
    by_hand = optuna.load_study(study_name=job().name, storage=url(tmp_path), sampler=sampler)
    one, other = by_hand.ask(), by_hand.ask()
    for trial in (one, other):
        [trial._suggest(name, choice) for name, choice in job().space.items()]
    by_hand.tell(one, state=TrialState.FAIL)
    by_hand.tell(other, 0.5)
    make_trials(job(4), study)
    finished = study.get_trials(states=studies.FINISHED)
    assert sorted(one.user_attrs[studies.PLACE] for one in finished) == [0, 1, 2, 3]
    tried = [{name: one.params[name] for name in job().space} for one in finished]
    assert sorted(map(str, tried)) == sorted(map(str, job().starts))


def test_trials_that_fall_behind_are_given_up_after_a_split(rings, tmp_path, monkeypatch):
    """The first four are trained on all splits, later ones only if they keep up; however many there are to be."""
    fits = []

    def worse_and_worse(settings, prepared, number, progress=None):
        fits.append(number)
        return Fitted(nn.Identity(), 0.0, 1 / len(fits), 1, ())

    monkeypatch.setattr(vertex, "fit_split", worse_and_worse)
    for trials in (3, 9):
        study = studies.open_study(job(trials), url(tmp_path))
        make_trials(job(trials), study)
    assert fits == [0, 1] * 4 + [0] * 5
    assert studies.count(study, TrialState.PRUNED) == 5


def test_finalists_are_compared_on_every_split(rings, tmp_path, monkeypatch):
    """What was best on two splits by luck does not win; splits of the search are not trained on again."""
    fits: list[int] = []
    stop_at: int | None = None

    def scripted(settings, prepared, number, progress=None):
        if len(fits) == stop_at:
            raise KeyboardInterrupt
        fits.append(number)
        lucky = settings.scale == "mean"  # the second start of four
        estimate = [0.9, 0.9, 0.0][number] if lucky else 0.7 if settings.scale == "sym" else 0.5
        return Fitted(nn.Identity(), 0.0, estimate, 1, ())

    monkeypatch.setattr(vertex, "fit_split", scripted)
    alone, several = job(4), job(4, finalists=3)
    assert alone.name == several.name
    study = studies.open_study(alone, url(tmp_path))
    make_trials(alone, study)
    assert [(one.settings.scale, one.estimate) for one in finalists(alone, study)] == [("mean", 0.9)]
    assert fits == [0, 1] * 4
    stop_at = len(fits) + 1
    with pytest.raises(KeyboardInterrupt):
        finalists(several, study)
    stop_at = None
    found = finalists(several, studies.open_study(several, url(tmp_path)))
    assert fits[8:] == [2, 2, 2]  # one before it was stopped, two after
    assert [one.settings.scale for one in found] == ["sym", "mean", "mean"]
    assert [one.estimate for one in found] == pytest.approx([0.7, 0.6, 0.6])
    assert finalists(several, study) == found
    assert len(fits) == 11
    assert len(study.user_attrs["finalist 1"]) == len(study.user_attrs["seconds of finalist 1"]) == 1
    assert seconds_of_finalists(study) > 0


def test_a_row_says_who_was_compared(rings, tmp_path):
    row = tuning.tune(job(3, finalists=2), tmp_path / "v.jsonl", url(tmp_path))
    assert row is not None
    compared = row["tuning"]["finalists"]
    assert len(compared) == 2
    assert compared[0]["estimate"] >= compared[1]["estimate"]
    searched = row["tuning"]["history"][compared[0]["trial"]]
    assert searched["scale"] == row["settings"]["scale"]
    assert row["estimate"] == pytest.approx(compared[0]["estimate"], abs=0.06)  # trained once more, with the same seed
    shorter = {name: value for name, value in row["tuning"].items() if name != "finalists"}
    again, _ = run(VertexSettings(**row["settings"]), tmp_path / "v.jsonl", tuning=shorter)
    assert again["tuning"]["finalists"] == compared  # a shorter record does not replace it
    with pytest.raises(LvcError, match="finalists must be at least 1, got 0"):
        job(finalists=0)
    with pytest.raises(LvcError, match="settings of one fold cannot be compared on others"):
        job(finalists=2, fold=1)


def test_a_folder_is_refused_before_anything_is_searched(rings, tmp_path):
    for results in (tmp_path, Path("."), Path("/")):
        for act in (lambda: tuning.tune(job(3), results), lambda: run(BASE, results)):  # noqa: B023
            with pytest.raises(LvcError, match="it is a directory; choose a file name"):
                act()
    assert not list(tmp_path.iterdir())
    with pytest.raises(LvcError, match="largest_radius must be at least 1, got 0"):
        job(largest_radius=0)


def accuracies(row: dict[str, Any] | None) -> list[Any]:
    assert row is not None
    return [(one["test"], one["validation"], one["estimate"], one["epochs"]) for one in row["splits"]]


def test_what_the_best_trial_trained_is_not_trained_again(rings, tmp_path, count_fits):
    """One split of three is left to train on; a search that ended in another process gives the same, trained anew."""
    fits = count_fits(vertex)
    at_once = tuning.tune(job(3), tmp_path / "a.jsonl", url(tmp_path))
    assert fits == [0, 1] * 3 + [2]
    (tmp_path / "elsewhere").mkdir()
    elsewhere = url(tmp_path / "elsewhere")
    make_trials(job(3), studies.open_study(job(3), elsewhere))
    fits.clear()
    anew = tuning.tune(job(3), tmp_path / "b.jsonl", elsewhere)
    assert fits == [0, 1, 2]
    assert accuracies(anew) == accuracies(at_once)
    assert at_once is not None
    assert all(one["seconds"] > 0 for one in at_once["splits"])


def leave_a_trial_behind(where: str, owner: str) -> None:
    """As a process does that is killed in the middle of it."""
    trial = optuna.load_study(study_name=job().name, storage=where, sampler=studies.Replayed([0], [])).ask()
    trial.set_user_attr("owner", owner)


def dead_process() -> int:
    done = subprocess.Popen([sys.executable, "-c", ""])
    done.wait()
    return done.pid


def test_a_longer_search_goes_on_where_a_shorter_one_ended(rings, tmp_path):
    for trials in (3, 5):
        study = studies.open_study(job(trials), url(tmp_path))
        make_trials(job(trials), study)
        assert studies.count(study, *studies.FINISHED) == trials
    (tmp_path / "at-once").mkdir()
    at_once = studies.open_study(job(5), url(tmp_path / "at-once"))
    make_trials(job(5), at_once)
    assert history(study) == history(at_once)


def test_trials_of_another_machine_count_and_are_waited_for(rings, tmp_path):
    study = studies.open_study(job(3), url(tmp_path))
    leave_a_trial_behind(url(tmp_path), "elsewhere:1")
    assert tuning.tune(job(3), tmp_path / "v.jsonl", url(tmp_path)) is None
    assert studies.count(study, *studies.FINISHED) == 2
    assert not (tmp_path / "v.jsonl").exists()
    study.tell(0, 0.0)
    row = tuning.tune(job(3), tmp_path / "v.jsonl", url(tmp_path))
    assert row is not None
    assert row["tuning"]["trials"] == 3


def test_a_trial_of_another_machine_that_died_is_given_up(rings, tmp_path):
    study = studies.open_study(job(3), url(tmp_path))
    leave_a_trial_behind(url(tmp_path), "elsewhere:1")
    storage: Any = study._storage
    storage.record_heartbeat(study.trials[0]._trial_id)
    assert tuning.tune(job(3), tmp_path / "v.jsonl", url(tmp_path)) is None
    with sqlite3.connect(tmp_path / "studies.db") as database:
        database.execute("UPDATE trial_heartbeats SET heartbeat = datetime(heartbeat, '-1 day')")
    row = tuning.tune(job(3), tmp_path / "v.jsonl", url(tmp_path))
    assert row is not None
    assert row["tuning"]["trials"] == 3


def test_what_does_not_fit_into_memory_when_trained_is_a_trial_that_is_over(rings, tmp_path, monkeypatch):
    def refuse(*arguments):
        raise TooLargeError("too large")

    with monkeypatch.context() as patch:
        patch.setattr(vertex, "fit_split", refuse)
        for _ in range(2):
            with pytest.raises(LvcError, match="came to an end: too large"):
                tuning.tune(job(2), tmp_path / "v.jsonl", url(tmp_path))
            assert studies.count(studies.open_study(job(2), url(tmp_path)), TrialState.PRUNED) == 2
    assert tuning.tune(job(3), tmp_path / "v.jsonl", url(tmp_path)) is not None


def test_what_did_not_fit_is_tried_again_by_another_process_and_counted_once(rings, tmp_path, monkeypatch):
    real, calls = vertex.fit_split, []

    def refuse_the_second(*arguments):
        calls.append(arguments)
        if len(calls) == 3:  # the first trial has two splits
            raise TooLargeError("too large")
        return real(*arguments)

    monkeypatch.setattr(vertex, "fit_split", refuse_the_second)
    first = tuning.tune(job(3), tmp_path / "v.jsonl", url(tmp_path))
    assert first is not None
    assert [one["estimate"] is None for one in first["tuning"]["history"]] == [False, True, False]
    for module in ("studies", "trials"):
        monkeypatch.setattr(f"lvc.experiments.{module}.THIS_PROCESS", "another")
    (tmp_path / "v.jsonl").unlink()
    again = tuning.tune(job(3), tmp_path / "v.jsonl", url(tmp_path))
    (tmp_path / "whole").mkdir()
    whole = tuning.tune(job(3), tmp_path / "whole" / "v.jsonl", url(tmp_path / "whole"))
    assert again is not None
    assert whole is not None
    tried = [sorted(one.items(), key=str) for one in again["tuning"]["history"]]
    assert sorted(tried) == sorted(sorted(one.items(), key=str) for one in whole["tuning"]["history"])
    assert again["tuning"]["trials"] == 3


@pytest.mark.parametrize("protocol", ["published", "random"])
def test_what_cannot_be_split_is_refused_before_anything_is_written(protocol, rings, tmp_path):
    few = protocol == "random"
    rings.data.y = rings.data.y[:2] if few else rings.data.y
    wrong = replace(job(2), base=replace(BASE, protocol=protocol))
    with pytest.raises(LvcError, match="too few for protocol random" if few else "there are no published splits"):
        tuning.tune(wrong, tmp_path / "new" / "v.jsonl")
    assert list(tmp_path.iterdir()) == []


def test_a_study_in_memory_leaves_no_file_and_is_of_one_process(rings, tmp_path, monkeypatch, capfd):
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    for storage in ("sqlite://", "sqlite:///:memory:"):
        row = tuning.tune(job(2), tmp_path / f"{len(storage)}.jsonl", storage)
        assert row is not None
        assert row["tuning"]["trials"] == 2
        with pytest.raises(LvcError, match="is in memory, which 2 processes do not share; name a file, or leave jobs"):
            tuning.tune(job(3), tmp_path / "v.jsonl", storage, jobs=2)
    assert list((tmp_path / "here").iterdir()) == []
    assert capfd.readouterr().err == ""


def test_trials_that_two_processes_began_at_one_moment_are_not_one_too_many(rings, tmp_path, monkeypatch, count_fits):
    fits = count_fits(vertex)
    study = studies.open_study(job(2), url(tmp_path))
    make_trials(job(2), study)
    made = len(fits)
    seen = iter([1, 2])  # the other's second trial was not there yet
    monkeypatch.setattr("lvc.experiments.trials.count", lambda *_: next(seen))
    make_trials(job(2), study)
    assert len(fits) == made
    assert studies.count(study, *studies.FINISHED) == 2
    assert studies.count(study, TrialState.FAIL) == 1


@pytest.mark.parametrize("folder", ["d?1", "p%20p", "a#b", "ä ö"])
def test_trials_are_kept_beside_the_results_whatever_the_folder_is_called(folder, rings, tmp_path):
    tuning.tune(job(1), tmp_path / folder / "v.jsonl")
    assert [one.name for one in tmp_path.iterdir()] == [folder]
    assert (tmp_path / folder / "studies.db").is_file()


def test_results_are_not_written_where_trials_are_kept(rings, tmp_path):
    place = tmp_path / "studies.db"
    with pytest.raises(LvcError, match=r"studies\.db is where trials are kept; choose another file for results"):
        tuning.tune(job(1), place)
    assert list(tmp_path.iterdir()) == []
    tuning.tune(job(1), tmp_path / "v.jsonl")
    before = place.read_bytes()
    with pytest.raises(LvcError, match=r"cannot add lines to .*studies\.db: it is no text; choose another file"):
        tuning.tune(job(1), place, url(tmp_path / "other"))
    assert place.read_bytes() == before


def test_finalists_that_would_not_be_compared_are_refused():
    with pytest.raises(LvcError, match="trials on every split leave nothing to compare finalists on; leave finalists"):
        job(4, tuning_splits=3, finalists=2)


def test_the_search_never_sees_test_labels(rings, tmp_path):
    once = job(5, tuning_splits=1)
    honest = studies.open_study(once, url(tmp_path))
    make_trials(once, honest)
    test = vertex.prepare(BASE).splits[0].test
    rings.data.y[test] = 1 - rings.data.y[test]
    (tmp_path / "poisoned").mkdir()
    fooled = studies.open_study(once, url(tmp_path / "poisoned"))
    make_trials(once, fooled)
    assert history(fooled) == history(honest)
    train = vertex.prepare(BASE).splits[0].train  # and the test can fail: training labels do change it
    rings.data.y[train] = 1 - rings.data.y[train]
    (tmp_path / "other").mkdir()
    other = studies.open_study(once, url(tmp_path / "other"))
    make_trials(once, other)
    assert history(other) != history(honest)


def test_the_best_is_trained_on_every_split_once(rings, tmp_path):
    results = tmp_path / "v.jsonl"
    row = tuning.tune(job(4), results)
    assert row is not None
    assert (tmp_path / "studies.db").exists()
    tried = [one["estimate"] for one in row["tuning"]["history"]]
    whole = [one["estimate"] for one in row["tuning"]["history"] if one["splits"] == 2]
    first = row["splits"][:2]
    assert round(50 * sum(one["estimate"] for one in first), 2) == max(whole)
    assert len(tried) == row["tuning"]["trials"] == 4
    before = results.read_text()
    assert tuning.tune(job(4), results) == json.loads(json.dumps(row))
    assert results.read_text() == before
    assert len(read_rows(results)[0]) == 1
    (tmp_path / "studies.db").unlink()
    assert tuning.tune(job(4), results) == json.loads(json.dumps(row))
    assert not (tmp_path / "studies.db").exists()  # its line is there, so its trials are not made again
    more = tuning.tune(job(5), results)
    assert more is not None
    assert more["tuning"]["trials"] == 5


def test_finalists_that_there_were_not_are_not_looked_for_again(rings, tmp_path):
    results = tmp_path / "v.jsonl"
    row = tuning.tune(job(2, finalists=3), results)
    assert row is not None
    assert row["tuning"]["finalists_asked"] == 3
    (tmp_path / "studies.db").unlink()
    assert tuning.tune(job(2, finalists=3), results) == json.loads(json.dumps(row))
    assert tuning.tune(job(2), results) == json.loads(json.dumps(row))
    assert not (tmp_path / "studies.db").exists()
    tuning.tune(job(2, finalists=4), results)
    assert (tmp_path / "studies.db").exists()


def test_a_line_that_does_not_say_how_many_trials_it_had_is_not_enough(rings, tmp_path):
    results = tmp_path / "v.jsonl"
    row = tuning.tune(job(2), results)
    assert row is not None
    del row["tuning"]["trials"]
    results.write_text(json.dumps(row) + "\n")
    again = tuning.tune(job(2), results)
    assert again is not None
    assert again["tuning"]["trials"] == 2


def test_an_error_of_the_user_is_no_finished_trial(rings, tmp_path, monkeypatch):
    study = studies.open_study(job(2), url(tmp_path))
    with monkeypatch.context() as patch:
        patch.setattr(vertex, "prepare", Mock(side_effect=LvcError("cannot load rings")))
        with pytest.raises(LvcError, match="cannot load rings"):
            make_trials(job(2), study)
    assert studies.count(study, *studies.FINISHED) == 0
    make_trials(job(2), study)
    assert studies.count(study, *studies.FINISHED) == 2


def test_unlike_searches_have_studies_of_their_own():
    jobs = [
        job(),
        job(tuning_splits=1),
        job(largest_radius=3),
        job(fixed=()),
        replace(job(), base=replace(BASE, seed=1)),
        replace(job(), base=replace(BASE, protocol="per-class")),
    ]
    assert len({one.name for one in jobs}) == len(jobs)
    assert job(99).name == job(1).name
    kept = studies.Tuning(VertexSettings("Cora", "sgn-bf", epochs=500, patience=60), 30, 3, 4, ("epochs", "patience"))
    assert kept.name == "Cora-sgn-bf-random-d2bc3056"  # a change here disowns every study that there is


def test_the_space_holds_the_papers():
    space = space_of(VertexSettings, "sgn-bf")
    papers: dict[str, list[Any]] = {
        "num_layers": [1, 2, 3, 4, 5],
        "dropout": [0.2, 0.5, 0.7, 0.9],
        "radius": [1, 2, 3, 4],
        "hidden_channels": [64, 128],
        "act": ["relu", None],
        "own_term": [True, False],
    }
    for name, values in papers.items():
        for value in values:
            assert space[name]._contains(space[name].to_internal_repr(value)), (name, value)
    for model in ("sgn-bf", "sgn-df", "gcn", "appnp"):
        for start in starts_of(VertexSettings, model, space_of(VertexSettings, model)):
            assert start.keys() == space_of(VertexSettings, model).keys()
    assert "radius" not in space_of(VertexSettings, "sgn-bf", fixed=("search",))
    assert "radius" not in space_of(VertexSettings, "gcn")


@pytest.mark.parametrize("model", ["sgn-bf", "sgn-df"])
def test_on_graphs_sgn_is_given_every_start_of_gin_with_the_papers_sums(model):
    space, gin = space_of(GraphSettings, model), space_of(GraphSettings, "gin")
    starts = starts_of(GraphSettings, model, space)
    for start in starts:
        assert start.keys() == space.keys()
        assert all(space[name]._contains(space[name].to_internal_repr(value)) for name, value in start.items())
    of_gin = [{name: start[name] for name in gin} for start in starts if start["scale"] == "sum"]
    assert all(start in of_gin for start in starts_of(GraphSettings, "gin", gin))
    assert {(start["scale"], start["radius"]) for start in starts} == {("sum", 1), ("sum", 2), ("mean", 1)}
    assert {(start["readout"], start["head_layers"]) for start in starts} == {("sum", 2), ("mean", 0)}


def test_what_cannot_be_searched_is_said(rings, tmp_path, monkeypatch):
    with pytest.raises(LvcError, match="trials must be at least 1, got 0"):
        job(0)
    with pytest.raises(LvcError, match="tuning_splits must be at most 3, as splits, got 4"):
        job(1, tuning_splits=4)
    with pytest.raises(LvcError, match="cannot open the study in 'nosuch://x'"):
        studies.open_study(job(), "nosuch://x")

    def refuse(settings):
        raise TooLargeError("it would need 1 TB")

    monkeypatch.setattr(vertex, "prepare", refuse)
    study = studies.open_study(job(2), url(tmp_path))
    make_trials(job(2), study)
    with pytest.raises(LvcError, match="came to an end: it would need 1 TB"):
        finalists(job(2), study)


def test_a_storage_that_is_damaged_inside_is_one_sentence(rings, tmp_path):
    tuning.tune(job(1), tmp_path / "v.jsonl")
    with closing(sqlite3.connect(tmp_path / "studies.db")) as database:
        database.execute("ALTER TABLE trial_params RENAME COLUMN param_value TO lost")
        database.commit()
    with pytest.raises(LvcError, match=r"cannot use the study in 'sqlite:.*; try again; if it stays so, name another"):
        tuning.tune(job(2), tmp_path / "v.jsonl")


def test_lvc_tune_killed_and_started_again(real_data, tmp_path):
    def command(out: str) -> list[str]:
        options = ["--model", "mlp", "--trials", "4", "--tuning-splits", "2", "--splits", "2", "--set", "epochs=60"]
        return [sys.executable, "-m", "lvc.cli", "tune", "vertex", "Texas", *options, "--out", str(tmp_path / out)]

    environment = {**os.environ, "LVC_CACHE": str(tmp_path / "cache")}
    done = subprocess.run(command("a/v.jsonl"), capture_output=True, text=True, check=True, env=environment)
    assert "best settings: " in done.stdout
    assert "mlp on Texas, protocol random, 2 splits:" in done.stdout
    job = subprocess.Popen(command("b/v.jsonl"), env=environment, stdout=subprocess.DEVNULL)
    database = tmp_path / "b" / "studies.db"
    while job.poll() is None and not (database.exists() and b"owner" in database.read_bytes()):
        time.sleep(0.01)
    job.send_signal(signal.SIGKILL)
    assert job.wait() == -signal.SIGKILL
    subprocess.run(command("b/v.jsonl"), check=True, env=environment, stdout=subprocess.DEVNULL)
    (one,), (other,) = (read_rows(tmp_path / name / "v.jsonl")[0] for name in "ab")
    assert one["tuning"]["history"] == other["tuning"]["history"]
    assert [split["test"] for split in one["splits"]] == [split["test"] for split in other["splits"]]


def test_trials_side_by_side_are_those_of_one_process(real_data, tmp_path):
    environment = {**os.environ, "LVC_CACHE": str(tmp_path / "cache")}
    options = ["--model", "mlp", "--trials", "3", "--tuning-splits", "2", "--splits", "2", "--set", "epochs=5"]
    found = []
    for jobs in "12":
        out = tmp_path / jobs / "vertex.jsonl"
        command = [sys.executable, "-m", "lvc.cli", "tune", "vertex", "Texas", *options, "--jobs", jobs]
        process = subprocess.Popen([*command, "--out", str(out)], env=environment, stdout=subprocess.DEVNULL)
        assert process.wait() == 0
        found.append(json.loads(out.read_text()))
        study = optuna.load_study(study_name=found[-1]["tuning"]["study"], storage=url(out.parent))
        owners = {one.user_attrs[studies.OWNER] for one in study.trials}
        assert (f"{socket.gethostname()}:{process.pid}" in owners) == (jobs == "1")
    one, two = found
    assert [split["test"] for split in one["splits"]] == [split["test"] for split in two["splits"]]
    assert one["settings"] == two["settings"]
    tried_one, tried_two = (sorted(json.dumps(trial) for trial in row["tuning"]["history"]) for row in found)
    assert len(tried_one) == 3
    assert tried_one == tried_two

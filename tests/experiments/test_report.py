"""Reports of fixed results equal stored ones. To store them again after a wanted change: stored/again.sh."""

import json
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from lvc import LvcError
from lvc.cli.common import usual_files
from lvc.cli.learning import _print_result
from lvc.experiments.by_setting import by_setting_table
from lvc.experiments.differences import best_tables, difference_tables
from lvc.experiments.paper import HETEROPHILIC, HOMOPHILIC, VERTEX
from lvc.experiments.report import accuracy_tables, entries, runtime_table, settings_table
from lvc.experiments.results import put_row, read_rows, result_row, summarise
from lvc.experiments.runs import SplitResult
from lvc.experiments.settings import SGN, GraphSettings, VertexSettings
from lvc.experiments.tables import Cell, Table, to_latex, to_markdown

STORED = Path(__file__).parent / "stored"
WRONG: tuple[Any, ...] = (None, "text", float("nan"))
NO_SPLITS: tuple[Any, ...] = ([], [3], {}, "text", None)
NO_FOLDS: tuple[Any, ...] = (3, [3], [{}], [{"trials": "4"}])
SPLIT: dict[str, Any] = {"test": 0.5, "epochs": 10, "seconds": 1.0}
BROKEN: list[dict[str, Any]] = [
    *({name: wrong} for name in ("mean", "std", "seconds", "validation", "estimate") for wrong in WRONG),
    *({"interval": wrong} for wrong in WRONG),
    *({"splits": wrong} for wrong in NO_SPLITS),
    *({"settings": asdict(VertexSettings("Cora", "gcn")) | {"seed": wrong}} for wrong in (None, "0", -1)),
    {"tuning": {"history": [{"estimate": 0.5, "splits": "a"}]}},
    {"tuning": {"tuning_splits": 0, "history": [{"estimate": None, "splits": 0}]}},
    *({"splits": [SPLIT | {name: wrong}]} for name in SPLIT for wrong in WRONG),
    *({"tuning": {name: wrong}} for name in ("trials", "seconds") for wrong in WRONG),
    *({"tuning": {"folds": wrong}} for wrong in NO_FOLDS),
    *({"tuning": {"finalists": wrong}} for wrong in (3, None, [3])),
    {"tuning": {"finalists_asked": "3"}},
    *({name: wrong} for name in ("task", "key") for wrong in (3, None, ["vertex"])),
    {"mean": True},
    {"mean": 10**400},
    {"splits": [SPLIT | {"epochs": 0}]},
    {"splits": [SPLIT | {"settings": 3}]},
]


def report(*arguments: str) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "lvc.cli", "report", *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=STORED)


@pytest.mark.parametrize(
    ("arguments", "stored"),
    [
        (["results.jsonl"], "report.md"),
        (["results.jsonl", "--format", "latex"], "report.tex"),
        (["results.jsonl", "--format", "html"], "report.html"),
        (["results.jsonl", "--settings"], "settings.md"),
        (["results.jsonl", "--best"], "best.md"),
        (["results.jsonl", "--against", "gcn"], "against.md"),
        (["runtime.jsonl", "--runtime"], "runtime.md"),
    ],
)
def test_report_equals_the_stored_one(arguments, stored):
    found = report(*arguments)
    assert found.stdout == (STORED / stored).read_text(encoding="utf-8")
    assert found.returncode == 0
    corrupted = "lvc: results.jsonl, line 4: not a result; skipped\n"
    assert found.stderr == (corrupted if "results.jsonl" in arguments else "")


def test_report_as_json():
    rows = json.loads(report("results.jsonl", "--json").stdout)
    wanted = {"task", "dataset", "model", "protocol", "mean", "std", "splits", "paper"}
    assert all(row.keys() >= wanted for row in rows)
    by_place = {(row["dataset"], row["model"], row["protocol"]): row for row in rows}
    assert len(by_place) == len(rows) == 11
    bf = by_place["Cora", "sgn-bf", "random"]
    assert (bf["task"], bf["mean"], bf["std"], bf["splits"], bf["paper"]) == ("vertex", 88.6, 1.1, 10, 88.7)
    assert by_place["Minesweeper", "gcn", "random"]["paper"] is None


def test_lines_of_mended_models_are_counted(tmp_path):
    current, mended = row_of(0.5), row_of(0.6, settings=VertexSettings("Cora", "h2gcn")) | {"version": 1}
    path = tmp_path / "r.jsonl"
    path.write_text(json.dumps(current) + "\n" + json.dumps(mended) + "\n")
    found = report(str(path))
    said = "lines are of models that have been mended since"
    assert (found.returncode, found.stderr) == (0, f"lvc: 1 of 2 {said}; left out\n")
    path.write_text(json.dumps(mended) + "\n")
    for option in ("--best", "--json", "--settings"):
        found = report(str(path), option)
        assert (found.returncode, found.stdout) == (2, "")
        assert found.stderr == f"lvc: 1 of 1 {said}; measure them again\n"


def test_results_are_found_where_training_puts_them(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(LvcError, match=r"there is no vertex\.jsonl or graph\.jsonl in results/ or out/; name a file"):
        usual_files("vertex", "graph")
    for folder, name in (("out", "vertex"), ("out", "graph"), ("results", "graph")):
        Path(folder).mkdir(exist_ok=True)
        Path(folder, f"{name}.jsonl").touch()
        if folder == "out":
            assert usual_files("vertex", "graph")[-1] == Path("out", f"{name}.jsonl")
    assert capsys.readouterr().err == ""
    assert usual_files("vertex", "graph") == [Path("results/graph.jsonl")]
    said = "these are the lines in results/; name out/vertex.jsonl and out/graph.jsonl to see yours"
    assert capsys.readouterr().err == f"lvc: {said}\n"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--out", "a.md", "--into", "b.md"], "--out and --into are two places; ask for one"),
        (["--json", "--best"], "--json prints every row"),
        (["--json", "--format", "latex"], "--json prints every row"),
        (["--json", "--into", "page.md"], "--json prints every row"),
    ],
)
def test_options_that_would_be_ignored_are_refused(options, sentence):
    found = report("results.jsonl", *options)
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr.startswith(f"lvc: {sentence}")
    assert len(found.stderr.splitlines()) == 1


def test_what_stands_in_the_table_was_chosen_on_validation():
    rows, _ = read_rows(STORED / "results.jsonl")
    means = [
        row["mean"] for row in rows if row["settings"]["model"] == "sgn-bf" and row["settings"]["dataset"] == "Cora"
    ]
    assert max(means) == 95.0
    shown = accuracy_tables(entries(rows))[0]
    assert shown.rows[1][1][0].text == "88.6 ± 1.1"
    for row in rows:
        row["mean"] = 100 - row["mean"]
    assert [entry["settings"] for entry in entries(rows)] == [
        entry["settings"] for entry in entries(read_rows(STORED / "results.jsonl")[0])
    ]


def test_of_one_study_the_last_decision_stands_in_the_table():
    def decided(estimate: float, study: str | None, **tuning: Any) -> dict[str, Any]:
        row = row_of(estimate)
        row["splits"][0]["estimate"] = estimate
        return row | {"tuning": {**({"study": study} if study else {}), **tuning}}

    def shown(*rows: dict[str, Any]) -> float:
        return entries(rows)[0]["mean"]

    lucky, compared = decided(0.9, "s", trials=30), decided(0.8, "s", trials=30, finalists=[])
    longer, other, by_hand = decided(0.7, "s", trials=40), decided(0.85, "t", trials=9), decided(0.95, None)
    assert shown(lucky, compared) == shown(compared, lucky) == shown(longer, compared) == 80.0
    assert shown(lucky, longer) == 70.0
    assert shown(lucky, compared, other) == 85.0  # between studies the estimate decides
    assert shown(lucky, compared, other, by_hand) == 95.0


def test_a_model_as_it_was_before_it_was_mended_is_in_no_table():
    old, now = (
        row_of(0.9, settings=VertexSettings("Cora", "h2gcn")),
        row_of(0.6, settings=VertexSettings("Cora", "h2gcn")),
    )
    assert now["version"] == 2
    old["splits"][0]["estimate"] = 0.9
    assert [entry["mean"] for entry in entries([old | {"version": 1}, now])] == [60.0]
    del old["version"]  # as lines had none
    assert entries([old]) == []


def test_of_studies_fold_by_fold_the_last_counts():
    first, second = in_folds("gin", {}, {}), in_folds("gin", {}, {})
    for one, other in zip(first["splits"], second["splits"], strict=True):
        one["estimate"], other["test"] = 0.9, 0.7  # better over all folds, some of which train on what others test
    assert entries([first, second])[0]["tests"] == [0.7, 0.7]
    assert entries([second, first])[0]["tests"] == [0.5, 0.5]
    assert entries([second, in_folds("gin", {})])[0]["tests"] == [0.7, 0.7]


def test_more_splits_than_the_protocol_has_make_no_better_result():
    def row(count: int, estimate: float) -> dict[str, Any]:
        done = [SplitResult(k, estimate, estimate, estimate, 1, 2, 0.1, ()) for k in range(count)]
        return result_row(VertexSettings("Cora", "gcn", splits=count), done)

    assert entries([row(10, 0.8), row(11, 0.1)])[0]["mean"] == 80.0
    assert entries([row(9, 0.9), row(11, 0.1)])[0]["mean"] == 10.0


def test_the_better_sgn_is_better_by_more_than_is_printed():
    better = row_of(0.7, 0.7, settings=VertexSettings("Cora", "sgn-df"))
    other = row_of(0.8, 0.8, settings=VertexSettings("Cora", "sgn-bf"))
    for one, estimate in ((better, 0.8504), (other, 0.8501)):
        one["estimate"] = 85.0
        for split in one["splits"]:
            split["estimate"] = estimate
    for rows in ([better, other], [other, better]):
        assert "70.0 ± 0.0 (SGN-DF)" in to_markdown(best_tables(entries(rows)))


def test_a_difference_of_nothing_has_no_minus():
    almost = row_of(0.8, 0.9), row_of(0.8, 0.8999, settings=VertexSettings("Cora", "sgn-bf"))
    assert "| +0.0 ± 0.1 |" in to_markdown(best_tables(entries(almost)))


def test_trials_of_borrowed_settings_are_not_counted_again():
    own = row_of(0.8, 0.9) | {"tuning": {"trials": 7}}
    as_in = row_of(0.8, 0.9, settings=VertexSettings("Cora", "gcn", seed=1))
    as_in |= {"tuning": {"as_in": own["key"], "protocol": "random", "trials": 7}}
    assert entries([own, as_in])[0]["trials"] == 7
    assert entries([as_in])[0]["trials"] == 7


def test_what_every_fold_chose_stands_before_what_all_chose_together():
    nested, together = in_folds("gin", {}, {}), row_of(0.9, 0.9, settings=GraphSettings("ENZYMES", "gin", runs=1))
    for split in together["splits"]:
        split["estimate"] = 0.95
    assert [entry["mean"] for entry in entries([together, nested, together])] == [50.0]


def test_trials_and_time_of_all_studies_are_added_up():
    first = in_folds("gin", {}, {}, trials=4)
    second = in_folds("gin", {}, {}, trials=3)
    first["tuning"]["study"], second["tuning"]["study"] = "a", "b"
    (entry,) = entries([first, second])
    assert (entry["trials"], entry["fold_trials"]) == (14, [7, 7])
    assert entry["seconds"] == pytest.approx(2 * 0.2 + 4 * 1.0)


def test_epochs_of_unlike_networks_are_not_compared():
    rows = [row_of(0.5, settings=VertexSettings("Cora", "gcn", hidden_channels=width)) for width in (64, 128)]
    with pytest.raises(LvcError, match="the models on Cora differ in width or layers"):
        runtime_table(rows)


def test_the_papers_numbers():
    assert len(VERTEX) == 99
    goals = {"Computers": 90.9, "Photo": 96.1, "CiteSeer": 79.7, "Cora": 89.5, "PubMed": 90.2, "Wisconsin": 91.2}
    goals |= {"Cornell": 89.5, "Texas": 88.7, "Chameleon": 72.8, "Squirrel": 59.0}
    for dataset, goal in goals.items():
        assert max(VERTEX[dataset, "sgn-bf"].mean, VERTEX[dataset, "sgn-df"].mean) == goal
    assert VERTEX["Cora", "bernnet"].deviation is None
    assert VERTEX["Squirrel", "h2gcn"] == (37.9, 2.0)


def test_what_cannot_be_reported_is_said(tmp_path):
    for arguments, sentence in (
        (["nosuch.jsonl"], "lvc: cannot read nosuch.jsonl: No such file or directory\n"),
        (["results.jsonl", "--format", "pdf"], "lvc: unknown format 'pdf'; use one of markdown, latex, html\n"),
        (["results.jsonl", "--settings", "--runtime"], "lvc: --settings and --runtime are two tables; ask for one"),
        (["results.jsonl", "--best", "--settings"], "lvc: --best and --settings are two tables; ask for one"),
    ):
        found = report(*arguments)
        assert found.returncode == 2
        assert found.stderr.startswith(sentence)
    rows, _ = read_rows(STORED / "runtime.jsonl")
    with pytest.raises(LvcError, match="no time of gcn on Cora"):
        runtime_table(rows[1:])


def test_a_report_is_written_to_a_file(tmp_path):
    assert report("results.jsonl", "--out", str(tmp_path / "r.md")).stdout == ""
    assert (tmp_path / "r.md").read_text(encoding="utf-8") == (STORED / "report.md").read_text(encoding="utf-8")


def test_a_report_is_written_between_the_marks_of_a_page(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(
        "before\n<!-- lvc report -->\nold\n<!-- end -->\nbetween\n<!-- lvc report --runtime -->\n<!-- end -->\nafter\n"
    )
    assert report("results.jsonl", "--into", str(page)).returncode == 0
    assert report("runtime.jsonl", "--runtime", "--into", str(page)).returncode == 0
    tables, times = ((STORED / name).read_text(encoding="utf-8") for name in ("report.md", "runtime.md"))
    first = f"<!-- lvc report -->\n\n{tables}\n<!-- end -->"
    second = f"<!-- lvc report --runtime -->\n\n{times}\n<!-- end -->"
    assert page.read_text(encoding="utf-8") == f"before\n{first}\nbetween\n{second}\nafter\n"
    unended = "<!-- lvc report -->\nprose\n<!-- lvc report --runtime -->\n<!-- end -->\n"
    page.write_text(unended)
    assert "must hold the marks" in report("results.jsonl", "--into", str(page)).stderr
    assert page.read_text() == unended
    page.write_text("no marks\n")
    assert "must hold the marks" in report("results.jsonl", "--into", str(page)).stderr
    assert page.read_text() == "no marks\n"


def row_of(*accuracies: float, settings: Any = None) -> dict[str, Any]:
    done = [SplitResult(k, 0.5, 0.4, one, 1, 2, 0.1, ()) for k, one in enumerate(accuracies)]
    return result_row(settings or VertexSettings("Cora", "gcn"), done)


def test_malformed_lines_are_named_and_skipped(tmp_path):
    whole, path = read_rows(STORED / "results.jsonl")[0][0], tmp_path / "r.jsonl"
    path.write_text("".join(json.dumps(whole | broken) + "\n" for broken in BROKEN) + json.dumps(whole) + "\n")
    found = report(str(path))
    named = [f"lvc: {path}, line {number}: not a result; skipped" for number in range(1, len(BROKEN) + 1)]
    assert (found.returncode, found.stderr.splitlines()) == (0, named)
    assert "87.9 ± 1.2" in found.stdout
    for option in ("--settings", "--runtime", "--json"):
        assert report(str(path), option).returncode == 0


def test_a_file_without_a_result_is_refused(tmp_path):
    path = tmp_path / "r.jsonl"
    path.write_text("root:x:0\n")
    found = report(str(path))
    sentence = "lvc: there is no line of results to report; make some with lvc train or lvc tune"
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr.splitlines() == [f"lvc: {path}, line 1: not a result; skipped", sentence]
    found = report(str(STORED / "results.jsonl"), "--out", str(tmp_path))
    assert (found.returncode, found.stderr) == (
        2,
        f"lvc: cannot write {tmp_path}: it is a directory; choose a file name\n",
    )


def test_a_line_that_is_not_utf_8_is_named_and_skipped(tmp_path):
    path, line = tmp_path / "r.jsonl", json.dumps(row_of(0.5, 0.6)).encode()
    path.write_bytes(line + b"\n" + line.replace(b"Cora", b"C\xf6ra") + b"\n" + line + b"\n" + b"[" * 200_000)
    rows, faults = read_rows(path)
    assert len(rows) == 2
    assert faults == [f"{path}, line {number}: not a result; skipped" for number in (2, 4)]


def test_a_line_that_is_not_utf_8_stays_where_it_is(tmp_path):
    path = tmp_path / "r.jsonl"
    path.write_bytes(b"\xff\n")
    for _ in range(2):
        put_row(path, row_of(0.5))
    assert path.read_bytes().startswith(b"\xff\n{")
    assert path.read_bytes().count(b"\n") == 2


def test_the_better_sgn_and_the_other_are_compared_split_by_split():
    def row(model: str, seed: int, *tests: float) -> dict[str, Any]:
        return row_of(*tests, settings=VertexSettings("Cora", model, seed=seed))

    def difference(*rows: dict[str, Any]) -> str:
        ((_, cells),) = best_tables(entries(rows))[0].rows
        return cells[2].text

    sgn, gcn = row("sgn-bf", 0, 0.8, 0.9, 0.85), row("gcn", 0, 0.7, 0.85, 0.8)
    assert difference(sgn, gcn) == "+6.7 ± 7.2"  # 10, 5 and 5: deviation 2.89, t = 4.303
    assert difference(sgn, row("gcn", 1, 0.7, 0.85, 0.8)) == "other splits"
    assert difference(sgn, row("gcn", 0, 0.7, 0.85)) == "other splits"
    assert difference(sgn) == ""

    (table,) = difference_tables(
        entries([sgn, gcn, row("mlp", 0, 0.75, 0.85, 0.8), row("gat", 1, 0.7, 0.85, 0.8)]), "gcn"
    )
    assert table.columns == ["Cora"]
    assert table.rows == [
        ("MLP", [Cell("+1.7 ± 7.2")]),  # 5, 0 and 0
        ("GAT", [Cell("other splits")]),
        ("SGN-BF", [Cell("+6.7 ± 7.2")]),
    ]
    (table,) = difference_tables(entries([sgn, row("mlp", 0, 0.65, 0.75, 0.75)]), "sgn-bf")
    assert table.rows == [("MLP", [Cell("-13.3 ± 7.2", bold=True)])]  # -15, -15 and -10
    with pytest.raises(LvcError, match="nothing was measured that SGN-BF could be compared with"):
        difference_tables(entries([sgn]), "sgn-bf")
    for name in ("GCN", "Gcn", "sgn-BF"):
        assert difference_tables(entries([sgn, gcn]), name)
    with pytest.raises(LvcError, match="no result is of the model 'gin'; there are gcn, sgn-bf"):
        difference_tables(entries([sgn, gcn]), "gin")


def test_bold_is_what_lies_beyond_its_interval_before_rounding():
    def ahead(*tests: float) -> Cell:
        rows = [
            row_of(*some, settings=VertexSettings("Cora", model))
            for model, some in (("gcn", [0.5] * len(tests)), ("mlp", [0.5 + one / 100 for one in tests]))
        ]
        ((_, (cell,)),) = difference_tables(entries(rows), "gcn")[0].rows
        return cell

    assert ahead(1.0, 1.1, 2.25) == Cell("+1.4 ± 1.7")
    assert ahead(1.0, 1.2, 1.9) == Cell("+1.4 ± 1.2", bold=True)
    assert ahead(0.85, 1.35, 2.06) == Cell("+1.4 ± 1.5")
    assert ahead(1.7, 1.7) == Cell("+1.7 ± 0.0")
    assert ahead(1.7, 1.7, 1.7) == Cell("+1.7 ± 0.0", bold=True)


def test_of_two_runs_on_all_splits_validation_decides_and_more_splits_go_first():
    few = row_of(0.9, 0.9, settings=VertexSettings("Cora", "gcn", splits=2))
    many = row_of(*[0.8] * 10, settings=VertexSettings("Cora", "mlp"))
    ((_, cells),) = best_tables(entries([few, many]))[0].rows
    assert cells[1].note == "MLP"


def test_the_interval_is_student_s():
    # t = 4.303 for two degrees of freedom, deviation 10, over the root of 3
    assert summarise([0.5, 0.6, 0.7]) == (60.0, 10.0, 24.8)
    assert summarise([0.5]) == (50.0, 0.0, None)
    assert row_of(0.5)["interval"] is None


def test_the_interval_of_an_old_line_is_computed_from_its_splits(capsys):
    old, alone = row_of(0.5, 0.6, 0.7) | {"interval": 11.3}, row_of(0.5) | {"interval": 0.0}
    assert [entry["interval"] for row in (old, alone) for entry in entries([row])] == [24.8, None]
    _print_result(old, Path("r.jsonl"))
    _print_result(alone, Path("r.jsonl"))
    printed = capsys.readouterr().out.splitlines()
    assert printed[1] == "test accuracy 60.0 ± 24.8 (95 % interval), deviation 10.0"
    assert printed[4] == "test accuracy 50.0, deviation 0.0"


def test_a_line_without_an_interval_is_a_result_if_it_has_one_split(tmp_path):
    put_row(tmp_path / "r.jsonl", row_of(0.5))
    rows, faults = read_rows(tmp_path / "r.jsonl")
    assert (len(rows), faults) == (1, [])
    assert entries(rows)[0]["interval"] is None


def in_folds(model: str, *chosen: dict[str, Any], trials: int = 4) -> dict[str, Any]:
    row = row_of(*[0.5] * len(chosen), settings=GraphSettings("ENZYMES", model))
    for split, settings in zip(row["splits"], chosen, strict=True):
        split["settings"] = settings
    folds = [{"trials": trials, "seconds": 1.0} for _ in chosen]
    return row | {"tuning": {"trials": trials * len(chosen), "seconds": 1.0 * len(chosen), "folds": folds}}


def test_settings_of_folds_are_those_that_the_folds_used():
    row = in_folds("sgn-bf", {"search": "bfs:1", "dropout": 0.5}, {"norm": None, "patience": 9}, {"batch_size": 128})
    table = settings_table(entries([row]))
    shown = dict(zip(table.columns, (cell.text for cell in table.rows[0][1]), strict=True))
    assert shown["search"] == "bfs:1 ×1, bfs:2 ×2"
    assert shown["dropout"] == "0.2 ×2, 0.5 ×1"
    assert shown["norm"] == "- ×1, batch_norm ×2"
    assert (shown["batch_size"], shown["patience"]) == ("32 ×2, 128 ×1", "9 ×1, 50 ×2")
    assert (shown["num_layers"], shown["readout"], shown["trials"]) == ("3", "sum", "4 a fold")
    older = in_folds("sgn-df", {}, {})
    del older["settings"]["head_layers"]
    both = settings_table(entries([older, in_folds("sgn-bf", {"head_layers": 2}, {"head_layers": 2})]))
    assert [line[1][both.columns.index("head_layers")].text for line in both.rows] == ["2", "0"]
    assert r"bfs:1 $\times$1" in to_latex([table])
    named = Table("a", ("#1 50% of {x}",), [("A&B_\\", [Cell("~$^")])])
    written = to_latex([named])
    assert r"\#1 50\% of \{x\}" in written
    assert r"A\&B\_\textbackslash{} & \textasciitilde{}\$\textasciicircum{}" in written
    sorts = settings_table(entries([in_folds("dgcnn", {}, {})]))
    assert sorts.rows[0][1][sorts.columns.index("readout")].text == ""
    assert not {"readout", "batch_size"} & set(settings_table(entries([row_of(0.5)])).columns)


def test_trials_of_folds_are_counted_in_each():
    def trials(*rows: dict[str, Any]) -> str:
        return next(cells[0].text for name, cells in accuracy_tables(entries(rows))[0].rows if name == "trials")

    four, six = in_folds("gin", {}, {}), in_folds("sgn-bf", {}, {}, trials=6)
    once = row_of(0.5, 0.5, settings=GraphSettings("ENZYMES", "sgn-df")) | {"tuning": {"trials": 7}}
    assert trials(four) == "4 a fold"
    assert trials(four, six) == "4-6 a fold"
    assert trials(four, six, once) == "7, 4-6 a fold"


def test_memory_is_that_of_the_largest_process(monkeypatch):
    code = (
        "import resource; from lvc.experiments.results import _peak_memory; from lvc.processes import side_by_side\n"
        "list(side_by_side(eval, [('len(bytes([1]) * (400 << 20))',)], 1, int))\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024, _peak_memory())"
    )
    between = "import subprocess, sys; subprocess.run([sys.executable, '-c', sys.argv[1]], check=True)"
    command = [sys.executable, "-c", between, code]  # a process begins with the peak of the one that started it
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    own, largest = map(int, ran.stdout.split())
    assert own < 400 <= largest
    monkeypatch.setitem(sys.modules, "resource", None)  # as on Windows
    assert row_of(0.5)["memory_mb"] is None


def searched(*trials: tuple[Any, ...], dataset: str = "Cora", model: str = "sgn-bf", splits: int = 2) -> dict[str, Any]:
    names = ("estimate", "splits", "radius", "dropout")
    history = [dict(zip(names, trial, strict=True)) for trial in trials]
    row = row_of(0.5, settings=VertexSettings(dataset, model))
    return row | {"tuning": {"study": f"{dataset}-{model}", "tuning_splits": splits, "history": history}}


def test_the_best_trial_with_each_value_of_a_setting():
    cora = searched((80.04, 2, 1, 0.1), (81.0, 2, 2, 0.2), (83.0, 1, 2, 0.3), (79.0, 2, 2, 0.1), (None, 0, 3, 0.1))
    computers = searched((90.0, 1, 3, 0.1), (91.0, 1, 1, 0.1), dataset="Computers", model="sgn-df", splits=1)
    alone = searched((50.0, 2, 1, 0.1), dataset="Texas")
    table = by_setting_table([cora, alone, computers, row_of(0.5)], "radius")
    assert list(table.columns) == ["1", "2", "3"]
    assert [name for name, _ in table.rows] == ["Computers, SGN-DF", "Cora, SGN-BF"]  # as in the other tables
    shown = [[(cell.text, cell.note, cell.bold) for cell in cells] for _, cells in table.rows]
    assert shown[0] == [("91.0", "1", True), ("", "", False), ("90.0", "1", False)]
    assert shown[1] == [("80.0", "1", False), ("81.0", "2", True), ("", "", False)]  # not those that were given up
    deep = searched((79.0, 2, 1, 0.1), (78.0, 2, 2, 0.1))
    for trial in deep["tuning"]["history"]:
        del trial["dropout"]  # this study was told it
    table = by_setting_table([cora, deep | {"tuning": deep["tuning"] | {"study": "another"}}], "radius")
    assert [name for name, _ in table.rows] == ["Cora, SGN-BF", "Cora, SGN-BF, settings given: 1"]
    many = searched(*[(50.0 + k, 2, 1, k / 100) for k in range(11)])
    for rows, name, sentence in (
        ([cora], "estimate", "no search tried several values of 'estimate'; use one of dropout, radius"),
        ([row_of(0.5)], "radius", "only studies of vertices are compared, and there is none"),
        ([many], "dropout", "11 values of dropout were tried; choose a setting with fewer, such as radius"),
    ):
        with pytest.raises(LvcError, match=sentence):
            by_setting_table(rows, name)


def test_a_line_whose_trials_are_no_trials_is_skipped(tmp_path):
    for number, broken in enumerate(([1], [{"estimate": "x"}], [{"estimate": 1.0, "radius": [1]}], {"a": 1})):
        row = searched()
        row["tuning"]["history"] = broken
        (tmp_path / f"{number}.jsonl").write_text(json.dumps(row) + "\n")
        assert len(read_rows(tmp_path / f"{number}.jsonl")[1]) == 1


ROOT = Path(__file__).parent.parent.parent
PAGES = {"vertex": "docs/results.md", "graph": "docs/results-on-graphs.md"}


def test_the_three_best_baselines_by_validation_are_measured_per_class_too():
    found = entries(read_rows(ROOT / "results" / "vertex.jsonl")[0])
    per_class = {(one["dataset"], one["model"]) for one in found if one["protocol"] == "per-class"}
    assert {dataset for dataset, _ in per_class} == {dataset for dataset, _ in VERTEX}
    for dataset in (*HOMOPHILIC, *HETEROPHILIC):
        baselines = [one for one in found if (one["dataset"], one["protocol"]) == (dataset, "random")]
        baselines = [one for one in baselines if one["model"] not in SGN]
        best = sorted(baselines, key=lambda one: -one["estimate"])[:3]
        assert per_class >= {(dataset, model) for model in (*SGN, *(one["model"] for one in best))}


def test_the_pages_show_the_committed_results():
    shown = {name: (ROOT / name).read_text(encoding="utf-8") for name in ("README.md", *PAGES.values())}
    rows = {task: read_rows(ROOT / "results" / f"{task}.jsonl")[0] for task in PAGES}
    for task, page in PAGES.items():
        assert rows[task]
        assert to_markdown(accuracy_tables(entries(rows[task]))).strip() in shown[page]
    assert to_markdown(difference_tables(entries(rows["graph"]), "gin")).strip() in shown[PAGES["graph"]]
    times, _ = read_rows(ROOT / "results" / "runtime.jsonl")
    assert to_markdown([runtime_table(times)]).strip() in shown[PAGES["vertex"]]
    for setting in ("radius", "scale", "own_term"):
        assert to_markdown([by_setting_table(rows["vertex"], setting)]).strip() in shown[PAGES["vertex"]]
    assert to_markdown(best_tables(entries([*rows["vertex"], *rows["graph"]]))).strip() in shown["README.md"]

"""The command line as a user meets it: a fresh process, its output, its exit status."""

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import networkx as nx
import pytest

from lvc.cli import main

TRIANGLES, HEXAGON = "graph6:EwCW", "graph6:EhEG"


def lvc(*arguments: object, stdin: str | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", "-m", "lvc.cli", *map(str, arguments)]
    return subprocess.run(
        command, capture_output=True, text=True, input=stdin, env={**os.environ, **environment}, check=False
    )


@pytest.fixture
def karate(tmp_path: Path) -> Path:
    path = tmp_path / "karate.txt"
    path.write_text("".join(f"{u} {v}\n" for u, v in nx.karate_club_graph().edges))
    return path


def test_compare_says_so_by_exit_status():
    apart = lvc("compare", TRIANGLES, HEXAGON, "--search", "bfs:2")
    assert apart.returncode == 1
    assert apart.stdout.startswith("told apart by bfs:2 in round 1: 2 colours differ\n")
    same = lvc("compare", TRIANGLES, HEXAGON, "--search", "wl")
    assert same.returncode == 0
    assert same.stdout == "same colours under wl, stable after round 0\n"
    assert not apart.stderr
    assert not same.stderr


def test_compare_as_json():
    found = lvc("compare", TRIANGLES, HEXAGON, "--search", "dfs:1", "--json")
    assert found.returncode == 1
    answer = json.loads(found.stdout)
    assert answer["told_apart"] is True
    assert [(len(d["first"]), len(d["second"])) for d in answer["differences"]] == [(6, 0), (0, 6)]


def test_colour_prints_classes_and_json(karate):
    text = lvc("colour", karate, "--search", "bfs:2+dfs:1").stdout
    assert text.startswith("34 vertices, 78 edges, 27 colours under bfs:2+dfs:1, stable since round")
    answer = json.loads(lvc("colour", karate, "--json").stdout)
    assert answer["search"] == "bfs:2"
    assert answer["stable"] is True
    assert len(answer["colours"]) == 34
    assert json.loads(lvc("colour", karate, "--rounds", 0, "--json").stdout)["colours"] == [0] * 34


@pytest.mark.parametrize("option", ["--hashed", "--sweep"])
def test_colour_options_keep_the_partition(karate, option):
    plain, other = (json.loads(lvc("colour", karate, "--json", *more).stdout) for more in ((), (option,)))
    assert len(set(zip(plain["colours"], other["colours"], strict=True))) == len(set(plain["colours"]))
    assert (plain["exact"], other["exact"]) == (True, option != "--hashed")
    assert (plain["schedule"], other["schedule"]) == ("rounds", "sweep")


def test_small_graphs_uncompiled_and_compiled_agree():
    for arguments in (["compare", TRIANGLES, HEXAGON, "--search", "dfs:1"], ["colour", "graph6:DQc", "-s", "dfs:2"]):
        assert lvc(*arguments).stdout == lvc(*arguments, NUMBA_DISABLE_JIT="0").stdout


def test_labels_file(tmp_path):
    labels = tmp_path / "labels.txt"
    labels.write_text("0\n1\n0\n")
    answer = json.loads(lvc("colour", "graph6:Bw", "--labels", labels, "--json").stdout)
    assert answer["colours"][0] == answer["colours"][2] != answer["colours"][1]


def test_names_are_printed(tmp_path):
    path = tmp_path / "friends.csv"
    path.write_text("ann,bob\nbob,cid\n")
    assert "ann cid" in lvc("colour", path).stdout
    assert json.loads(lvc("colour", path, "--json").stdout)["names"] == ["ann", "bob", "cid"]
    assert "cut vertices        1: bob" in lvc("reveal", path).stdout


def test_standard_input_and_gzip(tmp_path):
    assert "3 vertices, 2 edges" in lvc("colour", "-", stdin="0 1\n1 2\n").stdout
    assert "standard input, line 2: " in lvc("colour", "-", stdin="0 1\n1\n").stderr
    path = tmp_path / "path.txt.gz"
    path.write_bytes(gzip.compress(b"0 1\n1 2\n"))
    assert "3 vertices, 2 edges" in lvc("colour", path).stdout


def test_pairs(tmp_path):
    path = tmp_path / "pairs.g6"
    path.write_text("EwCW\nEhEG\nBw\nBw\n")
    found = lvc("pairs", path, "--search", "bfs:2", "--json")
    assert json.loads(found.stdout) == {"search": "bfs:2", "told_apart": 1, "pairs": 2, "which": [0]}
    assert lvc("pairs", path, "--search", "wl").stdout == "0 of 2 pairs told apart by wl\n"
    path.write_text("EwCW\n")
    assert "the number of lines must be even" in lvc("pairs", path).stderr


def test_fingerprint_of_isomorphic_graphs():
    first, second = (lvc("fingerprint", f"graph6:{text}").stdout for text in ("Bg", "Bo"))
    assert first == second
    assert first.startswith("lvc1:")


def test_reveal_as_json():
    answer = json.loads(lvc("reveal", TRIANGLES, "--json").stdout)
    assert answer["blocks"] == [[0, 1, 2], [3, 4, 5]]
    assert answer["components"] == 2
    assert answer["bridges"] == []


def test_tree_prints_what_crosses_and_what_is_covered():
    text = lvc("tree", "graph6:C~", "--kind", "dfs").stdout
    assert "back edges  2->0 3->0 3->1" in text
    assert "3->1 covers 3 2 1" in text
    assert "2->0 crosses 3->1" in text
    assert lvc("tree", "graph6:C~", "--seed", 3).stdout != lvc("tree", "graph6:C~", "--seed", 4).stdout
    assert lvc("tree", "graph6:DQc", "--root", 1, "--radius", 1).stdout.startswith("visited     1 3\n")


def test_names_of_vertices_are_kept(tmp_path):
    path, star = tmp_path / "friends.csv", tmp_path / "star.csv"
    path.write_text("ann,bob\nbob,eve\neve,ann\neve,dan\n")
    star.write_text("sun,a\nsun,b\nsun,c\n")
    text = lvc("tree", path, "--kind", "dfs", "--root", "eve").stdout
    assert text.startswith("visited     eve ann bob dan\n")
    assert "bob->eve covers bob ann eve" in text
    answer = json.loads(lvc("compare", path, star, "--json").stdout)
    names = [set(some) for some in answer["names"]]
    assert names == [{"ann", "bob", "eve", "dan"}, {"sun", "a", "b", "c"}]
    found = lvc("tree", path, "--root", "zoe")
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr.startswith("lvc: there is no vertex 'zoe'; this graph's are ann bob ")


@pytest.mark.parametrize(
    "command", ["", "colour", "compare", "pairs", "fingerprint", "reveal", "tree", "claims", "demo"]
)
def test_help(command):
    found = lvc(*command.split(), "--help")
    assert found.returncode == 0
    assert "Usage:" in found.stdout


def test_no_arguments_is_help_and_version():
    assert "Commands:" in lvc().stdout
    assert lvc("--version").stdout.startswith("lvc ")


def test_claims_one_by_one_as_text_json_page_and_picture(tmp_path):
    found = lvc(
        "claims",
        "--only",
        "rook",
        "--only",
        "rook-printed",
        "--quick",
        "--markdown",
        tmp_path / "c.md",
        "--draw",
        tmp_path,
    )
    assert found.returncode == 0
    assert [line.split()[:2] for line in found.stdout.splitlines() if line.startswith("  ") and line[2] != " "] == [
        ["holds", "rook"],
        ["fails", "rook-printed"],
    ]
    assert "## rook-printed" in (tmp_path / "c.md").read_text()
    assert (tmp_path / "rook-printed.png").stat().st_size > 5000
    answer = json.loads(lvc("claims", "--only", "rook", "--quick", "--json").stdout)
    assert [row["id"] for row in answer] == ["rook"]


BAD = [
    (["claims", "--only", "fermat"], "unknown claim 'fermat'; use some of wl-eta"),
    (["compare", "nowhere.txt", HEXAGON], "there is no file nowhere.txt; check the path"),
    (["colour", "EhEG"], "there is no file EhEG; write graph6:EhEG for that graph"),
    (["compare", TRIANGLES, HEXAGON, "--search", "bfs:0"], "radius must be at least 1, got 0"),
    (["compare", TRIANGLES, HEXAGON, "--search", "dijkstra:2"], "unknown search 'dijkstra:2'"),
    (["compare", TRIANGLES], "Missing argument"),
    (["compare", TRIANGLES, HEXAGON, "--colour"], "No such option: --colour"),
    (["colour", "graph6:E"], "graph6"),
    (["colour", TRIANGLES, "--rounds", "-1"], "rounds must be a whole number, 0 or more, got -1"),
    (["colour", TRIANGLES, "--rounds", "two"], "--rounds"),
    (["colour", TRIANGLES, "-s", "dfs:1", "--sweep"], "schedule 'sweep' is for bfs"),
    (["colour", TRIANGLES, "-s", "wl", "--hashed"], "wl has no hashed mode"),
    (["colour", TRIANGLES, "--draw", "picture.doc"], "a figure's name must end in .png, .svg, .pdf"),
    (["colour", TRIANGLES, "--draw", "no/such/folder/picture.png"], "cannot write no/such/folder/picture.png"),
    (["tree", TRIANGLES, "--root", "9"], "root must be between 0 and 5, got 9"),
    (["tree", TRIANGLES, "--root", "x"], "there is no vertex 'x'; this graph's are numbers from 0 to 5"),
    (["tree", TRIANGLES, "--kind", "best"], "unknown kind of search 'best'"),
    (["fly"], "No such command 'fly'"),
    (["train", "vertex", "Cora", "--model", "gnc"], "unknown model 'gnc'"),
    (["train", "vertex", "Cora", "--model", "gcn", "--set", "seed=1"], "a setting is NAME=VALUE with one of"),
    (["train", "vertex", "Cora", "--model", "gcn", "--as-in", "nosuch.jsonl"], "cannot read nosuch.jsonl"),
    (["train", "vertex", "Coral", "--model", "gcn"], "unknown data set 'Coral'"),
    (["train", "vertex", "Cora", "--model", "sgn-bf", "-s", "dfs:1"], "sgn-bf searches like bfs:2, not dfs:1"),
    (["train", "vertex", "Cora", "--model", "sgn-bf", "--set", "act=foo"], "unknown act 'foo'; use one of none, relu"),
    (
        ["train", "vertex", "Cora", "--model", "gcn", "--threads", "-1"],
        "'--threads': Input should be greater than or equal to 1",
    ),
    (
        ["train", "vertex", "Cora", "--model", "gcn", "--seed", "99999999999999999999"],
        "seed must be 0 or more and less than 2^63, got 99999999999999999999",
    ),
    (
        ["train", "vertex", "Cora", "--model", "gcn", "--set", "hidden_channels=99999999999999999999"],
        "hidden_channels must be at least 1 and less than 2^63, got 99999999999999999999",
    ),
    (["train", "vertex", "Cora", "--model", "gcn", "--threads", "9999999"], "'--threads'"),
    (["train", "graph", "NCI", "--model", "gin"], "unknown data set of graphs 'NCI'"),
    (["train", "graph", "NCI1", "--model", "gni"], "unknown model 'gni'"),
    (["train", "graph", "DD", "--model", "gin", "--jobs", "0"], "'--jobs': Input should be greater than or equal to 1"),
    (["compare", TRIANGLES, HEXAGON, "-s", "bfs:--2"], "radius in 'bfs:--2' must be a number or inf"),
    (["tree", TRIANGLES, "--seed", "-1"], "a seed must be 0 or more, got -1"),
]


@pytest.mark.parametrize(("arguments", "sentence"), BAD, ids=[" ".join(arguments) for arguments, _ in BAD])
def test_bad_input_is_one_sentence_and_status_two(arguments, sentence, tmp_path):
    found = lvc(*arguments)
    assert found.returncode == 2
    assert found.stdout == ""
    assert sentence in found.stderr
    assert found.stderr.startswith("lvc: ")
    assert found.stderr.count("\n") == 1
    assert "Traceback" not in found.stderr


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "empty"),
        (b"0 1\n1 0\n", "line 2"),
        (b"0 1\n2 2\n", "line 2"),
        (b"0 1\n1\n", "line 2"),
        (b"\x00\x01\x02\xff", "not a text file"),
        (b"# vertices: 9 edges: 4\n0 1\n", "edges"),
    ],
)
def test_malformed_files_name_the_line(tmp_path, content, sentence):
    path = tmp_path / "graph.txt"
    path.write_bytes(content)
    found = lvc("colour", path)
    assert found.returncode == 2
    assert str(path) in found.stderr
    assert sentence in found.stderr
    assert found.stderr.count("\n") == 1


def test_what_does_not_fit_in_memory_is_refused(karate, tmp_path):
    found = lvc("colour", karate, LVC_MEMORY_GB="0.00002")
    assert found.returncode == 2
    assert "needs about" in found.stderr
    assert "use a smaller radius" in found.stderr
    huge = tmp_path / "huge.txt"
    huge.write_text("# vertices: 2147483647\n0 1\n")
    assert "a graph of 2147483647 vertices needs about 64 GB" in lvc("colour", huge, LVC_MEMORY_GB="20").stderr


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        RuntimeError("[...] DefaultCPUAllocator: can't allocate memory"),
        RuntimeError("Storage size calculation overflowed with sizes=[4611686018427387904, 5]"),
        TypeError("empty(): argument 'size' failed to unpack ... Overflow when unpacking long long"),
    ],
)
def test_memory_that_runs_out_is_one_sentence(error, monkeypatch, capsys):
    def fail(*arguments, **options):
        raise error

    monkeypatch.setattr("lvc.cli.run.app", fail)
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert capsys.readouterr().err.startswith("lvc: there is not enough memory for this; use a smaller graph")


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_closed_pipe_leaves_the_exit_status_its_meaning(unbuffered):
    command = f"{sys.executable} -m lvc.cli compare {TRIANGLES} {HEXAGON} --search $0 | true; exit ${{PIPESTATUS[0]}}"
    for search, status in (("wl", 0), ("bfs:2", 1)):
        found = subprocess.run(
            ["bash", "-c", command, search],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
        )
        assert found.returncode == status
        assert found.stderr == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_output_that_cannot_be_written_is_an_error():
    command = f"{sys.executable} -m lvc.cli compare {TRIANGLES} {HEXAGON} > /dev/full"
    found = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert found.returncode == 2
    assert found.stderr == "lvc: No space left on device; nothing more was written\n"


def test_a_pipe_can_be_read(karate):
    command = f"{sys.executable} -m lvc.cli colour <(cat {karate}) --search wl"
    found = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert found.stdout.startswith("34 vertices, 78 edges")


def test_simplify_drops_what_is_refused_otherwise(tmp_path):
    path = tmp_path / "graph.txt"
    path.write_text("0 1\n1 0\n1 1\n1 2\n")
    refused = lvc("reveal", path)
    assert refused.returncode == 2
    assert refused.stderr.endswith("; add --simplify to drop it\n")
    assert json.loads(lvc("reveal", path, "--simplify", "--json").stdout)["bridges"] == [[0, 1], [1, 2]]
    for command in ("colour", "fingerprint", "tree"):
        assert lvc(command, path, "--simplify").returncode == 0
    assert lvc("compare", path, path, "--simplify").returncode == 0


def test_compare_stops_at_a_round():
    found = lvc("compare", TRIANGLES, HEXAGON, "--search", "bfs:2", "--rounds", 0)
    assert found.returncode == 0
    assert found.stdout == "same colours under bfs:2, stopped after round 0\n"
    answer = json.loads(lvc("compare", TRIANGLES, HEXAGON, "-s", "bfs:2", "--rounds", 0, "--json").stdout)
    assert answer["stable"] is False


@pytest.mark.parametrize(
    "arguments", [["colour", TRIANGLES], ["compare", TRIANGLES, TRIANGLES], ["reveal", TRIANGLES], ["tree", TRIANGLES]]
)
def test_draw(arguments, tmp_path):
    pytest.importorskip("matplotlib")
    found = lvc(*arguments, "--draw", tmp_path / "picture.png")
    assert found.returncode == 0
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")


def test_a_closed_standard_input():
    found = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m lvc.cli colour - <&-"], capture_output=True, text=True, check=False
    )
    assert (found.returncode, found.stderr) == (2, "lvc: standard input is closed; give a file\n")

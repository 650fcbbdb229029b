"""Texts and files of graphs: answers worked by hand, networkx as a second opinion, and every way to be wrong."""

from __future__ import annotations

import gzip
import os
import re
from pathlib import Path

import networkx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lvc import graph6
from lvc.errors import LvcError
from lvc.formats import edge_line, read_edge_list, read_graph, read_graph6_lines, read_labels


@st.composite
def small_graphs(draw: st.DrawFn) -> networkx.Graph:
    n = draw(st.one_of(st.integers(0, 20), st.sampled_from([31, 32, 33, 62, 63, 64, 70])))
    m = draw(st.integers(0, min(60, n * (n - 1) // 2)))
    return networkx.gnm_random_graph(n, m, seed=draw(st.integers(0, 10_000)))


def edge_set(edges: np.ndarray) -> set[tuple[int, int]]:
    return {(min(u, v), max(u, v)) for u, v in edges.tolist()}


def write(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


# graph6 and sparse6


@pytest.mark.parametrize(
    ("text", "n", "edges"),
    [
        ("?", 0, []),
        ("@", 1, []),
        ("A?", 2, []),
        ("A_", 2, [(0, 1)]),
        ("Bw", 3, [(0, 1), (0, 2), (1, 2)]),
        (">>graph6<<Bw\n", 3, [(0, 1), (0, 2), (1, 2)]),
        ("DQc", 5, [(0, 2), (0, 4), (1, 3), (3, 4)]),  # the example of McKay's page
        (":Fa@x^", 7, [(0, 1), (0, 2), (1, 2), (5, 6)]),  # the same, sparse6
        (">>sparse6<<:Fa@x^", 7, [(0, 1), (0, 2), (1, 2), (5, 6)]),
        (":?", 0, []),
        (":@", 1, []),
        (":A", 2, []),
    ],
)
def test_decode_by_hand(text: str, n: int, edges: list[tuple[int, int]]) -> None:
    got_n, got = graph6.decode(text)
    assert got_n == n
    assert got.dtype == np.int64
    assert got.shape == (len(edges), 2)
    assert edge_set(got) == set(edges)


@given(small_graphs())
def test_graph6_agrees_with_networkx(graph: networkx.Graph) -> None:
    theirs = networkx.to_graph6_bytes(graph, header=False).decode().strip()
    n, edges = graph6.decode(theirs)
    assert n == len(graph)
    assert edge_set(edges) == {(min(e), max(e)) for e in graph.edges()}
    assert graph6.encode(n, np.array(list(graph.edges()), dtype=np.int64).reshape(-1, 2)) == theirs


@given(small_graphs(), st.booleans())
def test_sparse6_agrees_with_networkx(graph: networkx.Graph, header: bool) -> None:
    n, edges = graph6.decode(networkx.to_sparse6_bytes(graph, header=header).decode())
    assert n == len(graph)
    assert len(edges) == graph.number_of_edges()
    assert edge_set(edges) == {(min(e), max(e)) for e in graph.edges()}


@given(st.integers(2, 17), st.lists(st.tuples(st.integers(0, 16), st.integers(0, 16)), max_size=12))
def test_sparse6_keeps_loops_and_repeats(n: int, pairs: list[tuple[int, int]]) -> None:
    graph = networkx.MultiGraph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from((u % n, v % n) for u, v in pairs)
    text = networkx.to_sparse6_bytes(graph, header=False).decode()
    got = sorted((min(u, v), max(u, v)) for u, v in graph6.decode(text)[1].tolist())
    assert got == sorted((min(u, v), max(u, v)) for u, v in graph.edges())


@pytest.mark.parametrize("n", [62, 63, 258047, 258048])
def test_sizes_of_one_four_and_eight_characters(n: int) -> None:
    graph = networkx.empty_graph(n)
    graph.add_edge(0, n - 1)
    assert graph6.decode(networkx.to_sparse6_bytes(graph).decode())[0] == n


def test_a_large_graph6_finds_its_last_edges() -> None:
    n = 2000
    edges = np.array([(0, 1), (n - 3, n - 1), (n - 2, n - 1)], dtype=np.int64)
    assert graph6.decode(graph6.encode(n, edges))[1].tolist() == edges.tolist()


@settings(max_examples=300)
@given(st.text(alphabet=st.characters(min_codepoint=32, max_codepoint=300), max_size=12))
def test_any_text_is_a_graph_or_one_clear_error(text: str) -> None:
    try:
        n, edges = graph6.decode(text)
    except LvcError:
        return
    assert not len(edges) or (edges.min() >= 0 and edges.max() < n)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "the graph6 text is empty"),
        (">>graph6<<", "the graph6 text is empty"),
        ("Bw\nBw", "more than one line; give one graph at a time"),
        ("graph.txt", "character '.' at position 5 cannot stand"),
        ("Bé", "character 'é' at position 1 cannot stand"),
        ("D?", "graph6 with 5 vertices has 2 characters after the size, got 1; the line is cut short"),
        ("Bww", "graph6 with 3 vertices has 1 characters after the size, got 2; the line is too long"),
        ("~?", "ends inside the number of vertices"),
        ("~~??", "ends inside the number of vertices"),
        (":", "the sparse6 text ends inside the number of vertices"),
        ("Bx", "padding bits after the last pair of vertices must be 0"),
        (":C?~~", "names a vertex beyond its 4 vertices"),
        (":F" + "?", "padding bits are not 1"),
        ("&Bw", "begins with '&B' is neither graph6 nor sparse6"),
        (";Bw", "is neither graph6 nor sparse6"),
        (">>digraph6<<&Bw", "is neither graph6 nor sparse6"),
    ],
)
def test_bad_graph6_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(LvcError, match=re.escape(sentence)):
        graph6.decode(text)


# Files of graph6 lines


def test_read_graph6_lines_skips_blank_lines_and_header(tmp_path: Path) -> None:
    path = write(tmp_path, "two.g6", ">>graph6<<\nBw\n\n:A\n")
    assert [(graph.n, len(graph.edges)) for graph in read_graph6_lines(path)] == [(3, 3), (2, 0)]


def test_single_reader_names_the_command_for_many(tmp_path: Path) -> None:
    path = write(tmp_path, "two.g6", "Bw\nBw\n")
    with pytest.raises(
        LvcError, match=re.escape(f"holds 2 graphs where one was expected; compare them with: lvc pairs {path}")
    ):
        read_graph(path)


def test_graph6_error_names_file_and_line(tmp_path: Path) -> None:
    path = write(tmp_path, "bad.g6", "Bw\n\nBww\n")
    with pytest.raises(LvcError, match=re.escape(f"{path}, line 3: graph6 with 3 vertices")):
        read_graph6_lines(path)


@pytest.mark.parametrize("name", ["a.g6", "a.graph6", "a.s6", "a.sparse6", "a.g6.gz"])
def test_graph6_by_suffix(tmp_path: Path, name: str) -> None:
    path = write(tmp_path, name, gzip.compress(b"Bw\n") if name.endswith("gz") else "Bw\n")
    assert read_graph(path).n == 3


def test_graph6_by_header(tmp_path: Path) -> None:
    assert read_graph(write(tmp_path, "a.txt", ">>graph6<<Bw\n")).n == 3


def test_empty_graph6_file(tmp_path: Path) -> None:
    with pytest.raises(LvcError, match="is empty; write one graph6 text per line"):
        read_graph(write(tmp_path, "a.g6", "\n"))


# Edge lists


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.txt", "0 1\n1   3\n"),
        ("a", "0 1\r\n1\t3"),
        ("a.edges", "# a comment\n% another\n\n0 1\n1 3\n"),
        ("a.csv", "0,1\n1, 3\n"),
        ("a.csv", '"0","1"\n1,3\n'),
        ("a.TSV", "0\t1\n1\t3\n"),
        ("a.txt", "\ufeff0 1\n1 3\n"),
        ("a.txt", "# Vertices: 4 Edges: 2\n0 1\n1 3\n"),
        ("a.txt", "% vertices: 4\n0 1\n1 3\n"),
    ],
)
@pytest.mark.parametrize("squeeze", [False, True])
def test_edge_lists(tmp_path: Path, name: str, content: str, squeeze: bool) -> None:
    path = write(tmp_path, name + ".gz" * squeeze, gzip.compress(content.encode()) if squeeze else content)
    n, edges, names = read_graph(path)
    assert (n, edges.tolist(), names) == (4, [[0, 1], [1, 3]], None)


def test_counts_write_isolated_vertices(tmp_path: Path) -> None:
    assert read_edge_list(write(tmp_path, "a.txt", "# vertices: 9\n0 1\n")).n == 9
    assert read_edge_list(write(tmp_path, "b.txt", "# vertices: 3 edges: 0\n")).edges.shape == (0, 2)
    assert read_edge_list(write(tmp_path, "c.txt", "# vertices: 0")).n == 0


@pytest.mark.parametrize(
    ("content", "names", "edges"),
    [
        ("anna bert\nbert carl\n", ("anna", "bert", "carl"), [[0, 1], [1, 2]]),
        ("7 8\n8 x\n", ("7", "8", "x"), [[0, 1], [1, 2]]),
        ("01 1\n1 001\n", ("01", "1", "001"), [[0, 1], [1, 2]]),
        ("²x y\ny ³\n", ("²x", "y", "³"), [[0, 1], [1, 2]]),
        (
            "9223372036854775808 1\n1 9223372036854775809",
            ("9223372036854775808", "1", "9223372036854775809"),
            [[0, 1], [1, 2]],
        ),
    ],
)
def test_names(tmp_path: Path, content: str, names: tuple[str, ...], edges: list[list[int]]) -> None:
    raw = read_edge_list(write(tmp_path, "a.txt", content))
    assert raw.names == names
    assert raw.edges.tolist() == edges
    assert raw.n == len(names)


def test_csv_names_may_hold_spaces_and_commas(tmp_path: Path) -> None:
    raw = read_edge_list(write(tmp_path, "a.csv", '"Doe, Jane",John Roe\n'))
    assert raw.names == ("Doe, Jane", "John Roe")


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("a.txt", "", " is empty; write one edge per line"),
        ("a.txt", "# nothing\n", " is empty; write one edge per line"),
        ("a.txt", "0 1\n2\n", ", line 2: an edge is two vertices, got '2'"),
        ("a.txt", "0 1\n\n1 2 0.5\n", ", line 3: an edge is two vertices, got '1 2 0.5'; leave out weights"),
        ("a.txt", "0,1\n", ", line 1: an edge is two vertices, got '0,1'"),
        ("a.csv", "0,\n", ", line 1: an edge is two vertices"),
        ("a.txt", "0 5\n1 2\nnan 2\n", ", line 3: a vertex is a number from 0 on, or a name, got 'nan'"),
        ("a.txt", "0 1\n-1 2\n", ", line 2: a vertex is a number from 0 on, or a name, got '-1'"),
        ("a.txt", "0 1\n1 2.5\n", ", line 2: a vertex is a number from 0 on, or a name, got '2.5'"),
        ("a.csv", '0,1\n"a,2\n', ", line 2: an edge is two vertices"),
        ("a.csv", "source,target\n0,1\n1,2\n", ", line 1: this looks like a line of column names; put # in front"),
        ("a.txt", "0 1\n\0\0\n", ", line 2: this is not a text file"),
        ("a.txt", b"0 1\n\xff\xfe\n", ", line 2: this is not UTF-8 text"),
        (
            "a.txt",
            "\n# vertices: 2\n0 1\n1 2\n",
            ", line 2: the file says vertices: 2 and line 4 has a larger vertex than 1",
        ),
        (
            "a.txt",
            "# vertices: 3 edges: 3\n0 1\n1 2\n",
            ", line 1: the file says edges: 3 and has 2; correct the number",
        ),
        ("a.txt", "# vertices: 3\na b\n", ", line 1: the file says vertices: 3 and names 2; correct the number"),
        ("a.txt", "# vertices: six\n0 1\n", ", line 1: write the counts as '# vertices: 6 edges: 5'"),
        ("a.txt", "0 1\n# vertices: 3\n", ", line 2: state the counts once, before the first edge"),
        ("a.txt", "# vertices: 3\n# vertices: 3\n0 1\n", ", line 2: state the counts once"),
        ("a.txt", "0 1\n1 1000000000\n", ", line 2: the vertex number is too large for a file of 2 edges"),
        ("a.txt", "0 999999999999999999\n", ", line 1: the vertex number is too large for a file of 1 edges"),
    ],
)
def test_bad_edge_lists_are_refused(tmp_path: Path, name: str, content: str | bytes, sentence: str) -> None:
    path = write(tmp_path, name, content)
    with pytest.raises(LvcError, match=re.escape(f"{path}{sentence}")) as caught:
        read_graph(path)
    assert "\n" not in str(caught.value)


def test_one_named_row_alone_is_an_edge(tmp_path: Path) -> None:
    assert read_edge_list(write(tmp_path, "a.csv", "source,target\n")).names == ("source", "target")


def test_missing_file_and_directory(tmp_path: Path) -> None:
    with pytest.raises(LvcError, match=re.escape(f"there is no file {tmp_path / 'none.g6'}; check the path")):
        read_graph(tmp_path / "none.g6")
    with pytest.raises(LvcError, match=re.escape(f"{tmp_path} is a directory; give one file in it")):
        read_graph(tmp_path)


def test_truncated_and_damaged_gzip(tmp_path: Path) -> None:
    whole = gzip.compress("\n".join(f"{v} {v + 1}" for v in range(5000)).encode())
    for content in (whole[: len(whole) // 2], whole[:-6] + b"\0\0\0\0\0\0", whole + b"rubbish", whole[:5]):
        path = write(tmp_path, "a.txt.gz", content)
        with pytest.raises(LvcError, match=re.escape(f"{path} is a damaged gzip file after line ")):
            read_graph(path)


def test_edge_line_counts_comments_and_blank_lines(tmp_path: Path) -> None:
    path = write(tmp_path, "a.txt", "# one\n0 1\n\n% two\n1 2\n")
    assert (edge_line(path, 0), edge_line(path, 1)) == (2, 5)
    assert edge_line(write(tmp_path, "a.g6", ">>graph6<<\n\nBw\n"), 2) == 3


# Labels


@pytest.mark.parametrize("content", ["5\n-1\n# comment\n7\n", "2 7\n0 5\n1 -1\n"])
def test_labels_by_line_and_by_vertex(tmp_path: Path, content: str) -> None:
    labels = read_labels(write(tmp_path, "labels.txt", content), 3)
    assert labels.dtype == np.int64
    assert labels.tolist() == [5, -1, 7]


def test_labels_by_name_in_csv(tmp_path: Path) -> None:
    assert read_labels(write(tmp_path, "l.csv", "b,1\na,0\n"), 2, ("a", "b")).tolist() == [0, 1]


def test_labels_of_no_vertices(tmp_path: Path) -> None:
    assert read_labels(write(tmp_path, "l.txt", ""), 0).tolist() == []


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("1\n2\n", " has 2 labels for 3 vertices"),
        ("1\n2\n3\n4\n", " has 4 labels for 3 vertices"),
        ("1\nred\n3\n", ", line 2: a label must be an integer, got 'red'"),
        ("1\n2.5\n3\n", ", line 2: a label must be an integer, got '2.5'"),
        ("1\n99999999999999999999\n3\n", ", line 2: a label must be an integer"),
        ("0 1\n1 2\n5 3\n", ", line 3: the graph has no vertex '5'"),
        ("0 1\n1 2\n1 3\n", ", line 3: vertex '1' has a label already"),
        ("0 1\n1\n", ", line 2: write one label per line, or 'vertex label' on every line, got '1'"),
        ("0 1 2\n", ", line 1: write one label per line"),
    ],
)
def test_bad_labels_are_refused(tmp_path: Path, content: str, sentence: str) -> None:
    path = write(tmp_path, "labels.txt", content)
    with pytest.raises(LvcError, match=re.escape(f"{path}{sentence}")):
        read_labels(path, 3)


def test_a_pipe_is_refused_because_it_can_be_read_only_once(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(LvcError, match="pipe is a pipe or a device, which can be read only once; give a file"):
        read_edge_list(pipe)

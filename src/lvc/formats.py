"""Files of graphs: edge lists (plain, CSV, TSV, gzipped), graph6 and sparse6, and files of labels.

**Edge lists.** One edge per line, two vertices: separated by a comma in ``.csv``, a tab in ``.tsv``, else by white
space; any of them gzipped. Lines that begin with ``#`` or ``%`` are comments. If every vertex is a non-negative
integer, these are the vertices ``0..n-1`` and ``n`` is the largest plus one; otherwise all are names, numbered as they
first appear (integers with leading zeros or more than 18 digits count as names). Negative numbers, fractions and NaN
among plain numbers are refused.
A comment before the first edge may state the counts, and is then checked; it is how isolated vertices are written::

    # vertices: 6 edges: 2
    0 1
    1 2

**graph6, sparse6.** One graph per line, in files called ``.g6``, ``.graph6``, ``.s6``, ``.sparse6`` or that begin with
``>>graph6<<`` or ``>>sparse6<<``.
"""

from __future__ import annotations

import csv
import gzip
import os
import re
import zlib
from array import array
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import numpy as np

from lvc import graph6
from lvc.errors import LvcError

LARGEST = 2**31 - 1  # vertices are stored as int32
_GRAPH6_SUFFIXES = (".g6", ".graph6", ".s6", ".sparse6")
_COUNTS = re.compile(r"[#%]\s*vertices:\s*(\d+)(?:\s+edges:\s*(\d+))?\s*", re.IGNORECASE)
_STRAY = re.compile(r"[+-]\d+|[+-]?(\d+\.\d*|\.\d+)(e[+-]?\d+)?|[+-]?(nan|inf|infinity)", re.IGNORECASE)
_COUNTS_BEGIN = re.compile(r"[#%]\s*vertices:", re.IGNORECASE)


class RawEdges(NamedTuple):
    """Edges as a text gives them; nobody has checked yet that they make a simple graph."""

    n: int
    edges: np.ndarray  # int64[m, 2]
    names: tuple[str, ...] | None = None


def read_graph(path: str | os.PathLike[str]) -> RawEdges:
    """The one graph in the file: an edge list, graph6 or sparse6, by its suffix or first line."""
    if not holds_graph6(path):
        return read_edge_list(path)
    graphs = read_graph6_lines(path)
    if len(graphs) > 1:
        raise LvcError(f"{path} holds {len(graphs)} graphs where one was expected; compare them with: lvc pairs {path}")
    return graphs[0]


def read_graph6_lines(path: str | os.PathLike[str]) -> list[RawEdges]:
    """Every graph of a file with one graph6 or sparse6 text per line; empty lines are skipped."""
    graphs = []
    for number, line in _lines(path):
        if line in graph6.HEADERS:
            continue
        try:
            graphs.append(RawEdges(*graph6.decode(line)))
        except LvcError as error:
            raise LvcError(f"{path}, line {number}: {error}") from None
    if not graphs:
        raise LvcError(f"{path} is empty; write one graph6 text per line")
    return graphs


def read_edge_list(path: str | os.PathLike[str]) -> RawEdges:
    """The graph of an edge-list file; the module's first lines say how it is written."""
    separator = _separator(path)
    ends = array("q")
    index: dict[str, int] | None = None  # becomes a dictionary at the first vertex that is not a number
    counts: tuple[int, int, int | None] | None = None
    named_rows = first_row = 0
    for number, line in _lines(path):
        if line[0] in "#%":
            if _COUNTS_BEGIN.match(line):
                counts = _read_counts(path, number, line, first=counts is None and not ends)
            continue
        row = _columns(line, separator)
        if len(row) != 2 or not (row[0] and row[1]):
            raise LvcError(
                f"{path}, line {number}: an edge is two vertices, got {line[:40]!r}; leave out weights, and call the "
                "file .csv if commas separate its columns, .tsv if tabs do, .g6 if it is graph6"
            )
        u, v = _vertex_number(row[0]), _vertex_number(row[1])
        first_row = first_row or number
        if u < 0 or v < 0:
            named_rows += 1
            if index is None:
                index, first_named = {}, number
                ends = array("q", [index.setdefault(name, len(index)) for name in map(str, ends)])
                named_first = number == first_row
        if index is not None:
            u, v = (index.setdefault(name, len(index)) for name in row)
        ends.append(u)
        ends.append(v)
    if named_rows == 1 and named_first and len(ends) > 2:
        raise LvcError(f"{path}, line {first_row}: this looks like a line of column names; put # in front of it")
    if index is not None:
        _refuse_stray_numbers(path, index, first_named)
    edges = np.frombuffer(ends, dtype=np.int64).reshape(-1, 2) if ends else np.empty((0, 2), dtype=np.int64)
    n = _number_of_vertices(path, edges, index, counts)
    return RawEdges(n, edges, None if index is None else tuple(index))


def read_labels(path: str | os.PathLike[str], n: int, names: tuple[object, ...] | None = None) -> np.ndarray:
    """One integer label per vertex, int64[n].

    Either ``n`` lines with one integer each, the label of vertex 0, 1, ...; or ``n`` lines ``vertex label`` in any
    order, where ``vertex`` is a number, or a name if ``names`` says what the vertices are called. Columns and comments
    as in edge lists.
    """
    vertex_of = {str(name): vertex for vertex, name in enumerate(range(n) if names is None else names)}
    separator = _separator(path)
    labels: dict[int, int] = {}
    columns = 0
    for number, line in _lines(path):
        if line[0] in "#%":
            continue
        row = _columns(line, separator)
        columns = columns or len(row)
        where = f"{path}, line {number}"
        if len(row) != columns or columns > 2:
            raise LvcError(f"{where}: write one label per line, or 'vertex label' on every line, got {line!r}")
        vertex = len(labels) if columns == 1 else vertex_of.get(row[0], -1)
        if vertex < 0:
            raise LvcError(f"{where}: the graph has no vertex {row[0]!r}; write one label for each of its {n} vertices")
        if vertex in labels:
            raise LvcError(f"{where}: vertex {row[0]!r} has a label already; remove one of the two lines")
        if not re.fullmatch(r"-?[0-9]{1,18}", row[-1]):
            raise LvcError(f"{where}: a label must be an integer, got {row[-1]!r}; number the labels from 0")
        labels[vertex] = int(row[-1])
    if len(labels) != n:
        raise LvcError(f"{path} has {len(labels)} labels for {n} vertices; write one label for each vertex")
    return np.array([labels[vertex] for vertex in range(n)], dtype=np.int64)


def holds_graph6(path: str | os.PathLike[str]) -> bool:
    """Whether the file is graph6 or sparse6 rather than an edge list."""
    if _suffix(path) in _GRAPH6_SUFFIXES:
        return True
    _, line = next(_lines(path), (0, ""))
    return line.startswith(graph6.HEADERS)


def edge_line(path: str | os.PathLike[str], edge: int) -> int:
    """The line on which edge number ``edge`` of the file's first graph stands."""
    skip = graph6.HEADERS if holds_graph6(path) else ("#", "%")
    rows = (number for number, line in _lines(path) if not (line in skip or line[0] in skip))
    for _ in range(0 if skip is graph6.HEADERS else edge):
        next(rows)
    return next(rows)


def _lines(path: str | os.PathLike[str]) -> Iterator[tuple[int, str]]:
    """The number, from 1, and the text of every line that is not blank."""
    number = 0
    try:
        with ExitStack() as stack:
            for number, raw in enumerate(_opened(Path(path), stack), 1):
                if b"\0" in raw:
                    raise LvcError(f"{path}, line {number}: this is not a text file; give an edge list or graph6")
                line = raw.decode("utf-8-sig" if number == 1 else "utf-8").strip()
                if line:
                    yield number, line
    except UnicodeDecodeError:
        raise LvcError(f"{path}, line {number}: this is not UTF-8 text; save the file as UTF-8") from None
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise LvcError(f"{path} is a damaged gzip file after line {number}; copy or compress it again") from None
    except FileNotFoundError:
        raise LvcError(f"there is no file {path}; check the path") from None
    except IsADirectoryError:
        raise LvcError(f"{path} is a directory; give one file in it") from None
    except OSError as error:
        raise LvcError(f"cannot read {path}: {error.strerror}; check the file's permissions") from None


def _opened(path: Path, stack: ExitStack) -> Iterable[bytes]:
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise LvcError(f"{path} is a pipe or a device, which can be read only once; give a file")
    handle = stack.enter_context(path.open("rb"))
    return gzip.GzipFile(fileobj=handle) if handle.peek(2)[:2] == b"\x1f\x8b" else handle


def _suffix(path: str | os.PathLike[str]) -> str:
    return Path(str(path).lower().removesuffix(".gz")).suffix


def _separator(path: str | os.PathLike[str]) -> str | None:
    return {".csv": ",", ".tsv": "\t"}.get(_suffix(path))


def _columns(line: str, separator: str | None) -> list[str]:
    if separator is None:
        return line.split()
    try:
        row = next(csv.reader([line], delimiter=separator, strict=True)) if '"' in line else line.split(separator)
    except csv.Error:
        return []  # quotes that do not close: not two vertices
    return [field.strip() for field in row]


def _refuse_stray_numbers(path: str | os.PathLike[str], index: dict[str, int], line: int) -> None:
    """Names are fine; numbers among which a few are negative, broken or NaN are most likely a mistake."""
    odd = [name for name in index if _vertex_number(name) < 0]
    if len(odd) < len(index) and all(_STRAY.fullmatch(name) for name in odd):
        raise LvcError(
            f"{path}, line {line}: a vertex is a number from 0 on, or a name, got {odd[0]!r}; correct it, "
            "or write names such as v1"
        )


def _vertex_number(text: str) -> int:
    """The number written plainly, without sign or leading zero and in at most 18 digits; else -1."""
    if not (text.isascii() and text.isdigit()) or (text[0] == "0" and text != "0"):
        return -1
    return int(text) if len(text) <= 18 else -1


def _read_counts(path: object, number: int, line: str, *, first: bool) -> tuple[int, int, int | None]:
    found = _COUNTS.fullmatch(line)
    if not found or len(found[1]) > 10:
        raise LvcError(f"{path}, line {number}: write the counts as '# vertices: 6 edges: 5', got {line[:40]!r}")
    if not first:
        raise LvcError(f"{path}, line {number}: state the counts once, before the first edge; remove this line")
    return number, int(found[1]), None if found[2] is None else int(found[2])


def _number_of_vertices(
    path: str | os.PathLike[str],
    edges: np.ndarray,
    index: dict[str, int] | None,
    counts: tuple[int, int, int | None] | None,
) -> int:
    """``n``, and an error if the counts the file states are not so."""
    seen = int(edges.max(initial=-1)) + 1
    if counts is None:
        if not len(edges):
            raise LvcError(f"{path} is empty; write one edge per line, or '# vertices: 3' for vertices without edges")
        if seen > LARGEST or seen > 1_000_000 + 200 * len(edges):  # most likely identifiers, and gigabytes of nothing
            line = edge_line(path, int(edges.max(axis=1).argmax()))
            raise LvcError(
                f"{path}, line {line}: the vertex number is too large for a file of {len(edges)} edges; number the "
                "vertices from 0, or write them as names such as v7"
            )
        return seen
    line, n, m = counts
    if m is not None and m != len(edges):
        raise LvcError(f"{path}, line {line}: the file says edges: {m} and has {len(edges)}; correct the number")
    if index is not None and n != seen:
        raise LvcError(f"{path}, line {line}: the file says vertices: {n} and names {seen}; correct the number")
    if n < seen:
        largest = edge_line(path, int(edges.max(axis=1).argmax()))
        raise LvcError(
            f"{path}, line {line}: the file says vertices: {n} and line {largest} has a larger vertex than {n - 1}; "
            "correct the number, vertices count from 0"
        )
    return n

"""What commands share: arguments and options, reading a graph, printing."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lvc.errors import LvcError

if TYPE_CHECKING:
    from lvc.graph import Graph

GRAPH = "A graph: an edge list (plain, CSV, gzip), a graph6 or sparse6 file, graph6:TEXT, or - for standard input."
GraphArgument = Annotated[str, typer.Argument(metavar="GRAPH", help=GRAPH, show_default=False)]
SearchOption = Annotated[
    str,
    typer.Option(
        "--search",
        "-s",
        help="bfs:R, dfs:R, levels:R (R a number or inf), sums such as bfs:2+dfs:1, nest:R(S), pick:R(S), wl, fwl2.",
    ),
]
RoundsOption = Annotated[
    int | None, typer.Option(help="Stop after this round instead of when stable.", show_default=False)
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
SimplifyOption = Annotated[
    bool, typer.Option("--simplify", help="Drop directions, loops and repeated edges instead of refusing them.")
]
DrawOption = Annotated[
    Path | None, typer.Option("--draw", metavar="FILE", help="Also draw it: .png, .svg or .pdf.", show_default=False)
]


def read_graph(text: str, labels: Path | None = None, simplify: bool = False) -> Graph:
    """The graph that an argument names."""
    if text == "-" or (Path(text).exists() and not (Path(text).is_file() or Path(text).is_dir())):
        return _read_once(text, labels, simplify)
    return _graph_of(text, text, labels, simplify)


def _read_once(text: str, labels: Path | None, simplify: bool) -> Graph:
    """Standard input, or a pipe: readers look at a file's beginning before they read it, so they get a copy."""
    if text == "-" and sys.stdin is None:
        raise LvcError("standard input is closed; give a file")
    content = sys.stdin.buffer.read() if text == "-" else Path(text).read_bytes()
    with NamedTemporaryFile() as copy:
        copy.write(content)
        copy.flush()
        return _graph_of(copy.name, "standard input" if text == "-" else text, labels, simplify)


def _graph_of(text: str, called: str, labels: Path | None, simplify: bool) -> Graph:
    from lvc import formats
    from lvc.graph import Graph

    graph6 = text.removeprefix("graph6:") if text.startswith("graph6:") else None
    try:
        if simplify:
            graph = Graph.loose(Path(text) if graph6 is None else graph6).simplified()
        else:
            graph = Graph.from_file(text) if graph6 is None else Graph.from_graph6(graph6)
    except LvcError as error:
        if graph6 is None and not Path(text).exists() and _is_graph6(text):
            raise LvcError(f"there is no file {text}; write graph6:{text} for that graph") from None
        sentence, way_out, _ = str(error).partition("; call Graph.loose")
        raise LvcError(sentence.replace(text, called) + ("; add --simplify to drop it" if way_out else "")) from None
    return graph if labels is None else graph.with_labels(formats.read_labels(labels, graph.n, graph.names))


def _is_graph6(text: str) -> bool:
    from lvc.graph import Graph

    try:
        return Graph.from_graph6(text).n > 0
    except LvcError:
        return False


def check_drawable_first(draw: Path | None, *graphs: Graph) -> None:
    """What cannot be drawn is said before anything is computed."""
    if draw is not None:
        from lvc.viz.canvas import check_drawable

        check_drawable(draw, *graphs)


def interpret_if_small(*graphs: Graph) -> None:
    """On small graphs loading the compiled kernels takes longer than running them uncompiled, with the same result."""
    if sum(graph.n + graph.m for graph in graphs) <= 60 and "numba" not in sys.modules:
        os.environ.setdefault("NUMBA_DISABLE_JIT", "1")


def names_of(graph: Graph) -> tuple[Any, ...]:
    return graph.names or tuple(range(graph.n))


def vertex_called(name: str, graph: Graph) -> int:
    """The vertex with that name or, where vertices have none, with that number."""
    names = list(map(str, graph.names or ()))
    if name in names:
        return names.index(name)
    if names or not name.removeprefix("-").isdecimal():
        known = listed(names) if names else f"numbers from 0 to {graph.n - 1}"
        raise LvcError(f"there is no vertex {name!r}; this graph's are {known}")
    return int(name)


def joined(value: Any) -> str:
    return "-".join(map(str, value)) if isinstance(value, list) else str(value)


def listed(values: Iterable[Any], most: int = 12) -> str:
    shown = [str(value) for value in values]
    return " ".join(shown[:most]) + (f" ... ({len(shown) - most} more)" if len(shown) > most else "")


def bar_of(steps: int, what: str) -> Any:
    """A progress bar on standard error, if somebody is looking."""
    from tqdm import tqdm

    return tqdm(total=steps, desc=what, disable=not sys.stderr.isatty(), leave=False)


def rows_of(files: Iterable[Path]) -> list[dict[str, Any]]:
    """The result rows of the files; lines that are none are named and skipped."""
    from lvc.experiments.results import read_rows

    rows = []
    for path in files:
        some, faults = read_rows(path)
        rows += some
        for fault in faults:
            print(f"lvc: {fault}", file=sys.stderr)
    return rows


def where_it_is(out: Path, there: bool) -> str:
    """What is said of a result: whether it was ``there`` before."""
    return f"{out} had it already, nothing was trained" if there else f"written to {out}"


def usual_files(*names: str) -> list[Path]:
    """Where results of these names are: committed ones, else where lvc train and lvc tune put them."""
    committed, own = (
        [path for name in names if (path := Path(folder) / f"{name}.jsonl").exists()] for folder in ("results", "out")
    )
    if committed and own:
        print(f"lvc: these are the lines in results/; name {' and '.join(map(str, own))} to see yours", file=sys.stderr)
    if not committed and not own:
        wanted = " or ".join(f"{name}.jsonl" for name in names)
        raise LvcError(f"there is no {wanted} in results/ or out/; name a file, or make one with lvc train --out")
    return committed or own


def print_json(**facts: Any) -> None:
    print(json.dumps(facts))

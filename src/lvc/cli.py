"""The command line: parse, call, print. Everything it can do is a function of the library."""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Iterable
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lvc import __version__
from lvc.errors import LvcError

if TYPE_CHECKING:
    from lvc.graph import Graph

app = typer.Typer(
    name="lvc",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

UsageError: Any = typer.BadParameter.__base__  # typer has no public name for it

GRAPH = "A graph: an edge list (plain, CSV, gzip), a graph6 or sparse6 file, graph6:TEXT, or - for standard input."
GraphArgument = Annotated[str, typer.Argument(metavar="GRAPH", help=GRAPH, show_default=False)]
SearchOption = Annotated[
    str, typer.Option("--search", "-s", help="bfs:R, dfs:R (R a number or inf), sums such as bfs:2+dfs:1, wl, fwl2.")
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


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"lvc {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and stop.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Local vertex colouring: colour graphs by searches from every vertex, and tell them apart."""


@app.command()
def colour(
    graph: GraphArgument,
    search: SearchOption = "bfs:2",
    rounds: RoundsOption = None,
    labels: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Initial colours: one integer per line, or lines `vertex label`."),
    ] = None,
    sweep: Annotated[bool, typer.Option("--sweep", help="Sweep instead of rounds: bfs only, less memory.")] = False,
    hashed: Annotated[bool, typer.Option("--hashed", help="128-bit hashes, for size, instead of exact.")] = False,
    simplify: SimplifyOption = False,
    json_: JsonOption = False,
    draw: DrawOption = None,
) -> None:
    """Colour the vertices of a graph."""
    checked = _read(graph, labels, simplify)
    _check_drawable(draw, checked)
    _interpret_if_small(checked)
    from lvc.colouring.colour import colour as colour_graph

    schedule = "sweep" if sweep else "rounds"
    found = colour_graph(checked, search, rounds=rounds, schedule=schedule, exact=not hashed)
    if draw is not None:
        from lvc.viz.figures import draw_colouring

        draw_colouring(checked, found, draw)
    names = _names(checked)
    if json_:
        _print_json(
            search=str(found.search),
            vertices=checked.n,
            edges=checked.m,
            rounds=found.rounds,
            schedule=found.schedule,
            stable=found.stable,
            exact=not hashed,
            colours=found.vertex.tolist(),
            **({"names": list(names)} if checked.names else {}),
        )
        return
    how = f"stable since {found.when}" if found.stable else f"stopped after round {rounds}"
    size = f"{checked.n} vertices, {checked.m} edges"
    print(f"{size}, {found.classes} colours under {found.search}, {how}")
    classes = sorted(found.members(), key=len, reverse=True)
    for members in classes[:50]:
        print(f"{len(members):8d}  {_listed(names[v] for v in members)}")
    if len(classes) > 50:
        print(f"     ...  {len(classes) - 50} smaller classes; --json lists every vertex")


@app.command()
def compare(
    first: GraphArgument,
    second: GraphArgument,
    search: SearchOption = "bfs:2",
    rounds: RoundsOption = None,
    simplify: SimplifyOption = False,
    json_: JsonOption = False,
    draw: DrawOption = None,
) -> None:
    """Tell two graphs apart, and say where they differ. Exit status 0: same colours, 1: told apart, 2: bad input."""
    graphs = _read(first, simplify=simplify), _read(second, simplify=simplify)
    _check_drawable(draw, *graphs)
    _interpret_if_small(*graphs)
    from lvc.colouring.compare import compare as compare_graphs

    found = compare_graphs(*graphs, search, rounds=rounds)
    if draw is not None:
        from lvc.viz.figures import draw_comparison

        draw_comparison(*graphs, found, draw)
    if json_:
        differences = [{"colour": d.colour, "first": d.first, "second": d.second} for d in found.differences]
        verdict = {"told_apart": found.told_apart, "round": found.round, "stable": found.stable}
        _print_json(search=str(found.search), **verdict, differences=differences)
    elif not found.told_apart:
        how = "stable" if found.stable else "stopped"
        print(f"same colours under {found.search}, {how} after round {found.round}")
    else:
        print(f"told apart by {found.search} in round {found.round}: {len(found.differences)} colours differ")
        names = [_names(graph) for graph in graphs]
        for d in found.differences[:20]:
            print(f"  colour {d.colour}: {len(d.first)} vertices of the first graph, {len(d.second)} of the second")
            for named, members, which in zip(names, (d.first, d.second), ("first", "second"), strict=True):
                if members:
                    print(f"    {which}: {_listed(named[v] for v in members)}")
    raise typer.Exit(int(found.told_apart))


@app.command()
def pairs(
    file: Annotated[
        Path, typer.Argument(metavar="FILE.g6", help="graph6 lines; 2i and 2i+1 are pair i.", show_default=False)
    ],
    search: SearchOption = "bfs:2",
    json_: JsonOption = False,
) -> None:
    """Compare the pairs of graphs in a graph6 file."""
    from lvc.colouring.compare import distinguishes
    from lvc.graph import read_graphs
    from lvc.search.kinds import parse_search

    chosen = parse_search(search)
    graphs = read_graphs(file)
    if len(graphs) % 2:
        raise LvcError(f"{file}: {len(graphs)} graphs do not make pairs; the number of lines must be even")
    which = []
    with _bar(len(graphs) // 2, "pairs") as bar:
        for i, (first, second) in enumerate(zip(graphs[::2], graphs[1::2], strict=True)):
            which += [i] if distinguishes(first, second, chosen) else []
            bar.update()
    if json_:
        _print_json(search=str(chosen), told_apart=len(which), pairs=len(graphs) // 2, which=which)
    else:
        print(f"{len(which)} of {len(graphs) // 2} pairs told apart by {chosen}")


@app.command()
def fingerprint(graph: GraphArgument, search: SearchOption = "bfs:2", simplify: SimplifyOption = False) -> None:
    """Print a text that is equal for all graphs the search cannot tell apart, on any machine."""
    from lvc.colouring.fingerprint import fingerprint as fingerprint_of

    print(fingerprint_of(_read(graph, simplify=simplify), search))


@app.command()
def reveal(
    graph: GraphArgument, simplify: SimplifyOption = False, json_: JsonOption = False, draw: DrawOption = None
) -> None:
    """Print cut vertices, bridges, blocks, vertices on cycles and biconnectivity of a graph."""
    from lvc.colouring import reveal as revealed

    checked = _read(graph, simplify=simplify)
    _check_drawable(draw, checked)
    structure = revealed.structure(checked)
    names = _names(checked)
    facts: dict[str, Any] = {
        "components": structure.components,
        "cut_vertices": [names[v] for v in revealed.cut_vertices(checked)],
        "bridges": [[names[u], names[v]] for u, v in structure.bridges],
        "blocks": [[names[v] for v in block] for block in structure.blocks],
        "vertices_on_cycles": [names[v] for v in revealed.vertices_on_cycles(checked)],
        "biconnected": revealed.is_biconnected(checked),
        "edge_biconnected": revealed.is_edge_biconnected(checked),
    }
    if draw is not None:
        from lvc.viz.figures import draw_structure

        draw_structure(checked, draw)
    if json_:
        _print_json(**facts)
        return
    for what, value in facts.items():
        shown = f"{len(value)}: {_listed(_joined(v) for v in value)}" if isinstance(value, list) and value else value
        print(f"{what.replace('_', ' '):18}  {shown if shown != [] else 'none'}")


@app.command()
def tree(
    graph: GraphArgument,
    root: Annotated[int, typer.Option(help="Where the search starts.")] = 0,
    kind: Annotated[str, typer.Option(help="bfs or dfs.")] = "bfs",
    seed: Annotated[int | None, typer.Option(help="Break ties at random, by this seed.", show_default=False)] = None,
    radius: Annotated[int | None, typer.Option(help="Stay inside this ball.", show_default=False)] = None,
    simplify: SimplifyOption = False,
    draw: DrawOption = None,
) -> None:
    """Print one search tree: visiting order, tree edges, back edges, which of them cross and what they cover."""
    from lvc.search.tree import search_tree

    checked = _read(graph, simplify=simplify)
    _check_drawable(draw, checked)
    found = search_tree(checked, root, kind, order=seed, radius=radius)
    if draw is not None:
        from lvc.viz.figures import draw_search_tree

        draw_search_tree(checked, found, draw)
    print("visited    ", *found.visited)
    print("levels     ", *(found.level[v] for v in found.visited))
    print("tree edges ", *(f"{u}->{v}" for u, v in found.tree_edges))
    print("back edges ", *(f"{u}->{v}" for u, v in found.back_edges))
    if kind == "dfs":
        for edge in found.back_edges:
            print(f"  {edge[0]}->{edge[1]} covers", *found.cover(edge))
        for (a, b), (c, d) in found.crossing("paths"):
            print(f"  {a}->{b} crosses {c}->{d}")


@app.command()
def claims(
    only: Annotated[list[str] | None, typer.Option(metavar="ID", help="Just this claim; may be repeated.")] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Graphs up to 5 vertices instead of 7.")] = False,
    json_: JsonOption = False,
    markdown: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write the page docs/claims.md.", show_default=False)
    ] = None,
    draw: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Also draw what was found, a PNG a claim.", show_default=False)
    ] = None,
) -> None:
    """Check every lemma, corollary, theorem and named example of the paper; about a minute and a half."""
    from lvc.expressivity.claims.report import claims_called, claims_markdown, run_claims, to_json, to_text
    from lvc.files import write_text

    chosen = claims_called(only)
    with _bar(len(chosen), "claims") as bar:
        results = run_claims("quick" if quick else "full", only, progress=lambda result: bar.update())
    if markdown is not None:
        write_text(markdown, claims_markdown(results))
    if draw is not None:
        from lvc.viz.claims import draw_claims

        draw_claims(results, draw)
    print(to_json(results) if json_ else to_text(results))


@app.command()
def data(
    names: Annotated[list[str] | None, typer.Argument(metavar="[NAME]...", help="By default all.")] = None,
    json_: JsonOption = False,
) -> None:
    """List the data sets: statistics beside the paper's, whether they are on disk, what a radius will cost."""
    from lvc.data.statistics import describe_all, statistics_table

    rows = describe_all(names)
    print(json.dumps(rows) if json_ else statistics_table(rows))


train = typer.Typer(help="Train a network.", rich_markup_mode=None)
app.add_typer(train, name="train")


@train.command("vertex")
def train_vertex(
    dataset: Annotated[str, typer.Argument(metavar="DATA", help="A data set of `lvc data`.", show_default=False)],
    model: Annotated[
        str, typer.Option(help="mlp, gcn, gcn-jk, gat, appnp, chebnet, gprgnn, bernnet, h2gcn, sgn-bf, sgn-df.")
    ],
    search: Annotated[
        str | None, typer.Option("--search", "-s", help="SGN's search, e.g. bfs:2.", show_default=False)
    ] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="Another setting, e.g. hidden_channels=128; may be repeated."),
    ] = None,
    protocol: Annotated[str, typer.Option(help="random, per-class or published.")] = "random",
    splits: Annotated[int, typer.Option(help="How many splits.")] = 10,
    seed: Annotated[int, typer.Option(help="Decides splits and weights.")] = 0,
    threads: Annotated[int, typer.Option(help="Threads of torch.")] = 1,
    out: Annotated[Path, typer.Option(metavar="FILE", help="Where the result line goes.")] = Path("out/vertex.jsonl"),
) -> None:
    """Train on every split, print the accuracy, add a line of JSON, draw the learning curves beside it."""
    from lvc.experiments.settings import VertexSettings, parse_settings
    from lvc.experiments.vertex import run_vertex

    options = parse_settings(set_ or [])
    settings = VertexSettings(dataset, model, search, protocol=protocol, splits=splits, seed=seed, **options)
    with _bar(settings.splits * settings.epochs, f"{settings.model} on {settings.dataset}") as bar:

        def show(split: int, epoch: int, loss: float, best: float) -> None:
            bar.update(split * settings.epochs + epoch - bar.n)
            bar.set_postfix(split=split, loss=f"{loss:.3f}", validation=f"{best:.3f}", refresh=False)

        row, done = run_vertex(settings, out, threads, show)
    print(f"{settings.model} on {settings.dataset}, protocol {settings.protocol}, {len(row['splits'])} splits:")
    print(f"test accuracy {row['mean']:.1f} ± {row['interval']:.1f} (95 % interval), deviation {row['std']:.1f}")
    print(f"validation {row['validation']:.1f}, {row['seconds']:.0f} s; written to {out}")
    if done and done[-1].curve:
        from lvc.viz.curves import draw_curves

        title = f"{settings.model} on {settings.dataset}"
        print(f"curves in {draw_curves([one.curve for one in done], title, out.with_name(f'{settings.key}.png'))}")


@app.command()
def demo(
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="Where the pictures go.")] = Path("out"),
) -> None:
    """Show which searches tell the named pairs apart, and draw a search tree and a colouring."""
    from lvc.demo import demo as run_demo

    run_demo(out)


def _read(text: str, labels: Path | None = None, simplify: bool = False) -> Graph:
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
        sentence, way_out, _ = str(error).partition("; call Graph.loose")
        raise LvcError(sentence.replace(text, called) + ("; add --simplify to drop it" if way_out else "")) from None
    return graph if labels is None else graph.with_labels(formats.read_labels(labels, graph.n, graph.names))


def _check_drawable(draw: Path | None, *graphs: Graph) -> None:
    """What cannot be drawn is said before anything is computed."""
    if draw is not None:
        from lvc.viz.figures import check_drawable

        check_drawable(draw, *graphs)


def _interpret_if_small(*graphs: Graph) -> None:
    """On small graphs loading the compiled kernels takes longer than running them uncompiled, with the same result."""
    if sum(graph.n + graph.m for graph in graphs) <= 60 and "numba" not in sys.modules:
        os.environ.setdefault("NUMBA_DISABLE_JIT", "1")


def _names(graph: Graph) -> tuple[Any, ...]:
    return graph.names or tuple(range(graph.n))


def _joined(value: Any) -> str:
    return "-".join(map(str, value)) if isinstance(value, list) else str(value)


def _listed(values: Iterable[Any], most: int = 12) -> str:
    shown = [str(value) for value in values]
    return " ".join(shown[:most]) + (f" ... ({len(shown) - most} more)" if len(shown) > most else "")


def _bar(steps: int, what: str) -> Any:
    """A progress bar on standard error, if somebody is looking."""
    from tqdm import tqdm

    return tqdm(total=steps, desc=what, disable=not sys.stderr.isatty(), leave=False)


def _print_json(**facts: Any) -> None:
    print(json.dumps(facts))


class _Output:
    """Standard output that stays quiet when nobody reads on, as after `| head`; the exit status keeps its meaning."""

    def __init__(self, stream: Any) -> None:
        self.stream, self.closed_by_reader = stream, False

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)

    def write(self, text: str) -> int:
        return self._quietly(lambda: self.stream.write(text)) or len(text)

    def flush(self) -> None:
        self._quietly(self.stream.flush)

    def _quietly(self, act: Any) -> Any:
        if self.closed_by_reader:
            return None
        try:
            return act()
        except BrokenPipeError:
            self.closed_by_reader = True
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.stream.fileno())  # for what is still in the buffer
            return None


def main() -> None:
    """Run the command; every error of the user's is one sentence and exit status 2."""
    if sys.stdout is not None:
        sys.stdout = _Output(sys.stdout)
    try:
        status = app(sys.argv[1:] or ["--help"], standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
    except LvcError as error:
        status = _said(str(error))
    except UsageError as error:
        status = _said(f"{error.format_message()} See `lvc --help`.")
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith("lvc"):
            raise
        status = _said(f"this needs {error.name}; install it with: pip install 'lvc-gnn[all]'")
    except MemoryError:
        status = _said("there is not enough memory for this; use a smaller graph or radius")
    except OSError as error:
        status = _said(f"{error.strerror or error}; nothing more was written")
    except (typer.Abort, KeyboardInterrupt):
        status = _said("interrupted", status=130)
    except Exception:  # a defect of ours: not 1, which says that two graphs were told apart
        traceback.print_exc()
        status = _said("this is a defect of lvc; please report it with the lines above", status=70)
    sys.exit(status if isinstance(status, int) else 0)


def _said(sentence: str, status: int = 2) -> int:
    print(f"lvc: {sentence}", file=sys.stderr)
    return status


if __name__ == "__main__":
    main()

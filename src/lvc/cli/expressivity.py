"""What searches and networks can tell: brec, train brec, train biconnectivity."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from lvc.cli.app import app
from lvc.cli.common import JsonOption, bar_of, check_drawable_first, usual_files, where_it_is
from lvc.cli.learning import train
from lvc.cli.options import SeedOption
from lvc.errors import LvcError
from lvc.files import json_lines, line_of

if TYPE_CHECKING:
    from lvc.expressivity.families import Category
    from lvc.expressivity.scores import Score

FamilyOption = Annotated[str, typer.Option(help="brec, exp, csl, cycles or small.")]
SetOption = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="Another setting, e.g. epochs=10; may be repeated."),
]
ShowOption = Annotated[bool, typer.Option("--show", help="Train nothing: print the table of the lines in FILE.")]
PlaceOption = Annotated[
    Path | None,
    typer.Option(
        "--out",
        metavar="FILE",
        help="Where the result line goes; by default into out/. --show looks into results/ first.",
        show_default=False,
    ),
]

#: The paper's searches, 1-WL and 3-WL beside them, and those that go beyond.
SEARCHES = (
    *("wl", "bfs:1", "bfs:2", "bfs:3", "bfs:4", "bfs:5", "bfs:6", "bfs:inf"),
    *("dfs:1", "dfs:2", "dfs:3", "dfs:1+dfs:2", "dfs:1+dfs:3"),
    *("bfs:2+dfs:1", "bfs:3+dfs:1", "bfs:6+dfs:1", "bfs:inf+dfs:1", "fwl2"),
    *("levels:1", "levels:2", "levels:inf", "nest:1(wl)", "nest:2(wl)", "nest:inf(wl)"),
    *("nest:1(bfs:2)", "nest:2(bfs:2)", "nest:inf(bfs:inf)", "nest:inf(nest:inf(wl))"),
    *("pick:inf(wl)", "pick:2(pick:2(wl))", "pick:inf(pick:inf(wl))", "pick:inf(pick:inf(pick:inf(wl)))"),
)
#: Enough for the families on which most searches do equally well.
FEW = (
    *("wl", "bfs:2", "bfs:6", "bfs:inf", "dfs:1", "dfs:2", "dfs:1+dfs:3", "bfs:2+dfs:1"),
    *("levels:2", "levels:inf", "nest:1(wl)", "nest:1(bfs:2)", "pick:inf(wl)", "fwl2"),
)


@app.command()
def brec(
    search: Annotated[
        list[str] | None,
        typer.Option(
            "--search", "-s", help="This search; may be repeated. By default all of interest.", show_default=False
        ),
    ] = None,
    family: FamilyOption = "brec",
    jobs: Annotated[int, typer.Option(min=1, help="Processes.")] = 2,
    check: Annotated[
        int, typer.Option(metavar="COPIES", min=0, help="Also compare each graph with so many renumbered copies.")
    ] = 0,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Lines of results: those there are not measured again.", show_default=False),
    ] = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print the table for a page.")] = False,
    json_: JsonOption = False,
    draw: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also draw score against cost.", show_default=False)
    ] = None,
    pictures: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Also draw a pair of every category, told apart.", show_default=False),
    ] = None,
) -> None:
    """Tell pairs of hard graphs apart by exact colouring: how many, by category, and the time a pair takes."""
    from lvc.expressivity.families import family_called
    from lvc.expressivity.scores import score, scores_table
    from lvc.files import make_folder
    from lvc.search.parsing import parse_search

    usual = SEARCHES if family == "brec" else FEW
    chosen = list(dict.fromkeys(str(parse_search(text)) for text in search or usual))
    wanted = family_called(family)
    check_drawable_first(draw)
    for folder in (pictures, None if out is None else out.parent):
        if folder is not None:
            make_folder(folder)
    known = {} if out is None else _known(out)
    missing = [text for text in chosen if (family, text) not in known or known[family, text].refused]
    categories = wanted.make() if missing or check or pictures else []
    pairs = sum(len(category.pairs) for category in categories)
    with bar_of(pairs * len(missing), wanted.title) as bar:
        for text in missing:
            known[family, text] = score(family, categories, text, jobs, bar.update)
            if out is not None:
                _write(out, known[family, text])
    scores = [known[family, text] for text in chosen]
    if draw is not None:
        from lvc.viz.scores import draw_scores

        draw_scores(scores, wanted.title, draw)
    facts = [{**asdict(one), "told_apart": one.told_apart, "pairs": one.pairs} for one in scores]
    print(json.dumps(facts) if json_ else scores_table(scores, markdown))
    beside = sys.stderr if json_ else sys.stdout
    if pictures is not None:
        from lvc.viz.scores import draw_pairs

        for name, text, path in draw_pairs(categories, chosen, pictures):
            print(f"{name}: told apart by {text}, {path}", file=beside)
    if check:
        _check(categories, chosen, check, jobs, beside)


def _write(path: Path, one: Score) -> None:
    """One line; a line of the same family and search gives way to it."""
    from lvc.files import put_line

    def gives_way(line: str) -> bool:
        from lvc.expressivity.scores import Score

        other = Score.from_json(line)
        return (other.family, other.search) == (one.family, one.search)

    put_line(path, asdict(one), gives_way)


def _known(path: Path) -> dict[tuple[str, str], Score]:
    """The scores in a file, by family and search."""
    from lvc.expressivity.scores import Score

    if not path.exists():
        return {}
    found = {}
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        raise LvcError(f"cannot read {path}: it is no file of lines of `lvc brec --out`; choose another") from None
    for number, line in enumerate(lines, 1):
        try:
            one = Score.from_json(line)
        except LvcError as error:
            raise LvcError(f"{path}, line {number}: {error}; mend or remove it") from None
        found[one.family, one.search] = one
    return found


def _check(categories: list[Category], searches: list[str], copies: int, jobs: int, where: TextIO) -> None:
    from lvc.expressivity.scores import copies_told_apart

    graphs = [graph for category in categories for pair in category.pairs for graph in pair]
    for text in searches:
        with bar_of(len(graphs), f"copies, {text}") as bar:
            wrong = copies_told_apart(graphs, text, copies, jobs=jobs, progress=bar.update)
        if wrong:
            raise LvcError(f"{text} tells graph {wrong[0]} apart from a copy of itself; this is a defect, report it")
        print(f"{text}: {len(graphs)} graphs, {copies} renumbered copies each, none told apart", file=where)


@train.command("brec")
def train_brec(
    search: Annotated[
        str | None, typer.Option("--search", "-s", help="SGN's search; GIN if there is none.", show_default=False)
    ] = None,
    family: FamilyOption = "brec",
    set_: SetOption = None,
    show: ShowOption = False,
    out: PlaceOption = None,
) -> None:
    """Train a network on every pair of BREC by its own protocol; stop it and go on."""
    from lvc.experiments.settings import parse_settings
    from lvc.experiments.trained_brec import Settings, run, trained_table
    from lvc.expressivity.families import family_called

    out = _place(out, "trained-brec", show)
    exact = _known(Path("results/brec.jsonl")) | _known(out.with_name("brec.jsonl"))
    bounds = {text: one.told_apart for (where, text), one in exact.items() if where == family}
    if show:
        print(trained_table([row for row in _lines(out, "family") if row["family"] == family], bounds))
        return
    settings = replace(Settings(search), **parse_settings(set_ or [], Settings))
    categories = family_called(family).make()
    there = line_of(out, {"family": family, "settings": asdict(settings)}) is not None
    with bar_of(sum(len(category.pairs) for category in categories), settings.name) as bar:
        row = run(settings, family, categories, out, bar.update)
    print(trained_table([row], bounds))
    print(where_it_is(out, there))


@train.command("biconnectivity")
def train_biconnectivity(
    model: Annotated[str, typer.Option(help="gcn, gin, gat, sgn-bf or sgn-df.")] = "sgn-df",
    task: Annotated[str, typer.Option(help="cut-vertex or bridge.")] = "cut-vertex",
    set_: SetOption = None,
    seed: SeedOption = 0,
    show: ShowOption = False,
    out: PlaceOption = None,
) -> None:
    """Find cut vertices or bridges of generated graphs: per cent right, of vertices or edges and of whole graphs."""
    from lvc.experiments.biconnectivity import Settings, as_row, learn, result_table
    from lvc.experiments.settings import parse_settings
    from lvc.files import make_folder, put_line

    out = _place(out, "biconnectivity", show)
    if show:
        print(result_table(_lines(out, "same_size")))
        return
    settings = replace(Settings(model, task, seed=seed), **parse_settings(set_ or [], Settings))
    finished = line_of(out, {"settings": asdict(settings)})
    if finished is not None:
        print(result_table([finished]))
        print(where_it_is(out, True))
        return
    make_folder(out.parent)
    with bar_of(settings.epochs, f"{model}, {task}") as bar:

        def progress(epoch: int, loss: float, best: float) -> None:
            bar.set_postfix_str(f"loss {loss:.4f}, whole validation graphs {100 * best:.1f} %")
            bar.update()

        row = as_row(learn(settings, progress))
    print(result_table([row]))
    put_line(out, row)
    print(where_it_is(out, False))


def _place(out: Path | None, name: str, show: bool) -> Path:
    return out or (usual_files(name)[0] if show else Path("out") / f"{name}.jsonl")


def _lines(path: Path, needed: str) -> list[dict[str, Any]]:
    """The lines of a file of results, each of which has ``needed``."""
    rows = json_lines(path)
    if not rows or not all(needed in row for row in rows):
        raise LvcError(f"{path} has no such results; train first, or choose another")
    return rows

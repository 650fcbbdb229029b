"""The command ``lvc brec``: how many pairs of hard graphs each search tells apart, and what that costs."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lvc.cli.app import app
from lvc.cli.common import JsonOption, bar_of
from lvc.errors import LvcError

if TYPE_CHECKING:
    from lvc.expressivity.families import Category
    from lvc.expressivity.scores import Score

#: The paper's searches, 1-WL and 3-WL beside them, and those that go beyond.
SEARCHES = (
    *("wl", "bfs:1", "bfs:2", "bfs:3", "bfs:4", "bfs:5", "bfs:6", "bfs:inf"),
    *("dfs:1", "dfs:2", "dfs:3", "dfs:1+dfs:2", "dfs:1+dfs:3"),
    *("bfs:2+dfs:1", "bfs:3+dfs:1", "bfs:6+dfs:1", "bfs:inf+dfs:1", "fwl2"),
    *("levels:1", "levels:2", "levels:inf", "nest:1(wl)", "nest:2(wl)", "nest:inf(wl)"),
    *("nest:1(bfs:2)", "nest:2(bfs:2)", "nest:inf(bfs:inf)", "nest:inf(nest:inf(wl))"),
    *("pick:inf(wl)", "pick:2(pick:2(wl))", "pick:inf(pick:inf(wl))", "pick:inf(pick:inf(pick:inf(wl)))"),
)


@app.command()
def brec(
    search: Annotated[
        list[str] | None,
        typer.Option(
            "--search", "-s", help="This search; may be repeated. By default all of interest.", show_default=False
        ),
    ] = None,
    family: Annotated[str, typer.Option(help="brec, exp, csl, cycles or small.")] = "brec",
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
    from lvc.files import write_text
    from lvc.search.kinds import parse_search

    chosen = [str(parse_search(text)) for text in dict.fromkeys(search or SEARCHES)]
    wanted = family_called(family)
    known = {} if out is None else _known(out)
    missing = [text for text in chosen if (family, text) not in known]
    categories = wanted.make() if missing or check or pictures else []
    pairs = sum(len(category.pairs) for category in categories)
    with bar_of(pairs * len(missing), wanted.title) as bar:
        for text in missing:
            known[family, text] = score(family, categories, text, jobs, bar.update)
            if out is not None:
                write_text(out, "".join(f"{one.to_json()}\n" for one in known.values()))
    scores = [known[family, text] for text in chosen]
    if draw is not None:
        from lvc.viz.scores import draw_scores

        draw_scores(scores, wanted.title, draw)
    print(
        json.dumps([{**asdict(one), "told_apart": one.told_apart, "pairs": one.pairs} for one in scores])
        if json_
        else scores_table(scores, markdown)
    )
    if pictures is not None:
        from lvc.viz.scores import draw_pairs

        for name, text, path in draw_pairs(categories, chosen, pictures):
            print(f"{name}: told apart by {text}, {path}")
    if check:
        _check(categories, chosen, check, jobs)


def _known(path: Path) -> dict[tuple[str, str], Score]:
    """The scores in a file, by family and search."""
    from lvc.expressivity.scores import Score

    if not path.exists():
        return {}
    found = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            one = Score.from_json(line)
        except LvcError as error:
            raise LvcError(f"{path}, line {number}: {error}; mend or remove it") from None
        found[one.family, one.search] = one
    return found


def _check(categories: list[Category], searches: list[str], copies: int, jobs: int) -> None:
    from lvc.expressivity.scores import copies_told_apart

    graphs = [graph for category in categories for pair in category.pairs for graph in pair]
    for text in searches:
        with bar_of(len(graphs), f"copies, {text}") as bar:
            wrong = copies_told_apart(graphs, text, copies, jobs=jobs, progress=bar.update)
        if wrong:
            raise LvcError(f"{text} tells graph {wrong[0]} apart from a copy of itself; this is a defect, report it")
        print(f"{text}: {len(graphs)} graphs, {copies} renumbered copies each, none told apart")

"""The directive ``command-help``: what ``lvc COMMAND --help`` prints, for every command, asked of the program."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import typer
from docutils import nodes
from sphinx.util.docutils import SphinxDirective
from typer.testing import CliRunner

from lvc.cli import run  # loads every command
from lvc.errors import LvcError

COLUMNS = "88"


def commands(group: typer.Typer, words: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Every command of a program as the words that call it, groups before what is in them."""
    yield words
    for command in group.registered_commands:
        name = command.name or command.callback.__name__.replace("_", "-")  # type: ignore[union-attr]
        yield (*words, name)
    for inner in group.registered_groups:
        assert inner.typer_instance is not None
        yield from commands(inner.typer_instance, (*words, str(inner.name)))


def help_of(words: tuple[str, ...]) -> str:
    result = CliRunner().invoke(run.app, [*words, "--help"], env={"COLUMNS": COLUMNS}, prog_name="lvc")
    if result.exit_code != 0:
        raise LvcError(f"lvc {' '.join(words)} --help ended with status {result.exit_code}: {result.output}")
    return result.output.strip()


class CommandHelp(SphinxDirective):
    """One section for each command."""

    def run(self) -> list[nodes.Node]:
        found: list[nodes.Node] = []
        for words in commands(run.app):
            name = " ".join(("lvc", *words))
            section = nodes.section(ids=[name.replace(" ", "-")], names=[name])
            section += nodes.title(text=name)
            section += nodes.literal_block(text=help_of(words), language="none")
            found.append(section)
        return found


def setup(app: Any) -> dict[str, bool]:
    app.add_directive("command-help", CommandHelp)
    return {"parallel_read_safe": True}

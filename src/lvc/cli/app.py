"""The command ``lvc`` before it has commands."""

from __future__ import annotations

from typing import Annotated

import typer

from lvc import __version__

app = typer.Typer(
    name="lvc",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


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

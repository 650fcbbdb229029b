"""The command line: parse, call, print. Everything it can do is a function of the library."""

from lvc.cli.run import main

__all__ = ["main"]

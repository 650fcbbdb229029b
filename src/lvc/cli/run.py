"""Run the command, and turn every way it can end into a sentence and an exit status."""

from __future__ import annotations

import os
import signal
import sys
import traceback
from typing import Any

import typer

from lvc.cli import expressivity as expressivity
from lvc.cli import graphs as graphs
from lvc.cli import learning as learning
from lvc.cli import reports as reports
from lvc.cli.app import app
from lvc.errors import LvcError
from lvc.memory import says_no_memory

TOO_LITTLE = "there is not enough memory for this; use a smaller graph, radius or network"
INTERRUPTED = 130  # as shells say it
UsageError: Any = typer.BadParameter.__base__  # typer has no public name for it


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
        if status == INTERRUPTED:  # typer has swallowed the KeyboardInterrupt
            status = _said("interrupted; the same command goes on where something was kept", INTERRUPTED)
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
    except OSError as error:
        status = _said(f"{error.strerror or error}; nothing more was written")
    except (typer.Abort, KeyboardInterrupt):
        status = _said("interrupted", INTERRUPTED)
    except Exception as error:
        status = _said(TOO_LITTLE) if says_no_memory(error) else _defect()
    sys.exit(status if isinstance(status, int) else 0)


def _defect() -> int:
    """A defect of ours: not 1, which says that two graphs were told apart."""
    traceback.print_exc()
    return _said("this is a defect of lvc; please report it with the lines above", status=70)


def _said(sentence: str, status: int = 2) -> int:
    if status == INTERRUPTED:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # a second one would end in a traceback of what is being closed
    print(f"lvc: {sentence}", file=sys.stderr)
    return status

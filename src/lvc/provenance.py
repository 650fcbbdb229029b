"""What made a result: the day, the commit, the versions."""

from __future__ import annotations

import platform
import subprocess
import time
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any


def provenance(*packages: str) -> dict[str, Any]:
    """The day, the commit of the source if it is a clone, and the versions of Python, lvc and ``packages``."""
    return {
        "when": time.strftime("%Y-%m-%d"),
        "commit": commit(),
        "python": platform.python_version(),
        "versions": {name: _version(name) for name in ("lvc-gnn", *packages)},
    }


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "?"


@cache
def commit() -> str | None:
    """The commit of the clone that this file belongs to; not of a repository that merely holds a copy of it.

    As it was when it was first asked for: a clone may move on while a program that was started in it runs for hours.
    """
    here = Path(__file__)
    known = _git(here.parent, "ls-files", "--error-unmatch", here.name)
    return _git(here.parent, "rev-parse", "--short", "HEAD") if known else None


def _git(folder: Path, *arguments: str) -> str | None:
    command = ["git", "-C", str(folder), *arguments]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=10).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return None

"""Write files whole or not at all."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lvc.errors import LvcError


def write_whole(path: str | os.PathLike[str], write: Callable[[Path], object]) -> Path:
    """Let ``write`` fill a temporary file beside ``path``, then move it there; on any error nothing is left behind.

    The temporary name keeps the ending of ``path``, which some writers take the format from.
    """
    given = Path(path)
    refuse_unwritable(given)
    target = Path(os.path.realpath(given))  # a link stays one, and what it points to is written
    try:
        handle, name = tempfile.mkstemp(prefix=".lvc-", suffix=target.suffix, dir=target.parent)
    except OSError as error:
        raise LvcError(f"cannot write {given}: {error.strerror}; choose another place") from None
    os.close(handle)
    temporary = Path(name)
    try:
        write(temporary)
        temporary.chmod(0o666 & ~_umask())
        os.replace(temporary, target)
    except OSError as error:
        raise LvcError(f"cannot write {given}: {error.strerror}; make room or choose another place") from None
    finally:
        temporary.unlink(missing_ok=True)
    return given


def _umask() -> int:
    """What the user does not grant to new files; it can only be read by setting it."""
    mask = os.umask(0o022)
    os.umask(mask)
    return mask


def write_text(path: str | os.PathLike[str], text: str) -> Path:
    """``text`` as the whole content of ``path``."""
    return write_whole(path, lambda file: file.write_text(text, encoding="utf-8"))


def refuse_unwritable(path: Path) -> None:
    """Raise if ``path`` cannot be a file: a folder, a device or a pipe, without a name, or in a closed folder."""
    if not path.name or path.is_dir():
        raise LvcError(f"cannot write {path}: it is a directory; choose a file name")
    if path.exists() and not path.is_file():
        raise LvcError(f"cannot write {path}: it is no ordinary file; choose a file name")
    folder = next((one for one in Path(os.path.realpath(path)).parents if one.exists()), None)
    if folder is not None and not (folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)):
        raise LvcError(f"cannot write {path}: {folder} takes no new files; choose another place")


def refuse_no_lines(path: Path) -> None:
    """Raise if lines cannot be added to ``path``: it cannot be a file, or is one with something else in it."""
    refuse_unwritable(path)
    try:
        other = path.is_file() and b"\0" in path.read_bytes()
    except OSError as error:
        raise LvcError(f"cannot read {path}: {error.strerror}; choose another file") from None
    if other:
        raise LvcError(f"cannot add lines to {path}: it is no text; choose another file")


def make_folder(path: Path) -> None:
    """Make sure that ``path`` is a folder."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LvcError(f"cannot make the folder {path}: {error.strerror}; choose another place") from None


def json_lines(path: Path) -> list[dict[str, Any]]:
    """The objects of a file with one in every line."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise LvcError(f"cannot read {path}: {error.strerror}; measure first, or choose another file") from None
    except UnicodeDecodeError:
        raise LvcError(f"cannot read {path}: it is not a text in UTF-8; choose another file") from None
    rows = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            row = json.loads(line)
        except ValueError:
            row = None
        if not isinstance(row, dict):
            raise LvcError(f"{path}, line {number}: this is no line of results; remove it, or choose another file")
        rows.append(row)
    return rows


def line_of(path: Path, facts: dict[str, Any]) -> dict[str, Any] | None:
    """The first line of a file of results that agrees with ``facts``, if there is one."""
    wanted = json.loads(json.dumps(facts))  # as it looks when it has been written and read
    rows = json_lines(path) if path.exists() else []
    return next((row for row in rows if all(row.get(name) == value for name, value in wanted.items())), None)


def put_line(path: Path, row: dict[str, Any], gives_way: Callable[[str], bool] | None = None) -> None:
    """Write one line; lines that give way to it, by default those of the same settings, are dropped.

    The file is rewritten whole, so that a crash never leaves half a line, and under a lock, so that two processes do
    not undo each other. Lines that are no results stay as they are.
    """
    from filelock import FileLock

    text = json.dumps(row, sort_keys=True)
    drops = gives_way or (lambda line: _settings(line) == _settings(text))
    make_folder(path.parent)
    with FileLock(path.with_name(f".{path.name}.lock")):
        refuse_no_lines(path)
        lines = path.read_bytes().removesuffix(b"\n").split(b"\n") if path.exists() and path.stat().st_size > 0 else []
        kept = [line for line in lines if not drops(line.decode("utf-8", "replace"))]
        whole = b"".join(line + b"\n" for line in [*kept, text.encode()])
        write_whole(path, lambda file: file.write_bytes(whole))


def _settings(line: str) -> Any:
    try:
        return json.loads(line)["settings"]
    except (ValueError, TypeError, KeyError):
        return None

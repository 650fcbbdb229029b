"""Raw files: where they are on this machine, and what torch_geometric makes of them.

They come from the folder that the environment variable ``LVC_DATA`` names, otherwise torch_geometric downloads them.
What is made of them goes to a cache folder of the user's; ``LVC_CACHE`` names another one.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, TypeVar

from lvc.errors import LvcError
from lvc.files import make_folder

Loaded = TypeVar("Loaded")


class NotOnDiskError(LvcError):
    """The raw files are not on this machine, and a download was not allowed."""


def on_disk(folder: str, cache: str | os.PathLike[str] | None = None) -> Path | None:
    """A folder of raw files below ``LVC_DATA``, or in the cache, if it is there.

    In the cache a folder counts if it has been processed: what an interrupted download has left has not.
    """
    cached = cache_folder(cache) / folder
    processed = cached.is_dir() and (cached.parent / "processed" / "data.pt").is_file()
    return below_data(folder) or (cached if processed else None)


def from_disk(load: Callable[..., Loaded], name: str, folder: str) -> Loaded | None:
    """What ``load`` gives for the name if the raw files are all on this machine; nothing is downloaded."""
    if on_disk(folder) is None:
        return None
    try:
        return load(name, download=False)
    except NotOnDiskError:
        return None


def below_data(place: str) -> Path | None:
    """``place`` below the folder that ``LVC_DATA`` names, if it is there."""
    folder = os.environ.get("LVC_DATA")
    found = Path(folder) / place if folder else None
    return found if found is not None and found.exists() else None


def cache_folder(cache: str | os.PathLike[str] | None = None) -> Path:
    """Where processed files go: ``cache``, or ``LVC_CACHE``, or the platform's cache folder of the user."""
    from platformdirs import user_cache_path

    chosen = cache or os.environ.get("LVC_CACHE") or user_cache_path("lvc")
    return Path(chosen)


def from_raw(name: str, folder: str, root: Path, download: bool, options: dict[str, Any]) -> Any:
    """What torch_geometric makes of the raw files in the cache: copied from below ``LVC_DATA``, else downloaded."""
    from torch_geometric import datasets

    family = folder.split("/")[0]  # its class is called so too
    kind = getattr(datasets, family)
    raw = below_data(folder)
    if raw is not None:
        _copy_once(raw, root / folder)
    if download:
        make_folder(root)
    try:
        with _one_at_a_time(root, f".{family}-{name}.lock"):
            return (kind if download else _refusing(kind, name, folder))(str(root / family), name, **options)
    except OSError as error:
        place = f"set LVC_DATA to a folder that has {folder}, or mend the network"
        raise LvcError(f"cannot load {name}: {getattr(error, 'reason', None) or error}; {place}") from None


def _one_at_a_time(root: Path, name: str) -> AbstractContextManager[Any]:
    """Two processes must not make the same files at once; where nothing can be written, nobody does."""
    from filelock import FileLock

    return FileLock(root / name) if os.access(root, os.W_OK) else nullcontext()


def _refusing(kind: type, name: str, folder: str) -> type:
    """A class of torch_geometric's that raises where it would download."""

    def refuse(_: Any) -> None:
        raise NotOnDiskError(f"{name} is not on disk; set LVC_DATA to a folder that has all of {folder}")

    return type(kind.__name__, (kind,), {"download": refuse})


def _copy_once(raw: Path, target: Path) -> None:
    """Copy the raw files into the cache, whole or not at all."""
    if _has_all(raw, target):
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_name(f".{target.name}-{os.getpid()}")
    shutil.copytree(raw, temporary, copy_function=shutil.copyfile)
    if not _has_all(raw, target):
        shutil.rmtree(target, ignore_errors=True)  # what a download that failed has left
    try:
        os.replace(temporary, target)
    except OSError:  # somebody else was faster
        shutil.rmtree(temporary)


def _has_all(raw: Path, target: Path) -> bool:
    return target.is_dir() and {file.name for file in raw.iterdir()} <= {file.name for file in target.iterdir()}

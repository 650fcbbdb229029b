"""Raw files: where they are on this machine, and what torch_geometric makes of them.

They come from the folder that the environment variable ``LVC_DATA`` names, otherwise torch_geometric downloads them.
What is made of them goes to a cache folder of the user's; ``LVC_CACHE`` names another one.
"""

from __future__ import annotations

import filecmp
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from lvc.errors import LvcError
from lvc.files import make_folder
from lvc.memory import says_no_memory

if TYPE_CHECKING:
    from torch_geometric.data import Data

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


def from_disk(load: Callable[..., Loaded], name: str, folder: str) -> tuple[Loaded | None, list[str]]:
    """What ``load`` gives for the name if the raw files are all on this machine, and a sentence if they are damaged.

    Nothing is downloaded.
    """
    if on_disk(folder) is None:
        return None, []
    try:
        return load(name, download=False), []
    except NotOnDiskError:
        return None, []
    except LvcError as error:
        return None, [str(error)]


def below_data(place: str) -> Path | None:
    """``place`` below the folder that ``LVC_DATA`` names, if it is there."""
    folder = os.environ.get("LVC_DATA")
    if folder and not Path(folder).is_dir():
        raise LvcError(f"LVC_DATA names {folder}, and that is no folder; correct it, or unset it")
    found = Path(folder) / place if folder else None
    return found if found is not None and found.exists() else None


def cache_folder(cache: str | os.PathLike[str] | None = None) -> Path:
    """Where processed files go: ``cache``, or ``LVC_CACHE``, or the platform's cache folder of the user."""
    from platformdirs import user_cache_path

    chosen = cache or os.environ.get("LVC_CACHE") or user_cache_path("lvc")
    return Path(chosen)


def from_raw(name: str, folder: str, root: Path, download: bool, options: dict[str, Any]) -> list[Data]:
    """The graphs that torch_geometric makes of the raw files in the cache: copied from ``LVC_DATA``, else downloaded.

    What it made before is taken from the cache, unless the raw files have changed since then or it is damaged.
    """
    from torch_geometric import datasets

    family = folder.split("/")[0]  # its class is called so too
    kind = getattr(datasets, family)
    raw, copied = below_data(folder), root / folder
    if download or raw is not None:
        make_folder(root)
    try:
        with _one_at_a_time(root, f".{family}-{name}.lock"):
            if raw is not None:
                _copy(raw, copied)
            chosen = kind if download else _refusing(kind, name, folder)
            return _made(lambda: list(chosen(str(root / family), name, **options)), copied, raw or copied)
    except OSError as error:
        place = f"set LVC_DATA to a folder that has {folder}, or mend the network"
        raise LvcError(f"cannot load {name}: {getattr(error, 'reason', None) or error}; {place}") from None


def _made(make: Callable[[], Loaded], copied: Path, raw: Path) -> Loaded:
    """What ``make`` gives; where that fails, what was made before goes, and it is made once more."""
    processed = copied.parent / "processed"
    if processed.is_dir():
        try:
            return make()
        except Exception as error:
            if not _is_about_a_file(error):
                raise
            shutil.rmtree(processed)
    try:
        return make()
    except Exception as error:
        if not _is_about_a_file(error):
            raise
        raise damaged(raw, error) from None


def _is_about_a_file(error: Exception) -> bool:
    """Whether it may be what a reader says of a file that was cut off, which can be anything."""
    return not isinstance(error, LvcError | OSError | ImportError) and not says_no_memory(error)


def damaged(path: Path, error: Exception) -> LvcError:
    """What to say of a file, or a folder of files, that cannot be read."""
    said = (str(error).splitlines() or [type(error).__name__])[0].partition(";")[0]
    return LvcError(f"cannot make sense of {path}: {said}; put what belongs there, whole, or delete it")


@contextmanager
def making_sense_of(path: Path) -> Iterator[None]:
    """Whatever goes wrong here is a fault of the files at ``path``."""
    try:
        yield
    except Exception as error:
        if says_no_memory(error) or isinstance(error, ImportError):
            raise
        raise damaged(path, error) from None


def _one_at_a_time(root: Path, name: str) -> AbstractContextManager[Any]:
    """Two processes must not make the same files at once; where nothing can be written, nobody does."""
    from filelock import FileLock

    return FileLock(root / name) if os.access(root, os.W_OK) else nullcontext()


def _refusing(kind: type, name: str, folder: str) -> type:
    """A class of torch_geometric's that raises where it would download."""

    def refuse(_: Any) -> None:
        raise NotOnDiskError(f"{name} is not on disk; set LVC_DATA to a folder that has all of {folder}")

    return type(kind.__name__, (kind,), {"download": refuse})


def _copy(raw: Path, target: Path) -> None:
    """Copy the raw files into the cache, whole or not at all, unless they are there; what was made of others goes."""
    if raw.resolve() == target.resolve() or _has_all(raw, target):
        return
    new, old = (target.with_name(f".{target.name}-{age}-{os.getpid()}") for age in ("new", "old"))
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(raw, new, copy_function=shutil.copyfile)
        shutil.rmtree(target.parent / "processed", ignore_errors=True)
        if target.exists():
            os.replace(target, old)
        os.replace(new, target)
    except OSError as error:
        if old.exists() and not target.exists():
            os.replace(old, target)
        why = error.strerror or error.args[0][0][-1]  # of several files, the first
        raise LvcError(f"cannot copy {raw} to {target}: {why}; set LVC_CACHE to a folder with room") from None
    finally:
        for left in (new, old):
            shutil.rmtree(left, ignore_errors=True)


def _has_all(raw: Path, target: Path) -> bool:
    """Whether every file is there, byte by byte."""
    files = [file.relative_to(raw) for file in raw.rglob("*") if file.is_file()]
    return target.is_dir() and all(
        (target / file).is_file() and filecmp.cmp(raw / file, target / file, shallow=False) for file in files
    )

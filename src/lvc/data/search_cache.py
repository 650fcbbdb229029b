"""Search a data set once, and read what was found from the cache folder ever after.

A file holds the operators of :mod:`lvc.nn.operators` for all graphs of a data set, of many graphs side by side: their
tensors, and where each graph begins in them. It begins with a hash of all that follows and of what it was made from
(format, data set, graphs and search), so a file that is damaged, or of something else, is noticed and made anew.
"""

from __future__ import annotations

import copy
import hashlib
import io
import os
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from lvc.data.graph_datasets import GraphData
from lvc.data.raw import cache_folder
from lvc.errors import LvcError
from lvc.files import make_folder, write_whole
from lvc.search.kinds import Custom, Search
from lvc.search.parsing import parse_search

if TYPE_CHECKING:
    from torch_geometric.data import Data

    from lvc.nn.operators import Operator, Whole

FORMAT = 2  # changes when the file, or what an operator holds, does
_HASH = 32  # bytes

#: Name -> array, as ``np.savez`` takes and gives them.
Arrays = dict[str, np.ndarray]


def with_searches(
    found: GraphData,
    search: Search | str,
    cache: str | os.PathLike[str] | None = None,
    progress: Callable[[Data], Any] | None = None,
) -> list[Data]:
    """Every graph of a data set with :class:`~lvc.nn.AddSearch` applied; searched once, then read from the cache.

    ``progress`` is called with every graph that has been searched. A custom search is not kept: what a function does
    cannot be seen from its name. Where the cache cannot be written, nothing is kept.
    """
    search = parse_search(search)
    if any(isinstance(part, Custom) for part in search.parts):
        return _searched(found, search, progress)
    file, key = _place(found, search, cache)
    arrays = _read(file, key)
    if arrays is not None:
        return _attached(found, search, arrays)
    graphs = _searched(found, search, progress)
    with suppress(LvcError):
        make_folder(file.parent)
        _write(file, key, _flat(graphs, search))
    return graphs


def _searched(found: GraphData, search: Search, progress: Callable[[Data], Any] | None) -> list[Data]:
    from lvc.nn.transform import AddSearch

    return AddSearch(search).each(found.graphs, progress)


def _place(found: GraphData, search: Search, cache: str | os.PathLike[str] | None) -> tuple[Path, bytes]:
    """The file, and the key of what should be in it."""
    digest = hashlib.sha256(f"lvc-searches {FORMAT}\n{found.name}\n{search}\n{len(found.graphs)}\n".encode())
    for data in found.graphs:
        digest.update(np.array([data.num_nodes, data.edge_index.shape[1]], "<i8").tobytes())
        digest.update(data.edge_index.numpy().astype("<i8").tobytes())
    words = re.sub("[^0-9A-Za-z-]+", "_", f"{found.name}_{search}")[:100]
    return cache_folder(cache) / "searches" / f"{words}_{digest.hexdigest()[:16]}.bin", digest.digest()


def _write(file: Path, key: bytes, arrays: Arrays) -> None:
    content = io.BytesIO()
    np.savez(content, **arrays)  # type: ignore[arg-type]
    whole = content.getbuffer()
    parts = _checksum(key, whole), whole

    def write(path: Path) -> None:
        with path.open("wb") as out:
            out.writelines(parts)

    write_whole(file, write)


def _read(file: Path, key: bytes) -> Arrays | None:
    """What the file holds; None if it is not there or not what was written for this key."""
    try:
        whole = memoryview(file.read_bytes())
    except OSError:
        return None
    if bytes(whole[:_HASH]) != _checksum(key, whole[_HASH:]):
        return None
    with np.load(io.BytesIO(whole[_HASH:]), allow_pickle=False) as arrays:
        return dict(arrays)


def _checksum(key: bytes, content: memoryview) -> bytes:
    digest = hashlib.blake2b(key, digest_size=_HASH)
    digest.update(content)
    return digest.digest()


def _flat(graphs: Sequence[Data], search: Search) -> Arrays:
    """The operators of all graphs as few arrays."""
    from lvc.nn.operators import in_handfuls
    from lvc.nn.transform import key_of

    arrays = {}
    for part in search.parts:
        key = key_of(part)
        for number, whole in enumerate(in_handfuls([data[key] for data in graphs])):
            place = f"{key}/{number}"
            arrays[f"{place}/kind"] = np.array(type(whole.operator).__name__)
            arrays |= {f"{place}/start/{name}": begins for name, begins in whole.start.items()}
            arrays |= {f"{place}/rows/{name}": begins for name, begins in whole.rows.items()}
            arrays |= {f"{place}/tensor/{name}": whole.operator.numpy(name) for name in whole.operator.tensors}
    return arrays


def _attached(found: GraphData, search: Search, arrays: Arrays) -> list[Data]:
    """The graphs with the operators that the arrays hold."""
    from lvc.nn.transform import key_of

    graphs = [copy.copy(data) for data in found.graphs]
    for part in search.parts:
        key = key_of(part)
        wholes: list[Whole] = []
        while f"{key}/{len(wholes)}/kind" in arrays:
            wholes.append(_whole(part, arrays, f"{key}/{len(wholes)}/"))
        for data, piece in zip(graphs, chain.from_iterable(whole.pieces() for whole in wholes), strict=True):
            data[key] = piece
    return graphs


def _whole(part: Search, arrays: Arrays, place: str) -> Whole:
    """The operators of many graphs that the arrays hold there."""
    import torch

    from lvc.nn.operators import Blocks, Pairwise, Paths, Whole, radius_of

    held = {name.removeprefix(place): array for name, array in arrays.items() if name.startswith(place)}
    start, rows, tensor = (
        {name.removeprefix(kind): array for name, array in held.items() if name.startswith(kind)}
        for kind in ("start/", "rows/", "tensor/")
    )
    kinds: dict[str, type[Operator]] = {kind.__name__: kind for kind in (Blocks, Pairwise, Paths)}
    sizes = {name: int(begins[-1]) for name, begins in start.items()}
    tensors = {name: torch.from_numpy(array) for name, array in tensor.items()}
    return Whole(kinds[str(held["kind"])](str(part), radius_of(part), sizes, tensors), start, rows)

"""Vertex classification over the splits of a protocol; what was done is kept, so that an interrupted run goes on."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch

from lvc.experiments.results import put_row, read_rows, result_row
from lvc.experiments.settings import VertexSettings
from lvc.experiments.training import SplitResult, prepare, splits_of, train_split
from lvc.files import make_folder, write_text


def run_vertex(
    settings: VertexSettings,
    results: Path,
    threads: int = 1,
    progress: Callable[[int, int, float, float], Any] | None = None,
) -> tuple[dict[str, Any], list[SplitResult]]:
    """Train on every split and add a line to ``results``.

    Splits that an earlier, interrupted run finished are taken from beside ``results``; a run that is there already with
    exactly these settings is not made again.
    """
    partial = results.with_name(f".{results.stem}-{settings.key}.json")
    done = _read_partial(partial)
    if results.exists():
        found = [row for row in read_rows(results)[0] if row.get("key") == settings.key]
        if found:
            return found[0], done
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        data, loaded = prepare(settings)
        for number, split in enumerate(splits_of(settings, loaded)):
            if number < len(done):
                continue
            report = None if progress is None else lambda *now, number=number: progress(number, *now)
            done.append(train_split(settings, data, split, number, report))
            make_folder(partial.parent)
            write_text(partial, json.dumps([asdict(one) for one in done]))
    finally:
        torch.set_num_threads(before)
    row = result_row(settings, done)
    put_row(results, row)
    partial.unlink(missing_ok=True)
    return row, done


def _read_partial(path: Path) -> list[SplitResult]:
    """The splits that were finished before an interruption; a damaged file counts as none."""
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
        return [SplitResult(**{**row, "curve": tuple(map(tuple, row["curve"]))}) for row in rows]
    except (OSError, ValueError, TypeError, KeyError):
        return []

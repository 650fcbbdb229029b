"""Shared by the benchmarks: peak memory, graphs, and result lines."""

from __future__ import annotations

import json
import os
import platform
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from lvc import Graph

SIZES = {"Cora": (2708, 5278), "Chameleon": (2277, 31371)}


def memory_mb(field: str) -> float:
    """``VmRSS``: what this process holds now; ``VmHWM``: the most it has held (Linux)."""
    with open("/proc/self/status") as lines:
        found = next(line for line in lines if line.startswith(field))
    return int(found.split()[1]) / 1024


def real_graph(name: str) -> tuple[Graph, str]:
    """Cora or Chameleon from LVC_DATA, or a generated graph with as many vertices and edges; and which it is."""
    folder = os.environ.get("LVC_DATA")
    if folder:
        return _read_real(name, Path(folder)), name
    n, m = SIZES[name]
    return random_graph(n, m), f"generated, size of {name}"


def random_graph(n: int, m: int, seed: int = 0) -> Graph:
    """A random graph with ``n`` vertices and ``m`` edges."""
    rng = np.random.default_rng(seed)
    edges = np.empty((0, 2), np.int64)
    while len(edges) < m:
        drawn = np.sort(rng.integers(0, n, (m + m // 10 + 10, 2)), axis=1)
        edges = np.unique(np.concatenate([edges, drawn[drawn[:, 0] < drawn[:, 1]]]), axis=0)
    return Graph.from_edges(n, edges[rng.permutation(len(edges))[:m]])


def _read_real(name: str, folder: Path) -> Graph:
    if name == "Cora":
        import pickle

        with open(folder / "Planetoid/Cora/raw/ind.cora.graph", "rb") as file:
            neighbours = pickle.load(file, encoding="latin1")
        edges = [(u, v) for u, row in neighbours.items() for v in row]
        return Graph.loose((len(neighbours), edges)).simplified()
    lines = np.loadtxt(folder / "WikipediaNetwork/chameleon/geom_gcn/raw/out1_graph_edges.txt", dtype=int, skiprows=1)
    return Graph.loose((int(lines.max()) + 1, lines)).simplified()


def record(path: Path, row: dict[str, Any]) -> None:
    """Add one line to a file of results, with when and with what it was measured."""
    packages = {name: version(name) for name in ("numpy", "numba", "networkx")}
    row = {**row, "when": time.strftime("%Y-%m-%d"), "python": platform.python_version(), "versions": packages}
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "a", encoding="utf-8") as file:
        file.write(json.dumps(row) + "\n")

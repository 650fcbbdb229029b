"""SGN against PyG's GCN, in one run: epochs, preprocessing, memory, growth with |V| and with the radius.

    LVC_DATA=... python benchmarks/sgn.py [--quick] [--out results.jsonl]

An epoch is forward, backward and Adam, full batch, hidden 64, 2 layers. Models take turns, so that other work on the
machine meets all of them; medians are over turns. All models are given the same dense x, as torch_geometric loads it.
GCN multiplies it as it is (that is what users run); SGN finds that bags of words are mostly zeros and multiplies them
as sparse, so each table also has SGN with that switched off ("dense x") and GCN given a sparse x. Without LVC_DATA the
graphs are generated, with the same numbers of vertices, edges, features and non-zeros, and the table says so.
"""

from __future__ import annotations

import argparse
import copy
import json
import os
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

warnings.filterwarnings("ignore")
import torch  # noqa: E402
from torch_geometric.data import Data  # noqa: E402
from torch_geometric.nn import GCN  # noqa: E402
from torch_geometric.utils import remove_self_loops, to_undirected  # noqa: E402

import lvc.data  # noqa: E402
from lvc.experiments.costs import epoch_of  # noqa: E402
from lvc.nn import SGN, AddSearch  # noqa: E402
from lvc.nn.features import remember  # noqa: E402
from lvc.timing import medians  # noqa: E402
from measure import memory_mb  # noqa: E402

HIDDEN, LAYERS = 64, 2


@dataclass(frozen=True)
class Likeness:
    """What a generated graph has to share with the real one."""

    vertices: int
    edges: int
    features: int
    classes: int
    density: float


GRAPHS = {
    "Cora": Likeness(2708, 5278, 1433, 7, 0.0127),
    "PubMed": Likeness(19717, 44324, 500, 3, 0.1002),
    "Chameleon": Likeness(2277, 31371, 2325, 5, 0.0055),
    "Squirrel": Likeness(5201, 198353, 2089, 5, 0.0074),
    "Computers": Likeness(13752, 245861, 767, 10, 0.3484),
}
PLAN = {
    "Cora": ["bfs:1", "bfs:2", "bfs:3", "dfs:1", "dfs:2"],
    "PubMed": ["bfs:1", "bfs:2", "bfs:3", "dfs:1", "dfs:2"],
    "Chameleon": ["bfs:1", "bfs:2", "bfs:3", "dfs:1", "dfs:2"],
    "Squirrel": ["bfs:2", "dfs:1"],
    "Computers": ["bfs:2", "dfs:1"],
}


def load(name: str) -> tuple[Data, str]:
    """The graph, undirected and without loops, and where it comes from."""
    if not os.environ.get("LVC_DATA"):
        return generated(GRAPHS[name]), "generated"
    return lvc.data.load(name).data, "real"


def generated(like: Likeness, hubs: bool = True) -> Data:
    """A random graph; with hubs, a few vertices have a high degree, as in the real ones."""
    draw = torch.Generator().manual_seed(0)
    place = torch.rand(2, like.edges, generator=draw) ** (2 if hubs else 1)  # low numbers are drawn more often
    ends = (place * like.vertices).long()
    x = (torch.rand(like.vertices, like.features, generator=draw) < like.density).float()
    y = torch.randint(like.classes, (like.vertices,), generator=draw)
    edges = remove_self_loops(to_undirected(ends, num_nodes=like.vertices))[0]
    return Data(x=x, y=y, edge_index=edges)


def gcn_epoch(data: Data, x: torch.Tensor) -> Callable[[], None]:
    model = GCN(x.shape[1], HIDDEN, LAYERS, int(data.y.max()) + 1, cached=True)
    return epoch_of(model, lambda: model(x, data.edge_index), data.y)


def sgn_epoch(data: Data, search: str) -> Callable[[], None]:
    model = SGN(data.num_features, HIDDEN, LAYERS, int(data.y.max()) + 1, search=search)
    return epoch_of(model, lambda: model(data), data.y)


def kept_dense(data: Data) -> Data:
    """The same, with an x that has no sparse form."""
    other = copy.copy(data)
    other.x = data.x.clone()
    remember(other.x, lambda: None)
    return other


def preprocessing(data: Data, search: str) -> tuple[float, Data]:
    """Seconds of the second of two runs: the first also compiles."""
    AddSearch(search)(Data(x=torch.ones(3, 1), edge_index=torch.tensor([[0, 1], [1, 0]])))
    begin = time.perf_counter()
    result = AddSearch(search)(data)
    return time.perf_counter() - begin, result


def compare(name: str, threads: int, turns: int, report: Callable[[dict[str, Any]], None]) -> None:
    data, source = load(name)
    epochs, seconds = {"GCN": gcn_epoch(data, data.x)}, {}
    epochs["GCN, sparse x"] = gcn_epoch(data, data.x.to_sparse_csr())
    for search in PLAN[name]:
        seconds[search], searched = preprocessing(data, search)
        epochs[search] = sgn_epoch(searched, search)
        if search in ("bfs:1", "bfs:2"):
            epochs[f"{search}, dense x"] = sgn_epoch(kept_dense(searched), search)
    torch.set_num_threads(threads)
    found = {model: 1e3 * took for model, took in medians(epochs, turns, warm=3).items()}
    for model, took in found.items():
        row = {"what": "epoch", "graph": name, "source": source, "threads": threads, "model": model, "ms": took}
        search = model.split(",")[0]
        report(row | {"ratio": took / found["GCN"], "preprocessing_s": seconds.get(search)})
    if threads == 1:
        report({"what": "200 epochs of GCN", "graph": name, "source": source, "s": 0.2 * found["GCN"]})


def peak(name: str, model: str) -> None:
    """Run in a process of its own: two epochs and print the peak memory."""
    data, source = load(name)
    before = memory_mb("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")  # Linux: the peak counts from here
    epoch = gcn_epoch(data, data.x) if model == "GCN" else sgn_epoch(AddSearch(model)(data), model)
    for _ in range(3):
        epoch()
    row = {"what": "memory", "graph": name, "source": source, "model": model}
    print(json.dumps(row | {"above_the_data_mb": memory_mb("VmHWM") - before}))


def growth(sizes: list[int], radii: list[int], turns: int, report: Callable[[dict[str, Any]], None]) -> None:
    """With |V| at radius 2, and with the radius at the least |V|: average degree 6, no hubs, 16 features."""
    for vertices, radius in [*((n, 2) for n in sizes), *((sizes[0], r) for r in radii)]:
        data = generated(Likeness(vertices, 3 * vertices, 16, 4, 0.5), hubs=False)
        seconds, searched = preprocessing(data, f"bfs:{radius}")
        torch.set_num_threads(1)
        epochs = {"sgn": sgn_epoch(searched, f"bfs:{radius}"), "gcn": gcn_epoch(data, data.x)}
        took = medians(epochs, turns, warm=3)
        row = {
            "what": "growth",
            "vertices": vertices,
            "radius": radius,
            "ms": 1e3 * took["sgn"],
            "gcn_ms": 1e3 * took["gcn"],
        }
        report(row | {"ratio": took["sgn"] / took["gcn"], "preprocessing_s": seconds})


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--quick", action="store_true", help="Cora only, few turns, small growth")
    parser.add_argument("--only", choices=["epochs", "memory", "growth"], help="one part of it")
    parser.add_argument("--out", type=Path, help="also write JSON lines to this file")
    parser.add_argument("--peak", nargs=2, metavar=("GRAPH", "MODEL"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.peak:
        peak(*options.peak)
        return
    lines: list[str] = []

    def report(row: dict[str, Any]) -> None:
        lines.append(json.dumps(row))
        print("  ".join(f"{k}={v:.3g}" if isinstance(v, float) else f"{k}={v}" for k, v in row.items()), flush=True)
        if options.out:
            options.out.write_text("\n".join(lines) + "\n")

    report({"what": "machine", "cores": os.cpu_count(), "load": os.getloadavg()[0], "torch": torch.__version__})
    graphs = ["Cora"] if options.quick else list(PLAN)
    for threads in (1, 2):
        for name in graphs if options.only in (None, "epochs") else []:
            compare(name, threads, 5 if options.quick else 15, report)
    for name in graphs if options.only in (None, "memory") else []:
        for model in ["GCN", *PLAN[name]]:
            command = [sys.executable, __file__, "--peak", name, model]
            done = subprocess.run(command, check=True, capture_output=True, text=True)
            report(json.loads(done.stdout.splitlines()[-1]))
    if options.only in ("epochs", "memory"):
        return
    sizes = [1_000, 10_000] if options.quick else [10_000, 100_000, 1_000_000]
    growth(sizes, [1, 2, 3] if options.quick else [1, 2, 3, 4, 5], 3, report)


if __name__ == "__main__":
    main()

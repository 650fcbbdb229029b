"""SGN against PyG's GIN on many small graphs, in one run: epochs in mini-batches, and searching a whole data set.

    LVC_DATA=... python benchmarks/graphs.py [--quick] [--tiny] [--out results.jsonl]

An epoch is forward, backward and Adam over all graphs in shuffled batches of 32, and making the batches is part of it:
by the ordinary DataLoader, or by lvc.nn.Collated, which any model can be given. Width 64, 3 layers, batch norm, sums
over vertices. Models take turns; medians are over turns; all ratios are to GIN with the ordinary DataLoader.
Searching is AddSearch(search).each on all graphs. Making is what Collated takes longer on what it found than on the
graphs as they are, and its first batch, in which the matrices of all graphs are made, longer than the second.
Numbers too small for full precision count as zero for all models, as when lvc trains; with --tiny they do not.
Without LVC_DATA the graphs are generated, as many and as large, and the table says so.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import time
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

warnings.filterwarnings("ignore")
import numpy as np  # noqa: E402
import torch  # noqa: E402
from torch_geometric.data import Data  # noqa: E402
from torch_geometric.loader import DataLoader  # noqa: E402
from torch_geometric.nn import GIN, global_add_pool  # noqa: E402

from lvc.data import load_graphs  # noqa: E402
from lvc.nn import SGN, AddSearch, Collated  # noqa: E402
from lvc.timing import medians  # noqa: E402
from measure import random_graph  # noqa: E402

HIDDEN, LAYERS, BATCH = 64, 3, 32
LIKE = {"NCI1": (4110, 29.9, 32.3, 37), "DD": (1178, 284.3, 715.7, 89)}  # graphs, mean vertices and edges, features
SEARCHES = ("bfs:2", "dfs:1")


def graphs_called(name: str, share: float) -> tuple[list[Data], str]:
    count, vertices, edges, features = LIKE[name]
    kept = max(int(share * count), BATCH)
    if os.environ.get("LVC_DATA"):
        return list(load_graphs(name).graphs[:kept]), "real"
    rng = np.random.default_rng(0)
    return [_generated(rng, vertices, edges / vertices, features) for _ in range(kept)], "generated"


def _generated(rng: np.random.Generator, vertices: float, ratio: float, features: int) -> Data:
    n = max(int(rng.exponential(vertices)), 5)
    edges = random_graph(n, min(int(ratio * n), n * (n - 1) // 2), int(rng.integers(2**31))).edges()
    both = torch.from_numpy(np.concatenate([edges, edges[:, ::-1]]).T.copy())
    x = torch.eye(features)[torch.from_numpy(rng.integers(0, features, n))]
    return Data(x=x, edge_index=both, y=torch.tensor([int(rng.integers(2))]))


class Gin(torch.nn.Module):
    def __init__(self, features: int) -> None:
        super().__init__()
        self.gin = GIN(features, HIDDEN, LAYERS, 2, norm="batch_norm")

    def forward(self, batch: Any) -> torch.Tensor:
        return global_add_pool(self.gin(batch.x, batch.edge_index), batch.batch, batch.num_graphs)


def epoch_of(model: torch.nn.Module, batches: Iterable[Any]) -> Callable[[], None]:
    optimiser = torch.optim.Adam(model.parameters(), lr=1e-3, fused=True)

    def epoch() -> None:
        for batch in batches:
            optimiser.zero_grad()
            torch.nn.functional.cross_entropy(model(batch), batch.y).backward()
            optimiser.step()

    return epoch


def both_ways(
    name: str, model: torch.nn.Module, graphs: list[Data], collated: Collated
) -> dict[tuple[str, str], Callable[[], None]]:
    """An epoch with batches made by torch_geometric, and one with ours."""
    return {
        (name, "DataLoader"): epoch_of(model, DataLoader(graphs, BATCH, shuffle=True)),
        (name, "Collated"): epoch_of(model, collated.loader(batch_size=BATCH, shuffle=True)),
    }


def timed(work: Callable[[Any], Any], given: Any) -> tuple[Any, float]:
    began = time.perf_counter()
    result = work(given)
    return result, time.perf_counter() - began


def compare(name: str, share: float, turns: int, report: Callable[[dict[str, Any]], None]) -> None:
    torch.manual_seed(0)
    graphs, source = graphs_called(name, share)
    features = graphs[0].x.shape[1]
    epochs = both_ways("GIN", Gin(features), graphs, Collated(graphs))
    once: dict[tuple[str, str], float] = {}
    for search in (*SEARCHES, "dfs:2"):
        add = AddSearch(search)
        model = SGN(features, HIDDEN, LAYERS, 2, search=search, norm="batch_norm", readout="sum")
        model(Collated(add.each(graphs[:BATCH])).batch([0]))  # compiles
        times: dict[str, list[float]] = {"searching": [], "making": []}
        for _ in range(turns):
            found, searching = timed(add.each, graphs)
            collated, joining = timed(Collated, found)
            first, second = (timed(model, collated.batch([0]))[1] for _ in range(2))
            times["searching"].append(searching)
            times["making"].append(joining - timed(Collated, graphs)[1] + first - second)
        once |= {(what, search): statistics.median(seconds) for what, seconds in times.items()}
        if search in SEARCHES:
            epochs |= both_ways(search, model, found, collated)
    took = medians(epochs, turns, warm=1)
    about = {"graphs": name, "source": source, "count": len(graphs)}
    gin = took["GIN", "DataLoader"]
    for (model_name, batching), spent in took.items():
        row = {"what": "epoch", **about, "model": model_name, "batches": batching}
        report({**row, "s": spent, "ratio": spent / gin})
    for (what, search), spent in once.items():
        report({"what": what, **about, "search": search, "s": spent, "ratio": spent / gin})


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--quick", action="store_true", help="a tenth of the graphs, few turns")
    parser.add_argument("--tiny", action="store_true", help="keep numbers too small for full precision")
    parser.add_argument("--out", type=Path, help="also write JSON lines to this file")
    options = parser.parse_args()
    torch.set_num_threads(1)
    torch.set_flush_denormal(not options.tiny)
    lines: list[str] = []

    def report(row: dict[str, Any]) -> None:
        lines.append(json.dumps(row))
        print("  ".join(f"{k}={v:.3g}" if isinstance(v, float) else f"{k}={v}" for k, v in row.items()), flush=True)

    report({"what": "machine", "cores": os.cpu_count(), "load": os.getloadavg()[0], "torch": torch.__version__})
    for name in LIKE:
        compare(name, 0.1 if options.quick else 1.0, 2 if options.quick else 5, report)
    if options.out is not None:
        options.out.parent.mkdir(parents=True, exist_ok=True)
        options.out.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

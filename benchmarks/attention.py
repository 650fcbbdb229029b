"""GAT with its sums taken row by row against PyG's own, in one run: forward and backward, the same weights.

    LVC_DATA=... python benchmarks/attention.py [--out results.jsonl]

Two layers, width 64, 8 heads, one thread; models take turns, medians are over turns. Without LVC_DATA the graphs are
generated, as many vertices and edges, and the table says so.
"""

from __future__ import annotations

import argparse
import json
import os
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

warnings.filterwarnings("ignore")
import torch  # noqa: E402
from torch_geometric.nn import GAT  # noqa: E402

from lvc import Graph  # noqa: E402
from lvc.data import load  # noqa: E402
from lvc.nn.attention import Neighbourhoods, RowGAT  # noqa: E402
from lvc.timing import medians  # noqa: E402
from measure import random_graph  # noqa: E402

SIZES = {"Cora": (2708, 5278), "PubMed": (19717, 44324), "Squirrel": (5201, 198353)}  # vertices, edges
TURNS = 7


def epoch_of(model: torch.nn.Module, x: torch.Tensor, graph: Any) -> Callable[[], None]:
    def epoch() -> None:
        model.zero_grad()
        model(x, graph).square().sum().backward()

    return epoch


def compare(name: str) -> dict[str, Any]:
    real = bool(os.environ.get("LVC_DATA"))
    graph = Graph.from_pyg(load(name).data) if real else random_graph(*SIZES[name], 0)
    edges = torch.from_numpy(graph.edges().T.copy())
    torch.manual_seed(0)
    x = torch.randn(graph.n, 64)
    theirs, ours = GAT(64, 64, 2, 8, heads=8), RowGAT(64, 64, 2, 8, heads=8)
    ours.load_state_dict(theirs.state_dict())
    both = torch.cat([edges, edges.flip(0)], dim=1)
    runs = {"PyG": epoch_of(theirs, x, both), "rows": epoch_of(ours, x, Neighbourhoods.of(graph))}
    took = medians(runs, TURNS)
    source = "real" if real else "generated"
    times = {"pyg_s": took["PyG"], "rows_s": took["rows"], "ratio": took["rows"] / took["PyG"]}
    return {"graph": name, "source": source, "vertices": graph.n, "edges": graph.m, **times}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--out", type=Path, help="also write JSON lines to this file")
    options = parser.parse_args()
    torch.set_num_threads(1)
    rows = [{"what": "machine", "cores": os.cpu_count(), "load": os.getloadavg()[0], "torch": torch.__version__}]
    for name in SIZES:
        rows.append(compare(name))
        print(
            "  ".join(f"{k}={v:.3g}" if isinstance(v, float) else f"{k}={v}" for k, v in rows[-1].items()), flush=True
        )
    if options.out is not None:
        options.out.parent.mkdir(parents=True, exist_ok=True)
        options.out.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


if __name__ == "__main__":
    main()

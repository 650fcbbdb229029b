"""What the baselines are made of against PyG's and torch's own, in one run: GAT, GCN, dropout, products.

    LVC_DATA=... python benchmarks/baselines.py [--out results.jsonl]

Two layers, width 64, one thread. GAT: 8 heads, dense features. GCN: the graph as a normalised sparse matrix, 500 sparse
features of which one in fifty is not zero. Dropout: of 64 columns. Products: that matrix times 64 columns and, as
"wide", 128. Dense products: 64 columns times 64 x 64 and, as "wide", 64 x 192, by our kernel, whether lvc takes it on
this processor or not; the first line says. All forward and backward. Models have the same weights and take turns,
medians are over turns. Without LVC_DATA the graphs are generated, as many vertices and edges, and the table says so.
"""

from __future__ import annotations

import argparse
import json
import os
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

warnings.filterwarnings("ignore")
import torch  # noqa: E402
from llvmlite.binding import get_host_cpu_name  # noqa: E402
from torch_geometric.data import Data  # noqa: E402
from torch_geometric.nn import GAT, GCN  # noqa: E402

from lvc import Graph  # noqa: E402
from lvc.data import load  # noqa: E402
from lvc.nn.attention import Neighbourhoods, RowGAT  # noqa: E402
from lvc.nn.baselines import _matrix, baseline  # noqa: E402
from lvc.nn.dense import Product  # noqa: E402
from lvc.nn.dense_product import mkl_is_slow  # noqa: E402
from lvc.nn.dropout import dropout  # noqa: E402
from lvc.nn.rows import csr  # noqa: E402
from lvc.nn.sparse import Matrix  # noqa: E402
from lvc.timing import medians  # noqa: E402
from measure import random_graph  # noqa: E402

SIZES = {"Cora": (2708, 5278), "PubMed": (19717, 44324), "Squirrel": (5201, 198353)}  # vertices, edges
TURNS = 7

Run = Callable[[], torch.Tensor]


def gat(graph: Graph, edges: torch.Tensor) -> tuple[Run, Run]:
    x = torch.randn(graph.n, 64)
    theirs, ours = GAT(64, 64, 2, 8, heads=8), RowGAT(64, 64, 2, 8, heads=8)
    ours.load_state_dict(theirs.state_dict())
    rows = Neighbourhoods.of(graph)
    return lambda: theirs(x, edges), lambda: ours(x, rows)


def gcn(graph: Graph, edges: torch.Tensor) -> tuple[Run, Run]:
    x = torch.randn(graph.n, 500) * (torch.rand(graph.n, 500) < 0.02)
    theirs, ours = GCN(500, 64, 2, 8, normalize=False), baseline("gcn", 500, 64, 2, 8)
    matrix = csr(_matrix(graph, "loops"), x)
    data = Data(x=x.to_sparse_csr(), edge_index=edges, num_nodes=graph.n)
    ours.model.model.load_state_dict(theirs.state_dict())  # type: ignore[union-attr]
    return lambda: theirs(data.x, matrix), lambda: ours(data)


def dropped(graph: Graph, edges: torch.Tensor) -> tuple[Run, Run]:
    x = torch.randn(graph.n, 64, requires_grad=True)
    return lambda: torch.nn.functional.dropout(x), lambda: dropout(x, 0.5)


def product(graph: Graph, edges: torch.Tensor, width: int = 64) -> tuple[Run, Run]:
    """Both keep the transpose, so that the products alone are compared."""
    x = torch.randn(graph.n, width, requires_grad=True)
    matrix = Matrix.symmetric(_matrix(graph, "loops"), x)
    panels = matrix.forward.panels

    class Torchs(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, right: torch.Tensor) -> torch.Tensor:
            return right.new_empty(right.shape).addmm_(panels[0], right, beta=0)

        @staticmethod
        def backward(ctx: Any, *gradients: torch.Tensor) -> torch.Tensor:
            return Torchs.forward(ctx, *gradients)

    assert len(panels) == 1
    return lambda: Torchs.apply(x), lambda: matrix @ x


def dense(graph: Graph, edges: torch.Tensor, width: int = 64) -> tuple[Run, Run]:
    x, weight = torch.randn(graph.n, 64, requires_grad=True), torch.randn(64, width, requires_grad=True)
    return lambda: x @ weight, lambda: Product.apply(x, weight, None)


Maker = Callable[[Graph, torch.Tensor], tuple[Run, Run]]
PARTS: dict[str, Maker] = {
    "gat": gat,
    "gcn": gcn,
    "dropout": dropped,
    "product": product,
    "wide product": partial(product, width=128),
    "dense": dense,
    "wide dense": partial(dense, width=192),
}


def back_and_forth(run: Run) -> Callable[[], None]:
    return lambda: run().square().sum().backward()


def compare(part: str, name: str) -> dict[str, Any]:
    real = bool(os.environ.get("LVC_DATA"))
    graph = Graph.from_pyg(load(name).data) if real else random_graph(*SIZES[name], 0)
    edges = torch.from_numpy(graph.edges().T.copy())
    torch.manual_seed(0)
    theirs, ours = PARTS[part](graph, torch.cat([edges, edges.flip(0)], dim=1))
    took = medians({"theirs": back_and_forth(theirs), "ours": back_and_forth(ours)}, TURNS)
    times = {"theirs_s": took["theirs"], "ours_s": took["ours"], "ratio": took["ours"] / took["theirs"]}
    return {
        "part": part,
        "graph": name,
        "source": "real" if real else "generated",
        "vertices": graph.n,
        "edges": graph.m,
        **times,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--out", type=Path, help="also write JSON lines to this file")
    options = parser.parse_args()
    torch.set_num_threads(1)
    about = {"cores": os.cpu_count(), "load": os.getloadavg()[0], "torch": torch.__version__}
    rows = [{"what": "machine", **about, "processor": get_host_cpu_name(), "takes_dense": mkl_is_slow()}]
    print(rows[0], flush=True)
    for part in PARTS:
        for name in SIZES:
            rows.append(compare(part, name))
            shown = (f"{k}={v:.3g}" if isinstance(v, float) else f"{k}={v}" for k, v in rows[-1].items())
            print("  ".join(shown), flush=True)
    if options.out is not None:
        options.out.parent.mkdir(parents=True, exist_ok=True)
        options.out.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


if __name__ == "__main__":
    main()

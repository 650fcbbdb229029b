"""Learn which vertices are cut vertices, or which edges are bridges, with message-passing networks and with SGN.

No message-passing network can in general: in two triangles joined by an edge, and in a hexagon with a long chord, 1-WL
gives the ends of that edge the same colour, and only in the first graph are they cut vertices and the edge a bridge.
DFC sees the difference (paper, lemma 4.8), and so can SGN-DF.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch_geometric.data import Batch, Data
from torch_geometric.loader import DataLoader
from torch_geometric.nn import GAT, GCN, GIN

from lvc.colouring.reveal import bridges, cut_vertices
from lvc.data.block_trees import random_block_tree
from lvc.errors import LvcError
from lvc.experiments.runs import threads_of_torch
from lvc.experiments.settings import at_least_one, not_negative, one_of
from lvc.experiments.training import copy_of
from lvc.graph import Graph
from lvc.nn import SGN, AddSearch
from lvc.nn.transform import joined_searches
from lvc.provenance import provenance

TASKS = ("cut-vertex", "bridge")
# The blocks of the generated graphs have at most eight vertices, so that a ball of radius 4 holds a whole one.
SEARCHES = {"sgn-bf": "bfs:4", "sgn-df": "dfs:1+dfs:4"}
MODELS = ("gcn", "gin", "gat", *SEARCHES)


@dataclass(frozen=True)
class Settings:
    """One model on one task; the same settings give the same numbers on the same machine."""

    model: str = "sgn-df"
    task: str = "cut-vertex"
    train_graphs: int = 2000
    validation_graphs: int = 500
    test_graphs: int = 500
    sizes: tuple[int, int] = (10, 60)  # vertices, fewest and most
    larger: tuple[int, int] = (80, 120)
    block: int = 8  # vertices of a block, at most
    epochs: int = 40
    batch_size: int = 32
    hidden_channels: int = 32
    num_layers: int = 4
    learning_rate: float = 0.01
    seed: int = 0

    def __post_init__(self) -> None:
        one_of("task", self.task, TASKS)
        one_of("model", self.model, MODELS)
        at_least_one(self, "train_graphs", "validation_graphs", "test_graphs", "epochs", "batch_size")
        at_least_one(self, "hidden_channels", "num_layers")
        not_negative(self, "learning_rate", "seed")
        if self.seed >= 2**63:
            raise LvcError(f"seed must be less than 2**63, got {self.seed}")
        for what in ("sizes", "larger"):
            fewest, most = getattr(self, what)
            if not 3 <= self.block <= fewest <= most:
                raise LvcError(
                    f"{what} must be from block = {self.block} vertices up, fewest first, got {fewest}-{most}"
                )


class Accuracy(NamedTuple):
    """Share of vertices (or edges) that were right, and of graphs in which every one was."""

    single: float
    graphs: float


class Result(NamedTuple):
    """One model: on validation graphs in its best epoch, and on unseen graphs of the same size and larger ones."""

    settings: Settings
    validation: Accuracy
    same_size: Accuracy
    larger: Accuracy
    epoch: int
    seconds: float


def as_data(graph: Graph, task: str = "cut-vertex") -> Data:
    """A graph as torch_geometric data: constant features; y = 1 at cut vertices, or at the edges that are bridges."""
    edges = graph.edges()
    both = np.concatenate([edges, edges[:, ::-1]]).T
    data = Data(x=torch.ones(graph.n, 1), edge_index=torch.from_numpy(both.copy()), num_nodes=graph.n)
    if task == "cut-vertex":
        data.y = torch.zeros(graph.n)
        data.y[cut_vertices(graph)] = 1
    else:
        found = {tuple(edge) for edge in bridges(graph)}
        data.y = torch.tensor([float(tuple(edge) in found) for edge in edges.tolist()])
        data.edge_ends_index = torch.from_numpy(edges.T.copy())  # "index" in the name: batching counts vertices on
    return data


def block_trees(settings: Settings, count: int, seed: int, sizes: tuple[int, int]) -> list[Data]:
    """Random block trees, with what the model of ``settings`` needs to know of them."""
    rng = np.random.default_rng([settings.seed, seed])
    made = [as_data(random_block_tree(rng, *sizes, settings.block), settings.task) for _ in range(count)]
    return AddSearch(SEARCHES[settings.model]).each(made) if settings.model in SEARCHES else made


class Network(nn.Module):
    """A vector for every vertex; then one number for every vertex, or for every edge from both its ends."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        width, layers = settings.hidden_channels, settings.num_layers
        self.edges = settings.task == "bridge"
        self.searches = settings.model in SEARCHES
        if self.searches:
            search = SEARCHES[settings.model]
            self.body: nn.Module = SGN(1, width, layers, width, search=search, norm="batch_norm", jk="cat")
        else:  # twice as wide and one layer more, so that size is not what they lack
            kind = {"gcn": GCN, "gin": GIN, "gat": GAT}[settings.model]
            self.body = kind(1, 2 * width, layers + 1, width, norm="batch_norm", jk="cat")
        self.head = nn.Sequential(nn.Linear(2 * width if self.edges else width, width), nn.ReLU(), nn.Linear(width, 1))

    def forward(self, data: Any) -> Tensor:
        h = self.body(data) if self.searches else self.body(data.x, data.edge_index)
        if self.edges:
            first, second = h[data.edge_ends_index]
            h = torch.cat([first + second, first * second], dim=1)  # the ends have no order
        return self.head(h).squeeze(1)


def learn(settings: Settings, progress: Callable[[int, float, float], Any] | None = None) -> Result:
    """Train, keep the epoch that is best on validation graphs, look at the others once.

    ``progress`` is told the epoch, its loss, and the share of whole validation graphs that were right.
    """
    with threads_of_torch(1):  # the matrices are small: more threads would wait for each other
        return _learn(settings, progress)


def _learn(settings: Settings, progress: Callable[[int, float, float], Any] | None) -> Result:
    start = time.perf_counter()
    train = block_trees(settings, settings.train_graphs, 0, settings.sizes)
    held_out = together(block_trees(settings, settings.validation_graphs, 1, settings.sizes))
    torch.manual_seed(settings.seed)
    model = Network(settings)
    order = torch.Generator().manual_seed(settings.seed)
    batches = DataLoader(train, settings.batch_size, shuffle=True, generator=order)
    optimiser = torch.optim.Adam(model.parameters(), lr=settings.learning_rate)
    steps = settings.epochs * len(batches)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, settings.learning_rate, total_steps=steps)
    best, best_epoch, kept = Accuracy(-1.0, -1.0), 0, copy_of(model)
    for epoch in range(1, settings.epochs + 1):
        loss = _epoch(model, batches, optimiser, schedule)
        now = accuracy(model, held_out)
        if (now.graphs, now.single) >= (best.graphs, best.single):
            best, best_epoch, kept = now, epoch, copy_of(model)
        if progress is not None:
            progress(epoch, loss, best.graphs)
    model.load_state_dict(kept)
    fresh = accuracy(model, together(block_trees(settings, settings.test_graphs, 2, settings.sizes)))
    larger = accuracy(model, together(block_trees(settings, settings.test_graphs, 3, settings.larger)))
    return Result(settings, best, fresh, larger, best_epoch, round(time.perf_counter() - start, 1))


def _epoch(model: nn.Module, batches: DataLoader, optimiser: Any, schedule: Any) -> float:
    model.train()
    total = 0.0
    for batch in batches:
        optimiser.zero_grad()
        loss = nn.functional.binary_cross_entropy_with_logits(model(batch), batch.y)
        loss.backward()
        optimiser.step()
        schedule.step()
        total += loss.item()
    return total / len(batches)


def together(graphs: Sequence[Data]) -> list[Batch]:
    """Batches that stay as they are."""
    return [joined_searches(batch) for batch in DataLoader(list(graphs), 64)]


@torch.no_grad()
def accuracy(model: nn.Module, batches: Sequence[Batch]) -> Accuracy:
    """How much of all graphs a model gets right."""
    model.eval()
    right, whole, every = 0, 0, 0
    for batch in batches:
        wrong = ((model(batch) > 0) != batch.y.bool()).long()
        per_graph = torch.zeros(batch.num_graphs, dtype=torch.long).index_add_(0, _graph_of(batch), wrong)
        right += int((1 - wrong).sum())
        whole += int((per_graph == 0).sum())
        every += len(wrong)
    return Accuracy(right / every, whole / sum(batch.num_graphs for batch in batches))


def _graph_of(batch: Batch) -> Tensor:
    """Which graph every entry of y belongs to."""
    return batch.batch[batch.edge_ends_index[0]] if "edge_ends_index" in batch else batch.batch


def as_row(result: Result) -> dict[str, Any]:
    """What is written down of a result."""
    facts = {name: dict(value._asdict()) for name, value in zip(result._fields[1:4], result[1:4], strict=True)}
    settings = asdict(result.settings)
    return {"settings": settings, **facts, "epoch": result.epoch, "seconds": result.seconds, **provenance("torch")}


def result_table(rows: Sequence[dict[str, Any]]) -> str:
    """Per cent right on unseen graphs, one line per task and model; Markdown."""
    lines = ["| task | model | search | width | single | whole graphs | single, larger | whole, larger | seconds |"]
    lines.append("|---|---|---|---:|---:|---:|---:|---:|---:|")
    for row in rows:
        settings = row["settings"]
        shares = [100 * row[which][part] for which in ("same_size", "larger") for part in ("single", "graphs")]
        search, width = SEARCHES.get(settings["model"], ""), settings["hidden_channels"]
        cells = [settings["task"], settings["model"], search, str(width if search else 2 * width)]
        lines.append(
            f"| {' | '.join([*cells, *(f'{share:.1f}' for share in shares), format(row['seconds'], '.0f')])} |"
        )
    return "\n".join(lines)

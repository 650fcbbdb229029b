"""Learn which vertices are cut vertices, with a message-passing network and with SGN-DF.

No message-passing network can in general: in two triangles joined by an edge, and in a hexagon with a long chord, 1-WL
gives the ends of that edge the same colour, and only in the first graph are they cut vertices. DFC sees the difference
(paper, lemma 4.8), and so can SGN-DF.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch_geometric.data import Batch, Data
from torch_geometric.loader import DataLoader
from torch_geometric.nn import GIN

from lvc.colouring.reveal import cut_vertices
from lvc.data.block_trees import random_block_tree
from lvc.errors import LvcError
from lvc.graph import Graph
from lvc.nn import SGN, AddSearch
from lvc.search.kinds import DFS

SEARCH = DFS(1) + DFS(4)  # the blocks of the generated graphs fit into a ball of radius 4
Network = Callable[[Batch], Tensor]


@dataclass(frozen=True)
class Settings:
    """One small run; the same settings give the same numbers on the same machine."""

    train_graphs: int = 600
    test_graphs: int = 200
    epochs: int = 15
    batch_size: int = 32
    hidden_channels: int = 32
    num_layers: int = 3
    learning_rate: float = 0.01
    seed: int = 0


class Accuracy(NamedTuple):
    """Share of vertices that were right, and of graphs in which every vertex was."""

    vertices: float
    graphs: float


class Result(NamedTuple):
    """One model on graphs of the size it was trained on (10-30 vertices), and on larger ones (40-60)."""

    model: str
    same_size: Accuracy
    larger: Accuracy


def as_data(graph: Graph) -> Data:
    """A graph as torch_geometric data: constant features, and y = 1 at the cut vertices."""
    edges = graph.edges()
    both = np.concatenate([edges, edges[:, ::-1]]).T
    y = torch.zeros(graph.n)
    y[cut_vertices(graph)] = 1
    return Data(x=torch.ones(graph.n, 1), edge_index=torch.from_numpy(both.copy()), y=y, num_nodes=graph.n)


def block_trees(count: int, seed: int, smallest: int = 10, largest: int = 30) -> list[Data]:
    """Random block trees with their cut vertices and the searches of SGN-DF."""
    rng = np.random.default_rng(seed)
    add_search = AddSearch(SEARCH)
    return [add_search(as_data(random_block_tree(rng, smallest, largest))) for _ in range(count)]


def networks(settings: Settings) -> dict[str, tuple[nn.Module, Network]]:
    """The models by name; GIN has twice the width and one layer more, so that size is not what it lacks."""
    torch.manual_seed(settings.seed)
    width, layers = settings.hidden_channels, settings.num_layers
    gin = GIN(1, 2 * width, layers + 1, 1, norm="batch_norm", jk="cat")
    sgn = SGN(1, width, layers, 1, search=SEARCH, norm="batch_norm", jk="cat")
    return {
        "GIN": (gin, lambda batch: gin(batch.x, batch.edge_index)),
        f"SGN-DF ({SEARCH})": (sgn, sgn),
    }


def learn_cut_vertices(settings: Settings | None = None, progress: Callable[[str], None] = print) -> list[Result]:
    """Train every network on the same graphs and look at fresh ones once, at the end."""
    settings = Settings() if settings is None else settings
    if settings.train_graphs < 1 or settings.test_graphs < 1 or settings.epochs < 1:
        raise LvcError(f"train_graphs, test_graphs and epochs must be at least 1, got {settings}")
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # the matrices are small: more threads would wait for each other
    try:
        return _learn(settings, progress)
    finally:
        torch.set_num_threads(threads)


def _learn(settings: Settings, progress: Callable[[str], None]) -> list[Result]:
    train = block_trees(settings.train_graphs, settings.seed)
    fresh = block_trees(settings.test_graphs, settings.seed + 1)
    larger = block_trees(settings.test_graphs, settings.seed + 2, 40, 60)
    results = []
    for name, (model, run) in networks(settings).items():
        _train(name, model, run, train, settings, progress)
        results.append(Result(name, accuracy(model, run, fresh), accuracy(model, run, larger)))
    return results


def _train(
    name: str,
    model: nn.Module,
    run: Network,
    graphs: Sequence[Data],
    settings: Settings,
    progress: Callable[[str], None],
) -> None:
    order = torch.Generator().manual_seed(settings.seed)
    batches = DataLoader(list(graphs), settings.batch_size, shuffle=True, generator=order)
    optimiser = torch.optim.Adam(model.parameters(), lr=settings.learning_rate)
    steps = settings.epochs * len(batches)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, settings.learning_rate, total_steps=steps)
    model.train()
    for epoch in range(settings.epochs):
        total = 0.0
        for batch in batches:
            optimiser.zero_grad()
            loss = nn.functional.binary_cross_entropy_with_logits(run(batch).squeeze(1), batch.y)
            loss.backward()
            optimiser.step()
            schedule.step()
            total += loss.item()
        if (epoch + 1) % 5 == 0 or epoch + 1 == settings.epochs:
            progress(f"  {name:22} epoch {epoch + 1:3d}  loss {total / len(batches):.4f}")


def accuracy(model: nn.Module, run: Network, graphs: Sequence[Data]) -> Accuracy:
    """How much of ``graphs`` a model gets right."""
    model.eval()
    right, whole, vertices = 0, 0, 0
    with torch.no_grad():
        for batch in DataLoader(list(graphs), 64):
            wrong = ((run(batch).squeeze(1) > 0) != batch.y.bool()).long()
            per_graph = torch.zeros(batch.num_graphs, dtype=torch.long).index_add_(0, batch.batch, wrong)
            right += int((1 - wrong).sum())
            whole += int((per_graph == 0).sum())
            vertices += len(wrong)
    return Accuracy(right / vertices, whole / len(graphs))


def result_table(results: Sequence[Result]) -> str:
    """The results as text, in per cent."""
    lines = [
        f"{'':24}{'10-30 vertices, as trained':^28}{'40-60 vertices':^28}",
        f"{'':24}{'vertices':>13}{'whole graphs':>14} {'vertices':>13}{'whole graphs':>14}",
    ]
    for result in results:
        shares = (*result.same_size, *result.larger)
        cells = [f"{100 * share:{width}.1f}" for share, width in zip(shares, (13, 14, 14, 14), strict=True)]
        lines.append(f"{result.model:24}{''.join(cells)}")
    return "\n".join(lines)

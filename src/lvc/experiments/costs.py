"""What searches cost on a given graph: colouring over 1-WL, an epoch of SGN over one of PyG's GCN, in one run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import torch
from torch_geometric.data import Data
from torch_geometric.nn import GCN

from lvc.colouring.colour import colour
from lvc.errors import LvcError
from lvc.graph import Graph
from lvc.nn import SGN, AddSearch
from lvc.nn.features import sparse_if_mostly_zeros
from lvc.nn.operators import estimate, radius_of
from lvc.search.balls import ball_sizes
from lvc.search.kinds import Search
from lvc.search.parsing import parse_search
from lvc.text import aligned
from lvc.timing import medians, seconds

HIDDEN, LAYERS = 64, 2


@dataclass(frozen=True)
class Cost:
    """One search on one graph. What a search cannot be used for, or does not fit, is None, and ``refused`` says why."""

    search: str
    ball: float | None  # vertices in a ball, on average
    colours: int | None
    colouring_s: float | None
    over_wl: float | None
    memory_mb: float | None  # that the network's operator will take, estimated
    adding_s: float | None  # AddSearch: once for a graph
    epoch_s: float | None  # forward, backward, Adam; full batch
    over_gcn: float | None
    refused: tuple[str, ...] = ()


def data_of(graph: Graph, features: int, seed: int = 0) -> Data:
    """The graph with random features and labels, for a network that is timed and not asked for anything."""
    draw = torch.Generator().manual_seed(seed)
    edges = torch.from_numpy(graph.edges().T.copy())
    return Data(
        x=torch.randn(graph.n, features, generator=draw),
        y=torch.randint(2, (graph.n,), generator=draw),
        edge_index=torch.cat([edges, edges.flip(0)], dim=1),
    )


def costs(
    graph: Graph,
    data: Data,
    searches: Sequence[Search | str],
    turns: int = 5,
    progress: Callable[[], Any] | None = None,
) -> list[Cost]:
    """The costs of 1-WL and GCN, then of each search. ``data`` is what the networks learn from."""
    if turns < 1:
        raise LvcError(f"turns must be at least 1, got {turns}")
    if graph.n == 0:
        raise LvcError("the graph has no vertices, so nothing can be timed on it")
    wanted = [parse_search(search) for search in searches]
    found = [_peers(graph, data, turns)]
    for search in wanted:
        found.append(_cost(graph, data, search, turns))
        if progress is not None:
            progress()
    return found


def _peers(graph: Graph, data: Data, turns: int) -> Cost:
    colours = colour(graph, "wl").classes
    took = medians({"wl": lambda: colour(graph, "wl"), "gcn": _epoch_of_gcn(data)}, turns)
    return Cost("wl, GCN", None, colours, took["wl"], 1.0, None, None, took["gcn"], 1.0)


def _cost(graph: Graph, data: Data, search: Search, turns: int) -> Cost:
    """Each is timed in turns with its peer, so that a slow moment of the machine meets both."""
    refused = []
    coloured: dict[str, Any] = {"colours": None, "colouring_s": None, "over_wl": None}
    try:
        colours = colour(graph, search).classes
        took = medians({"wl": lambda: colour(graph, "wl"), "ours": lambda: colour(graph, search)}, turns, warm=0)
        coloured = {"colours": colours, "colouring_s": took["ours"], "over_wl": took["ours"] / took["wl"]}
    except LvcError as error:
        refused.append(str(error))
    learnt: dict[str, Any] = {"memory_mb": None, "adding_s": None, "epoch_s": None, "over_gcn": None}
    ball = None
    try:
        radius = max(radius_of(part) for part in search.parts)
        ball = float(ball_sizes(graph, radius).mean())
        learnt = _learnt(graph, data, search, turns)
    except LvcError as error:
        refused.append(str(error))
    return Cost(str(search), ball, **coloured, **learnt, refused=tuple(refused))


def _learnt(graph: Graph, data: Data, search: Search, turns: int) -> dict[str, Any]:
    memory = sum(estimate(graph, part) for part in search.parts)
    add = AddSearch(search)
    searched = add(data.clone())
    adding = seconds(lambda: add(data.clone()))
    model = SGN(*_sizes(data), search=search)
    took = medians(
        {"gcn": _epoch_of_gcn(data), "ours": epoch_of(model, lambda: model(searched), data.y)}, turns, warm=2
    )
    over = took["ours"] / took["gcn"]
    return {"memory_mb": memory / 2**20, "adding_s": adding, "epoch_s": took["ours"], "over_gcn": over}


def _epoch_of_gcn(data: Data) -> Callable[[], None]:
    """Given sparse features where SGN would take them for sparse."""
    model, x = GCN(*_sizes(data), cached=True), sparse_if_mostly_zeros(data.x)
    return epoch_of(model, lambda: model(x, data.edge_index), data.y)


def _sizes(data: Data) -> tuple[int, int, int, int]:
    return data.num_features, HIDDEN, LAYERS, int(data.y.max()) + 1


def epoch_of(model: torch.nn.Module, predict: Callable[[], torch.Tensor], y: torch.Tensor) -> Callable[[], None]:
    """One step of training, to be timed: forward, backward, Adam; full batch."""
    optimiser = torch.optim.Adam(model.parameters(), lr=0.01)

    def epoch() -> None:
        optimiser.zero_grad()
        torch.nn.functional.cross_entropy(predict(), y).backward()
        optimiser.step()

    return epoch


COLUMNS = {
    "search": ("search", "s"),
    "ball": ("ball", ".1f"),
    "colours": ("colours", "d"),
    "colouring_s": ("colouring, s", ".3g"),
    "over_wl": ("over 1-WL", ".2f"),
    "memory_mb": ("memory, MB", ".0f"),
    "adding_s": ("AddSearch, s", ".3g"),
    "epoch_s": ("epoch, s", ".3g"),
    "over_gcn": ("over GCN", ".2f"),
}


def costs_table(found: Sequence[Cost]) -> str:
    """The costs as text, and below it why something is missing."""
    lines = [[head for head, _ in COLUMNS.values()]]
    for cost in found:
        values = asdict(cost)
        lines.append(["-" if values[name] is None else f"{values[name]:{form}}" for name, (_, form) in COLUMNS.items()])
    explained = "Over: each search takes turns with runs of 1-WL and GCN of its own, and is divided by those."
    return "\n".join([*aligned(lines), explained, *(f"{cost.search}: {why}" for cost in found for why in cost.refused)])

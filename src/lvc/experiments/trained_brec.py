"""BREC with trained networks, by its own protocol: reliable paired comparison (Wang and Zhang 2023).

For every pair of graphs a network is trained anew to give them unlike vectors (cosine loss), on 32 renumbered copies of
each. Then the 32 differences of the vectors are tested against zero (Hotelling's T²), and so are those between copies
of one and the same graph, which must stay below the threshold: else the network is not reliable on that pair.

T² divides by the covariance of the differences. A network whose vectors do not depend on the numbering to the last bit
has none, and the benchmark's pseudo-inverse of nothing is nothing: the better network fails. So a small multiple of the
identity is added, as the benchmark's authors suggest for such networks; both counts are given.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch_geometric.data import Batch, Data
from torch_geometric.nn import GIN, global_add_pool

from lvc.errors import LvcError
from lvc.experiments.runs import threads_of_torch
from lvc.experiments.settings import at_least_one, not_negative
from lvc.experiments.training import seed_with
from lvc.expressivity.families import Category
from lvc.files import line_of, make_folder, put_line, write_text
from lvc.graph import Graph
from lvc.nn import SGN, AddSearch
from lvc.nn.transform import joined_searches
from lvc.provenance import provenance
from lvc.search.parsing import parse_search

THRESHOLD = 72.34  # of T², the benchmark's
RIDGE = 1e-7  # its S_epsilon
CLOSE = 1e-6


@dataclass(frozen=True)
class Settings:
    """One network; ``search`` is None for GIN. Copies, vectors and epochs are the benchmark's."""

    search: str | None = None
    hidden_channels: int = 32
    num_layers: int = 4
    out_channels: int = 16
    copies: int = 32
    epochs: int = 20
    enough: float = 0.2  # loss at which training stops
    batch_pairs: int = 8
    learning_rate: float = 1e-3
    weight_decay: float = 1e-4
    seed: int = 0

    def __post_init__(self) -> None:
        if self.search is not None:
            object.__setattr__(self, "search", str(parse_search(self.search)))
        at_least_one(self, "hidden_channels", "num_layers", "out_channels", "epochs", "batch_pairs")
        not_negative(self, "enough", "learning_rate", "weight_decay", "seed")
        if self.copies < 2:
            raise LvcError(f"copies must be at least 2, for a covariance, got {self.copies}")

    @property
    def name(self) -> str:
        return "GIN" if self.search is None else f"SGN {self.search}"


class PairResult(NamedTuple):
    """T² of a pair and of copies of its first graph; plain, and with the ridge."""

    plain: float
    plain_copies: float
    ridged: float
    ridged_copies: float

    @property
    def told_apart(self) -> bool:
        return _apart(self.ridged, self.ridged_copies) and self.reliable

    @property
    def told_apart_plainly(self) -> bool:
        return _apart(self.plain, self.plain_copies) and self.plain_copies < THRESHOLD

    @property
    def reliable(self) -> bool:
        return self.ridged_copies < THRESHOLD


def _apart(value: float, of_copies: float) -> bool:
    return value > THRESHOLD and abs(value - of_copies) > CLOSE


def network(settings: Settings) -> nn.Module:
    """A fresh network: one vector for each graph of a batch."""
    width, layers, out = settings.hidden_channels, settings.num_layers, settings.out_channels
    if settings.search is None:
        return _Pooled(GIN(1, width, layers, out, norm="batch_norm", jk="cat"))
    return SGN(1, width, layers, out, search=settings.search, norm="batch_norm", jk="cat", readout="sum")


class _Pooled(nn.Module):
    def __init__(self, body: nn.Module) -> None:
        super().__init__()
        self.body = body

    def forward(self, data: Any) -> Tensor:
        return global_add_pool(self.body(data.x, data.edge_index), data.batch, size=data.num_graphs)


def copies_of(graph: Graph, settings: Settings, generator: np.random.Generator) -> list[Data]:
    """Renumbered copies of a graph, with what the network needs to know of them."""
    made = []
    for _ in range(settings.copies):
        edges = graph.relabelled(generator.permutation(graph.n)).edges()
        both = torch.from_numpy(np.concatenate([edges, edges[:, ::-1]]).T.copy())
        made.append(Data(x=torch.ones(graph.n, 1), edge_index=both, num_nodes=graph.n))
    return made if settings.search is None else AddSearch(settings.search).each(made)


def try_pair(settings: Settings, first: Graph, second: Graph, number: int = 0) -> PairResult:
    """Train on one pair, and test it."""
    generator = np.random.default_rng([settings.seed, number])
    ours, theirs, again = (copies_of(graph, settings, generator) for graph in (first, second, first))
    seed_with((settings.seed, number))
    model = network(settings)
    step, size = 2 * settings.batch_pairs, 2 * settings.copies
    mixed = [data for pair in zip(ours, theirs, strict=True) for data in pair]
    batches = [joined_searches(Batch.from_data_list(mixed[at : at + step])) for at in range(0, size, step)]
    optimiser = torch.optim.Adam(model.parameters(), lr=settings.learning_rate, weight_decay=settings.weight_decay)
    for _ in range(settings.epochs):
        model.train()
        losses = []
        for batch in batches:
            optimiser.zero_grad()
            out = model(batch)
            apart = torch.full((len(out) // 2,), -1.0)
            loss = nn.functional.cosine_embedding_loss(out[::2], out[1::2], apart)
            loss.backward()
            optimiser.step()
            losses.append(loss.item())
        if float(np.mean(losses)) < settings.enough:
            break
    model.eval()
    with torch.no_grad():
        vectors = [model(Batch.from_data_list(some)).double() for some in (ours, theirs, again)]
    differences = vectors[0] - vectors[1], vectors[0] - vectors[2]
    plain, plain_copies = (hotelling(one, 0.0) for one in differences)
    ridged, ridged_copies = (hotelling(one, RIDGE) for one in differences)
    return PairResult(plain, plain_copies, ridged, ridged_copies)


def hotelling(differences: Tensor, ridge: float) -> float:
    """T² as the benchmark computes it: mean^T (S + ridge I)^+ mean.

    >>> same = torch.ones(4, 2)
    >>> hotelling(same, 0.0), round(hotelling(same, 0.5), 6)  # no covariance: nothing to divide by
    (0.0, 4.0)
    """
    mean = differences.mean(dim=0)
    covariance = torch.cov(differences.T) + ridge * torch.eye(len(mean), dtype=differences.dtype)
    return float(mean @ torch.linalg.pinv(covariance) @ mean)


def run(
    settings: Settings,
    family: str,
    categories: Sequence[Category],
    results: Path,
    progress: Callable[[], Any] | None = None,
) -> dict[str, Any]:
    """Every pair, one after the other; what is done is kept beside ``results``, so that an interrupted run goes on.

    A run whose line is there already is not repeated.
    """
    finished = line_of(results, {"family": family, "settings": asdict(settings)})
    if finished is not None:
        return finished
    if any(graph.labels is not None for category in categories for pair in category.pairs for graph in pair):
        raise LvcError(f"the graphs of {family} have labels, which these networks are not given; use another family")
    make_folder(results.parent)
    whole = json.dumps([family, asdict(settings)], sort_keys=True)
    partial = results.with_name(f".{results.stem}-{hashlib.sha256(whole.encode()).hexdigest()[:12]}.json")
    done = _read(partial)
    start, number, spent = time.perf_counter(), 0, done.pop("seconds", 0.0)
    with threads_of_torch(1):
        for category in categories:
            for first, second in category.pairs:
                if str(number) not in done:
                    done[str(number)] = list(try_pair(settings, first, second, number))
                    write_text(partial, json.dumps({**done, "seconds": spent + time.perf_counter() - start}))
                number += 1
                if progress is not None:
                    progress()
    row = _row(settings, family, categories, done, spent + time.perf_counter() - start)
    put_line(results, row, lambda line: _is(line, row))
    partial.unlink(missing_ok=True)
    return row


def _is(line: str, row: dict[str, Any]) -> bool:
    try:
        other = json.loads(line)
        return (other["family"], other["settings"]) == (row["family"], row["settings"])
    except (ValueError, KeyError, TypeError):
        return False


def _read(path: Path) -> dict[str, Any]:
    try:
        return dict(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return {}


def _row(
    settings: Settings, family: str, categories: Sequence[Category], done: dict[str, Any], seconds: float
) -> dict[str, Any]:
    parts, number = [], 0
    for category in categories:
        found = [PairResult(*done[str(i)]) for i in range(number, number + len(category.pairs))]
        number += len(found)
        parts.append(
            {
                "name": category.name,
                "pairs": len(found),
                "which": [i for i, one in enumerate(found) if one.told_apart],
                "plain": sum(one.told_apart_plainly for one in found),
                "unreliable": [i for i, one in enumerate(found) if not one.reliable],
                "statistics": [[float(f"{value:.4g}") for value in one] for one in found],
            }
        )
    return {
        "family": family,
        "settings": asdict(settings),
        "name": settings.name,
        "categories": parts,
        "seconds": round(seconds, 1),
        **provenance("torch", "torch_geometric"),
    }


def trained_table(rows: Sequence[dict[str, Any]], bounds: dict[str, int] | None = None) -> str:
    """One line per network: pairs told apart by category, all, without the ridge, not reliable; Markdown.

    ``bounds`` are what the exact colourings tell apart, by search: no network can tell apart more.
    """
    names = [f"{part['name']} {part['pairs']}" for part in rows[0]["categories"]]
    head = ["network", *names, "all", "exact bound", "without ridge", "unreliable", "seconds"]
    lines = [head, ["---", *["---:"] * (len(head) - 1)]]
    for row in rows:
        parts = row["categories"]
        told = [len(part["which"]) for part in parts]
        bound = (bounds or {}).get(row["settings"]["search"] or "wl", "")
        rest = [sum(part["plain"] for part in parts), sum(len(part["unreliable"]) for part in parts)]
        lines.append([row["name"], *map(str, [*told, sum(told), bound, *rest]), f"{row['seconds']:.0f}"])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)

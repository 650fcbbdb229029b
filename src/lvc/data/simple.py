"""Any torch_geometric graph as a simple undirected one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lvc.errors import LvcError
from lvc.graph import Graph

if TYPE_CHECKING:
    from torch import Tensor
    from torch_geometric.data import Data


class Took(NamedTuple):
    """What it took to make a graph simple and undirected."""

    loops: int = 0
    repeated: int = 0
    one_way: int = 0

    def notes(self) -> tuple[str, ...]:
        """In words, if it was anything.

        >>> Took(loops=2).notes()
        ('2 loops removed',)
        """
        said = (
            "{} loops removed",
            "{} repeated edges removed",
            "{} edges stood in one direction only and were made undirected",
        )
        return tuple(text.format(number) for text, number in zip(said, self, strict=True) if number)


def mended(data: Data) -> tuple[Graph, Tensor, Took]:
    """The simple undirected graph of a data, its edges in both directions, and what it took."""
    import torch

    n = int(data.num_nodes)
    edges = data.edge_index
    if not isinstance(edges, torch.Tensor) or edges.dim() != 2 or len(edges) != 2:
        raise LvcError(f"edge_index must be a tensor of shape (2, m), got {kind_of(edges)}; make it one")
    u, v = edges.numpy()
    graph = Graph.loose((n, np.stack([u, v], axis=1))).simplified()
    proper = u != v
    different = len(np.unique(u[proper].astype(np.int64) * n + v[proper]))
    took = Took(int((~proper).sum()), int(proper.sum()) - different, 2 * graph.m - different)
    source = np.repeat(np.arange(n), graph.degrees)
    return graph, torch.from_numpy(np.stack([source, graph.indices.astype(np.int64)])), took


def kind_of(given: Any) -> str:
    """What was given, for an error."""
    return f"shape {tuple(given.shape)}" if hasattr(given, "shape") else type(given).__name__

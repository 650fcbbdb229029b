"""Where vertices stand in a picture: the same place every time."""

from __future__ import annotations

from functools import lru_cache

import networkx as nx
import numpy as np

from lvc.graph import Graph
from lvc.search.tree import SearchTree

Positions = dict[int, tuple[float, float]]


@lru_cache(maxsize=4)  # a figure asks for its size first, then for the places
def graph_positions(graph: Graph) -> Positions:
    """Kamada-Kawai for each component (on a circle if it is large), components side by side, largest first."""
    whole = graph.to_networkx() if graph.names is None else Graph(graph.indptr, graph.indices).to_networkx()
    positions: Positions = {}
    left = 0.0
    for component in sorted(nx.connected_components(whole), key=lambda c: (-len(c), min(c))):
        part = whole.subgraph(sorted(component))
        width = max(len(part) ** 0.5, 1.0)
        circle = nx.circular_layout(part)
        placed = nx.kamada_kawai_layout(part, pos=circle) if 2 < len(part) <= 300 else circle
        points = _laid_flat(np.array([placed[v] for v in part]))
        points -= points.min(axis=0)
        points *= width / max(points.max(), 1e-9)
        for v, (x, y) in zip(part, points, strict=True):
            positions[v] = (left + float(x), float(y) - float(points[:, 1].mean()))
        left += float(points[:, 0].max()) + 1.2
    return positions


def _laid_flat(points: np.ndarray) -> np.ndarray:
    """Turned so that the longest extent is horizontal, the first vertex to the left."""
    centred = points - points.mean(axis=0)
    turned = centred @ np.linalg.svd(centred, full_matrices=False)[2].T
    return turned * np.where(turned[0] > 0, -1, 1) if turned.shape[1] == 2 else centred


def tree_positions(tree: SearchTree) -> Positions:
    """Levels from top to bottom; leaves evenly spaced in visiting order, every other vertex above its children."""
    children: dict[int, list[int]] = {v: [] for v in tree.visited}
    for u, v in tree.tree_edges:
        children[u].append(v)
    across: dict[int, float] = {}
    pending = [(tree.root, False)]
    while pending:
        v, below_done = pending.pop()
        if not children[v]:
            across[v] = float(sum(1 for u in across if not children[u]))
        elif below_done:
            across[v] = float(np.mean([across[u] for u in children[v]]))
        else:
            pending += [(v, True), *((u, False) for u in reversed(children[v]))]
    return {v: (across[v], -float(tree.level[v])) for v in tree.visited}

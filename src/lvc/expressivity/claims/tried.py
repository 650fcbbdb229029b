"""The graphs on which claims are tried, and their colours, each refined once for all claims."""

from __future__ import annotations

from functools import lru_cache

import networkx as nx
import numpy as np

from lvc.colouring.colour import colour_jointly
from lvc.expressivity.claims.claim import Effort
from lvc.expressivity.named import NAMED_GRAPHS, NAMED_PAIRS
from lvc.expressivity.pair_colours import PairColours, stable_pair_colours
from lvc.expressivity.smallest import all_graphs
from lvc.graph import Graph
from lvc.search.parsing import parse_search

Graphs = tuple[Graph, ...]


@lru_cache
def every_graph(effort: Effort) -> Graphs:
    """Every graph with 1 to ``effort.largest`` vertices, connected or not."""
    return tuple(graph for n in range(1, effort.largest + 1) for graph in all_graphs(n))


@lru_cache
def connected(effort: Effort) -> Graphs:
    """Every connected graph with 2 to ``effort.largest`` vertices."""
    return tuple(graph for graph in every_graph(effort) if graph.n > 1 and is_connected(graph))


@lru_cache
def named() -> Graphs:
    """The graphs of :mod:`lvc.expressivity.named`."""
    pairs = [graph for pair in NAMED_PAIRS.values() for graph in pair.make()]
    return tuple(sorted([*pairs, *(graph.make() for graph in NAMED_GRAPHS.values())], key=lambda graph: graph.n))


@lru_cache
def random_graphs(effort: Effort) -> Graphs:
    """Seeded random graphs with 8 to 14 vertices: every third one regular, the others with independent edges."""
    found = []
    for seed in range(effort.random):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(8, 15))
        if seed % 3 == 0:
            degree = int(rng.integers(2, 5))
            graph = nx.random_regular_graph(degree, n + n % 2, seed=seed)
        else:
            graph = nx.gnp_random_graph(n, float(rng.uniform(0.15, 0.5)), seed=seed)
        found.append(Graph.from_networkx(graph))
    return tuple(sorted(found, key=lambda graph: graph.n))


@lru_cache
def everything(effort: Effort) -> Graphs:
    """All of the above, fewest vertices first."""
    found = [*every_graph(effort), *named(), *random_graphs(effort)]
    return tuple(sorted(found, key=lambda graph: graph.n))


@lru_cache(maxsize=64)
def colours(graphs: Graphs, search: str, rounds: int | None = None) -> list[list[int]]:
    """Vertex colours of every graph, comparable across them; stable, or those of one round."""
    bfs_only = rounds is None and search.startswith("bfs") and "+" not in search
    schedule = "sweep" if bfs_only else "rounds"
    found = colour_jointly(graphs, parse_search(search), rounds=rounds, schedule=schedule)
    return [colouring.vertex.tolist() for colouring in found]


@lru_cache(maxsize=16)
def pair_colours(graphs: Graphs, search: str, held: bool = False) -> PairColours:
    """Stable vertex and pair colours of every graph, comparable across them."""
    return stable_pair_colours(graphs, search, held=held)


def is_connected(graph: Graph) -> bool:
    return nx.is_connected(graph.to_networkx())


def in_words(graphs: Graphs, effort: Effort) -> str:
    """Which graphs these are, for a verdict."""
    disconnected = any(graph.n < effort.largest and not is_connected(graph) for graph in graphs[:20])
    kinds = "graphs" if disconnected else "connected graphs"
    parts = [f"all {kinds} with up to {effort.largest} vertices"]
    held_here = set(graphs)
    for most, words in ((16, "the named ones"), (10, "the named ones with up to 10")):
        if held_here.issuperset(graph for graph in named() if graph.n <= most and is_connected(graph)):
            parts.append(words)
            break
    if held_here.issuperset(graph for graph in random_graphs(effort) if is_connected(graph)):
        parts.append(f"{effort.random} random ones with 8 to 14" if disconnected else "random ones with 8 to 14")
    return f"{', '.join(parts)}: {len(graphs)} in all"

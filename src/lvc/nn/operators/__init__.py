"""Three ways to the same sum: *pairwise* for any η, *paths* for BFS, *blocks* for DFS."""

from __future__ import annotations

from lvc.errors import LvcError
from lvc.graph import Graph
from lvc.nn.operators.base import Layer, Operator, Rule
from lvc.nn.operators.blocks import Blocks
from lvc.nn.operators.collated import CollatedOperators
from lvc.nn.operators.joining import in_ranges
from lvc.nn.operators.pairwise import Pairwise
from lvc.nn.operators.paths import Paths
from lvc.nn.operators.whole import Whole, in_handfuls
from lvc.search.balls import ball_sizes
from lvc.search.counts import level_sizes
from lvc.search.kinds import BFS, DFS, Levels, Local, Search
from lvc.search.trees import ROLES, neighbours_in_balls

__all__ = [
    "Blocks",
    "CollatedOperators",
    "Layer",
    "Operator",
    "Pairwise",
    "Paths",
    "Rule",
    "Whole",
    "at_most",
    "estimate",
    "in_handfuls",
    "in_ranges",
    "operator_for",
    "radius_of",
    "weights_of",
]


def operator_for(graph: Graph, search: Search) -> Operator:
    """The fastest operator that computes ``search`` on ``graph``."""
    radius = radius_of(search)
    if isinstance(search, BFS):
        return Paths.of(graph, search, radius)
    if isinstance(search, DFS):
        return Blocks.of(graph, search, radius)
    assert isinstance(search, Local)
    return Pairwise.of(graph, search, radius)


def radius_of(search: Search) -> int:
    """The radius of one part of a search; a network has one weight for each distance, so it must be bounded."""
    if not isinstance(search, Local):
        raise LvcError(f"a network cannot be guided by {search}; use bfs:R, dfs:R, levels:R or a custom search")
    if search.radius is None:
        raise LvcError(f"a network needs a bounded radius, one weight matrix for each distance; got {search}")
    return search.radius


def weights_of(search: Search) -> int:
    """How many weight matrices a layer has for one part of a search: one for each distance and role."""
    return radius_of(search) * (ROLES if isinstance(search, Levels) else 1)


def estimate(graph: Graph, search: Search) -> int:
    """Bytes that the operator for ``search`` will take, with the matrices it makes when it is used."""
    radius = radius_of(search)
    if isinstance(search, BFS):
        level = level_sizes(graph, radius)
        return _bytes_of_paths(graph, radius, [int(level[:, k - 1].sum()) for k in range(1, max(radius, 2))])
    members = int(neighbours_in_balls(graph, radius).sum()) if isinstance(search, Levels) else 0
    return _bytes_of_pairs(search, int(ball_sizes(graph, radius).sum()), members)


def at_most(graph: Graph, search: Search, pairs: int | None = None) -> int:
    """What :func:`estimate` cannot exceed, told without searching: as if every ball were the whole graph.

    Of several graphs side by side there are no more ``pairs`` than in all of them.
    """
    radius, pairs = radius_of(search), graph.n**2 if pairs is None else pairs
    if isinstance(search, BFS):
        return _bytes_of_paths(graph, radius, [pairs] * max(radius - 1, 1))
    return _bytes_of_pairs(search, pairs, 2 * graph.m * graph.n)


def _bytes_of_paths(graph: Graph, radius: int, at_distance: list[int]) -> int:
    """From the pairs at distance 1, 2, ..."""
    entries = sum(pairs * (radius - k + 1) for k, pairs in enumerate(at_distance))
    return 40 * entries + 60 * graph.n * radius


def _bytes_of_pairs(search: Search, pairs: int, members: int) -> int:
    if isinstance(search, DFS):  # measured on paths: for each distance matrices have as many rows as there are units
        return (130 + 14 * radius_of(search)) * pairs
    if isinstance(search, Levels):  # measured: 60 bytes a member on a clique of 300 vertices
        return 400 * pairs + 64 * members
    return 400 * pairs

"""Every root's search at once, and η of every pair (u, v) with u in the ball of v.

Pairs are numbered root by root, each ball in order of discovery, the root itself first. The vertices of η_v(u) are
pairs with the same root, so η is stored as pair numbers. All vertices of a block share one η: it is stored once, as a
*group*, and a pair points to its group. Where neighbours are told apart (``levels``), every member has a role.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from lvc.errors import LvcError
from lvc.graph import Graph
from lvc.search.ball_blocks import ball_blocks_of_every_root, grouped, planned
from lvc.search.balls import ball_sizes, check_stored, offsets, sizes_and_edges
from lvc.search.bfs import bench, bfs_ball, check_vertex, clear, limit, parents_of
from lvc.search.kinds import BFS, DFS, Custom, Levels, Search
from lvc.search.threads import in_chunks

ROLES = 3  # of ``levels``: parent, sibling, child


class Trees(NamedTuple):
    """The searches from every root: the balls, and η_v(u) as ``member[group_start[g]:group_start[g + 1]]``."""

    start: np.ndarray  # int64[n + 1], pairs of root v are start[v]:start[v + 1]
    vertex: np.ndarray  # int32[pairs], u
    distance: np.ndarray  # int32[pairs], d(u, v)
    group: np.ndarray  # int32[pairs], which group is η_v(u); -1 at the root
    group_start: np.ndarray  # int64[groups + 1]
    member: np.ndarray  # int32[...], pair numbers
    role: np.ndarray | None = None  # int8[...], of each member of a group; None if there is one role only

    def told_apart(self, colour: np.ndarray) -> np.ndarray:
        """The colour of every member, numbers that differ where roles do."""
        found = colour[self.member]
        return found if self.role is None else found.astype(np.int64) * ROLES + self.role


def trees(graph: Graph, search: Search) -> Trees:
    """Balls and η of ``search`` from every root of ``graph``."""
    if isinstance(search, BFS):
        return _bfs_trees(graph, search)
    if isinstance(search, DFS):
        return _dfs_trees(graph, search)
    if isinstance(search, Levels):
        return _levels_trees(graph, search)
    if isinstance(search, Custom):
        return _custom_trees(graph, search)
    raise LvcError(f"{search} does not search from every vertex; use bfs:R, dfs:R, levels:R or a custom search")


def eta_from(graph: Graph, search: Search, root: int) -> dict[int, tuple[int, ...]]:
    """η_root(u) of every vertex u of the ball but the root, sorted; for people and pictures.

    >>> from lvc.search.kinds import BFS
    >>> eta_from(Graph.from_edges(4, [(0, 1), (1, 2), (2, 3), (0, 3)]), BFS(2), 0)
    {1: (0,), 3: (0,), 2: (1, 3)}
    """
    found = trees(graph, search)
    pairs = range(found.start[check_vertex(graph, root)] + 1, found.start[root + 1])
    groups = [(int(found.vertex[p]), found.group[p]) for p in pairs]
    bounds = found.group_start
    return {u: tuple(sorted(found.vertex[found.member[bounds[g] : bounds[g + 1]]].tolist())) for u, g in groups}


def _bfs_trees(graph: Graph, search: BFS) -> Trees:
    """η is the parents; every pair but the roots has a group of its own."""
    sizes, edges = sizes_and_edges(graph, search.radius)
    start, first = offsets(sizes), offsets(edges)
    pairs, members = int(start[-1]), int(first[-1])
    check_stored(graph, search, pairs, members)
    vertex, distance, group = (np.empty(pairs, np.int32) for _ in range(3))
    out = Trees(start, vertex, distance, group, np.full(pairs - graph.n + 1, members), np.empty(members, np.int32))
    in_chunks(_fill_bfs, pairs, graph.indptr, graph.indices, limit(graph, search.radius), first, out)
    return out


@njit(cache=True)
def _lay(root, size, room, out):
    """Write down the ball on the bench; returns where it begins."""
    base = out.start[root]
    out.vertex[base : base + size] = room.vertex[:size]
    out.distance[base : base + size] = room.distance[:size]
    out.group[base] = -1
    return base


@njit(cache=True, nogil=True)
def _fill_bfs(chunk, chunks, indptr, indices, radius, first, out):
    n = len(indptr) - 1
    room = bench(n)
    parents = np.empty(n, np.int32)
    for root in range(chunk, n, chunks):
        size = bfs_ball(indptr, indices, root, radius, room)
        base, end = _lay(root, size, room, out), first[root]
        for i in range(1, size):
            own = base - root + i - 1
            out.group[base + i] = own
            out.group_start[own] = end
            for k in range(parents_of(indptr, indices, i, room, parents)):
                out.member[end] = base + parents[k]
                end += 1
        clear(room, size)


def _levels_trees(graph: Graph, search: Levels) -> Trees:
    """η is all neighbours in the ball, each with its role; every pair but the roots has a group of its own."""
    start = offsets(ball_sizes(graph, search.radius))
    reach, csr = limit(graph, search.radius), (graph.indptr, graph.indices)
    first, pairs = offsets(neighbours_in_balls(graph, search.radius)), int(start[-1])
    members = int(first[-1])
    check_stored(graph, search, pairs, members)
    vertex, distance, group = (np.empty(pairs, np.int32) for _ in range(3))
    group_start, member = np.full(pairs - graph.n + 1, members), np.empty(members, np.int32)
    out = Trees(start, vertex, distance, group, group_start, member, np.empty(members, np.int8))
    in_chunks(_fill_levels, members, *csr, reach, first, out)
    return out


def neighbours_in_balls(graph: Graph, radius: int | None) -> np.ndarray:
    """For every root the ends of edges inside its ball, but for those at the root."""
    edges = np.zeros(graph.n, np.int64)
    work = graph.n + len(graph.indices)
    in_chunks(_count_neighbours, work, graph.indptr, graph.indices, limit(graph, radius), edges)
    return edges


@njit(cache=True, nogil=True)
def _count_neighbours(chunk, chunks, indptr, indices, radius, edges):
    n = len(indptr) - 1
    room = bench(n)
    for root in range(chunk, n, chunks):
        size = bfs_ball(indptr, indices, root, radius, room)
        for i in range(1, size):
            u = room.vertex[i]
            for e in range(indptr[u], indptr[u + 1]):
                if room.place[indices[e]] >= 0:
                    edges[root] += 1
        clear(room, size)


@njit(cache=True, nogil=True)
def _fill_levels(chunk, chunks, indptr, indices, radius, first, out):
    n = len(indptr) - 1
    room = bench(n)
    for root in range(chunk, n, chunks):
        size = bfs_ball(indptr, indices, root, radius, room)
        base, end = _lay(root, size, room, out), first[root]
        for i in range(1, size):
            own, u = base - root + i - 1, room.vertex[i]
            out.group[base + i] = own
            out.group_start[own] = end
            for e in range(indptr[u], indptr[u + 1]):
                j = room.place[indices[e]]
                if j >= 0:
                    out.member[end] = base + j
                    out.role[end] = room.distance[j] - room.distance[i] + 1
                    end += 1
        clear(room, size)


def _dfs_trees(graph: Graph, search: DFS) -> Trees:
    """A block is a group; a vertex of several blocks, or one entered by a bridge, has a group of its own."""
    blocks = ball_blocks_of_every_root(graph, search.radius)
    plan = planned(blocks)
    check_stored(graph, search, len(blocks.vertex), int(plan.members))
    group, group_start, member = grouped(blocks, plan)
    return Trees(blocks.start, blocks.vertex, blocks.distance, group, group_start, member)


def _custom_trees(graph: Graph, search: Custom) -> Trees:
    """Ask the user's η for every root; slow, and the meaning of every other search here."""
    assert search.eta is not None
    reach = limit(graph, search.radius)
    start = offsets(ball_sizes(graph, search.radius))
    check_stored(graph, search, int(start[-1]), int(start[-1]))
    room = bench(graph.n)
    vertex, distance = np.empty(start[-1], np.int32), np.empty(start[-1], np.int32)
    group, group_start, member = np.full(start[-1], -1, np.int32), [0], []
    for root in range(graph.n):
        base = int(start[root])
        size = bfs_ball(graph.indptr, graph.indices, root, reach, room)
        vertex[base : base + size], distance[base : base + size] = room.vertex[:size], room.distance[:size]
        clear(room, size)
        place = {int(u): base + i for i, u in enumerate(room.vertex[:size])}
        eta = _checked_eta(search.eta(graph, root, search.radius), root, place)
        for i in range(1, size):
            group[base + i] = len(group_start) - 1
            member += sorted(eta.get(int(room.vertex[i]), ()))
            group_start.append(len(member))
    return Trees(start, vertex, distance, group, np.array(group_start), np.array(member, np.int32))


def _checked_eta(eta: Any, root: int, place: dict[int, int]) -> dict[int, set[int]]:
    """A user's η with pair numbers for vertices, or a sentence on what is wrong with it."""
    if not isinstance(eta, Mapping):
        raise LvcError(f"eta must return a mapping from vertices to vertices, got {type(eta).__name__} for root {root}")
    checked = {}
    for u, members in eta.items():
        if u not in place:
            raise LvcError(f"eta gave vertex {u!r}, which is not in the ball of root {root}; leave it out")
        if not isinstance(members, Iterable):
            raise LvcError(f"eta of {u} from root {root} must be several vertices, got {members!r}")
        listed = np.asarray(list(members)).tolist()
        outside = [w for w in listed if isinstance(w, list) or w not in place]
        if outside:
            raise LvcError(f"eta of {u} from root {root} holds {outside[0]!r}, which is not in the ball of the root")
        checked[int(u)] = {place[w] for w in listed}
    return checked

"""Slow twins: every notion written straight from its definition, with networkx and dictionaries. One place for all."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import permutations
from typing import Any

import networkx as nx

Eta = Callable[[nx.Graph, int, int | None], Mapping[int, Any]]  # sets, or mappings to roles


def distances(graph: nx.Graph, root: int, radius: int | None) -> dict[int, int]:
    return dict(nx.single_source_shortest_path_length(graph, root, cutoff=radius))


def bfs_eta(graph: nx.Graph, root: int, radius: int | None) -> dict[int, set[int]]:
    d = distances(graph, root, radius)
    return {u: {w for w in graph[u] if w in d and d[w] == d[u] - 1} for u in d if u != root}


def dfs_eta(graph: nx.Graph, root: int, radius: int | None) -> dict[int, set[int]]:
    d = distances(graph, root, radius)
    parts = [set(part) for part in nx.biconnected_components(graph.subgraph(d))]
    eta: dict[int, set[int]] = {}
    for u in d:
        if u == root:
            continue
        eta[u] = set().union(*[part for part in parts if len(part) > 2 and u in part])
        for part in parts:
            if len(part) == 2 and u in part:
                (other,) = part - {u}
                if d[other] < d[u]:
                    eta[u].add(other)
    return eta


def levels_eta(graph: nx.Graph, root: int, radius: int | None) -> dict[int, dict[int, int]]:
    """All neighbours in the ball, each with its role: 0 for a parent, 1 for a sibling, 2 for a child."""
    d = distances(graph, root, radius)
    return {u: {w: d[w] - d[u] + 1 for w in graph[u] if w in d} for u in d if u != root}


def role(eta: Any, w: Any) -> int:
    return eta[w] if isinstance(eta, dict) else 0


def multiset(values) -> tuple:
    return tuple(sorted(Counter(values).items()))


def lvc_rounds(graph: nx.Graph, searches: Sequence[tuple[Eta, int | None]], labels=None) -> Iterator[dict[int, int]]:
    """Vertex colours round by round; ends after the round in which neither vertices nor pairs refined."""
    vertex = dict.fromkeys(graph, 0) if labels is None else dict(labels)
    eta = {(s, v): search(graph, v, r) for s, (search, r) in enumerate(searches) for v in graph}
    pair: dict[Any, Any] = {(s, v, u): ("first", vertex[u]) for (s, v), of in eta.items() for u in [v, *of]}
    sizes = None
    while True:
        yield vertex
        new_pair: dict[Any, Any] = {}
        for s, v in eta:
            for u in eta[s, v]:
                new_pair[s, v, u] = (
                    "phi",
                    vertex[u],
                    multiset((role(eta[s, v][u], w), pair[s, v, w]) for w in eta[s, v][u]),
                )
        numbers = {colour: i for i, colour in enumerate(sorted(set(new_pair.values()), key=repr))}
        new_pair = {key: ("pair", numbers[colour]) for key, colour in new_pair.items()}
        signature: dict[Any, Any] = {
            u: (
                vertex[u],
                *(multiset(new_pair[s, v, u] for v in graph if u in eta[s, v]) for s in range(len(searches))),
            )
            for u in graph
        }
        names = {colour: i for i, colour in enumerate(sorted(set(signature.values()), key=repr))}
        vertex = {u: names[signature[u]] for u in graph}
        for s, v in eta:
            new_pair[s, v, v] = ("vertex", vertex[v])
        pair = new_pair
        before, sizes = sizes, (len(set(vertex.values())), len(set(pair.values())))
        if sizes == before:
            return


def wl_rounds(graph: nx.Graph, labels=None) -> Iterator[dict[int, int]]:
    vertex = dict.fromkeys(graph, 0) if labels is None else dict(labels)
    while True:
        yield vertex
        signature = {u: (vertex[u], multiset(vertex[w] for w in graph[u])) for u in graph}
        numbers = {colour: i for i, colour in enumerate(sorted(set(signature.values())))}
        before, vertex = vertex, {u: numbers[signature[u]] for u in graph}
        if len(set(before.values())) == len(numbers):
            return


def fwl2_rounds(graph: nx.Graph, labels=None) -> Iterator[dict[int, int]]:
    label = dict.fromkeys(graph, 0) if labels is None else labels
    colour: dict[Any, Any] = {(u, v): (u == v, graph.has_edge(u, v), label[u], label[v]) for u in graph for v in graph}
    while True:
        yield {u: colour[u, u] for u in graph}
        signature = {(u, v): (colour[u, v], multiset((colour[u, w], colour[w, v]) for w in graph)) for u, v in colour}
        numbers = {c: i for i, c in enumerate(sorted(set(signature.values())))}
        before, colour = colour, {pair: numbers[signature[pair]] for pair in colour}
        if len(set(before.values())) == len(numbers):
            return


def told_apart(eta: Any, colours: dict[Any, int]) -> tuple[int, ...]:
    return tuple(sorted(3 * c + eta[w] if isinstance(eta, dict) else c for w, c in colours.items()))


def fingerprint(graph: nx.Graph, search: str, searches: Sequence[tuple[Eta, int | None]], labels=None) -> str:
    """Fingerprints of format 1 for sums of local searches, from the text in lvc/colouring/fingerprint.py alone."""
    lines = ["lvc-fingerprint 1", f"search {search}", f"vertices {len(graph)}"]
    label = dict.fromkeys(graph, 0) if labels is None else dict(labels)
    values = sorted(set(label.values())) or [0]
    lines.append("labels " + " ".join(map(str, values)))

    def table(rows: dict[Any, tuple[int, ...]]) -> dict[Any, int]:
        distinct = sorted(set(rows.values()), key=lambda row: (len(row), row))
        lines.extend([f"table {len(distinct)}", *(" ".join(map(str, row)) for row in distinct)])
        return {key: distinct.index(row) for key, row in rows.items()}

    vertex = {u: values.index(label[u]) for u in graph}
    eta = [{v: search_(graph, v, radius) for v in graph} for search_, radius in searches]
    pair: list[dict[Any, int]] = [{(v, u): vertex[u] for v in graph for u in [v, *of[v]]} for of in eta]
    before: Any = None
    while True:
        counts = Counter(vertex.values())
        lines.append(" ".join(["round", *(str(counts[c]) for c in sorted(counts))]))
        new, given, sizes = dict(vertex), [], []
        for of, colours in zip(eta, pair, strict=True):
            inner = [(v, u) for v in graph for u in of[v]]
            one = table({(v, u): told_apart(of[v][u], {w: colours[v, w] for w in of[v][u]}) for v, u in inner})
            two = table({(v, u): (vertex[u], one[v, u]) for v, u in inner})
            three = table({u: tuple(sorted(two[v, x] for v, x in inner if x == u)) for u in graph})
            new = table({u: (new[u], three[u]) for u in graph})
            given.append(two)
            sizes += [len(set(new.values())), len(set(two.values()))]
        shift = len(set(new.values()))
        pair = [{**{p: c + shift for p, c in two.items()}, **{(v, v): new[v] for v in graph}} for two in given]
        vertex = new
        if sizes == before:
            digest = hashlib.sha256("".join(line + "\n" for line in lines).encode()).hexdigest()
            return f"lvc1:{digest}"
        before = sizes


Colourer = Callable[[list[nx.Graph], list[dict], list[dict]], list[dict]]  # graphs, labels, distances -> stable colours


def jointly(rounds: Callable[[nx.Graph, dict], Iterator[dict]]) -> Colourer:
    """Colours of several graphs at once, as those of their disjoint union."""

    def colourer(graphs: list[nx.Graph], labels: list[dict], distance: list[dict]) -> list[dict]:
        union = nx.Graph()
        for i, graph in enumerate(graphs):
            union.add_nodes_from((i, v) for v in graph)
            union.add_edges_from(((i, a), (i, b)) for a, b in graph.edges)
        *_, last = rounds(union, {(i, v): labels[i][v] for i, v in union})
        return [{v: last[i, v] for v in graph} for i, graph in enumerate(graphs)]

    return colourer


def renamed(signatures: list[dict]) -> list[dict]:
    names = {c: i for i, c in enumerate(sorted({c for one in signatures for c in one.values()}, key=repr))}
    return [{v: names[c] for v, c in one.items()} for one in signatures]


def nested(inner: Colourer, radius: int | None, pick: bool, inner_picks: bool = False) -> Colourer:
    """Balls without their roots are coloured first, of all vertices or of those of the largest class.

    ``inner_picks``: there are picks inside; what they find without the balls is kept.
    """

    def colourer(graphs: list[nx.Graph], labels: list[dict], distance: list[dict]) -> list[dict]:
        before = inner(graphs, labels, distance) if pick else labels
        roots = [largest(b, d) if pick else list(g) for g, b, d in zip(graphs, before, distance, strict=True)]
        where = [(i, v) for i, some in enumerate(roots) for v in some]
        reach = [{u: d for u, d in distances(graphs[i], v, radius).items() if u != v} for i, v in where]
        balls = [graphs[i].subgraph(r) for (i, _), r in zip(where, reach, strict=True)]
        first = [{u: (before[i][u], d) for u, d in r.items()} for (i, _), r in zip(where, reach, strict=True)]
        inside = inner(balls, renamed(first), reach) if balls else []
        of_root = {at: multiset(colours.values()) for at, colours in zip(where, inside, strict=True)}
        kept = inner(graphs, labels, distance) if inner_picks else before
        new = [{v: (before[i][v], kept[i][v], of_root.get((i, v))) for v in g} for i, g in enumerate(graphs)]
        return inner(graphs, renamed(new), distance)

    return colourer


def largest(colours: dict, distance: dict) -> list:
    """The largest class, if it has two vertices; of several the farthest, of those all."""
    sizes = Counter(colours.values())
    most = max(sizes.values(), default=0)
    if most < 2:
        return []
    those = [v for v in colours if sizes[colours[v]] == most]
    far = max(distance[v] for v in those)
    return [v for v in those if distance[v] == far]


def classes(colours: Mapping[int, object]) -> set[frozenset[int]]:
    """The partition that a colouring makes."""
    members: dict[object, set[int]] = {}
    for v, c in colours.items():
        members.setdefault(c, set()).add(v)
    return {frozenset(part) for part in members.values()}


def orbits(graph: nx.Graph) -> set[frozenset[int]]:
    """The orbits of the automorphism group, by trying every permutation."""
    vertices, edges = list(graph), {frozenset(e) for e in graph.edges}
    orbit = {v: {v} for v in vertices}
    for image in permutations(vertices):
        move = dict(zip(vertices, image, strict=True))
        if all(frozenset((move[a], move[b])) in edges for a, b in graph.edges):
            for v in vertices:
                orbit[v].add(move[v])
    return {frozenset(o) for o in orbit.values()}


def path_counts(graph: nx.Graph, root: int, radius: int | None) -> dict[int, int]:
    """Shortest paths from the root, by listing them."""
    return {u: len(list(nx.all_shortest_paths(graph, root, u))) for u in distances(graph, root, radius)}

"""Claims about search trees and visiting orders: back edges, the η of BFS and of DFS, and what they do to colours."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby, permutations
from math import factorial

import numpy as np

from lvc.colouring.colour import colour_jointly
from lvc.expressivity.claims.claim import Claim, Effort, Verdict, failed, held
from lvc.expressivity.claims.tried import everything, in_words
from lvc.expressivity.printed_dfs import EtaOfRoot, block_eta, eta_of_tree, order_dependences, printed_search
from lvc.graph import Graph
from lvc.search.kinds import BFS, DFS, Search
from lvc.search.tree import SearchTree, search_tree

ETA_BFS = "Equation of η_bfc, section 4.2"
ETA_DFS = "Lemma dfcinvariance, section 4.3"


def orders_of(graph: Graph, effort: Effort) -> Iterator[tuple[int, ...]]:
    """Orders by which ties are broken: all of them for few vertices, else seeded random ones."""
    if factorial(graph.n) <= 2 * effort.orders:
        yield from permutations(range(graph.n))
        return
    rng = np.random.default_rng(graph.n)
    for _ in range(effort.orders):
        yield tuple(rng.permutation(graph.n).tolist())


def search_trees(effort: Effort, kind: str) -> Iterator[tuple[Graph, list[SearchTree]]]:
    """Trees of small, named and random graphs, in several visiting orders, each from its first vertex."""
    for graph in everything(effort):
        yield graph, [search_tree(graph, order[0], kind, order=order) for order in orders_of(graph, effort)]


def _tried(effort: Effort, trees: int) -> str:
    return f"{trees} search trees of {in_words(everything(effort), effort)}"


def _back_edges(effort: Effort) -> Verdict:
    cases = 0
    for kind, good in (("bfs", _joins_near_levels), ("dfs", _joins_ancestor)):
        for graph, trees in search_trees(effort, kind):
            cases += len(trees)
            wrong = [edge for tree in trees for edge in tree.back_edges if not good(tree, edge)]
            if wrong:
                return failed(
                    cases, _tried(effort, cases), f"back edge {wrong[0]} of a {kind} tree", [graph], wrong[:1]
                )
    return held(cases, _tried(effort, cases))


def _joins_near_levels(tree: SearchTree, edge: tuple[int, int]) -> bool:
    return abs(tree.level[edge[0]] - tree.level[edge[1]]) <= 1


def _joins_ancestor(tree: SearchTree, edge: tuple[int, int]) -> bool:
    above = tree.parent[edge[0]]
    while above in tree.parent:
        above = tree.parent[above]
        if above == edge[1]:
            return True
    return False


def printed_bfs_eta(tree: SearchTree, directed: bool) -> EtaOfRoot:
    """η_bfc by tree and back edges.

    The paper's back edges run from the later to the earlier vertex. ``directed`` takes ``(o, u) ∈ E_back`` at its word;
    otherwise o is the end nearer to the root, which is what the paper's explanation and figure mean.
    """
    eta = {u: {tree.parent[u]} for u in tree.visited[1:]}
    for later, earlier in tree.back_edges:
        if tree.level[later] != tree.level[earlier]:
            o, u = (later, earlier) if directed else (earlier, later)
            if u in eta:
                eta[u].add(o)
    return {u: frozenset(members) for u, members in eta.items()}


def _parents(graph: Graph, tree: SearchTree) -> EtaOfRoot:
    """All neighbours one step nearer the root."""
    near = tree.level
    return {u: frozenset(w for w in graph.neighbours(u).tolist() if near[w] == near[u] - 1) for u in tree.visited[1:]}


def _bfs_eta(directed: bool) -> Callable[[Effort], Verdict]:
    def check(effort: Effort) -> Verdict:
        cases = 0
        for graph, trees in search_trees(effort, "bfs"):
            for tree in trees:
                cases += 1
                printed, meant = printed_bfs_eta(tree, directed), _parents(graph, tree)
                wrong = sorted((u for u in meant if printed[u] != meant[u]), key=lambda u: -len(meant[u]))
                if wrong:
                    u = wrong[0]
                    because = (
                        f"from root {tree.root}, visiting {list(tree.visited)}, η({u}) = {sorted(printed[u])}: "
                        "which of the "
                        f"parents {sorted(meant[u])} of {u} is in it depends on the order, and the other one has "
                        f"{u} in its η"
                    )
                    return failed(cases, _tried(effort, cases), because, [graph], [(tree.root, u)])
        return held(cases, _tried(effort, cases))

    return check


def _printed_order(effort: Effort) -> Verdict:
    cases = 0
    for graph in everything(effort):
        orders = list(orders_of(graph, effort))
        cases += len(orders) * graph.n
        found = next(order_dependences(graph, orders), None)
        if found is not None:
            one, other = (sorted(eta) for eta in found.etas)
            because = (
                f"from root {found.root}, η({found.vertex}) is {one} when ties go by {list(found.orders[0])} and "
                f"{other} "
                f"when they go by {list(found.orders[1])}"
            )
            return failed(cases, _tried(effort, cases), because, [graph], [(found.root, found.vertex)])
    return held(cases, _tried(effort, cases))


def _block_order(effort: Effort) -> Verdict:
    cases = 0
    for graph in everything(effort):
        for radius in (None, 1, 2):
            blocks = block_eta(graph, radius)
            for order in orders_of(graph, effort):
                root = order[0]
                cases += 1
                tree = search_tree(graph, root, "dfs", order=order, radius=radius)
                if eta_of_tree(tree, "paths") != blocks[root]:
                    return failed(cases, _tried(effort, cases), "the blocks are not the classes", [graph], [(root,)])
    return held(cases, _tried(effort, cases), "chains of back edges whose tree paths share a tree edge are the blocks")


def _invariant(searches: tuple[Search, ...]) -> Callable[[Effort], Verdict]:
    def check(effort: Effort) -> Verdict:
        tried = f"a random renumbering of each of {in_words(everything(effort), effort)}, {len(searches)} searches"
        cases = 0
        for _, same_size in groupby(everything(effort), key=lambda graph: graph.n):
            graphs = list(same_size)
            moves = [np.random.default_rng(g).permutation(graph.n) for g, graph in enumerate(graphs)]
            moved = [graph.relabelled(move) for graph, move in zip(graphs, moves, strict=True)]
            for search in searches:
                found = colour_jointly([*graphs, *moved], search)
                for g, move in enumerate(moves):
                    cases += 1
                    before, after = found[g].vertex, found[len(graphs) + g].vertex
                    if not np.array_equal(before, after[move]):
                        told = sorted(before.tolist()) != sorted(after.tolist())
                        how = "told apart" if told else "coloured differently"
                        because = f"a graph and a renumbered copy of it are {how}"
                        return failed(cases, tried, because, [graphs[g], moved[g]])
        return held(cases, tried)

    return check


CLAIMS = (
    Claim(
        "back-edges",
        "Section 3",
        "A BFS back edge joins vertices on the same or on adjacent levels; a DFS back edge joins a vertex to an "
        "ancestor "
        "that is not its parent.",
        "every back edge of search trees in many visiting orders",
        _back_edges,
    ),
    Claim(
        "bfs-eta-printed",
        ETA_BFS,
        "η_bfc(u), with back edges directed as section 3 says (from the later to the earlier vertex), is the same for "
        "every visiting order.",
        "the printed formula, word for word, against all parents of u in the shortest-path DAG",
        _bfs_eta(directed=True),
    ),
    Claim(
        "bfs-eta",
        ETA_BFS,
        "η_bfc(u) is the same for every visiting order, when o is the end of the back edge nearer the root, as "
        "the text "
        "around the formula means: it is all parents of u in the shortest-path DAG.",
        "the formula in many visiting orders against the parents",
        _bfs_eta(directed=False),
        reading=True,
    ),
    Claim(
        "bfc-invariant",
        "Section 4.2",
        "BFC does not depend on how vertices are numbered.",
        "colours of a graph and of a renumbered copy, refined together, BFC-1, 2, 3 and without limit",
        _invariant((BFS(1), BFS(2), BFS(3), BFS())),
    ),
    Claim(
        "dfs-eta-printed",
        ETA_DFS,
        "η_dfc as printed (back edges cross by visiting times) is the same for every visiting order.",
        "the printed rule in many visiting orders",
        _printed_order,
    ),
    Claim(
        "dfs-eta",
        ETA_DFS,
        "η_dfc is the same for every visiting order when back edges cross if their tree paths share a tree edge: "
        "it is the "
        "blocks of u and the bridge that leads to u.",
        "that rule in many visiting orders, radius 1, 2 and without limit, against the blocks",
        _block_order,
        reading=True,
    ),
    Claim(
        "dfc-invariant-printed",
        "Section 4.3",
        "DFC with the printed η does not depend on how vertices are numbered.",
        "DFC with the printed η, smaller numbers visited first: colours of a graph and of a renumbered copy",
        _invariant((printed_search(),)),
    ),
    Claim(
        "dfc-invariant",
        "Section 4.3",
        "DFC with the block meaning of η does not depend on how vertices are numbered.",
        "colours of a graph and of a renumbered copy, refined together, DFC-1, 2 and without limit",
        _invariant((DFS(1), DFS(2), DFS())),
        reading=True,
    ),
)

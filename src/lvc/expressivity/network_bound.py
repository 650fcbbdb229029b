"""What the printed network can tell apart at best, over all weights at once; no torch.

The pair vectors of SGN (paper, equations 8 and 9) are linear in the vertex vectors:

    h_{u←v}^{l+1} = ( h_u^l + Σ_{w ∈ η_v(u)} h_{w←v}^l ) W_c,    c = d(u, v)

so with symbols for the vertex vectors and the matrices a pair vector is a formal sum: how often each product
``h W_c ... W_c'`` occurs in it, where h is one symbol for each class of vertices that the layer before could not tell
apart. Two vertices with equal formal sums have equal vectors whatever the weights and the MLPs are; where the sums
differ, some weights tell the vertices apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence

from lvc.errors import LvcError
from lvc.graph import Graph, disjoint_union
from lvc.search.kinds import Search
from lvc.search.parsing import parse_search
from lvc.search.trees import trees

#: Distances of the matrices applied so far, then the class of the vertex vector they were applied to.
Term = tuple[tuple[int, ...], int]


def network_classes(graphs: Sequence[Graph], search: str | Search, layers: int) -> list[list[int]]:
    """Classes of vertices that some SGN with ``layers`` layers tells apart; comparable across ``graphs``.

    >>> triangles = Graph.from_edges(6, [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5)])
    >>> hexagon = Graph.from_edges(6, [(i, (i + 1) % 6) for i in range(6)])
    >>> first, second = network_classes([triangles, hexagon], "bfs:2", layers=1)
    >>> set(first) & set(second)
    set()
    """
    if layers < 0:
        raise LvcError(f"layers must be 0 or more, got {layers}")
    union = disjoint_union(graphs)
    found = trees(union, parse_search(search))
    of, distance, group = found.vertex.tolist(), found.distance.tolist(), found.group.tolist()
    bounds, member = found.group_start.tolist(), found.member.tolist()
    vertex = [0] * union.n
    pair: list[Counter[Term]] = [Counter({((), 0): 1}) for _ in of]
    for _ in range(layers):
        sums: list[Counter[Term]] = []
        for g in range(len(bounds) - 1):
            total: Counter[Term] = Counter()
            for w in member[bounds[g] : bounds[g + 1]]:
                total.update(pair[w])
            sums.append(total)
        seen: list[Counter[Term]] = [Counter() for _ in vertex]
        new_pair: list[Counter[Term]] = []
        for p, u in enumerate(of):
            new: Counter[Term] = Counter()
            if group[p] >= 0:
                inner: Counter[Term] = Counter({((), vertex[u]): 1})
                inner.update(sums[group[p]])
                for (word, h), count in inner.items():
                    new[(*word, distance[p]), h] = count
                seen[u].update(new)
            new_pair.append(new)
        vertex = _numbered([(vertex[u], frozenset(seen[u].items())) for u in range(union.n)])
        for root, p in enumerate(found.start[:-1].tolist()):
            new_pair[p] = Counter({((), vertex[root]): 1})
        pair = new_pair
    ends, out = 0, []
    for graph in graphs:
        out.append(vertex[ends : ends + graph.n])
        ends += graph.n
    return out


def network_tells_apart(first: Graph, second: Graph, search: str | Search, layers: int) -> bool:
    """Whether some SGN with ``layers`` layers and a sum readout gives the two graphs different outputs."""
    one, other = network_classes([first, second], search, layers)
    return sorted(one) != sorted(other)


def _numbered(signatures: Sequence[Hashable]) -> list[int]:
    number: dict[Hashable, int] = {}
    return [number.setdefault(signature, len(number)) for signature in signatures]

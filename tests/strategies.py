"""Random graphs for hypothesis: small, with isolated vertices, several components and no edges among them."""

from __future__ import annotations

from itertools import combinations

import networkx as nx
from hypothesis import strategies as st

radii = st.sampled_from([1, 2, 3, None])


@st.composite
def graphs(draw: st.DrawFn, max_vertices: int = 8, min_vertices: int = 0) -> nx.Graph:
    n = draw(st.integers(min_vertices, max_vertices))
    possible = list(combinations(range(n), 2))
    edges = draw(st.lists(st.sampled_from(possible), unique=True)) if possible else []
    graph = nx.Graph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from(edges)
    return graph


@st.composite
def graphs_and_permutations(draw: st.DrawFn, max_vertices: int = 8) -> tuple[nx.Graph, list[int]]:
    graph = draw(graphs(max_vertices))
    return graph, draw(st.permutations(range(len(graph))))


@st.composite
def labelled_graphs(draw: st.DrawFn, max_vertices: int = 7) -> tuple[nx.Graph, dict[int, int]]:
    graph = draw(graphs(max_vertices))
    return graph, {v: draw(st.integers(-1, 1)) for v in graph}

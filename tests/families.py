"""The graphs every operator is tried on, and SGN written out pair by pair with plain loops."""

from __future__ import annotations

import networkx as nx
import torch
from torch import Tensor
from torch_geometric.data import Data

from lvc.graph import Graph
from lvc.nn.operators import Operator, operator_for
from lvc.nn.operators.pairwise import Pairwise
from lvc.search.kinds import Local

FAMILIES = {
    "random": nx.gnp_random_graph(13, 0.25, seed=1),
    "dense": nx.gnp_random_graph(8, 0.6, seed=2),
    "regular": nx.random_regular_graph(3, 10, seed=3),
    "tree": nx.random_labeled_tree(12, seed=4),
    "star": nx.star_graph(5),
    "clique": nx.complete_graph(5),
    "disconnected": nx.disjoint_union_all([nx.cycle_graph(5), nx.path_graph(4), nx.empty_graph(1)]),
    "barbell": nx.barbell_graph(4, 2),  # blocks, bridges and cut vertices
    "cactus": nx.Graph([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 2), (4, 5), (5, 6), (6, 7), (7, 5), (3, 8)]),
    "isolated": nx.empty_graph(3),
}


def graph_of(g: nx.Graph) -> Graph:
    return Graph.from_edges(g.number_of_nodes(), list(g.edges()))


def data_of(g: nx.Graph, channels: int = 3, seed: int = 0) -> Data:
    edges = torch.tensor([*g.edges(), *((v, u) for u, v in g.edges())], dtype=torch.long).reshape(-1, 2)
    x = torch.randn(g.number_of_nodes(), channels, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    return Data(x=x, edge_index=edges.t().contiguous())


def fast(name: str, search: Local) -> Operator:
    return operator_for(graph_of(FAMILIES[name]), search)


def literal(name: str, search: Local) -> Operator:
    assert search.radius is not None
    return Pairwise.of(graph_of(FAMILIES[name]), search, search.radius)


def run(convs: torch.nn.ModuleList, operators: list[Operator], x: Tensor) -> Tensor:
    """The layers one after the other, with tanh between so that numbers stay small."""
    h, state = x, None
    for i, conv in enumerate(convs):
        h, state = conv(h, operators, state, last=i == len(convs) - 1)
        h = torch.tanh(h)
    return h

"""SGN with random weights tells apart exactly what its colouring tells apart.

Decided so: float64, tanh between the layers, the sums of all vertex vectors of both graphs, each pair in one batch; the
graphs count as told apart if these differ by more than 1e-7 of their size. Equal ones differ by rounding only, below
1e-11; the test also fails if anything lies between.
"""

import networkx as nx
import pytest
import torch
from nn.families import data_of
from torch_geometric.data import Batch

import lvc
from lvc.graph import Graph
from lvc.nn import SGN, AddSearch
from lvc.search.kinds import BFS, DFS

SEARCHES = [BFS(1), BFS(2), DFS(1), BFS(2) + DFS(1)]


def shrikhande():
    steps = [(0, 1), (1, 0), (1, 1)]
    number = {(i, j): 4 * i + j for i in range(4) for j in range(4)}
    edges = [(number[i, j], number[(i + a) % 4, (j + b) % 4]) for i, j in number for a, b in steps]
    return nx.Graph(edges)


def rook():
    return nx.convert_node_labels_to_integers(nx.line_graph(nx.complete_bipartite_graph(4, 4)))


PAIRS = {
    "two triangles, hexagon": (nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(3)), nx.cycle_graph(6)),
    "rook, shrikhande": (rook(), shrikhande()),
    "decalin, bicyclopentyl": (
        nx.Graph([(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0), (0, 6), (6, 7), (7, 8), (8, 9), (9, 5)]),
        nx.Graph([(0, 1), (1, 2), (2, 3), (3, 4), (4, 0), (0, 5), (5, 6), (6, 7), (7, 8), (8, 9), (9, 5)]),
    ),
    "the same, relabelled": (nx.petersen_graph(), nx.relabel_nodes(nx.petersen_graph(), lambda v: (3 * v + 1) % 10)),
}


def difference(model, search, pair):
    """How far the two graphs are apart, in parts of their size."""
    data = [AddSearch(search)(data_of(nx.convert_node_labels_to_integers(g, ordering="sorted"))) for g in pair]
    for d in data:
        d.x = torch.ones(d.num_nodes, 1, dtype=torch.float64)
    first, second = model(Batch.from_data_list(data))
    return float((first - second).abs().max() / first.abs().max())


def network(search, layers=6):
    torch.manual_seed(5)
    return SGN(1, 16, layers, 16, search=search, act="tanh", readout="sum").double().eval()


def tells_apart(model, search, pair):
    apart = difference(model, search, pair)
    assert apart < 1e-11 or apart > 1e-7, f"neither equal nor different: {apart}"
    return apart > 1e-7


@pytest.mark.parametrize("search", SEARCHES, ids=str)
def test_named_pairs(search):
    model = network(search)
    for name, pair in PAIRS.items():
        graphs = [nx.convert_node_labels_to_integers(g, ordering="sorted") for g in pair]
        assert tells_apart(model, search, pair) == lvc.distinguishes(*graphs, search), name


@pytest.mark.parametrize("search", SEARCHES, ids=str)
def test_basic_pairs_of_brec(search, real_data):
    model = network(search)
    lines = (real_data / "BREC" / "pairs.g6").read_text().split()[:120]
    for i in range(0, 120, 2):
        pair = [nx.from_graph6_bytes(line.encode()) for line in lines[i : i + 2]]
        wanted = lvc.distinguishes(*(Graph.from_graph6(line) for line in lines[i : i + 2]), search)
        assert tells_apart(model, search, pair) == wanted, f"pair {i // 2}"

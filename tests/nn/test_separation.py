"""SGN with random weights tells apart what its colouring tells apart, and nothing else.

Decided so: float64, sine as activation (bounded, and nowhere flat for long), four layers, the sums of all vertex
vectors of both graphs. The graphs count as told apart if these differ by more than 1e-7 of their size. Equal ones
differ by rounding only, below 1e-12; the test also fails if anything lies between.

SGN's φ is linear, so of the multiset of pair vectors it sees no more than the sum. The colouring sees the multiset. Two
of the 60 basic pairs of BREC show the difference for BFS: numbers 5 and 12.
"""

import networkx as nx
import numpy as np
import pytest
import torch
from torch_geometric.data import Batch

import lvc
import naive
from families import data_of
from lvc.nn import SGN, AddSearch
from lvc.search.kinds import BFS, DFS

SEARCHES = [BFS(1), BFS(2), DFS(1), BFS(2) + DFS(1)]
ONLY_THE_COLOURING = {BFS(1): [], BFS(2): [5, 12], DFS(1): [], BFS(2) + DFS(1): [5, 12]}


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


def written_down(graph, radius, phi, layers=4, width=8):
    """The sum of the vertex vectors of SGN-BF with one vector per pair, as the paper has it; ``phi`` follows W."""
    draw = np.random.default_rng(5)
    near = {v: naive.distances(graph, v, radius) for v in graph}
    eta = {v: naive.bfs_eta(graph, v, radius) for v in graph}
    h = {u: np.ones(1) for u in graph}
    pair = {(u, v): h[u] for v in graph for u in near[v]}
    for layer in range(layers):
        size = 1 if layer == 0 else width
        weight = 0.1 * draw.standard_normal((radius + 1, size, width))
        own, mix, bias = (draw.standard_normal(shape) for shape in ((size, width), (width, width), width))
        pair = {
            (u, v): phi((h[u] + sum(pair[w, v] for w in eta[v][u])) @ weight[near[v][u]]) for u, v in pair if u != v
        }
        inbox = {u: sum((pair[u, v] for v in near[u] if v != u), np.zeros(width)) for u in graph}
        h = {u: np.sin(h[u] @ own + inbox[u] @ mix + bias) for u in graph}
        pair |= {(v, v): h[v] for v in graph}
    return sum(h.values())


def told_apart(search, pairs):
    """For each pair of graphs, whether the network gives them different sums."""
    torch.manual_seed(5)
    model = SGN(1, 16, 4, 16, search=search, act=torch.sin, readout="sum").double().eval()
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if ".weight." in name:
                parameter.mul_(0.1)  # pair vectors are sums of many; keep them of the size of one
    data = [AddSearch(search)(data_of(g)) for pair in pairs for g in pair]
    for d in data:
        d.x = torch.ones(d.num_nodes, 1, dtype=torch.float64)
    result = model(Batch.from_data_list(data)).detach().view(len(pairs), 2, -1)
    apart = (result[:, 0] - result[:, 1]).abs().amax(1) / result.abs().amax((1, 2))
    assert ((apart < 1e-12) | (apart > 1e-7)).all(), "neither equal nor different"
    return (apart > 1e-7).tolist()


@pytest.mark.parametrize("search", SEARCHES, ids=str)
def test_named_pairs(search):
    pairs = [[nx.convert_node_labels_to_integers(g, ordering="sorted") for g in pair] for pair in PAIRS.values()]
    assert told_apart(search, pairs) == [lvc.distinguishes(a, b, search) for a, b in pairs]


def basic_pairs(real_data):
    lines = (real_data / "BREC" / "pairs.g6").read_text().split()[:120]
    graphs = [nx.from_graph6_bytes(line.encode()) for line in lines]
    return list(zip(graphs[::2], graphs[1::2], strict=True))


@pytest.mark.parametrize("radius", [2, 3])
@pytest.mark.parametrize("number", [5, 12])
def test_it_is_the_linear_phi_that_confuses_them(number, radius, real_data):
    pair = basic_pairs(real_data)[number]
    assert told_apart(BFS(radius), [pair]) == [False]

    def gap(phi):
        one, other = (written_down(graph, radius, phi) for graph in pair)
        return np.abs(one - other).max() / np.abs(one).max()

    assert gap(lambda x: x) < 1e-12
    assert gap(np.sin) > 1e-7


@pytest.mark.parametrize("search", SEARCHES, ids=str)
def test_basic_pairs_of_brec(search, real_data):
    pairs = basic_pairs(real_data)
    by_colour = [lvc.distinguishes(a, b, search) for a, b in pairs]
    by_network = told_apart(search, pairs)
    differ = [i for i in range(len(pairs)) if by_colour[i] != by_network[i]]
    assert differ == ONLY_THE_COLOURING[search]
    assert all(by_colour[i] for i in differ)

import hashlib

import networkx as nx
import pytest
from hypothesis import given

import naive
from lvc import BFS, Custom, Graph, LvcError, Nest, distinguishes, fingerprint
from strategies import graphs, graphs_and_permutations, labelled_graphs

# Format 1. These may never change: a difference means a new format number.
STORED = {
    ("path", "wl"): "lvc1:d3a4834103984bc6288a6fde551b01c9ed13ccc57b720630d94b5141dc3dd07d",
    ("path", "bfs:2"): "lvc1:af913740b76ddab2e37c9871968c37eb57c0bfb4d4f4ce816d4b5ce1a1048bf3",
    ("barbell", "dfs:1"): "lvc1:4974afe14caffcfbd3d69635c7dc3f1da40a88b8225a24e3222ed2ea1c07b9f6",
    ("barbell", "bfs:2+dfs:1"): "lvc1:6d74e27bafbf9e9d75ef8495585a8c26570699495ead2b459adc4ac175e81ee4",
    ("labelled", "dfs:inf"): "lvc1:cf4b87c8cc215053942d7b28c6e4bd9029d29b36efc15966f1edc65e2946abb1",
    ("path", "fwl2"): "lvc1:562fd612c7c2fd752d22189c8e60949492884483e8a49adcd938b64535afbc24",
}


def example(name: str) -> Graph:
    if name == "labelled":
        return Graph.from_edges(5, [(0, 1), (1, 2), (2, 0), (3, 4)], labels=[7, 7, -1, 0, 0])
    return Graph.from_networkx({"path": nx.path_graph(4), "barbell": nx.barbell_graph(3, 1)}[name])


@pytest.mark.parametrize(("name", "search"), STORED)
def test_stored_fingerprints(name, search):
    assert fingerprint(example(name), search) == STORED[name, search]


def test_the_documented_format_by_hand():
    """The lines of a single edge under 1-WL, written out."""
    lines = ["lvc-fingerprint 1", "search wl", "vertices 2", "labels 0", "round 2"]
    lines += ["table 1", "0", "table 1", "0 0"]  # each vertex sees one vertex of colour 0; nothing refines
    digest = hashlib.sha256("".join(line + "\n" for line in lines).encode()).hexdigest()
    assert fingerprint(nx.path_graph(2), "wl") == f"lvc1:{digest}"


NESTS = ["nest:1(bfs:1)", "pick:inf(pick:inf(wl))", "nest:2(dfs:1)+levels:1"]


@given(labelled_graphs(max_vertices=6))
def test_the_documented_format_by_an_independent_twin(case):
    graph, labels = case
    labelled = Graph.from_networkx(graph).with_labels([labels[v] for v in graph])
    parts: dict[str, tuple[naive.Eta, int | None]] = {
        "bfs:2": (naive.bfs_eta, 2),
        "dfs:1": (naive.dfs_eta, 1),
        "dfs:inf": (naive.dfs_eta, None),
    }
    parts["levels:2"] = (naive.levels_eta, 2)
    for search in ("bfs:2", "dfs:inf", "bfs:2+dfs:1", "levels:2"):
        twin = naive.fingerprint(graph, search, [parts[part] for part in search.split("+")], labels)
        assert fingerprint(labelled, search) == twin


@given(graphs_and_permutations())
def test_isomorphic_graphs_have_one_fingerprint(case):
    graph, permutation = case
    first = Graph.from_networkx(graph)
    second = first.relabelled(permutation)
    for search in ("wl", "bfs:2", "bfs:inf", "dfs:1", "dfs:2", "bfs:2+dfs:1", "fwl2", "levels:2", *NESTS):
        assert fingerprint(first, search) == fingerprint(second, search)


@given(graphs(max_vertices=6), graphs(max_vertices=6))
def test_fingerprints_differ_exactly_where_graphs_are_told_apart(first, second):
    for search in ("wl", "bfs:2", "dfs:1", "dfs:2", "bfs:1+dfs:1", "fwl2", "levels:1", *NESTS):
        apart = distinguishes(first, second, search)
        assert (fingerprint(first, search) != fingerprint(second, search)) is apart


def test_all_graphs_on_five_vertices():
    atlas = [graph for graph in nx.graph_atlas_g()[:53] if len(graph) == 5]
    for search in ("dfs:1", "bfs:2", "dfs:3"):
        prints = [fingerprint(graph, search) for graph in atlas]
        for i, first in enumerate(atlas):
            for j in range(i):
                assert (prints[i] != prints[j]) is distinguishes(first, atlas[j], search)


def test_labels_count_by_value():
    assert fingerprint(Graph.from_edges(1, [], labels=[1]), "wl") != fingerprint(
        Graph.from_edges(1, [], labels=[2]), "wl"
    )


def test_custom_searches_have_none():
    with pytest.raises(LvcError, match="a custom search has no text form; compare graphs with `compare`"):
        fingerprint(nx.path_graph(3), BFS(1) + Custom(1, naive.bfs_eta))
    with pytest.raises(LvcError, match="a custom search has no text form"):
        fingerprint(nx.path_graph(3), Nest(1, Custom(1, naive.bfs_eta)))

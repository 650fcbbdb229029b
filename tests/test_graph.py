"""Graphs: answers worked by hand, every way in and out, and errors whose advice works when it is typed."""

from __future__ import annotations

import copy
import pickle
import re
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import networkx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lvc.convert import label_number
from lvc.errors import LvcError
from lvc.graph import EdgeList, Graph, as_graph, disjoint_union, read_graphs

#  0 - 1
#  | /        a triangle with a tail, and the vertex 4 alone
#  2 - 3   4
PAW = [(0, 1), (2, 0), (1, 2), (3, 2)]


def paw(**more: Any) -> Graph:
    return Graph.from_edges(5, PAW, **more)


def message(call: Callable[[], object]) -> str:
    """The error of a call: one line."""
    with pytest.raises(LvcError) as caught:
        call()
    assert "\n" not in str(caught.value)
    return str(caught.value)


def advice(sentence: str, **names: Any) -> Any:
    """What the call that an error suggests gives, when typed as it stands."""
    found = re.search(r"; .*call (.*)$", sentence)
    assert found is not None, sentence
    return eval(found[1], {"Graph": Graph, "Path": Path, **names})


@st.composite
def edge_lists(draw: st.DrawFn) -> tuple[int, list[tuple[int, int]]]:
    n = draw(st.integers(0, 12))
    possible = [(u, v) for v in range(n) for u in range(v)]
    edges = draw(st.lists(st.sampled_from(possible), unique=True)) if possible else []
    return n, [edge if draw(st.booleans()) else edge[::-1] for edge in edges]


# The rows


def test_rows_by_hand() -> None:
    graph = paw()
    assert (graph.n, graph.m) == (5, 4)
    assert graph.indptr.tolist() == [0, 2, 4, 7, 8, 8]
    assert graph.indices.tolist() == [1, 2, 0, 2, 0, 1, 3, 2]
    assert (graph.indptr.dtype, graph.indices.dtype) == (np.int64, np.int32)
    assert graph.degrees.tolist() == [2, 2, 3, 1, 0]
    assert graph.neighbours(2).tolist() == [0, 1, 3]
    assert graph.neighbours(4).tolist() == []
    assert graph.edges().tolist() == [[0, 1], [0, 2], [1, 2], [2, 3]]
    assert graph.edges().dtype == np.int64
    assert graph.has_edge(3, 2)
    assert not graph.has_edge(3, 4)
    assert not graph.has_edge(2, 2)
    assert repr(graph) == "Graph(n=5, m=4)"


@pytest.mark.parametrize("n", [0, 1, 4])
@pytest.mark.parametrize("edges", [[], (), set(), np.empty((0, 2)), np.empty((0, 2), dtype=int)])
def test_without_edges(n: int, edges: Any) -> None:
    graph = Graph.from_edges(n, edges)
    assert (graph.n, graph.m) == (n, 0)
    assert graph.edges().shape == (0, 2)
    assert graph.degrees.tolist() == [0] * n
    assert Graph.from_graph6(graph.to_graph6()) == graph
    assert Graph.from_networkx(graph.to_networkx()) == graph
    assert graph.relabelled(range(n)) == graph
    assert graph.induced([]) == Graph.from_edges(0, [])


@pytest.mark.parametrize(
    "edges",
    [
        PAW,
        tuple(PAW),
        set(PAW),
        iter(PAW),
        np.array(PAW),
        np.array(PAW, np.uint64),
        np.array(PAW, float),
        np.array(PAW, object),
    ],
)
def test_edges_of_many_types(edges: Any) -> None:
    assert Graph.from_edges(5, edges) == paw()


def test_arrays_cannot_be_written() -> None:
    graph = paw(labels=[1, 2, 3, 4, 5])
    for again in (graph, pickle.loads(pickle.dumps(graph)), copy.deepcopy(graph), graph.with_labels([0] * 5)):
        assert again.labels is not None
        for array in (again.indptr, again.indices, again.labels, again.neighbours(0)):
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 1
    with pytest.raises(AttributeError):
        graph.labels = None  # type: ignore[misc]


def test_labels_are_copied() -> None:
    labels = np.arange(5)
    graph = paw(labels=labels)
    labels[0] = 99
    assert graph.labels is not None
    assert graph.labels.tolist() == [0, 1, 2, 3, 4]


def test_equal_by_content() -> None:
    graphs = [paw(), paw(labels=[0] * 5), paw(labels=[1] * 5), paw(names="abcde"), Graph.from_edges(5, PAW[1:])]
    for i, g in enumerate(graphs):
        for j, h in enumerate(graphs):
            assert (g == h) == (i == j)
    assert len({*graphs, *map(copy.deepcopy, graphs)}) == 5
    assert paw() == Graph.from_edges(5, [edge[::-1] for edge in PAW[::-1]])
    assert pickle.loads(pickle.dumps(graphs[3])) == graphs[3]
    assert paw() != "paw"


# Out and in again


@given(edge_lists())
def test_round_trips(given: tuple[int, list[tuple[int, int]]]) -> None:
    graph = Graph.from_edges(*given)
    assert {tuple(edge) for edge in graph.edges().tolist()} == {(min(edge), max(edge)) for edge in given[1]}
    assert Graph.from_graph6(graph.to_graph6()) == graph
    assert Graph.from_networkx(graph.to_networkx()) == graph
    assert Graph.from_edges(graph.n, graph.edges()) == graph
    assert EdgeList(graph.n, np.concatenate([graph.edges(), graph.edges()[:, ::-1]])).to_undirected() == graph
    assert as_graph(networkx.to_sparse6_bytes(graph.to_networkx()).decode()) == graph


@given(edge_lists(), st.randoms(use_true_random=False))
def test_relabelled_and_back(given: tuple[int, list[tuple[int, int]]], random: Any) -> None:
    n, edges = given
    graph = Graph.from_edges(n, edges, labels=range(n), names=range(100, 100 + n))
    permutation = random.sample(range(n), n)
    moved = graph.relabelled(permutation)
    assert moved.m == graph.m
    assert all(moved.has_edge(permutation[u], permutation[v]) for u, v in edges)
    assert all(moved.names is not None and moved.names[permutation[v]] == 100 + v for v in range(n))
    assert moved.relabelled(np.argsort(permutation)) == graph


def test_induced_by_hand() -> None:
    part = paw(labels=[10, 11, 12, 13, 14], names="abcde").induced([3, 2, 0])
    assert part == Graph.from_edges(3, [(0, 1), (1, 2)], labels=[13, 12, 10], names="dca")


def test_disjoint_union_by_hand() -> None:
    edge = Graph.from_edges(2, [(0, 1)])
    assert disjoint_union([edge, Graph.from_edges(1, []), edge]) == Graph.from_edges(5, [(0, 1), (3, 4)])
    assert disjoint_union([]) == Graph.from_edges(0, [])
    two = disjoint_union(iter([edge.with_labels([3, 4]), edge.with_labels([5, 6])]))
    assert two == Graph.from_edges(4, [(0, 1), (2, 3)], labels=[3, 4, 5, 6])


def test_disjoint_union_of_some_labels_says_what_to_call() -> None:
    graph = Graph.from_edges(2, [(0, 1)])
    labelled = graph.with_labels([0, 1])
    sentence = message(lambda: disjoint_union([labelled, graph]))
    assert "graph 0 has labels and graph 1 has none" in sentence
    assert sentence.endswith("graph.with_labels([0] * graph.n)")
    assert disjoint_union([labelled, graph.with_labels([0] * graph.n)]).n == 4


# networkx


def test_networkx_names_and_labels() -> None:
    theirs = networkx.Graph([("a", (1, 2)), ((1, 2), frozenset())])
    graph = Graph.from_networkx(theirs)
    assert graph.names == ("a", (1, 2), frozenset())
    assert graph.edges().tolist() == [[0, 1], [1, 2]]
    assert networkx.utils.graphs_equal(graph.to_networkx(), theirs)


def test_networkx_integers_in_any_order_keep_their_number() -> None:
    graph = Graph.from_networkx(networkx.Graph([(2, 0), (0, 1), (np.int64(3), 2)]))
    assert graph == Graph.from_edges(4, [(2, 0), (0, 1), (3, 2)])
    assert Graph.from_networkx(networkx.Graph([(1, 2)])).names == (1, 2)


def test_networkx_labels() -> None:
    theirs = networkx.path_graph(4)
    networkx.set_node_attributes(theirs, dict(enumerate([3, 3.0, "N", "N"])), "element")
    graph = Graph.from_networkx(theirs, label="element")
    assert graph.labels is not None
    assert graph.labels.tolist() == [3, 3, label_number("N"), label_number("N")]
    assert Graph.from_networkx(graph.to_networkx(), label="label") == graph
    del theirs.nodes[2]["element"]
    assert "vertex 2 has no attribute 'element'" in message(lambda: Graph.from_networkx(theirs, "element"))


def test_label_numbers_are_the_same_in_every_process() -> None:
    values = [
        "C",
        "",
        b"C",
        None,
        (1, "a"),
        ("a", 1),
        frozenset("abc"),
        2.5,
        Fraction(1, 3),
        2**70,
        -(2**70),
        7,
        -7,
        ("7",),
    ]
    numbers = [label_number(value) for value in values]
    assert len(set(numbers)) == len(values)
    assert all(-(2**63) <= number < 2**63 for number in numbers)
    assert label_number(True) == label_number(np.int8(1)) == label_number(1.0) == label_number(np.bool_(True)) == 1
    assert label_number(np.str_("C")) == label_number("C")
    code = "from lvc.convert import label_number as f; print(f('C'), f(frozenset('abc')))"
    env = {"PYTHONPATH": str(Path(__file__).parents[1] / "src"), "PYTHONHASHSEED": "12345"}
    printed = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True).stdout
    assert [int(number) for number in printed.split()] == [label_number("C"), label_number(frozenset("abc"))]


def test_label_values_without_a_number() -> None:
    assert "a label is NaN" in message(lambda: label_number(float("nan")))
    assert "a label of type object has no number" in message(lambda: label_number(object()))


@pytest.mark.parametrize(
    ("graph", "sentence"),
    [
        (networkx.DiGraph([("a", "b"), ("b", "a")]), "edge ('a', 'b') has a direction, as the graph is directed"),
        (networkx.DiGraph(), "the graph is directed, though it has no edges"),
        (networkx.DiGraph([(0, 1), (1, 1)]), "edge (1, 1) is a self-loop"),
        (networkx.Graph([(0, 1), (2, 2)]), "edge (2, 2) is a self-loop"),
        (networkx.MultiGraph([(0, 1), (1, 2), (1, 0)]), "is given more than once"),
        (networkx.MultiDiGraph([(0, 1), (0, 1)]), "edge (0, 1) is given more than once"),
    ],
)
def test_networkx_refused_and_mended(graph: Any, sentence: str) -> None:
    got = message(lambda: Graph.from_networkx(graph))
    assert sentence in got
    assert message(lambda: as_graph(graph)) == got
    simple = networkx.Graph(graph)
    simple.remove_edges_from(list(networkx.selfloop_edges(simple)))
    assert advice(got, graph=graph) == Graph.from_networkx(simple)


def test_networkx_mended_keeps_labels() -> None:
    graph = networkx.DiGraph([(0, 1)])
    networkx.set_node_attributes(graph, {0: 5, 1: 6}, "kind")
    mended = advice(message(lambda: Graph.from_networkx(graph, label="kind")), graph=graph)
    assert mended == Graph.from_edges(2, [(0, 1)], labels=[5, 6])


def test_multigraph_without_parallel_edges_is_simple() -> None:
    assert Graph.from_networkx(networkx.MultiGraph([(0, 1)])).m == 1


# Edges refused


@pytest.mark.parametrize(
    ("n", "edges", "sentence", "mended"),
    [
        (3, [(0, 1), (1, 1)], "edge (1, 1) is a self-loop; call", [(0, 1)]),
        (3, [(0, 1), (1, 2), (0, 1)], "edge (0, 1) is given more than once; call", [(0, 1), (1, 2)]),
        (3, [(0, 1), (1, 2), (2, 1)], "edge (2, 1) is given more than once; call", [(0, 1), (1, 2)]),
        (2, [(0, 1), (1, 2)], "edge (1, 2) is out of range for 2 vertices; call", [(0, 1), (1, 2)]),
        (0, [(0, 1)], "edge (0, 1) is out of range for 0 vertices; call", [(0, 1)]),
        (3, [(2, 2), (1, 0), (0, 1), (1, 0)], "edge (2, 2) is a self-loop; call", [(0, 1)]),
    ],
)
def test_edges_refused_and_mended(n: int, edges: Any, sentence: str, mended: Any) -> None:
    got = message(lambda: Graph.from_edges(n, edges))
    assert sentence in got
    result = advice(got, n=n, edges=edges)
    assert result == Graph.from_edges(result.n, mended)


@pytest.mark.parametrize(
    ("n", "edges", "sentence"),
    [
        (3, [(0, -1)], "edge (0, -1) is out of range for 3 vertices; number the vertices from 0 to n-1"),
        (3, [(0, 1), (0, 10**12)], "edge (0, 1000000000000) is out of range for 3 vertices; number the vertices"),
        (3, [(0, 1), (0, 2**63)], "edges[1] is (0.0, 9.223372036854776e+18), not two integers"),
        (3, [(0, 10**30)], "edges[0] is (0, 1000000000000000000000000000000), not two integers"),
        (3, [(0, 1), (0, float("nan"))], "edges[1] is (0.0, nan), not two integers; number the vertices from 0 to n-1"),
        (3, [(0, float("inf"))], "edges[0] is (0.0, inf), not two integers"),
        (3, [(0, 1.5)], "edges[0] is (0.0, 1.5), not two integers"),
        (3, np.array([[0, 2**25]], np.float32), "not two integers"),
        (3, [("a", "b")], "edges[0] is (a, b), not two integers"),
        (3, [(0, None)], "edges[0] is (0, None), not two integers"),
        (3, np.array([[True, False]]), "edges[0] is (True, False), not two integers"),
        (3, [(0, 1), (1, 2, 3)], "edges must be pairs of vertices, got rows of different lengths"),
        (3, [(0, 1, 2)], "edges must have shape (m, 2), got (1, 3); give two vertices per row"),
        (3, [0, 1], "edges must have shape (m, 2), got (2,)"),
        (3, "ab", "edges must have shape (m, 2), got ()"),
        (3, np.zeros((2, 0), int), "edges must have shape (m, 2), got (2, 0)"),
        (-1, [], "the number of vertices must be between 0 and 2147483647, got -1"),
        (2**31, [], "the number of vertices must be between 0 and 2147483647, got 2147483648"),
        (True, [], "the number of vertices must be between"),
        (2.0, [], "the number of vertices must be an integer, got 2.0"),
        (None, [], "the number of vertices must be an integer, got None"),
    ],
)
def test_edges_refused(n: Any, edges: Any, sentence: str) -> None:
    assert sentence in message(lambda: Graph.from_edges(n, edges))
    assert sentence.split(" for ")[0] in message(lambda: EdgeList(n, edges).simplified())


def test_edge_index_given_as_edges_is_pointed_to_from_pyg() -> None:
    edges = np.array([(0, 1, 1, 2), (1, 0, 2, 1)])
    sentence = message(lambda: Graph.from_edges(3, edges))
    assert sentence.endswith("got (2, 4); an edge index goes to Graph.from_pyg(edges, num_nodes=n)")
    assert Graph.from_pyg(edges, num_nodes=3) == Graph.from_edges(3, [(0, 1), (1, 2)])


def test_to_undirected_refuses_what_it_does_not_mean() -> None:
    assert "edge (1, 1) is a self-loop; call simplified()" in message(EdgeList(2, [(1, 1)]).to_undirected)
    assert "edge (0, 1) is given more than once; call simplified()" in message(EdgeList(2, [(0, 1)] * 2).to_undirected)
    assert EdgeList(2, [(0, 1), (1, 0)], [4, 5], ("a", "b")).to_undirected() == Graph.from_edges(
        2, [(0, 1)], [4, 5], ("a", "b")
    )
    assert advice(message(EdgeList(1, [(0, 1)]).to_undirected), edges=[(0, 1)]).simplified().n == 2


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"labels": [1, 2]}, "labels must be 5 integers, one for each vertex, got shape (2,)"),
        ({"labels": [[1]] * 5}, "got shape (5, 1)"),
        ({"labels": [0, 1, 2, 3, 0.5]}, "labels must be integers, got 0.5 for vertex 4"),
        ({"labels": [0, 1, float("nan"), 3, 4]}, "labels must be integers, got nan for vertex 2"),
        ({"labels": "abcde"}, "labels must be 5 integers"),
        ({"labels": list("abcde")}, "labels must be integers, got a for vertex 0"),
        ({"names": "abc"}, "names must be 5, one for each vertex, got 3"),
        ({"names": "abcda"}, "names must differ from each other"),
    ],
)
def test_labels_and_names_refused(more: dict[str, Any], sentence: str) -> None:
    assert sentence in message(lambda: paw(**more))


def test_with_labels() -> None:
    assert paw(labels=[1] * 5).with_labels(None) == paw()
    assert paw().with_labels(np.arange(5)) == paw(labels=range(5))
    assert "labels must be 5 integers" in message(lambda: paw().with_labels([1]))


@pytest.mark.parametrize("vertex", [-1, 5])
def test_vertices_out_of_range(vertex: int) -> None:
    sentence = f"vertex must be between 0 and 4, got {vertex}"
    graph = paw()
    calls: list[Callable[[], object]] = [
        lambda: graph.neighbours(vertex),
        lambda: graph.has_edge(vertex, 0),
        lambda: graph.has_edge(0, vertex),
        lambda: graph.induced([0, vertex]),
    ]
    assert [message(call) for call in calls] == [sentence] * 4


def test_bad_permutations_and_vertex_sets() -> None:
    for permutation in ([0, 1, 2, 3], [0, 1, 2, 3, 3], [1, 2, 3, 4, 5]):
        assert "a permutation must hold each of 0 to 4 once" in message(lambda p=permutation: paw().relabelled(p))  # type: ignore[misc]
    for vertices in ([0, 0], [0.5], [[0]]):
        assert "vertices must be different integers" in message(lambda v=vertices: paw().induced(v))  # type: ignore[misc]


# SciPy


def test_scipy() -> None:
    sparse = pytest.importorskip("scipy.sparse")
    dense = np.zeros((5, 5), dtype=int)
    for u, v in PAW:
        dense[u, v] = dense[v, u] = 1
    for kind in (sparse.csr_matrix, sparse.coo_array, sparse.lil_matrix, sparse.dia_array):
        for dtype in (int, float, bool):
            matrix = kind(dense.astype(dtype))
            assert Graph.from_scipy(matrix) == as_graph(matrix) == paw()
    explicit_zero = sparse.coo_array(([1, 1, 0], ([0, 1, 2], [1, 0, 0])), shape=(3, 3))
    assert Graph.from_scipy(explicit_zero) == Graph.from_edges(3, [(0, 1)])
    assert Graph.from_scipy(sparse.csr_array((0, 0))).n == 0


@pytest.mark.parametrize(
    ("entries", "sentence"),
    [
        ([(0, 1, 1.0)], "edge (0, 1) is given in this direction only"),
        ([(0, 1, 1.0), (1, 0, 1.0), (1, 1, 1.0)], "edge (1, 1) is a self-loop"),
        ([(0, 1, 2.5), (1, 0, 2.5)], "edge (0, 1) has the weight 2.5, not 0 or 1"),
        ([(0, 1, -1.0), (1, 1, 1.0)], "edge (0, 1) has the weight -1.0, not 0 or 1"),
        ([(0, 1, 1.0), (0, 1, 1.0), (1, 0, 1.0)], "edge (0, 1) has the weight 2.0, not 0 or 1"),
    ],
)
def test_scipy_refused_and_mended(entries: list[tuple[int, int, float]], sentence: str) -> None:
    sparse = pytest.importorskip("scipy.sparse")
    row, column, data = zip(*entries, strict=True)
    matrix = sparse.coo_array((data, (row, column)), shape=(3, 3))
    got = message(lambda: Graph.from_scipy(matrix))
    assert sentence in got
    assert advice(got, matrix=matrix) == Graph.from_edges(3, [(0, 1)])


def test_scipy_refused() -> None:
    sparse = pytest.importorskip("scipy.sparse")
    nan = sparse.coo_array(([np.nan, 1.0], ([0, 1], [1, 0])), shape=(2, 2))
    assert "edge (0, 1) has the weight nan, not 0 or 1; set it to 0 or 1" in message(lambda: Graph.from_scipy(nan))
    assert "edge (0, 1) has the weight nan" in message(lambda: Graph.loose(nan))
    assert "must be square, got shape (2, 3)" in message(lambda: Graph.from_scipy(sparse.csr_array((2, 3))))
    assert "from_scipy takes a SciPy sparse matrix, got ndarray" in message(lambda: Graph.from_scipy(np.eye(2)))


# torch_geometric


def both_ways(edges: list[tuple[int, int]]) -> np.ndarray:
    return np.array(edges + [edge[::-1] for edge in edges]).T


def test_edge_index_of_numpy() -> None:
    assert Graph.from_pyg(both_ways(PAW), num_nodes=5) == paw()
    assert Graph.from_pyg(np.zeros((2, 0), int), num_nodes=3) == Graph.from_edges(3, [])


@pytest.mark.parametrize(
    ("edge_index", "sentence"),
    [
        (np.array([(0, 1), (1, 2)]).T, "edge (0, 1) is given in this direction only"),
        (both_ways([(0, 1), (1, 2), (0, 1)]), "edge (0, 1) is given more than once"),
        (np.array([(0, 1), (1, 0), (1, 2), (2, 1), (2, 2)]).T, "edge (2, 2) is a self-loop"),
    ],
)
def test_edge_index_refused_and_mended(edge_index: np.ndarray, sentence: str) -> None:
    path = Graph.from_edges(3, [(0, 1), (1, 2)])
    got = message(lambda: Graph.from_pyg(edge_index, num_nodes=3))
    assert sentence in got
    assert advice(got, edge_index=edge_index) == path
    torch = pytest.importorskip("torch")
    tensor = torch.tensor(edge_index)
    assert message(lambda: Graph.from_pyg(tensor, num_nodes=3)) == got
    assert advice(got, edge_index=tensor) == path
    data = pytest.importorskip("torch_geometric.data").Data(edge_index=tensor, num_nodes=3)
    got = message(lambda: Graph.from_pyg(data))
    assert sentence in got
    assert message(lambda: as_graph(data)) == got
    assert advice(got, data=data) == path


def test_edge_index_without_a_count_or_of_another_shape() -> None:
    edge_index = both_ways(PAW)
    sentence = message(lambda: Graph.from_pyg(edge_index))
    assert "does not say how many vertices" in sentence
    assert advice(sentence, edge_index=edge_index).m == 4
    sentence = message(lambda: Graph.from_pyg(edge_index, num_nodes=2))
    assert "edge (2, 0) is out of range for 2 vertices" in sentence
    assert advice(sentence, edge_index=edge_index).n == 4
    sentence = message(lambda: Graph.from_pyg(edge_index.T, num_nodes=5))
    assert "edge_index must have shape (2, m), got (8, 2)" in sentence
    assert advice(sentence, edge_index=edge_index.T, n=5) == paw()
    assert "got (4,)" in message(lambda: Graph.from_pyg(np.arange(4), num_nodes=4))
    assert "edge_index[:, 1] is (1.0, nan)" in message(lambda: Graph.from_pyg(np.array([[0, 1], [1, np.nan]]), 2))


def test_data_of_torch_geometric() -> None:
    torch = pytest.importorskip("torch")
    geometric = pytest.importorskip("torch_geometric.data")
    edge_index = torch.tensor(both_ways(PAW))
    data = geometric.Data(x=torch.zeros(5, 2), edge_index=edge_index)
    assert Graph.from_pyg(data) == as_graph(data) == paw()
    assert Graph.from_pyg(geometric.Data(edge_index=edge_index), num_nodes=5) == paw()
    assert Graph.from_edges(5, torch.tensor(PAW)) == paw()
    unsaid = geometric.Data(edge_index=edge_index)
    sentence = message(lambda: Graph.from_pyg(unsaid))
    assert "the Data does not say how many vertices" in sentence
    assert advice(sentence, data=unsaid).n == 4
    assert "the Data has no edge_index" in message(lambda: Graph.from_pyg(geometric.Data()))
    assert "the HeteroData has no edge_index" in message(lambda: as_graph(geometric.HeteroData()))


def test_torch_is_not_imported() -> None:
    code = "import sys, lvc.graph; print('torch' in sys.modules, 'torch_geometric' in sys.modules)"
    env = {"PYTHONPATH": str(Path(__file__).parents[1] / "src")}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]


# Texts, files, anything


def test_graph6_refused_and_mended() -> None:
    theirs = networkx.MultiGraph([(0, 1), (0, 1), (1, 2), (2, 2)])
    text = networkx.to_sparse6_bytes(theirs).decode()
    sentence = message(lambda: Graph.from_graph6(text))
    assert "edge (2, 2) is a self-loop" in sentence
    assert advice(sentence, text=text) == Graph.from_edges(3, [(0, 1), (1, 2)])


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("# comment\na,b\nb,c\n")
    labels = tmp_path / "labels.csv"
    labels.write_text("b,1\na,0\nc,0\n")
    expected = Graph.from_edges(3, [(0, 1), (1, 2)], names="abc")
    assert Graph.from_file(path) == Graph.from_file(str(path)) == as_graph(path) == expected
    assert Graph.from_file(path, labels=labels) == expected.with_labels([0, 1, 0])


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("a.txt", "a b\n\nb c\nb a\n", "line 4: edge ('b', 'a') is given more than once"),
        ("a.txt", "# vertices: 3\n0 1\n1 2\n2 2\n", "line 4: edge (2, 2) is a self-loop"),
        (
            "it's.s6",
            networkx.to_sparse6_bytes(networkx.Graph([(0, 1), (1, 2), (2, 2)])).decode(),
            "line 1: edge (2, 2)",
        ),
    ],
)
def test_files_refused_and_mended(tmp_path: Path, name: str, content: str, sentence: str) -> None:
    path = tmp_path / name
    path.write_text(content)
    got = message(lambda: Graph.from_file(path))
    assert got.startswith(f"{path}, {sentence}")
    assert message(lambda: as_graph(path)) == got
    assert advice(got).edges().tolist() == [[0, 1], [1, 2]]


def test_read_graphs(tmp_path: Path) -> None:
    path = tmp_path / "two.g6"
    path.write_text("Bw\nA_\n")
    assert read_graphs(path) == [Graph.from_graph6("Bw"), Graph.from_graph6("A_")]
    path.write_bytes(b"Bw\n" + networkx.to_sparse6_bytes(networkx.Graph([(0, 0)]), header=False))
    assert f"{path}, graph 1 (counting from 0): edge (0, 0) is a self-loop" in message(lambda: read_graphs(path))


@pytest.mark.parametrize("graph", [None, 5, [(0, 1)], np.eye(2), (1, 2, 3), {"a": 1}, b"Bw"])
def test_as_graph_lists_what_it_takes(graph: Any) -> None:
    sentence = message(lambda: as_graph(graph))
    assert f"cannot make a graph of {type(graph).__name__}; give a Graph, a networkx graph" in sentence


def test_as_graph_of_what_it_takes() -> None:
    graph = paw()
    assert as_graph(graph) is graph
    assert as_graph((5, PAW)) == as_graph((np.int64(5), np.array(PAW))) == graph
    assert as_graph(graph.to_graph6()) == graph
    assert as_graph(graph.to_networkx()) == graph
    assert "an EdgeList is unchecked" in message(lambda: as_graph(Graph.loose((5, PAW))))
    assert "label names a vertex attribute of a networkx graph, got str" in message(
        lambda: Graph.loose("Bw", label="x")
    )
    assert Graph.loose(graph).simplified() == graph


def test_a_million_vertices() -> None:
    n = 1_000_000
    v = np.arange(n)
    edges = np.concatenate([np.stack([v, (v + step) % n], axis=1) for step in (1, 10, 1000)])
    graph = Graph.from_edges(n, edges)
    assert graph.m == 3 * n
    assert (graph.degrees == 6).all()
    assert graph.neighbours(0).tolist() == [1, 10, 1000, n - 1000, n - 10, n - 1]

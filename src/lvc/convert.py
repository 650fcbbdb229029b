"""Graphs of other libraries, files and texts as edges; none of those libraries is imported."""

from __future__ import annotations

import hashlib
import os
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from lvc import formats, graph6
from lvc.edges import Source, as_array, integer_pairs, vertex_count
from lvc.errors import LvcError

TAKES = (
    "a Graph, a networkx graph, a torch_geometric Data, a SciPy sparse matrix, a graph6 or sparse6 string, "
    "a pathlib.Path or a tuple (n, edges)"
)


def source_of(graph: Any, label: str | None = None, *, weights: bool = False) -> Source:
    """The edges of anything that can be a graph; ``weights`` lets any non-zero entry of a matrix be an edge."""
    libraries = {kind.__module__.partition(".")[0] for kind in type(graph).__mro__}
    if "networkx" in libraries:
        return networkx_source(graph, label)
    if label is not None:
        raise LvcError(f"label names a vertex attribute of a networkx graph, got {type(graph).__name__}")
    if "torch_geometric" in libraries:
        return pyg_source(graph)
    if "scipy" in libraries:
        return scipy_source(graph, weights=weights)
    if isinstance(graph, str):
        return text_source(graph)
    if isinstance(graph, os.PathLike):
        return file_source(graph)
    if isinstance(graph, tuple) and len(graph) == 2 and isinstance(graph[0], int | np.integer):
        return Source(vertex_count(graph[0]), integer_pairs(graph[1]))
    raise LvcError(f"cannot make a graph of {type(graph).__name__}; give {TAKES}")


def networkx_source(graph: Any, label: str | None = None) -> Source:
    """Nodes that are the integers ``0..n-1`` in any order keep their number; others keep their order and are names."""
    nodes = list(graph)
    n = len(nodes)
    names: tuple[Any, ...] | None = tuple(nodes)
    if all(isinstance(node, int | np.integer) and not isinstance(node, bool) for node in nodes) and (
        n == 0 or (min(nodes) == 0 and max(nodes) == n - 1)
    ):
        nodes, names = list(range(n)), None
    index = {node: vertex for vertex, node in enumerate(nodes)}
    ends = np.fromiter((index[node] for edge in graph.edges() for node in edge), dtype=np.int64)
    return Source(
        n,
        ends.reshape(-1, 2),
        None if label is None else _attribute(graph, nodes, label),
        names,
        given="directed" if graph.is_directed() else "once",
        loose="graph" if label is None else f"graph, label={label!r}",
    )


def pyg_source(data: Any, num_nodes: int | None = None) -> Source:
    """A ``Data`` with every edge in both directions, or its ``edge_index`` alone together with ``num_nodes``."""
    whole = not hasattr(data, "__array__")
    if whole and getattr(data, "edge_index", None) is None:
        raise LvcError(
            f"the {type(data).__name__} has no edge_index; set data.edge_index, or give a tensor of shape (2, m)"
        )
    given = data.edge_index if whole else data
    if str(getattr(given, "layout", "torch.strided")) != "torch.strided":
        raise LvcError(
            "edge_index is a sparse tensor; give a dense one of shape (2, m), such as "
            "edge_index.to_sparse_coo().coalesce().indices()"
        )
    edge_index = as_array(given)
    if edge_index.ndim != 2 or edge_index.shape[0] != 2:
        turn = "; call Graph.from_pyg(edge_index.T, num_nodes=n)" if edge_index.shape[1:] == (2,) else ""
        raise LvcError(f"edge_index must have shape (2, m), got {edge_index.shape}{turn}")
    edges = integer_pairs(edge_index.T, place="edge_index[:, {}]")
    n = _stated_nodes(data, edges) if num_nodes is None else vertex_count(num_nodes)
    if whole and num_nodes is None:
        return Source(n, edges, given="both ways", loose="data", larger="Graph.from_pyg(data, num_nodes={})")
    name = "data.edge_index" if whole else "edge_index"
    first = "data" if whole else "edge_index"
    larger = f"Graph.from_pyg({first}, num_nodes={{}})"
    return Source(n, edges, given="both ways", loose=f"({n}, {name}.T)", larger=larger)


def scipy_source(matrix: Any, *, weights: bool = False) -> Source:
    """A symmetric sparse adjacency matrix of zeros and ones."""
    if not hasattr(matrix, "tocoo"):
        raise LvcError(
            f"from_scipy takes a SciPy sparse matrix, got {type(matrix).__name__}; call scipy.sparse.coo_array(it)"
        )
    if len(matrix.shape) != 2 or matrix.shape[0] != matrix.shape[1]:
        raise LvcError(
            f"an adjacency matrix must be square, got shape {matrix.shape}; give one row and column per vertex"
        )
    entries = matrix.tocoo(copy=True)
    entries.sum_duplicates()
    for wrong, fix in (
        (entries.data != entries.data, "set it to 0 or 1"),
        (~np.isin(entries.data, (0, 1)) & (not weights), "call Graph.loose(matrix).simplified()"),
    ):
        if wrong.any():
            place = int(wrong.argmax())
            u, v = int(entries.row[place]), int(entries.col[place])
            raise LvcError(f"edge ({u}, {v}) has the weight {entries.data[place]!s}, not 0 or 1; {fix}")
    there = entries.data != 0
    edges = np.stack([entries.row[there], entries.col[there]], axis=1).astype(np.int64)
    return Source(int(matrix.shape[0]), edges, given="both ways", loose="matrix")


def text_source(text: str) -> Source:
    """A graph6 or sparse6 text."""
    n, edges = graph6.decode(text)
    return Source(vertex_count(n), edges, loose="text")


def file_source(path: str | os.PathLike[str]) -> Source:
    """A file with one graph; :mod:`lvc.formats` says how it is written."""
    raw = formats.read_graph(path)
    return Source(vertex_count(raw.n), raw.edges, names=raw.names, loose=f"Path({str(Path(path))!r})")


def label_number(value: Any) -> int:
    """An integer for any hashable value: equal values give equal integers in every graph, process and machine.

    An integer that fits int64 stands for itself. Anything else is hashed (BLAKE2b over its ``repr``) into 2^62..2^63-1,
    so that labels of two graphs can be compared without a shared table.

    >>> label_number(7), label_number(7.0), label_number("C") == label_number("N")
    (7, 7, False)
    """
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, int) and -(2**63) <= value < 2**63:
        return int(value)
    return 2**62 + int.from_bytes(hashlib.blake2b(_written(value).encode(), digest_size=8).digest(), "big") % 2**62


def _written(value: Any) -> str:
    """A text that is the same for equal values, whatever the process."""
    if value != value:
        raise LvcError("a label is NaN, which is not equal to itself; replace it, for example by -1")
    if isinstance(value, tuple):
        return "(" + ",".join(str(label_number(part)) for part in value) + ")"
    if isinstance(value, frozenset):
        return "{" + ",".join(sorted(str(label_number(part)) for part in value)) + "}"
    if isinstance(value, str):
        return "s" + str(value)
    if isinstance(value, float):
        return "f" + value.hex()
    if type(value).__repr__ is object.__repr__:
        raise LvcError(
            f"a label of type {type(value).__name__} has no number, its repr is only an address; "
            "use an integer or a string"
        )
    return f"{type(value).__qualname__} {value!r}"


def _attribute(graph: Any, nodes: list[Any], label: str) -> np.ndarray:
    missing = [node for node in nodes if label not in graph.nodes[node]]
    if missing:
        raise LvcError(f"vertex {missing[0]!r} has no attribute {label!r}; set graph.nodes[{missing[0]!r}][{label!r}]")
    return np.array([label_number(graph.nodes[node][label]) for node in nodes], dtype=np.int64)


def _stated_nodes(data: Any, edges: np.ndarray) -> int:
    """``data.num_nodes``, but not when torch_geometric would warn that it is a guess."""
    least = int(edges.max(initial=-1)) + 1
    if hasattr(data, "__array__"):
        raise LvcError(
            f"an edge_index does not say how many vertices; call Graph.from_pyg(edge_index, num_nodes={least})"
        )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            n = data.num_nodes
        except UserWarning:
            n = None
    if n is None:
        raise LvcError(f"the Data does not say how many vertices; call Graph.from_pyg(data, num_nodes={least})")
    return vertex_count(n)

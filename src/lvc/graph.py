"""Undirected simple graphs in compressed sparse rows, checked where they enter."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from lvc import convert, formats, graph6
from lvc.edges import (
    EdgeError,
    Rows,
    Source,
    checked_rows,
    integer_labels,
    integer_pairs,
    not_integers,
    simplified_rows,
    undirected_rows,
    vertex_count,
)
from lvc.errors import LvcError
from lvc.memory import check_fits


@dataclass(frozen=True, eq=False, repr=False)
class Graph:
    """An undirected simple graph on the vertices ``0..n-1``; immutable.

    ``indices[indptr[v]:indptr[v + 1]]`` are the neighbours of ``v``, sorted; every edge stands in both directions.
    Make one with a ``from_`` method: they check what they get, the constructor does not. What they refuse can be
    mended by an explicit call on :meth:`loose`.

    >>> square = Graph.from_edges(4, [(0, 1), (1, 2), (2, 3), (3, 0)])
    >>> square, square.neighbours(0).tolist()
    (Graph(n=4, m=4), [1, 3])
    """

    indptr: np.ndarray  #: int64[n + 1]
    indices: np.ndarray  #: int32[2 m]
    labels: np.ndarray | None = None  #: int64[n], the initial colours
    names: tuple[Any, ...] | None = None  #: what the vertices are called outside

    def __post_init__(self) -> None:
        for field, dtype in (("indptr", np.int64), ("indices", np.int32), ("labels", np.int64)):
            if getattr(self, field) is not None:
                array = np.ascontiguousarray(getattr(self, field), dtype=dtype).view()
                array.flags.writeable = False
                object.__setattr__(self, field, array)

    @property
    def n(self) -> int:
        """The number of vertices."""
        return len(self.indptr) - 1

    @property
    def m(self) -> int:
        """The number of edges."""
        return len(self.indices) // 2

    @classmethod
    def from_edges(cls, n: int, edges: Any, labels: Any = None, names: Iterable[Any] | None = None) -> Graph:
        """The graph with ``n`` vertices and ``edges``, shape (m, 2), each given once in either direction."""
        n = vertex_count(n)
        return _checked(Source(n, integer_pairs(edges), labels, None if names is None else tuple(names)))

    @classmethod
    def from_networkx(cls, graph: Any, label: str | None = None) -> Graph:
        """The graph of a networkx graph.

        Nodes ``0..n-1`` keep their number, others keep their order and become ``names``. ``label`` is the node
        attribute to take labels from: integers stand for themselves, other values become integers that are the same in
        every graph.
        """
        return _checked(convert.networkx_source(graph, label))

    @classmethod
    def from_pyg(cls, data: Any, num_nodes: int | None = None) -> Graph:
        """The graph of a torch_geometric ``Data``, or of an ``edge_index`` of shape (2, 2 m) with ``num_nodes``.

        Every edge must stand in both directions. Features are not labels: ``labels`` is None.
        """
        return _checked(convert.pyg_source(data, num_nodes))

    @classmethod
    def from_scipy(cls, matrix: Any) -> Graph:
        """The graph of a symmetric SciPy sparse matrix of zeros and ones."""
        return _checked(convert.scipy_source(matrix))

    @classmethod
    def from_graph6(cls, text: str) -> Graph:
        """The graph of one graph6 or sparse6 text.

        >>> Graph.from_graph6("Bw")
        Graph(n=3, m=3)
        """
        return _checked(convert.text_source(text))

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], labels: str | os.PathLike[str] | None = None) -> Graph:
        """The one graph of a file, in a format of :mod:`lvc.formats`, with the labels of a second file if given."""
        source = convert.file_source(path)
        try:
            graph = _checked(source)
        except EdgeError as fault:
            raise LvcError(f"{path}, line {formats.edge_line(path, fault.edge)}: {fault}") from None
        return graph if labels is None else graph.with_labels(formats.read_labels(labels, graph.n, graph.names))

    @staticmethod
    def loose(graph: Any, label: str | None = None) -> EdgeList:
        """The edges of anything :func:`as_graph` takes, unchecked, to be mended by an explicit call.

        >>> Graph.loose((3, [(0, 0), (0, 1), (1, 0)])).simplified()
        Graph(n=3, m=1)
        """
        if isinstance(graph, Graph):
            return EdgeList(graph.n, graph.edges(), graph.labels, graph.names)
        source = convert.source_of(graph, label, weights=True)
        return EdgeList(source.n, source.edges, source.labels, source.names)

    @property
    def degrees(self) -> np.ndarray:
        """The number of neighbours of every vertex, int64[n]."""
        return np.diff(self.indptr)

    def neighbours(self, vertex: int) -> np.ndarray:
        """The sorted neighbours of ``vertex``, int32."""
        self._check_vertex(vertex)
        return self.indices[self.indptr[vertex] : self.indptr[vertex + 1]]

    def has_edge(self, u: int, v: int) -> bool:
        """Whether ``u`` and ``v`` are joined."""
        row = self.neighbours(u)
        self._check_vertex(v)
        place = int(np.searchsorted(row, v))
        return place < len(row) and int(row[place]) == v

    def edges(self) -> np.ndarray:
        """Every edge once, int64[m, 2], the smaller vertex first, sorted."""
        u = np.repeat(np.arange(self.n, dtype=np.int64), self.degrees)
        once = u < self.indices
        return np.stack([u[once], self.indices[once]], axis=1)

    def with_labels(self, labels: Any) -> Graph:
        """The same graph with other labels, or with none if ``labels`` is None."""
        labels = None if labels is None else integer_labels(labels, self.n)
        return Graph(self.indptr, self.indices, labels, self.names)

    def relabelled(self, permutation: Any) -> Graph:
        """The isomorphic graph in which vertex ``v`` has become ``permutation[v]``.

        >>> Graph.from_edges(3, [(0, 1)]).relabelled([2, 1, 0]).edges().tolist()
        [[1, 2]]
        """
        new = np.asarray(permutation)
        if new.shape != (self.n,) or not np.array_equal(np.sort(new), np.arange(self.n)):
            raise LvcError(f"a permutation must hold each of 0 to {self.n - 1} once, got {_short(permutation)}")
        old = np.argsort(new)
        labels = None if self.labels is None else self.labels[old]
        names = None if self.names is None else tuple(self.names[vertex] for vertex in old)
        rows = checked_rows(Source(self.n, new.astype(np.int64)[self.edges()]))
        return Graph(rows.indptr, rows.indices, labels, names)

    def induced(self, vertices: Any) -> Graph:
        """The subgraph on ``vertices``, numbered in the order given, with their labels and names."""
        kept = np.asarray(vertices)
        if kept.ndim != 1 or (len(kept) and not_integers(kept).any()) or len(np.unique(kept)) != len(kept):
            raise LvcError(f"vertices must be different integers, got {_short(vertices)}")
        kept = kept.astype(np.int64)
        if len(kept):
            self._check_vertex(int(kept.min()))
            self._check_vertex(int(kept.max()))
        place = np.full(self.n, -1, dtype=np.int64)
        place[kept] = np.arange(len(kept))
        edges = place[self.edges()]
        rows = checked_rows(Source(len(kept), edges[(edges >= 0).all(axis=1)]))
        names = None if self.names is None else tuple(self.names[vertex] for vertex in kept)
        return Graph(rows.indptr, rows.indices, None if self.labels is None else self.labels[kept], names)

    def to_networkx(self) -> Any:
        """A ``networkx.Graph``: nodes are the names, or ``0..n-1``; labels stand in the attribute ``label``."""
        import networkx

        graph = networkx.Graph()
        names = range(self.n) if self.names is None else self.names
        graph.add_nodes_from(names)
        graph.add_edges_from((names[u], names[v]) for u, v in self.edges().tolist())
        if self.labels is not None:
            networkx.set_node_attributes(graph, dict(zip(names, self.labels.tolist(), strict=True)), "label")
        return graph

    def to_graph6(self) -> str:
        """The graph6 text, without labels and names.

        >>> Graph.from_edges(3, [(0, 1), (1, 2), (0, 2)]).to_graph6()
        'Bw'
        """
        return graph6.encode(self.n, self.edges())

    def __repr__(self) -> str:
        return f"Graph(n={self.n}, m={self.m})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Graph):
            return NotImplemented
        return (
            np.array_equal(self.indptr, other.indptr)
            and np.array_equal(self.indices, other.indices)
            and (self.labels is None) == (other.labels is None)
            and (self.labels is None or other.labels is None or np.array_equal(self.labels, other.labels))
            and self.names == other.names
        )

    def __hash__(self) -> int:
        labels = None if self.labels is None else self.labels.tobytes()
        return hash((self.indptr.tobytes(), self.indices.tobytes(), labels, self.names))

    def __reduce__(self) -> tuple[Any, ...]:
        return Graph, (self.indptr, self.indices, self.labels, self.names)

    def _check_vertex(self, vertex: int) -> None:
        if not 0 <= vertex < self.n:
            raise LvcError(f"vertex must be between 0 and {self.n - 1}, got {vertex}")


@dataclass(frozen=True, eq=False)
class EdgeList:
    """Edges as they came, which may be directed, repeated or self-loops; each method makes one explicit coercion."""

    n: int
    edges: Any  #: (m, 2)
    labels: Any = None  #: (n,)
    names: tuple[Any, ...] | None = None

    def simplified(self) -> Graph:
        """The graph without directions, self-loops and repeats."""
        source = self._source()
        return _graph(simplified_rows(source), source)

    def to_undirected(self) -> Graph:
        """The graph without directions; self-loops and edges given twice in one direction are refused."""
        source = self._source()
        return _graph(undirected_rows(source), source)

    def _source(self) -> Source:
        n = vertex_count(self.n)
        return Source(n, integer_pairs(self.edges), self.labels, self.names, larger="Graph.loose(({}, edges))")


def as_graph(graph: Any, label: str | None = None) -> Graph:
    """``graph`` as a :class:`Graph`, whatever it is now.

    It may be a Graph, a networkx graph, a torch_geometric ``Data``, a SciPy sparse matrix, a graph6 or sparse6 string,
    a ``pathlib.Path`` or a tuple ``(n, edges)``. ``label`` is for networkx graphs: see :meth:`Graph.from_networkx`.

    >>> as_graph("Bw"), as_graph((3, [(0, 1)]))
    (Graph(n=3, m=3), Graph(n=3, m=1))
    """
    if label is not None:
        return _checked(convert.source_of(graph, label))
    if isinstance(graph, Graph):
        return graph
    if isinstance(graph, os.PathLike):
        return Graph.from_file(graph)
    if isinstance(graph, EdgeList):
        raise LvcError("an EdgeList is unchecked; call its simplified() or its to_undirected()")
    return _checked(convert.source_of(graph))


def read_graphs(path: str | os.PathLike[str]) -> list[Graph]:
    """Every graph of a file with one graph6 or sparse6 text per line."""
    graphs = []
    for place, raw in enumerate(formats.read_graph6_lines(path)):
        try:
            graphs.append(_checked(Source(vertex_count(raw.n), raw.edges, loose="text")))
        except LvcError as fault:
            raise LvcError(f"{path}, graph {place} (counting from 0): {fault}") from None
    return graphs


def disjoint_union(graphs: Iterable[Graph]) -> Graph:
    """The graphs side by side, numbered one after another; labels follow, names are left behind.

    >>> edge = Graph.from_edges(2, [(0, 1)])
    >>> disjoint_union([edge, edge]).edges().tolist()
    [[0, 1], [2, 3]]
    """
    parts = list(graphs)
    labelled = [graph.labels is not None for graph in parts]
    if any(labelled) and not all(labelled):
        raise LvcError(
            f"graph {labelled.index(True)} has labels and graph {labelled.index(False)} has none; "
            "give it one colour with graph.with_labels([0] * graph.n)"
        )
    n = vertex_count(sum(graph.n for graph in parts))
    indptr, indices = np.zeros(n + 1, dtype=np.int64), np.empty(2 * sum(graph.m for graph in parts), dtype=np.int32)
    vertex = entry = 0
    for graph in parts:
        indptr[vertex + 1 : vertex + graph.n + 1] = graph.indptr[1:] + entry
        indices[entry : entry + 2 * graph.m] = graph.indices + vertex
        vertex, entry = vertex + graph.n, entry + 2 * graph.m
    labels = [graph.labels for graph in parts if graph.labels is not None]
    return Graph(indptr, indices, np.concatenate(labels) if labels else None)


def _checked(source: Source) -> Graph:
    check_fits(
        32 * source.n + 80 * len(source.edges), f"a graph of {source.n} vertices", "check the number of vertices"
    )
    return _graph(checked_rows(source), source)


def _graph(rows: Rows, source: Source) -> Graph:
    labels = None if source.labels is None else integer_labels(source.labels, source.n)
    names = source.names
    if names is not None and len(names) != source.n:
        raise LvcError(f"names must be {source.n}, one for each vertex, got {len(names)}")
    if names is not None and len(set(names)) != source.n:
        raise LvcError("names must differ from each other; two vertices have the same one")
    return Graph(rows.indptr, rows.indices, labels, names)


def _short(values: Any) -> str:
    text = str(values)
    return text if len(text) <= 60 else text[:57] + "..."

"""Colours as features for scikit-learn: histograms of colours, which make any linear classifier a graph kernel.

    make_pipeline(ColourHistogram("bfs:2"), LinearSVC())

The inner product of two histograms of ``wl`` is the Weisfeiler-Lehman subtree kernel; other searches give kernels that
see more.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import numpy as np

from lvc.colouring.colour import check_rounds
from lvc.colouring.vocabulary import learn
from lvc.errors import LvcError
from lvc.graph import EdgeList, Graph, as_graph
from lvc.search.kinds import Search
from lvc.search.parsing import parse_search

try:
    from scipy.sparse import csr_matrix, hstack
    from sklearn.base import BaseEstimator, TransformerMixin
    from sklearn.utils.extmath import row_norms
    from sklearn.utils.sparsefuncs import inplace_row_scale
    from sklearn.utils.validation import check_is_fitted
except ModuleNotFoundError as error:
    what = "lvc.sklearn needs scikit-learn; install it with: pip install 'lvc-gnn[sklearn]'"
    raise ModuleNotFoundError(what, name=error.name) from None


class ColourHistogram(TransformerMixin, BaseEstimator):
    """Graphs in, for every round the number of vertices of each colour out; sparse, one row per graph.

    Colours are exact, and mean the same in every call: fitting keeps their signatures, so a column is one colour of one
    round. A colour that no training graph has is in no column: it could match no training graph, as in the kernel
    itself, and no classifier could have learnt a weight for it. So a row may have smaller sums in later rounds, and all
    zeros if nothing of the graph is known.

    Graphs are anything :func:`~lvc.as_graph` takes; the labels of vertices are the initial colours.

    Args:
        search: a search or its text form, such as ``"bfs:2+dfs:1"``; any but ``fwl2``.
        rounds: how many rounds to make; what vertices begin with is round 0 and counts, too. ``None``: until the
            training graphs are stable.
        label: the node attribute of networkx graphs to take labels from; ``None``: graphs have the labels of their
            :class:`~lvc.Graph`, or none.
        normalise: whether to divide a row by its norm, which makes the kernel of a graph with itself 1. Unseen colours
            count in the norm, as they do in the kernel; a ``Normalizer`` behind this could not know of them.

    Attributes:
        vocabulary_: the colours learnt.
        rounds_: the last round.

    >>> import networkx as nx
    >>> two_triangles = nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(3))
    >>> graphs = [two_triangles, nx.cycle_graph(6)]
    >>> ColourHistogram("wl", rounds=1).fit_transform(graphs).toarray().tolist()
    [[6.0, 6.0], [6.0, 6.0]]
    >>> ColourHistogram("bfs:2", rounds=1).fit_transform(graphs).toarray().tolist()
    [[6.0, 6.0, 0.0], [6.0, 0.0, 6.0]]
    """

    def __init__(
        self,
        search: str | Search = "bfs:2",
        rounds: int | None = 5,
        label: str | None = None,
        normalise: bool = False,
    ) -> None:
        self.search = search
        self.rounds = rounds
        self.label = label
        self.normalise = normalise

    def fit(self, X: Iterable[Any], y: Any = None) -> ColourHistogram:
        """Learn the colours of the graphs ``X``; ``y`` is not looked at."""
        self._learn(_graphs(X, self.label))
        return self

    def fit_transform(self, X: Iterable[Any], y: Any = None) -> csr_matrix:
        """``fit(X).transform(X)``, with one refinement in the place of two."""
        graphs = _graphs(X, self.label)
        return self._histograms(graphs, self._learn(graphs))

    def transform(self, X: Iterable[Any]) -> csr_matrix:
        """The histograms of the graphs ``X``, float64[graphs, colours of all rounds]."""
        check_is_fitted(self)
        graphs = _graphs(X, self.label)
        return self._histograms(graphs, self.vocabulary_.read(graphs))

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """``round0_colour0``, ...; ``input_features`` is not looked at, graphs have none."""
        check_is_fitted(self)
        sizes = enumerate(self.vocabulary_.sizes)
        return np.array([f"round{number}_colour{c}" for number, size in sizes for c in range(size)], dtype=object)

    def _learn(self, graphs: list[Graph]) -> list[np.ndarray]:
        check_rounds(self.rounds)
        self.vocabulary_, colours = learn(graphs, parse_search(self.search), self.rounds)
        self.rounds_ = len(colours) - 1
        return colours

    def _histograms(self, graphs: list[Graph], colours: list[np.ndarray]) -> csr_matrix:
        graph = np.repeat(np.arange(len(graphs)), [graph.n for graph in graphs])
        known, squares = [], np.zeros(len(graphs))
        for vertex, size in zip(colours, self.vocabulary_.sizes, strict=True):
            shape = len(graphs), max(size, int(vertex.max(initial=-1)) + 1)
            every = csr_matrix((np.ones(len(vertex)), (graph, vertex)), shape=shape)
            squares += row_norms(every, squared=True)
            known.append(every[:, :size])
        found = csr_matrix(hstack(known))
        if self.normalise:
            inplace_row_scale(found, 1 / np.sqrt(np.maximum(squares, 1)))  # no vertex, no colour: the row stays 0
        return found

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.input_tags.string = True  # graph6
        tags.transformer_tags.preserves_dtype = []
        return tags


def _graphs(X: Any, label: str | None) -> list[Graph]:
    """What was given as graphs; a single one, or an array of numbers, is refused."""
    one = isinstance(X, str | bytes | os.PathLike | Graph | EdgeList) or getattr(X, "ndim", 1) != 1
    one = one or hasattr(type(X), "adj") or hasattr(type(X), "edge_index")  # of networkx, of torch_geometric
    if one or not isinstance(X, Iterable):
        raise LvcError(f"X must be a sequence of graphs, got {_named(X)}; put a single graph into a list")
    graphs = []
    for place, given in enumerate(X):
        try:
            graphs.append(as_graph(given, label))
        except LvcError as fault:
            raise LvcError(f"graph {place} (counting from 0): {fault}") from None
    if not graphs:
        raise LvcError("there is no graph in X; give at least one")
    return graphs


def _named(X: Any) -> str:
    shape = getattr(X, "shape", None)
    return type(X).__name__ if shape is None else f"{type(X).__name__} of shape {tuple(shape)}"

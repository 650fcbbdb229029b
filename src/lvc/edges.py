"""Arrays of edges: the checks that make them a simple graph, and their compression into sorted rows.

An edge is handled as the one integer ``u n + v``, so that sorting and comparing need no Python loop.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from lvc.errors import LvcError
from lvc.formats import LARGEST


class Source(NamedTuple):
    """Edges as they came from outside, and how to say in an error what would mend them."""

    n: int
    edges: np.ndarray  # int64[k, 2]
    labels: np.ndarray | None = None  # int64[n]
    names: tuple[Any, ...] | None = None
    given: Literal["once", "both ways", "directed"] = "once"
    loose: str = "(n, edges)"  # the argument of Graph.loose that gives this source again
    larger: str = "Graph.from_edges({}, edges)"  # the call that gives it more vertices


class EdgeError(LvcError):
    """An edge that a simple graph cannot have; ``edge`` is its place among the edges."""

    edge: int = 0


class Rows(NamedTuple):
    """Sorted neighbours of every vertex, one row after another."""

    indptr: np.ndarray  # int64[n + 1]
    indices: np.ndarray  # int32[2 m]


def checked_rows(source: Source) -> Rows:
    """The rows of a source that is a simple undirected graph; an :class:`EdgeError` for any other."""
    _refuse_out_of_range(source)
    u, v = source.edges[:, 0], source.edges[:, 1]
    loops = u == v
    if loops.any():
        raise _fault(source, int(loops.argmax()), f"is a self-loop; call Graph.loose({source.loose}).simplified()")
    arcs = _sorted_keys(source.n, u, v) if source.given != "once" else _both_directions(source.n, u, v)
    if _has_repeats(arcs):
        once = _keys(source.n, u, v) if source.given != "once" else _keys(source.n, *_low_high(u, v))
        what = f"is given more than once; call Graph.loose({source.loose}).simplified()"
        raise _fault(source, _first_repeat(once), what)
    if source.given == "directed":
        fix = f"call Graph.loose({source.loose}).to_undirected()"
        if not len(u):
            raise EdgeError(f"the graph is directed, though it has no edges; {fix}")
        raise _fault(source, 0, f"has a direction, as the graph is directed; {fix}")
    if source.given == "both ways":
        reverse = _sorted_keys(source.n, v, u)
        if not np.array_equal(arcs, reverse):
            lonely = ~np.isin(_keys(source.n, u, v), reverse)
            what = f"is given in this direction only; call Graph.loose({source.loose}).to_undirected()"
            raise _fault(source, int(lonely.argmax()), what)
    return _rows(source.n, arcs)


def undirected_rows(source: Source) -> Rows:
    """Every edge once, whichever direction it is given in; self-loops and repeats of one direction are faults."""
    _refuse_out_of_range(source)
    u, v = source.edges[:, 0], source.edges[:, 1]
    loops = u == v
    if loops.any():
        raise _fault(source, int(loops.argmax()), "is a self-loop; call simplified(), which drops it")
    if _has_repeats(_sorted_keys(source.n, u, v)):
        place = _first_repeat(_keys(source.n, u, v))
        raise _fault(source, place, "is given more than once; call simplified(), which keeps one")
    return simplified_rows(source)


def simplified_rows(source: Source) -> Rows:
    """Every edge once, whichever direction and however often it is given; self-loops dropped."""
    _refuse_out_of_range(source)
    edges = source.edges[source.edges[:, 0] != source.edges[:, 1]]
    arcs = _both_directions(source.n, edges[:, 0], edges[:, 1])
    first = np.ones(len(arcs), dtype=bool)
    first[1:] = arcs[1:] != arcs[:-1]
    return _rows(source.n, arcs[first])


def vertex_count(n: Any) -> int:
    """``n`` as an integer that can be a number of vertices."""
    try:
        count = operator.index(n)
    except TypeError:
        raise LvcError(f"the number of vertices must be an integer, got {n!r}") from None
    if isinstance(n, bool) or not 0 <= count <= LARGEST:
        raise LvcError(f"the number of vertices must be between 0 and {LARGEST}, got {n!r}")
    return count


def integer_pairs(edges: Any, place: str = "edges[{}]") -> np.ndarray:
    """``edges`` as int64[m, 2]; ``place`` says how an error writes where one edge stands."""
    rows = edges if hasattr(edges, "__array__") or isinstance(edges, Sequence) else list(edges)
    try:
        array = as_array(rows)
    except (ValueError, OverflowError):
        raise LvcError("edges must be pairs of vertices, got rows of different lengths; give two per row") from None
    if array.shape == (0,):
        return np.empty((0, 2), dtype=np.int64)
    if array.ndim != 2 or array.shape[1] != 2:
        hint = "; an edge index goes to Graph.from_pyg(edges, num_nodes=n)" if array.shape[:1] == (2,) else ""
        raise LvcError(f"edges must have shape (m, 2), got {array.shape}{hint or '; give two vertices per row'}")
    wrong = not_integers(array).any(axis=1)
    if wrong.any():
        row = int(wrong.argmax())
        got = ", ".join(str(end) for end in array[row])
        raise LvcError(f"{place.format(row)} is ({got}), not two integers; number the vertices from 0 to n-1")
    return array.astype(np.int64, copy=False)


def integer_labels(labels: Any, n: int) -> np.ndarray:
    """``labels`` as a new int64[n]."""
    array = as_array(labels if hasattr(labels, "__array__") or isinstance(labels, Sequence) else list(labels))
    if array.shape != (n,):
        raise LvcError(f"labels must be {n} integers, one for each vertex, got shape {array.shape}")
    wrong = not_integers(array)
    if n and wrong.any():
        vertex = int(wrong.argmax())
        raise LvcError(f"labels must be integers, got {array[vertex]!s} for vertex {vertex}; number them from 0")
    return array.astype(np.int64)


def as_array(values: Any) -> np.ndarray:
    """A NumPy array of anything array-like; a torch tensor from any device, without torch here."""
    return np.asarray(values.detach().cpu() if hasattr(values, "detach") else values)


def not_integers(array: np.ndarray) -> np.ndarray:
    """Where an array holds something other than an integer that fits int64; a float counts if it is one exactly."""
    if array.dtype.kind == "i":
        return np.zeros(array.shape, dtype=bool)
    if array.dtype.kind == "u":
        return array > np.iinfo(np.int64).max
    if array.dtype.kind == "f":
        exact = 2.0 ** np.finfo(array.dtype).nmant
        finite = np.isfinite(array) & (np.abs(array) <= exact)
        return ~finite | (np.where(finite, array, 0) % 1 != 0)
    if array.dtype.kind == "O":
        within = np.frompyfunc(lambda value: isinstance(value, int | np.integer) and abs(int(value)) < 2**63, 1, 1)
        return ~within(array).astype(bool)
    return np.ones(array.shape, dtype=bool)


def _refuse_out_of_range(source: Source) -> None:
    edges, n = source.edges, source.n
    if not len(edges) or (edges.min() >= 0 and edges.max() < n):
        return
    place = int(((edges < 0) | (edges >= n)).any(axis=1).argmax())
    needed = int(edges.max()) + 1
    if edges.min() < 0 or needed > LARGEST:
        fix = "number the vertices from 0 to n-1"
    else:
        fix = f"call {source.larger.format(needed)}"
    raise _fault(source._replace(names=None), place, f"is out of range for {n} vertices; {fix}")


def _fault(source: Source, place: int, what: str) -> EdgeError:
    names = source.names
    ends = [str(end) if names is None else repr(names[end]) for end in source.edges[place].tolist()]
    fault = EdgeError(f"edge ({', '.join(ends)}) {what}")
    fault.edge = place
    return fault


def _low_high(u: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return np.minimum(u, v), np.maximum(u, v)


def _keys(n: int, u: np.ndarray, v: np.ndarray) -> np.ndarray:
    return u * n + v


def _sorted_keys(n: int, u: np.ndarray, v: np.ndarray) -> np.ndarray:
    keys = _keys(n, u, v)
    keys.sort()
    return keys


def _both_directions(n: int, u: np.ndarray, v: np.ndarray) -> np.ndarray:
    keys = np.concatenate([_keys(n, u, v), _keys(n, v, u)])
    keys.sort()
    return keys


def _has_repeats(keys: np.ndarray) -> bool:
    return bool((keys[1:] == keys[:-1]).any())


def _first_repeat(keys: np.ndarray) -> int:
    """The first place whose key stands at an earlier place already."""
    order = np.argsort(keys, kind="stable")
    return int(order[1:][keys[order[1:]] == keys[order[:-1]]].min())


def _rows(n: int, arcs: np.ndarray) -> Rows:
    indptr = np.searchsorted(arcs, np.arange(n + 1, dtype=np.int64) * n)
    return Rows(indptr.astype(np.int64, copy=False), (arcs % max(n, 1)).astype(np.int32))

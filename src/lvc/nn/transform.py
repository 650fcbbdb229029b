"""``AddSearch``: search once, train many times."""

from __future__ import annotations

import copy
import dataclasses
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch_geometric.data import Data
from torch_geometric.data.datapipes import functional_transform
from torch_geometric.transforms import BaseTransform

from lvc.edges import vertex_count
from lvc.errors import LvcError, TooLargeError
from lvc.graph import Graph
from lvc.memory import available_memory
from lvc.nn.operators import Operator, Whole, at_most, estimate, operator_for, radius_of
from lvc.search.balls import offsets
from lvc.search.kinds import BFS, DFS, Local, Search
from lvc.search.parsing import parse_search

PORTION = 2**19  # ends of edges of the graphs that are searched together


@functional_transform("add_search")
class AddSearch(BaseTransform):
    """Attach what :class:`lvc.nn.SGN` needs to know of a search (functional name: ``add_search``).

    Every part of the search becomes one attribute of the data, ``search_bfs_2`` for ``BFS(2)``. Batching with the
    ordinary loaders, moving, pinning and pickling work as with any tensor. Graphs must be undirected and simple; what
    is missing is said with the transform that mends it. Memory is estimated first.

    >>> import torch
    >>> from lvc.search.kinds import BFS
    >>> square = Data(x=torch.ones(4, 1), edge_index=torch.tensor([[0, 1, 1, 2, 2, 3, 3, 0], [1, 0, 2, 1, 3, 2, 0, 3]]))
    >>> AddSearch(BFS(2))(square).search_bfs_2
    Paths(bfs:2, 4 vertices)
    """

    def __init__(self, search: Search | str) -> None:
        self.search = parse_search(search)
        names = [key_of(part) for part in self.search.parts]
        if len(set(names)) < len(names):
            raise LvcError(f"two searches would both be called {max(names, key=names.count)}; rename one function")

    def forward(self, data: Any) -> Any:
        if not isinstance(data, Data):
            raise LvcError(f"AddSearch takes a torch_geometric Data, got {type(data).__name__}")
        graph = Graph.from_pyg(data)
        for part in self.search.parts:
            _check_memory(graph, part)
            data[key_of(part)] = operator_for(graph, part)
        return data

    def each(self, graphs: Iterable[Data], progress: Callable[[Data], Any] | None = None) -> list[Data]:
        """``[self(data) for data in graphs]``, several times faster where graphs are small: they are searched together.

        ``progress`` is called with every graph, when those that were searched with it have been. What each graph is
        given is a piece of what was found, and keeps the rest of it alive until it is looked at, as the ordinary
        ``DataLoader`` does, and cut out. :class:`lvc.nn.Collated`, if it is given all graphs in order, cuts nothing.

        >>> import torch
        >>> edge = Data(x=torch.ones(2, 1), edge_index=torch.tensor([[0, 1], [1, 0]]))
        >>> [data.search_dfs_1 for data in AddSearch("dfs:1").each([edge, edge])]
        [Blocks(dfs:1, 2 vertices), Blocks(dfs:1, 2 vertices)]
        """
        if isinstance(graphs, Data):
            raise LvcError(
                "each takes a list of graphs; give one graph to the transform itself, AddSearch(search)(data)"
            )
        if not hasattr(graphs, "__iter__") and not hasattr(graphs, "__getitem__"):
            raise LvcError(f"each takes a list of graphs, got {type(graphs).__name__}")
        found: list[Data] = []
        for some in _portions(list(graphs)):  # a data set may make its graphs anew every time
            together = self._together(some)
            for number, data in enumerate(some):
                found.append(self(data) if together is None else copy.copy(data))
                if together is not None:
                    found[-1].update({key: pieces[number] for key, pieces in together.items()})
                if progress is not None:
                    progress(found[-1])
        return found

    def _together(self, graphs: Sequence[Data]) -> dict[str, list[Operator]] | None:
        """The operators of all graphs from one search of them all; None if they have to be searched one by one."""
        if not all(isinstance(part, (BFS, DFS)) for part in self.search.parts):
            return None
        if (united := _side_by_side(graphs)) is None:
            return None
        graph, vertices = united
        pairs = int((np.diff(vertices) ** 2).sum())
        if any(at_most(graph, part, pairs) > available_memory() for part in self.search.parts):
            return None
        try:
            return {key_of(part): Whole.of(operator_for(graph, part), vertices).pieces() for part in self.search.parts}
        except TooLargeError:  # there may be room for one after the other
            return None

    def __repr__(self) -> str:
        return f"AddSearch({self.search})"


def key_of(search: Search) -> str:
    """Under which name a data holds the operator of a search.

    >>> key_of(parse_search("dfs:3"))
    'search_dfs_3'
    """
    radius_of(search)
    return "search_" + re.sub(r"\W+", "_", str(search)).strip("_")


def operator_of(data: Any, search: Search) -> Operator:
    """The operator that :class:`AddSearch` left in a data or, one for each graph, in a batch."""
    held = data.get(key_of(search), None)
    if held is None:
        raise LvcError(f"data has no search {search}; use data = AddSearch({str(search)!r})(data) first")
    operator = Operator.side_by_side(held) if isinstance(held, list) else held
    if operator.vertices != data.num_nodes:
        raise LvcError(
            f"search {search} was added to a graph of {operator.vertices} vertices, the data now has {data.num_nodes}; "
            "use AddSearch after every transform that changes the graph"
        )
    return operator


def joined_searches(batch: Any) -> Any:
    """The same batch with its graphs' searches joined for good: for a batch that is used more than once.

    What is made of the searches is then made once and not anew every time; the batch can no longer be taken apart.
    """
    for key in list(batch.keys()):
        held = batch[key]
        if isinstance(held, list) and held and all(isinstance(one, Operator) for one in held):
            batch[key] = Operator.side_by_side(held)
    return batch


def _portions(graphs: Sequence[Data]) -> Iterator[Sequence[Data]]:
    """The graphs in order, as many together as have few enough edges for what is found to stay in the cache."""
    first, edges = 0, 0
    for number, data in enumerate(graphs):
        index = data.edge_index if isinstance(data, Data) else None
        edges += index.numel() if isinstance(index, Tensor) else 0
        if edges > PORTION:
            yield graphs[first : number + 1]
            first, edges = number + 1, 0
    if first < len(graphs):
        yield graphs[first:]


def _side_by_side(graphs: Sequence[Data]) -> tuple[Graph, np.ndarray] | None:
    """One graph of all, and where the vertices of each begin; None if any is not surely a graph."""
    if not all(isinstance(data, Data) and isinstance(data.edge_index, Tensor) for data in graphs):
        return None
    every = [data.edge_index for data in graphs]
    if not all(map(_is_usual, every)):
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # torch_geometric warns where it guesses how many vertices there are
        try:
            sizes = np.array([vertex_count(data.num_nodes) for data in graphs], dtype=np.int64)
        except (UserWarning, LvcError):
            return None
    edges, vertices = torch.cat(every, dim=1).numpy(), offsets(sizes)
    counts = [one.shape[1] for one in every]
    if ((edges < 0) | (edges >= np.repeat(sizes, counts))).any():
        return None
    try:
        return Graph.from_pyg(edges + np.repeat(vertices[:-1], counts), num_nodes=int(vertices[-1])), vertices
    except LvcError:  # of which graph, and where in it, is said when that one is searched alone
        return None


def _is_usual(edges: Tensor) -> bool:
    return (
        edges.layout == torch.strided
        and edges.dtype == torch.int64
        and edges.dim() == 2
        and edges.shape[0] == 2
        and edges.is_cpu
    )


def _check_memory(graph: Graph, search: Search) -> None:
    have = available_memory()
    if at_most(graph, search) <= have or (needed := estimate(graph, search)) <= have:
        return
    assert isinstance(search, Local)
    fits = 0
    for radius in range(1, radius_of(search)):
        if estimate(graph, dataclasses.replace(search, radius=radius)) > have:
            break
        fits = radius
    advice = f"the largest radius that fits is {fits}" if fits else "no radius fits"
    raise TooLargeError(
        f"{search} on {graph.n} vertices needs about {needed / 2**30:.2g} GB "
        f"and {have / 2**30:.2g} GB can be had; {advice}"
    )

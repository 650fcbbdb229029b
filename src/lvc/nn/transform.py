"""``AddSearch``: search once, train many times."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

from torch_geometric.data import Data
from torch_geometric.data.datapipes import functional_transform
from torch_geometric.transforms import BaseTransform

from lvc.errors import LvcError, TooLargeError
from lvc.graph import Graph
from lvc.memory import available_memory
from lvc.nn.operators import Operator, at_most, estimate, operator_for, radius_of
from lvc.search.kinds import Local, Search
from lvc.search.parsing import parse_search


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

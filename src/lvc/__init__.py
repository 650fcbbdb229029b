"""Local vertex colouring and search-guided graph neural networks.

The network lives in :mod:`lvc.nn`, which needs torch; nothing named here does. Names are imported when they are first
used, so that a command which colours nothing does not wait for the compiler.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lvc.colouring.colour import Colouring, colour, colour_jointly
    from lvc.colouring.compare import Comparison, Difference, compare, distinguishes
    from lvc.colouring.fingerprint import fingerprint
    from lvc.colouring.reveal import (
        Structure,
        bridges,
        cut_vertices,
        ego_shortest_path_graph,
        is_biconnected,
        is_edge_biconnected,
        shortest_path_graph,
        structure,
        vertices_on_cycles,
    )
    from lvc.errors import LvcError
    from lvc.graph import EdgeList, Graph, as_graph, disjoint_union, read_graphs
    from lvc.search.bfs import Ball, ball
    from lvc.search.kinds import BFS, DFS, FWL2, WL, Custom, Levels, Nest, Pick, Search
    from lvc.search.parsing import parse_search
    from lvc.search.tree import SearchTree, search_tree

__version__ = "0.1.0"

_NAMES = {
    "lvc.errors": ["LvcError"],
    "lvc.graph": ["EdgeList", "Graph", "as_graph", "disjoint_union", "read_graphs"],
    "lvc.search.kinds": ["BFS", "DFS", "FWL2", "WL", "Custom", "Levels", "Nest", "Pick", "Search"],
    "lvc.search.parsing": ["parse_search"],
    "lvc.search.bfs": ["Ball", "ball"],
    "lvc.search.tree": ["SearchTree", "search_tree"],
    "lvc.colouring.colour": ["Colouring", "colour", "colour_jointly"],
    "lvc.colouring.compare": ["Comparison", "Difference", "compare", "distinguishes"],
    "lvc.colouring.fingerprint": ["fingerprint"],
    "lvc.colouring.reveal": [
        "Structure",
        "bridges",
        "cut_vertices",
        "ego_shortest_path_graph",
        "is_biconnected",
        "is_edge_biconnected",
        "shortest_path_graph",
        "structure",
        "vertices_on_cycles",
    ],
}
_HOME = {name: module for module, names in _NAMES.items() for name in names}

__all__ = [
    "BFS",
    "DFS",
    "FWL2",
    "WL",
    "Ball",
    "Colouring",
    "Comparison",
    "Custom",
    "Difference",
    "EdgeList",
    "Graph",
    "Levels",
    "LvcError",
    "Nest",
    "Pick",
    "Search",
    "SearchTree",
    "Structure",
    "__version__",
    "as_graph",
    "ball",
    "bridges",
    "colour",
    "colour_jointly",
    "compare",
    "cut_vertices",
    "disjoint_union",
    "distinguishes",
    "ego_shortest_path_graph",
    "fingerprint",
    "is_biconnected",
    "is_edge_biconnected",
    "parse_search",
    "read_graphs",
    "search_tree",
    "shortest_path_graph",
    "structure",
    "vertices_on_cycles",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'lvc' has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)

"""Local vertex colouring and search-guided graph neural networks.

The network lives in :mod:`lvc.nn`, which needs torch; nothing imported here does.
"""

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
from lvc.graph import Graph, as_graph, disjoint_union
from lvc.search.bfs import Ball, ball
from lvc.search.kinds import BFS, DFS, FWL2, WL, Custom, Search, parse_search
from lvc.search.tree import SearchTree, search_tree

__version__ = "0.1.0"

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
    "Graph",
    "LvcError",
    "Search",
    "SearchTree",
    "Structure",
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
    "search_tree",
    "shortest_path_graph",
    "structure",
    "vertices_on_cycles",
]

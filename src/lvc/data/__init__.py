"""Graphs to learn from: data sets and their splits, and generated graphs."""

from lvc.data.datasets import DATASETS, VertexData, load
from lvc.data.duplicates import Duplicates, duplicates
from lvc.data.folds import GRAPH_PROTOCOLS, folds
from lvc.data.graph_datasets import GRAPH_DATASETS, GraphData, load_graphs
from lvc.data.search_cache import with_searches
from lvc.data.splits import PROTOCOLS, Split, splits

__all__ = [
    "DATASETS",
    "GRAPH_DATASETS",
    "GRAPH_PROTOCOLS",
    "PROTOCOLS",
    "Duplicates",
    "GraphData",
    "Split",
    "VertexData",
    "duplicates",
    "folds",
    "load",
    "load_graphs",
    "splits",
    "with_searches",
]

"""Graphs to learn from: data sets and their splits, and generated graphs."""

from lvc.data.datasets import DATASETS, VertexData, load
from lvc.data.splits import PROTOCOLS, Split, splits

__all__ = ["DATASETS", "PROTOCOLS", "Split", "VertexData", "load", "splits"]

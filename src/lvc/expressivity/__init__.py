"""What the colourings can tell apart: named pairs, smallest pairs, and the paper's claims checked."""

from lvc.expressivity.named import NAMED_GRAPHS, NAMED_PAIRS, NamedGraph, NamedPair
from lvc.expressivity.smallest import all_graphs, smallest_pair

__all__ = ["NAMED_GRAPHS", "NAMED_PAIRS", "NamedGraph", "NamedPair", "all_graphs", "smallest_pair"]

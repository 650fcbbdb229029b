"""Search-guided networks. Needs torch and torch_geometric; ``import lvc`` alone does not."""

import warnings

import torch

with warnings.catch_warnings():  # torch_geometric still compiles a class the way torch has deprecated
    warnings.filterwarnings("ignore", category=DeprecationWarning)
    import torch_geometric.nn  # noqa: F401

from lvc.nn.collated import Collated
from lvc.nn.conv import SGNConv
from lvc.nn.operators import Blocks, Pairwise, Paths
from lvc.nn.sgn import SGN
from lvc.nn.transform import AddSearch

__all__ = ["SGN", "AddSearch", "Collated", "SGNConv"]

# Data that went through AddSearch can be saved, and loaded with weights_only=True: operators hold tensors and sizes.
torch.serialization.add_safe_globals([Blocks, Pairwise, Paths])

"""1-WL, colour refinement over neighbours, exact: the yardstick of message-passing networks."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from lvc.colouring.classes import Naming
from lvc.graph import Graph


def wl_rounds(graph: Graph, first: np.ndarray, naming: Naming, endless: bool = False) -> Iterator[np.ndarray]:
    """The vertex colours of ``λ^{l+1}(u) = ρ(λ^l(u), {{ λ^l(w) : w ∈ N(u) }})``, round by round until stable.

    ``endless`` goes on for ever.
    """
    colour, classes = first, int(first.max(initial=-1)) + 1
    while True:
        yield colour
        before, (colour, classes) = classes, naming.seen(colour, graph.indptr, graph.indices, colour)
        if not endless and naming.settled(before, classes):
            return

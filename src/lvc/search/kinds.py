"""Searches as values: ``BFS(2) + DFS(1)``, and a user's own η.

Breadth first and depth first are the paper's; ``levels``, ``nest`` and ``pick`` go beyond it. A search is small, frozen
and hashable.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from numbers import Integral
from typing import TYPE_CHECKING, ClassVar

from lvc.errors import LvcError

if TYPE_CHECKING:
    from lvc.graph import Graph

#: A user's η: graph, root, radius -> for each vertex of the ball (the root need not be there) the vertices of η_v(u).
Eta = Callable[["Graph", int, int | None], Mapping[int, Iterable[int]]]


class Search:
    """What every search can do: be added to another one, and say what its parts are."""

    __slots__ = ()

    @property
    def parts(self) -> tuple[Search, ...]:
        """The searches refined jointly; one for a plain search."""
        return (self,)

    @property
    def is_local(self) -> bool:
        """Whether it searches from every vertex, as bfs, dfs, levels and custom searches do."""
        return all(isinstance(part, Local) for part in self.parts)

    @property
    def can_join(self) -> bool:
        """Whether it can be refined together with another search."""
        return all(part.can_join for part in self.parts) if len(self.parts) > 1 else self.is_local

    def holds(self, kind: type[Search]) -> bool:
        """Whether a part of it, or a search inside one, is of that kind.

        >>> Nest(1, BFS(2) + Pick(None, DFS(1))).holds(Pick)
        True
        """
        return any(
            isinstance(part, kind) or (isinstance(part, Nest) and part.within.holds(kind)) for part in self.parts
        )

    def __add__(self, other: Search) -> Search:
        if not isinstance(other, Search):
            return NotImplemented
        return joint(self.parts + other.parts)

    def __str__(self) -> str:
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"parse_search({str(self)!r})"


@dataclass(frozen=True, repr=False)
class Bounded(Search):
    """Whatever goes as far as ``radius`` (``None``: as far as there is a path)."""

    radius: int | None = None
    word: ClassVar[str] = ""

    def __post_init__(self) -> None:
        if self.radius is None:
            return
        if isinstance(self.radius, bool) or not isinstance(self.radius, Integral):
            raise LvcError(f"radius must be a whole number or None, got {self.radius!r}")
        object.__setattr__(self, "radius", int(self.radius))
        if self.radius < 1:
            raise LvcError(f"radius must be at least 1, got {self.radius}")

    def __str__(self) -> str:
        return f"{self.word}:{'inf' if self.radius is None else self.radius}"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.radius})"


class Local(Bounded):
    """A search from every vertex: it has an η."""

    __slots__ = ()


@dataclass(frozen=True, repr=False)
class BFS(Local):
    """Breadth-first: η_v(u) are the neighbours of u that are one step closer to v.

    >>> BFS(2)
    BFS(2)
    >>> str(BFS())
    'bfs:inf'
    """

    word: ClassVar[str] = "bfs"


@dataclass(frozen=True, repr=False)
class DFS(Local):
    """Depth-first: η_v(u) are the blocks of u in the ball of v, and the other end of the bridge that leads to u.

    >>> str(DFS(1) + DFS(3))
    'dfs:1+dfs:3'
    """

    word: ClassVar[str] = "dfs"


@dataclass(frozen=True, repr=False)
class Levels(Local):
    """Breadth-first with every edge of the ball: η_v(u) are the neighbours of u in the ball of v, told apart by role.

    A neighbour is a parent (closer to v), a sibling (as far) or a child (farther).

    >>> str(Levels(2))
    'levels:2'
    """

    word: ClassVar[str] = "levels"


@dataclass(frozen=True, repr=False)
class Custom(Local):
    """A search given by a user's own η; it has no text form.

    ``eta(graph, root, radius)`` returns, for every vertex u of the ball of the root, the vertices η_root(u), all of
    them in the ball. Vertices it leaves out have an empty η. It must not depend on how the vertices are numbered.

    >>> def star(graph, root, radius):
    ...     return {int(u): [root] for u in graph.neighbours(root)}
    >>> Custom(1, star)
    Custom(1, star)
    """

    eta: Eta | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if not callable(self.eta):
            raise LvcError(f"eta must be a function of graph, root and radius, got {self.eta!r}")

    def __str__(self) -> str:
        radius = "inf" if self.radius is None else self.radius
        return f"custom:{radius}({getattr(self.eta, '__name__', 'eta')})"

    def __repr__(self) -> str:
        return f"Custom({self.radius}, {getattr(self.eta, '__name__', 'eta')})"


@dataclass(frozen=True, repr=False)
class WL(Search):
    """1-WL: colour refinement over neighbours, the yardstick of message-passing networks."""

    def __str__(self) -> str:
        return "wl"

    def __repr__(self) -> str:
        return "WL()"


@dataclass(frozen=True, repr=False)
class FWL2(Search):
    """2-FWL, as strong as 3-WL; for comparison only, on small graphs."""

    def __str__(self) -> str:
        return "fwl2"

    def __repr__(self) -> str:
        return "FWL2()"


@dataclass(frozen=True, repr=False)
class Nest(Bounded):
    """A search within a search: every ball without its root is coloured by ``inner``, then the graph itself.

    The ball of v begins with the distances to v as colours; what ``inner`` makes of it, as a multiset, is what v begins
    with when ``inner`` colours the graph. Nests can be nested.

    >>> Nest(1, BFS(2)), str(Nest(None, Nest(2, WL())))
    (Nest(1, BFS(2)), 'nest:inf(nest:2(wl))')
    """

    inner: Search | None = None
    word: ClassVar[str] = "nest"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.inner, Search):
            raise LvcError(f"a nest needs a search to colour balls by, such as BFS(2), got {self.inner!r}")

    @property
    def within(self) -> Search:
        """The search inside."""
        assert self.inner is not None
        return self.inner

    @property
    def can_join(self) -> bool:
        return self.within.can_join

    def __str__(self) -> str:
        return f"{super().__str__()}({self.inner})"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.radius}, {self.inner!r})"


@dataclass(frozen=True, repr=False)
class Pick(Nest):
    """A nest of few balls: only of the vertices of which ``inner`` knows least, its largest class.

    At least as strong as ``inner``, and deep nests become cheap. Of classes equally large those farthest from the root
    of the ball are taken, all of them if that does not decide either.

    >>> str(Pick(None, Pick(None, WL())))
    'pick:inf(pick:inf(wl))'
    """

    word: ClassVar[str] = "pick"


@dataclass(frozen=True, repr=False)
class Joint(Search):
    """Several searches refined together: a vertex's colour takes one multiset from each. Built with ``+``."""

    searches: tuple[Search, ...]

    @property
    def parts(self) -> tuple[Search, ...]:
        return self.searches

    def __str__(self) -> str:
        return "+".join(str(search) for search in self.searches)

    def __repr__(self) -> str:
        return " + ".join(repr(search) for search in self.searches)


def joint(parts: Iterable[Search]) -> Search:
    """The joint search of ``parts``; a search named twice counts once, for it would add nothing.

    >>> joint([DFS(1), DFS(1)])
    DFS(1)
    """
    once = tuple(dict.fromkeys(parts))
    alone = [part for part in once if not part.can_join]
    if alone and len(once) > 1:
        plain_wl = re.search(r"\bwl\b", str(alone[0]))
        advice = "bfs:1 in the place of wl means the same and can" if plain_wl else "use it alone"
        raise LvcError(f"{alone[0]} cannot be joined with another search; {advice}")
    return once[0] if len(once) == 1 else Joint(once)

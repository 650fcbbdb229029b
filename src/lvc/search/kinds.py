"""Searches as values: ``BFS(2) + DFS(1)``, their text form ``"bfs:2+dfs:1"``, and a user's own η.

A search is small, frozen and hashable; ``parse_search(str(search)) == search`` for every search that has a text form.
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
        """Whether it searches from every vertex, as bfs, dfs and custom searches do."""
        return all(isinstance(part, Local) for part in self.parts)

    def __add__(self, other: Search) -> Search:
        if not isinstance(other, Search):
            return NotImplemented
        return joint(self.parts + other.parts)

    def __str__(self) -> str:
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"parse_search({str(self)!r})"


@dataclass(frozen=True, repr=False)
class Local(Search):
    """A search from every vertex, as far as ``radius`` (``None``: as far as there is a path)."""

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
    alone = [part for part in once if not part.is_local]
    if alone and len(once) > 1:
        raise LvcError(f"{alone[0]} cannot be joined with another search; only bfs, dfs and custom ones can")
    return once[0] if len(once) == 1 else Joint(once)


def parse_search(text: str | Search) -> Search:
    """The search a text form means: ``bfs:R``, ``dfs:R`` (R a number or ``inf``), sums with ``+``, ``wl``, ``fwl2``.

    >>> parse_search("bfs:2+dfs:1") == BFS(2) + DFS(1)
    True
    """
    if isinstance(text, Search):
        return text
    if not isinstance(text, str):
        raise LvcError(f"a search is a text such as 'bfs:2+dfs:1' or a value such as BFS(2), got {text!r}")
    return joint([_parse_part(part.strip(), text) for part in text.strip().lower().split("+")])


def _parse_part(part: str, whole: str) -> Search:
    alone: dict[str, Search] = {"wl": WL(), "fwl2": FWL2()}
    if part in alone:
        return alone[part]
    word, colon, radius = part.partition(":")
    local = {"bfs": BFS, "dfs": DFS}.get(word)
    if local is None or not colon:
        raise LvcError(f"unknown search {part!r} in {whole!r}; use bfs:R, dfs:R (R a number or inf), wl or fwl2")
    if radius == "inf":
        return local(None)
    if not re.fullmatch("-?[0-9]{1,9}", radius):
        raise LvcError(f"radius in {part!r} must be a number or inf, got {radius!r}")
    return local(int(radius))

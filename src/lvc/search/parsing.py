"""Searches as texts: ``"bfs:2+dfs:1"``.

``parse_search(str(search)) == search`` for every search that has a text form.
"""

from __future__ import annotations

import re

from lvc.errors import LvcError
from lvc.search.kinds import BFS, DFS, FWL2, WL, Levels, Nest, Pick, Search, joint

DEEPEST = 20  # of nests; three take minutes on a hundred vertices


def parse_search(text: str | Search) -> Search:
    """The search a text form means.

    ``bfs:R``, ``dfs:R``, ``levels:R`` (R a number or ``inf``), ``nest:R(SEARCH)``, ``pick:R(SEARCH)``, sums of these
    with ``+``, ``wl``, ``fwl2``.

    >>> parse_search("bfs:2+dfs:1") == BFS(2) + DFS(1)
    True
    >>> parse_search("nest:1(bfs:2+dfs:1)")
    Nest(1, BFS(2) + DFS(1))
    """
    if isinstance(text, Search):
        return text
    if not isinstance(text, str):
        raise LvcError(f"a search is a text such as 'bfs:2+dfs:1' or a value such as BFS(2), got {text!r}")
    return joint([_parse_part(part.strip(), text) for part in _summands(text.strip().lower(), text)])


def _summands(text: str, whole: str) -> list[str]:
    """The parts of a sum; a ``+`` within brackets does not divide."""
    if text.count("(") > DEEPEST:
        raise LvcError(f"a search may be nested {DEEPEST} deep, and this one has {text.count('(')} brackets")
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if depth < 0:
            break
        if letter == "+" and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    if depth != 0:
        raise LvcError(f"brackets do not match in the search {whole!r}; write nest:R(SEARCH)")
    return parts


def _parse_part(part: str, whole: str) -> Search:
    alone: dict[str, Search] = {"wl": WL(), "fwl2": FWL2()}
    if part in alone:
        return alone[part]
    nested = re.fullmatch(r"(nest|pick):([^(]*)\((.*)\)", part)
    if nested is not None:
        kind = Nest if nested[1] == "nest" else Pick
        return kind(_parse_radius(nested[2].strip(), part), parse_search(nested[3]))
    word, colon, radius = part.partition(":")
    local = {"bfs": BFS, "dfs": DFS, "levels": Levels}.get(word)
    if local is None or not colon:
        known = "bfs:R, dfs:R, levels:R, nest:R(SEARCH), pick:R(SEARCH) (R a number or inf), wl or fwl2"
        raise LvcError(f"unknown search {part!r} in {whole!r}; use {known}")
    return local(_parse_radius(radius, part))


def _parse_radius(radius: str, part: str) -> int | None:
    if radius == "inf":
        return None
    if not re.fullmatch("-?[0-9]{1,9}", radius):
        raise LvcError(f"radius in {part!r} must be a number or inf, got {radius!r}")
    return int(radius)

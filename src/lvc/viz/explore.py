"""One HTML file in which graphs are drawn, changed and coloured; it needs neither a network nor a server.

The page colours by itself, because a reader can change the graphs: ``explorer/colouring.js`` is the scheme of
``lvc.colouring`` again, and a test compares their colours round by round. The drawing library d3 is read from the
package mpld3, which ships it, and written into the page.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.resources import files
from typing import Any, NamedTuple

from lvc.errors import LvcError
from lvc.expressivity.named import NAMED_GRAPHS, NAMED_PAIRS
from lvc.files import write_text
from lvc.graph import Graph
from lvc.search.kinds import BFS, DFS, WL, Levels, Search
from lvc.search.parsing import parse_search
from lvc.viz.canvas import DARK, PALETTE, FilePath, check_size
from lvc.viz.layout import graph_positions

SCRIPTS = tuple(
    f"{name}.js" for name in ("search", "numbering", "colouring", "graphs", "state", "drawing", "recipe", "page")
)
IN_THE_PAGE = (BFS, DFS, Levels, WL)


class Example(NamedTuple):
    """One graph, or two to be compared, that the page offers."""

    name: str
    title: str
    graphs: tuple[Graph, ...]


def write_explorer(path: FilePath, graphs: Sequence[Graph] = (), search: str | Search = "bfs:2") -> None:
    """Write the page; it begins with ``graphs`` (none, one, or two to compare), coloured by ``search``.

    Built-in pairs and graphs can be chosen in it, and others drawn or pasted.
    """
    write_text(path, explorer_page(graphs, search))


def explorer_page(graphs: Sequence[Graph] = (), search: str | Search = "bfs:2") -> str:
    """The page as a text."""
    if len(graphs) > 2:
        raise LvcError(f"the page compares two graphs, got {len(graphs)}; give one or two")
    chosen = parse_search(search)
    unknown = [part for part in chosen.parts if not isinstance(part, IN_THE_PAGE)]
    if unknown:
        raise LvcError(
            f"the page cannot colour by {unknown[0]}; use bfs:R, dfs:R, levels:R, sums of these or wl, or lvc compare"
        )
    for graph in graphs:
        check_size(graph)
    given = [Example("given", "the given graphs" if len(graphs) > 1 else "the given graph", tuple(graphs))]
    examples = [*(given if graphs else []), *built_in_examples()]
    data = {
        "examples": [_as_json(example) for example in examples],
        "search": str(chosen),
        "palette": PALETTE,
        "dark": sorted(DARK),
    }
    folder = files("lvc.viz") / "explorer"
    page = (folder / "page.html").read_text(encoding="utf-8")
    style = (folder / "style.css").read_text(encoding="utf-8")
    script = "\n".join((folder / name).read_text(encoding="utf-8") for name in SCRIPTS)
    embedded = json.dumps(data, ensure_ascii=False).replace("</", "<\\/")
    for place, text in (("STYLE", style), ("SCRIPT", script), ("DATA", embedded), ("D3", _d3())):
        page = page.replace(f"/*{place}*/", text, 1)
    return page


def built_in_examples() -> list[Example]:
    """The named pairs and graphs of the paper."""
    pairs = [Example(pair.name, pair.title, pair.make()) for pair in NAMED_PAIRS.values()]
    return pairs + [Example(graph.name, graph.title, (graph.make(),)) for graph in NAMED_GRAPHS.values()]


def _as_json(example: Example) -> dict[str, Any]:
    return {"name": example.name, "title": example.title, "graphs": [_graph_as_json(graph) for graph in example.graphs]}


def _graph_as_json(graph: Graph) -> dict[str, Any]:
    place = graph_positions(graph)
    return {
        "n": graph.n,
        "edges": graph.edges().tolist(),
        "names": None if graph.names is None else [str(name) for name in graph.names],
        "labels": None if graph.labels is None else graph.labels.tolist(),
        "place": [[round(place[v][0], 4), round(-place[v][1], 4)] for v in range(graph.n)],
    }


def _d3() -> str:
    try:
        from mpld3.urls import D3_LOCAL
    except ImportError:
        raise LvcError("the page needs d3, which mpld3 ships; install it with: pip install 'lvc-gnn[viz]'") from None
    with open(D3_LOCAL, encoding="utf-8") as file:
        return file.read()

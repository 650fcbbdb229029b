"""Commands on graphs: colour, compare, pairs, fingerprint, reveal, tree, explore."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from lvc.cli.app import app
from lvc.cli.common import (
    GRAPH,
    DrawOption,
    GraphArgument,
    JsonOption,
    RoundsOption,
    SearchOption,
    SimplifyOption,
    bar_of,
    check_drawable_first,
    interpret_if_small,
    joined,
    listed,
    names_of,
    print_json,
    read_graph,
    vertex_called,
)
from lvc.errors import LvcError


@app.command()
def colour(
    graph: GraphArgument,
    search: SearchOption = "bfs:2",
    rounds: RoundsOption = None,
    labels: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Initial colours: one integer per line, or lines `vertex label`."),
    ] = None,
    sweep: Annotated[bool, typer.Option("--sweep", help="Sweep instead of rounds: bfs only, less memory.")] = False,
    hashed: Annotated[bool, typer.Option("--hashed", help="128-bit hashes, for size, instead of exact.")] = False,
    simplify: SimplifyOption = False,
    json_: JsonOption = False,
    draw: DrawOption = None,
) -> None:
    """Colour the vertices of a graph."""
    checked = read_graph(graph, labels, simplify)
    check_drawable_first(draw, checked)
    interpret_if_small(checked)
    from lvc.colouring.colour import colour as colour_graph

    schedule = "sweep" if sweep else "rounds"
    found = colour_graph(checked, search, rounds=rounds, schedule=schedule, exact=not hashed)
    if draw is not None:
        from lvc.viz.figures import draw_colouring

        draw_colouring(checked, found, draw)
    names = names_of(checked)
    if json_:
        print_json(
            search=str(found.search),
            vertices=checked.n,
            edges=checked.m,
            rounds=found.rounds,
            schedule=found.schedule,
            stable=found.stable,
            exact=not hashed,
            colours=found.vertex.tolist(),
            **({"names": list(names)} if checked.names else {}),
        )
        return
    how = f"stable since {found.when}" if found.stable else f"stopped after round {rounds}"
    size = f"{checked.n} vertices, {checked.m} edges"
    print(f"{size}, {found.classes} colours under {found.search}, {how}")
    classes = sorted(found.members(), key=len, reverse=True)
    for members in classes[:50]:
        print(f"{len(members):8d}  {listed(names[v] for v in members)}")
    if len(classes) > 50:
        print(f"     ...  {len(classes) - 50} smaller classes; --json lists every vertex")


@app.command()
def compare(
    first: GraphArgument,
    second: GraphArgument,
    search: SearchOption = "bfs:2",
    rounds: RoundsOption = None,
    simplify: SimplifyOption = False,
    json_: JsonOption = False,
    draw: DrawOption = None,
) -> None:
    """Tell two graphs apart, and say where they differ. Exit status 0: same colours, 1: told apart, 2: bad input."""
    graphs = read_graph(first, simplify=simplify), read_graph(second, simplify=simplify)
    check_drawable_first(draw, *graphs)
    interpret_if_small(*graphs)
    from lvc.colouring.compare import compare as compare_graphs

    found = compare_graphs(*graphs, search, rounds=rounds)
    if draw is not None:
        from lvc.viz.figures import draw_comparison

        draw_comparison(*graphs, found, draw)
    if json_:
        differences = [{"colour": d.colour, "first": d.first, "second": d.second} for d in found.differences]
        verdict = {"told_apart": found.told_apart, "round": found.round, "stable": found.stable}
        names = {"names": [list(names_of(graph)) for graph in graphs]} if any(graph.names for graph in graphs) else {}
        print_json(search=str(found.search), **verdict, differences=differences, **names)
    elif not found.told_apart:
        how = "stable" if found.stable else "stopped"
        print(f"same colours under {found.search}, {how} after round {found.round}")
    else:
        print(f"told apart by {found.search} in round {found.round}: {len(found.differences)} colours differ")
        for d in found.differences[:20]:
            print(f"  colour {d.colour}: {len(d.first)} vertices of the first graph, {len(d.second)} of the second")
            for graph, members, which in zip(graphs, (d.first, d.second), ("first", "second"), strict=True):
                if members:
                    print(f"    {which}: {listed(names_of(graph)[v] for v in members)}")
    raise typer.Exit(int(found.told_apart))


@app.command()
def pairs(
    file: Annotated[
        Path, typer.Argument(metavar="FILE.g6", help="graph6 lines; 2i and 2i+1 are pair i.", show_default=False)
    ],
    search: SearchOption = "bfs:2",
    json_: JsonOption = False,
) -> None:
    """Compare the pairs of graphs in a graph6 file."""
    from lvc.colouring.compare import distinguishes
    from lvc.graph import read_graphs
    from lvc.search.parsing import parse_search

    chosen = parse_search(search)
    graphs = read_graphs(file)
    if len(graphs) % 2:
        raise LvcError(f"{file}: {len(graphs)} graphs do not make pairs; the number of lines must be even")
    which = []
    with bar_of(len(graphs) // 2, "pairs") as bar:
        for i, (first, second) in enumerate(zip(graphs[::2], graphs[1::2], strict=True)):
            which += [i] if distinguishes(first, second, chosen) else []
            bar.update()
    if json_:
        print_json(search=str(chosen), told_apart=len(which), pairs=len(graphs) // 2, which=which)
    else:
        print(f"{len(which)} of {len(graphs) // 2} pairs told apart by {chosen}")


@app.command()
def fingerprint(graph: GraphArgument, search: SearchOption = "bfs:2", simplify: SimplifyOption = False) -> None:
    """Print a text that is equal for all graphs the search cannot tell apart, on any machine."""
    from lvc.colouring.fingerprint import fingerprint as fingerprint_of

    print(fingerprint_of(read_graph(graph, simplify=simplify), search))


@app.command()
def reveal(
    graph: GraphArgument, simplify: SimplifyOption = False, json_: JsonOption = False, draw: DrawOption = None
) -> None:
    """Print cut vertices, bridges, blocks, vertices on cycles and biconnectivity of a graph."""
    from lvc.colouring import reveal as revealed

    checked = read_graph(graph, simplify=simplify)
    check_drawable_first(draw, checked)
    structure = revealed.structure(checked)
    names = names_of(checked)
    facts: dict[str, Any] = {
        "components": structure.components,
        "cut_vertices": [names[v] for v in revealed.cut_vertices(checked)],
        "bridges": [[names[u], names[v]] for u, v in structure.bridges],
        "blocks": [[names[v] for v in block] for block in structure.blocks],
        "vertices_on_cycles": [names[v] for v in revealed.vertices_on_cycles(checked)],
        "biconnected": revealed.is_biconnected(checked),
        "edge_biconnected": revealed.is_edge_biconnected(checked),
    }
    if draw is not None:
        from lvc.viz.figures import draw_structure

        draw_structure(checked, draw)
    if json_:
        print_json(**facts)
        return
    for what, value in facts.items():
        shown = f"{len(value)}: {listed(joined(v) for v in value)}" if isinstance(value, list) and value else value
        print(f"{what.replace('_', ' '):18}  {shown if shown != [] else 'none'}")


@app.command()
def tree(
    graph: GraphArgument,
    root: Annotated[
        str | None,
        typer.Option(help="The vertex where the search starts; by default the first.", show_default=False),
    ] = None,
    kind: Annotated[str, typer.Option(help="bfs or dfs.")] = "bfs",
    seed: Annotated[int | None, typer.Option(help="Break ties at random, by this seed.", show_default=False)] = None,
    radius: Annotated[int | None, typer.Option(help="Stay inside this ball.", show_default=False)] = None,
    simplify: SimplifyOption = False,
    draw: DrawOption = None,
) -> None:
    """Print one search tree: visiting order, tree edges, back edges, which of them cross and what they cover."""
    from lvc.search.tree import search_tree

    checked = read_graph(graph, simplify=simplify)
    check_drawable_first(draw, checked)
    names = names_of(checked)
    start = 0 if root is None else vertex_called(root, checked)
    found = search_tree(checked, start, kind, order=seed, radius=radius)
    if draw is not None:
        from lvc.viz.figures import draw_search_tree

        draw_search_tree(checked, found, draw)

    def shown(edge: tuple[int, int]) -> str:
        return f"{names[edge[0]]}->{names[edge[1]]}"

    print("visited    ", *(names[v] for v in found.visited))
    print("levels     ", *(found.level[v] for v in found.visited))
    print("tree edges ", *map(shown, found.tree_edges))
    print("back edges ", *map(shown, found.back_edges))
    if kind == "dfs":
        for edge in found.back_edges:
            print(f"  {shown(edge)} covers", *(names[v] for v in found.cover(edge)))
        for one, other in found.crossing("paths"):
            print(f"  {shown(one)} crosses {shown(other)}")


@app.command()
def explore(
    graph: Annotated[str | None, typer.Argument(metavar="[GRAPH]", help=GRAPH, show_default=False)] = None,
    second: Annotated[
        str | None, typer.Argument(metavar="[GRAPH2]", help="Compare with it.", show_default=False)
    ] = None,
    search: SearchOption = "bfs:2",
    out: Annotated[Path, typer.Option(metavar="FILE", help="The page to write.")] = Path("explorer.html"),
    open_: Annotated[bool, typer.Option("--open", help="Open it in a browser.")] = False,
    simplify: SimplifyOption = False,
) -> None:
    """Write one HTML page in which to draw, change, colour and compare graphs; it needs no network and no server."""
    from lvc.viz.explore import write_explorer

    write_explorer(out, [read_graph(text, simplify=simplify) for text in (graph, second) if text is not None], search)
    print(f"{out}: open it in a browser")
    if open_:
        typer.launch(out.resolve().as_uri())

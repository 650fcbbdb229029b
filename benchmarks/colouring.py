"""Speed and memory of searches and colourings, as ratios to networkx on the same graphs in the same run.

    make bench        or        python benchmarks/colouring.py [--quick] [--out FILE]

One thread throughout, so that networkx is not compared with two of ours.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path

import networkx as nx

from lvc import BFS, Graph, colour
from lvc.colouring.classes import ByTable
from lvc.colouring.refinement import initial_colours, refinement
from lvc.search.ball_blocks import ball_blocks_of_every_root
from lvc.search.balls import offsets, sizes_and_edges
from lvc.search.threads import set_num_threads
from lvc.search.trees import _fill_bfs, trees
from lvc.timing import medians, seconds
from measure import memory_mb, random_graph, real_graph, record

Report = Callable[..., None]


def wl(graph: Graph, name: str, report: Report) -> None:
    """1-WL: to the tenth round, which we may leave early when nothing refines any more, and every round made."""
    other = graph.to_networkx()

    def every_round() -> None:
        """Ten rounds' work, even where the partition is stable sooner."""
        vertex, naming = initial_colours(graph), ByTable()
        for _ in range(10):
            vertex, _ = naming.seen(vertex, graph.indptr, graph.indices, vertex)

    def networkx() -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            nx.weisfeiler_lehman_subgraph_hashes(other, iterations=10)

    ours = medians({"stop": lambda: colour(graph, "wl", rounds=10), "every": every_round})
    theirs = medians({"networkx": networkx}, 1 if graph.n > 10_000 else 7)["networkx"]
    report("wl, all of 10 rounds made", name, theirs / ours["every"], "50x, 90x", seconds=ours["every"], peer=theirs)
    report("wl, 10 rounds, fewer if stable", name, theirs / ours["stop"], "-", seconds=ours["stop"], peer=theirs)


def blocks(graph: Graph, name: str, radius: int, step: int, report: Report) -> None:
    """Blocks of every ball; networkx on every ``step``-th root, scaled."""
    other = graph.to_networkx()
    roots = range(0, graph.n, step)

    def networkx() -> None:
        for root in roots:
            list(nx.biconnected_components(nx.ego_graph(other, root, radius)))

    ours = medians({"ours": lambda: ball_blocks_of_every_root(graph, radius)})["ours"]
    theirs = seconds(networkx) * graph.n / len(roots)
    report(f"blocks of every ball, r={radius}", name, theirs / ours, "120x", seconds=ours, peer=theirs)


def stability(graph: Graph, name: str, report: Report) -> None:
    """``bfs:2`` to stability, for each round in units of emitting every root's DAG edges once."""
    rounds = sum(
        1 for _ in refinement([graph], BFS(2))
    )  # round 0 is free, the one that shows stability is not given out
    sizes, edges = sizes_and_edges(graph, 2)
    start, first = offsets(sizes), offsets(edges)
    out = trees(graph, BFS(2))

    def emit() -> None:
        _fill_bfs(0, 1, graph.indptr, graph.indices, 2, first, out._replace(start=start))

    times = medians({"colour": lambda: colour(graph, "bfs:2"), "emit": emit})
    ratio = times["colour"] / rounds / times["emit"]
    report("bfs:2 to stability, per round, over one emission", name, ratio, "at most 5", **times, rounds=rounds)


def memory(sizes: list[int], report: Report) -> None:
    """Peak memory of a fresh process that makes three rounds of hashed ``bfs:2`` at average degree 10."""
    used = {}
    for n in sizes:
        command = [sys.executable, __file__, "--memory-of", str(n)]
        used[n] = float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        report("hashed bfs:2, 3 rounds, peak MB", f"{n} vertices", used[n], "under 2000", megabytes=used[n])
    small, large = sizes[0], sizes[-1]
    slope = (used[large] - used[small]) / (large - small) * 1e6
    report("... more bytes per vertex", f"{small} to {large}", slope, "linear", bytes=slope)


def memory_of(n: int) -> None:
    graph = random_graph(n, 5 * n)
    colour(graph, "bfs:2", rounds=3, exact=False)
    print(memory_mb("VmHWM"))


def startup(report: Report) -> None:
    """``lvc compare`` on a small pair over importing numba and networkx."""
    ours = [sys.executable, "-m", "lvc.cli", "compare", "graph6:EwCW", "graph6:EhEG"]
    imports = [sys.executable, "-c", "import numba, networkx"]
    times = medians(
        {
            "lvc compare": lambda: subprocess.run(ours, capture_output=True, check=False),
            "imports": lambda: subprocess.run(imports, check=True),
        }
    )
    ratio = times["lvc compare"] / times["imports"]
    report("lvc compare over importing numba, networkx", "6 vertices", ratio, "at most 1.5", **times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="fewer networkx roots, smaller graphs")
    parser.add_argument("--out", type=Path, default=Path("out/colouring.jsonl"))
    parser.add_argument("--memory-of", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.memory_of:
        memory_of(options.memory_of)
        return

    def report(what: str, graph: str, ratio: float, target: str, **numbers: float) -> None:
        print(f"{what:50} {graph:28} {ratio:9.2f}   target {target}", flush=True)
        record(options.out, {"what": what, "graph": graph, "ratio": ratio, "quick": options.quick, **numbers})

    set_num_threads(1)
    cora, chameleon = real_graph("Cora"), real_graph("Chameleon")
    wl(*cora, report)
    if not options.quick:
        wl(random_graph(100_000, 500_000), "100k vertices, 500k edges", report)
    step = 100 if options.quick else 10
    for graph, name in (cora, chameleon):
        for radius in (1, 2):
            blocks(graph, name, radius, step, report)
    stability(*cora, report)
    memory([10_000, 100_000] if options.quick else [10_000, 100_000, 1_000_000], report)
    startup(report)


if __name__ == "__main__":
    main()

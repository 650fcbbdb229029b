"""Claims that the text makes about its own figures and examples."""

from __future__ import annotations

from itertools import combinations

from lvc.colouring.colour import colour
from lvc.colouring.reveal import structure
from lvc.expressivity.claims.claim import Claim, Effort, Verdict, failed, held
from lvc.expressivity.claims.orders import printed_bfs_eta, search_trees
from lvc.expressivity.claims.tried import everything, in_words
from lvc.expressivity.named import uneven_barbell
from lvc.expressivity.pair_colours import stable_pair_colours
from lvc.expressivity.printed_dfs import crosses_as_printed
from lvc.graph import Graph
from lvc.search.kinds import DFS
from lvc.search.tree import SearchTree, search_tree


def _figure_bfs(effort: Effort) -> Verdict:
    # 0 - 1, 0 - 2 above 4; 3 beside 4 on the second level, 5 below
    graph = Graph.from_edges(6, [(0, 1), (0, 2), (1, 3), (1, 4), (2, 4), (3, 4), (4, 5)])
    eta = printed_bfs_eta(search_tree(graph, 0, "bfs"), directed=False)
    if eta[4] == {1, 2}:
        return held(1, "the graph of the figure, as the text describes it", "η(4) = {1, 2}", [graph], [(4,)])
    return failed(1, "the graph of the figure", f"η(4) = {sorted(eta[4])}", [graph], [(4,)])


def _path_with(*back: tuple[int, int]) -> Graph:
    """A path 0 - 1 - ... with back edges, which a depth-first search from 0 walks along first."""
    n = max(max(edge) for edge in back) + 1
    return Graph.from_edges(n, [*((i, i + 1) for i in range(n - 1)), *((j, i) for i, j in back)])


def _figure_crossings(effort: Effort) -> Verdict:
    first = search_tree(_path_with((2, 0), (3, 1)), 0, "dfs")
    second = search_tree(_path_with((3, 1), (5, 2), (5, 0)), 0, "dfs")
    wanted = [(first, (2, 0), (3, 1)), (second, (3, 1), (5, 2)), (second, (5, 0), (5, 2))]
    crossing = all(_cross(tree, e, f) for tree, e, f in wanted)
    covered = 2 in second.cover((3, 1)) and 1 in first.cover((2, 0))
    tried = "three crossings and two covers"
    if crossing and covered:
        return held(5, tried)
    return failed(5, tried, "an example does not cross or cover", [_path_with((2, 0), (3, 1))])


def _cross(tree: SearchTree, e: tuple[int, int], f: tuple[int, int]) -> bool:
    return any({e, f} == set(pair) for pair in tree.crossing("printed"))


def _symmetric(effort: Effort) -> Verdict:
    """By the four conditions on visiting times themselves."""
    times = [(i, j) for i in range(7) for j in range(i)]
    for e, f in combinations(times, 2):
        if crosses_as_printed(e, f) != crosses_as_printed(f, e):
            return failed(1, "pairs of visiting times", f"{e} and {f}", [_path_with(e, f)])
    return held(len(times) * (len(times) - 1) // 2, "pairs of back edges among seven visiting times")


def _barbell(effort: Effort) -> Verdict:
    graph = uneven_barbell()
    ends, path = ((0, 1, 3), (7, 8)), (2, 4, 5, 6)
    after_one = colour(graph, DFS(), rounds=1).vertex
    stable = colour(graph, DFS()).vertex
    pairs = stable_pair_colours([graph], DFS()).of_pair()
    good = all(len({int(colours[v]) for v in end}) == 1 for colours in (after_one, stable) for end in ends)
    good = good and len({int(stable[v]) for v in path} | {int(stable[end[0]]) for end in ends}) == 6
    good = good and all(pairs[0, end[0], root] == pairs[0, end[1], root] for end in ends for root in (4, 5))
    tried = "the barbell as the text describes it, after one round and at stability"
    if good:
        because = "the vertices inside an end share a colour; the two ends, of 4 and 3 vertices, do not share theirs"
        return held(2, tried, because, [graph], [path])
    return failed(2, tried, "an end has two colours, or a path vertex the colour of an end", [graph], [path])


def _covered(effort: Effort, smallest: int) -> Verdict:
    cases = 0
    for graph, trees in search_trees(effort, "dfs"):
        found = structure(graph)
        parts = [part for part in found.blocks + found.bridges if len(part) >= smallest]
        for tree in trees:
            covered = {v for edge in tree.back_edges for v in tree.cover(edge)}
            for part in parts:
                missing = [v for v in part if v not in covered and part[0] in tree.level]
                cases += 1
                if missing:
                    because = f"{list(part)} is a biconnected component, and no back edge covers vertex {missing[0]}"
                    return failed(cases, f"{cases} components", because, [graph], [(missing[0],)])
    return held(cases, f"{cases} components in search trees of {in_words(everything(effort), effort)}")


CLAIMS = (
    Claim(
        "figure-bfs",
        "Figure bfc, section 4.2",
        "In the figure η_bfc(v_4) is v_1 and v_2, and not v_3, which is on the level of v_4.",
        "the least graph with these edges",
        _figure_bfs,
    ),
    Claim(
        "figure-crossings",
        "Definitions of crossover and cover, section 4.3",
        "(v_2,v_0) crosses (v_3,v_1); (v_3,v_1) and (v_5,v_0) each cross (v_5,v_2); (v_3,v_1) covers v_2, "
        "(v_2,v_0) covers v_1.",
        "the conditions on the subscripts named",
        _figure_crossings,
    ),
    Claim(
        "crossover-symmetric",
        "Definition of crossover, section 4.3",
        "If one back edge crosses another, that one crosses it.",
        "the four printed conditions on all visiting times below seven",
        _symmetric,
    ),
    Claim(
        "barbell",
        "Figure dfc, section 4.3",
        "In the uneven barbell the vertices at an end share one colour, and those on the connecting path, cut "
        "vertices, "
        "have others.",
        "DFC without limit on the barbell rebuilt from the text",
        _barbell,
    ),
    Claim(
        "back-edge-cover",
        "Lemma binnect_back_edge_cover, appendix",
        "Every vertex of a biconnected component is covered by some DFS back edge.",
        "components with two or more vertices, search trees in many visiting orders",
        lambda effort: _covered(effort, smallest=2),
    ),
    Claim(
        "back-edge-cover-blocks",
        "Lemma binnect_back_edge_cover, appendix",
        "Every vertex of a block (a biconnected component with three or more vertices) is covered by some DFS "
        "back edge.",
        "blocks, search trees in many visiting orders",
        lambda effort: _covered(effort, smallest=3),
        reading=True,
    ),
)

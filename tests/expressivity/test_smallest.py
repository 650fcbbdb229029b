"""All small graphs, and the smallest pairs."""

import networkx as nx
import pytest

from lvc import LvcError, distinguishes
from lvc.expressivity.named import square_and_diamond, tailed_square_and_diamond
from lvc.expressivity.regular import eight_vertices_beyond_bfc
from lvc.expressivity.smallest import _extended, all_graphs, connected_graphs, smallest_pair
from lvc.isomorphism import are_isomorphic


def test_numbers_of_graphs():
    assert [len(all_graphs(n)) for n in range(1, 8)] == [1, 2, 4, 11, 34, 156, 1044]
    assert sum(len(connected_graphs(n)) for n in range(2, 8)) == 995


def test_adding_a_vertex_gives_all_graphs():
    grown = list(_extended(all_graphs(5)))
    assert len(grown) == 156
    assert all(any(are_isomorphic(graph, other) for other in all_graphs(6)) for graph in grown)


def same_pair(found, named):
    return found is not None and all(
        nx.is_isomorphic(one.to_networkx(), other.to_networkx()) for one, other in zip(found, named, strict=True)
    )


def test_smallest_pairs_of_dfc():
    assert same_pair(smallest_pair("dfs:1", "dfs:2"), square_and_diamond())
    assert same_pair(smallest_pair("dfs:2", "dfs:3"), tailed_square_and_diamond())


def test_no_small_pair_is_beyond_bfc():
    assert smallest_pair("fwl2", "bfs:inf", largest=6) is None


@pytest.mark.slow
def test_smallest_pair_beyond_bfc_has_eight_vertices():
    assert len(all_graphs(8)) == 12346
    assert smallest_pair("fwl2", "bfs:inf", largest=7) is None
    assert same_pair(smallest_pair("fwl2", "bfs:inf", largest=8), eight_vertices_beyond_bfc())


def test_the_pair_beyond_bfc_at_every_radius():
    first, second = eight_vertices_beyond_bfc()
    assert not any(distinguishes(first, second, f"bfs:{radius}") for radius in (*range(1, 9), "inf"))


def test_out_of_range():
    with pytest.raises(LvcError, match="n must be between 1 and 8, got 9"):
        all_graphs(9)

import numpy as np
import pytest

from lvc import BFS, DFS, Custom, Levels, LvcError, Nest, Pick, parse_search


def test_sums_and_nests():
    assert str(Nest(1, BFS(2) + DFS(1)) + Levels(2)) == "nest:1(bfs:2+dfs:1)+levels:2"
    assert parse_search("Nest:1( bfs:2 + Pick:INF(wl) )".replace("wl", "dfs:1")) == Nest(1, BFS(2) + Pick(None, DFS(1)))
    assert Nest(1, BFS(2)) != Pick(1, BFS(2))
    assert not Nest(1, BFS(2)).is_local
    with pytest.raises(LvcError, match="a nest needs a search to colour balls by, such as BFS"):
        Nest(1)


def test_numpy_integers_are_whole_numbers():
    assert BFS(np.int64(2)) == BFS(2)
    assert type(BFS(np.int64(2)).radius) is int


def test_a_search_named_twice_counts_once():
    assert DFS(1) + DFS(1) == DFS(1)
    assert (BFS(1) + DFS(1) + BFS(1)).parts == (BFS(1), DFS(1))


@pytest.mark.parametrize("radius", [0, -1, 1.5, "2", True])
def test_bad_radii_are_refused(radius):
    with pytest.raises(LvcError, match=r"radius must be (at least 1|a whole number or None), got"):
        BFS(radius)


def test_a_custom_search_needs_a_function():
    with pytest.raises(LvcError, match="eta must be a function of graph, root and radius, got None"):
        Custom(1)


def test_searches_cannot_be_changed_or_added_to_other_things():
    with pytest.raises(AttributeError):
        BFS(2).radius = 3  # type: ignore[misc]
    with pytest.raises(TypeError):
        BFS(2) + 1  # type: ignore[operator]

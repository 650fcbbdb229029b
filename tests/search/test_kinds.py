import pickle
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lvc import BFS, DFS, FWL2, WL, Custom, Levels, LvcError, Nest, Pick, parse_search
from lvc.search.kinds import joint

radii = st.none() | st.integers(1, 9)
local = st.builds(lambda kind, radius: kind(radius), st.sampled_from([BFS, DFS, Levels]), radii)
plain = st.lists(local, min_size=1, max_size=4).map(joint) | st.sampled_from([WL(), FWL2()])
searches = st.recursive(
    plain, lambda inner: st.builds(lambda kind, *parts: kind(*parts), st.sampled_from([Nest, Pick]), radii, inner)
)


@given(searches)
def test_text_forms_parse_back(search):
    assert parse_search(str(search)) == search
    assert eval(repr(search)) == search
    assert pickle.loads(pickle.dumps(search)) == search
    assert hash(parse_search(str(search))) == hash(search)


def test_text_forms_written_out():
    assert str(BFS(2) + DFS(1)) == "bfs:2+dfs:1"
    assert str(BFS()) == "bfs:inf"
    assert parse_search(" BFS:2 + dfs:INF ") == BFS(2) + DFS(None)
    assert parse_search(BFS(3)) == BFS(3)
    assert BFS(2) != DFS(2)


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


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "unknown search ''"),
        ("bfs", "unknown search 'bfs' in 'bfs'; use bfs:R, dfs:R"),
        ("bfs:", "radius in 'bfs:' must be a number or inf, got ''"),
        ("bfs:0", "radius must be at least 1, got 0"),
        ("bfs:-2", "radius must be at least 1, got -2"),
        ("bfs:--2", "radius in 'bfs:--2' must be a number or inf"),
        ("bfs:99999999999", "must be a number or inf, got '99999999999'"),
        ("bfs:2.5", "radius in 'bfs:2.5' must be a number or inf"),
        ("bfs:2+", "unknown search '' in"),
        ("wl+bfs:2", "wl cannot be joined with another search"),
        ("cfs:2", "unknown search 'cfs:2'"),
        ("nest:1", "unknown search 'nest:1'"),
        ("nest:1()", "unknown search ''"),
        ("nest:1(bfs:2", "brackets do not match in the search 'nest:1(bfs:2'; write nest:R(SEARCH)"),
        ("nest:1(bfs:2))", "brackets do not match"),
        ("pick:0(wl)", "radius must be at least 1, got 0"),
        ("nest:x(wl)", "radius in 'nest:x(wl)' must be a number or inf, got 'x'"),
        ("nest:1(wl)+bfs:2", "nest:1(wl) cannot be joined with another search; bfs:1 in the place of wl"),
        ("nest:1(fwl2)+bfs:2", "nest:1(fwl2) cannot be joined with another search; use it alone"),
        ("nest:1(" * 21 + "wl" + ")" * 21, "a search may be nested 20 deep, and this one has 21 brackets"),
        (7, "a search is a text such as 'bfs:2"),
    ],
)
def test_what_is_not_a_search_is_refused(text, sentence):
    with pytest.raises(LvcError, match=re.escape(sentence)):
        parse_search(text)


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

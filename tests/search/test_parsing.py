import pickle
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lvc import BFS, DFS, FWL2, WL, Levels, LvcError, Nest, Pick, parse_search
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

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lvc.colouring.classes import ByTable, number_pairs, number_rows, sort_row

rows = st.lists(st.lists(st.integers(0, 3), max_size=4), max_size=30)


def ragged(values: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
    start = np.cumsum([0, *map(len, values)]).astype(np.int64)
    return start, np.array([x for row in values for x in row], np.int32)


@given(rows)
def test_equal_rows_get_equal_numbers_and_no_others_do(values):
    number, used = number_rows(*ragged(values))
    assert used == len({tuple(row) for row in values})
    assert len(set(zip(map(tuple, values), number.tolist(), strict=True))) == used
    assert sorted(set(number.tolist())) == list(range(used))


@given(rows)
def test_rows_are_taken_as_multisets(values):
    number, used = ByTable().rows(*ragged(values))
    assert used == len({tuple(sorted(row)) for row in values})
    assert len(set(zip((tuple(sorted(row)) for row in values), number.tolist(), strict=True))) == used


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=50))
def test_equal_pairs_get_equal_numbers_and_no_others_do(values):
    first, second = (np.array(column, np.int32) for column in (zip(*values, strict=True) if values else ([], [])))
    number, used = number_pairs(first, second)
    assert used == len(set(values))
    assert len(set(zip(values, number.tolist(), strict=True))) == used


def test_rows_that_mean_the_same_text_are_different():
    """Joined without a separator, {1, 112} and {11, 12} would be one colour."""
    number, used = number_rows(*ragged([[1, 112], [11, 12], [1, 112]]))
    assert number.tolist() == [0, 1, 0]
    assert used == 2


@given(st.lists(st.integers(-9, 9), max_size=60))
def test_short_and_long_rows_are_sorted(values):
    array = np.array([99, *values, -99], np.int64)
    sort_row(array, 1, 1 + len(values))
    assert array.tolist() == [99, *sorted(values), -99]

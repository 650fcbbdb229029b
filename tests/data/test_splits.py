import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lvc import LvcError
from lvc.data.split_statistics import describe_splits, split_statistics, splits_table
from lvc.data.splits import PROTOCOLS, Split, splits

labels = st.lists(st.integers(0, 4), min_size=10, max_size=80)


@pytest.mark.parametrize("protocol", ["random", "per-class"])
@given(labels=labels, seed=st.integers(0, 5))
def test_parts_are_disjoint_and_cover_everything(protocol, labels, seed):
    try:
        found = splits(labels, protocol, count=3, seed=seed)
    except LvcError:  # small classes go to training whole, and may leave too little to test
        counts = np.unique(labels, return_counts=True)[1]
        trained = np.minimum(counts, round(0.6 * len(labels) / len(counts))).sum()
        assert protocol == "per-class"
        assert len(labels) - trained <= round(0.2 * len(labels))
        return
    for split in found:
        assert sorted(np.concatenate(split).tolist()) == list(range(len(labels)))
        assert all(np.all(np.diff(part) > 0) for part in split)


def test_random_sizes_are_60_20_20():
    for split in splits([0] * 100, "random"):
        assert [len(part) for part in split] == [60, 20, 20]


def test_per_class_takes_the_same_number_of_each_class():
    labels = np.repeat([0, 1, 2], [50, 30, 20])
    for split in splits(labels, "per-class"):
        counts = np.bincount(labels[split.train]).tolist()
        assert counts == [20, 20, 20]  # 60 % of 100 / 3
        assert len(split.validation) == 20
    small = np.repeat([0, 1], [90, 10])
    assert np.bincount(small[splits(small, "per-class")[0].train]).tolist() == [30, 10]  # all that class 1 has


def test_per_class_validates_on_what_it_tests_on():
    """Both are drawn alike from what training leaves: over many splits each class has the same share of both."""
    labels = np.repeat([0, 1, 2, 3], [33, 18, 101, 30])
    found = splits(labels, "per-class", count=200)
    shares = [
        np.mean([np.bincount(labels[part], minlength=4) / len(part) for part in parts], axis=0)
        for parts in zip(*found, strict=True)
    ]
    left = np.bincount(labels, minlength=4) - np.bincount(labels[found[0].train], minlength=4)
    for share in shares[1:]:
        assert np.allclose(share, left / left.sum(), atol=0.015)


def test_the_seed_and_the_number_decide():
    first, again, other = (splits(range(50), "random", count=4, seed=seed) for seed in (1, 1, 2))
    assert all(np.array_equal(a.train, b.train) for a, b in zip(first, again, strict=True))
    assert not np.array_equal(first[0].train, other[0].train)
    assert not np.array_equal(first[0].train, first[1].train)
    longer = splits(range(50), "random", count=9, seed=1)
    assert np.array_equal(longer[3].test, first[3].test)


def test_published_splits_are_given_out_as_they_are():
    given_split = Split(np.array([0]), np.array([1]), np.array([2]))
    assert splits([0, 1, 2], "published", count=1, published=[given_split]) == [given_split]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"protocol": "best"}, f"unknown protocol 'best'; use one of {', '.join(PROTOCOLS)}"),
        (
            {"protocol": "published"},
            "no published splits of this data set here; set LVC_DATA .*, or use protocol random or per-class",
        ),
        ({"protocol": "random", "count": 0}, "the number of splits must be at least 1, got 0"),
    ],
)
def test_bad_arguments(arguments, sentence):
    with pytest.raises(LvcError, match=sentence):
        splits([0, 1], **arguments)


def test_statistics_of_splits_by_hand():
    labels = np.array([0, 0, 0, 1, 1, 2])
    parts = [([0, 1, 5], [2], [3, 4]), ([2, 3, 4], [5], [0, 1])]
    found = split_statistics("hand", "mine", labels, [Split(*map(np.array, part)) for part in parts])
    assert (found.train, found.validation, found.test) == (3, 1, 2)
    assert (found.classes, found.never_tested) == (3, 1)  # class 2 is never tested
    assert found.largest == 0.5  # each class is all of one test part and nothing of the other
    assert splits_table([found]).splitlines()[1].split() == ["hand", "mine", "3", "1", "2", "3", "1", "50.0"]


def test_per_class_leaves_classes_out_of_the_test_part(real_data):
    """What docs/results.md says of the two protocols."""
    rows = {(row.name, row.protocol): row for row in describe_splits(["CiteSeer", "Texas", "Minesweeper"])}
    untested = {name: rows[name, "per-class"].never_tested for name in ("CiteSeer", "Texas", "Minesweeper")}
    assert untested == {"CiteSeer": 1, "Texas": 2, "Minesweeper": 1}
    assert all(rows[name, "random"].never_tested == 0 for name in untested)
    assert rows["Minesweeper", "per-class"].largest == 1


@pytest.mark.parametrize(
    ("labels", "protocol"),
    [
        ([], "random"),
        ([], "per-class"),
        ([0, 1], "random"),
        ([0, 1, 0, 1, 0], "per-class"),
        ([0, 1, 2, 3], "per-class"),
    ],
)
def test_too_few_vertices_are_refused(labels, protocol):
    with pytest.raises(
        LvcError, match=f"{len(labels)} vertices are too few for protocol {protocol}: a part stays empty"
    ):
        splits(labels, protocol, count=1)

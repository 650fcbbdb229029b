"""Colours read by a vocabulary are those of one joint refinement."""

from __future__ import annotations

import pickle
from itertools import islice

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lvc.colouring import vocabulary as module
from lvc.colouring.colour import partition
from lvc.colouring.refinement import refinement
from lvc.colouring.vocabulary import learn
from lvc.errors import LvcError, TooLargeError
from lvc.graph import Graph, as_graph
from lvc.search.kinds import WL
from lvc.search.parsing import parse_search
from strategies import graphs, graphs_and_permutations, labelled_graphs

PLAIN = ["wl", "bfs:1", "bfs:2", "dfs:1", "levels:2", "bfs:2+dfs:1", "bfs:inf+levels:1"]
NESTED = ["nest:inf(wl)", "pick:inf(wl)", "nest:1(bfs:2)", "pick:inf(pick:inf(wl))", "pick:inf(bfs:1)+dfs:1"]
# A long path takes more rounds than any small graph; with a cycle, one more: the middle of the path looks like a cycle.
LONG = [as_graph(nx.path_graph(14)), as_graph(nx.cycle_graph(3))]


def labelled(given: tuple[nx.Graph, dict[int, int]]) -> Graph:
    graph, labels = given
    return as_graph(graph).with_labels([labels[v] for v in range(len(graph))])


def joint_rounds(every: list[Graph], search: str, rounds: int) -> list[np.ndarray]:
    made = list(islice(refinement(every, parse_search(search)), rounds + 1))
    return made + [made[-1]] * (rounds + 1 - len(made))  # a stable partition stays as it is


def check_against_a_joint_refinement(learnt: list[Graph], other: list[Graph], search: str, rounds: int) -> None:
    vocabulary, colours = learn(learnt, parse_search(search), rounds)
    read = vocabulary.read(learnt + other)
    ends = sum(graph.n for graph in learnt)
    assert len(read) == len(colours) == len(vocabulary.sizes) == rounds + 1
    for mine, before, joint, size in zip(
        read, colours, joint_rounds(learnt + other, search, rounds), vocabulary.sizes, strict=True
    ):
        assert np.array_equal(mine[:ends], before)
        assert partition(mine) == partition(joint)
        assert np.array_equal(mine[ends:] < size, np.isin(joint[ends:], joint[:ends]))


@pytest.mark.parametrize("search", PLAIN)
@given(
    learnt=st.lists(labelled_graphs(6), min_size=1, max_size=3),
    other=st.lists(labelled_graphs(7), min_size=1, max_size=2),
    rounds=st.integers(0, 4),
)
def test_reading_is_a_joint_refinement(search, learnt, other, rounds):
    check_against_a_joint_refinement([labelled(g) for g in learnt], [labelled(g) for g in other], search, rounds)


@pytest.mark.parametrize("search", NESTED)
@given(learnt=st.lists(graphs(6), max_size=2), other=st.lists(graphs(7), min_size=1, max_size=2))
def test_reading_a_nest_is_a_joint_refinement_if_learning_took_rounds_enough(search, learnt, other):
    check_against_a_joint_refinement([*LONG, *map(as_graph, learnt)], list(map(as_graph, other)), search, 3)


@pytest.mark.parametrize("search", [*PLAIN, *NESTED])
@given(given_=graphs_and_permutations(6), other=graphs(7), rounds=st.sampled_from([0, 2, None]))
def test_numbering_and_company_do_not_matter(search, given_, other, rounds):
    graph, order = as_graph(given_[0]), given_[1]
    vocabulary, colours = learn([graph], parse_search(search), rounds)
    together = vocabulary.read([as_graph(other), graph.relabelled(order)])
    alone = vocabulary.read([as_graph(other)])
    for learnt, mine, single, size in zip(colours, together, alone, vocabulary.sizes, strict=True):
        assert np.array_equal(mine[len(other) :][order], learnt)
        assert np.array_equal(np.minimum(mine[: len(other)], size), np.minimum(single, size))


def test_how_many_rounds_there_are():
    path = as_graph(nx.path_graph(5))  # stable in round 2
    assert learn([path], WL(), None)[0].sizes == (1, 2, 3)
    assert learn([path], WL(), 1)[0].sizes == (1, 2)
    assert learn([path], WL(), 4)[0].sizes == (1, 2, 3, 3, 3)


def test_rounds_inside_a_nest_are_as_many_as_in_learning():
    clique, star = as_graph(nx.complete_graph(4)), as_graph(nx.star_graph(3))
    nest = parse_search("nest:1(wl)")
    # Three neighbours, joined or not: all have one colour until a round is made, and the clique alone needs none.
    assert learn([clique], nest, 1)[0].read([star])[0].tolist() == [0, 1, 1, 1]
    assert learn([clique, LONG[0]], nest, 1)[0].read([star])[0].tolist() != [0, 1, 1, 1]


def test_rounds_that_refine_nothing_learnt_still_tell_what_is_new():
    cycle, path = as_graph(nx.cycle_graph(9)), as_graph(nx.path_graph(9))
    read = learn([cycle], WL(), 3)[0].read([path])
    assert [(colour == 0).sum() for colour in read] == [9, 7, 5, 3]  # the ends are seen one step further each round


def test_a_vocabulary_pickles_and_keeps_nothing_behind_its_last_round():
    graphs = [as_graph(nx.path_graph(5)), as_graph(nx.star_graph(3))]
    vocabulary, _ = learn(graphs, parse_search("bfs:2+dfs:1"), None)
    again = pickle.loads(pickle.dumps(vocabulary))
    for first, second in zip(vocabulary.read(graphs), again.read(graphs), strict=True):
        assert np.array_equal(first, second)
    assert len(vocabulary.tables) == 2 * 3 * (len(vocabulary.sizes) - 1)  # searches, tables of each, rounds


@pytest.mark.parametrize(("learnt", "read"), [(True, False), (False, True)])
def test_labels_must_be_given_to_all_or_to_none(learnt, read):
    plain, labelled = as_graph("Bw"), as_graph("Bw").with_labels([1, 1, 2])
    vocabulary, _ = learn([labelled if learnt else plain], WL(), 1)
    with pytest.raises(LvcError, match="give labels to all or to none"):
        vocabulary.read([labelled if read else plain])


@pytest.mark.parametrize("search", ["fwl2", "nest:1(fwl2)"])
def test_fwl2_is_refused(search):
    with pytest.raises(LvcError, match="has no vocabulary"):
        learn([as_graph("Bw")], parse_search(search), 1)


def test_too_many_colours_are_refused(monkeypatch):
    monkeypatch.setattr(module, "HALF", 3)
    with pytest.raises(TooLargeError, match="at most 3"):
        learn([as_graph(nx.path_graph(7))], parse_search("bfs:2"), 3)

"""Graphs searched as one are each given what a search of it alone gives, and networks do not see the difference."""

from __future__ import annotations

import copy
import gc
import pickle
import weakref
from typing import Any

import networkx as nx
import numpy as np
import pytest
import torch
from hypothesis import given
from torch_geometric.data import Batch, Data, HeteroData, InMemoryDataset
from torch_geometric.loader import DataLoader

from families import FAMILIES, data_of
from lvc.errors import LvcError, TooLargeError
from lvc.nn import SGN, AddSearch, Collated, transform
from lvc.nn.operators import Blocks, Operator, Paths, whole
from lvc.nn.operators.whole import Whole, gathered, in_handfuls
from lvc.nn.transform import key_of
from lvc.search.parsing import parse_search
from strategies import graphs as some_graph

SEARCHES = ["bfs:1", "bfs:2", "bfs:3", "bfs:12", "dfs:1", "dfs:2", "dfs:12", "bfs:2+dfs:1", "dfs:1+dfs:3"]


def shapes() -> list[nx.Graph]:
    return [*FAMILIES.values(), nx.empty_graph(0), nx.star_graph(40), nx.empty_graph(1), nx.path_graph(25)]


def family() -> list[Data]:
    return [data_of(shape, seed=number) for number, shape in enumerate(shapes())]


def assert_the_same(found: list[Data], expected: list[Data], search: str) -> None:
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        assert list(one.keys()) == list(other.keys())
        for part in parse_search(search).parts:
            assert_same_operator(one[key_of(part)], other[key_of(part)])


def assert_same_operator(one: Operator, other: Operator) -> None:
    assert type(one) is type(other)
    assert (one.search, one.radius, one.sizes) == (other.search, other.radius, other.sizes)
    assert list(one.tensors) == list(other.tensors)
    for name, tensor in one.tensors.items():
        assert tensor.dtype == other.tensors[name].dtype, name
        assert torch.equal(tensor, other.tensors[name]), name


def pieces(found: list[Data], search: str) -> bool:
    """Whether all were searched together."""
    return all(data[key_of(part)].piece_of is not None for data in found for part in parse_search(search).parts)


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("portion", [1, 60, transform.PORTION])  # alone, a few, all at once
def test_each_graph_is_given_what_it_is_given_alone(search, portion, monkeypatch):
    monkeypatch.setattr(transform, "PORTION", portion)
    given = family()
    found = AddSearch(search).each(given)
    assert pieces(found, search)
    assert_the_same(found, [AddSearch(search)(data) for data in family()], search)
    assert not any(key.startswith("search") for data in given for key in data.keys())  # noqa: SIM118


@given(some_graph(), some_graph(), some_graph())
def test_any_graphs(one, two, three):
    given = [data_of(graph) for graph in (one, two, three)]
    for search in ("bfs:3", "dfs:2"):
        found = AddSearch(search).each(given)
        assert pieces(found, search)
        assert_the_same(found, [AddSearch(search)(data) for data in given], search)


def test_the_graphs_before_and_after_one_whose_numbers_need_64_bits():
    wide = nx.Graph([(40 * level + u, 40 * level + 40 + v) for level in range(7) for u in range(40) for v in range(40)])
    given = [data_of(shape) for shape in (nx.cycle_graph(9), wide, nx.cycle_graph(8))]
    found = AddSearch("bfs:7").each(given)
    types = [{tensor.dtype for tensor in data.search_bfs_7.tensors.values()} for data in found]
    assert types == [{torch.int32}, {torch.int32, torch.int64}, {torch.int32}]
    assert_the_same(found, [AddSearch("bfs:7")(data) for data in given], "bfs:7")


@pytest.mark.parametrize("scale", ["sum", "mean", "sym"])
@pytest.mark.parametrize("search", ["bfs:2", "bfs:3", "dfs:1+dfs:2", "bfs:2+dfs:1"])
@pytest.mark.parametrize("handful", [1, 60, whole.HANDFUL])
def test_a_network_computes_the_same_to_the_last_bit(search, scale, handful, monkeypatch):
    monkeypatch.setattr(whole, "HANDFUL", handful)
    monkeypatch.setattr(transform, "PORTION", 10 * handful)
    alone = [AddSearch(search)(data) for data in family()]
    together = AddSearch(search).each(family())
    torch.manual_seed(0)
    model = SGN(3, 4, 3, 2, search=search, readout="sum", scale=scale).double()
    some = [0, 3, 11, 13]
    ways = [
        ([Collated(graphs).batch(some), Collated(graphs).batch(some[::-1])], graphs) for graphs in (alone, together)
    ]
    found = []
    for batches, graphs in ways:
        chosen = [graphs[i] for i in some]
        for batch in (*batches, Collated(chosen[::-1]).batch([1, 2]), Batch.from_data_list(chosen), *chosen):
            model.zero_grad()
            model(batch).sum().backward()
            found.append([model(batch), *[one.grad.clone() for one in model.parameters() if one.grad is not None]])
    half = len(found) // 2
    for one, other in zip(found[:half], found[half:], strict=True):
        assert len(one) > 5
        assert all(torch.equal(a, b) for a, b in zip(one, other, strict=True))


def test_whole_and_in_order_or_not_at_all(monkeypatch):
    monkeypatch.setattr(transform, "PORTION", 300)
    found = [data.search_dfs_2 for data in AddSearch("dfs:2").each(family())]
    wholes = list(gathered(found))
    assert len(wholes) > 1
    assert all(isinstance(one, Whole) for one in wholes)
    assert sum(len(one) for one in wholes if isinstance(one, Whole)) == len(found)
    alone = AddSearch("dfs:2")(family()[0]).search_dfs_2
    assert list(gathered(found * 2)) == wholes * 2
    first = len(wholes[0]) if isinstance(wholes[0], Whole) else 0
    assert list(gathered(found[1:])) == [*found[1:first], *wholes[1:]]
    assert list(gathered([*found, alone])) == [*wholes, alone]
    assert list(gathered([found[0], *found])) == [found[0], *wholes]
    for other in (found[:2], found[::-1], [found[0], found[0]]):
        assert list(gathered(other)) == other


def test_matrices_are_made_of_what_was_searched_together(monkeypatch):
    """No graph is cut out where all of them are taken."""
    found = AddSearch("bfs:2+dfs:2").each(family())
    collated = Collated(found)
    SGN(3, 4, 3, 2, search="bfs:2+dfs:2", readout="sum").double()(collated.batch([0, 2, 5]))
    assert all(data[key]._tensors is None for data in found for key in ("search_bfs_2", "search_dfs_2"))


def test_carried_about():
    search = "bfs:2+dfs:1"
    found, expected = AddSearch(search).each(family()), [AddSearch(search)(data) for data in family()]
    again = pickle.loads(pickle.dumps(found[3]))
    assert again.search_bfs_2.piece_of is None
    assert len(pickle.dumps(found[3].search_bfs_2)) < 1.1 * len(pickle.dumps(expected[3].search_bfs_2))
    assert_the_same([again, found[5].clone(), found[2].to("cpu")], [expected[i] for i in (3, 5, 2)], search)
    torch.manual_seed(0)
    model = SGN(3, 4, 3, 2, search=search, readout="sum").double()
    batches = [DataLoader(graphs, batch_size=4, num_workers=2) for graphs in (found, expected)]
    for one, other in zip(*batches, strict=True):
        assert torch.equal(model(one), model(other))


@pytest.mark.parametrize("search", ["levels:2", "dfs:1+levels:1"])
def test_other_searches_go_one_by_one(search):
    found = AddSearch(search).each(family())
    assert_the_same(found, [AddSearch(search)(data) for data in family()], search)
    assert not any(data[key_of(part)].piece_of for data in found for part in parse_search(search).parts)


def test_edges_that_are_not_kept_as_usual():
    given = family()
    given[3].edge_index = given[3].edge_index.int()
    assert_the_same(AddSearch("bfs:2").each(given), [AddSearch("bfs:2")(data) for data in given], "bfs:2")


def test_what_fits_only_one_by_one_is_searched_one_by_one(monkeypatch):
    expected = [AddSearch("bfs:2")(data) for data in family()]
    largest = max(
        transform.at_most(transform.Graph.from_pyg(data), parse_search("bfs:2").parts[0]) for data in family()
    )
    monkeypatch.setattr(transform, "available_memory", lambda: largest)
    found = AddSearch("bfs:2").each(family())
    assert not pieces(found, "bfs:2")
    assert_the_same(found, expected, "bfs:2")


def without_a_way_back(data: Data) -> Data:
    return Data(x=data.x, edge_index=data.edge_index[:, :-1])


BAD = {
    "directed": without_a_way_back,
    "self-loop": lambda data: Data(x=data.x, edge_index=torch.cat([data.edge_index, torch.zeros(2, 1).long()], dim=1)),
    "out of range": lambda data: Data(x=data.x[:3], edge_index=data.edge_index),
    "below zero": lambda data: Data(x=data.x, edge_index=data.edge_index - 1),
    "no graph": lambda data: HeteroData(),
    "no edges said": lambda data: Data(x=data.x),
    "fractions": lambda data: Data(x=data.x, edge_index=data.edge_index + 0.5),
    "three rows": lambda data: Data(x=data.x, edge_index=torch.zeros(3, 1).long()),
    "truth values": lambda data: Data(x=data.x, edge_index=data.edge_index.bool()),
    "fewer than no vertices": lambda data: Data(edge_index=torch.zeros(2, 0).long(), num_nodes=-1),
    "a fraction of a vertex": lambda data: Data(edge_index=torch.zeros(2, 0).long(), num_nodes=3.7),
    "vertices counted in floats": lambda data: Data(edge_index=torch.zeros(2, 0).long(), num_nodes=3.0),
    "sparse edges": lambda data: Data(x=data.x, edge_index=data.edge_index.to_sparse()),
}


@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize("where", [0, 4, 8])
def test_a_bad_graph_is_refused_with_the_sentence_it_is_refused_with_alone(bad, where):
    given: list[Any] = [data_of(FAMILIES["barbell"], seed=seed) for seed in range(9)]
    given[where] = BAD[bad](given[where])
    with pytest.raises(LvcError) as alone:
        AddSearch("bfs:2")(given[where])
    with pytest.raises(LvcError) as together:
        AddSearch("bfs:2").each(given)
    assert str(together.value) == str(alone.value)


def test_every_graph_is_reported_in_order(monkeypatch):
    for portion in (1, 60, transform.PORTION):
        monkeypatch.setattr(transform, "PORTION", portion)
        reported: list[Data] = []
        found = AddSearch("dfs:1").each(family(), reported.append)
        assert len(reported) == len(found)
        assert all(one is other for one, other in zip(reported, found, strict=True))


def test_no_graphs_and_one():
    assert AddSearch("bfs:2").each([]) == []
    (found,) = AddSearch("bfs:2+dfs:1").each(family()[:1])
    assert_the_same([found], [AddSearch("bfs:2+dfs:1")(family()[0])], "bfs:2+dfs:1")


def test_what_is_cheap_is_told_of_each_graph():
    given = [data_of(g) for g in (nx.path_graph(9), nx.star_graph(300), nx.empty_graph(2), nx.petersen_graph())]
    found = [data.search_bfs_4 for data in AddSearch("bfs:4").each(given)]
    alone = [AddSearch("bfs:4")(data).search_bfs_4 for data in given]
    for k in (2, 3, 4):
        assert [one.is_cheap(k) for one in found] == [one.is_cheap(k) for one in alone]
    assert not found[1].is_cheap(2)
    assert found[0].is_cheap(2)


@pytest.mark.parametrize("kind", [Paths, Blocks])
def test_where_each_graph_begins(kind):
    """The bounds of united operators are where the operators of each end."""
    search = "bfs:3" if kind is Paths else "dfs:3"
    alone = [AddSearch(search)(data)[key_of(parse_search(search).parts[0])] for data in family()]
    together, start = Operator.united(alone)
    found, rows = together.bounds(start["vertices"])
    assert {name: begins.tolist() for name, begins in found.items()} == {n: b.tolist() for n, b in start.items()}
    for name in together.tensors:
        lengths = [len(one.tensors[name]) for one in alone]
        assert np.diff(rows[name]).tolist() == lengths, name


class Redrawn(InMemoryDataset):
    """Petersen's graph, but another one every time it is asked for."""

    def __init__(self) -> None:
        super().__init__(None, transform=self.redraw)
        self.asked = 0
        self._data, self.slices = self.collate([data_of(nx.petersen_graph())] * 4)

    def redraw(self, data: Data) -> Data:
        self.asked += 1
        return data_of(nx.random_regular_graph(3, 10, seed=self.asked))


def test_a_data_set_that_draws_its_graphs_is_asked_once():
    given = Redrawn()
    found = AddSearch("dfs:1").each(given)
    assert given.asked == 4
    assert_the_same(found, [AddSearch("dfs:1")(data) for data in found], "dfs:1")


def test_whatever_gives_graphs():
    given = family()
    expected = AddSearch("dfs:1").each(given)
    assert_the_same(AddSearch("dfs:1").each(iter(given)), expected, "dfs:1")
    some: Any = torch.utils.data.Subset(Redrawn(), [2, 0])
    assert len(AddSearch("dfs:1").each(some)) == 2
    with pytest.raises(LvcError, match="each takes a list of graphs; give one graph to the transform itself"):
        AddSearch("dfs:1").each(given[0])
    for nothing in (None, 3):
        with pytest.raises(LvcError, match=r"each takes a list of graphs, got (NoneType|int)"):
            AddSearch("dfs:1").each(nothing)  # type: ignore[arg-type]


def test_a_search_of_all_that_turns_out_too_large_is_done_one_by_one(monkeypatch):
    def refuse(graph: Any, part: Any) -> Operator:
        if graph.n > 50:
            raise TooLargeError("more threads than memory")
        return operator_for(graph, part)

    operator_for = transform.operator_for
    monkeypatch.setattr(transform, "operator_for", refuse)
    found = AddSearch("bfs:2").each(family())
    assert not pieces(found, "bfs:2")
    assert_the_same(found, [AddSearch("bfs:2")(data) for data in family()], "bfs:2")


def test_one_part_that_does_not_fit_together_is_enough(monkeypatch):
    given = [data_of(nx.cycle_graph(n)) for n in (5, 6, 7)]
    united = transform._side_by_side(given)
    assert united is not None
    pairs = int((np.diff(united[1]) ** 2).sum())
    needed = [transform.at_most(united[0], part, pairs) for part in parse_search("bfs:2+dfs:1").parts]
    assert needed[0] != needed[1]
    monkeypatch.setattr(transform, "available_memory", lambda: sum(needed) // 2)
    assert AddSearch("bfs:2+dfs:1")._together(given) is None


def test_every_portion_but_the_last_is_full(monkeypatch):
    monkeypatch.setattr(transform, "PORTION", 20)
    given = [data_of(nx.path_graph(4)) for _ in range(5)]  # 12 numbers each
    assert [len(some) for some in transform._portions(given)] == [2, 2, 1]


def test_pieces_of_two_wholes_in_turn_are_no_whole():
    turns = [nx.path_graph(4), nx.cycle_graph(4)]
    one, other = (AddSearch("dfs:1").each([data_of(g) for g in gs]) for gs in (turns, turns[::-1]))
    mixed = [one[0].search_dfs_1, other[1].search_dfs_1]
    assert list(gathered(mixed)) == mixed


def test_what_was_looked_at_is_held_once():
    found = AddSearch("dfs:2").each(family())
    together = weakref.ref(found[0].search_dfs_2.piece_of[0])
    pickle.dumps(found)
    assert all(data.search_dfs_2._tensors is None for data in found)  # cut for the pickle only
    for data in found[1:]:
        assert data.search_dfs_2.tensors
    assert together() is not None
    assert found[0].search_dfs_2.tensors
    gc.collect()
    assert together() is None


def test_a_whole_that_is_too_large_and_single_graphs_cost_the_others_nothing(monkeypatch):
    given = family()
    found = AddSearch("dfs:2").each(given)
    alone = AddSearch("dfs:2")(data_of(nx.complete_graph(9)))
    (single,) = AddSearch("dfs:2").each([data_of(nx.complete_graph(15))])
    pieces = [data.search_dfs_2 for data in found]
    together = pieces[0].piece_of
    assert together is not None
    assert next(in_handfuls([*pieces, alone.search_dfs_2])) is together[0]
    monkeypatch.setattr(whole, "HANDFUL", 100)
    handfuls = list(in_handfuls([*pieces, single.search_dfs_2]))
    assert len(handfuls) > 2
    assert all(one is not together[0] for one in handfuls)
    assert sum(map(len, handfuls)) == len(found) + 1
    assert single.search_dfs_2.piece_of is not None
    assert handfuls[-1] is single.search_dfs_2.piece_of[0]  # one graph is no larger as a whole
    assert all(one._tensors is None for one in pieces)
    assert together[0].longest() > 200
    assert sum(together[0].longest(number) for number in range(len(given))) >= together[0].longest()


def test_a_piece_that_goes_elsewhere_goes_alone(monkeypatch):
    moved = []
    to = torch.Tensor.to

    def counted(self: torch.Tensor, *args: Any, **options: Any) -> torch.Tensor:
        moved.append(self.numel())
        return to(self, *args, **options)

    found = [data.search_dfs_2 for data in AddSearch("dfs:2").each(family())]
    expected = sum(tensor.numel() for one in found for tensor in one.looked_up().values())
    monkeypatch.setattr(torch.Tensor, "to", counted)
    sent = [one.to("meta") for one in found]
    assert sum(moved) == expected
    assert all(tensor.is_meta for one in sent for tensor in one.tensors.values())
    moved.clear()
    assert all(one.to("meta") is one for one in sent)
    assert sum(moved) == 0


def test_what_is_searched_together_keeps_no_matrices():
    found = AddSearch("bfs:2").each([data_of(nx.path_graph(n)) for n in (3, 4)])
    held, _ = found[0].search_bfs_2.piece_of
    SGN(3, 4, 2, 2, search="bfs:2", readout="sum").double()(Collated(found).batch([0, 1]))
    assert not held.operator._made


def test_what_stays_where_it_is_is_not_cut_out():
    found = AddSearch("bfs:2").each(family())
    Collated(found).batch([0, 2]).to("cpu")
    assert all(data.search_bfs_2._tensors is None for data in found)


@pytest.mark.parametrize("search", ["bfs:2", "dfs:2", "levels:1"])
@pytest.mark.parametrize("collated", [True, False])
def test_a_network_of_another_precision_gets_matrices_of_its_own(search, collated):
    data = AddSearch(search)(data_of(nx.petersen_graph()))
    held, model = Collated([data]), SGN(3, 4, 2, 2, search=search).double()
    for dtype in (torch.float64, torch.float32):
        batch = held.batch([0]) if collated else copy.copy(data)
        batch.x = batch.x.to(dtype)
        assert model.to(dtype)(batch).dtype == dtype


def test_a_batch_of_no_graphs_can_be_pickled():
    batch = pickle.loads(pickle.dumps(Collated(AddSearch("bfs:2+dfs:1").each(family())).batch([])))
    assert batch.search_bfs_2.vertices == batch.num_nodes == 0


def test_a_whole_is_recognised_when_some_of_it_was_looked_at(monkeypatch):
    found = [data.search_dfs_2 for data in AddSearch("dfs:2").each(family())]
    (together,) = gathered(found)
    assert found[3].tensors
    assert found[3].piece_of == (together, 3)
    assert list(gathered(found)) == [together]
    Collated(AddSearch("dfs:2").each(family())).batch([])
    graphs = AddSearch("dfs:2").each(family())
    pickle.dumps(Collated(graphs).batch([0, 1]))
    graphs[0].clone()
    Collated(graphs).batch([])
    assert all(data.search_dfs_2._tensors is None for data in graphs)  # cut for the occasion
    monkeypatch.setattr(whole, "HANDFUL", 100)
    assert list(in_handfuls([data.search_dfs_2 for data in graphs[1:]]))
    assert all(data.search_dfs_2._tensors is None for data in graphs)

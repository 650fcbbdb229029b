import subprocess
import sys

import pytest

from lvc import LvcError
from lvc.search import threads


@pytest.fixture(autouse=True)
def default_threads():
    yield
    threads.set_num_threads(None)


def test_every_item_is_in_one_chunk(monkeypatch):
    monkeypatch.setattr(threads, "WORTH_A_THREAD", 1)
    for count in (1, 2, 5):
        threads.set_num_threads(count)
        made = threads.in_chunks(lambda chunk, chunks, items: list(range(chunk, items, chunks)), 100, 11)
        assert len(made) == count
        assert sorted(item for part in made for item in part) == list(range(11))


def test_little_work_stays_on_one_thread():
    threads.set_num_threads(8)
    assert threads.in_chunks(lambda chunk, chunks: chunks, threads.WORTH_A_THREAD) == [1]
    assert len(threads.in_chunks(lambda chunk, chunks: chunks, 3 * threads.WORTH_A_THREAD)) == 3


def test_the_number_of_threads(monkeypatch):
    monkeypatch.setenv("LVC_THREADS", "3")
    assert threads.num_threads() == 3
    threads.set_num_threads(2)
    assert threads.num_threads() == 2
    threads.set_num_threads(None)
    monkeypatch.setenv("LVC_THREADS", "none")
    with pytest.raises(LvcError, match="LVC_THREADS must be a whole number, 1 or more, got 'none'"):
        threads.num_threads()
    with pytest.raises(LvcError, match="the number of threads must be at least 1, got 0"):
        threads.set_num_threads(0)


def test_searching_leaves_the_threads_of_torch_alone():
    pytest.importorskip("torch")
    code = """
import torch, networkx, lvc
torch.set_num_threads(1)
graph = networkx.gnm_random_graph(3000, 9000, seed=0)
lvc.colour(graph, "bfs:2"), lvc.colour(graph, "dfs:2", exact=False)
assert torch.get_num_threads() == 1
"""
    subprocess.run([sys.executable, "-c", code], check=True)

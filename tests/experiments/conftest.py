"""A small data set on which structure is all there is to learn."""

from types import ModuleType
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("torch_geometric")

from torch_geometric.data import Data  # noqa: E402

from lvc import Graph  # noqa: E402
from lvc.data import VertexData  # noqa: E402
from lvc.experiments import vertex  # noqa: E402
from lvc.experiments.runs import threads_of_torch  # noqa: E402


@pytest.fixture
def rings(monkeypatch) -> VertexData:
    """Rings of three and of six vertices: labels are the ring's length, features say nothing and are mostly zeros."""
    edges, labels, n = [], [], 0
    for k in range(30):
        size = 3 if k % 2 else 6
        edges += [(n + i, n + (i + 1) % size) for i in range(size)]
        labels += [k % 2] * size
        n += size
    graph = Graph.from_edges(n, edges)
    both = np.concatenate([graph.edges(), graph.edges()[:, ::-1]]).T
    x = torch.zeros(n, 2000)
    x[:, :2] = 1
    data = Data(x=x, y=torch.tensor(labels), edge_index=torch.from_numpy(both.copy()))
    found = VertexData("rings", data, graph, (), ())
    monkeypatch.setattr(vertex, "load", lambda name: found)
    return found


@pytest.fixture
def count_fits(monkeypatch):
    """A list of the splits that a task is trained on from now on, one for each training."""

    def counted(task: ModuleType) -> list[int]:
        fits, real = [], task.fit_split

        def fit_split(*arguments: Any) -> Any:
            fits.append(arguments[2])
            return real(*arguments)

        monkeypatch.setattr(task, "fit_split", fit_split)
        return fits

    return counted


@pytest.fixture(autouse=True)
def one_thread():
    """Small matrices: more threads would wait for each other."""
    with threads_of_torch(1):
        yield

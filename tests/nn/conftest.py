"""Nothing here runs without torch; and lvc.nn comes first, for it silences what torch_geometric warns of on import."""

import importlib.util

import pytest

collect_ignore_glob = []
if importlib.util.find_spec("torch") is None or importlib.util.find_spec("torch_geometric") is None:
    collect_ignore_glob = ["test_*.py"]
else:
    import lvc.nn  # noqa: F401


@pytest.fixture(autouse=True)
def one_thread():
    """Small matrices: more threads would wait for each other."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)

"""Shared by all tests: seeds, the real data, and what is left out when nothing is compiled."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings
from numba import config

settings.register_profile("compiled", deadline=None, max_examples=60, derandomize=True)
settings.register_profile("uncompiled", deadline=None, max_examples=15, derandomize=True)
settings.load_profile("uncompiled" if config.DISABLE_JIT else "compiled")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if config.DISABLE_JIT and item.get_closest_marker("compiled"):
            item.add_marker(pytest.mark.skip(reason="too large to run uncompiled (NUMBA_DISABLE_JIT is set)"))


@pytest.fixture(scope="session")
def real_data() -> Path:
    """The folder of real data, from the environment variable LVC_DATA."""
    folder = os.environ.get("LVC_DATA")
    if not folder or not Path(folder).is_dir():
        pytest.skip("needs the real data: set LVC_DATA to its folder")
    return Path(folder)

from __future__ import annotations

from collections.abc import Iterator
from urllib.error import URLError

import pytest


@pytest.fixture
def no_download(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Whoever tries to download is found out."""
    tried = []

    def fail(*_: object, **__: object) -> None:
        tried.append("once")
        raise URLError("no network")

    monkeypatch.setattr("urllib.request.urlopen", fail)
    monkeypatch.setattr("torch_geometric.io.fs.cp", fail)
    yield
    assert not tried

"""Every example in a docstring runs."""

import doctest
import importlib
from pathlib import Path

import pytest

import lvc

SOURCE = Path(lvc.__file__).parent
MODULES = sorted(
    ".".join(("lvc", *file.relative_to(SOURCE).with_suffix("").parts)).removesuffix(".__init__")
    for file in SOURCE.rglob("*.py")
    if file.name != "__main__.py"
)


@pytest.mark.parametrize("name", MODULES)
def test_examples(name):
    if name.startswith("lvc.nn"):
        pytest.importorskip("torch")
        pytest.importorskip("torch_geometric")
    if name == "lvc.sklearn":
        pytest.importorskip("sklearn")
    module = importlib.import_module(name)
    result = doctest.testmod(module, optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    assert result.failed == 0

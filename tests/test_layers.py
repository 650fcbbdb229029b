"""The shape of the code: imports point one way, and what is light stays light."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import lvc

SOURCE = Path(lvc.__file__).parent
LAYERS = [
    ["errors", "files", "memory", "processes", "provenance", "text", "timing"],
    ["graph6", "formats", "edges", "convert", "graph"],
    ["search"],
    ["colouring"],
    ["sklearn", "isomorphism"],
    ["nn"],
    ["data"],
    ["expressivity"],
    ["experiments"],
    ["viz"],
    ["demo"],
    ["cli"],
]
RANK = {name: rank for rank, names in enumerate(LAYERS) for name in names}


def imports_of(file: Path) -> set[str]:
    """The parts of lvc that a file imports, wherever in the file."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "lvc":
            whole = node.module.split(".")
            found |= {whole[1]} if len(whole) > 1 else {alias.name for alias in node.names}
        elif isinstance(node, ast.Import):
            found |= {alias.name.split(".")[1] for alias in node.names if alias.name.startswith("lvc.")}
    return found


def test_imports_point_one_way():
    for file in SOURCE.rglob("*.py"):
        part = file.relative_to(SOURCE).parts[0].removesuffix(".py")
        if part == "__init__":
            continue
        assert part in RANK, f"{part} has no place in the layers"
        for other in imports_of(file) - {"__version__"}:
            assert other in RANK, f"{file} imports {other} from the top of lvc; import it from its own file"
            assert RANK[other] <= RANK[part], f"{file}: {part} may not import {other}"


def test_the_test_sees_imports():
    assert imports_of(SOURCE / "colouring" / "colour.py") >= {"graph", "search", "colouring", "errors"}


def loaded_after(statement: str) -> set[str]:
    code = f"import sys\n{statement}\nprint(*sys.modules)"
    return set(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split())


def test_lvc_does_not_load_torch_and_its_names_load_nothing_heavy():
    heavy = {"torch", "torch_geometric", "numba", "networkx", "scipy", "sklearn", "matplotlib"}
    assert not heavy & loaded_after("import lvc")
    everything = "import lvc\nfor name in lvc.__all__: getattr(lvc, name)"
    assert not {"torch", "torch_geometric", "sklearn", "matplotlib"} & loaded_after(everything)


def test_histograms_do_not_load_torch():
    pytest.importorskip("sklearn")
    assert not {"torch", "torch_geometric"} & loaded_after("import lvc.sklearn")


def test_every_public_name_is_there_and_documented():
    for name in lvc.__all__:
        value = getattr(lvc, name)
        assert name.startswith("__") or value.__doc__, name
    assert set(lvc.__all__) <= set(dir(lvc))

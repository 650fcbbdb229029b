"""The examples of the README and of docs/ run, and what the README names is there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
EXAMPLES = [
    pytest.param(code, id=f"{page.name}-{number}")
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
    for number, code in enumerate(re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL))
]


@pytest.mark.parametrize("code", EXAMPLES)
def test_example(code):
    if "lvc.nn" in code:
        pytest.importorskip("torch")
        pytest.importorskip("torch_geometric")
    if "sklearn" in code:
        pytest.importorskip("sklearn")
    exec(compile(code, "example", "exec"), {})


def test_there_are_examples_and_files():
    assert "```python" in README
    for path in re.findall(r"\]\(((?:docs|benchmarks|examples|src)[^)#]*)\)", README):
        assert (ROOT / path).exists(), path
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"make ([a-z-]+)", README):
        assert f"\n{target}:" in makefile, target

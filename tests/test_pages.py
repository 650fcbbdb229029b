"""Pages in Markdown: their examples run, and what they name is there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = {
    str(page.relative_to(ROOT)): page.read_text(encoding="utf-8")
    for page in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md")))
}
RESULTS = ("docs/results.md", "docs/results-on-graphs.md")
BLOCK = re.compile(r"^```(?:python|\{code-cell\} python)\n(.*?)^```", re.DOTALL | re.MULTILINE)
CELL_OPTIONS = re.compile(r"\A(?:---\n.*?^---\n|(?::[^\n]*\n)+)", re.DOTALL | re.MULTILINE)


def examples(text: str) -> list[str]:
    """The Python of a page, block by block, without a notebook's options of cells."""
    return [CELL_OPTIONS.sub("", block) for block in BLOCK.findall(text)]


@pytest.mark.parametrize("page", [page for page, text in PAGES.items() if examples(text)])
def test_examples_run(page, tmp_path, monkeypatch):
    code = examples(PAGES[page])
    for word, package in (
        ("lvc.nn", "torch_geometric"),
        ("lvc.viz", "matplotlib"),
        ("IPython", "IPython"),
        ("lvc.sklearn", "sklearn"),
    ):
        if any(word in block for block in code):
            pytest.importorskip(package)
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for number, block in enumerate(code):
        exec(compile(block, f"{page}, example {number}", "exec"), names)


def test_examples_are_found():
    assert examples("```python\na\n```\n\n```{code-cell} python\n---\ntags: [x]\n---\nb\n```\n") == ["a\n", "b\n"]
    assert examples("```{code-cell} python\n:tags: [x]\n\nc = {1: 2}\n```\n") == ["\nc = {1: 2}\n"]
    for page in ("README.md", "docs/quickstart.md", "docs/concepts.md", "docs/tutorials/your-own-eta.md"):
        assert len(examples(PAGES[page])) > 1, page


@pytest.mark.parametrize("page", PAGES)
def test_links_and_paths_lead_somewhere(page):
    for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", PAGES[page]):
        assert (ROOT / page).parent.joinpath(link).exists(), link
    for path in re.findall(r"`((?:src|tests|docs|results|benchmarks|examples)/[\w./-]*)`", PAGES[page]):
        assert (ROOT / path).exists(), path


def test_make_can_do_what_pages_say():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for page in ("README.md", "CONTRIBUTING.md", "docs/quickstart.md", "docs/contributing.md", *RESULTS):
        targets = re.findall(r"(?:`|^ +)make ([a-z-]+)", PAGES[page], re.MULTILINE)
        assert targets, page
        for target in targets:
            assert f"\n{target}:" in makefile, f"{page}: make {target}"


def test_the_map_of_the_code_names_files():
    folder, named = "", []
    for line in PAGES["docs/contributing.md"].splitlines():
        heading = re.match(r"\*\*.*?`(src/[\w/]*/)`", line)
        folder = heading[1] if heading else folder if line.startswith("|") or not line else ""
        named += (
            [folder + name for name in re.findall(r"`([\w/]+(?:\.py|/))`", line.split("|")[1])] if "|" in line else []
        )
    assert len(named) > 40
    for path in named:
        assert (ROOT / path).exists(), path

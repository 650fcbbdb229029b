"""The documents build without a warning, without a network, and hold what they should. Notebooks run in test_pages."""

import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("myst_nb")
pytest.importorskip("furo")

DOCS = Path(__file__).parent.parent / "docs"


def build(source: Path, out: Path, *options: str) -> str:
    """What Sphinx says on standard error; nothing, if all is well."""
    command = [sys.executable, "-m", "sphinx", "-n", "-q", "-b", "html", *options, str(source), str(out)]
    environment = {**os.environ, "http_proxy": "http://localhost:1", "https_proxy": "http://localhost:1"}
    return subprocess.run(command, capture_output=True, text=True, env=environment).stderr


def test_the_documents(tmp_path):
    """One test, because the build takes long and processes that share the tests would each build."""
    pytest.importorskip("torch_geometric")
    pytest.importorskip("matplotlib")
    assert build(DOCS, tmp_path, "-D", "nb_execution_mode=off") == ""
    every_public_name_is_in_the_reference(tmp_path)
    names_of_other_projects_are_links(tmp_path)
    the_command_line_is_the_programs_own(tmp_path)


def every_public_name_is_in_the_reference(built: Path) -> None:
    from sphinx.util.inventory import InventoryFile

    found = InventoryFile.loads((built / "objects.inv").read_bytes(), uri="")
    known = {name for kind, entries in found.data.items() if kind.startswith("py:") for name in entries}
    for module in ("lvc", "lvc.nn", "lvc.data", "lvc.expressivity"):
        for name in importlib.import_module(module).__all__:
            assert name.startswith("__") or f"{module}.{name}" in known, name


def names_of_other_projects_are_links(built: Path) -> None:
    page = (built / "api" / "nn.html").read_text(encoding="utf-8")
    assert 'href="https://docs.pytorch.org/docs/stable/generated/torch.nn.Module.html#torch.nn.Module"' in page
    assert "torch_geometric.data.Batch.html#torch_geometric.data.Batch" in page


def the_command_line_is_the_programs_own(built: Path) -> None:
    from lvc.cli.graphs import compare

    page = (built / "command-line.html").read_text(encoding="utf-8")
    assert 'id="lvc-train-vertex"' in page
    assert compare.__doc__
    assert compare.__doc__.splitlines()[0][:40] in page


@pytest.mark.parametrize("address", ["", "https://host.example/files"])
def test_files_outside_the_documents(address, tmp_path):
    pages = tmp_path / "docs"
    pages.mkdir()
    (tmp_path / "folder").mkdir()
    (tmp_path / "file.py").touch()
    (tmp_path / "PAGE.md").touch()
    links = "[one](../folder) [two](../file.py) [three](../PAGE.md) [four](other.md)"
    (pages / "index.md").write_text(f"# Top\n\n{links}\n\n```{{toctree}}\nother\n```\n")
    (pages / "other.md").write_text("# Other\n")
    extensions = f"import sys\nsys.path.insert(0, {str(DOCS / 'extensions')!r})\n"
    setting = f"extensions = ['myst_parser', 'outside_links']\nrepository_files = {address!r}\n"
    (pages / "conf.py").write_text(extensions + setting)
    assert build(pages, tmp_path / "out") == ""
    page = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    assert 'href="other.html"' in page
    for path in ("folder", "file.py", "PAGE.md"):
        assert (f'href="https://host.example/files/{path}"' in page) == bool(address)
    assert "_downloads" not in page
    assert "one" in page
    (pages / "other.md").write_text("# Other\n\n[five](../nothing)\n")
    assert "nothing" in build(pages, tmp_path / "out")

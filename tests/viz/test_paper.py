import re
import subprocess
import sys

import pytest

from lvc import LvcError
from lvc.expressivity.named import uneven_barbell
from lvc.viz.paper import FIGURES, draw_first_round, draw_paper

pytest.importorskip("matplotlib")


def texts(svg: str) -> list[str]:
    """What is written in a figure."""
    return re.findall("<!-- (.*?) -->", svg)


def test_every_figure_of_the_paper(tmp_path):
    drawn = draw_paper(tmp_path, ".svg")
    assert [path.stem for path in drawn] == list(FIGURES)
    figure = {path.stem: texts(path.read_text()) for path in drawn}
    assert "DFS from vertex 0" in figure["1-searches"]
    assert "dfs:inf, round 1: 5 colours of vertices" in figure["4-dfc-first-round"]
    assert "bfs:3: told apart, second" in figure["5-circles"]
    assert "dfs:1: told apart, first" in figure["6-rook-shrikhande"]
    assert "bfs:inf: same colours, first" in figure["8-beyond-bfc"]
    assert "fwl2: told apart, second" in figure["8-beyond-bfc"]


def test_pair_colours_after_one_round(tmp_path):
    """From root 7 of the barbell, which has its vertex colour 4: its triangle, the bridges, and the block of four."""
    svg = draw_first_round(uneven_barbell(), "dfs:inf", (7,), tmp_path / "a.svg").read_text()
    tree = svg.partition("colours of vertices -->")[2].partition("DFS from vertex 7")[0]
    shown = [text for text in texts(tree) if re.fullmatch("[0-9]+", text)]
    colours, names = shown[:9], shown[9:]
    assert names == ["6", "5", "4", "2", "0", "1", "3", "8"]  # in the order of the visit, behind the root
    assert colours == ["4", "7", "6", "6", "8", "5", "5", "5", "7"]


def test_only_trees_of_bfs_and_dfs(tmp_path):
    with pytest.raises(LvcError, match="trees are drawn of bfs or dfs, got levels:2"):
        draw_first_round(uneven_barbell(), "levels:2", (0,), tmp_path / "a.svg")


def test_the_command(tmp_path):
    command = [sys.executable, "-m", "lvc.cli", "figures", "--out", str(tmp_path), "--format", "bmp"]
    found = subprocess.run(command, capture_output=True, text=True)
    assert (found.returncode, found.stdout) == (2, "")
    assert "must end in .png, .svg, .pdf, got '.bmp'" in found.stderr

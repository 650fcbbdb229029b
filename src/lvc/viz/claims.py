"""Draw what the claims report found: counterexamples, and the examples that existence claims ask for."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path

from lvc.expressivity.claims.report import Result
from lvc.files import make_folder
from lvc.viz.figures import draw_graphs


def draw_claims(results: Sequence[Result], folder: Path) -> list[Path]:
    """One PNG for every claim that came with graphs; the vertices that matter are ringed."""
    make_folder(folder)
    drawn = []
    for result in results:
        verdict = result.verdict
        if verdict.graphs:
            shown = [(g.to_graph6(), g, ring) for g, ring in zip(verdict.graphs, verdict.marked, strict=True)]
            title = textwrap.fill(f"{result.claim.id} {verdict.word}: {verdict.because}", 40 + 25 * len(shown))
            drawn.append(draw_graphs(shown, title, folder / f"{result.claim.id}.png"))
    return drawn

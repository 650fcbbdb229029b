"""Run the claims and write down what was found: a table, JSON, a page."""

from __future__ import annotations

import json
import textwrap
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from lvc.errors import LvcError
from lvc.expressivity.claims import connectivity, design, egos, figures, hierarchy, network, orders, paths, power
from lvc.expressivity.claims.claim import Claim, Effort, Verdict, effort_called

#: Every claim, in the paper's order.
CLAIMS: dict[str, Claim] = {
    claim.id: claim
    for topic in (design, orders, figures, paths, egos, connectivity, power, hierarchy, network)
    for claim in topic.CLAIMS
}


@dataclass(frozen=True)
class Result:
    """A claim, what came of it, and how long that took."""

    claim: Claim
    verdict: Verdict
    seconds: float

    @property
    def command(self) -> str:
        return f"lvc claims --only {self.claim.id}"


def run_claims(
    effort: str = "full", only: Iterable[str] | None = None, progress: Callable[[Result], None] | None = None
) -> list[Result]:
    """Check the claims, all or those with the ids of ``only``; ``progress`` is called after each.

    >>> [result.verdict.word for result in run_claims("quick", only=["rook", "rook-printed"])]
    ['holds', 'fails']
    """
    chosen = effort_called(effort)
    return [_run(claim, chosen, progress) for claim in claims_called(only)]


def claims_called(only: Iterable[str] | None) -> list[Claim]:
    """The claims with these ids, or all of them, in the paper's order."""
    if only is None:
        return list(CLAIMS.values())
    wanted = list(only)
    unknown = [name for name in wanted if name not in CLAIMS]
    if unknown:
        raise LvcError(f"unknown claim {unknown[0]!r}; use some of {', '.join(CLAIMS)}")
    return [claim for name, claim in CLAIMS.items() if name in wanted]


def _run(claim: Claim, effort: Effort, progress: Callable[[Result], None] | None) -> Result:
    start = time.perf_counter()
    verdict = claim.check(effort)
    result = Result(claim, verdict, time.perf_counter() - start)
    if progress is not None:
        progress(result)
    return result


def to_json(results: Sequence[Result]) -> str:
    """All results as JSON text; graphs as graph6."""
    rows: list[dict[str, Any]] = []
    for result in results:
        claim = result.claim
        rows.append(
            {
                "id": claim.id,
                "where": claim.where,
                "reading": claim.reading,
                "statement": claim.statement,
                "how": claim.how,
                **result.verdict.to_json(),
                "seconds": round(result.seconds, 3),
                "command": result.command,
            }
        )
    return json.dumps(rows, indent=2, ensure_ascii=False)


def to_text(results: Sequence[Result], width: int = 110) -> str:
    """A table to read: one line for each claim, and below it why it fails. Readings of ours stand with a ``~``."""
    lines = []
    for result in results:
        claim, verdict = result.claim, result.verdict
        lines.append(f"{'~' if claim.reading else ' '} {verdict.word:5} {claim.id:26} {claim.where}")
        lines += textwrap.wrap(claim.statement, width, initial_indent=" " * 8, subsequent_indent=" " * 8)
        if not verdict.holds:
            lines += textwrap.wrap(verdict.because, width, initial_indent=" " * 8 + "→ ", subsequent_indent=" " * 10)
            lines += [f"{'':10}{graph6} {size}" for graph6, size in _graphs_of(verdict)]
    lines += ["", summary(results), "~ a reading of ours: it shows where a statement is true, or where it ends"]
    return "\n".join(lines)


def summary(results: Sequence[Result]) -> str:
    """How many hold and fail, the paper's statements and our readings apart."""
    counts = []
    for reading, name in ((False, "statements of the paper"), (True, "readings of ours")):
        some = [result for result in results if result.claim.reading == reading]
        good = sum(result.verdict.holds for result in some)
        counts.append(f"{len(some)} {name}: {good} hold on everything tried, {len(some) - good} fail")
    return "; ".join(counts)


def _graphs_of(verdict: Verdict) -> list[tuple[str, str]]:
    """Its graphs as graph6, and their sizes in words."""
    found = []
    for graph, marked in zip(verdict.graphs, verdict.marked, strict=True):
        vertices = f", vertices {', '.join(map(str, marked))}" if marked else ""
        found.append((graph.to_graph6(), f"({graph.n} vertices, {graph.m} edges{vertices})"))
    return found


def claims_markdown(results: Sequence[Result]) -> str:
    """The page ``docs/claims.md``."""
    intro = (
        "One entry for every lemma, corollary, theorem and named example of the paper, in our words. *Holds* means: on "
        "everything tried, which is no proof. *Fails* comes with the smallest counterexample found, as graph6. Entries "
        "marked *reading* are ours: they show where a statement is true, or where it ends. DFC has the block "
        "meaning of η "
        "unless an entry says *printed*."
    )
    lines = [
        "# The paper's claims, checked",
        "",
        intro,
        "",
        "This page is written by `lvc claims --markdown docs/claims.md`; each entry can be run alone.",
        "",
        f"{summary(results)}.",
        "",
        "| claim | where | verdict |",
        "|---|---|---|",
    ]
    for result in results:
        claim = result.claim
        mark = " (reading)" if claim.reading else ""
        lines.append(f"| [{claim.id}](#{claim.id}){mark} | {claim.where} | {_bold(result.verdict)} |")
    for result in results:
        lines += ["", *_entry(result)]
    return "\n".join(lines) + "\n"


def _bold(verdict: Verdict) -> str:
    return f"**{verdict.word}**" if not verdict.holds else verdict.word


def _entry(result: Result) -> list[str]:
    claim, verdict = result.claim, result.verdict
    lines = [
        f"## {claim.id}",
        "",
        f"{claim.where}{', a reading of ours' if claim.reading else ''}. {claim.statement}",
        "",
        f"- Checked by: {claim.how}.",
        f"- Tried: {verdict.tried}.",
        f"- Verdict: {_bold(verdict)}{': ' + verdict.because if verdict.because else ''}.",
    ]
    lines += [f"- Graph: {_code(graph6)} {size}" for graph6, size in _graphs_of(verdict)]
    return [*lines, f"- Run: `{result.command}`"]


def _code(text: str) -> str:
    """As code; graph6 may hold the sign that ends it.

    >>> _code("Bw"), _code("D`{")
    ('`Bw`', '`` D`{ ``')
    """
    return f"`` {text} ``" if "`" in text else f"`{text}`"

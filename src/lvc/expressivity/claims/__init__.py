"""The claims report: every lemma, corollary, theorem and named example of the paper, checked."""

from lvc.expressivity.claims.claim import EFFORTS, Claim, Effort, Verdict
from lvc.expressivity.claims.report import CLAIMS, Result, claims_markdown, run_claims, summary, to_json, to_text

__all__ = [
    "CLAIMS",
    "EFFORTS",
    "Claim",
    "Effort",
    "Result",
    "Verdict",
    "claims_markdown",
    "run_claims",
    "summary",
    "to_json",
    "to_text",
]

"""Columns of text."""

from __future__ import annotations

from collections.abc import Sequence


def padded(lines: Sequence[Sequence[str]]) -> list[list[str]]:
    """Cells filled up to the width of their column, the first to the left and the others to the right.

    >>> padded([["a", "n"], ["bc", "12"]])
    [['a ', ' n'], ['bc', '12']]
    """
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return [
        [f"{cell:>{w}}" if i else f"{cell:<{w}}" for i, (cell, w) in enumerate(zip(line, widths, strict=True))]
        for line in lines
    ]


def aligned(lines: Sequence[Sequence[str]]) -> list[str]:
    """The same, a text for each line.

    >>> aligned([["a", "n"], ["bc", "12"]])
    ['a    n', 'bc  12']
    """
    return ["  ".join(line).rstrip() for line in padded(lines)]

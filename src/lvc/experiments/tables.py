"""Tables of text with a bold best, written as Markdown, LaTeX and HTML."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from lvc.errors import LvcError

MARK, END = "<!-- lvc report", "<!-- end -->"


class Cell(NamedTuple):
    """What stands in one place of a table; without a mean it stays empty."""

    text: str = ""
    note: str = ""
    bold: bool = False


class Table(NamedTuple):
    title: str
    columns: Sequence[str]
    rows: Sequence[tuple[str, Sequence[Cell]]]
    about: tuple[str, str] = ("", "")  # task and protocol, of accuracies


def to_markdown(tables: Iterable[Table]) -> str:
    return "\n\n".join(_markdown(table) for table in tables) + "\n"


def _markdown(table: Table) -> str:
    def shown(cell: Cell) -> str:
        text = f"**{cell.text}**" if cell.bold else cell.text
        return f"{text} ({cell.note})".strip() if cell.note else text

    lines = [["", *table.columns], *([label, *map(shown, cells)] for label, cells in table.rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    padded = [
        "| " + " | ".join(f"{text:{width}}" for text, width in zip(line, widths, strict=True)) + " |" for line in lines
    ]
    rule = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    return "\n".join([f"### {table.title}", "", padded[0], rule, *padded[1:]])


def to_latex(tables: Iterable[Table]) -> str:
    return "\n\n".join(_latex(table) for table in tables) + "\n"


_LATEX = str.maketrans(
    {sign: f"\\{sign}" for sign in "&%_#${}"}
    | {"±": r"$\pm$", "×": r"$\times$", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    | {"\\": r"\textbackslash{}"}
)


def _latex(table: Table) -> str:
    def plain(text: str) -> str:
        return text.translate(_LATEX)

    def shown(cell: Cell) -> str:
        text = rf"\textbf{{{plain(cell.text)}}}" if cell.bold else plain(cell.text)
        return f"{text} ({plain(cell.note)})".strip() if cell.note else text

    body = [" & ".join([plain(label), *map(shown, cells)]) + r" \\" for label, cells in table.rows]
    head = " & ".join(["", *map(plain, table.columns)]) + r" \\"
    return "\n".join(
        [
            r"\begin{table}",
            r"  \centering",
            rf"  \caption{{{plain(table.title)}}}",
            rf"  \begin{{tabular}}{{l{'c' * len(table.columns)}}}",
            r"    \toprule",
            *(f"    {line}" for line in [head, r"\midrule", *body, r"\bottomrule"]),
            r"  \end{tabular}",
            r"\end{table}",
        ]
    )


def to_html(tables: Iterable[Table]) -> str:
    style = "body{font-family:sans-serif;margin:2em}table{border-collapse:collapse;margin-bottom:2em}"
    style += "th,td{padding:.3em .8em;text-align:left;border-bottom:1px solid #ddd}small{color:#666}"
    body = "\n".join(map(html_table, tables))
    return f'<!doctype html>\n<meta charset="utf-8">\n<title>lvc report</title>\n<style>{style}</style>\n{body}\n'


def html_table(table: Table) -> str:
    """One table with its title."""

    def shown(cell: Cell) -> str:
        text = html.escape(cell.text)
        text = f"<b>{text}</b>" if cell.bold else text
        return f"<td>{text} <small>({html.escape(cell.note)})</small></td>" if cell.note else f"<td>{text}</td>"

    head = "".join(f"<th>{html.escape(text)}</th>" for text in ("", *table.columns))
    rows = [f"<tr><th>{html.escape(label)}</th>{''.join(map(shown, cells))}</tr>" for label, cells in table.rows]
    lines = [f"<h2>{html.escape(table.title)}</h2>", "<table>", f"<tr>{head}</tr>", *rows, "</table>"]
    return "\n".join(lines)


FORMATS: dict[str, Callable[[Iterable[Table]], str]] = {"markdown": to_markdown, "latex": to_latex, "html": to_html}


def between_marks(page: Path, text: str, what: str) -> str:
    """The page with ``text`` instead of what stands after the mark that says ``what`` it is, up to the next end."""
    begin = f"<!-- {what} -->"
    try:
        before, begun, rest = page.read_text(encoding="utf-8").partition(begin)
    except OSError as error:
        raise LvcError(f"cannot read {page}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise LvcError(f"{page} is not a text in UTF-8") from None
    replaced, ended, after = rest.partition(END)
    if not begun or not ended or MARK in replaced:
        raise LvcError(f"{page} must hold the marks {begin} and, after it, {END}")
    return f"{before}{begin}\n\n{text}\n\n{END}{after}"

"""How a notebook shows an object: HTML in which everything is escaped."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Sequence


def preformatted(text: str) -> str:
    """Text whose columns stay aligned."""
    return f'<pre style="white-space: pre; overflow-x: auto">{html.escape(text)}</pre>'


def heading(text: str) -> str:
    """A line in bold."""
    return f"<p><strong>{html.escape(text)}</strong></p>"


def paragraph(text: str) -> str:
    """A line of text."""
    return f"<p>{html.escape(text)}</p>"


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; a row in which all cells but the first are empty is left aligned, as all others are."""

    def cells(tag: str, row: Sequence[str]) -> str:
        return "".join(f'<{tag} style="text-align: left">{html.escape(str(cell))}</{tag}>' for cell in row)

    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    return f"<table><thead><tr>{cells('th', header)}</tr></thead><tbody>{body}</tbody></table>"


def formulas(latex: str) -> str:
    """LaTeX for MathJax and KaTeX in a notebook: ``aligned`` between dollars replaces each ``align*``."""
    return re.sub(
        r"\\(begin|end)\{align\*\}", lambda m: "$$\\begin{aligned}" if m[1] == "begin" else "\\end{aligned}$$", latex
    )


def shown(make: Callable[[], str], *errors: type[Exception]) -> str:
    """A part of a page, or the error message in its place, so that a cell that shows an object does not fail."""
    try:
        return make()
    except errors as error:
        return paragraph(str(error))

"""The width of LaTeX pages by matplotlib's setter of formulas, in Computer Modern."""

from __future__ import annotations

import re
from functools import cache

from semidirect.pages.glyph_widths import width

TEXT_POINTS = 345.0
"""``\\textwidth`` of an article at 10 pt."""


@cache
def points(latex: str) -> float:
    """The width of a formula at 10 pt; a matrix row by row."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.mathtext import MathTextParser

    rows = re.sub(r"\\begin\{[a-z]+\}|\\end\{[a-z]+\}|\\quad$", "", latex).split(r"\\")
    setter, font = MathTextParser("path"), FontProperties(size=10, math_fontfamily="cm")
    texts = [row.replace("&", r"\quad ").replace(r"\mathsf T", "T").strip() for row in rows]
    return max(float(setter.parse(f"${text}$", dpi=72, prop=font).width) if text else 0.0 for text in texts)


def widest(page: str) -> float:
    """The width of an environment: its widest left and its widest right side, by those that are estimated widest."""
    rows = page.split("\n", 1)[1].partition("\n\\end{align*}")[0].split(" \\\\\n")
    sides = [row.partition("&") for row in rows]
    lefts, rights = ({x for row in sides if len(x := row[i]) < 2000} for i in (0, 2))
    return sum(max(map(points, sorted(some, key=width)[-2:])) for some in (lefts, rights))

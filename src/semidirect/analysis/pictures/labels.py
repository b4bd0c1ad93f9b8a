"""Labels of quantities on axes."""

from __future__ import annotations

import math
import re

from semidirect.expressions import UnitLabel, expression_text

_GREEK = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi chi psi omega ell"
).split()

_LOWERED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


def symbol(name: str, component: int | None = None) -> str:
    """A name as mathematics: ``Omega`` → Ω, ``p_nu`` → p_ν, with the number of a component from 0 as index from 1.

    Names of words, like ``momentum-squared``, stay words.
    """
    if expression_text.is_expression(name):
        name = plain(name)
        return name if component is None else f"({name})$_{{{component + 1}}}$"
    index = "" if component is None else str(component + 1)
    stem, _, subscript = name.partition("_")
    stem, number = re.fullmatch(r"(.*?)(\d*)", stem).groups()  # type: ignore[union-attr]
    if not _single(stem) or (subscript and not _single(subscript)):
        words = name.replace("_", "-").replace("-", " ")
        return f"{words}$_{{{index}}}$" if index else words
    below = ",".join(x for x in (number, _letter(subscript), index) if x)
    return f"${_letter(stem)}_{{{below}}}$" if below else f"${_letter(stem)}$"


def axis_label(name: str, unit: str = "", component: int | None = None) -> str:
    """Symbol or words, and the unit in brackets unless it is 1."""
    return f"{symbol(name, component)} [{unit_text(unit)}]" if unit_text(unit) else symbol(name, component)


def unit_text(unit: str) -> str:
    """A unit with its raised digits as mathtext: fonts lack some of them. Nothing for a number without dimension."""
    plain_text = plain(UnitLabel(unit).behind_a_number())
    return re.sub("[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+", lambda m: f"$^{{{m[0].translate(_LOWERED)}}}$", plain_text)


def plain(text: str) -> str:
    """A text of a run as it stands on axes: dollars of what is no formula are dollars."""
    if "$" not in text:
        return text
    from matplotlib.cbook import is_math_text
    from matplotlib.mathtext import MathTextParser

    try:
        if is_math_text(text):
            MathTextParser("path").parse(text)
            return text
    except ValueError:  # it would be raised when the picture is drawn
        pass
    return re.sub(r"(?<!\\)\$", r"\\$", text)


def short(value: float, figures: int = 2) -> str:
    """A number to some figures in mathtext, small ones as a power of ten."""
    if value == 0 or 1e-3 <= abs(value) < 1e4 or not math.isfinite(value):
        return f"{value:.{figures}g}"
    mantissa, exponent = f"{value:.{figures - 1}e}".split("e")
    return rf"${mantissa}\times10^{{{int(exponent)}}}$"


def _single(stem: str) -> bool:
    return len(stem) == 1 or stem.lower() in _GREEK


def _letter(stem: str) -> str:
    return stem if len(stem) < 2 else f"\\{stem}"

"""A letter, and its slope."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np
import sympy as sp

from semidirect.core import ops, symbols

Rates = Mapping[sp.Symbol, Any]
DIGITS, SMALL = 40, 1e-30
"""With how many digits it is seen at generic points whether something vanishes, and what is 0 then."""


SLOPE = "~∂"
"""How the symbols of derivatives begin."""


def letter_stem(name: str) -> str:
    """The stem of the symbols of a function by its name in code."""
    return f"~named_{name}"


@final
@dataclass(frozen=True, eq=False)
class Slope:
    """∂s/∂x, x one argument of s.

    Attributes
    ----------
    stem : str
        That of its symbols, ``~∂s/x``.
    argument : str
        The stem of x.
    along : tuple of Symbol
        The components of x that move.
    entries : array (n, m)
        Symbols if one of them depends on the state, else what they are.
    expressions : array (n, m)
        What they are.
    """

    stem: str
    argument: str
    along: tuple[sp.Symbol, ...]
    entries: np.ndarray
    expressions: np.ndarray

    @property
    def is_symbol(self) -> bool:
        """Whether the entries are symbols of their own."""
        return any(e.is_Symbol and e.name.startswith(SLOPE) for e in self.entries.flat)


@final
@dataclass(frozen=True, eq=False)
class Letter:
    """One function.

    Attributes
    ----------
    name : str
        Its name in code.
    symbols, expressions : array (n,)
        Its components, and what they are in (a, t, z), parameters and letters before it.
    slopes : tuple of Slope
        ∂s/∂x for each argument x.
    """

    name: str
    symbols: np.ndarray
    expressions: np.ndarray
    slopes: tuple[Slope, ...]

    @property
    def stem(self) -> str:
        """The stem of its symbols."""
        return letter_stem(self.name)

    def change(self, rates: Rates) -> np.ndarray:
        """Σ ∂s/∂x · the rate of x."""
        total = np.array([sp.Integer(0)] * len(self.symbols), dtype=object)
        for slope in self.slopes:
            total = total + ops.matvec(slope.entries, np.array([rates.get(x, sp.Integer(0)) for x in slope.along]))
        return total

    @cached_property
    def partials(self) -> tuple[tuple[tuple[sp.Symbol, sp.Expr], ...], ...]:
        """∂s_i/∂x for each component and all x."""
        return tuple(
            tuple((x, slope.entries[i, j]) for slope in self.slopes for j, x in enumerate(slope.along))
            for i in range(len(self.symbols))
        )


def staged_letter(what: str, letter: Letter) -> np.ndarray:
    """Symbols for the change, ``total``, or the ``variation`` of a letter."""
    return symbols.staged(f"{what}_{letter.name}", len(letter.symbols))


def of_vectors(letter: Letter) -> bool:
    """Whether a letter is a vector of R³, and its arguments are."""
    return len(letter.symbols) == 3 and all(x.is_symbol and x.entries.shape == (3, 3) for x in letter.slopes)

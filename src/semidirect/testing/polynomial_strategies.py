"""Hypothesis strategies for polynomials and arrays of them, as functions of a definition's arguments, from small integers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from hypothesis import strategies as st

Variable = tuple[str, int]
small_integers = st.integers(-2, 2)
_FACTORS = st.sampled_from([1, -1, 2, -2])


@dataclass(frozen=True)
class Polynomial:
    """A polynomial in components of ``xi``, ``a``, ``z`` and in ``t``: terms of a coefficient and its factors."""

    terms: tuple[tuple[int, tuple[Variable, ...]], ...]

    def at(self, values: Mapping[str, Sequence[Any]]) -> Any:
        """The value, given the components."""
        total: Any = 0
        for coefficient, factors in self.terms:
            term: Any = coefficient
            for name, i in factors:
                term = values[name][i] * term
            total = term + total
        return total

    def __repr__(self) -> str:
        terms = [
            "*".join([str(c), *(f"{n}{i + 1}" if n != "t" else n for n, i in factors)]) for c, factors in self.terms
        ]
        return " + ".join(terms) or "0"


@final
@dataclass(frozen=True)
class PolynomialArray:
    """An array of polynomials, callable with the arguments of a definition's functions."""

    shape: tuple[int, ...]
    entries: tuple[Polynomial, ...]

    def __call__(self, **at: Any) -> Any:
        """The values at ``xi, a, z, t``, as far as they are given."""
        values: dict[str, Sequence[Any]] = {k: list(np.atleast_1d(at[k])) for k in ("xi", "a", "z", "t") if k in at}
        out = np.empty(self.shape, dtype=object)
        for index, entry in zip(np.ndindex(self.shape), self.entries, strict=True):
            out[index] = entry.at(values)
        return out

    def __repr__(self) -> str:
        return f"{self.shape}[{', '.join(map(repr, self.entries))}]"


@st.composite
def polynomials(
    draw: st.DrawFn, variables: Sequence[Variable], *, least: int = 0, most: int = 2, degree: int = 2
) -> Polynomial:
    """Polynomials of a constant and ``least`` to ``most`` other terms of at most that ``degree``; they shrink to 0."""
    out: list[tuple[int, tuple[Variable, ...]]] = [(c, ()) for c in [draw(small_integers)] if c]
    if variables:
        count = draw(st.integers(least, most))
        monomial = st.lists(st.sampled_from(list(variables)), min_size=1, max_size=degree).map(tuple)
        out += draw(st.lists(st.tuples(_FACTORS, monomial), min_size=count, max_size=count))
    return Polynomial(tuple(out))


@st.composite
def arrays(draw: st.DrawFn, shape: tuple[int, ...], variables: Sequence[Variable], *, least: int = 0, most: int = 2,
           constants: bool = True) -> PolynomialArray:  # fmt: skip
    """Arrays with ``least`` to ``most`` entries that are polynomials; the others are integers, or 0 without ``constants``."""
    size = int(np.prod(shape))
    numbers = draw(st.lists(small_integers, min_size=size, max_size=size)) if constants else [0] * size
    entries = [Polynomial(((c, ()),) if c else ()) for c in numbers]
    if variables and size:
        count = draw(st.integers(min(least, size), min(most, size)))
        for i in draw(st.lists(st.integers(0, size - 1), min_size=count, max_size=count, unique=True)):
            entries[i] = draw(polynomials(variables, least=1))
    return PolynomialArray(shape, tuple(entries))

"""Sections of a distribution: 𝔰-valued functions of (a, t) that span D, on exact numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, final

from semidirect.core import functions
from semidirect.equations import Program, emission
from semidirect.invariants.algebra.linear_algebra import echelon
from semidirect.invariants.algebra.residues import PrimeField

if TYPE_CHECKING:
    from semidirect.equations import SymbolicDefinition

Section = Callable[[Sequence[Any]], list[Any]]


@final
@dataclass(frozen=True)
class Sections:
    """D = {Σ u_j X_j + c}.

    Attributes
    ----------
    basis : tuple of callable(at)
        X_j at a list of a and t, with a last component for time that is 0.
    offset : callable(at) or None
        (c, 1); ``None`` if c = 0 and nothing depends on time.
    """

    basis: tuple[Section, ...]
    offset: Section | None

    @classmethod
    def of(cls, s: SymbolicDefinition, values: Mapping[Any, Any], field: PrimeField) -> Sections:
        """The sections of a definition: the columns of B, or a basis of ker A by elimination.

        ``values``: the parameters and internal states.
        """
        form = s.distribution if s.distribution is not None else s.annihilator
        assert form is not None
        matrix = s.distribution.basis if s.distribution is not None else s.annihilator.covectors  # type: ignore[union-attr]
        rest = s.distribution.offset if s.distribution is not None else s.annihilator.values  # type: ignore[union-attr]
        entries = evaluator([*matrix.flat, *rest], (*s.a, s.t), values, field)
        affine = any(e != 0 for e in rest) or any(s.t in e.free_symbols for e in matrix.flat)
        n, m = len(s.xi), matrix.size // len(s.xi)
        if s.distribution is not None:
            columns = [partial(_column, entries, j, m, n, field) for j in range(m)]
            return cls(tuple(columns), (lambda at: [*entries(at)[n * m :], field.number(1)]) if affine else None)
        spot = entries([field.draw() for _ in (*s.a, s.t)])[: m * n]
        pivots = echelon(field.at_spot([spot]).reshape(m, n), field.p)[1]
        kernel = [partial(_kernel, entries, j, pivots, n, field) for j in range(n) if j not in pivots]
        return cls(tuple(kernel), partial(_kernel, entries, None, pivots, n, field) if affine else None)


def _column(entries: Section, j: int, m: int, n: int, field: PrimeField, at: Sequence[Any]) -> list[Any]:
    values = entries(at)
    return [*(values[i * m + j] for i in range(n)), field.number(0)]


def _kernel(
    entries: Section, j: int | None, pivots: list[int], n: int, field: PrimeField, at: Sequence[Any]
) -> list[Any]:
    """The vector of ker A with a 1 at the free index j, or a solution of Aξ = b if there is no free index."""
    values, k = entries(at), len(pivots)
    matrix = [[values[i * n + p] for p in pivots] for i in range(k)]
    rhs = values[k * n :] if j is None else [-values[i * n + j] for i in range(k)]
    solved = dict(zip(pivots, field.solve(matrix, rhs), strict=True))
    return [*(solved[i] if i in solved else field.number(int(i == j)) for i in range(n)), field.number(int(j is None))]


def evaluator(
    expressions: Sequence[Any], inputs: Sequence[Any], values: Mapping[Any, Any], field: PrimeField
) -> Section:
    """Expressions as a function of a list of inputs, at given values of other symbols."""
    symbols = (*inputs, *values)
    text = emission.source(Program(symbols, (), {}), expressions, symbols, exact=True)
    function = functions.build(text, field.functions)

    def evaluate(at: Sequence[Any]) -> list[Any]:
        return [field.number(x) if isinstance(x, int) else x for x in function(*at, *values.values())]

    return evaluate

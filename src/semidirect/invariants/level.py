"""Levels: values of quantities that single out a part of the invariant set, and how a point is moved onto it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

from semidirect.core import Results, exact, functions, ops
from semidirect.equations import emission
from semidirect.invariants.algebra.sloped import regular

if TYPE_CHECKING:
    import sympy as sp

    from semidirect.equations import StratonovichSDE
    from semidirect.invariants.algebra.scalars import Numbers


class CentreOnLevel(ZeroDivisionError):
    """The smallest solution of the conditions of degree 1 satisfies that of degree 2 as well."""


@final
@dataclass(frozen=True)
class Condition:
    """One scalar condition.

    Attributes
    ----------
    text : str
        ``dot(M, Gamma) = 0``.
    expression : Expr
        The quantities that are 0 on the level.
    degree : int
        Its degree, 1 or 2, in the numbers that are moved.
    """

    text: str
    expression: sp.Expr
    degree: int = 1


@final
@dataclass(frozen=True)
class Level:
    """The part of the invariant set where quantities have given values.

    A random point of the set is moved onto the level along straight lines: first in random numbers of the configuration, then in
    the velocities. In each of the two steps conditions of degree 1 are solved together, with the constraint, and one of
    degree 2 by a square root. A point of the level is left where it is, so all those are found at which the conditions of
    degree 1 are independent.

    Attributes
    ----------
    sde : StratonovichSDE
    names : tuple of str
        The quantities, as given.
    text : str
        All conditions.
    configurations, velocities : tuple of Condition
        Those that depend on velocities or momenta are the second.
    free : tuple of int
        Which of the random numbers of a configuration are moved.
    centred : bool
        Whether the lines for a condition of degree 2 pass the smallest solution of the others; else, where that lies on the
        level, a random one.
    error : float
        A bound of the probability that a quantity is not invariant on the level although that was proved.
    """

    sde: StratonovichSDE
    names: tuple[str, ...]
    text: str
    configurations: tuple[Condition, ...]
    velocities: tuple[Condition, ...]
    free: tuple[int, ...] = ()
    centred: bool = True
    error: float = 0.0

    def __str__(self) -> str:
        return self.text

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """All of them."""
        return (*self.configurations, *self.velocities)

    def moved(self, numbers: Numbers, conditions: Sequence[Condition], at: Callable[[Sequence[Any]], list[Any]],
              x: Sequence[Any], matrix: Sequence[Sequence[Any]] = (), rhs: Sequence[Any] = ()) -> list[Any]:  # fmt: skip
        """Numbers at which conditions hold, and matrix · x = rhs; near x if all are of degree 1, else on a line through x.

        Parameters
        ----------
        at : callable(x)
            The values of the conditions, of which at most one is of degree 2.

        Raises
        ------
        CentreOnLevel
            If the level is ``centred`` and the centre lies on it.
        """
        zero, one = numbers.number(0), numbers.number(1)
        affine = [i for i, c in enumerate(conditions) if c.degree == 1]
        rows, values = [list(row) for row in matrix], list(rhs)
        if affine:
            origin = at([zero] * len(x))
            steps = [at([one if k == j else zero for k in range(len(x))]) for j in range(len(x))]
            rows += [[step[i] - origin[i] for step in steps] for i in affine]
            values += [-origin[i] for i in affine]

        def solved(y: Sequence[Any]) -> list[Any]:
            return exact.nearest_solution(rows, values, y, regular) if rows else list(y)

        target = solved(x)
        curved = next((i for i, c in enumerate(conditions) if c.degree > 1), None)
        if curved is None:
            return target
        base = solved([zero if self.centred else numbers.draw() for _ in x])
        line = [b - a for a, b in zip(base, target, strict=True)]
        c, up, down = (at([a + k * d for a, d in zip(base, line, strict=True)])[curved] for k in (0, 1, -1))
        if self.centred and not regular(c):
            raise CentreOnLevel(f"the smallest point lies on the level {self.text}")
        half = numbers.number(1, 2)
        a, b = (up + down) * half - c, (up - down) * half
        along = (ops.sqrt(b * b - 4 * a * c) - b) / (2 * a)
        return [start + along * d for start, d in zip(base, line, strict=True)]

    def at(self, numbers: Numbers, point: Mapping[Any, Any], conditions: Sequence[Condition]) -> list[Any]:
        """The values of the conditions at a point, 0 on the level."""
        s = self.sde
        inputs = (*s.state, *s.coordinates.values(), s.setting.t, *s.definition.parameters)
        expressions = tuple(c.expression for c in conditions)
        text = Results.of(s).known(
            (Level, expressions, inputs), lambda: emission.source(s.program, expressions, inputs, exact=True)
        )
        values = functions.build(text, numbers.functions)(*(point.get(x, 0) for x in inputs))
        return [numbers.number(x) if isinstance(x, int) else x for x in values]

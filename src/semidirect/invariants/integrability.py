"""Whether a constraint is holonomic: the growth of its distribution under brackets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

import numpy as np

from semidirect.equations.emission import source
from semidirect.invariants.duals import along
from semidirect.invariants.linear_algebra import primes, rank
from semidirect.invariants.parameters import Parameters, ParameterSet
from semidirect.invariants.points import on_orbit
from semidirect.invariants.residues import PrimeField, Residues
from semidirect.invariants.scalars import eliminate, functions
from semidirect.kernels.functions import build

if TYPE_CHECKING:
    from semidirect.equations.kinematics import Setting
    from semidirect.system import System

Vector = Callable[[Sequence[Any]], list[Any]]
SPOTS = 12


@final
@dataclass(frozen=True)
class Integrability:
    """What :func:`integrability` found.

    Attributes
    ----------
    group : int
        Dimension of the configurations, n, and of time where the constraint is affine or depends on it.
    growth : tuple of int
        Dimensions of D, D + [D, D], … at a generic configuration.
    noise : tuple of bool
        For each noise field whether it lies in the directions of D.
    """

    group: int
    growth: tuple[int, ...]
    noise: tuple[bool, ...]

    @property
    def holonomic(self) -> int:
        """How many of the constraints are holonomic: functions of the configuration (and time) that stay constant."""
        return self.group - self.growth[-1]

    @property
    def constraints(self) -> int:
        """How many constraints there are."""
        return self.group - self.growth[0]

    @property
    def integrable(self) -> bool:
        """Whether all of them are holonomic (Frobenius)."""
        return len(self.growth) == 1

    def __str__(self) -> str:
        growth = ", ".join(map(str, self.growth))
        if not self.constraints:
            what = "no constraint"
        elif self.integrable:
            what = f"integrable: {self.holonomic} holonomic constraint{'s' * (self.holonomic > 1)} in disguise"
        elif self.holonomic:
            what = f"nonholonomic, but {self.holonomic} of {self.constraints} constraints is holonomic in disguise"
        else:
            what = "completely nonholonomic"
        return f"distribution of growth ({growth}) in dimension {self.group}: {what}"


def integrability(system: System, *, parameters: Parameters = "given", seed: int = 0) -> Integrability:
    """The growth vector of D on the group.

    A section of D is an 𝔰-valued function X(a) along s, and a moves with it, δa = −ρ(X)a, so the bracket of two is
    [X, Y]_𝔰 + DY·X − DX·Y. Brackets of new sections with those of D are taken until nothing new comes; all at a random point
    of the orbit over a prime field, where the rank is at most the generic one. Internal states are held.

    For an affine constraint ξ = Bu + c the distribution is that of (B, 0) and (c, 1) on the group and time.
    """
    sde = system.sde(variables="velocity")
    s = sde.setting
    field = PrimeField(next(primes(seed)), SPOTS, np.random.default_rng(seed))
    values = ParameterSet(system, parameters).at(field)
    values |= {x: field.draw() for x in s.z}
    a, t = on_orbit(sde.definition, field), field.draw()
    basis, offset = _distribution(s, values, field)
    affine = any(x != 0 for x in offset(None)) or any(s.t in e.free_symbols for e in _entries(s))
    n, y = sde.definition.group.dimension, [*a, t]

    def moved(x: Sequence[Any], at: Sequence[Any]) -> list[Any]:
        """(δa, δt) along a section with the values x at a point."""
        out: list[Any] = []
        for name, part in sde.definition.advected_layout.items():
            block = np.empty(part.stop - part.start, dtype=object)
            block[:] = list(at[:-1][part])
            out += list(-sde.definition.advected[name].representation.action(_array(x[:n]), block))
        return [*out, x[n]]

    def bracket(f: Vector, g: Vector) -> Vector:
        def combined(at: Sequence[Any]) -> list[Any]:
            x, z = f(at), g(at)
            inner = [*sde.definition.group.bracket(_array(x[:n]), _array(z[:n])), field.number(0)]
            forth, back = along(g, at, moved(x, at)), along(f, at, moved(z, at))
            return [b + u - v for b, u, v in zip(inner, forth, back, strict=True)]

        return combined

    sections = basis + ([lambda at: [*offset(at), field.number(1)]] if affine else [])
    kept: list[np.ndarray] = []
    spots = field.valid

    def new(section: Vector) -> bool:
        found = np.array([_spread(x, field) for x in section(y)][: n + affine])
        at = int(np.nonzero(spots & field.valid)[0][0])
        if rank(np.array([k[:, at] for k in (*kept, found)]), field.p) == len(kept):
            return False
        kept.append(found)
        return True

    last = [x for x in sections if new(x)]
    growth, noise = [len(kept)], _inside(s, kept, {**values, **dict(zip((*s.a, s.t), y, strict=True))}, field, n)
    while last:
        last = [b for b in (bracket(f, g) for f in sections for g in last if f is not g) if new(b)]
        if last:
            growth.append(len(kept))
    return Integrability(n + affine, tuple(growth), noise)


def _entries(s: Setting) -> list[Any]:
    if s.distribution is not None:
        return [*s.distribution.basis.flat, *s.distribution.offset]
    assert s.annihilator is not None
    return [*s.annihilator.covectors.flat, *s.annihilator.values]


def _distribution(
    s: Setting, values: dict[Any, Any], field: PrimeField
) -> tuple[list[Vector], Callable[[Any], list[Any]]]:
    """Sections (B_j, 0) of D as functions of (a, t), and c; by elimination from covectors where these are given."""
    inputs = (*s.a, s.t, *values)
    program = _empty(inputs)
    function = build(source(program, _entries(s), inputs, exact=True), functions(field, eliminate))

    def entries(at: Sequence[Any]) -> list[Any]:
        return [x if not isinstance(x, int) else field.number(x) for x in function(*at, *values.values())]

    n = len(s.xi)
    if s.distribution is not None:
        m = s.distribution.basis.shape[1]
        sections: list[Vector] = [
            lambda at, j=j: [*(entries(at)[i * m + j] for i in range(n)), field.number(0)] for j in range(m)
        ]
        constant = [e == 0 for e in s.distribution.offset]
        return sections, lambda at: [0] * n if all(constant) else [1] * n if at is None else entries(at)[n * m :]
    assert s.annihilator is not None
    k = len(s.annihilator.covectors)
    pivots = _pivots(
        np.array([_spread(x, field)[0] for x in entries([field.draw() for _ in (*s.a, s.t)])][: k * n]), k, n, field.p
    )
    free = [j for j in range(n) if j not in pivots]

    def solution(at: Sequence[Any], rhs: Callable[[list[Any]], list[Any]]) -> list[Any]:
        found = entries(at)
        matrix = [[found[i * n + j] for j in pivots] for i in range(k)]
        return eliminate(matrix, rhs(found))

    def section(at: Sequence[Any], j: int) -> list[Any]:
        solved = iter(solution(at, lambda found: [-found[i * n + j] for i in range(k)]))
        unit = [field.number(int(i == j)) for i in range(n)]
        return [*(next(solved) if i in pivots else unit[i] for i in range(n)), field.number(0)]

    def offset(at: Any) -> list[Any]:
        if all(e == 0 for e in s.annihilator.values):  # type: ignore[union-attr]
            return [0] * n
        if at is None:
            return [1] * n
        solved = iter(solution(at, lambda found: found[k * n :]))
        return [next(solved) if i in pivots else field.number(0) for i in range(n)]

    return [lambda at, j=j: section(at, j) for j in free], offset


def _pivots(flat: np.ndarray, k: int, n: int, p: int) -> list[int]:
    from semidirect.invariants.linear_algebra import echelon

    return echelon(flat.reshape(k, n), p)[1]


def _inside(s: Setting, kept: list[np.ndarray], point: dict[Any, Any], field: PrimeField, n: int) -> tuple[bool, ...]:
    """Whether each noise field is in the span of D at the point."""
    inputs = (*point, *s.formal[0], *s.xi)
    drawn = [field.draw() for _ in (*s.formal[0], *s.xi)]
    out = []
    for transport in s.fields:
        function = build(source(_empty(inputs), list(transport), inputs, exact=True), functions(field, eliminate))
        found = np.array([_spread(x, field) for x in function(*point.values(), *drawn)])
        at = int(np.nonzero(field.valid)[0][0])
        columns = [k[:n, at] for k in kept]
        out.append(rank(np.array([*columns, found[:, at]]), field.p) == rank(np.array(columns), field.p))
    return tuple(out)


def _empty(inputs: Sequence[Any]) -> Any:
    from semidirect.equations.program import Program

    return Program(tuple(inputs), (), {})


def _array(entries: Sequence[Any]) -> np.ndarray:
    out = np.empty(len(entries), dtype=object)
    out[:] = list(entries)
    return out


def _spread(x: Any, field: PrimeField) -> np.ndarray:
    return x.spread() if isinstance(x, Residues) else np.full(field.count, int(x) % field.p)

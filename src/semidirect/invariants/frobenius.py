"""Whether a constraint is holonomic: the growth of its distribution under brackets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

from semidirect.core import display, errors, exact, explains_calls
from semidirect.definition import in_scalars
from semidirect.equations import derived_sde
from semidirect.invariants.algebra.linear_algebra import rank
from semidirect.invariants.algebra.residues import PrimeField, random_numbers
from semidirect.invariants.algebra.sloped import along
from semidirect.invariants.parameters import Parameters, ParameterSet
from semidirect.invariants.points import on_orbit
from semidirect.invariants.sections import Section, Sections, evaluator

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition
    from semidirect.equations import SymbolicDefinition

SPOTS = 12


@final
@dataclass(frozen=True, repr=False)
class Integrability(display.Read):
    """The result of :func:`integrability`.

    Attributes
    ----------
    group : int
        Dimension of the configurations, n, plus 1 for time if the constraint is affine or depends on time.
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
        """The number of holonomic constraints: functions of the configuration (and time) that stay constant."""
        return self.group - self.growth[-1]

    @property
    def constraints(self) -> int:
        """The number of constraints."""
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


@explains_calls
def integrability(
    system: SystemDefinition, *, parameters: Parameters = "given", seed: int | None = None
) -> Integrability:
    """The growth vector of D on the group.

    A section of D is an 𝔰-valued function X(a) along s, and a moves with it, δa = −ρ(X)a, so the bracket of two is
    [X, Y]_𝔰 + DY·X − DX·Y. Brackets of new sections with those of D are taken until nothing new comes; all at a random point
    of the orbit over a prime field, where the rank is at most the generic one. Internal states are fixed.

    For an affine constraint ξ = Bu + c the distribution is that of (B, 0) and (c, 1) on the group and time.
    """
    system = in_scalars(system)
    if not system._has_configuration:
        raise errors.InputError("integrability", expected="a system with a configuration, which a constraint restricts",
                                got=f"{type(system).__name__}, of matrices")  # fmt: skip
    sde = derived_sde(system, variables="velocity")
    s = sde.setting
    field = PrimeField(next(ParameterSet(system, parameters).primes(seed)), SPOTS, random_numbers(seed))
    values = ParameterSet(system, parameters).at(field)
    values |= {x: field.draw() for x in s.z}
    a, t = on_orbit(sde.definition, field), field.draw()
    span = Sections.of(s, values, field)
    n, y = sde.definition.group.dimension, [*a, t]
    # time is a further direction: an affine constraint is a distribution on space and time
    affine = span.offset is not None

    def moved(x: Sequence[Any], at: Sequence[Any]) -> list[Any]:
        """(δa, δt) along a section with the values x at a point."""
        out: list[Any] = []
        for name, part in sde.definition.advected_layout.items():
            block = exact.objects(at[:-1][part])
            out += list(-sde.definition.advected[name].representation.action(exact.objects(x[:n]), block))
        return [*out, x[n]]

    def bracket(f: Section, g: Section) -> Section:
        def combined(at: Sequence[Any]) -> list[Any]:
            x, z = f(at), g(at)
            inner = [*sde.definition.group.bracket(exact.objects(x[:n]), exact.objects(z[:n])), field.number(0)]
            forth, back = along(g, at, moved(x, at)), along(f, at, moved(z, at))
            return [b + u - v for b, u, v in zip(inner, forth, back, strict=True)]

        return combined

    sections = [*span.basis, *([span.offset] if span.offset is not None else [])]
    independent: list[list[Any]] = []

    def new(section: Section) -> bool:
        vector = section(y)[: n + affine]
        if rank(field.at_spot([*independent, vector]), field.p) == len(independent):
            return False
        independent.append(vector)
        return True

    # brackets with the newest sections only: the others have been tried
    last = [x for x in sections if new(x)]
    growth, noise = (
        [len(independent)],
        _inside(s, independent, {**values, **dict(zip((*s.a, s.t), y, strict=True))}, field, n),
    )
    while last:
        last = [b for b in (bracket(f, g) for f in sections for g in last if f is not g) if new(b)]
        if last:
            growth.append(len(independent))
    return Integrability(n + affine, tuple(growth), noise)


def _inside(
    s: SymbolicDefinition, independent: list[list[Any]], point: dict[Any, Any], field: PrimeField, n: int
) -> tuple[bool, ...]:
    """Whether each noise field is in the span of D at the point."""
    values = {x: field.draw() for x in (*s.formal[0], *s.xi)}
    fields = [evaluator(list(transport), (), {**point, **values}, field)([]) for transport in s.fields]
    columns = [k[:n] for k in independent]
    size = rank(field.at_spot(columns), field.p) if columns else 0
    return tuple(rank(field.at_spot([*columns, vector]), field.p) == size for vector in fields)

"""Comparison with two wrong principles: the constraint substituted into the Lagrangian, and vakonomic equations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, final

import numpy as np

from semidirect.core import Blocks, arguments, display, errors, exact, explains_calls, ops, user_code
from semidirect.definition import Observable, Unconstrained, a_system
from semidirect.equations import derived_sde
from semidirect.groups import Advected, DirectProduct, Pullback, RealSpace
from semidirect.state import Final, evaluate

if TYPE_CHECKING:
    from semidirect.definition import StochasticConstraint, SystemDefinition

MULTIPLIER = "multiplier"


@final
@dataclass(frozen=True, repr=False)
class PrincipleComparison(display.Read):
    """Rates of the coordinates of D at one state by three principles.

    Attributes
    ----------
    coordinates : tuple of str
        The coordinates of D and the components of their rates.
    nonholonomic : array
        d'Alembert's: the true rates du/dt.
    substituted : array
        With the constraint substituted into l before the variation.
    vakonomic : array
        With varied multipliers, at the multipliers given.
    """

    coordinates: tuple[str, ...]
    nonholonomic: np.ndarray
    substituted: np.ndarray
    vakonomic: np.ndarray

    @property
    def substituted_off(self) -> float:
        """The distance of the substituted rates from the true ones."""
        return float(np.linalg.norm(self.substituted - self.nonholonomic))

    @property
    def vakonomic_off(self) -> float:
        """The distance of the vakonomic rates from the true ones."""
        return float(np.linalg.norm(self.vakonomic - self.nonholonomic))

    def __str__(self) -> str:
        def row(name: str, rates: np.ndarray, off: float | None = None) -> str:
            text = f"{name:<13}" + " ".join(f"{x:12.6g}" for x in rates)
            return text if off is None else f"{text}   off by {off:.3g}"

        return "\n".join([
            " " * 13 + " ".join(f"{'d' + c:>12}" for c in self.coordinates), row("nonholonomic", self.nonholonomic),
            row("substituted", self.substituted, self.substituted_off),
            row("vakonomic", self.vakonomic, self.vakonomic_off),
        ])  # fmt: skip


@explains_calls
def substituted(system: SystemDefinition) -> SystemDefinition:
    """The system with l(B Uξ + c, a) for its Lagrangian, where Uξ = u picks the coordinates of D out of ξ.

    A well-known mistake: the Lagrangian then depends on the velocities in D only, and the momentum in the directions that the
    constraint forbids is lost from the variation. It is right if the constraint is integrable, and otherwise only by
    coincidence (the vertical disk).

    Raises
    ------
    InputError
        If the coordinates of D are not components of ξ up to a constant matrix, or if D has no basis.
    """
    _refuse_given_motion(a_system(system))
    rows, inverse = _selection(system)
    kind = type(system)

    def lagrangian(self: Any, **at: Any) -> Any:
        xi, a, t, z = (at[k] for k in ("xi", "a", "t", "z"))
        distribution = user_code.call(self.constraint().distribution, group=self.group, xi=xi, a=a, t=t, z=z)
        basis = ops.array(distribution.basis)
        u = ops.matvec(inverse, ops.stack([xi.vector[i] for i in rows]))
        velocity = ops.matvec(basis, u)
        if distribution.offset is not None:
            velocity = velocity + ops.array(distribution.offset)
        inner = Blocks.split(velocity, self.group.blocks, "velocity")
        return user_code.call(_inherited(kind, self, "lagrangian"), xi=inner, a=a, t=t, z=z)

    return _variant(system, "Substituted", {"lagrangian": lagrangian})


@explains_calls
def vakonomic(system: SystemDefinition) -> SystemDefinition:
    """The unconstrained system with Lagrangian l(ξ, a) + λ·(Aξ − b), λ the velocity of a cyclic coordinate.

    Its equations are those of the variational problem with the constraint as a side condition (Kozlov 1983): the multipliers
    have their own dynamics, and initial values that mechanics does not determine. The momentum of the new coordinate is Aξ − b
    and stays 0. Transport noise and forces are left out; internal states stay, including those of the noise, as l and A may
    depend on them.

    Raises
    ------
    InputError
        If there is no constraint, or neither covectors nor a basis with constant coordinates.
    """
    from semidirect.definition import SystemDefinition as Base

    _refuse_given_motion(a_system(system))
    s = derived_sde(system, variables="velocity").setting
    group, kind, blocks = system.group, type(system), tuple(system.group.blocks)
    k = len(s.xi) - s.distribution.basis.shape[1] if s.distribution is not None else len(s.annihilator.covectors)  # type: ignore[union-attr]
    if not k:
        raise errors.InputError("vakonomic equations", expected="a constraint", got=f"{kind.__name__} without one")
    product = DirectProduct(group, RealSpace(k, (MULTIPLIER,), [f"Lambda{i + 1}" for i in range(k)]))
    pulled = {n: Pullback(q.representation, product, blocks) for n, q in system.advected.items()}
    advected = {n: Advected(pulled[n], q.exact_reference) for n, q in system.advected.items()}
    selection = None if s.annihilator is not None else _selection(system)

    def constraint(self: Any) -> StochasticConstraint:
        return _inherited(kind, self, "constraint")()

    def lagrangian(self: Any, **at: Any) -> Any:
        a, t, z = (at[n] for n in ("a", "t", "z"))
        inner = Blocks({n: at["xi"][n] for n in blocks}, "velocity")
        residual = _residual(constraint(self), selection, group=group, xi=inner, a=a, t=t, z=z)
        multipliers = ops.array(at["xi"][MULTIPLIER]).reshape(-1)
        return user_code.call(_inherited(kind, self, "lagrangian"), xi=inner, a=a, t=t, z=z) + ops.dot(
            multipliers, residual
        )

    changes = {
        "lagrangian": lagrangian, "group": product, "advected": advected, "constraint": lambda self: Unconstrained(),
        "internal": lambda self: (*_inherited(kind, self, "internal")(), *constraint(self).noise.internal),
        "dissipation": None, "force": None, "noise_force": None, "independent_force": None, "configuration": Base.configuration,
        "initial": {},  # it may name coordinates of D
    }  # fmt: skip
    return _variant(system, "Vakonomic", changes)


@explains_calls
def compare_principles(system: SystemDefinition, state: Mapping[str, Any] | None = None, *, multipliers: Any = 0.0
                       ) -> PrincipleComparison:  # fmt: skip
    """The errors of two wrong principles at a state, in the rates of the coordinates of D.

    Parameters
    ----------
    system : System
        With a constraint that has a basis.
    state : mapping, optional
        As for ``evaluate``.
    multipliers : number or array (k,)
        λ of the vakonomic equations. For λ = 0 their rates are the true ones, and the difference grows with λ.
    """
    _refuse_given_motion(a_system(system))
    true, of_substituted, other = evaluate(system, state), evaluate(substituted(system), state), vakonomic(system)
    names = [v.name for v in derived_sde(system, variables="velocity").variables if v.kind == "velocity"]
    labels: list[str] = []
    for name in names:
        size = np.size(true["drift"][name])
        labels += [name] if size == 1 else [f"{name}{i + 1}" for i in range(size)]

    def rates(drift: Mapping[str, Any], names: Iterable[str]) -> np.ndarray:
        return np.concatenate([np.atleast_1d(drift[n]) for n in names])

    values = {**true["derived"], **true["state"]}
    part = other.group.blocks[MULTIPLIER]
    count = part.stop - part.start
    multiplier_values = arguments.validated_array("multipliers", multipliers)
    if multiplier_values.shape not in ((), (1,), (count,)):
        raise errors.InputError("multipliers", expected=f"a number or {count}", got=f"shape {multiplier_values.shape}")
    multiplier_values = np.broadcast_to(multiplier_values, (count,))
    internal = (x.name for x in system.workings.symbolic_definition().internal_states)
    full = {n: values[n] for n in (*system.group.blocks, *system.advected, *internal)}
    full[MULTIPLIER] = multiplier_values if len(multiplier_values) > 1 else float(multiplier_values[0])
    rows, inverse = _selection(system)
    vakonomic_rates = (
        inverse.astype(float)
        @ rates(evaluate(other, full, t=state.t if isinstance(state, Final) else None)["drift"], system.group.blocks)[
            rows
        ]
    )
    return PrincipleComparison(
        tuple(labels), rates(true["drift"], names), rates(of_substituted["drift"], names), vakonomic_rates
    )


def _refuse_given_motion(system: SystemDefinition) -> None:
    """No principle determines a motion that is given, and one that is stated by h has no constraint to vary.

    Raises
    ------
    InputError
        If the system has no Lagrangian.
    """
    definition = system.workings.symbolic_definition()
    if definition.lagrangian is None:
        what = "a Hamiltonian without a constraint" if definition.by_hamiltonian else "a motion that is given"
        raise errors.InputError(
            "principles to compare", expected="a Lagrangian", got=f"{type(system).__name__}, {what}"
        )


def _variant(system: SystemDefinition, prefix: str, changes: Mapping[str, Any]) -> SystemDefinition:
    """The system of a subclass, without observables, since these may refer to variables that it does not have."""
    kind = type(system)
    silent = dict.fromkeys(kind.workings.declared(Observable))
    variant = type(f"{prefix}{kind.__name__}", (kind,), {"__doc__": f"{prefix}: {kind.__doc__}", **silent, **changes})
    return variant(**system.values, **system.workings.choices)


def _inherited(kind: type[SystemDefinition], system: Any, name: str) -> Any:
    """That attribute of ``kind``, bound to a system of a subclass: a method, or any callable that is its attribute."""
    attribute = next(vars(base)[name] for base in kind.__mro__ if name in vars(base))
    bind = getattr(type(attribute), "__get__", None)
    return attribute if bind is None else bind(attribute, system, kind)


def _selection(system: SystemDefinition) -> tuple[list[int], np.ndarray]:
    """Components of ξ, and the constant matrix that makes them the coordinates u of D."""
    s = derived_sde(system, variables="velocity").setting
    if s.distribution is None:
        raise errors.InputError(
            f"the coordinates of D of {type(system).__name__}", expected="a basis of D", got="covectors only"
        )
    if any(e != 0 for e in s.distribution.offset):
        constant = [i for i in range(len(s.xi)) if s.distribution.offset[i] == 0]
    else:
        constant = list(range(len(s.xi)))
    m, basis = s.distribution.basis.shape[1], s.distribution.basis
    rational = [i for i in constant if all(e.is_Rational for e in basis[i])]
    columns = [[Fraction(int(basis[i, k].p), int(basis[i, k].q)) for i in rational] for k in range(m)]
    rows = [rational[j] for _, j in exact.reduce_rows([list(c) for c in columns], range(len(rational)))]
    if len(rows) < m:
        raise errors.InputError(
            f"the coordinates of D of {type(system).__name__}",
            expected="constant combinations of components of ξ",
            got=f"{len(rows)} of {m}",
        )
    block = [[c[rational.index(i)] for c in columns] for i in rows]
    units = [[int(i == j) for i in range(m)] for j in range(m)]
    inverse = zip(*(exact.solve_exactly(block, unit) for unit in units), strict=True)
    return rows, np.array([[exact.simplest(Fraction(x)) for x in row] for row in inverse], dtype=object)


def _residual(constraint: StochasticConstraint, selection: tuple[list[int], np.ndarray] | None, **at: Any) -> Any:
    """Aξ − b; without covectors the components of ξ − B u − c, u = Uξ, that are not coordinates of D."""
    velocity = at["xi"].vector
    if selection is None:
        annihilator: Any = user_code.call(constraint.annihilator, **at)
        residual = ops.matvec(annihilator.covectors, velocity)
        return residual if annihilator.values is None else residual - ops.array(annihilator.values)
    rows, inverse = selection
    distribution: Any = user_code.call(constraint.distribution, **at)
    u = ops.matvec(inverse, ops.stack([velocity[i] for i in rows]))
    residual = velocity - ops.matvec(distribution.basis, u)
    if distribution.offset is not None:
        residual = residual - ops.array(distribution.offset)
    return ops.stack([residual[i] for i in range(len(velocity)) if i not in rows])

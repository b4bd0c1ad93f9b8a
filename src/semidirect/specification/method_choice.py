"""The method of a run that names none, and why it is the one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias, final

from semidirect.integrators import integrator
from semidirect.model import NumericalSDE, QuadraticEnergy

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition
    from semidirect.integrators import Integrator
    from semidirect.model import NumericalSDE

__all__ = ["DefaultMethod", "MethodLike", "default_method"]

MethodLike: TypeAlias = "str | Integrator"
"""A method, or its name."""
ENERGY = "it keeps the energy, which is quadratic and which the equations conserve"
ROUNDED = ", both by random states alone"


@final
@dataclass(frozen=True)
class DefaultMethod:
    """The method of a run that names none."""

    method: Integrator
    why: Callable[[], str]

    @cached_property
    def reason(self) -> str:
        """Why it is the one; found when it is asked for."""
        return self.why()


def default_method(system: SystemDefinition, model: NumericalSDE | None = None, *, noisy: bool = True) -> DefaultMethod:
    """The method that a system names, or that follows from its equations.

    ``implicit-midpoint`` for a constraint in the form Aξ = b, which it keeps, and where the equations conserve a quadratic energy
    along the drift and along all noises, see :class:`.QuadraticEnergy`; ``heun`` for matrices that are written out; ``lie-heun``
    elsewhere, and for lattices. In a run without noise, only the drift counts.
    """
    model = NumericalSDE.of(system) if model is None else model
    choice: DefaultMethod = model.known((default_method, noisy), lambda: _chosen(system, model, noisy))
    return choice


def _chosen(system: SystemDefinition, model: NumericalSDE, noisy: bool) -> DefaultMethod:
    if system.method:
        return DefaultMethod(integrator(system.method), lambda: f"{type(system).__name__} names it")
    inner = model.stepped
    if inner.structure.shape.form == "A":
        return DefaultMethod(integrator("implicit-midpoint"), lambda: "it keeps a constraint in the form Aξ = b")
    energy = QuadraticEnergy(model, noisy)
    if inner is model and energy.conserved:
        return DefaultMethod(integrator("implicit-midpoint"), lambda: ENERGY + ("" if energy.exact else ROUNDED))
    if not system._has_configuration and not system._states_arrays:
        return DefaultMethod(integrator("heun"), lambda: "two evaluations a step")
    return DefaultMethod(
        integrator("lie-heun"), lambda: f"two evaluations a step, and it stays on {_kept_by_geometry(inner)}"
    )


def _kept_by_geometry(model: NumericalSDE) -> str:
    """The quantities that motions by the group preserve: momenta on their orbits only where the state has momenta of all of 𝔰."""
    if model.moving_frame.is_whole:
        return "the group and on orbits"
    return "the group and on the orbits of what is advected" if model.definition.advected else "the group"

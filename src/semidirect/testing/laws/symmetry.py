"""The laws of symmetry: Noether's theorem, paths and their images, and advected quantities that follow the configuration."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from semidirect.core import errors, interpolation, ops
from semidirect.definition import SystemDefinition
from semidirect.engines import Execution
from semidirect.ensemble import simulate
from semidirect.equations import derived_sde
from semidirect.expressions import component_names
from semidirect.invariants import SpaceSymmetry
from semidirect.testing.laws.derived_columns import DerivedColumns
from semidirect.testing.laws.exact_points.numbers import constants, derivatives, same
from semidirect.testing.laws.exact_points.states import ExactState
from semidirect.testing.laws.law import unless
from semidirect.testing.laws.numerics import short
from semidirect.testing.laws.report import Outcome, failed, missing, ok
from semidirect.testing.laws.structure import nothing_advected
from semidirect.testing.laws.subject import Seeded, Subject

if TYPE_CHECKING:
    from semidirect.results import RunData

CLOSE = 1e-11
"""Of two runs of 16 steps, relative. Measured over our systems: 4e-14."""


def spatial_momentum(subject: Subject) -> Outcome:
    """⟨p, Ad_{s⁻¹}ζ⟩ is constant for each symmetry ζ of space that the constraint and the forces leave in peace."""
    try:
        symmetries, why = SpaceSymmetry.undisturbed(subject.system, subject.seed)
        for symmetry in symmetries:
            proof = symmetry.proof(subject.system, seed=subject.seed)
            if not proof.holds:
                return failed(
                    f"the momentum of {symmetry.name} is not constant: {proof.counterexample}",
                    "ad* of the group or the representations: two signs, or a reaction that is not ideal.",
                )
    except errors.InputError as error:
        return missing(str(error))
    if not symmetries:
        return missing(why)
    return ok(f"momenta of {', '.join(x.name for x in symmetries)} constant, along the drift and each noise, exactly")


@unless(nothing_advected)
def orbits(subject: Subject) -> Outcome:
    """a = s⁻¹a₀ stays true: −ρ(ξ)a is the rate of s⁻¹a₀ along the rate of s, exactly, in every column."""
    definition = subject.definition
    equations, sde = subject.derivations(), derived_sde(subject.system, variables="velocity")
    columns = subject.known(velocity_columns)

    def advected(stored: Any) -> np.ndarray:
        return definition.orbit_point(definition.group.element(ops.stack(stored)))

    def off(state: ExactState) -> str:
        value, jacobian = derivatives(advected, constants(state.stored))
        part = slice(len(sde.state) - len(state.a) - len(state.z), len(sde.state) - len(state.z))
        names = [x.name for x in sde.state[part]]
        for name, x, y in zip(names, value, state.a, strict=True):
            if not same(x, y):
                return f"{name} of the state differs from s⁻¹a₀"
        for k, column in enumerate(columns(equations.inputs(sde, state))):
            rates = jacobian @ column["coordinates"]
            for name, x, y in zip(names, rates, column["state"][part], strict=True):
                if not same(x, y):
                    return f"d{name} along column {k}: {float(x):.3g} by s, {float(y):.3g} by −ρ(ξ)a"
        return ""

    results = subject.at_states("orbits", off, count=2)
    wrong = next((f for f in results if f), "")
    if wrong:
        return failed(
            wrong, "act_entries and generators of the representation disagree, or its action is not a left one."
        )
    return ok(f"{', '.join(definition.advected)} = s⁻¹a₀ along every column, exactly at {len(results)} states")


def no_symmetry(subject: Subject) -> str:
    """The reason why there is no symmetry to test."""
    return (
        ""
        if SpaceSymmetry.generators(subject.system.workings.definition())
        else "no symmetry of space leaves the references a₀ unchanged"
    )


@unless(no_symmetry)
def equivariant(subject: Subject) -> Outcome:
    """A symmetry h of space, h·a₀ = a₀, carries paths to paths: from hs with the same velocity and noise, s(t) becomes hs(t)."""
    try:
        return ok(carried_paths(subject, dt=2.0**-10))
    except AssertionError as error:
        return failed(str(error), "force, noise or internal states: do they use the place or the direction in space?")


@interpolation.extended_tables()
def carried_paths(subject: Subject, dt: float, method: str | None = None) -> str:
    """Run 16 steps from a state and from its image under a symmetry of space; in words, how close the paths are.

    Raises
    ------
    AssertionError
        Where the image of the path is another one, or the velocities differ.
    """
    system = subject.system
    group, random = system.group, Seeded(subject.seed).random("equivariant")
    algebra = np.array([[float(x) for x in zeta] for zeta in SpaceSymmetry.generators(system.workings.definition())])
    state = next(subject.source.floats("equivariant", system))
    stored = np.array([state[name] for name in group.stored_names])
    h = group.exp(np.array([random.uniform(-1, 1) for _ in algebra]) @ algebra)
    image = {**state, **dict(zip(group.stored_names, map(float, group.store(h @ group.element(stored))), strict=True))}
    runs = [
        simulate(
            system,
            t_end=16 * dt,
            dt=dt,
            paths=2,
            seed=subject.seed,
            state=start,
            method=method,
            execution=Execution(1, engine="numpy"),
        )
        for start in (state, image)
    ]
    if not all(np.all(np.isfinite(run[v.name])) for run in runs for v in derived_sde(system).variables):
        subject.source.none_is_regular()
    ends = [np.moveaxis(end_elements(system, run), -1, 0) for run in runs]
    names = [v.name for v in derived_sde(system).variables]
    off = {n: _apart(*(run[n] for run in runs)) for n in names} | {"the configuration": _apart(h @ ends[0], ends[1])}
    for name, distance in off.items():
        assert distance < CLOSE, f"{name} differs by {distance:.1e}"
    return f"{len(algebra)} symmetries map paths to paths, off by {max(off.values()):.1e}"


def end_elements(system: SystemDefinition, run: RunData) -> np.ndarray:
    """The configurations at the end of a run, ``(N, N, paths)``."""
    names = component_names.grouped(tuple(system.group.stored_names))
    elements: np.ndarray = system.group.element(np.concatenate([np.atleast_2d(run[n][:, -1].T) for n in names]))
    return elements


def _apart(one: np.ndarray, other: np.ndarray) -> float:
    return float(np.max(np.abs(one - other)) / max(1.0, float(np.max(np.abs(one)))))


def velocity_columns(system: SystemDefinition) -> DerivedColumns:
    """The equations of a system in velocities, at exact numbers."""
    return DerivedColumns(derived_sde(system, variables="velocity"))


def reconstructed(subject: Subject) -> Outcome:
    """In a short run the advected quantities agree with the reconstructed configuration, and paths do not depend on others."""
    system, d = subject.system, subject.system.workings.definition()
    step = short(subject)
    run, fewer = (
        simulate(system, t_end=16 * step, dt=step, paths=n, seed=subject.seed, execution=Execution(1, engine="numpy"))
        for n in (3, 2)
    )
    if np.any(run.status != 0):
        return failed(
            f"{np.count_nonzero(run.status)} of 3 paths failed: {run.failures()[0]}",
            "the fields at the recommended state.",
        )
    for name, values in fewer.data.items():
        if not (np.all(np.isfinite(values)) and np.array_equal(run[name][:2], values)):
            return failed(
                f"{name} is not finite, or differs if fewer paths run", "functions that use all paths at once."
            )
    s = end_elements(system, run)
    worst = max((float(np.max(np.abs(quantity.at_entries(s) - np.atleast_2d(run[name][:, -1].T))))
                 for name, quantity in d.advected.items()), default=0.0)  # fmt: skip
    residual = max(float(d.group.residual(x)) for x in np.moveaxis(s, -1, 0))
    if residual > 1e-10 or worst > 1e-2:
        return failed(f"s is off the group by {residual:.1e}, a off s⁻¹a₀ by {worst:.1e}", "flow_entries of the group.")
    return ok(f"16 steps of {step:.2g} s: s on the group to {residual:.1e}, a = s⁻¹a₀ to {worst:.1e}")

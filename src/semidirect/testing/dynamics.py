"""Properties of motions that hold for a system or do not, asserted: momenta, symmetries, reversal, measures."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import numpy as np

from semidirect import System
from semidirect.core import arguments, errors, user_code
from semidirect.invariants import SpaceSymmetry
from semidirect.testing.laws import exact_points
from semidirect.testing.laws.derivations import Derivations
from semidirect.testing.laws.derived_columns import DerivedColumns
from semidirect.testing.laws.subject import Subject
from semidirect.testing.laws.symmetry import carried_paths, orbits
from semidirect.testing.tested_class import a_system


def assert_spatial_momentum(system: System, *, symmetries: int | None = None) -> None:
    """⟨p, Ad_{s⁻¹}ζ⟩ is constant for each symmetry ζ of space that lies in D, along the drift and each noise, exactly.

    There are none if forces or reactions that are not ideal act.

    Parameters
    ----------
    symmetries : int, optional
        How many there have to be.

    Raises
    ------
    AssertionError
        With the symmetry and a state where its momentum moves.
    """
    a_system(system, "assert_spatial_momentum")
    if symmetries is not None:
        arguments.validated_whole("symmetries", symmetries, least=0)
    directions, why = SpaceSymmetry.undisturbed(system)
    assert symmetries is None or len(directions) == symmetries, (
        f"{len(directions)} symmetries, expected {symmetries}. {why}"
    )
    for one in directions:
        proof = one.proof(system)
        assert proof.holds, f"the momentum of {one.name}: {proof}"


def assert_equivariant(system: System, *, dt: float = 2.0**-6, seed: int = 0, method: str | None = None) -> int:
    """A symmetry h of space, h·a₀ = a₀, carries paths to paths: from hs with the same velocity and noise, s(t) becomes hs(t).

    Returns
    -------
    int
        The dimension of the symmetries, 0 if there is nothing to assert.

    Raises
    ------
    AssertionError
        Where the moved path is another one, or the velocities differ.
    """
    a_system(system, "assert_equivariant")
    subject = Subject.of(system, arguments.validated_seed(seed))
    symmetries = len(SpaceSymmetry.generators(system.workings.definition()))
    if symmetries:
        carried_paths(subject, arguments.validated_positive("dt", dt), method)
    return symmetries


def assert_reversible(system: System, reverse: Mapping[str, Any] | Callable[[Mapping[str, Any]], Mapping[str, Any]], *,
                      states: int = 3, seed: int = 0) -> None:  # fmt: skip
    """The drift is odd under a reversal R of the state: f(R y) = −R f(y), exactly at random states on the orbit.

    Parameters
    ----------
    reverse : dict name → sign or matrix, or callable
        The effect of R on each variable of the velocity state (u, a, z); variables that are left out stay. For most free bodies
        it is {"Omega": −1}.

    Raises
    ------
    AssertionError
        With the variable whose rate is not reversed.
    """
    a_system(system, "assert_reversible")
    states, seed = arguments.validated_whole("states", states, least=1), arguments.validated_seed(seed)
    equations, sde = Derivations.of(system), system.sde(variables="velocity")
    columns, random = DerivedColumns(sde), Random(f"{seed} reversal")
    for state in (exact_points.random_state(equations.theorem.definition, random) for _ in range(states)):
        values = equations.inputs(sde, equations.admissible(state))
        blocks = {v.name: np.array([values[x] for x in v.symbols], dtype=object) for v in sde.variables}
        reverse_values = {**values}
        for name, rows in _reversed(reverse, blocks).items():
            reverse_values.update(zip(next(v.symbols for v in sde.variables if v.name == name), rows, strict=True))
        before, after = (columns(point)[0]["state"] for point in (values, reverse_values))
        rates = _by_name(sde, before)
        for name, rate in _by_name(sde, after).items():
            expected = [-x for x in _reversed(reverse, rates)[name]]
            assert all(exact_points.same(x, y) for x, y in zip(rate, expected, strict=True)), (
                f"d{name} is {exact_points.plain_array(rate)} at the reversed state, "
                f"and −R of it {exact_points.plain_array(expected)}"
            )


def assert_measure(system: System, density: str | Callable[..., Any] | None = None, *, along: str = "drift") -> None:
    """The flow preserves a density, a quantity of the system; without one, Lebesgue's in (P, a, z).

    Raises
    ------
    AssertionError
        Where div(μ g) does not vanish.
    """
    a_system(system, "assert_measure")
    import semidirect as sd

    if density is None:
        measure = sd.invariants.find_measure(system, along=along, locked=False)
        assert all(measure.divergence_free), f"not divergence-free: {measure}"
        return
    measure = sd.invariants.find_measure(system, along=along, factors=[density], locked=False)
    assert measure.exists, str(measure)
    assert list(measure.exponents.values()) == [1], f"another power preserves it: {measure}"  # type: ignore[union-attr]


def assert_orbit(system: System, *, seed: int = 0) -> None:
    """a = s⁻¹a₀ stays true along every column: −ρ(ξ̃)a is the rate of s⁻¹a₀ along the rate of s, exactly.

    Raises
    ------
    AssertionError
        With the component that moves otherwise.
    """
    a_system(system, "assert_orbit")
    outcome = orbits(Subject.of(system, arguments.validated_seed(seed)))
    assert outcome.status != "failed", outcome.figure


def _reversed(reverse: Any, blocks: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    if callable(reverse):
        reversed_state = user_code.apply(reverse, blocks, "a reversal")
        if not isinstance(reversed_state, Mapping):
            raise errors.InputError(
                "the result of a reversal", expected="a mapping of names to values", got=reprlib.repr(reversed_state)
            )
        return {**blocks, **reversed_state}
    if not isinstance(reverse, Mapping):
        raise errors.InputError(
            "a reversal", expected="names and their signs or matrices, or a function", got=repr(reverse)
        )
    out = dict(blocks)
    for name, how in reverse.items():
        if name not in blocks:
            raise errors.InputError(f"a reversal of {name!r}", expected=f"one of {', '.join(blocks)}", got=repr(name))
        size = len(blocks[name])
        try:
            shape = arguments.numeric(how).shape
        except (TypeError, ValueError):
            shape = (0,)
        if shape not in ((), (size,), (size, size)):
            raise errors.InputError(
                f"a reversal of {name!r}", expected=f"a sign or a matrix ({size}, {size})", got=reprlib.repr(how)
            )
        out[name] = how * blocks[name] if np.ndim(how) < 2 else np.array(how, dtype=object).dot(blocks[name])
    return out


def _by_name(sde: Any, rows: Any) -> dict[str, np.ndarray]:
    out, start = {}, 0
    for v in sde.variables:
        out[v.name] = np.array(list(rows[start : start + v.dimension]), dtype=object)
        start += v.dimension
    return out


__all__ = [
    "assert_equivariant", "assert_measure", "assert_orbit", "assert_reversible", "assert_spatial_momentum",
]  # fmt: skip

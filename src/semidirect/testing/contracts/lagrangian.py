"""What every reduced Lagrangian must satisfy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from semidirect.core.arguments import validated_flag
from semidirect.core.blocks import Blocks
from semidirect.core.signatures import call
from semidirect.definition.constraints.unconstrained import Unconstrained
from semidirect.definition.definition import Definition
from semidirect.equations.emission import exact_function
from semidirect.equations.kinematics import setting
from semidirect.equations.program import Program
from semidirect.groups.lie_group import LieGroup
from semidirect.laws.budget import budget
from semidirect.laws.exact_numbers import FIELD, plain, plain_array, same
from semidirect.laws.theorem import Point, Theorem
from semidirect.representations.advected import Advected
from semidirect.testing.state_strategies import orbit_states

EXACT = budget(0.2)


def lagrangian_contract(lagrangian: Callable[..., Any], group: LieGroup, advected: Mapping[str, Advected] | None = None, *,
                        positive: bool = True) -> type:  # fmt: skip
    """A pytest class that tests a Lagrangian l(ξ, a[, t]) with its numbers; assign it to a name that starts with ``Test``.

    Parameters
    ----------
    lagrangian : callable(xi, a[, t])
        A :class:`~semidirect.ReducedLagrangian` or a function.
    group : LieGroup
        Whose velocities it is a function of.
    advected : dict name → Advected, optional
        What else.
    positive : bool
        Whether ∂²l/∂ξ² is to be positive definite.

    Returns
    -------
    type
        Tests at exact states on the orbit: l is a scalar; symbols and numbers get the same l, ∂l/∂ξ, ∂l/∂a and Hessian; the
        energy ⟨p, ξ⟩ − l grows as ½ξ·Hξ along rays where l is quadratic; the Hessian is symmetric and positive.
    """
    definition = Definition(group, lagrangian, Unconstrained(), {} if advected is None else advected)
    s, theorem = setting(definition), Theorem(definition)
    states = orbit_states(definition)

    inputs = (*s.xi, *s.a, s.t)
    symbolic = exact_function(Program((), (), {}), [s.lagrangian, *s.momentum, *s.hessian.flat], inputs, FIELD)

    def at(point: Point) -> list[Any]:
        """L, ∂l/∂ξ and the Hessian, from symbols."""
        return list(symbolic(*point.xi, *point.a, point.t))

    class LagrangianContract:
        """A reduced Lagrangian by symbols and by exact numbers."""

        @EXACT
        @given(state=states)
        def test_symbols_and_numbers_get_the_same_value_and_derivatives(self, state):
            point = Point(state.u, state.a, state.z, state.t)
            numbers = [theorem.lagrangian(point), *theorem.momentum(point), *theorem.hessian(point).flat]
            assert all(same(x, y) for x, y in zip(at(point), numbers, strict=True))

        @EXACT
        @given(state=states)
        def test_floats_get_the_value_of_exact_numbers(self, state):
            point = Point(state.u, state.a, state.z, state.t)
            xi, a = (np.array([float(plain(x)) for x in part]) for part in (point.xi, point.a))
            blocks = {"xi": Blocks.split(xi, group.blocks), "a": Blocks.split(a, definition.advected_layout),
                      "z": Blocks({}), "t": float(point.t)}  # fmt: skip
            value, exact = call(lagrangian, **blocks), float(plain(theorem.lagrangian(point)))
            assert np.shape(value) == ()
            assert abs(float(value) - exact) < 1e-12 * (1 + abs(exact) + float(xi @ xi))

        @EXACT
        @given(state=states)
        def test_the_hessian_is_symmetric(self, state):
            H = theorem.hessian(Point(state.u, state.a, state.z, state.t))
            assert all(same(x, y) for x, y in zip(H.flat, H.T.flat, strict=True))

    if s.quadratic:

        @EXACT
        @given(state=states, scale=st.integers(2, 4))
        def test_energy_along_rays(self: Any, state: Any, scale: int) -> None:
            """E(λξ) − E(0) = ½λ² ξ·Hξ: the terms linear in ξ have no energy."""
            zero, one, far = (Point([k * x for x in state.u], state.a, state.z, state.t) for k in (0, 1, scale))
            xi = np.array(state.u, dtype=object)
            kinetic = xi @ (theorem.hessian(one) @ xi) / 2
            assert same(theorem.energy(far) - theorem.energy(zero), scale * scale * kinetic)

        LagrangianContract.test_energy_along_rays = test_energy_along_rays  # type: ignore[attr-defined]
    if validated_flag("positive", positive):

        @EXACT
        @given(state=states)
        def test_the_hessian_is_positive(self: Any, state: Any) -> None:
            H = plain_array(theorem.hessian(Point(state.u, state.a, state.z, state.t))).astype(float)
            assert np.min(np.linalg.eigvalsh(H)) > 0

        LagrangianContract.test_the_hessian_is_positive = test_the_hessian_is_positive  # type: ignore[attr-defined]
    return LagrangianContract

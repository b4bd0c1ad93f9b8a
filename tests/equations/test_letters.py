"""What a definition names by ``@sd.derived`` stays a letter in equations to read; the numbers are those of runs."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np
import pytest
from latex_width import TEXT_POINTS, widest
from printed_derivation import PrintedDerivation
from printed_page import Printed

import semidirect as sd
from semidirect import ops
from semidirect.equations.derive import derived_sde, lettered_setting
from semidirect.equations.emission import numerical_function

sys.path.insert(0, str(Path(__file__).parents[1] / "facts"))

from contact_systems import Cylinder

NOISE = ((0.1, 0.2, 0.3),)


class Named(Cylinder):
    """The ball in a vertical cylinder with names for normal and contact vector; without them the constraint has its own."""

    noise = sd.parameter(NOISE, symbol="xi", shape=(None, 3))

    @sd.derived()
    def n(self, state):
        """The normal, not of unit length."""
        return self.normal(state)

    @sd.derived(unit="m")
    def s(self, state):
        """The contact vector."""
        n = self.n(state)
        return self.radius * n / ops.norm(n)

    def constraint(self):
        return sd.Rolling(lambda a: self.s(a), noise=self.noise, normal=lambda a: self.n(a))


def unnamed():
    """Without names."""
    return Cylinder(noise=NOISE)


class Spring(sd.System):
    """A top whose spring has a stiffness of time, of Γ and of an internal state: letters of one component."""

    group = sd.SO3()
    advected = {"Gamma": sd.Advected(sd.VectorRepresentation(group), (0, 0, 1))}
    noise = sd.parameter(((0.1, 0.2, 0.3),), symbol="xi", shape=(None, 3))

    @sd.derived()
    def k(self, state):
        """A stiffness."""
        return ops.sin(state.Gamma[0] * state.Gamma[2]) + state.q**2

    @sd.derived()
    def w(self, state):
        """A vector of it."""
        return self.k(state) * state.Gamma + ops.array([0, ops.cos(state.t), 0])

    def internal(self):
        return [sd.InternalState("q", 0.3, lambda z: -z.q)]

    def lagrangian(self, xi, a, t, z):
        here = _State(a, t, z)
        return ops.dot(xi.Omega, xi.Omega) / 2 + ops.dot(xi.Omega, self.w(here)) - ops.exp(self.k(here))

    def constraint(self):
        return sd.Unconstrained(noise=sd.StateNoise(lambda a, t, z: [self.k(_State(a, t, z)) * x for x in self.noise]))


class _State:
    def __init__(self, a, t, z):
        self.Gamma, self.t, self.q = a.Gamma, t, z.q


LETTERED = {"named": Named, "unnamed": unnamed, "spring": Spring, "rattleback": lambda: sd.load("rattleback")}


@pytest.mark.parametrize("name", LETTERED)
@pytest.mark.parametrize("principle", ["hamilton-pontryagin", "lagrange-dalembert"])
def test_lettered_equations_are_those_that_run(name, principle):
    """In every form that there is, at random numbers; with all that a contact says."""
    system, rng = LETTERED[name](), np.random.default_rng(5)
    forms = [{}, {"variables": "velocity"}, {"form": "A"}]
    assert lettered_setting(system).letters
    for how in forms if system.sde().setting.annihilator is not None else forms[:2]:
        plain, lettered = (derived_sde(system, principle, lettered=x, **how) for x in (False, True))
        assert lettered is not plain
        numbers = rng.uniform(0.3, 1.2, len(plain.program.inputs))
        values = []
        for sde in (plain, lettered):
            shown = [e for k in ("state", "v", "p", "f", "xi") for e in sde.program.outputs[k]]
            shown += [e for k, rows in sde.contact.items() if k != "friction-needed" for e in rows]
            values.append(np.array(numerical_function(sde.program, shown, plain.program.inputs)(*numbers), dtype=float))
        np.testing.assert_allclose(values[1], values[0], rtol=1e-13, atol=1e-13)  # measured 8e-16


@pytest.mark.parametrize("kind", [Named, unnamed])
def test_a_ball_in_a_cylinder_has_a_short_page(kind):
    start = time.process_time()
    text = str(kind().equations())
    assert time.process_time() - start < 3
    assert len(text.encode()) < 3000  # measured 1216
    lines = [line.strip() for line in text.splitlines()]
    assert "n = b - (Γ · b) Γ" in lines
    assert "s₁ = n₁ r/sqrt(n₁² + n₂² + n₃²)" in lines
    assert "dn⁽⁰⁾ = ∂n/∂Γ(Γ × Ω) + ∂n/∂b(b × Ω - Y)" in lines
    assert "∂s/∂n(dn⁽⁰⁾) × Y" in text
    assert widest(kind().equations().latex()) <= TEXT_POINTS


@pytest.mark.parametrize("form", ["stratonovich", "ito"])
@pytest.mark.parametrize("kind", [Named, Spring])
def test_pages_with_letters_say_what_is_run(kind, form):
    """Held against the lettered equations, which the first test holds against those that run."""
    system = kind()
    page = Printed(system, form, sde=derived_sde(system, lettered=True)).read()
    assert page.worst < 1e-13  # measured 9e-16
    assert widest(page.pages[1]) <= TEXT_POINTS


@pytest.mark.parametrize("kind", [Named, Spring])
def test_derivations_with_letters_say_what_follows(kind):
    PrintedDerivation(kind()).read()


def test_equations_for_programs_have_letters_and_slopes():
    found = Named().equations().described()
    names = [name for one in found["definitions"] for name in one["names"]]
    assert {"named_s1", "named_n1"} <= set(names)
    assert all(name.isidentifier() for name in names)
    assert any(name.startswith("d_named_s1_by_") for name in names)


def test_what_is_affine_or_needs_the_velocity_is_no_letter():
    assert not lettered_setting(sd.load("routh-sphere")).letters
    assert derived_sde(sd.load("routh-sphere"), lettered=True) is sd.load("routh-sphere").sde()


SURFACES = {
    "plane": lambda x, y: x / 2 + y,
    "gutter": lambda x, y: x**2 / 2,
    "gutter that rises": lambda x, y: x**2 / 2 + y,
    "saddle": lambda x, y: x * y,
    "wave": lambda x, y: ops.sin(x) - 2 * y,
}


class OnGraph(sd.System):
    """A point on a surface z = f(x, y), whose height and place are names; of the place some derivatives are constants."""

    surface = sd.option("plane", choices=tuple(SURFACES))
    group = sd.RealSpace(2)
    advected = {"b": sd.Advected(sd.HomogeneousRepresentation(group), (0, 0, 1))}
    noise = sd.parameter(((0.1, 0.2),), symbol="xi", shape=(None, 2))

    @sd.derived()
    def h(self, state):
        """The height."""
        return SURFACES[self.surface](-state.b[0], -state.b[1])

    @sd.derived()
    def place(self, state):
        """In space."""
        return ops.array([-state.b[0], -state.b[1], self.h(state)])

    def lagrangian(self, xi, a):
        return (
            ops.dot(xi.v, xi.v) * (1 + self.h(a) ** 2) / 2
            - 9.8 * self.place(a)[2]
            - ops.dot(self.place(a), self.place(a))
        )

    def constraint(self):
        return sd.Unconstrained(noise=self.noise)


@pytest.mark.parametrize("surface", SURFACES)
def test_pages_of_surfaces_whose_derivatives_are_partly_constants(surface):
    system = OnGraph(surface=surface)
    for form in ("stratonovich", "ito"):
        page = Printed(system, form, sde=derived_sde(system, lettered=True)).read()
        assert page.worst < 1e-13  # measured 4e-16
    assert str(system.derivation())
    assert system.derivation().latex()
    assert str(system.evolution("place"))

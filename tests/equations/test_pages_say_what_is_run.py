"""Printed pages say what is run: text and LaTeX of every kind of page, read back line by line as numbers.

``python tests/equations/test_pages_say_what_is_run.py 2000`` reads the pages of every quantity of the library, and those of 2,000
random definitions, and prints the largest errors.
"""

from __future__ import annotations

import sys

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from library_pages import loaded
from printed_derivation import PrintedDerivation
from printed_page import Printed

import semidirect as sd
from semidirect import ops
from semidirect.core.errors import DefinitionError
from semidirect.testing import definitions

SYSTEMS = sorted(sd.plugins.available())
FORMS = ("stratonovich", "ito")


def held(system, principle="hamilton-pontryagin", within=1e-13):
    """Read a page; all that moves has an equation on it."""
    page = Printed(system, principle=principle, within=within).read()
    moving = {v.name for v in page.sde.variables if v.kind in ("momentum", "advected", "internal")}
    assert {page.writer.name(name) for name in moving} <= page.held
    return page.held


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", SYSTEMS)
def test_a_page_says_what_is_run(name, form):
    if form == "stratonovich":
        held(loaded(name))  # 8e-15 over 17 systems of the library
    else:
        Printed(loaded(name), form).read()


@pytest.mark.parametrize(("name", "form"), [(name, FORMS[i % 2]) for i, name in enumerate(SYSTEMS)])
def test_a_page_of_a_quantity_says_how_it_moves(name, form):
    """In either form, by turns; the script reads all pages in both."""
    Printed(loaded(name), form, quantity="energy").read()


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_derivation_says_what_follows(name):
    system = loaded(name)
    if system.sde().form == "A":
        with pytest.raises(DefinitionError, match="covectors only"):
            PrintedDerivation(system)
    else:
        PrintedDerivation(system).read()  # measured over the library 7e-16


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("tippe-top", {"friction": "coulomb"}),
        ("tippe-top", {"friction": "viscous", "friction_noise": [1e-3]}),
        ("routh-sphere", {"coupling": "printed"}),
        ("rolling-disk", {"variant": "rolling-noise"}),
    ],
)
def test_pages_of_options(name, options):
    assert "p_Ω" in held(sd.load(name, **options)) or name != "tippe-top"


class Top(sd.System):
    """A body whose kinetic energy is not quadratic: the state is the velocity, and p = ∂l/∂ξ is not solved for it."""

    stiffness = sd.parameter(0.3, symbol="k")
    noise = sd.parameter(((0.1, 0.2, 0.3),), symbol="xi", shape=(None, 3))
    group = sd.SO3()
    advected = {"Gamma": sd.Advected(sd.VectorRepresentation(group), (0, 0, 1))}

    def lagrangian(self, xi, a):
        square = ops.dot(xi.Omega, xi.Omega)
        return square / 2 + square * square / 4 - self.stiffness * a.Gamma[2]

    def constraint(self):
        return sd.Unconstrained(noise=self.noise)


class Veselova(Top):
    """Ω·Γ = 0, by covectors."""

    def constraint(self):
        return sd.CovectorConstraint(lambda a: [a.Gamma], noise=self.noise)


class Across(Top):
    """Ω in a plane that turns with Γ, and reactions that are not ideal."""

    def constraint(self):
        def basis(a):
            return ops.array([[1, 0], [0, 1], [a.Gamma[0], a.Gamma[1] / 2]])

        return sd.DistributionConstraint(basis, {"u": 2}, test=[[1, 0], [0, 1], [0, 0]], noise=self.noise)


class Along(Top):
    """The same, ideal."""

    def constraint(self):
        return sd.DistributionConstraint(lambda a: ops.array([[1, 0], [0, 1], [a.Gamma[0], a.Gamma[1] / 2]]), {"u": 2},
                                         noise=self.noise)  # fmt: skip


@pytest.mark.parametrize("principle", ["hamilton-pontryagin", "lagrange-dalembert"])
@pytest.mark.parametrize(("system", "moved"), [(Top, "M"), (Veselova, "p_Ω"), (Along, "p_u")])
def test_where_the_state_is_a_velocity_what_moves_is_its_momentum(system, moved, principle):
    assert moved in held(system(), principle)


def test_where_reactions_are_not_ideal_the_balance_is_tested():
    lines = [line.strip() for line in str(Across().equations()).splitlines()]
    assert "dp_Ω₁ = (k Γ₂ + p_Ω₂ Ω₃ - p_Ω₃ u₂) dt + (p_Ω₂ ξ₁₃ - p_Ω₃ ξ₁₂)∘dW¹" in lines
    assert "dp_Ω₂ = (-k Γ₁ - p_Ω₁ Ω₃ + p_Ω₃ u₁) dt + (-p_Ω₁ ξ₁₃ + p_Ω₃ ξ₁₁)∘dW¹" in lines


class Convex(sd.System):
    """A body that rolls on the surface of a gradient, s = r∇h(Γ)/√(Γ·AΓ)."""

    kind = sd.option("ellipsoid", choices=("ellipsoid", "tilted", "tethered"))
    inertia = sd.inertia((2.0, 3.0, 4.0))
    noise = sd.parameter(((0.1, 0.2, 0.3),), symbol="xi", shape=(None, 3))
    group = sd.SE3()
    advected = {k: v for k, v in sd.AdvectedFrame(group).items() if k in ("Gamma", "b")}

    def contact(self, a):
        g = a.Gamma
        if self.kind != "tilted":
            return ops.array([g[0], 2 * g[1], 3 * g[2]]) / ops.sqrt(g[0] ** 2 + 2 * g[1] ** 2 + 3 * g[2] ** 2)
        return ops.array(
            [g[0] ** 3, g[1] * g[2] ** 2, ops.exp(g[0])]
        )  # no surface; the equations are those of the theorem

    def lagrangian(self, xi, a):
        kinetic = ops.dot(xi.Omega, ops.inertia(self.inertia, xi.Omega)) / 2 + ops.dot(xi.Y, xi.Y)
        tether = ops.dot(a.b[:3], a.b[:3]) if self.kind == "tethered" else 0
        return kinetic - ops.dot(self.contact(a), a.Gamma) - tether

    def force(self, xi, a):
        return [*ops.cross(a.Gamma, xi.Omega), *xi.Y]

    def noise_force(self, a):
        return [[*a.Gamma, 0, 0, 1]]

    def constraint(self):
        return sd.Rolling(self.contact, noise=self.noise)


@pytest.mark.parametrize("kind", ["ellipsoid", "tilted", "tethered"])
def test_bodies_that_roll_on_any_surface(kind):
    """In s and ∂s/∂Γ, also with forces; where ∂l/∂Γ is no vector expression κ has components."""
    system = Convex(kind=kind)
    text = str(system.equations())
    assert "∂s/∂Γ(Γ × Ω)" in text
    assert ("κ₁⁽⁰⁾ = " in text) == (kind == "tilted")
    held(system)


def drawn(definition):
    """The system of a random definition."""
    forces = {"force": definition.forces.drift, "noise_force": definition.forces.noise,
              "independent_force": definition.forces.independent}  # fmt: skip
    members = {"__doc__": "Drawn.", "group": definition.group, "advected": definition.advected,
               "lagrangian": definition.lagrangian, "constraint": lambda self: definition.constraint,
               "internal": lambda self: definition.internal, **forces}  # fmt: skip
    return type("Drawn", (sd.System,), members)()


def read_all(definition):
    """The pages and the derivation of a random definition; the largest errors of both."""
    system = drawn(definition)
    worst = max(Printed(system, form, within=1e-10).read().worst for form in FORMS)  # polynomials of degree 8
    derived = system.sde().setting.distribution is not None
    return worst, PrintedDerivation(system, within=1e-10).read().worst if derived else 0.0


@pytest.mark.parametrize("start", [8, 14])
def test_pages_of_random_definitions(start):
    """A fixed slice of what ``python tests/equations/test_pages_say_what_is_run.py COUNT`` reads: any group, representation,
    Lagrangian, constraint, noise and force.
    """

    @seed(start)
    @settings(
        max_examples=3,
        derandomize=False,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(definitions())
    def each(definition):
        read_all(definition)

    each()


def main(count):
    """Everything, with the largest errors."""
    worst = {"library": 0.0, "derivations": 0.0, "random": 0.0, "random derivations": 0.0}
    for name in SYSTEMS:
        system = loaded(name)
        for form in FORMS:
            for quantity in ("", *system.observables()):
                found = Printed(system, form, quantity=quantity).read().worst
                worst["library"] = max(worst["library"], found)
        if system.sde().form != "A":
            worst["derivations"] = max(worst["derivations"], PrintedDerivation(system).read().worst)
        print(name, worst, flush=True)

    @seed(0)
    @settings(
        max_examples=count,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(definitions())
    def read(definition):
        pages, derivation = read_all(definition)
        worst["random"] = max(worst["random"], pages)
        worst["random derivations"] = max(worst["random derivations"], derivation)

    read()
    print(worst)


if __name__ == "__main__":
    main(int(sys.argv[1]))

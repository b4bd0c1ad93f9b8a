"""The class of a noise: known systems, both lives of the brackets, and what must not matter."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
import sympy as sp
from hypothesis import event, given, settings
from hypothesis import strategies as st

import semidirect as sd
from semidirect import ops
from semidirect.equations import HamiltonPontryagin
from semidirect.model.emitted_fields import layout
from semidirect.model.noise_classes import noise_class, of_fields
from semidirect.model.random_fields import RandomFields
from semidirect.testing import changes_of_basis, definitions

AXES = [[0.1, 0, 0], [0, 0.2, 0], [0, 0, 0.3]]


@pytest.mark.parametrize(
    ("system", "noise", "state", "with_s"),
    [
        ("rigid-body", AXES, "general", "general"),
        ("rigid-body", AXES[:1], "single", "single"),
        ("rigid-body", [AXES[0], AXES[0]], "single", "single"),
        ("rigid-body", (), "none", "none"),
        ("rigid-body", [[0, 0, 0]], "none", "none"),
        ("heavy-top", AXES[1:], "general", "general"),
        ("heavy-top", [[0.1, 0.2, 0.3], [-0.2, -0.4, -0.6]], "single", "single"),
        ("routh-sphere", AXES, "general", "general"),
        ("routh-sphere", [[0, 0, 0.1], [0, 0, 0.2], [0, 0, -0.3]], "single", "single"),
        ("routh-sphere", AXES[2:], "single", "single"),
    ],
)
def test_known_systems(system, noise, state, with_s):
    found = noise_class(sd.load(system, noise=noise))
    assert (found.name, found.with_configuration) == (state, with_s)
    assert found.transports == (state != "none")


def test_the_disk_has_additive_noise_as_its_angles_are_stored():
    found = noise_class(sd.load("rolling-disk"))
    assert (found.name, found.with_configuration) == ("additive", "additive")
    assert found.transports
    assert "general" not in str(found)


def test_a_reason_names_the_pair_and_the_component():
    """With noises along e₁ and e₂ of 0.1 and 0.2, [g₁, g₂] = ±0.02 M × e₃, which has no component along M₃."""
    found = noise_class(sd.load("rigid-body", noise=[AXES[0], [0, 0, 0], AXES[1]]))
    assert found.name == "general"
    assert "noises 1 and 3 do not commute" in found.reason
    assert "M1" in found.reason


class TwoBodies(sd.System):
    """Two rigid bodies, each with a noise of its own: commuting fields that are neither constant nor parallel."""

    noise = sd.parameter(((1.0, 0.0), (0.0, 1.0)), shape=(2, 2))
    group = sd.DirectProduct(sd.SO3(), sd.SO3(), names=("A", "B"))

    def lagrangian(self, xi: Any) -> Any:
        I = ops.array((1, 2, 3))
        return (ops.dot(xi.A_Omega, I * xi.A_Omega) + ops.dot(xi.B_Omega, I * xi.B_Omega)) / 2

    def constraint(self) -> sd.Unconstrained:
        rows = [[a, 2 * a, 0 * a, 3 * b, b, b] for a, b in np.asarray(self.noise)]
        return sd.Unconstrained(noise=ops.array(rows))


def test_commuting_noises():
    assert noise_class(TwoBodies()).name == "commutative"
    assert noise_class(TwoBodies(noise=[[1, 0], [2, 0]])).name == "single"


class TurnedTop(sd.System):
    """A rigid body with noise fixed in space, N₁ = Γ, and noise in the body, N₂ = e₃, with weights."""

    weight = sd.parameter((1.0, 1.0), shape=(2,))
    group = sd.SO3()
    advected = {"Gamma": sd.Advected(sd.VectorRepresentation(group), reference=(0, 0, 1))}

    def lagrangian(self, xi: Any, a: Any) -> Any:
        return ops.dot(xi.Omega, ops.array((1, 2, 3)) * xi.Omega) / 2 - a.Gamma[0]

    def constraint(self) -> sd.Unconstrained:
        return sd.Unconstrained(
            noise=sd.StateNoise(lambda a: [self.weight[0] * a.Gamma, self.weight[1] * ops.array((0, 0, 1))])
        )


def test_the_configuration_may_have_another_class():
    """Turning space moves no body variable, so g₁ = 0; on the group, left and right translations commute: v₁ = Γ does turn s.

    The bracket on s is Dv₂[g₁] − Dv₁[g₂] + [v₁, v₂] = −Γ×e₃ + Γ×e₃: any wrong sign makes it general.
    """
    found = noise_class(TurnedTop())
    assert (found.name, found.with_configuration) == ("single", "commutative")
    assert "with s commutative" in str(found)
    alone = noise_class(TurnedTop(weight=(1, 0)))
    assert (alone.name, alone.with_configuration) == ("additive", "single")


class Rooted(sd.System):
    """Noise through square roots and sines, which leave the rationals."""

    group = sd.SO3()
    advected = {"Gamma": sd.Advected(sd.VectorRepresentation(group), reference=(0, 0, 1))}
    fixed = sd.option(True)
    size = sd.parameter(1.0)

    def lagrangian(self, xi: Any, a: Any) -> Any:
        return ops.dot(xi.Omega, ops.array((1, 2, 3)) * xi.Omega) / 2

    def constraint(self) -> sd.Unconstrained:
        def fields(a: Any) -> list[Any]:
            square = ops.dot(a.Gamma, a.Gamma)  # 1 on the orbit
            other = ops.array((0, 0, 1)) if self.fixed else ops.array((0, ops.sin(a.Gamma[0]), 1))
            return [self.size * ops.sqrt(square + 1) * ops.array((0, 0, 1)), self.size * ops.exp(square) * other]

        return sd.Unconstrained(noise=sd.noise.FormalNoise(fields))


def test_only_the_orbit_counts_and_roots_are_no_obstacle():
    """Off |Γ| = 1 the two fields along e₃ are no multiples of each other; on it they are."""
    assert noise_class(Rooted()).name == "single"
    assert noise_class(Rooted(fixed=False)).name == "general"


@pytest.mark.parametrize("size", [1e-9, 1e9])
def test_size_does_not_matter(size):
    """Neither in fractions nor in sixty digits: brackets of small fields are small and not 0."""
    assert noise_class(sd.load("rigid-body", noise=size * np.array(AXES))).name == "general"
    assert noise_class(sd.load("rigid-body", noise=size * np.array([AXES[0], AXES[0]]))).name == "single"
    assert noise_class(Rooted(fixed=False, size=size)).name == "general"
    assert noise_class(Rooted(size=size)).name == "single"


def test_parameters_that_differ_from_path_to_path():
    same = np.tile([[0, 0, 0.1], [0, 0, 0.2]], (50, 1, 1)) * np.arange(1, 51)[:, None, None]
    assert noise_class(sd.load("rigid-body", noise=sd.PerPath(same))).name == "single"
    same[-1, 0, 0] = 0.1
    assert noise_class(sd.load("rigid-body", noise=sd.PerPath(same))).name == "general"


@dataclass
class Derived:
    """The equations of a definition in the place of a model, their W^i mixed."""

    definition: Any
    sde: Any

    @classmethod
    def of(cls, definition, mixture=None):
        sde = HamiltonPontryagin().derive(definition)
        if mixture is not None:
            dW = sde.setting.dW
            mixed = {
                x: sp.Add(*(sp.Rational(c.numerator, c.denominator) * y for c, y in zip(row, dW, strict=True)))
                for x, row in zip(dW, mixture, strict=True)
            }
            sde = replace(sde, program=sde.program.call(mixed, "~"))
            sde = replace(sde, program=replace(sde.program, inputs=(*sde.program.inputs, *dW)))
        return cls(definition, sde)

    @property
    def structure(self):
        return self

    shape = property(lambda self: self)
    group = property(lambda self: self.definition.group)
    wieners = property(lambda self: self.sde.wieners)
    dimension = property(lambda self: len(self.sde.state))
    state = property(lambda self: tuple(x.name for x in self.sde.state))
    variables = property(lambda self: tuple(Named(v) for v in self.sde.variables))
    residual = property(lambda self: len(self.sde.program.outputs.get("residual", ())))
    layout = property(lambda self: layout(self, self.group.dimension))

    def text(self, label, write):
        return write()


@dataclass
class Named:
    """A variable as a Shape has it."""

    variable: Any
    kind = property(lambda self: self.variable.kind)
    components = property(lambda self: self.variable.symbols)


@settings(max_examples=12)
@given(data=st.data())
def test_the_class_is_that_of_the_span(data):
    """A regular linear change of the Wiener processes changes no class: in every form, with all kinds of noise."""
    definition = data.draw(definitions())
    plain = Derived.of(definition)
    mixture = data.draw(changes_of_basis(plain.wieners)) if plain.wieners else []
    found = [of_fields([RandomFields(d, [])]) for d in (plain, Derived.of(definition, mixture))]
    event(f"{found[0].name}, with s {found[0].with_configuration}")
    assert found[0].name == found[1].name
    assert found[0].with_configuration == found[1].with_configuration


class InARegion(sd.System):
    """A random torque along e₁ that is Ω₁ in a region, and constant elsewhere."""

    cap = sd.option(True)
    group = sd.SO3()
    advected = {"Gamma": sd.Advected(sd.VectorRepresentation(group), reference=(0, 0, 1))}

    def lagrangian(self, xi, a):
        return ops.dot(xi.Omega, xi.Omega) / 2

    def noise_force(self, xi, a):
        there = a.Gamma[2] > 0.9999 if self.cap else ops.dot(xi.Omega, xi.Omega) > 400
        return [[ops.where(there, xi.Omega[0], 0.2), 0, 0], [0.1, 0, 0]]


@pytest.mark.parametrize("cap", [True, False])
def test_noise_in_a_region_is_seen_wherever_it_is(cap):
    """Elsewhere both fields are constant; there Dg₁[g₂] = 0.1 e₁."""
    assert noise_class(InARegion(cap=cap)).name == "general"

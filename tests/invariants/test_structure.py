"""Brackets, measures, Casimirs, symmetries, wrong principles and contact forces against the literature."""

from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from math import prod

import numpy as np
import pytest
from hypothesis import given, reject
from hypothesis import strategies as st
from systems import Carousel, Kirchhoff, Suslov, chaplygin, homogeneous, kovalevskaya, routh, system_of

import semidirect as sd
from semidirect import ops
from semidirect.core.errors import InputError
from semidirect.invariants import (
    compare_principles,
    find_casimirs,
    find_measure,
    find_symmetries,
    integrability,
    prove,
    substituted,
    vakonomic,
)
from semidirect.invariants.fields import Fields
from semidirect.invariants.parameters import ParameterSet
from semidirect.invariants.proofs import proved
from semidirect.representations import Subrepresentation
from semidirect.testing import definitions, states
from semidirect.testing.laws.sizes import budget

HALF = Fraction(1, 2)


class Particle(sd.System):
    """Nonholonomic particle ż = y ẋ on the Heisenberg group, a = (−y, 1)."""

    group = sd.groups.Heisenberg()
    advected = {"a": sd.Advected(Subrepresentation(sd.VectorRepresentation(group), (0, 1)), (0, 1))}

    def lagrangian(self, xi, a):
        x, y, z = xi.xi
        return (x**2 + y**2 + (z - a.a[0] * x) ** 2) / 2

    def constraint(self):
        return sd.DistributionConstraint([[1, 0], [0, 1], [0, 0]], {"u": 2})


class Disguised(sd.System):
    """A plane body held at a fixed angle by velocities: ν = 0 is holonomic."""

    group = sd.SE2(blocks=("nu", "v"))

    def lagrangian(self, xi):
        return (xi.nu**2 + xi.v[0] ** 2 + xi.v[1] ** 2) / 2

    def constraint(self):
        return sd.CovectorConstraint([[1, 0, 0]], noise=[[0, 1, 0], [1, 0, 0]])


# -- integrability -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("system", "group", "growth", "holonomic"), [
    (routh(), 6, (3, 5), 1),  # the height of the geometric centre
    (chaplygin(), 6, (3, 5), 1),
    (sd.load("rolling-disk"), 4, (2, 3, 4), 0),
    (Particle(), 3, (2, 3), 0),
    (Suslov(), 3, (2, 3), 0),
    (Carousel(), 7, (4, 6), 1),
    (Disguised(), 3, (2,), 1),
    (sd.load("heavy-top"), 3, (3,), 0),
], ids=lambda x: type(x).__name__)  # fmt: skip
def test_growth(system, group, growth, holonomic):
    found = integrability(system)
    assert (found.group, found.growth, found.holonomic) == (group, growth, holonomic)
    assert found.integrable is (len(growth) == 1)


def test_noise_in_the_distribution():
    assert integrability(sd.load("rolling-disk")).noise == (False, True)
    assert integrability(sd.load("rolling-disk", variant="rolling-noise")).noise == (True, True)
    assert integrability(homogeneous()).noise == (True, True)
    assert integrability(Disguised()).noise == (True, False)
    assert "disguise" in str(integrability(Disguised()))


# -- measures ------------------------------------------------------------------------------------------------------

CHAPLYGIN = "1 - mass*radius**2*(" + " + ".join(
    f"Gamma{i + 1}**2/(inertia[{i}] + mass*radius**2)" for i in range(3)
) + ")"  # fmt: skip


def test_measure_of_the_chaplygin_ball():
    """(1 − DΓ·AΓ)^(−1/2) dM dΓ, found as an exponent; along the noise as well; in dΩ dΓ the exponent is +1/2."""
    found = find_measure(chaplygin(), factors=[CHAPLYGIN], locked=False)
    assert found.exponents == {CHAPLYGIN: -HALF}
    assert found.divergence_free == (False,)
    assert find_measure(chaplygin(), along="both").exponents == {"det(BᵀHB)": -HALF}
    assert find_measure(chaplygin(), variables="velocity").exponents == {"det(BᵀHB)": HALF}


def test_measure_of_the_routh_sphere():
    """Q^(−1/2) dM dΓ; another power of it, or the determinant alone, will not do."""
    assert find_measure(routh(), factors=["Q"]).exponents == {"Q": -HALF}
    assert not find_measure(routh()).exists
    assert not find_measure(routh(), degree=1).exists


def test_measures_of_free_systems_and_of_suslov():
    """Lie–Poisson fields have no divergence; Suslov's problem has no density, I₂₃ω₁/I₂₂ − I₁₃ω₂/I₁₁ being its divergence."""
    for system in (sd.load("heavy-top"), sd.load("rigid-body"), Kirchhoff()):
        found = find_measure(system, along="both")
        assert found.exponents == {}
        assert all(found.divergence_free)
    assert not find_measure(Suslov(), degree=3, variables="velocity").exists
    assert find_measure(Suslov(first=0.0, second=0.0), variables="velocity").exists


def test_an_exponential_density():
    """A damped body, dΠ = … − k Π dt: the divergence −3k asks for a density that is not constant."""

    class Damped(sd.System):
        """A body whose damping is k per unit of momentum, with a clock dz = dt."""

        group = sd.SO3()

        def lagrangian(self, xi):
            return ops.dot(xi.Omega, xi.Omega) / 2

        def force(self, xi):
            return -2 * xi.Omega

        def internal(self):
            return [sd.InternalState("z", 0.0, drift=[1])]

    found = find_measure(Damped(), degree=1)
    assert found.exponential == {"z": 6}
    assert "exp((6)*z)" in str(found)
    assert not find_measure(Damped()).exists


# -- Casimirs and symmetries ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("system", "count", "polynomials"), [
    (sd.load("heavy-top"), 2, ["dot(M, Gamma)", "dot(Gamma, Gamma)"]),
    (sd.load("rigid-body"), 1, ["dot(M, M)"]),
    (Kirchhoff(), 2, ["dot(M, p_Y)", "dot(p_Y, p_Y)"]),
], ids=lambda x: type(x).__name__)  # fmt: skip
def test_casimirs(system, count, polynomials):
    """Their number by the rank of the bracket, the quadratic ones by search; every noise keeps them."""
    found = find_casimirs(system)
    assert found.count == count == len(found.basis)
    for casimir, expected in zip(found.basis, polynomials, strict=True):
        assert prove(system, f"{casimir.primitive()} - {expected}").holds
        assert prove(system, expected).certified


def test_casimirs_of_se3_with_a_vertical():
    assert find_casimirs(routh()).count == 3


class Pushed(sd.System):
    """A body under a force; with ``along`` it is M × (M × e₃), which stays on the coadjoint orbits of so(3)."""

    group = sd.SO3()
    along = sd.option("across", choices=("across", "along"), doc="the coadjoint orbits")
    momentum_names = {"Omega": "M"}

    def lagrangian(self, xi):
        return ops.dot(xi.Omega, ops.array([1, 2, 3]) * xi.Omega) / 2

    def force(self, xi):
        M = ops.array([1, 2, 3]) * xi.Omega
        return ops.cross(M, ops.cross(M, ops.array([0, 0, 1]))) if self.along == "along" else -xi.Omega


CONSTRAINED = ["rolling-ball", "suslov", "rolling-disk", "chaplygin-sleigh", "nonholonomic-particle", "turntable-ball",
               "tippe-top", "falling-disc"]  # fmt: skip


@pytest.mark.parametrize(
    "system", [*CONSTRAINED, "heavy-top", "kirchhoff-body", Pushed(), Pushed(along="along")], ids=str
)
def test_casimirs_are_the_motions_own_where_the_motion_uses_the_bracket(system):
    """Of those offered each is proved along drift and noise; none of those left out is."""
    name = system if isinstance(system, str) else type(system).__name__
    system = sd.load(system) if isinstance(system, str) else system
    found = find_casimirs(system)
    free = name in ("heavy-top", "kirchhoff-body") or getattr(system, "along", "") == "along"
    assert found.own == free == (not str(found).startswith("no Lie–Poisson bracket of its own"))
    sde = system.sde(variables="velocity")
    p = dict(zip(found.basis[0].names, [*sde.program.outputs["p"], *sde.setting.a], strict=True))
    for casimir in found.independent:
        expression = sum(
            c.numerator * prod(p[n] ** e for n, e in zip(casimir.names, exponents, strict=True)) / c.denominator
            for (_, exponents), c in casimir.terms.items()
        )
        proof = proved(Fields(sde, {"Q": [expression]}), str(casimir), ParameterSet(system, "given"), symbolic=False)
        assert proof.holds == (casimir in found.kept), casimir


def test_casimirs_of_the_rolling_ball():
    """Neither |p_Y|² nor p_Y·Γ stays, and they are not offered."""
    found = find_casimirs(sd.load("rolling-ball"))
    assert [str(q.primitive()) for q in found.kept] == ["Gamma1**2 + Gamma2**2 + Gamma3**2"]
    assert found.across == ("drift", "noise1")
    assert (len(found.independent), found.count) == (3, 3)
    assert "p_Y" not in str(found)
    assert find_casimirs(sd.load("rolling-ball", noise=())).across == ("drift",)
    assert find_casimirs(Pushed()).kept == ()
    assert find_casimirs(sd.load("rolling-disk")).across == ()


def test_spatial_symmetries():
    """A body keeps all three spatial momenta under noise; a top the vertical one; a body in a fluid all six."""
    body = find_symmetries(sd.load("rigid-body"))
    assert [g.proof.holds for g in body.generators] == [True] * 3
    top = find_symmetries(kovalevskaya())
    assert [(g.name, g.horizontal, g.proof.holds) for g in top.generators] == [("Omega3", True, True)]
    assert sum(g.proof.holds for g in find_symmetries(Kirchhoff()).generators) == 6


def test_symmetries_on_a_basis_with_fractions():
    """ζ stays exact where the generators are thirds of the usual ones."""
    thirds = sd.groups.MatrixGroup(sd.SO3().basis.astype(int) * Fraction(1, 3), name="SO3", blocks={"Omega": 3})

    class Body(sd.System):
        group = thirds

        def lagrangian(self, xi):
            return ops.dot(xi.Omega, ops.array([1, 2, 3]) * xi.Omega) / 2

    found = find_symmetries(Body())
    assert [(g.horizontal, g.proof.holds) for g in found.generators] == [(True, True)] * 3


def test_nonholonomic_symmetries():
    """A rolling ball: one vertical turn about the contact is in D, but no fixed generator, and none is conserved."""
    ball = find_symmetries(routh())
    assert len(ball.generators) == 4
    assert ball.sections == 1
    assert not any(g.horizontal or g.proof.along("drift").holds for g in ball.generators)
    disk = find_symmetries(sd.load("rolling-disk"))
    assert (len(disk.generators), disk.sections) == (4, 2)
    assert not find_symmetries(Disguised(), along="drift").generators[0].horizontal
    rattleback = find_symmetries(sd.load("rattleback"))  # with a root, so that its counterexamples are not rational
    assert (len(rattleback.generators), rattleback.sections) == (4, 1)
    assert not any(v.holds for g in rattleback.generators for v in g.proof.verdicts)
    assert any(not g.proof.counterexample.value.is_rational for g in rattleback.generators)


# -- principles ----------------------------------------------------------------------------------------------------


def test_the_particle_detects_the_substitution():
    """At y = −0.3, (ẋ, ẏ) = (0.8, 0.6): (0.1321, 0), substituted (0.2642, −0.192)."""
    found = compare_principles(Particle(), {"u": (0.8, 0.6), "a": (0.3, 1)})
    x, y, y_ = 0.8, 0.6, -0.3
    true, wrong = (-y_ * x * y / (1 + y_**2), 0), (-2 * y_ * x * y / (1 + y_**2), y_ * x**2)
    np.testing.assert_allclose(found.nonholonomic, true, rtol=0, atol=1e-15)  # measured 3e-17
    np.testing.assert_allclose(found.substituted, wrong, rtol=0, atol=1e-15)  # measured 6e-17
    np.testing.assert_allclose(true, (0.1321, 0), rtol=0, atol=5e-5)
    np.testing.assert_allclose(wrong, (0.2642, -0.192), rtol=0, atol=5e-5)
    np.testing.assert_allclose(found.vakonomic, true, rtol=0, atol=1e-15)  # λ = 0


def without_forces(definition):
    return replace(definition, forces=sd.definition.Forces())


@budget(0.06)
@given(st.data())
def test_vakonomic_rates_are_the_true_ones_where_the_multipliers_vanish(data):
    """With internal states in l, in the constraint and of the noise, and with noise of any kind."""
    system = system_of(without_forces(data.draw(definitions(constraint=["distribution", "both"]))))
    with regular_coordinates():
        found = compare_principles(system, data.draw(states(system)))
    # measured over 65 examples: 1.4e-13
    np.testing.assert_allclose(found.vakonomic, found.nonholonomic, rtol=1e-12, atol=1e-12)


@contextmanager
def regular_coordinates():
    """Definitions of which no components of ξ are the coordinates of D, or without a constraint, are none to compare."""
    try:
        yield
    except InputError as error:
        if "constant combinations" not in str(error) and "without one" not in str(error):
            raise
        reject()


VOLATILITY = sd.noise.VolatilityNoise([[0.1, 0.2]], drift=[[1, 2]], diffusion=[[0.1, 0]], name="zeta")


class Volatile(sd.System):
    """A volatility that moves the constraint; the Lagrangian is an attribute, no method."""

    group = sd.RealSpace(2)
    lagrangian = sd.QuadraticLagrangian((1, 2))

    def constraint(self):
        return sd.DistributionConstraint(lambda z: [[1], [z.zeta1[1]]], {"u": 1}, noise=VOLATILITY)


def test_principles_know_the_internal_states_of_the_noise():
    """du = −4ζu dζ/(1 + 2ζ²)·½ on l = ½(ξ₁² + 2ξ₂²), ξ = (u, ζu), dζ = 2 dt, at the ζ and the time that are given."""
    state = {"u": 0.5, "zeta1": (0.3, -0.4)}
    found = compare_principles(Volatile(), state)
    np.testing.assert_allclose(found.nonholonomic, -2 * -0.4 * 2 * 0.5 / (1 + 2 * 0.4**2), rtol=1e-14)  # measured 2e-16
    np.testing.assert_allclose(found.vakonomic, found.nonholonomic, rtol=1e-14)  # measured 0


def test_vakonomic_rates_depend_on_the_multipliers():
    """The particle's: d/dt(ẋ(1 + y²) − λy)… with λ: ÿ = yẋ² + (λ + …)ẋ from l + λ(ż − yẋ) in coordinates."""
    multiplier = 0.7
    found = compare_principles(Particle(), {"u": (0.8, 0.6), "a": (0.3, 1)}, multipliers=multiplier)
    x, y, y_ = 0.8, 0.6, -0.3
    # x: d(ẋ − λy) = 0, y: ÿ = −λẋ, z: d(ż + λ) = 0, ż = yẋ
    along_x = np.linalg.solve([[1, -y_], [y_, 1]], [multiplier * y, -y * x])
    np.testing.assert_allclose(found.vakonomic, (along_x[0], -multiplier * x), rtol=0, atol=1e-14)  # measured 1e-16
    assert found.vakonomic_off > 0.1


def test_the_vertical_disk_cannot_tell_and_the_ball_can():
    assert compare_principles(sd.load("rolling-disk")).substituted_off == 0
    assert compare_principles(routh()).substituted_off > 0.1  # measured 0.41
    assert compare_principles(routh()).vakonomic_off < 1e-14  # measured 6e-17
    assert "off by" in str(compare_principles(routh()))


def test_the_wrong_models_are_systems():
    """The substituted Routh sphere is a top: it keeps E and M·χ, and not R; of a vakonomic one the residual stays 0."""
    wrong = substituted(routh(noise=[]))
    assert prove(wrong, lambda s: routh().energy(s), along="drift", symbolic=False).holds
    assert prove(wrong, "M3", along="drift").holds
    assert not prove(routh(noise=[]), "M3", along="drift").holds
    assert not prove(wrong, lambda s: routh().routh(s), along="drift").holds
    other = vakonomic(routh(noise=[]))
    assert prove(other, "p_multiplier", along="drift", symbolic=False).holds


def test_principles_refuse():
    with pytest.raises(InputError, match="constraint"):
        vakonomic(sd.load("heavy-top"))
    with pytest.raises(InputError, match="covectors only"):
        substituted(Disguised())


# -- contact -------------------------------------------------------------------------------------------------------


def test_contact_force_is_newtons():
    """N = m(g + z̈) with the height z = ℓ Γ·χ of the centre of mass, by second differences of a run."""
    system = routh(noise=[])
    run = system.simulate(t_end=2, dt=0.02, method="dop853", save="every:1")
    z, h = system.offset * run["Gamma"][..., 2], 0.02
    acceleration = (z[:, 2:] - 2 * z[:, 1:-1] + z[:, :-2]) / h**2
    error = np.abs(run["normal-force"][:, 1:-1] - system.mass * (system.gravity + acceleration)).max()
    assert error < 3e-5  # second differences: measured 1e-5 at h = 0.02, 2.6e-6 at h = 0.01
    assert error > 1e-7
    assert 0.1 < run["friction-needed"].max() < 0.5  # measured 0.2268


def test_contact_that_would_pull():
    """A fast unbalanced ball would leave the plane."""
    run = routh(noise=[]).simulate(
        t_end=1, dt=0.05, method="dop853", save="every:1", state={"Omega": (6.0, 0, 1), "Gamma": (0, 0, 1)}
    )
    assert run["normal-force"].min() < 0
    assert np.isinf(run["friction-needed"].max())

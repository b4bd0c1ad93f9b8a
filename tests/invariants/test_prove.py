"""Exact proofs: what is conserved for the ball and what is not, with counterexamples."""

from fractions import Fraction

import numpy as np
import pytest
from systems import TWO_NOISES, Carousel, Kirchhoff, RollerRacer, TippeTop, chaplygin, homogeneous, kovalevskaya, routh

import semidirect as sd
from semidirect import ops
from semidirect.core.errors import InputError, UnknownNameError
from semidirect.invariants import is_conserved, prove
from semidirect.invariants.certificate import certify, orbit_relations
from semidirect.invariants.fields import Fields
from semidirect.invariants.parameters import ParameterSet
from semidirect.invariants.proofs import chosen_columns
from semidirect.invariants.quantity import expressions

C = "energy - jellett**2/(2*inertia[0]*radius**2) + (inertia[2] - inertia[0])*routh**2/(2*inertia[0]*mass*radius**2)"
GENERAL = {"inertia": (0.4, 0.5, 0.6), "axis": (0.36, -0.48, 0.8), "noise": TWO_NOISES}


@pytest.mark.parametrize("coupling", ["variational", "printed"])
@pytest.mark.parametrize("quantity", ["energy", "jellett", "routh"])
def test_the_routh_sphere_keeps_three_along_its_drift_only(coupling, quantity):
    proof = prove(routh(coupling=coupling), quantity, parameters="generic")
    assert proof.along("drift").holds
    assert proof.along("drift").certificate
    assert proof.along("noise1").holds is False
    assert not proof


@pytest.mark.parametrize("coupling", ["variational", "printed"])
def test_the_constant_that_the_paper_looked_for(coupling):
    """ξ ∥ χ, ℓ = 0, for all I₁ = I₂, I₃, m, r, g, ξ; for ℓ ≠ 0 it is not conserved by the noise."""
    proof = prove(routh(coupling=coupling, offset=0.0), C, parameters="generic")
    assert proof.holds
    assert proof.certified
    assert proof.error == 0
    assert prove(routh(coupling=coupling), C).along("noise1").holds is False


@pytest.mark.parametrize("quantity", ["dot(M, Gamma)", "dot(M, M)", "energy"])
def test_the_chaplygin_ball_keeps_three_whatever_its_inertia(quantity):
    system = chaplygin(inertia=((2.0, 0.1, 0.05), (0.1, 1.4, -0.1), (0.05, -0.1, 1.1)))
    assert prove(system, quantity, along="drift", parameters="generic", symbolic=False).holds
    assert not is_conserved(system, quantity, along="noise")


def test_energy_of_any_ball_with_any_parameters():
    """Also with an inertia and an axis that are drawn freely."""
    assert prove(sd.load("rolling-ball", **GENERAL), "energy", along="drift", parameters="free", symbolic=False).holds
    assert not prove(sd.load("rolling-ball", **GENERAL), "jellett", along="drift", parameters="free").holds


def test_what_depends_on_the_pattern_of_the_parameters():
    """Jellett's integral holds where I₁ = I₂ and χ = E₃, and the pattern of given parameters says so."""
    assert prove(routh(), "jellett", along="drift", parameters="generic").holds
    assert not prove(routh(), "jellett", along="drift", parameters="free").holds
    assert not prove(kovalevskaya(), "(Omega1**2 - Omega2**2 - Gamma1)**2", along="drift").holds
    integral = "(Omega1**2 - Omega2**2 - Gamma1)**2 + (2*Omega1*Omega2 - Gamma2)**2"
    assert prove(kovalevskaya(), integral, along="drift").holds
    assert not prove(kovalevskaya(), integral, along="drift", parameters="generic").holds


def test_homogeneous_ball():
    assert is_conserved(homogeneous(), "dot(Omega, Omega) - dot(Omega, Gamma)**2", parameters="generic")


def test_what_holds_on_the_orbit_only():
    """|Γ| = 1 is used: |Γ|² − 1 times anything is conserved, and a component is not."""
    assert prove(routh(), "(dot(Gamma, Gamma) - 1)*Omega[0]").certified
    assert prove(routh(), "norm(Gamma)").certified
    vector = prove(routh(), "Gamma")
    assert vector.along("drift").holds is False


def test_configuration():
    """gᵀe₃ = Γ and x_gc·e₃, which depend on the coordinates of s; a component of x does not stay."""
    system = routh()
    apart = prove(system, lambda state: ops.stack([state.s[2, i] - state.Gamma[i] for i in range(3)]))
    assert apart.holds
    assert not apart.certified
    assert 0 < apart.error < 1e-30  # measured 2e-33, of which all is the chance that four primes divide coefficients
    assert prove(system, lambda state: system.geometric_centre(state)[2]).holds is True
    assert prove(system, "x1").along("drift").holds is False


def test_probability_and_degree():
    """Without the symbolic part a bound of the error is stated, from a bound of the degree."""
    verdict = prove(routh(), "energy", along="drift", symbolic=False).verdicts[0]
    assert verdict.holds
    assert not verdict.certificate
    assert 4 <= verdict.degree <= 100  # dE·f has numerators of degree 4 in Ω alone
    assert verdict.points == 48
    assert len(set(verdict.primes)) == 4
    assert all(2**30 < p < 2**31 and p % 4 == 3 for p in verdict.primes)
    assert verdict.error < 1e-24  # measured 1e-27
    assert verdict.primes != prove(routh(), "energy", along="drift", symbolic=False).verdicts[0].primes


def test_a_counterexample_is_a_state():
    """Put into ``evaluate``, the state of a counterexample gives its value."""
    system = routh()
    for quantity in ("energy", "jellett", "routh"):
        example = prove(system, quantity).counterexample
        state = {k: [float(x) for x in v] for k, v in example.state.items()}
        assert sum(x * x for x in example.state["Gamma"]) == 1
        assert all(isinstance(x, Fraction) for v in example.state.values() for x in v)
        found = system.evaluate(state)["observables"][quantity]["noise"][0]
        np.testing.assert_allclose(found, float(example.value), rtol=1e-13)  # measured 4e-16


def test_a_certificate_is_not_given_to_what_moves():
    sde = routh().sde(variables="velocity")
    for quantity in ("energy", "jellett", "Omega3"):
        fields = Fields(sde, {"Q": expressions(routh(), quantity, sde)})
        assert not certify(fields, "Q", 1, ParameterSet(routh()))
        assert certify(fields, "Q", 0, ParameterSet(routh())) is (quantity != "Omega3")


def test_relations_of_orbits():
    """|Γ|² = 1; six of a frame and the constant weight of b; none without advected quantities."""
    ball = routh().workings.definition()
    assert orbit_relations(ball) == [{(): -1, (0, 0): 1, (1, 1): 1, (2, 2): 1}]
    assert orbit_relations(Kirchhoff().workings.definition()) == []


def test_forms_with_covectors():
    """In A form the points lie in D: the rolling constraint Aξ − b stays, and so does the energy."""

    class Covectors(sd.System):
        """A ball whose rolling is given by covectors only."""

        group = sd.SE3()
        advected = {"Gamma": sd.Advected(sd.Pullback(sd.VectorRepresentation(sd.SO3()), group, "Omega"), (0, 0, 1))}

        def lagrangian(self, xi):
            return (2 * xi.Omega[0] ** 2 + 3 * xi.Omega[1] ** 2 + 4 * xi.Omega[2] ** 2 + ops.dot(xi.Y, xi.Y)) / 2

        def covectors(self, a):
            return [[*row, *e] for row, e in zip(ops.hat(a.Gamma), ops.identity(3), strict=True)]

        def constraint(self):
            return sd.CovectorConstraint(self.covectors)

    system = Covectors()
    assert prove(system, lambda s: s.Y - ops.cross(s.Omega, s.Gamma), along="drift").holds
    energy = prove(system, lambda s: system.lagrangian(s), along="drift")
    assert energy.certified
    assert not prove(system, "Omega1", along="drift").holds


ROLLING = {"routh-sphere": ("energy", "jellett"), "turntable-ball": ("moving-energy",), "falling-disc": ("energy",)}


@pytest.mark.parametrize("name", ROLLING)
def test_certificates_in_both_forms(name):
    """Rolling by a basis and by covectors: what is conserved is proved symbolically in both, and nothing else is."""
    system = sd.load(name)
    for form in ("A", "B"):
        sde = system.sde(variables="velocity", form=form)
        for quantity in (*ROLLING[name], "Omega1*Y1", "Omega1"):
            fields = Fields(sde, {"Q": expressions(system, quantity, sde)})
            assert certify(fields, "Q", 0, ParameterSet(system)) is (quantity in ROLLING[name]), (form, quantity)


@pytest.mark.parametrize("law", ["proportional", "coulomb"])
def test_jellett_under_any_contact_force(law):
    """Friction that depends on the normal force, also with a root in it, keeps J where I₁ = I₂; the energy goes."""
    system = TippeTop(law=law)
    assert prove(system, "jellett", parameters="generic").certified
    assert not prove(TippeTop(law=law, inertia=(0.5, 0.6, 0.4)), "jellett").holds

    def energy(s):
        return ops.dot(s.p_Omega, s.Omega) / 2 + ops.dot(s.p_Y, s.Y) / 2 - ops.dot(s.b[:3], s.Gamma)

    assert not prove(system, energy).holds


def test_moving_energy():
    """A ball on a turntable keeps E − Ω₀(Ω·𝕀Γ + mY·(Γ×X)), whatever Ω₀, and not E."""
    moving = sd.observable()(Carousel.moving_energy)
    assert prove(Carousel(), moving, parameters="free").holds
    assert not prove(Carousel(), sd.observable()(Carousel.energy)).holds


def test_noise_fixed_in_space():
    """Chaplygin's ball, ξ = cΓ: varied keeps E and M·Γ, put in formally M·Γ; neither keeps |M|²."""
    system = chaplygin(noise=[], vertical_noise=[0.1], vertical="varied")
    kept = {
        q: prove(system, q, along="noise", parameters="generic").holds for q in ("energy", "dot(M, Gamma)", "dot(M, M)")
    }
    assert kept == {"energy": True, "dot(M, Gamma)": True, "dot(M, M)": False}
    formal = chaplygin(noise=[], vertical_noise=[0.1])
    kept = {
        q: prove(formal, q, along="noise", parameters="generic").holds for q in ("energy", "dot(M, Gamma)", "dot(M, M)")
    }
    assert kept == {"energy": False, "dot(M, Gamma)": True, "dot(M, M)": False}


def test_functions_that_are_not_algebraic():
    """sin² + cos² = 1 is known; what is not proved without more is refuted at a state, or left undecided."""
    system = sd.load("rolling-disk")
    assert prove(system, "sin(phi)**2 + cos(phi)**2").holds
    assert prove(system, "x - radius*omega/nu*sin(phi)", along="drift").holds
    assert prove(system, "sin(2*phi)", along="drift").holds is False
    undecided = prove(system, "sin(2*phi) - 2*sin(phi)*cos(phi)", along="drift")
    assert undecided.verdicts[0].holds is None
    assert not undecided


def test_refusals():
    with pytest.raises(UnknownNameError, match="energy"):
        prove(routh(), "enrgy")
    with pytest.raises(UnknownNameError, match="column"):
        prove(routh(), "energy", along="noise2")
    with pytest.raises(UnknownNameError, match="parameters"):
        prove(routh(), "energy", parameters="random")
    with pytest.raises(InputError, match="piecewise"):
        prove(routh(), lambda state: ops.where(state.Omega[0] > 0, 1, 2))
    with pytest.raises(InputError, match="per path"):
        prove(routh(mass=sd.PerPath([1.0, 2.0])), "energy")


def test_columns():
    names = ("drift", "noise1", "noise2")
    assert chosen_columns(names, "both") == [0, 1, 2]
    assert chosen_columns(names, "noise") == [1, 2]
    assert chosen_columns(names, ("noise2", "drift", "both")) == [2, 0, 1]
    assert chosen_columns(names[:1], "both") == [0]
    with pytest.raises(InputError, match="without noise"):
        prove(routh(noise=[]), "energy", along="noise")


def test_a_root_that_is_not_real_is_no_counterexample():
    """√(Ω₁² − 9) exists for some states only, and one of those is given."""
    example = prove(routh(), "sqrt(Omega1**2 - 9)", along="drift").counterexample
    assert example is None or example.value.is_real
    assert prove(routh(), "sqrt(9 + dot(Gamma, Gamma))").holds


@pytest.mark.parametrize("form", ["A", "B"])
@pytest.mark.parametrize(
    ("quantity", "kept"),
    [("energy", ("drift",)), ("nu*steer", ()), ("energy**2*sqrt(1 + nu**2)", ()), ("dot(e, e)", ("drift", "noise1"))],
)
def test_noise_that_depends_on_the_state_is_decided_in_both_forms_at_once(form, quantity, kept):
    """The roller racer: .04 to .3 s measured for a verdict, .001 s to print it."""
    system = RollerRacer(form=form)
    system.sde(variables="velocity")
    proof = prove(system, quantity)
    assert len(str(proof)) < 600
    assert tuple(v.column for v in proof.verdicts if v.holds) == kept
    assert all(v.counterexample is not None for v in proof.verdicts if not v.holds)

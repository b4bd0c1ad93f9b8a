"""The search rediscovers classical integrals, and their number on |Γ| = 1."""

import pytest
from systems import Kirchhoff, chaplygin, homogeneous, kovalevskaya, routh

import semidirect as sd
from semidirect import ops
from semidirect.core.errors import InputError, UnknownNameError
from semidirect.invariants import find_invariants, lie_rank, prove
from semidirect.invariants.algebra.linear_algebra import primes, rank
from semidirect.invariants.generators import _values
from semidirect.invariants.parameters import ParameterSet
from semidirect.invariants.quantity import expressions


def contains(system, found, quantity):
    """Whether a quantity is in the span of the basis and constants, at random points modulo a prime."""
    import numpy as np

    sde, p = system.sde(variables="velocity"), next(primes(5))
    rows = {f"q{i}": system.workings.expression(q, sde) for i, q in enumerate(found.basis)}
    rows["wanted"] = expressions(system, quantity, sde)
    values = _values(sde, rows, 60, ParameterSet(system), p, 5)
    table = np.stack([np.ones_like(values["wanted"]), *(values[k] for k in rows)])
    return rank(table, p) == rank(table[:-1], p) == len(found.basis) + 1


@pytest.mark.parametrize("coupling", ["variational", "printed"])
def test_routh_sphere(coupling):
    """Degree 4: J, J², E and R² along the drift, nothing along the noise as well."""
    system = routh(coupling=coupling)
    found = find_invariants(system, 4)
    assert (found.dimension, found.rank, found.candidates) == (4, 3, 181)
    assert {str(g) for g in found.generators} == {"energy", "jellett", "routh**2"}
    assert (found.products, found.spanned) == (("jellett**2",), 4)
    for quantity in ("jellett", "jellett**2", "energy", "routh**2"):
        assert contains(system, found, quantity)
    assert not contains(system, found, "routh**2*jellett")
    assert not contains(system, found, "Omega3")
    assert all(proof.certified for proof in found.proofs)
    assert find_invariants(system, 4, along="both").dimension == 0
    assert find_invariants(system, 2).dimension == 1


def test_axisymmetric_ball_without_offset():
    """ℓ = 0: 4 along the drift, and 1 along drift and noise, which is C."""
    system = routh(offset=0.0)
    assert find_invariants(system, 4).dimension == 4
    found = find_invariants(system, 4, along="both")
    assert found.dimension == 1
    C = "energy - jellett**2/(2*inertia[0]*radius**2) + (inertia[2] - inertia[0])*routh**2/(2*inertia[0]*mass*radius**2)"
    assert contains(system, found, C)
    assert not contains(system, found, "energy")


def test_chaplygin_ball():
    """Three different moments: M·Γ, its square, E and |M|², none along the noise."""
    system = chaplygin()
    found = find_invariants(system, 4)
    assert (found.dimension, found.rank) == (4, 3)
    for quantity in ("dot(M, Gamma)", "dot(M, Gamma)**2", "energy", "dot(M, M)"):
        assert contains(system, found, quantity)
    assert find_invariants(system, 4, along="both").dimension == 0


def test_homogeneous_ball():
    system = homogeneous()
    found = find_invariants(system, 4, along="both")
    assert found.dimension == 1
    assert contains(system, found, "dot(Omega, Omega) - dot(Omega, Gamma)**2")


def test_kovalevskaya():
    """Degree 4 beside M·Γ, E and their products; gone where I₃ differs."""
    found = find_invariants(kovalevskaya(), 4)
    assert (found.dimension, found.rank) == (6, 3)
    assert contains(kovalevskaya(), found, "(Omega1**2 - Omega2**2 - Gamma1)**2 + (2*Omega1*Omega2 - Gamma2)**2")
    assert set(found.products) == {"energy**2", "energy*momentum-gamma", "momentum-gamma**2"}
    assert found.spanned == 6
    other = find_invariants(kovalevskaya(1.5), 4)
    assert (other.dimension, other.rank) == (5, 2)


@pytest.mark.parametrize("variables", ["velocity", "momentum"])
def test_clebsch(variables):
    """|P|², M·P, E, and M² − βΣa_iP_i² where a_i c_i is the same for all i; 3 elsewhere."""
    found = find_invariants(Kirchhoff(), 2, variables=variables)
    assert (found.dimension, found.rank) == (4, 4)
    for quantity in ("dot(p_Y, p_Y)", "dot(M, p_Y)", "dot(M, M) - p_Y1**2 - 2*p_Y2**2 - 3*p_Y3**2"):
        assert contains(Kirchhoff(), found, quantity)
    assert find_invariants(Kirchhoff(c=(6.0, 3.0, 1.0)), 2, variables=variables).dimension == 3


def test_the_routh_integral_itself_with_a_root():
    """Among monomials times √Q of degree 1 there is Ω₃√Q and nothing else."""
    found = find_invariants(routh(), 1, functions={"sqrt(Q)": "sqrt(Q)"})
    assert [str(q.primitive()) for q in found.basis] == ["Omega3*sqrt(Q)"]
    assert str(found.generators[0]) == "routh"


def test_a_quotient_with_a_function_in_the_denominator():
    """Suslov's kind of dictionary: (M·Γ)/|M|² among monomials over |M|²."""
    system = chaplygin(noise=[])
    found = find_invariants(system, 2, functions={"(1/dot(M, M))": "1/dot(M, M)"})
    assert any(function for q in found.basis for function, _ in q.terms)
    assert contains(system, found, "dot(M, Gamma)/dot(M, M)")


def test_restricted_variables():
    """|Γ|² is constant on the orbit and is not listed; without Γ there is nothing; a free body has E and |M|²."""
    assert find_invariants(routh(), 4, restrict=["Gamma"]).dimension == 0
    assert find_invariants(routh(), 3, restrict=["Omega"]).dimension == 0
    body = find_invariants(sd.load("rigid-body"), 2)
    assert (body.dimension, {str(g) for g in body.generators}) == (2, {"energy", "momentum-squared"})
    assert find_invariants(sd.load("rigid-body"), 2, along="both").dimension == 1


def test_coefficients_that_need_several_primes():
    """Parameters with many figures: the fractions are proved, so they are right."""
    system = chaplygin(inertia=(2.0173, 1.4271, 1.1339), mass=1.0837, radius=0.9371)
    found = find_invariants(system, 4)
    assert found.dimension == 4
    assert all(found.proofs)
    sizes = [max(abs(c.numerator), c.denominator) for q in found.basis for c in q.terms.values()]
    assert max(sizes) > 2**31


def test_polynomials_read_and_write_themselves():
    """What is printed is an expression that ``prove`` reads."""
    system = routh()
    for polynomial in find_invariants(system, 4).basis:
        assert prove(system, str(polynomial.primitive()), along="drift").holds
        assert all(c.denominator == 1 for c in polynomial.primitive().terms.values())
        doubled = str(polynomial.primitive()) + " + Omega1"
        assert not prove(system, doubled, along="drift", symbolic=False).holds


class Doubled(sd.System):
    """A free particle with two volatilities, of components zeta11, zeta12, zeta21, zeta22."""

    group = sd.RealSpace(2)

    def lagrangian(self, xi):
        return ops.dot(xi.v, xi.v) / 2

    def constraint(self):
        return sd.Unconstrained(
            noise=sd.noise.VolatilityNoise([[0.1, 0], [0, 0.1]], diffusion=[[1, 0], [0, 0]], name="zeta")
        )


def test_components_of_what_has_a_number_in_its_name():
    """zeta12 is the second component of zeta1."""
    found = find_invariants(Doubled(), 1, along="both")
    assert {"zeta12", "zeta21", "zeta22"} <= {str(q.primitive()) for q in found.basis}


def test_refusals():
    with pytest.raises(InputError, match="degree"):
        find_invariants(routh(), 0)
    with pytest.raises(UnknownNameError, match="state variable"):
        find_invariants(routh(), 2, restrict=["Omega4"])
    with pytest.raises(InputError, match="without noise"):
        find_invariants(routh(noise=[]), 2, along="noise")
    with pytest.raises(InputError, match=r"too many.*got 90858768\."):  # before they are listed
        find_invariants(routh(), 60)
    with pytest.raises(InputError, match="too many"):
        find_invariants(routh(), 12)
    with pytest.raises(InputError, match="scalar"):
        find_invariants(routh(), 2, functions={"Gamma": "Gamma"})


# -- how many there can be -----------------------------------------------------------------------------------------


def test_rank_of_the_lie_algebra():
    """ℓ ≠ 0: full, so drift and noise have no common invariant of any kind; ℓ = 0 and the homogeneous ball: one."""
    for system, expected in ((routh(), 0), (routh(offset=0.0), 1), (chaplygin(), 0), (homogeneous(), 1)):
        found = lie_rank(system)
        assert found.dimension == 5
        assert found.invariants == expected
    assert lie_rank(routh(coupling="printed")).invariants == 0
    assert lie_rank(routh(), parameters="generic").invariants == 0
    assert lie_rank(routh(), "drift").rank == 1


def test_rank_of_free_bodies():
    """Three noises act as so(3) on |M| = const; a top with noise along its axis keeps three."""
    assert lie_rank(sd.load("rigid-body")).invariants == 1
    assert lie_rank(sd.load("heavy-top")).invariants == 3
    assert lie_rank(Kirchhoff(), "drift").dimension == 6

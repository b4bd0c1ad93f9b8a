"""The search for invariant relations: Q with dQ = ΛQ along the drift."""

import numpy as np
import pytest
import sympy as sp
from systems import routh

import semidirect as sd
from semidirect.core.errors import InputError, UnknownNameError
from semidirect.invariants import find_measure, find_relations, prove
from semidirect.invariants.algebra.linear_algebra import rank
from semidirect.invariants.algebra.modular import ranks, unique_solution
from semidirect.invariants.algebra.power_series import PowerSeriesRing
from semidirect.invariants.algebra.quadratic_numbers import recognised

HALF = 0.5**0.5


def top(inertia=(6.0, 4.0, 3.0), axis=(HALF, 0.0, HALF)):
    return sd.load("heavy-top", inertia=inertia, axis=axis, noise=[])


def flow(drift, size):
    """dz/dt = drift(z), as internal states; the turn ω stays 0."""
    state = sd.InternalState("z", np.zeros(size), drift=lambda z: drift(*z.z))
    return sd.Kinematics(sd.SO2(), internal=[state])


def texts(found):
    return [str(r.polynomial.primitive()) for r in found]


@pytest.fixture(scope="module")
def hess():
    return find_relations(top(), 2)


def test_hess_is_found_and_proved(hess):
    """M·χ = 0 with I₁(I₁ − I₂)χ₃² = I₃(I₂ − I₃)χ₁² in moments: 6·2 : 3·1 = 4 : 1 for Ω. Nothing of degree 2 but its multiples."""
    (relation,) = hess
    assert texts(hess) == ["2*Omega1 + Omega3"]
    assert relation.proof.certified
    assert str(relation.cofactor) == "1/3*Omega2"
    assert (hess.degree, hess.candidates) == (2, 26)
    assert "2*Omega1 + Omega3 = 0 (degree 1, proved symbolically, dQ/dt = Q*(1/3*Omega2))" in str(hess)
    assert texts(find_relations(top(), 1, variables="momentum")) == ["M1 + M3"]
    assert texts(find_relations(top(), 1, restrict=["Omega"])) == ["2*Omega1 + Omega3"]


def test_paths_stay_on_what_is_found(hess):
    (relation,) = hess
    run = top().simulate(state={"Omega": (0.3, 0.4, -0.6)}, t_end=2.0, dt=0.01, method="rk4")
    left = 2 * run["Omega"][0, :, 0] + run["Omega"][0, :, 2]
    assert np.abs(left).max() < 1e-9
    assert np.ptp(run["Omega"][0, :, 0]) > 0.02  # measured 0.031
    assert prove(top(), str(relation.polynomial), on={str(relation.polynomial): 0}).holds


@pytest.mark.parametrize(
    "other",
    [top(inertia=(6.0, 4.5, 3.0)), top(axis=(1, 0, 0)), top(axis=(0.6, 0.0, 0.8))],
    ids=["moments", "axis", "tilted"],
)
def test_a_top_without_the_condition_has_none(other):
    assert len(find_relations(other, 1)) == 0


def test_hess_on_a_level():
    found = find_relations(top(), 1, on={"momentum-gamma": 1})
    assert texts(found) == ["2*Omega1 + Omega3"]
    assert "on momentum-gamma = 1" in str(found)


def test_separatrices_of_a_free_body():
    """On M² = 2I₂E the motion is on the planes √(I₁(I₁ − I₂)) Ω₁ = ±√(I₃(I₂ − I₃)) Ω₃; they are all, beside two integrals."""
    assert texts(find_relations(sd.load("rigid-body", inertia=(6.0, 4.0, 3.0), noise=[]), 2)) == [
        "2*Omega1 + Omega3", "2*Omega1 - Omega3"
    ]  # fmt: skip
    found = find_relations(sd.load("rigid-body", inertia=(3.0, 2.0, 1.0), noise=[]), 1)
    assert sorted(texts(found)) == ["Omega1*sqrt(3) + Omega3", "Omega1*sqrt(3) - Omega3"]
    assert all(r.proof.holds for r in found)


def test_lines_of_equilibria():
    """The sleigh's dω = −κ'ω speed, with the runs straight ahead, and Suslov's axes that do not move; of degree 2 no more."""
    for name, expected in (("chaplygin-sleigh", "omega"), ("suslov", "3*w1 - 2*w2")):
        found = find_relations(sd.load(name), 2)
        assert texts(found) == [expected]
        assert found[0].proof.certified
        assert found[0].cofactor.degree == 1


def test_a_cofactor_that_is_a_quotient():
    """Routh's Ω₃√Q is an integral, so Ω₃ = 0 is a relation, whose cofactor −Q'/2Q is no polynomial."""
    (relation,) = find_relations(routh(), 1)
    assert (str(relation.polynomial), relation.cofactor) == ("Omega3", None)
    assert relation.proof.holds


def test_a_limit_cycle_between_integrals():
    """x² + y² = 1 + z attracts at each z; z itself is an integral, and so are its powers."""
    system = flow(lambda x, y, z: [-y + x * (1 + z - x * x - y * y), x + y * (1 + z - x * x - y * y), 0], 3)
    found = find_relations(system, 2, restrict=["z"])
    (relation,) = found
    assert str(relation.polynomial.primitive()) == "1 + z3 - z1**2 - z2**2"
    assert str(relation.cofactor) == "-2*z1**2 - 2*z2**2"
    assert relation.proof.certified


def test_double_relations():
    """dx = x² dt moves x = ε by ε² only, and of two populations y + εz = 0 stays to first order as y = 0 does."""
    found = find_relations(flow(lambda x, y: [x * x / (1 + y), x - y], 2), 1, restrict=["z"])
    assert texts(found) == ["z1"]
    found = find_relations(flow(lambda x, y, z: [x * (1 - y), y * (x - 1), z * (x + y - 1)], 3), 1, restrict=["z"])
    assert texts(found) == ["z1", "z2", "z3"]
    assert [str(r.cofactor) for r in found] == ["1 - z2", "-1 + z1", "-1 + z1 + z2"]


def test_a_paraboloid_of_the_equations_of_lorenz():
    """x² = 2σz decays at the rate 2σ for b = 2σ (Segur 1982); here σ = 3, b = 6."""
    (found,) = find_relations(
        flow(lambda x, y, z: [3 * (y - x), 28 * x - y - x * z, x * y - 6 * z], 3), 2, restrict=["z"]
    )
    assert (str(found.polynomial.primitive()), str(found.cofactor)) == ("6*z3 - z1**2", "-6")


def test_levels_of_integrals_are_not_listed():
    """y/x² is constant for dx = x dt, dy = 2y dt, so all parabolas y = cx² are invariant; the axes are so by themselves."""
    found = find_relations(flow(lambda x, y: [x, 2 * y], 2), 2, restrict=["z"])
    assert texts(found) == ["z1", "z2"]
    assert sorted(str(r.cofactor) for r in found) == ["1", "2"]
    turning = find_relations(flow(lambda x, y: [-y, x], 2), 2, restrict=["z"])  # an integral, and two complex lines
    assert len(turning) == 0
    assert "along drift: none (5 candidates)" in str(turning)


def test_what_is_refused():
    with pytest.raises(InputError, match="too many candidates"):
        find_relations(top(), 4)
    with pytest.raises(InputError, match=r"algebraic, got sin in them\. Prove.*internal state"):
        find_relations(flow(lambda x, y: [sd.ops.sin(x), y], 2), 1, restrict=["z"])
    with pytest.raises(UnknownNameError, match="Omega"):
        find_relations(top(), 1, restrict=["Omego"])
    with pytest.raises(InputError, match="conserved"):
        find_relations(top(), 1, on={"Omega[0]": 1})


def test_power_series_solve_their_equation():
    """dy/dt = 1 + y², y(0) = 0 is the tangent, dw/dt = 1/(2w), w(0) = 1 the root of 1 + t, modulo a prime and its power."""
    p, order = 151, 12
    for modulus in (p, p**8):
        ring = PowerSeriesRing(modulus, p, order, 1, lambda: np.zeros(1, dtype=object))
        y, w = ring.variable(ring.number(0)), ring.variable(ring.number(1))
        root = (1 + w * w - 1) ** 1
        ring.flow([y, w], [1 + y * y, 1 / (2 * root.elementary("sqrt"))])
        t = sp.Symbol("t")
        for series, exact in ((y, sp.tan(t)), (w, sp.sqrt(1 + t))):
            expected = [sp.series(exact, t, 0, order).removeO().coeff(t, k) for k in range(order)]
            assert [int(x) for x in series.terms[:, 0]] == [
                int(e.p * pow(int(e.q), -1, modulus) % modulus) for e in expected
            ]


@pytest.mark.parametrize("p", [71, 32749])
def test_ranks_of_many_matrices_at_once(p):
    rng = np.random.default_rng(3)
    matrices = rng.integers(0, p, (80, 6, 5))
    matrices[::2, 4] = matrices[::2, 0] * 3 + matrices[::2, 1]
    matrices[::4, 5] = 0
    matrices[::8, :, 2] = matrices[::8, :, 3]
    assert ranks(matrices, p).tolist() == [rank(m, p) for m in matrices]
    assert len(set(ranks(matrices, p).tolist())) >= 2


def test_unique_solutions():
    p, x = 71, np.array([5, 71**3 - 2], dtype=object)
    matrix = np.array([[71, 1], [2, 3], [4, 5]], dtype=object)
    assert unique_solution(matrix, matrix @ x, p**3, p).tolist() == x.tolist()
    assert unique_solution(matrix, matrix @ x + np.array([0, 0, 1]), p**3, p) is None
    assert unique_solution(matrix[:, [0, 0]], matrix[:, 0], p**3, p) is None


def test_numbers_are_recognised_by_their_residues():
    p = 191  # has roots of 2, 3 and 5
    modulus = p**32
    ring = PowerSeriesRing(modulus, p, 1, 1, lambda: np.zeros(1))
    root = int(ring.number(3).elementary("sqrt").terms[0, 0])
    third = pow(3, -1, modulus)
    found = recognised([7 * third, (2 - 5 * root) * third, 4 * root, 0], modulus)
    assert found.square == 3
    sign = 1 if found.root % modulus == root else -1
    assert [str(x) for x in found.rational] == ["7/3", "2/3", "0", "0"]
    assert [str(sign * x) for x in found.irrational] == ["0", "-5/3", "4", "0"]
    assert recognised([pow(5, modulus // 3, modulus)], modulus) is None


@pytest.mark.parametrize(
    "moments", [(3.0, 2.0, 1.0), (6.0, 4.5, 3.0), (5.0, 4.0, 2.0), (7.0, 5.0, 4.0), (6.0, 4.6, 3.4)]
)
def test_hess_with_any_axis_whose_squares_are_simple(moments):
    """I₁(I₂ − I₃)χ₁² = I₃(I₁ − I₂)χ₃² gives χ₁² as a fraction; Q = I₁χ₁Ω₁ + I₃χ₃Ω₃ is M·χ."""
    i1, i2, i3 = moments
    one, other = i3 * (i1 - i2), i1 * (i2 - i3)
    axis = np.sqrt(np.array([one, 0.0, other]) / (one + other))
    (relation,) = find_relations(top(moments, axis), 1)
    assert relation.proof.holds
    text = str(relation.polynomial)
    coefficients = [float(sp.diff(sp.sympify(text), sp.Symbol(f"Omega{i}"))) for i in (1, 3)]
    np.testing.assert_allclose(coefficients[0] / coefficients[1], i1 * axis[0] / (i3 * axis[2]), rtol=1e-14)


def test_rounding_that_hides_a_relation_is_said():
    """As before with squares that are no simple fractions: the axis as written has no relation, the one that is meant has."""
    i1, i2, i3 = 6.017, 4.703, 3.171
    one, other = i3 * (i1 - i2), i1 * (i2 - i3)
    system = top((i1, i2, i3), np.sqrt(np.array([one, 0.0, other]) / (one + other)))
    found = find_relations(system, 1)
    assert len(found) == 0
    assert found.rounded
    assert "undecided" in str(found)
    assert "rounding" in str(found)
    assert "none" not in str(found)
    for other in (system.invariants(1, restrict=["Omega"]), find_measure(system, along="both", locked=False)):
        assert other.rounded == found.rounded
    assert "rounding" in str(system.invariants(1, restrict=["Omega"]))
    exact = find_relations(top(axis=(1, 0, 0)), 1)
    assert exact.rounded == ()
    assert ": none (" in str(exact)


@pytest.mark.parametrize("moments", [(3, 2, 2), (2, 3, 2), (2, 2, 3), (2, 2, 2)])
def test_levels_of_first_integrals_are_not_listed(moments):
    """One or all of Ω are constant; for equal moments nothing moves."""
    assert texts(find_relations(sd.load("rigid-body", inertia=moments, noise=[]), 2)) == []


def test_unit_vectors_with_several_roots_are_exact():
    """(√.3, √.2, √.5) is a unit vector; so Γ·χ keeps its length in proofs, and searches that need one root say so."""
    system = top((3.0, 2.0, 1.0), np.sqrt([0.3, 0.2, 0.5]))
    assert prove(system, "dot(axis, axis)*norm(Gamma)").holds
    assert prove(system, "(dot(axis, axis) - 1)*Omega1").holds
    assert len(find_relations(system, 1)) == 0
    with pytest.raises(InputError, match="one root"):
        system.invariants(1)


@pytest.mark.parametrize(
    ("group", "vector"),
    [(sd.SE2(), (1, 0, 0)), (sd.DirectProduct(sd.SE2(), sd.SO2(blocks=("w",), coordinates=("q",))), None)],
)
def test_relations_on_groups_whose_coordinates_are_angles(group, vector):
    """A sleigh that carries a compass, alone and beside a wheel: ω = 0 stays, with the cofactor −mℓ/(I + mℓ²) v.

    The configuration enters by sine and cosine of its angle, which are drawn as a point of the circle.
    """
    if vector is None:
        compass = sd.Advected(sd.Pullback(sd.VectorRepresentation(sd.SO2()), group, "w"), reference=(1, 0))
    else:
        compass = sd.Advected(sd.HomogeneousRepresentation(group), reference=vector)

    class Sleigh(sd.System):
        """m = 1, ℓ = 1/5, I = 1/2."""

        advected = {"e": compass}

        def lagrangian(self, xi):
            wheel = xi.w**2 if vector is None else 0
            return (xi.nu**2 / 2 + xi.v[0] ** 2 + (xi.v[1] + xi.nu / 5) ** 2 + wheel) / 2

        def constraint(self):
            columns = [[1, 0, 0], [0, 1, 0], [0, 0, 0]]
            if vector is not None:
                return sd.DistributionConstraint([row[:2] for row in columns], names=("turn", "speed"))
            return sd.DistributionConstraint([*columns, [0, 0, 1]], names=("turn", "speed", "wheel"))

    Sleigh.group = group
    found = [r for r in find_relations(Sleigh(), 1).found if str(r.polynomial).startswith("turn")]
    assert len(found) == 1
    assert str(found[0].cofactor) == "-10/27*speed"

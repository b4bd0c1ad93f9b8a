"""Nonholonomic momenta and their equation: against the motion in fractions, and against what the literature knows."""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest
import sympy as sp
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from systems import TWO_NOISES, Carousel, RollingByCovectors, TippeTop, chaplygin, homogeneous, routh

import semidirect as sd
from semidirect import ops
from semidirect.core.errors import InputError
from semidirect.equations.emission import evaluate_exact, exact_function
from semidirect.invariants import nonholonomic_momenta, prove
from semidirect.invariants.algebra.function_field import kernel
from semidirect.invariants.algebra.linear_algebra import primes, rank
from semidirect.invariants.algebra.residues import PrimeField
from semidirect.invariants.algebra.scalars import Numbers
from semidirect.invariants.fields import Fields
from semidirect.invariants.momenta.contact_form import ContactForm
from semidirect.invariants.momenta.material import material_symmetries
from semidirect.invariants.momenta.momentum_equation import momentum_evolution
from semidirect.invariants.momenta.short_forms import shortest, structural_zeros
from semidirect.invariants.parameters import ParameterSet
from semidirect.invariants.points import random_point
from semidirect.invariants.proofs import proved
from semidirect.invariants.sections import evaluator

P = next(primes(3))
SLIPPING = ((0.1, 0.2, 0.3), (0.0, -0.1, 0.2))


class Volatile(sd.System):
    """Chaplygin's ball on a floor that shakes: D, the noise and a force depend on t or on an internal state z."""

    group = sd.SE3()
    advected = {"Gamma": sd.Advected(sd.Pullback(sd.VectorRepresentation(sd.SO3()), group, "Omega"), (0, 0, 1))}

    def lagrangian(self, xi):
        return (2 * xi.Omega[0] ** 2 + 3 * xi.Omega[1] ** 2 + xi.Omega[2] ** 2 + ops.dot(xi.Y, xi.Y)) / 2

    def constraint(self):
        return sd.Rolling(lambda a, t, z: a.Gamma + ops.array([t, 0, z.z]), noise=[[0, 0, 1], [1, 0, 0]])

    def force(self, xi, t):
        return (t * xi.Omega, ops.array([1, 0, 0]))

    def internal(self):
        return [sd.InternalState("z", 0.5, drift=[1], noise=[[2], [-1]])]


class Oblique(sd.System):
    """A body with Ω₃ = 0 whose reaction is not along E₃: d'Alembert's principle holds for other directions than those of D."""

    group = sd.SO3()

    def lagrangian(self, xi):
        x, y, z = xi.Omega
        return (x**2 + 2 * y**2 + 3 * z**2) / 2 + x * z

    def constraint(self):
        return sd.DistributionConstraint(
            [[1, 0], [0, 1], [0, 0]], {"w": 2}, test=[[1, 0], [0, 1], [0.2, -0.1]], noise=TWO_NOISES
        )


SYSTEMS = {
    "routh": lambda: routh(noise=TWO_NOISES),
    "printed": lambda: routh(noise=TWO_NOISES, coupling="printed"),
    "vertical noise": lambda: chaplygin(noise=[], vertical_noise=[0.1], vertical="varied"),
    "homogeneous": homogeneous,
    "covectors": RollingByCovectors,
    "volatile": Volatile,
    "oblique": Oblique,
    "particle": lambda: sd.load("nonholonomic-particle", noise=SLIPPING),
    "sleigh": lambda: sd.load("chaplygin-sleigh", noise=SLIPPING),
    "suslov": lambda: sd.load("suslov", noise=TWO_NOISES),
    "robot": lambda: sd.load("spherical-robot"),
    "carousel": Carousel,
    "tippe top": TippeTop,
    "disk": lambda: sd.load("rolling-disk"),
    "top": lambda: sd.load("lagrange-top", noise=TWO_NOISES),
}


WITH_ROOTS = {
    # a plate that is as hard to turn about any axis: symmetries of l that its contact does not share
    "plate": lambda: sd.load("falling-disc", diametral=0.5, axial=0.5, gravity=0.0, noise=[(0.3, -0.2, 0.5)]),
}


@cache
def momenta(name):
    system = {**SYSTEMS, **WITH_ROOTS}[name]() if name in {*SYSTEMS, *WITH_ROOTS} else sd.load(name)
    return system, nonholonomic_momenta(system)


def claimed(system, quantity, rate, along="drift"):
    """A proof that dQ is a rate, given as a function of the outputs of the program, linear in dt and dW."""
    sde = system.sde(variables="velocity")
    fields = Fields(sde, {"Q": [quantity]}, {"Q": [rate(sde)]})
    return proved(fields, "Q", ParameterSet(system), along, symbolic=False)


# -- the equation --------------------------------------------------------------------------------------------------


SMALL = [Fraction(p, q) for q in (1, 2, 3) for p in (1, -1, 2, -2, 3, 5)]


class Drawn(Numbers):
    """Numbers that Hypothesis draws, small fractions, so that a failure shrinks."""

    def __init__(self, data):
        self.data = data

    def number(self, p, q=1):
        return Fraction(p, q)

    def constant(self, name):
        raise ZeroDivisionError(name)

    def draw(self):
        return self.data.draw(st.sampled_from(SMALL))


@cache
def both_sides(name):
    """dJ along the equations of motion, and by the momentum equation, as functions of the same inputs."""
    system, found = momenta(name)
    sde = system.sde(variables="velocity")
    sides = (
        sde.evolution({j.name: [j.momentum] for j in found.momenta}),
        momentum_evolution(system, sde, {j.name: j.section for j in found.momenta}),
    )
    inputs = (*sde.state, *sde.coordinates.values(), sde.setting.t, *sde.definition.parameters)
    keys = [f"{c}:{q}" for q in sides[0].quantities for c in sides[0].columns]
    functions = [exact_function(x.program, [x.program.outputs[k][0] for k in keys], inputs) for x in sides]
    return system, Fields(sde), inputs, keys, functions


@pytest.mark.parametrize("name", SYSTEMS)
@settings(max_examples=2)
@given(data=st.data())
def test_both_sides_in_fractions(name, data):
    """Values, drifts, noises and Itô drifts at rational states: equal, not close; the right side solves for no rate."""
    system, fields, inputs, keys, (left, right) = both_sides(name)
    try:
        point = random_point(fields, Drawn(data), ParameterSet(system))
        at = [Fraction(point.get(x, 0)) for x in inputs]
        found, expected = right(*at), left(*at)
    except ZeroDivisionError:
        assume(False)
    assert len(keys) == (fields.sde.wieners + 3) * len(momenta(name)[1].momenta) > 0
    assert dict(zip(keys, found, strict=True)) == dict(zip(keys, expected, strict=True))


@pytest.mark.parametrize("name", [*SYSTEMS, "falling-disc", "rattleback"])
def test_every_equation_is_proved(name):
    """Also where there are roots; and a rate that is not that of the equation is refused."""
    system, found = momenta(name)
    for j in found.momenta:
        assert j.equation.holds
        assert j.equation.error < 1e-22  # measured 1e-26 and less, with roots 1e-56
        wrong = claimed(system, j.momentum, lambda sde: 7 * sde.setting.dt)
        assert wrong.holds is False


def test_an_equation_in_symbols():
    """With a certificate, which leaves no probability, and at all parameters of the pattern."""
    found = nonholonomic_momenta(routh(), parameters="generic", symbolic=True)
    assert [j.equation.certified for j in found.momenta] == [True, True]
    assert "proved symbolically" in str(found)


# -- which momenta there are ---------------------------------------------------------------------------------------

KNOWN = {
    # name: (symmetry, kinds, columns that keep it) of each
    "disk": [("space", (), "drift noise1 noise2"), ("space", (), "drift noise1 noise2")],
    "sleigh": [("space", ("JJ",), ""), ("space", ("JJ",), "noise2")],
    "suslov": [("space", ("JJ",), ""), ("space", ("JJ",), "")],
    "routh": [("space", ("Jr'",), ""), ("both", ("Jr'",), "")],
    "falling-disc": [("space", ("Jr'",), ""), ("both", ("Jr'",), "noise1")],
    "rattleback": [("space", ("Jr'", "r'r'"), "")],
    "chaplygin-ball": [("space", (), "drift")],
    "particle": [("space", ("JJ",), ""), ("body", (), "drift noise2")],
    "robot": [("space", None, "noise1 noise2")] * 3 + [("space", None, "drift")],
    "top": [("space", (), "drift noise1 noise2"), ("body", (), "drift")],
    "slipping-ball": [],
}


@pytest.mark.parametrize("name", KNOWN)
def test_momenta(name):
    """How many, by which symmetry, made of which terms, kept by what: as the literature has them, see each test below.

    A rattleback has the turn about the vertical through its contact and nothing beyond, with a term that no momentum
    multiplies, so it cannot be at rest in J; of a body of revolution two momenta obey a linear system.
    """
    _, found = momenta(name)
    rows = [(j.section.kind, j.kinds, [v.column for v in j.conservation.verdicts if v.holds]) for j in found.momenta]
    assert rows == [(kind, kinds, kept.split()) for kind, kinds, kept in KNOWN[name]]
    assert [j.linear for j in found.momenta] == [kinds == ("Jr'",) for _, kinds, _ in KNOWN[name]]


def test_the_vertical_disk():
    """(I + mR²)ω and Jν, of spin and heading: Bloch, Krishnaprasad, Marsden and Murray 1996."""
    system, found = momenta("disk")
    spin, heading = (j.momentum for j in found.momenta)
    sde = system.sde(variables="velocity")
    m, R, I, J = (
        system.workings.parameter_symbols[n].item() for n in ("mass", "radius", "spin_inertia", "turn_inertia")
    )
    omega, nu = (sde.named[n][0] for n in ("omega", "nu"))
    program = sde.program.with_outputs(e=[spin - (I + m * R**2) * omega, heading - J * nu])
    values = {x: Fraction(i + 2, 3) for i, x in enumerate(program.inputs)}
    assert evaluate_exact(program, values)["e"] == [0, 0]


def test_the_particle():
    """p_x + y p_z = m(1 + y²)ẋ, and over √(1 + y²) it is conserved: Bates and Śniatycki 1993, Bloch et al. 1996."""
    system = sd.load("nonholonomic-particle", noise=[])
    first = nonholonomic_momenta(system).momenta[0]
    sde = system.sde(variables="velocity")
    u, a = sde.named["u"], sde.named["a"]
    m = system.workings.parameter_symbols["mass"].item()
    assert prove(system, lambda state: first.momentum - m * (1 + a[0] ** 2) * u[0]).holds
    assert prove(system, lambda state: first.momentum / ops.sqrt(1 + state.a[0] ** 2), along="drift").holds
    assert not prove(system, lambda state: first.momentum, along="drift").holds


def test_the_sleigh():
    """J₁ = (I + ma²)ω and J₂ = mv with dJ₁ = −maωv dt, dJ₂ = maω² dt: Bloch 2003, section 1.7."""
    system, found = momenta("sleigh")
    m, a = (system.workings.parameter_symbols[n].item() for n in ("mass", "ahead"))

    def turn(sde):
        return -m * a * sde.named["omega"][0] * sde.named["speed"][0] * sde.setting.dt

    def advance(sde):
        return m * a * sde.named["omega"][0] ** 2 * sde.setting.dt

    for j, law in zip(found.momenta, (turn, advance), strict=True):
        assert claimed(system, j.momentum, law).holds


@pytest.mark.parametrize("coupling", ["variational", "printed"])
def test_the_ball(coupling):
    """d(M·Γ) = ∓mr²ξ·(Ω×Γ)∘dW of Chaplygin's ball, the lower sign with the noise force; rJ₁ + ℓJ₂ is Jellett's integral."""
    system = chaplygin(noise=TWO_NOISES, coupling=coupling)
    (j,) = nonholonomic_momenta(system).momenta
    sign = -1 if coupling == "variational" else 1
    mass, radius = (system.workings.parameter_symbols[n].item() for n in ("mass", "radius"))

    def law(sde):
        Omega, Gamma = (np.array(sde.named[n], dtype=object) for n in ("Omega", "Gamma"))
        rows = zip(system.workings.parameter_symbols["noise"], sde.setting.dW, strict=True)
        return sum(sign * mass * radius**2 * ops.dot(xi, ops.cross(Omega, Gamma)) * dW for xi, dW in rows)

    assert claimed(system, j.momentum, law, "both").holds
    ball = routh(coupling=coupling)
    one, other = nonholonomic_momenta(ball).momenta
    r, ell = ball.workings.parameter_symbols["radius"].item(), ball.workings.parameter_symbols["offset"].item()
    jellett = prove(ball, lambda state: r * one.momentum + ell * other.momentum, along="drift", parameters="generic")
    assert jellett.holds


def test_the_falling_disc():
    """dJ/dΓ₃ = A(Γ₃)J for J = (M·Γ, M₃), by hand (Chaplygin 1897, Korteweg 1900), the same along any drift.

    With φ the angle of s in the body, dJ₁ = −mr² φ' dΓ₃ and dJ₂ = −mr² (Γ₁Ω₁ + Γ₂Ω₂)/(1 − Γ₃²) dΓ₃; and
    A(Γ₁Ω₁ + Γ₂Ω₂) = J₁ − Γ₃J₂, (C + mr²)Ω₃ = J₂.
    """
    system, found = momenta("falling-disc")
    m, r, A, C = (system.workings.parameter_symbols[n].item() for n in ("mass", "radius", "diametral", "axial"))
    J = [j.momentum for j in found.momenta]

    def laws(sde):
        Gamma = sde.named["Gamma"]
        lean = (J[0] - Gamma[2] * J[1]) / (A * (1 - Gamma[2] ** 2))
        turning = Gamma[2] * lean - J[1] / (C + m * r**2)
        falling = sde.program.outputs["state"][sde.state.index(Gamma[2])]
        return [-m * r**2 * turning * falling, -m * r**2 * lean * falling]

    for i in range(2):
        assert claimed(system, J[i], lambda sde, i=i: laws(sde)[i]).holds
        assert not claimed(system, J[i], lambda sde, i=i: laws(sde)[1 - i]).holds


@pytest.mark.parametrize("name", ["falling-disc", "routh"])
def test_linear_systems(name):
    """dJ/dt = ν A J with the matrix found: ν = −dΓ₃/(1 − Γ₃²), since h = (Γ₂, −Γ₁, 0). That of the disc is the one above."""
    system, found = momenta(name)
    linear, (a, b) = found.linear_system, (j.momentum for j in found.momenta)
    ((h,), (A,)) = linear.shape, linear.matrices
    Gamma = system.sde(variables="velocity").named["Gamma"]
    assert list(h) == [Gamma[1], -Gamma[0], 0]

    def law(i, sde):
        falling = sde.program.outputs["state"][sde.state.index(Gamma[2])]
        return -falling / (1 - Gamma[2] ** 2) * (A[i, 0] * a + A[i, 1] * b)

    for i, j in enumerate(found.momenta):
        assert claimed(system, j.momentum, lambda sde, i=i: law(i, sde)).holds
        assert not claimed(system, j.momentum, lambda sde, i=i: 2 * law(i, sde)).holds
    assert A[0, 0].free_symbols & set(Gamma) == {Gamma[2]}
    assert str(linear).startswith("along h = (Gamma2, -Gamma1, 0), A =\n  [")
    r, ell = (system.workings.parameter_symbols[n].item() for n in ("radius", "offset")) if name == "routh" else (0, 0)
    chi = system.workings.parameter_symbols["axis"][2] if name == "routh" else 0
    assert all(sp.simplify(r * A[0, j] + ell * chi * A[1, j]) == 0 for j in range(2))  # Jellett's rJ₁ + ℓJ₂


def test_no_linear_system():
    for name in ("rattleback", "sleigh", "robot", "tippe top", "slipping-ball"):
        with pytest.raises(InputError, match="linear system"):
            _ = momenta(name)[1].linear_system


def test_the_top():
    """Noise fixed in the body breaks its symmetry: dM₃ = (M × ξ)₃∘dW, as much as it is not along the axis."""
    system, found = momenta("top")
    vertical, axial = found.momenta
    assert vertical.conservation.holds

    def law(sde):
        M = np.array(sde.named["M"], dtype=object)
        return sum(
            ops.cross(M, xi)[2] * dW
            for xi, dW in zip(system.workings.parameter_symbols["noise"], sde.setting.dW, strict=True)
        )

    assert claimed(system, axial.momentum, law, "both").holds


def test_the_robot():
    """The torques of the motors are the rates of the rotors' momenta, whatever the ball does."""
    system, found = momenta("robot")
    for j, torque in zip(found.momenta[:3], system.workings.parameter_symbols["torque"], strict=True):
        assert claimed(system, j.momentum, lambda sde, torque=torque: torque * sde.setting.dt, "both").holds


def test_the_tippe_top():
    """A reaction with friction is part of the equation: it turns the top about its axis, and the vertical."""
    _, found = momenta("tippe top")
    assert [j.section.kind for j in found.momenta] == ["space", "body"]
    assert not any(j.conservation.holds for j in found.momenta)
    assert any("dlambda" in x.name for x in found.evolution.of("J2", "drift")[0].free_symbols)


# -- sections and symmetries of the body ---------------------------------------------------------------------------


def test_sections_span_what_they_should():
    """ρ(η − Σ c_jχ_j)a = 0 with η in D, at random points."""
    for name in ("routh", "carousel", "rattleback", "covectors"):
        system, found = momenta(name)
        s = system.sde(variables="velocity").setting
        field = PrimeField(P, 40, np.random.default_rng(1))
        sde = system.sde(variables="velocity")
        point = random_point(Fields(sde), field, ParameterSet(system))
        for j in found.momenta:
            images = [
                x for q, part in s.definition.advected_layout.items()
                for x in s.definition.advected[q].representation.action(j.section.spatial, s.a[part])
            ]  # fmt: skip
            if s.annihilator is not None:
                images += list(ops.matvec(s.annihilator.covectors, j.section.direction))
            values = evaluator([sp.sympify(x) for x in images], (), point, field)([])
            assert field.valid.sum() > 5
            assert not any(field.spread(x)[field.valid].any() for x in values)


@pytest.mark.parametrize(("system", "expected"), [
    (routh(), [(0, 0, 1, 0, 0, 0)]),
    (chaplygin(), []),
    (homogeneous(), [(1, 0, 0, 0, 0, 0), (0, 1, 0, 0, 0, 0), (0, 0, 1, 0, 0, 0)]),
    (routh(axis=(0.6, 0.0, 0.8), inertia=(2.0, 2.0, 2.0)), [(Fraction(3, 4), 0, 1, 0, 0, 0)]),
    (sd.load("rolling-disk"), [(1, 0, 0, 0), (0, 0, 0, 1)]),
])  # fmt: skip
def test_symmetries_of_the_body(system, expected):
    """Turns about the axis of a body of revolution, wherever that is; of a sphere all; of a disk its turn and its spin."""
    found = material_symmetries(system.sde(variables="velocity").setting, ParameterSet(system))
    assert [tuple(x) for x in found] == expected


SYMBOLS = sp.symbols("x y z", positive=True)
NAMES = dict(zip("xyz", SYMBOLS, strict=True))
entries = st.sampled_from(
    ["0", "1", "x", "y", "z", "x + y", "x*y - 2", "1/(1 + x**2)", "sqrt(1 + x**2)", "3/4", "x/3 - y/2"]
)


@settings(max_examples=30)
@given(rows=st.lists(st.lists(entries, min_size=3, max_size=3), min_size=1, max_size=3))
def test_kernels_over_functions(rows):
    """As many vectors as the rank says, annihilated, and without denominators or a common factor."""
    field = PrimeField(P, 40, np.random.default_rng(0))
    values = {s: field.draw() for s in SYMBOLS}
    matrix = [[sp.sympify(e, locals=NAMES) for e in row] for row in rows]

    def numbers(expressions):
        return [field.spread(x) for x in evaluator(expressions, (), values, field)([])]

    flat = evaluator([e for row in matrix for e in row], (), values, field)([])
    table = np.array([*flat, None], dtype=object)[:-1].reshape(len(rows), 3)
    found = kernel(matrix, table, lambda v: not field.spread(v)[field.valid].any())
    images = numbers([sum(a * b for a, b in zip(row, w, strict=True)) for row in matrix for w in found])
    spot = np.flatnonzero(field.valid)[0]
    at = np.array([field.spread(x)[spot] for x in flat]).reshape(len(rows), 3)
    assert len(found) == 3 - rank(at, P)
    assert not any(x[field.valid].any() for x in images)
    root = sp.sqrt(1 + NAMES["x"] ** 2)
    for w in found:
        named = [sp.expand(x).xreplace({root: sp.Symbol("w")}) for x in w]
        assert all(x.is_polynomial() for x in named)
        assert sp.gcd_list(named) in (1, -1)


@settings(max_examples=30)
@given(
    a=st.integers(-3, 3), b=st.integers(-3, 3), power=st.integers(-3, 1), kept=st.booleans(),
    pick=st.permutations(["x", "y", "x*y", "x**2 + y**2", "z"]),
)  # fmt: skip
def test_short_forms_are_equal(a, b, power, kept, pick):
    """The shortest form is the expression itself, and not longer."""
    (x, y, z), w = SYMBOLS, sp.Symbol("w", positive=True)
    p, q, s = (sp.sympify(e, locals=NAMES) for e in pick[:3])
    e = (a * p + b * q) * sp.sqrt(x**2 + y**2) ** power + s * (z + w) + (q / sp.sqrt(x**2 + y**2) ** 3 if kept else 0)
    found = shortest(e, {w: sp.Integer(0)})
    point = {x: sp.Integer(3), y: sp.Integer(4), z: sp.Rational(2, 7), w: sp.Integer(0)}
    assert sp.simplify(found.subs(point) - e.subs(point)) == 0
    assert w not in found.free_symbols
    assert sp.count_ops(found) <= sp.count_ops(e.subs(w, 0))


@pytest.mark.parametrize(("name", "count"), [("falling-disc", 2), ("routh", 2), ("plate", 3)])
def test_laws_with_the_contact_vector(name, count):
    """dJ in s and ds is dJ, also where a symmetry of the body is not one of its surface."""
    system, found = momenta(name)
    assert len(found.momenta) == count
    sde = system.sde(variables="velocity")
    contact = system.workings.expression(system.workings.quantities(derived=True)["s"], sde)
    zeros = structural_zeros(system, sde.setting)
    for j in found.momenta:
        form = ContactForm.of(sde, j.section, "s", contact, zeros)
        law = sp.Integer(0)
        for k, d in enumerate((sde.setting.dt, *sde.setting.dW)):
            put = dict(zip(form.s, form.contact, strict=True)) | dict(zip(form.ds(k), form.change(k), strict=True))
            assert not form.rate(k).free_symbols.isdisjoint(put)
            law += form.rate(k).xreplace(put) * d
        assert claimed(system, j.momentum, lambda sde, law=law: law, "both").holds
    assert not claimed(system, j.momentum, lambda sde: law + sde.setting.dt).holds


@pytest.mark.parametrize("name", ["falling-disc", "rattleback"])
def test_the_turn_about_the_vertical(name):
    """dJ = mΓ·(ds × Y) of M·Γ, whatever the surface, in drift and noise."""
    assert "dJ₁ = m (Γ · (ds⁽⁰⁾ × Y)) dt + m (Γ · (ds⁽¹⁾ × Y))∘dW¹" in str(momenta(name)[1])


def test_an_axis_that_is_not_a_basis_vector():
    """χ = (3, 0, 4)/5 of a body with equal moments: M·Γ and M·χ, the latter with whole numbers."""
    system = sd.load("rolling-ball", inertia=(2.0, 2.0, 2.0), axis=(0.6, 0.0, 0.8))
    found = nonholonomic_momenta(system)
    assert [list(j.section.coordinates) for j in found.momenta] == [
        list(system.sde().named["Gamma"]), [sp.Rational(3, 4), 0, 1],
    ]  # fmt: skip
    assert all(j.equation.holds for j in found.momenta)


def test_a_ball_on_a_turntable():
    """Sections that depend on where the ball is: M·Γ and M·(rΓ + b), b from the ball to the axis of the table."""
    system, found = momenta("turntable-ball")
    r, (Gamma, b) = system.workings.parameter_symbols["radius"].item(), (system.sde().named[n] for n in ("Gamma", "b"))
    one, other = (list(j.section.coordinates) for j in found.momenta)
    assert one == list(Gamma)
    assert [sp.expand(x - y) for x, y in zip(other, r * Gamma + b[:3], strict=True)] == [0, 0, 0]
    assert found.momenta[0].conservation.along("drift").holds
    assert [j.section.kind for j in found.momenta] == ["body", "both"]


def test_nothing_to_find_and_what_is_refused():
    found = momenta("slipping-ball")[1]
    assert str(found) == "nonholonomic momenta: 0"
    assert "align" in found.latex()
    assert len(momenta("kirchhoff-body")[1].momenta) == 6  # without a constraint, all of p

    class Cased(sd.System):
        """A Lagrangian with cases."""

        group = sd.SO3()

        def lagrangian(self, xi):
            return ops.dot(xi.Omega, xi.Omega) * ops.where(xi.Omega[0] > 0, 1, 2)

    with pytest.raises(InputError, match="piecewise"):
        nonholonomic_momenta(Cased())


def test_pages():
    """Names, values, sections and laws, as text and in LaTeX."""
    _, found = momenta("chaplygin-ball")
    text = str(found).splitlines()
    assert text[0] == "nonholonomic momenta: 1"
    assert text[1].startswith("  J₁ = Γ · M along (Γ, ")
    assert text[-2].startswith("  dJ₁ = ")
    assert text[-2].endswith("∘dW¹")
    assert "error < " in text[-1]
    latex = found.latex()
    assert latex.startswith("\\begin{align*}\nJ_{1} &= ")
    assert r"\mathrm{d}J_{1} &= " in latex
    assert latex.count(r"\begin") == latex.count(r"\end") == 1

"""Constraints on products of groups: blocks that a constraint does not name are free, and both of its forms give one motion."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import semidirect as sd
from semidirect import ops
from semidirect.definition.transport_noise import ConstantNoise
from semidirect.testing import Derivations, definitions, rational_states
from semidirect.testing.contracts.regular import regular
from semidirect.testing.laws.exact_points.numbers import derivatives, plain_array, same
from semidirect.testing.laws.sizes import budget
from semidirect.testing.laws.theorem import Point, Theorem
from semidirect.testing.polynomial_strategies import arrays

BALL, SPIN = (0.104094901857, 0.193992888044, 0.076969471964), 1.223030528036
"""Ω and the spin at t = 2 by the hand-written equations: torque −s × f about the centre, f = m(dY/dt + Ω × Y), by SciPy."""

FACTORS = {
    "SO2": lambda k: sd.SO2(blocks=(f"spin{k}",), coordinates=(f"angle{k}",)),
    "T3": lambda k: sd.groups.Torus(3, blocks=(f"w{k}",), coordinates=tuple(f"angle{k}_{i}" for i in "123")),
    "R1": lambda k: sd.RealSpace(1, blocks=(f"v{k}",), coordinates=(f"line{k}",)),
    "SE2": lambda k: sd.SE2(blocks=(f"nu{k}", f"v{k}"), coordinates=tuple(f"{c}{k}" for c in ("turn", "ex", "ey"))),
    "SO3": lambda k: sd.SO3(blocks=(f"W{k}",), coordinates=tuple(f"h{k}{i}{j}" for i in "123" for j in "123")),
    "Heisenberg": lambda k: sd.groups.Heisenberg(
        blocks=(f"eta{k}",), coordinates=tuple(f"{c}{k}" for c in ("p", "q", "r"))
    ),
    "SE3": lambda k: sd.SE3(
        blocks=(f"W{k}", f"U{k}"),
        coordinates=tuple(f"h{k}{i}{j}" for i in "123" for j in "123") + tuple(f"y{k}_{i}" for i in "123"),
    ),
}


NAMES = tuple(sorted(FACTORS))


@st.composite
def products(draw, names, most=2, body=True):
    """Up to so many groups, with SE(3) among them for a body."""
    others = draw(st.lists(st.sampled_from(names), min_size=1 if body else 2, max_size=most))
    factors = [FACTORS[name](k) for k, name in enumerate(others)]
    if not body:
        return sd.DirectProduct(*factors)
    factors.insert(draw(st.integers(0, len(factors))), sd.SE3())
    return sd.DirectProduct(*factors)


@st.composite
def rolling_definitions(draw, names=NAMES, most=2):
    """A body that rolls on one factor of a product, everything else random."""
    definition = draw(definitions(constraint=["unconstrained"], noise=["constant"], group=products(names, most)))
    k = sum(q.dimension for q in definition.advected.values())
    z = sum(s.dimension for s in definition.internal_states)
    variables = [*(("a", i) for i in range(k)), *(("z", i) for i in range(z)), ("t", 0)]
    vector = arrays((3,), variables)
    noise = ConstantNoise(draw(arrays((draw(st.integers(0, 1)), 3), ()))())
    slip = [draw(vector)] if draw(st.booleans()) else []
    rolling = sd.Rolling(
        draw(vector), noise, slip=lambda a, z, t: [v(a=a, z=z, t=t) for v in slip], offset=draw(st.none() | vector)
    )
    return replace(definition, constraint=rolling)


def assert_one_motion(definition, state):
    """A and B form move ξ alike along every column, by the same reaction."""
    theorem = Theorem(definition)
    point = Point(list(plain_array(theorem.velocity(state.u, state.a, state.z, state.t))), state.a, state.z, state.t)
    with regular():
        pairs = zip(*(theorem.columns(point, form=f, u=state.u) for f in "AB"), strict=True)
        for k, (a, b) in enumerate(pairs):
            along = [*state.u, *state.a, *state.z, state.t]
            m, n = len(state.u), len(state.u) + len(state.a)
            _, slope = derivatives(lambda q, m=m, n=n: theorem.velocity(q[:m], q[m:n], q[n:-1], q[-1]), along)
            moved = slope @ np.array([*b.rates, *b.da, *b.dz, int(k == 0)], dtype=object)
            for left, right in ((a.rates, moved), (a.reaction, b.reaction)):
                assert all(same(x, y) for x, y in zip(plain_array(left), plain_array(right), strict=True))


@budget(0.1)
@given(st.data())
def test_rolling_on_a_product_is_one_motion_in_both_forms(data):
    definition = data.draw(rolling_definitions())
    blocks = definition.group.blocks
    assert list(definition.constraint.coordinates(definition.group)) == [b for b in blocks if b != "Y"]
    assert_one_motion(definition, data.draw(rational_states(definition)))


@budget(0.1)
@given(st.data())
def test_a_graph_on_a_product_is_one_motion_in_both_forms(data):
    definition = data.draw(definitions(constraint=["both"], group=products(NAMES, body=False)))
    assert_one_motion(definition, data.draw(rational_states(definition)))


@budget(0.02, shrink=False)
@given(st.data())
def test_every_form_is_derived_as_the_theorem_says(data):
    definition = data.draw(rolling_definitions(["SO2", "R1"], most=1))
    with regular():
        assert Derivations(definition).differences(data.draw(rational_states(definition))) == []


# -- a body with something in it -----------------------------------------------------------------------------------


def rolling_with(factor, name):
    """A ball of .4 on a plane with another group beside it, whose first component turns against the ball."""
    groups = {"after": lambda: (sd.SE3(), factor), "before": lambda: (factor, sd.SE3())}

    class Loaded(sd.System):
        place = sd.option("after", choices=("after", "before"))

        @property
        def group(self):
            return sd.DirectProduct(*groups[self.place]())

        @property
        def advected(self):
            vertical = sd.Pullback(sd.VectorRepresentation(sd.SO3()), self.group, "Omega")
            return {"Gamma": sd.Advected(vertical, reference=(0, 0, 1))}

        @property
        def initial(self):
            part = self.group.blocks[name]
            return {"Omega": (0.1, 0.2, 0.3), "Gamma": (0, 0, 1), name: np.zeros(part.stop - part.start)}

        def lagrangian(self, xi):
            first = xi[name] if np.ndim(xi[name]) == 0 else xi[name][0]
            rest = ops.dot(xi.vector, xi.vector) - ops.dot(xi.Omega, xi.Omega) - first**2
            return (0.4 * ops.dot(xi.Omega, xi.Omega) + rest + 0.1 * (first + xi.Omega[2]) ** 2) / 2

        def force(self):
            push = np.zeros(self.group.dimension)
            push[self.group.blocks[name].start] = 0.05
            return push

        def constraint(self):
            return sd.Rolling(lambda a: a.Gamma)

    return Loaded


@pytest.mark.parametrize(
    ("factor", "name", "place"),
    [
        ("SO2", "spin0", "after"),
        ("SO2", "spin0", "before"),
        ("T3", "w0", "after"),
        ("R1", "v0", "before"),
        ("SE3", "W0", "before"),
    ],
)
def test_what_is_beside_the_ball_moves(factor, name, place):
    """What was computed for SO(2) holds for a circle of T³, for R¹, and for a body that turns about one axis."""
    factor = FACTORS[factor](0)
    system = rolling_with(factor, name)(place=place)
    steps = {"dop853": (0.1, 1e-11), "lie-midpoint": (0.02, 1e-6), "implicit-midpoint": (0.02, 1e-6), "rkmk4": (0.1, 1e-7),
             "nonholonomic": (0.02, 2e-5)}  # fmt: skip
    for method in steps if place == "after" and name == "spin0" else ("rkmk4",):
        dt, tolerance = steps[method]
        run = system.simulate(t_end=2, dt=dt, method=method)
        spin = np.atleast_1d(run[name][0, -1])[0]
        np.testing.assert_allclose(run["Omega"][0, -1], BALL, rtol=0, atol=tolerance)
        assert abs(spin - SPIN) < 10 * tolerance
    run = system.simulate(t_end=2, dt=0.1, method="dop853", formulation=sd.Formulation(form="A"))
    np.testing.assert_allclose(run["Omega"][0, -1], BALL, rtol=0, atol=1e-11)
    assert not system.is_conserved(f"{name}1" if factor.blocks[name].stop - factor.blocks[name].start > 1 else name)


# -- forms that do not belong together -----------------------------------------------------------------------------


class TwoForms(sd.StochasticConstraint):
    """Directions and covectors, each as it is given."""

    def __init__(self, B, A, names, c=None, b=None, test=None, directions=None):
        self.given, self.names = (B, A, c, b, test, directions), names

    def coordinates(self, group):
        return self.names

    def _at(self, *parts, **at):
        from semidirect.core.user_code.signatures import call

        return [None if x is None else ops.array(call(x, **{k: at[k] for k in ("a", "z", "t")})) for x in parts]

    def distribution(self, **at):
        B, _, c, _, test, _ = self.given
        return sd.Distribution(*self._at(B, c, test, **at))

    def annihilator(self, **at):
        _, A, _, b, _, directions = self.given
        return sd.definition.Annihilator(*self._at(A, b, directions, **at))


def ball_with_spin(constraint):
    """A class of systems on SE(3) × SO(2) with that constraint."""

    class Ball(sd.System):
        stretch = sd.parameter(1.0)
        group = sd.DirectProduct(sd.SE3(), sd.SO2(blocks=("spin",), coordinates=("phi",)))
        advected = {
            "Gamma": sd.Advected(sd.Pullback(sd.VectorRepresentation(sd.SO3()), group, "Omega"), reference=(0, 0, 1))
        }

        def lagrangian(self, xi):
            return ops.dot(xi.vector, xi.vector) / 2

    Ball.constraint = constraint
    return Ball


def columns(a, count=4, factor=1):
    """Directions of a ball of radius 1 that rolls, and of the spin."""
    s = factor * a.Gamma
    out = [[*e, *ops.cross(e, s), 0] for e in np.eye(3, dtype=int)] + [[0, 0, 0, 0, 0, 0, 1]]
    return ops.transpose(ops.array([list(x) for x in out[:count]]))


def rows(a, count=3, factor=1):
    s = factor * a.Gamma
    return ops.array([[*row, *e, 0] for row, e in zip(ops.hat(s), np.eye(3, dtype=int), strict=True)][:count])


ALL = {"Omega": 3, "spin": 1}
FAULTS = {
    "a frozen block": (lambda self: TwoForms(lambda a: columns(a, 3), rows, {"Omega": 3}), r"1 direction.*: spin is missing"),
    "a covector too few": (lambda self: TwoForms(columns, lambda a: rows(a, 2), ALL), "1 direction.*is missing"),
    "two directions too few": (
        lambda self: TwoForms(lambda a: columns(a, 2), rows, {"w": 2}), "2 directions.*; .*are missing",
    ),
    "another radius": (
        lambda self: TwoForms(lambda a: columns(a, factor=2), rows, ALL), r"the direction of Omega\d violates the covector",
    ),
    "another radius by a parameter": (
        lambda self: TwoForms(columns, lambda a: rows(a, factor=self.stretch * 1.001), ALL), "violates the covector",
    ),
    "at some points only": (
        lambda self: TwoForms(columns, lambda a: rows(a, factor=1 + 1e-7 * ops.maximum(a.Gamma[0], 0)), ALL), None,
    ),
    "an offset": (lambda self: TwoForms(columns, rows, ALL, c=[0, 0, 0, 1, 0, 0, 0]), "offset c violates the covector 1"),
    "a value": (lambda self: TwoForms(columns, rows, ALL, b=lambda t: [0, t, 0]), "offset c violates the covector 2"),
    "a reaction": (
        lambda self: TwoForms(columns, rows, ALL, directions=lambda a: rows(a, factor=3).T), "the reaction 1 .* works",
    ),
    "a test space": (
        lambda self: TwoForms(columns, rows, ALL, test=lambda a: columns(a, factor=3)), "works on the test direction",
    ),
    "dependent covectors": (
        lambda self: TwoForms(columns, lambda a: ops.array([*rows(a, 2), sum(rows(a, 2))]), ALL), "covectors A.*dependent",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", [n for n, (_, message) in FAULTS.items() if message])
def test_forms_that_do_not_complement_each_other_are_refused_when_the_system_is_made(name):
    constraint, message = FAULTS[name]
    with pytest.raises(sd.errors.DefinitionError, match=message) as error:
        ball_with_spin(constraint)()
    assert "TwoForms describe two constraints" in str(error.value)
    assert "dimension of the algebra" in str(error.value)


GOOD = {
    "rolling": lambda self: TwoForms(columns, rows, ALL),
    "on the orbit only": lambda self: TwoForms(columns, lambda a: rows(a, factor=ops.dot(a.Gamma, a.Gamma)), ALL),
    "by roots": lambda self: TwoForms(columns, lambda a: rows(a, factor=ops.norm(a.Gamma)), ALL),
    "in tiny units": lambda self: TwoForms(lambda a: 1e-9 * columns(a), lambda a: 1e-12 * rows(a), {"u": 4}),
    "another reaction": lambda self: TwoForms(
        columns, rows, ALL, test=lambda a: columns(a, factor=3), directions=lambda a: rows(a, factor=3).T
    ),
    "values": lambda self: TwoForms(columns, rows, ALL, c=lambda t: [0, 0, 0, t, 0, 0, 1], b=lambda t: [t, 0, 0]),
    "by a parameter": lambda self: TwoForms(
        lambda a: columns(a, factor=self.stretch), lambda a: rows(a, factor=self.stretch), ALL
    ),
    "a root of one": lambda self: TwoForms(columns, lambda a: rows(a, factor=ops.sqrt(self.stretch)), ALL),
}


@pytest.mark.parametrize("name", GOOD)
def test_forms_that_complement_each_other_are_taken(name):
    assert ball_with_spin(GOOD[name])().sde(form="A").form == "A"


def test_forms_are_compared_with_the_numbers_of_the_system():
    """√k for k is right for k = 1 and wrong for others, also where a number is given per path."""
    kind = ball_with_spin(GOOD["a root of one"])
    assert kind(stretch=1.0).stretch == 1.0
    for value in (4.0, sd.PerPath([1.0, 1.0, 4.0]), sd.PerPath([4.0, 1.0])):
        with pytest.raises(sd.errors.DefinitionError, match="violates the covector"):
            kind(stretch=value)

"""Hybrid systems: flight, lift-off, impacts and accumulating transitions against closed forms and independent integrations."""

from fractions import Fraction

import numpy as np
import pytest
import sympy as sp
from hybrid_systems import Ball, FlyingHoop, Hoop, RollingBall, SlidingBall, SlippingHoop, dropped_ball, hopping_hoop
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import solve_ivp
from scipy.special import ellipj

import semidirect as sd
from semidirect import ops
from semidirect.ensemble.hybrid.collision import Ground, collide
from semidirect.laws.budget import budget
from semidirect.model.kinetic_projection import ConstraintAt, nearest_velocity
from semidirect.model.numerical_sde import numerical_sde

# -- the hoop against Newton's equations in space -----------------------------------------------------------------------


def newton(phi, omega, way, friction, m=1.0, M=1.0, r=1.0, g=9.81):
    """Accelerations (a_x, a_y, dω/dt) of centre and hoop, and the force (F, N) of the ground, m the mass of the point."""
    s, c = np.sin(phi), np.cos(phi)
    rows = [[M + m, 0, m * r * c, -1, 0], [0, M + m, -m * r * s, 0, -1], [m * r * c, -m * r * s, (M + m) * r**2, r, 0]]
    known = [m * r * omega**2 * s, m * r * omega**2 * c - (M + m) * g, m * g * r * s]
    ways = {"rolling": ([1, 0, -r, 0, 0], [0, 1, 0, 0, 0]), "backward": ([0, 0, 0, 1, -friction], [0, 1, 0, 0, 0]),
            "flight": ([0, 0, 0, 1, 0], [0, 0, 0, 0, 1])}  # fmt: skip
    return np.linalg.solve([*rows, *ways[way]], [*known, 0, 0])


def integrated(start, way, friction, event):
    """From a state (φ, x, y, ω, v_x, v_y) to an event: its time from the start, and the state there."""

    def rates(t, y):
        a = newton(y[0], y[3], way, friction)
        return [y[3], y[4], y[5], a[2], a[0], a[1]]

    event.terminal, event.direction = True, -1
    found = solve_ivp(rates, (0, 2), start, method="DOP853", rtol=1e-13, atol=1e-13, events=event)
    return found.t_events[0][0], found.y_events[0][0]


def test_times_of_slip_lift_off_and_landing_of_the_hoop():
    mu = 0.6
    run = hopping_hoop(mu).simulate(
        mode="rolling", t_end=1.2, dt=0.02, method="dop853", state={"omega": 10.0, "turn": (-1, 0)}
    )
    assert run.sequence(0) == ("rolling", "backward", "flight", "rolling")

    def force(y, way):
        return newton(y[0], y[3], way, mu)[3:]

    def margin(t, y):
        push, normal = force(y, "rolling")
        return mu * normal - push

    slips, y = integrated([np.pi, 0, 1, 10, 10, 0], "rolling", mu, margin)
    lifts, y = integrated(y, "backward", mu, lambda t, y: force(y, "backward")[1])
    lands, y = integrated(y, "flight", mu, lambda t, y: y[2] - 1 if t > 0.01 else 1.0)
    np.testing.assert_allclose(
        run.transitions.time, np.cumsum([slips, lifts, lands]), rtol=0, atol=1e-9
    )  # measured 5e-13

    # the impact: v = (rω, 0) after it, and the ground exerts no moment about the contact
    before, s, c = y[3:], np.sin(y[0]), np.cos(y[0])
    metric = np.array([[2, c, -s], [c, 2, 0], [-s, 0, 2]])
    allowed = np.array([1, 1, 0])
    after = allowed * (allowed @ metric @ before) / (allowed @ metric @ allowed)
    lost = (before - after) @ metric @ (before - after) / 2
    np.testing.assert_allclose(run.transitions.impulse[-1], metric @ (after - before), rtol=0, atol=1e-9)
    np.testing.assert_allclose(run.transitions.loss, [0, 0, lost], rtol=0, atol=1e-9)
    energy = run["energy"][0]
    np.testing.assert_allclose(energy[50] - energy[52], lost, rtol=0, atol=1e-9)

    # flight: the centre of mass on a parabola, the spin constant
    flight = run.mode[0] == 3
    tau, phi = run.times[flight] - run.transitions.time[1], -np.unwrap(np.angle(run["turn"][0] @ [1, 1j]))[flight]
    mass_at = np.stack([run["x"][0, flight] + np.sin(phi) / 2, run["y"][0, flight] + np.cos(phi) / 2])
    assert np.ptp(run["omega"][0, flight]) < 1e-12
    rise = np.polynomial.Polynomial.fit(tau, mass_at[1] + 4.905 * tau**2, 1)
    np.testing.assert_allclose(rise(tau), mass_at[1] + 4.905 * tau**2, rtol=0, atol=1e-12)
    np.testing.assert_allclose(np.diff(mass_at[0], 2), 0, atol=1e-12)


def test_a_hoop_without_a_mode_that_slips_contradicts_itself():
    """Where N of rolling vanishes, free flight would go down: the paths between both modes are stopped, not continued."""
    hoop = sd.Hybrid(
        {"rolling": Hoop(point_mass=4.0), "flight": FlyingHoop(point_mass=4.0)},
        [
            sd.Switch("rolling", "flight", sd.Stop("normal-force", below=0)),
            sd.Switch("flight", "rolling", sd.Crossing("height", 0, "falling")),
        ],
    )
    run = hoop.simulate(mode="rolling", t_end=0.5, dt=0.02, method="rkmk4", state={"omega": 3.0}, most=10)
    np.testing.assert_array_equal(run.accumulated, [0])
    assert len(run.transitions) == 10
    assert np.ptp(run.transitions.time) == 0
    assert run.ended_at[0] == pytest.approx(0.3168005546429, abs=1e-7)  # the order of rkmk4
    frozen = run.times > run.ended_at[0]
    assert np.ptp(run["turn"][0, frozen], axis=0).max() == 0


# -- flight ----------------------------------------------------------------------------------------------------------------


def test_flight_is_the_free_rigid_body():
    """Euler's equations by Jacobi's elliptic functions, and a parabola."""
    inertia = np.array([0.016, 0.02, 0.03])
    start = np.array([1.0, 0.0, 3.0])
    run = dropped_ball(sd.Impact(), inertia=inertia).simulate(
        mode="flight", t_end=0.4, dt=0.02, method="dop853", state={"Omega": start, "Y": (0.3, 0.2, 0.4)}
    )
    assert not len(run.transitions)
    twice, square = inertia @ start**2, (inertia**2) @ start**2
    one, two, three = inertia
    high, low = twice * three - square, square - twice * one
    tau = run.times * np.sqrt((three - two) * low / (one * two * three))
    sn, cn, dn, _ = ellipj(tau, (two - one) * high / ((three - two) * low))
    sizes = [high / (one * (three - one)), high / (two * (three - two)), low / (three * (three - one))]
    expected = np.sqrt(sizes)[:, None] * [cn, sn, dn]
    np.testing.assert_allclose(run["Omega"][0].T, expected, rtol=0, atol=1e-9)  # measured 1e-12
    place = np.array([0.5, 0, 1.2])[:, None] + np.outer([0.3, 0.2, 0.4], run.times)
    place[2] -= 4.9 * run.times**2
    np.testing.assert_allclose(run["x"][0].T, place, rtol=0, atol=1e-9)


# -- impacts ---------------------------------------------------------------------------------------------------------------

fractions = st.builds(Fraction, st.integers(-9, 9), st.sampled_from([1, 2, 3, 5, 7]))
positive = st.builds(Fraction, st.integers(1, 9), st.sampled_from([1, 2, 3, 5, 7]))


def exact_constraint(system, values, *, covectors=False):
    """The constraint of a system where the symbols of its definition have exact values."""
    setting = numerical_sde(system, form="A" if covectors else None).sde.setting
    named = {s: values[s.name] for s in setting.a} | {p: values[p.name] for p in setting.definition.parameters}

    def put(array):
        numbers = [sp.Rational(sp.sympify(x).xreplace(named)) for x in np.ravel(array)]
        numbers = [Fraction(int(x.p), int(x.q)) for x in numbers]
        return np.array(numbers, dtype=object).reshape(np.shape(array))

    form = setting.annihilator if covectors or setting.distribution is None else setting.distribution
    matrix, offset = (form.covectors, form.values) if form is setting.annihilator else (form.basis, form.offset)
    return ConstraintAt(put(setting.hessian), put(matrix), put(offset), form is setting.annihilator)


def kinetic(at, velocity):
    return sum(x * y for x, y in zip(velocity, ops.matvec(at.metric, velocity), strict=True)) / 2


@budget(0.1)
@given(st.data())
def test_the_lost_energy_is_exactly_that_of_what_is_projected_out(data):
    """In fractions, for hoop and ball, by a basis and by covectors; on a table that turns, seen from the ground under the ball."""
    system, size = data.draw(
        st.sampled_from([(Hoop(), 3), (SlippingHoop(), 3), (RollingBall(), 6), (SlidingBall(), 6)])
    )
    names = ["turn1", "turn2", "b1", "b2", "b3", "b4", "Gamma1", "Gamma2", "Gamma3", "Omega0", "rate"]
    values = {name: data.draw(fractions) for name in names}
    values |= {
        p.name: data.draw(positive) for p in numerical_sde(system).sde.definition.parameters if p.name not in values
    }
    values["b4"] = Fraction(1)
    before = np.array(data.draw(st.lists(fractions, min_size=size, max_size=size)), dtype=object)
    if isinstance(system, Ball) and not any(values[f"Gamma{i}"] for i in (1, 2, 3)):
        values["Gamma3"] = Fraction(1)
    at = exact_constraint(system, values)
    after = nearest_velocity(before, at)
    np.testing.assert_array_equal(nearest_velocity(after, at), after)
    still = nearest_velocity(before * 0, at)  # an allowed velocity; 0 if the ground is at rest
    assert kinetic(at, before - still) - kinetic(at, after - still) == kinetic(at, before - after)
    if not at.by_covectors and isinstance(system, Ball):
        np.testing.assert_array_equal(nearest_velocity(before, exact_constraint(system, values, covectors=True)), after)
    if isinstance(system, Ball):  # the impulse has no moment about the contact at −rΓ
        impulse, s = (
            ops.matvec(at.metric, after - before),
            values["radius"] * np.array([values[f"Gamma{i}"] for i in (1, 2, 3)]),
        )
        np.testing.assert_array_equal(impulse[:3], ops.cross(impulse[3:], s))


@budget(0.1)
@given(
    st.floats(0, 1), st.one_of(st.none(), st.floats(0, 2)), st.floats(0, 0.5), st.integers(0, 2**16),
    st.lists(st.floats(-3, 3), min_size=6, max_size=6),
)  # fmt: skip
def test_impacts_obey_their_laws(restitution, friction, settling, key, velocity):
    """For bodies of any shape: loss ≥ 0, restitution of the normal velocity, the friction cone, settling."""
    random = np.random.default_rng(key)
    root = random.normal(size=(6, 6))
    metric = (root @ root.T + np.eye(6))[..., None]
    arm, normal = random.normal(size=3), np.array([0, 0, 1.0])
    rows = np.concatenate([np.cross(arm, np.eye(3)), np.eye(3)], axis=1)  # the velocity of the contact, Ω × −s + Y
    target = ConstraintAt(metric, rows[..., None], np.zeros((3, 1)), True)
    sliding = ConstraintAt(metric, rows[2:, :, None], np.zeros((1, 1)), True)
    before = np.array(velocity)[:, None]
    impact = sd.Impact(restitution, friction, "sliding", settling)
    found = collide(impact, before, target, sliding, Ground(slice(3, 6), normal[:, None]))
    speeds, after = (rows @ x[:, 0] for x in (before, found.velocity))
    e = restitution if found.rebounds[0] else 0.0
    scale = 1 + np.abs(speeds).max() * np.linalg.cond(metric[..., 0])
    assert abs(after[2] + e * speeds[2]) <= 1e-13 * scale
    assert found.loss[0] >= -1e-13 * scale**2
    smooth, rough = (nearest_velocity(before, at)[:, 0] for at in (sliding, target))

    def energy(x):
        return x @ metric[..., 0] @ x / 2

    assert abs(found.loss[0] - energy(before[:, 0]) + energy(found.velocity[:, 0])) <= 1e-13 * scale**2
    slip, rest = smooth - rough, found.velocity[:, 0] - rough + e * (before[:, 0] - smooth)
    if energy(slip) > 1e-8:
        left = rest @ metric[..., 0] @ slip / energy(slip) / 2  # 1 − λ
        np.testing.assert_allclose(rest, left * slip, rtol=0, atol=1e-12 * scale)
        lost = (1 - e**2) * energy(before[:, 0] - smooth) + (1 - left**2) * energy(slip)
        assert abs(found.loss[0] - lost) <= 1e-12 * scale**2
    push = found.impulse[3:, 0]
    np.testing.assert_allclose(found.impulse[:3, 0], np.cross(arm, push), rtol=0, atol=1e-11 * scale)
    if friction is not None and speeds[2] < 0:
        assert np.hypot(*push[:2]) <= friction * push[2] + 1e-11 * scale
        if found.slides[0]:
            assert np.hypot(*push[:2]) >= friction * push[2] - 1e-11 * scale


def test_a_dropped_ball_bounces_slides_and_rolls():
    """Coulomb's impact and sliding by hand: the slip falls by 7/2 μ(1 + e)v at a bounce, and at the rate 7/2 μg on the table."""
    mu, e, g = 0.1, 0.5, 9.8
    run = dropped_ball(sd.Impact(e, mu, "sliding", settling=2.0), friction=mu).simulate(
        mode="flight", t_end=2.4, dt=0.02, method="dop853", state={"Omega": (0, 30.0, 3.0), "Y": (0.3, 0, 0)}
    )  # fmt: skip
    assert run.sequence(0) == ("flight", "flight", "sliding", "rolling")
    falls, v = np.sqrt(2 / g), np.sqrt(2 * g)
    slip = 30 * 0.2 - 0.3 - 3.5 * mu * ((1 + e) * v + e * v)
    expected = np.cumsum([falls, 2 * e * v / g, slip / (3.5 * mu * g)])
    np.testing.assert_allclose(run.transitions.time[:2], expected[:2], rtol=0, atol=1e-11)
    assert run.transitions.time[2] == pytest.approx(expected[2], abs=2e-5)  # it rolls where the slip is 1e-5 m/s
    force = run.transitions.impulse[:2, 3:]
    pressed = [(1 + e) * v, e * v]
    np.testing.assert_allclose(np.linalg.norm(force, axis=1), np.multiply(pressed, np.hypot(1, mu)), rtol=0, atol=1e-11)


def test_the_table_that_turns_takes_the_ball_along():
    """The angular momentum about the contact is kept, and the contact moves with the table: the affine constraint."""
    run = dropped_ball(sd.Impact(), rate=3.0).simulate(
        mode="flight", t_end=0.6, dt=0.02, method="dop853", state={"Omega": (0, 0, 5.0), "Y": (0.3, 0.2, 0)}
    )
    before, after = run["Omega"][0, 0], run["Omega"][0, -1]
    (impulse,) = run.transitions.impulse
    np.testing.assert_allclose(impulse[:3], np.cross(impulse[3:], (0, 0, 0.2)), rtol=0, atol=1e-13)
    assert impulse[5] == pytest.approx(np.sqrt(2 * 9.8), abs=1e-11)
    assert np.linalg.norm(impulse[3:5]) > 0.1
    rolls = run.mode[0] == run.modes.index("rolling")
    assert np.abs(run["slip"][0, rolls]).max() < 1e-13
    assert before[2] == 5.0
    assert np.linalg.norm(after[:2]) > 0.1

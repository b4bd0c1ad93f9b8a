"""Hybrid systems: flight, lift-off, impacts and accumulating transitions against closed forms and independent integrations."""

import pickle
from fractions import Fraction

import numpy as np
import pytest
import sympy as sp
from dropped_top import fallen
from hopping_hoops import hoops
from hybrid_systems import Ball, FlyingHoop, Hoop, RollingBall, SlidingBall, SlippingHoop, dropped_ball, hopping_hoop
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import solve_ivp
from scipy.special import ellipj

import semidirect as sd
from semidirect import ops
from semidirect.hybrid.collision import Ground, collide
from semidirect.hybrid.kinetic_projection import ConstraintAt, nearest_velocity
from semidirect.model.numerical_model import NumericalSDE
from semidirect.specification import RunSpec
from semidirect.testing.laws.sizes import budget

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
    run = hoop.simulate(mode="rolling", t_end=0.5, dt=0.02, method="rkmk4", state={"omega": 3.0})
    np.testing.assert_array_equal(run.accumulated, [0])
    assert len(run.transitions) == 9  # one where N vanishes, then eight in no time
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
    setting = NumericalSDE.of(system, form="A" if covectors else None).sde.setting
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
    """In fractions, for hoop and ball, by a basis and by covectors; as seen from the ground under it."""
    system, size = data.draw(
        st.sampled_from([(Hoop(), 3), (SlippingHoop(), 3), (RollingBall(), 6), (SlidingBall(), 6)])
    )
    names = ["turn1", "turn2", "b1", "b2", "b3", "b4", "Gamma1", "Gamma2", "Gamma3", "Omega0", "rate"]
    values = {name: data.draw(fractions) for name in names}
    values |= {
        p.name: data.draw(positive) for p in NumericalSDE.of(system).sde.definition.parameters if p.name not in values
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
    mu, e, g, height = 0.05, 0.5, 9.8, 0.3
    run = dropped_ball(sd.Impact(e, mu, "sliding", settling=1.5), friction=mu).simulate(
        mode="flight", t_end=1.2, dt=0.004, method="rkmk4", save="final",
        state={"Omega": (0, 10.0, 3.0), "Y": (0.3, 0, 0), "b": (0, 0, -0.2 - height, 1)},
    )  # fmt: skip
    assert run.sequence(0) == ("flight", "flight", "sliding", "rolling")
    falls, v = np.sqrt(2 * height / g), np.sqrt(2 * g * height)
    slip = 10 * 0.2 - 0.3 - 3.5 * mu * ((1 + e) * v + e * v)
    expected = np.cumsum([falls, 2 * e * v / g, (slip - 0.01) / (3.5 * mu * g)])  # it rolls where the slip is 0.01 m/s
    np.testing.assert_allclose(run.transitions.time[:2], expected[:2], rtol=0, atol=1e-8)  # rkmk4: measured 2e-9
    assert run.transitions.time[2] == pytest.approx(expected[2], abs=1e-6)  # the friction is smooth below 1e-6 m/s
    assert run.transitions.loss[2] == pytest.approx(0.01**2 / 7, abs=1e-9)
    force = run.transitions.impulse[:2, 3:]
    pressed = [(1 + e) * v, e * v]
    np.testing.assert_allclose(np.linalg.norm(force, axis=1), np.multiply(pressed, np.hypot(1, mu)), rtol=0, atol=1e-7)


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


def test_bounces_that_accumulate_stop_the_path():
    """Bounces of half the speed end at √(2h/g)(1 + e)/(1 − e); with settling the ball rolls on."""
    start = {"Omega": (0, 0, 3.0), "b": (0, 0, -0.5, 1)}
    call = {"mode": "flight", "t_end": 0.8, "dt": 0.04, "method": "rkmk4", "state": start}
    run = dropped_ball(sd.Impact(restitution=0.5)).simulate(**call)
    np.testing.assert_array_equal(run.accumulated, [0])
    assert run.status[0] == 3
    falls = np.sqrt(0.6 / 9.8)
    k = np.arange(8)
    expected = falls * (1 + 2 * (1 - 0.5**k))
    np.testing.assert_allclose(run.transitions.time[:8], expected, rtol=0, atol=1e-12)
    # measured 1e-8: a height is known to 1e-16 m, which a ball of 1e-8 m/s passes in 1e-8 s
    assert run.ended_at[0] == pytest.approx(3 * falls, abs=1e-7)
    assert set(run.sequence(0)) == {"flight"}
    settled = dropped_ball(sd.Impact(restitution=0.5, settling=0.1)).simulate(**call)
    assert not len(settled.accumulated)
    assert settled.sequence(0) == ("flight",) * 6 + ("rolling",)  # speeds 2.42, 1.21, …, 0.152, 0.076 m/s
    assert repr(run).endswith("transitions, which accumulate on 1)")
    assert run.counts == {
        "flight → rolling (height = 0, falling)": len(run.transitions),
        "sliding → rolling (slip ≤ 0.01)": 0,
    }


def test_a_tippe_top_falls_and_comes_to_slide():
    """The first landing by hand; impacts without friction and sliding with it keep Jellett's integral."""
    run = fallen(0.24)
    assert run.sequence(0) == ("flight",) * 5 + ("sliding",)
    gap = 0.05 - (0.02 - 0.006 * np.cos(0.3))
    assert run.transitions.time[0] == pytest.approx(np.sqrt(2 * gap / 9.82), abs=1e-12)
    jellett = run["jellett"][0]
    np.testing.assert_allclose(jellett, jellett[0], rtol=1e-12)  # measured 3e-15; 4e-14 in 4 s
    assert np.all(run.transitions.loss > 0)
    assert run["normal-force"][0, -1] > 0


# -- ensembles -------------------------------------------------------------------------------------------------------------


def test_an_ensemble_of_noisy_paths_is_reproducible(monkeypatch):
    """Identical to the last bit on one thread and on two, and for fewer paths; each path has its sequence of modes."""
    monkeypatch.setattr(RunSpec, "usual_chunk", lambda *given: 64)
    run, other, fewer = hoops(110, 2, 0.4), hoops(110, 1, 0.4), hoops(30, 1, 0.4)  # two chunks
    for name in run:
        np.testing.assert_array_equal(run[name], other[name])
        np.testing.assert_array_equal(run[name][:30], fewer[name])
    for name, column in vars(run.transitions).items():
        np.testing.assert_array_equal(column, vars(other.transitions)[name])
        np.testing.assert_array_equal(column[run.transitions.path < 30], vars(fewer.transitions)[name])
    assert not run.status.any()
    assert len(run.sequences) > 1
    assert sum(run.sequences.values()) == 110
    for path in range(0, 110, 9):
        own = run.transitions.of_path(path)
        assert np.all(np.diff(own.time) >= 0)
        np.testing.assert_array_equal(own.source[1:], own.target[:-1])
        for i, t in enumerate(run.times):
            passed = int(np.searchsorted(own.time, t, side="right"))
            assert run.mode[path, i] == (own.target[passed - 1] if passed else 0)
    copy = pickle.loads(pickle.dumps(run))
    np.testing.assert_array_equal(copy.mode, run.mode)


class Drifting(sd.System):
    """x moves by a Wiener process and a constant velocity."""

    speed = sd.parameter(0.4)
    noise = sd.parameter(((1.0,),), shape=(None, 1))
    group = sd.RealSpace(1, coordinates=("x",))
    initial = {"v": 0.4}

    def lagrangian(self, xi):
        return xi.v**2 / 2

    def constraint(self):
        return sd.Unconstrained(noise=self.noise)


def test_switches_between_equal_modes_change_nothing():
    """The path without noise to rounding; with noise the law at the end: the noise after a transition starts anew."""
    body = Drifting()
    there = sd.Switch("one", "two", sd.Crossing("x", 0.11, "rising"))
    back = sd.Switch("two", "one", sd.Crossing("x", -0.2, "falling"))
    both = sd.Hybrid({"one": body, "two": body}, [there, back])
    still = sd.Hybrid({"one": Drifting(noise=()), "two": Drifting(noise=())}, [there])
    run = still.simulate(mode="one", t_end=1, dt=0.1)
    np.testing.assert_allclose(run["x"][0], 0.4 * run.times, rtol=0, atol=1e-15)
    np.testing.assert_allclose(run.transitions.time, [0.275], rtol=0, atol=1e-15)
    n = 20_000
    ends = both.simulate(mode="one", t_end=1, dt=0.25, paths=n, seed=4, save="final")
    x = ends["x"][:, -1]
    assert abs(x.mean() - 0.4) < 4 / np.sqrt(n)
    assert abs(x.var() - 1) < 4 * np.sqrt(2 / n)
    # the first passage of x = 0.4t + W through 0.11 in one second
    from scipy.stats import norm

    passed = norm.cdf(0.4 - 0.11) + np.exp(2 * 0.4 * 0.11) * norm.cdf(-0.11 - 0.4)
    share = np.mean([0 in ends.transitions.of_path(p).switch for p in range(n)])
    assert abs(share - passed) < 4 * np.sqrt(passed * (1 - passed) / n)


def test_parameters_and_states_per_path():
    """Each path is that of its own numbers."""
    rates, heights = [0.0, 1.0, 2.0], [0.5, 0.8, 0.3]
    b = np.array([[0.1, 0, -h, 1] for h in heights])
    call = {"mode": "flight", "t_end": 0.5, "dt": 0.02, "method": "rkmk4"}
    several = dropped_ball(sd.Impact(0.3, settling=0.5), rate=sd.PerPath(rates)).simulate(state={"b": b}, **call)
    for path, rate in enumerate(rates):
        alone = dropped_ball(sd.Impact(0.3, settling=0.5), rate=rate).simulate(state={"b": b[path]}, **call)
        for name in alone:
            np.testing.assert_array_equal(alone[name][0], several[name][path])
        np.testing.assert_array_equal(alone.transitions.impulse, several.transitions.of_path(path).impulse)


def test_the_data_set():
    data = hoops(3, 1).to_xarray()
    assert data["mode"].dims == ("path", "time")
    assert data["mode"].attrs["flag_meanings"] == "rolling forward backward flight"
    assert data["transition_impulse"].sizes["transition"] == len(data["transition_time"])
    assert data["height"].isnull().any()
    assert not data["height"].isnull().all()


# -- errors ----------------------------------------------------------------------------------------------------------------


def test_invalid_hybrid_systems_raise_errors():
    hoop, flight, ball = Hoop(), FlyingHoop(), Ball()
    lands = sd.Crossing("height", 0, "falling")

    def made(modes=None, *switches):
        return sd.Hybrid({"rolling": hoop, "flight": flight} if modes is None else modes, switches)

    def run(switch, modes=None, **call):
        return made(modes, switch).simulate(**{"mode": "flight", "t_end": 0.1, "dt": 0.05, **call})

    for wrong, message in (
        (lambda: made({"a": hoop, "b": ball}), "modes of a hybrid system: expected one group"),
        (lambda: made({"a": hoop, "b": FlyingHoop(point_mass=2.0)}), "expected one value of point_mass, got .*at modes a and b"),
        (lambda: made({}), "modes: expected a mapping of names to systems"),
        (lambda: made({"a": 3}), "system"),
        (lambda: made(None, sd.Switch("flight", "sliding", lands)), "unknown mode 'sliding'. Known: rolling, flight"),
        (lambda: made(None, "flight"), r"switches: expected a sequence of sd.Switch"),
        (lambda: sd.Switch("a", "b", sd.Crossing("height")), r"when of a switch: expected sd.Stop.* rising or falling"),
        (lambda: sd.Switch("a", "b", "height"), r"when of a switch"),
        (lambda: sd.Switch("a", "b", lands, 0.5), r"impact of a switch: expected sd.Impact"),
        (lambda: sd.Impact(restitution=1.5), "restitution of an impact: expected a number from 0 to 1, got 1.5"),
        (lambda: sd.Impact(friction=-1.0, sliding="s"), "friction of an impact: expected a number of at least 0"),
        (lambda: sd.Impact(friction=0.5), "friction of an impact: expected sliding="),
        (lambda: run(sd.Switch("flight", "rolling", sd.Crossing("hight", 0, "falling"))), "unknown .*'hight'"),
        (lambda: run(sd.Switch("flight", "rolling", sd.Crossing("v", 0, "falling"))), "component"),
        (lambda: run(sd.Switch("flight", "rolling", lands), mode="rooling"), "unknown mode 'rooling'. Did you mean"),
        (lambda: run(sd.Switch("flight", "rolling", lands), save=sd.Save(names=["hight"])), "quantity to save 'hight'"),
        (lambda: run(sd.Switch("flight", "rolling", lands), save=sd.Save(crossings=lands)), "save of a hybrid system"),
        (lambda: run(sd.Switch("flight", "rolling", lands), most=0), "most"),
        (lambda: run(sd.Switch("flight", "rolling", lands, sd.Impact(0.5, settling=0.1)), {"flight": flight, "rolling": flight}),
         "settling of an impact: expected a contact with a normal in rolling"),
    ):  # fmt: skip
        with pytest.raises(sd.errors.InputError, match=message):
            wrong()
    with pytest.raises(sd.errors.UnknownNameError, match="quantity of the run"):
        run(sd.Switch("flight", "rolling", lands))["speed"]


def test_a_sliding_mode_that_forbids_more_than_the_normal_velocity_raises_an_error():
    ball = {"flight": Ball(), "rolling": RollingBall(), "sliding": SlidingBall()}
    switch = sd.Switch("flight", "sliding", sd.Crossing("height", 0, "falling"), sd.Impact(0, 0.1, "rolling"))
    with pytest.raises(
        sd.errors.InputError, match="the sliding mode of an impact: expected a constraint that forbids the normal"
    ):
        sd.Hybrid(ball, [switch]).simulate(mode="flight", t_end=0.6, dt=0.02, method="rkmk4")


def test_modes_of_different_mass_raise_an_error():
    """A number in the class instead of a parameter, which no comparison of parameters finds."""

    class Heavier(RollingBall):
        def lagrangian(self, xi, a):
            return super().lagrangian(xi, a) + ops.dot(xi.Y, xi.Y)

    ball = sd.Hybrid(
        {"flight": Ball(), "rolling": Heavier()},
        [sd.Switch("flight", "rolling", sd.Crossing("height", 0, "falling"))],
    )
    with pytest.raises(sd.errors.InputError, match="modes with different kinetic metrics: expected one mass"):
        ball.simulate(mode="flight", t_end=0.6, dt=0.02, method="rkmk4")

"""Quantities that are on their level at steps: a touch is no crossing, and every simple root is one."""

import numpy as np
import pytest

import semidirect as sd

MOST = 9
GONE = 77.0
"""Where a root is that a path does not have."""


class Polynomial(sd.System):
    """``factor · Π (t − root_i) + level``, a quantity of the time, and z₁, which grows at a constant rate."""

    root = sd.parameter((GONE,) * MOST, shape=(MOST,))
    factor = sd.parameter(1.0)
    level = sd.parameter(0.0)
    slope = sd.parameter(1.0)
    group = sd.SO2()

    def lagrangian(self, xi):
        return xi.omega**2 / 2

    def internal(self):
        return [sd.InternalState("z", [0.0, 1.0], drift=lambda z: [self.slope, -z.z[1]])]

    @sd.observable()
    def value(self, state):
        out = self.factor
        for i in range(MOST):
            out = out * (state.t - self.root[i])
        return out + self.level


ENGINES = [sd.Execution(engine="numpy"), sd.Execution(engine="compiled")]
STEPS = 12


PATHS = 60


def drawn(seed):
    """Roots on and off a grid of 12 steps for each path, in quarters of a step, with their multiplicities: at each step one, and
    one between two steps.
    """
    random = np.random.default_rng(seed)
    out = []
    for _ in range(PATHS):
        places = random.permutation(
            [4 * k for k in range(1, STEPS + 1)] + [4 * k + random.integers(1, 4) for k in range(STEPS)]
        )
        found, used = [], 0
        for k in places.tolist():
            times = int(random.choice([1, 1, 2, 3])) if k % 4 == 0 else 1
            if used + times <= random.integers(1, MOST + 1):
                found.append((k, times))
                used += times
        out.append(sorted(found))
    return out


def crossed(many, dt):
    """The times and directions of the crossings of each path, from its roots alone."""
    out = []
    for of_path in many:
        side, found = -1.0, []  # all nine factors are negative at the start
        for k, times in of_path:
            if times % 2:
                side = -side
                found.append((k * dt / 4, side))
        out.append(found)
    return out


def polynomials(many, dt, **more):
    rows = [[k * dt / 4 for k, times in p for _ in range(times)] for p in many]
    rows = np.array([row + [GONE * dt] * (MOST - len(row)) for row in rows])
    return Polynomial(root=sd.PerPath(rows), **more)


KINDS = [sd.Crossing("value", 0.0, direction) for direction in ("both", "rising", "falling")]


@pytest.mark.parametrize(
    ("dt", "engine", "times", "sign"),
    [
        (0.1, ENGINES[0], "all", 1.0),
        (0.125, ENGINES[1], "every:5", -1.0),
        (1 / 30, ENGINES[0], "final", -1.0),
        (1 / 3, ENGINES[1], "final", 1.0),
        (4.0**-8, ENGINES[0], "every:5", 1.0),
        (3e5, ENGINES[1], "all", -1.0),
    ],
)
def test_crossings_are_the_roots_of_odd_multiplicity(dt, engine, times, sign):
    """Of 60 polynomials at once: counted, recorded, as stops, and split at any step."""
    many = drawn(int(1000 * dt) % 1000)
    system = polynomials(many, dt, factor=sign * (1 / dt) ** MOST)
    call = {"dt": dt, "driver": 0, "method": "rk4", "execution": engine}
    run = system.simulate(t_end=STEPS * dt, save=sd.Save(times, crossings=KINDS), **call)
    expected = crossed(many, dt)
    for crossings, sides in zip(run.crossings, ((1, -1), (1,), (-1,)), strict=True):
        for path, found in enumerate(expected):
            known = [t for t, side in found if sign * side in sides]
            assert crossings.count[path] == len(known), (many[path], crossings)
            np.testing.assert_allclose(
                crossings.times[path, : len(known)], known, rtol=0, atol=1e-12 * STEPS * dt
            )  # measured 4e-15
    stopped = system.simulate(
        t_end=STEPS * dt, save="final", stop=sd.Crossing("value", 0.0, "falling"), **call
    ).stopped.time
    first = [next((t for t, side in found if sign * side < 0), np.nan) for found in expected]
    np.testing.assert_allclose(stopped, first, rtol=0, atol=1e-12 * STEPS * dt)
    middle = 1 + int(1000 * dt) % (STEPS - 1)
    one = system.simulate(t_end=middle * dt, save=sd.Save("final", crossings=KINDS), **call)
    two = system.simulate(t_end=STEPS * dt, state=one.final, save=sd.Save("final", crossings=KINDS), **call)
    for whole, early, late in zip(run.crossings, one.crossings, two.crossings, strict=True):
        np.testing.assert_array_equal(early.count + late.count, whole.count)
        for path, count in enumerate(early.count):
            both = np.concatenate([early.times[path, :count], late.times[path, : late.count[path]]])
            np.testing.assert_array_equal(both, whole.times[path, : len(both)])


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("level", [0.0, 0.25, -3.0, 1e6])
def test_the_origin_of_the_quantity_does_not_matter(engine, level):
    """A touch, nine roots at consecutive steps, a triple root, and a root between two steps, moved along with their level."""
    many = [[(20, 2)], [(4 * k, 1) for k in range(1, 10)], [(20, 3)], [(18, 1)]]
    system = polynomials(many, 0.1, factor=10.0**MOST, level=level)
    run = system.simulate(
        t_end=1.2,
        dt=0.1,
        driver=0,
        method="rk4",
        execution=engine,
        save=sd.Save("final", crossings=sd.Crossing("value", level)),
    )
    assert run.crossings[0].count.tolist() == [0, 9, 1, 1]
    assert np.nanmax(np.abs(run.crossings[0].times[1] - 0.1 * np.arange(1, 101))[:9]) <= 1e-12  # measured 0 at level 0


@pytest.mark.parametrize("method", ["rk4", "dop853", "lie-heun", "gauss"])
def test_integrated_states_touch_and_cross_at_steps(method):
    """z₁ reaches 0 at the third step, however its sum rounds: once for each method, path and direction."""
    n = 10
    slopes = np.array([1.0, 3.0, 0.7, -1.0])
    system = Polynomial(slope=sd.PerPath(slopes))
    state = {"z": np.stack([-slopes * 0.3, np.ones(4)], axis=1)}
    crossing = [sd.Crossing("z", 0.0, d, component=0) for d in ("rising", "falling")]
    run = system.simulate(
        t_end=0.1 * n, dt=0.1, driver=0, method=method, state=state, save=sd.Save("final", crossings=crossing)
    )
    rising, falling = run.crossings
    assert rising.count.tolist() == [1, 1, 1, 0]
    assert falling.count.tolist() == [0, 0, 0, 1]
    np.testing.assert_allclose([*rising.times[:3, 0], falling.times[3, 0]], 0.3, rtol=0, atol=1e-14)


def test_noise_that_does_not_reach_a_quantity_does_not_hide_its_roots():
    """The same nine roots in a run whose state is noisy, and none of its touches."""

    class Noisy(Polynomial):
        def internal(self):
            return [sd.InternalState("z", [0.0], drift=[0.0], noise=[[1.0]])]

    rows = np.array([[k / 10 for k in range(1, 10)], [0.5, 0.5] + [GONE] * 7])
    run = Noisy(root=sd.PerPath(rows), factor=1e6).simulate(
        t_end=1, dt=0.1, paths=2, seed=3, method="euler-heun", save=sd.Save("final", crossings=sd.Crossing("value"))
    )
    assert run.crossings[0].count.tolist() == [9, 0]


def test_a_stop_is_met_by_a_touch():
    """Unlike a crossing: a stop is where the quantity reaches its level."""
    system = polynomials([[(20, 2)]], 0.1)
    for locate in (False, True):
        stop = sd.Stop("value", above=0, locate=locate)
        run = system.simulate(t_end=1, dt=0.1, driver=0, method="rk4", stop=stop, save="final")
        assert run.stopped.time[0] == pytest.approx(0.5, abs=1e-15)

"""A point that bounces until it rests: at the same time wherever the floor is, in whatever units, and however it is stepped."""

import warnings

import numpy as np
import pytest
from hybrid_systems import falling_point

import semidirect as sd

FALLS = sd.Crossing("height", 0, "falling")
STOPS = sd.Stop("height", below=0)
CALL = {"mode": "flight", "t_end": 3, "dt": 0.05, "method": "rk4"}


def rest(restitution, height=2.0, gravity=9.8):
    """√(2h/g)(1 + e)/(1 − e)."""
    return np.sqrt(2 * height / gravity) * (1 + restitution) / (1 - restitution)


def quiet(hybrid, **call):
    """The run, of which no path is lost."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return hybrid.simulate(**{**CALL, **call})


@pytest.mark.parametrize(
    ("when", "method", "floors"),
    [
        (FALLS, "rk4", [0.0, 0.2, 1.0, -5.0, 1e-9, -1e-9, 1e3, -1e3, 1e6]),
        (STOPS, "rkmk4", [0.0, 0.2, 1.0, -5.0, 1e-9, -1e-9, 1e3, -1e3, 1e6]),
        (STOPS, "dop853", [0.0]),
        (FALLS, "gauss", [0.0, 1e6]),
    ],
)
def test_the_height_of_the_floor_does_not_matter(when, method, floors):
    """The bounces that a run leaves out are those that a height cannot resolve."""
    n = len(floors)
    start = np.stack([np.zeros(n), -2.0 - np.array(floors), np.ones(n)], axis=1)
    run = quiet(falling_point(when, 0.5, floor=sd.PerPath(floors)), state={"b": start}, method=method)
    np.testing.assert_array_equal(run.accumulated, np.arange(n))
    resolved = 1e-7 + 4 * np.sqrt(2 * 2.0**-48 * np.abs(floors) / 9.8)  # of which measured 0.6
    assert (np.abs(run.ended_at - rest(0.5)) <= resolved).all(), run.ended_at - rest(0.5)
    assert run["height"].min() >= -1e-12  # measured -2e-16


@pytest.mark.parametrize("when", [FALLS, STOPS])
def test_units_scale_the_run_exactly(when):
    """Lengths, times and masses by powers of four: every number is the same but for its unit."""
    one = quiet(falling_point(when, 0.5))
    assert len(one.transitions) == 36
    for length, time, mass in ((4.0**-10, 1.0, 1.0), (4.0**6, 4.0**-4, 4.0**3), (1.0, 4.0**5, 4.0**-8)):
        hybrid = falling_point(when, 0.5, gravity=9.8 * length / time**2, mass=mass)
        run = quiet(hybrid, t_end=3 * time, dt=0.05 * time, state={"b": (0, -2 * length, 1)})
        np.testing.assert_array_equal(run.times, one.times * time)
        np.testing.assert_array_equal(run["height"], one["height"] * length)
        np.testing.assert_array_equal(run.ended_at, one.ended_at * time)
        np.testing.assert_array_equal(run.transitions.time, one.transitions.time * time)
        np.testing.assert_array_equal(run.transitions.loss, one.transitions.loss * (mass * length**2 / time**2))
        np.testing.assert_array_equal(run.transitions.impulse, one.transitions.impulse * (mass * length / time))


@pytest.mark.parametrize(("when", "restitution"), [(STOPS, 1e-9), (FALLS, 1e-3), (STOPS, 0.1), (FALLS, 0.5)])
def test_steps_of_any_length_find_the_same_bounces(when, restitution):
    """Up to one step for the whole run. Restitutions that leave hardly any speed, too."""
    expected = rest(restitution)
    for dt in (0.04, 0.5, 6.0):
        run = quiet(falling_point(when, restitution), dt=dt, t_end=6, most=200)
        np.testing.assert_array_equal(run.accumulated, [0])
        assert abs(run.ended_at[0] - expected) <= 3e-6, dt  # measured 6e-7 at dt = 6
        k = np.arange(5)
        times = np.sqrt(4 / 9.8) * (1 + 2 * restitution * (1 - restitution**k) / (1 - restitution))
        np.testing.assert_allclose(run.transitions.time[:5], times, rtol=0, atol=1e-7)


def test_a_bounce_without_weight_that_leaves_hardly_any_speed():
    """The path moves away from the floor at 1e-9 of its speed."""
    for when in (FALLS, STOPS):
        run = quiet(falling_point(when, 1e-9, gravity=0.0), state={"v": (0, -1.0)})
        np.testing.assert_allclose(run.transitions.time, [2], rtol=0, atol=1e-14)
        np.testing.assert_allclose(run["height"][0, -1], 1e-9, rtol=1e-6)


def test_a_run_in_two_parts_bounces_as_one():
    """Split at every tenth of the fall, at the landing, and after it; the second part knows the state at the end of the first."""
    whole = quiet(falling_point(FALLS, 0.5), t_end=1.25, dt=0.05)
    for middle in (0.05, 0.3, 0.6, 0.65, 0.9):
        first = quiet(falling_point(FALLS, 0.5), t_end=middle)
        place = first["height"][0, -1]
        state = {"b": (0, -place, 1), "v": first["v"][0, -1]}
        second = quiet(falling_point(FALLS, 0.5), t_end=1.25 - middle, state=state)
        times = [*first.transitions.time, *(second.transitions.time + middle)]
        np.testing.assert_allclose(times, whole.transitions.time, rtol=0, atol=1e-12)


@pytest.mark.parametrize("dt", [0.125, 0.1, 0.05])
def test_a_floor_that_is_only_touched_is_not_met(dt):
    """A point thrown to the level of a ceiling, from below and from above: at t = 0.5, which is a step, it turns around."""
    for level, direction, place, speed, gravity in (
        (0, "rising", -1.25, 5.0, 10.0),
        (0, "falling", 1.25, -5.0, -10.0),
        (3.0, "rising", 1.75, 5.0, 10.0),
        (0, "falling", -1.25, 5.0, 10.0),
    ):
        hybrid = falling_point(sd.Crossing("height", level, direction), 0.5, gravity=gravity)
        run = hybrid.simulate(mode="flight", t_end=1, dt=dt, method="rk4", state={"b": (0, -place, 1), "v": (0, speed)})
        assert len(run.transitions) == 0


def test_paths_that_stay_beyond_a_one_sided_switch_are_announced():
    """Two of three start below the floor, and one of them comes back."""
    state = {"b": [(0, -2.0, 1), (0, 2.0, 1), (0, 2.0, 1)], "v": [(0, 0), (0, 0), (0, 9.0)]}
    call = {**CALL, "t_end": 0.6, "state": state}
    with pytest.warns(
        sd.errors.FailedPathsWarning, match=r"^1 of 3 paths entered a mode beyond the level of flight → ground"
    ) as caught:
        run = falling_point(FALLS, 0.5).simulate(**call)
    assert "the first is path 1" in str(caught[0].message)
    assert "use sd.Stop" in str(caught[0].message)
    assert not run.status.any()

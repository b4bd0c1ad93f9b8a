"""Restitution and settling take the normal velocity from the contact; a ground pushes, and a joint does not mind."""

import numpy as np
import pytest
from hybrid_systems import HingedRod, PinnedRod, Rod, SmoothRod, dropped_ball, landing_rod

import semidirect as sd
from semidirect.ensemble.hybrid.collision import Ground, collide
from semidirect.model.kinetic_projection import ConstraintAt

CALL = {"mode": "flight", "dt": 0.01, "method": "rk4", "save": "final"}


def bodies(count, key, scale=1.0):
    """Random metrics, arms of the contact, normals and velocities, in units of length ``scale``."""
    random = np.random.default_rng(key)
    root = random.normal(size=(count, 6, 6))
    units = np.diag([scale] * 3 + [1.0] * 3)
    metric = units @ (root @ np.swapaxes(root, 1, 2) + np.eye(6)) @ units
    normal = random.normal(size=(count, 3))
    velocity = random.normal(size=(count, 6)) * ([1.0] * 3 + [scale] * 3)
    return metric, scale * random.normal(size=(count, 3)), normal / np.linalg.norm(normal, axis=1)[:, None], velocity


@pytest.mark.parametrize("scale", [1.0, 4.0**-6, 4.0**5])
def test_the_normal_velocity_follows_from_the_contact(scale):
    """For bodies of any shape and constraints by covectors or directions: as with a sliding mode and unlimited friction."""
    n = 200
    metric, arm, normal, velocity = bodies(n, 3, scale)
    rows = np.stack([np.concatenate([np.cross(s, np.eye(3)), np.eye(3)], axis=1) for s in arm])  # Ω × −s + Y
    null = np.stack([np.concatenate([np.eye(3), -np.cross(s, np.eye(3))]) for s in arm])
    assert np.abs(rows @ null).max() < 1e-12 * scale

    def last(array):
        return np.moveaxis(array, 0, -1)

    ground = Ground(slice(3, 6), normal.T)
    by_covectors = ConstraintAt(last(metric), last(rows), np.zeros((3, n)), True)
    by_directions = ConstraintAt(last(metric), last(null), np.zeros((6, n)), False)
    sliding = ConstraintAt(last(metric), last(normal[:, None] @ rows), np.zeros((1, n)), True)
    impact = sd.Impact(0.7, settling=0.4 * scale)
    known = collide(impact, velocity.T, by_covectors, sliding, ground)
    assert 0.2 < known.rebounds.mean() < 0.9
    for target in (by_covectors, by_directions):
        found = collide(impact, velocity.T, target, None, ground)
        np.testing.assert_array_equal(found.rebounds, known.rebounds)
        units = np.array([1.0] * 3 + [scale] * 3)[:, None]
        np.testing.assert_allclose(found.velocity / units, known.velocity / units, rtol=0, atol=1e-11)  # measured 1e-13
        np.testing.assert_allclose(found.loss, known.loss, rtol=1e-9, atol=1e-12 * scale**2)
        alone = collide(impact, velocity.T[:, :1], ConstraintAt(*(x[..., :1] for x in target[:3]), target[3]), None,
                        Ground(slice(3, 6), normal.T[:, :1]))  # fmt: skip
        np.testing.assert_array_equal(alone.velocity, found.velocity[:, :1])


def test_a_ball_that_bounces_rolls_off_and_does_not_reverse_its_slip():
    """By hand: Ω₂ = I Ω₂/(I + m r²) after the first landing, and the loss ½(1 − e²)v² + ½ m I slip²/(I + m r²)."""
    state = {"Omega": (0, 5.0, 0), "b": (0, 0, -0.5, 1)}
    run = dropped_ball(sd.Impact(0.5)).simulate(**{**CALL, "method": "dop853"}, t_end=0.3, state=state)
    assert run.sequence(0) == ("flight", "flight")
    np.testing.assert_allclose(run["Omega"][0, -1], [0, 0.016 * 5 / 0.056, 0], rtol=0, atol=1e-12)  # measured 4e-16
    np.testing.assert_allclose(run.transitions.loss, [0.75 * 9.8 * 0.3 + 0.5 * 0.016 / 0.056], rtol=1e-9)


def test_a_slow_landing_settles_whatever_its_slip():
    """The approach at 0.05 m/s is below 0.3 m/s, and the slip of 1 m/s is none of it."""
    state = {"Omega": (0, 5.0, 0), "Y": (0, 0, -0.05), "b": (0, 0, -0.2 - 1e-9, 1)}
    run = dropped_ball(sd.Impact(0.5, settling=0.3)).simulate(**CALL, t_end=0.1, state=state)
    assert run.sequence(0) == ("flight", "rolling")


def test_restitution_needs_a_normal_unless_one_velocity_is_forbidden():
    with pytest.raises(sd.InputError, match=r"restitution of an impact: expected a contact with a normal .* normal="):
        landing_rod(HingedRod(), sd.Impact(0.5)).simulate(**CALL, t_end=0.1)

    class Held(Rod):
        """Without a contact: the vertical velocity of the corner is forbidden."""

        def constraint(self):
            return sd.CovectorConstraint(lambda a: [[self.arm(a)[0], 0, 1]])

    call = {**CALL, "t_end": 0.1, "dt": 0.05, "state": {"b": (0, -0.11, 1), "v": (3, -0.3)}}
    held, smooth = (landing_rod(target, sd.Impact(0.5)).simulate(**call) for target in (Held(), SmoothRod()))
    np.testing.assert_allclose(held["omega"], smooth["omega"], rtol=0, atol=1e-14)
    np.testing.assert_allclose(held.transitions.loss, 0.75 * 0.09 / (1 + 0.25 / 0.05) / 2, rtol=1e-9)


def pinned(x, y, inertia, v, e):
    """The impulse of the ground on the corner of a rod that it pins, and its approach, from Newton's laws at the corner."""
    motion = np.array(
        [[1 + y * y / inertia, -x * y / inertia], [-x * y / inertia, 1 + x * x / inertia]]
    )  # f ↦ its velocity
    smooth = -(1 + e) * v[1] / motion[1, 1] if v[1] < 0 else 0.0
    sticking = np.linalg.solve(motion, -np.array(v, dtype=float))
    push = np.array([0, smooth / (1 + e)])
    return sticking + e * push


@pytest.mark.parametrize("restitution", [0.0, 0.6])
def test_a_ground_pushes_only(restitution):
    """Of 100 rods that land on a corner, those stop of which the impulse would pull, and only those; all others know theirs."""
    n = 100
    random = np.random.default_rng(4)
    arm = np.stack([random.uniform(-0.6, 0.6, n), random.uniform(-0.4, -0.05, n)])
    arm[:, 0] = -0.5, -0.1
    v = np.stack([random.uniform(-3, 3, n), random.uniform(-2, -0.1, n)])
    v[:, 0] = 3, -0.3
    corner = {"corner1": sd.PerPath(arm[0]), "corner2": sd.PerPath(arm[1])}
    b = np.stack([np.zeros(n), arm[1] + 0.01 * v[1], np.ones(n)], axis=1)
    switch = sd.Switch("flight", "target", sd.Crossing("height", 0, "falling"), sd.Impact(restitution))
    hybrid = sd.Hybrid({"flight": Rod(**corner), "target": PinnedRod(**corner)}, [switch])
    with pytest.warns(
        sd.FailedPathsWarning, match="the ground would have to pull in an impact; .* friction= and sliding="
    ):
        run = hybrid.simulate(**CALL, t_end=0.02, state={"b": b, "v": v.T})
    impulse = np.array([pinned(*arm[:, p], 0.05, v[:, p], restitution) for p in range(n)])
    pulls = impulse[:, 1] < 0
    assert 0.1 < pulls.mean() < 0.9
    assert pulls[0]
    np.testing.assert_array_equal(run.status, np.where(pulls, 8, 0))
    np.testing.assert_array_equal(np.isfinite(run.ended_at), pulls)
    np.testing.assert_array_equal(np.unique(run.transitions.path), np.flatnonzero(~pulls))
    first = np.searchsorted(run.transitions.path, np.flatnonzero(~pulls))
    np.testing.assert_allclose(run.transitions.impulse[first, 1:], impulse[~pulls], rtol=0, atol=1e-9)  # measured 3e-13


def test_a_joint_may_pull_and_friction_has_an_answer():
    """The rod of which the ground would pull: a joint holds it, and with friction it slides."""
    call = {**CALL, "t_end": 0.04, "state": {"b": (0, -0.1 - 0.003, 1), "v": (3, -0.3)}}
    run = landing_rod(HingedRod()).simulate(**call)
    np.testing.assert_allclose(
        run.transitions.impulse[0, 1:], pinned(-0.5, -0.1, 0.05, (3, -0.3), 0), rtol=0, atol=1e-12
    )
    assert run.transitions.impulse[0, 2] == pytest.approx(-0.38, abs=0.05)
    for friction in (0.3, 5.0, 500.0):
        slides = landing_rod(PinnedRod(), sd.Impact(0.0, friction, "smooth"), smooth=SmoothRod()).simulate(**call)
        assert slides.sequence(0) == ("flight", "smooth")
        _, along, normal = slides.transitions.impulse[0]
        assert normal > 0
        assert along == pytest.approx(-friction * normal, rel=1e-9)
        assert slides.transitions.loss[0] > 0

"""Restitution and settling take the normal velocity from the contact; a ground pushes, and a joint does not mind."""

import re
import warnings

import numpy as np
import pytest
from hybrid_systems import GROUP, HeldRod, HingedRod, PinnedRod, Rod, SmoothRod, dropped_ball, landing_rod

import semidirect as sd
from semidirect import ops
from semidirect.hybrid.collision import Ground, collide
from semidirect.hybrid.kinetic_projection import ConstraintAt

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
    with pytest.raises(
        sd.errors.InputError, match=r"restitution of an impact: expected a contact with a normal .* normal="
    ):
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


RODS = 100
FALLING, RISING, BELOW = (
    sd.Crossing("height", 0, "falling"),
    sd.Crossing("0 - height", 0, "rising"),
    sd.Stop("height", below=0),
)


def landings(target, impact, when=FALLING, level=0.0, length=1.0, mass=1.0):
    """A run of rods that land on a corner, the first of which is one of which a ground would pull, and their impulses by hand."""
    random = np.random.default_rng(4)
    arm = np.stack([random.uniform(-0.6, 0.6, RODS), random.uniform(-0.4, -0.05, RODS)])
    arm[:, 0] = -0.5, -0.1
    v = np.stack([random.uniform(-3, 3, RODS), random.uniform(-2, -0.1, RODS)])
    v[:, 0] = 3, -0.3
    impulse = np.array([pinned(*arm[:, p], 0.05, v[:, p], impact.restitution) for p in range(RODS)])
    arm, v = length * arm, length * v
    body = {
        "corner1": sd.PerPath(arm[0]),
        "corner2": sd.PerPath(arm[1]),
        "mass": mass,
        "inertia": 0.05 * mass * length**2,
    }
    b = np.stack([np.zeros(RODS), arm[1] + 0.01 * v[1] - level, np.ones(RODS)], axis=1)
    hybrid = sd.Hybrid({"flight": Rod(**body), "target": target(**body)}, [sd.Switch("flight", "target", when, impact)])
    return hybrid.simulate(**CALL, t_end=0.02, state={"b": b, "v": v.T}), mass * length * impulse


def require_push(run, impulse, atol=1e-9):
    """Those rods are stopped of which the ground would pull, and the others have their impulse."""
    pulls = impulse[:, 1] < 0
    assert 0.1 < pulls.mean() < 0.9
    assert pulls[0]
    np.testing.assert_array_equal(run.status, np.where(pulls, 8, 0))
    np.testing.assert_array_equal(np.isfinite(run.ended_at), pulls)
    np.testing.assert_array_equal(np.unique(run.transitions.path), np.flatnonzero(~pulls))
    first = np.searchsorted(run.transitions.path, np.flatnonzero(~pulls))
    np.testing.assert_allclose(run.transitions.impulse[first, 1:], impulse[~pulls], rtol=0, atol=atol)  # measured 3e-13


@pytest.mark.parametrize("restitution", [0.0, 0.6])
def test_a_ground_pushes_only(restitution):
    """Of 100 rods that land on a corner, those stop of which the impulse would pull, and only those; all others know theirs."""
    with pytest.warns(
        sd.errors.FailedPathsWarning, match="the ground would have to pull in an impact; .* friction= and sliding="
    ):
        run, impulse = landings(PinnedRod, sd.Impact(restitution))
    require_push(run, impulse)


@pytest.mark.parametrize("target", [HingedRod, HeldRod])
@pytest.mark.parametrize(
    ("when", "level", "length", "mass"),
    [
        (FALLING, 0.0, 1.0, 1.0),
        (RISING, 0.0, 1.0, 1.0),
        (BELOW, 0.0, 1.0, 1.0),
        (sd.Crossing("height", 0.37, "falling"), 0.37, 1.0, 1.0),
        (sd.Crossing("0.37 - 2*height", 1.11, "rising"), -0.37, 1.0, 1.0),
        (FALLING, 0.0, 4.0**-7, 4.0**6),
        (FALLING, 0.0, 4.0**6, 4.0**-9),
    ],
)
def test_a_target_without_a_normal_has_that_of_the_level(target, when, level, length, mass):
    """By covectors and by directions, on a floor at any height, stated in any way and in any units."""
    with pytest.warns(
        sd.errors.FailedPathsWarning, match=r"the ground would have to pull .* joint, .* sd.Impact\(joint=True\)"
    ):
        run, impulse = landings(target, sd.Impact(), when, level, length, mass)
    require_push(run, impulse, 1e-9 * mass * length)


@pytest.mark.parametrize("target", [PinnedRod, HingedRod, HeldRod])
def test_a_joint_may_pull(target):
    """All rods are held, with the impulse by hand."""
    run, impulse = landings(target, sd.Impact(joint=True))
    assert not run.status.any()
    np.testing.assert_allclose(run.transitions.impulse[:, 1:], impulse, rtol=0, atol=1e-9)
    with pytest.raises(sd.errors.InputError, match=r"friction of an impact: expected none where joint=True"):
        sd.Impact(friction=0.3, sliding="smooth", joint=True)
    with pytest.raises(sd.errors.InputError, match="joint of an impact: expected True or False, got 'yes'"):
        sd.Impact(joint="yes")


def test_a_level_of_velocities_or_of_time_has_no_normal():
    """The same impulses pull, and nothing lands."""

    class Watched(Rod):
        @sd.observable()
        def along(self, state):
            return state.v[0] * state.turn[0] - state.omega

        @sd.observable()
        def clock(self, state):
            return state.t + 0 * state.b[0]

    state = {"b": (0, -0.5, 1), "turn": (1, 0), "v": (3, -0.3), "omega": -0.5}
    for when in (sd.Crossing("clock", 0.013, "rising"), sd.Stop("along", below=3.5 + 1e-6), sd.Stop("v1", above=2.0)):
        switch = sd.Switch("flight", "target", when)
        run = sd.Hybrid({"flight": Watched(), "target": HingedRod()}, [switch]).simulate(
            **CALL, t_end=0.02, state=state
        )
        assert run.sequence(0) == ("flight", "target")
        assert run.transitions.impulse[0, 2] < 0


def test_reactions_of_the_mode_before_hide_the_force_of_the_ground():
    """A rod whose centre is on a rail, which may push it down: the impulse of both does not tell that of the ground."""

    class OnRail(Rod):
        def constraint(self):
            return sd.CovectorConstraint([[0, 0, 1]])

    class Still(Rod):
        def constraint(self):
            return sd.CovectorConstraint([[1, 0, 0], [0, 1, 0], [0, 0, 1]])

    switch = sd.Switch("rail", "target", FALLING)
    hybrid = sd.Hybrid({"rail": OnRail(), "target": Still()}, [switch])
    state = {"b": (0, -0.102, 1), "v": (3, 0), "omega": 0.5}
    run = hybrid.simulate(**{**CALL, "mode": "rail"}, t_end=0.02, state=state)
    assert run.sequence(0) == ("rail", "target")


class Placed(sd.System):
    """The rod on SE(2), with velocities in its frame; its height follows from where it is, and nothing is advected."""

    group = sd.SE2()
    held = False

    def lagrangian(self, xi):
        return (0.05 * xi.nu**2 + ops.dot(xi.v, xi.v)) / 2

    def constraint(self):
        return sd.CovectorConstraint([[0.1, 1, 0], [-0.5, 0, 1]]) if self.held else sd.Unconstrained()

    @sd.observable()
    def height(self, state):
        return state.y - 0.5 * state.s[1, 0] - 0.1 * state.s[1, 1]


class HeldPlaced(Placed):
    """Held at its corner."""

    held = True


def test_heights_of_places_in_the_frame_of_the_body():
    """Rods of any attitude that fall on a corner at rest in their turn, by Newton's laws at the corner."""
    n = 40
    random = np.random.default_rng(3)
    phi = random.uniform(-0.5, 0.5, n)
    v = np.stack([random.uniform(-3, 3, n), random.uniform(-1.5, -0.1, n)])
    turn = np.moveaxis(np.array([[np.cos(phi), -np.sin(phi)], [np.sin(phi), np.cos(phi)]]), -1, 0)
    arm = turn @ np.array([-0.5, -0.1])
    state = {"angle": phi, "y": -arm[:, 1] - 0.01 * v[1], "v": np.einsum("pij,ip->pj", turn, v)}
    hybrid = sd.Hybrid({"flight": Placed(), "target": HeldPlaced()}, [sd.Switch("flight", "target", FALLING)])
    with pytest.warns(sd.errors.FailedPathsWarning, match="would have to pull"):
        run = hybrid.simulate(**CALL, t_end=0.02, state=state)
    pulls = np.array([pinned(*arm[p], 0.05, v[:, p], 0)[1] < 0 for p in range(n)])
    assert 0.1 < pulls.mean() < 0.9
    np.testing.assert_array_equal(run.status, np.where(pulls, 8, 0))


class Box(sd.System):
    """A body without weight in space, of which the corner s may touch the ground, on which it stays."""

    inertia = sd.inertia((0.05, 0.02, 0.06))
    x, y, z = (sd.parameter(0.1) for _ in range(3))
    held = False
    group = GROUP
    advected = {k: sd.AdvectedFrame(GROUP)[k] for k in ("Gamma", "b")}

    def lagrangian(self, xi):
        return (ops.dot(xi.Omega, ops.inertia(self.inertia, xi.Omega)) + ops.dot(xi.Y, xi.Y)) / 2

    def constraint(self):
        if not self.held:
            return sd.Unconstrained()
        return sd.CovectorConstraint(lambda a: self.velocity_of_corner())

    def velocity_of_corner(self):
        x, y, z = self.x, self.y, self.z
        return [[0, z, -y, 1, 0, 0], [-z, 0, x, 0, 1, 0], [y, -x, 0, 0, 0, 1]]

    @sd.observable()
    def height(self, state):
        return ops.dot(ops.array([self.x, self.y, self.z]) - state.b[:3], state.Gamma)


class HeldBox(Box):
    """On the ground."""

    held = True


def test_corners_of_bodies_in_space():
    """60 boxes in any attitude, against Newton's laws at the corner, f = −(1 − ŝ I⁻¹ ŝ)⁻¹ v."""
    n = 60
    random = np.random.default_rng(2)
    corner = random.uniform(-0.6, 0.6, (n, 3))
    up, v = (random.normal(size=(n, 3)) for _ in range(2))
    up /= np.linalg.norm(up, axis=1)[:, None]
    v -= (np.sum(v * up, axis=1) + random.uniform(0.1, 0.5, n))[:, None] * up
    hats = np.cross(corner[:, None], np.eye(3))  # ±ŝ
    motion = np.eye(3) + hats @ np.diag(1 / np.array([0.05, 0.02, 0.06])) @ np.swapaxes(hats, 1, 2)
    force = -np.linalg.solve(motion, v[..., None])[..., 0]
    b = corner - up * np.sum(-0.01 * v * up, axis=1)[:, None]  # s − b = height up
    state = {"Gamma": up, "b": np.concatenate([b, np.ones((n, 1))], axis=1), "Y": v, "Omega": np.zeros(3)}
    values = {name: sd.PerPath(x) for name, x in zip("xyz", corner.T, strict=True)}
    hybrid = sd.Hybrid({"flight": Box(**values), "target": HeldBox(**values)}, [sd.Switch("flight", "target", FALLING)])
    with pytest.warns(sd.errors.FailedPathsWarning, match="would have to pull"):
        run = hybrid.simulate(**CALL, t_end=0.02, state=state)
    pulls = np.sum(force * up, axis=1) < 0
    assert 0.1 < pulls.mean() < 0.9
    np.testing.assert_array_equal(run.status, np.where(pulls, 8, 0))
    np.testing.assert_allclose(run.transitions.impulse[:, 3:], force[~pulls], rtol=0, atol=1e-9)


class Coordinates(sd.System):
    """The rod in the coordinates x, y and angle of R³, of which the third is no length."""

    group = sd.RealSpace(3)
    advected = {"b": sd.Advected(sd.HomogeneousRepresentation(group), (0, 0, 0, 1))}
    corner1, corner2 = sd.parameter(-0.5), sd.parameter(-0.1)
    held = False

    def lagrangian(self, xi):
        return (xi.v[0] ** 2 + xi.v[1] ** 2 + 0.05 * xi.v[2] ** 2) / 2

    def arm(self, a):
        cos, sin = ops.cos(a.b[2]), -ops.sin(a.b[2])
        return ops.array([cos * self.corner1 - sin * self.corner2, sin * self.corner1 + cos * self.corner2])

    def constraint(self):
        if not self.held:
            return sd.Unconstrained()
        return sd.DistributionConstraint(lambda a: [[self.arm(a)[1]], [-self.arm(a)[0]], [1]], names=("turn",))

    @sd.observable()
    def height(self, state):
        return -state.b[1] + self.arm(state)[1]


class HeldCoordinates(Coordinates):
    """Held at its corner."""

    held = True


class Named(Coordinates):
    """With a unit of each coordinate."""

    group = sd.RealSpace(3, coordinates=("x", "y", "angle"))
    advected = {"b": sd.Advected(sd.HomogeneousRepresentation(group), (0, 0, 0, 1))}
    units = {"x": "m", "y": "m", "angle": "rad"}


class HeldNamed(Named):
    """Held at its corner."""

    held = True


class Millimetres(Coordinates):
    """With units of the velocities."""

    units = {"v": "mm/s, mm/s, 1/s"}


class HeldMillimetres(Millimetres):
    """Held at its corner."""

    held = True


def rods_in_coordinates(flight, target):
    """A run of rods in coordinates that land on a corner, and of which of them the ground would pull, by hand."""
    n = 100
    random = np.random.default_rng(4)
    arm = np.stack([random.uniform(-0.6, 0.6, n), random.uniform(-0.4, -0.05, n)])
    v = np.stack([random.uniform(-3, 3, n), random.uniform(-2, -0.1, n)])
    arm[:, 0], v[:, 0] = (-0.5, -0.1), (3, -0.3)
    values = {"corner1": sd.PerPath(arm[0]), "corner2": sd.PerPath(arm[1])}
    zeros, ones = np.zeros(n), np.ones(n)
    state = {"b": np.stack([zeros, arm[1] + 0.01 * v[1], zeros, ones], axis=1), "v": np.stack([*v, zeros], axis=1)}
    switch = sd.Switch("flight", "target", FALLING)
    hybrid = sd.Hybrid({"flight": flight(**values), "target": target(**values)}, [switch])
    with pytest.warns(sd.errors.FailedPathsWarning, match="would have to pull") as caught:
        run = hybrid.simulate(**CALL, t_end=0.02, state=state)
    pulls = np.array([pinned(*arm[:, p], 0.05, v[:, p], 0)[1] < 0 for p in range(n)])
    assert 0.1 < pulls.mean() < 0.9
    return run, pulls, "".join(str(w.message) for w in caught)


@pytest.mark.parametrize(("flight", "target"), [(Named, HeldNamed), (Millimetres, HeldMillimetres)])
def test_units_say_which_coordinates_are_displacements(flight, target):
    """Units of coordinates or of velocities: those rods stop of which the ground would pull, and nothing is unknown."""
    run, pulls, text = rods_in_coordinates(flight, target)
    np.testing.assert_array_equal(run.status, np.where(pulls, 8, 0))
    assert "may have to pull" not in text


def test_an_angle_among_coordinates_is_no_displacement():
    """A rod stops only if the ground would pull; the one of the first of these does. Of others the run says what is unknown."""
    run, pulls, text = rods_in_coordinates(Coordinates, HeldCoordinates)
    assert run.status[0] == 8
    assert not (run.status[~pulls] == 8).any()
    assert (run.status[pulls] == 8).mean() > 0.8
    missing = int(np.count_nonzero(pulls & (run.status == 0)))
    assert missing > 0
    unknown = re.search(r"(\d+) of 100 paths went on after .* the ground may have to pull: it depends on which .*"
                        r"Units say which coordinates are lengths", text)  # fmt: skip
    assert unknown is not None
    assert int(unknown[1]) >= missing


class Hillside(sd.System):
    """A point above hills z = ¼ sin 3x; on them it sticks. All coordinates are lengths."""

    group = sd.RealSpace(2, coordinates=("x", "z"))
    stuck = False

    def lagrangian(self, xi):
        return ops.dot(xi.v, xi.v) / 2

    def constraint(self):
        return sd.CovectorConstraint([[1, 0], [0, 1]]) if self.stuck else sd.Unconstrained()

    @sd.observable()
    def height(self, state):
        return state.z - ops.sin(3 * state.x) / 4


class Stuck(Hillside):
    """On the hill."""

    stuck = True


@pytest.mark.parametrize("units", [{}, {"x": "m", "z": "m"}, {"v": "m/s"}, {"v": "ft/s"}])
def test_hills_do_not_pull_points(units):
    """The impulse −v stops an approach, so it is along the normal, also where the vertical impulse is downwards."""
    n = 80
    random = np.random.default_rng(8)
    x, v = random.uniform(-2, 2, n), random.normal(size=(n, 2))
    slope = 0.75 * np.cos(3 * x)
    v *= -np.sign(v[:, 1] - slope * v[:, 0])[:, None]  # towards the hill
    assert 0.05 < np.mean(v[:, 1] > 0) < 0.95
    flight, target = (type(s.__name__, (s,), {"units": units}) for s in (Hillside, Stuck))
    hybrid = sd.Hybrid({"flight": flight(), "target": target()}, [sd.Switch("flight", "target", FALLING)])
    start = {"x": x - 1e-3 * v[:, 0], "z": np.sin(3 * x) / 4 - 1e-3 * v[:, 1], "v": v}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        run = hybrid.simulate(**{**CALL, "dt": 2e-3}, t_end=2e-3, state=start)
    assert not run.status.any()
    assert len(run.transitions.path) == n
    stated = any(unit in ("m", "m/s") for unit in units.values())
    assert any("may have to pull" in str(w.message) for w in caught) == (not stated)


def test_friction_has_an_answer():
    """The rod of which the ground would pull: a joint holds it, and with friction it slides."""
    call = {**CALL, "t_end": 0.04, "state": {"b": (0, -0.1 - 0.003, 1), "v": (3, -0.3)}}
    run = landing_rod(HingedRod(), sd.Impact(joint=True)).simulate(**call)
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


@pytest.mark.parametrize("method", ["lie-heun", "implicit-midpoint", "rkmk4"])
def test_a_ball_that_slides_and_then_rolls_is_not_pulled(method):
    """It is on the ground before: what an explicit method leaves of the normal velocity, 3e-3 of the momentum, is no pull."""
    system = dropped_ball(sd.Impact(0.0, 0.05, "sliding"), friction=0.2, rate=0.0)
    rolls = sd.Switch("sliding", "rolling", sd.Stop("slip", below=0.2))
    start = {"Omega": (0.5, 10.0, 3.0), "Y": (0.4, -0.2, 0.0), "b": (-0.5, 0, -0.45, 1)}
    hybrid = sd.Hybrid(system.modes, [system.switches[0], rolls])
    run = hybrid.simulate(mode="flight", t_end=0.6, dt=0.02, method=method, state=start)
    assert run.sequence(0)[:3] == ("flight", "sliding", "rolling")
    assert run.status.tolist() == [0]

"""Forces of contacts as quantities, against Newton's equations written by hand in space."""

from dataclasses import replace

import lift_off as lift_off_ensemble
import numpy as np
import pytest
from contact_systems import Ball, Bowl, Cylinder, Hoop, Incline
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

import semidirect as sd
from semidirect import ops
from semidirect.definition.traced_definition import definition_digest
from semidirect.equations.emission import evaluate_exact, numerical_function
from semidirect.testing import definitions, rational_states
from semidirect.testing.contracts.regular import regular
from semidirect.testing.laws.derivations import BOTH, Derivations
from semidirect.testing.laws.exact_points.numbers import plain_array, same
from semidirect.testing.laws.sizes import budget

FORCES = ("normal-force", "tangential-force", "friction-needed")


def newton(mass, radius, gravity, spin, n, dn, carried=(0, 0, 0), dcarried=(0, 0, 0), inertia=0.4):
    """f on a homogeneous ball that rolls, in space: m dv/dt = f − mg e₃, I dω/dt = −s × f, v = ω × s + the ground's velocity.

    ``n`` is the normal of the ground, s = rn, ``dn`` its rate; ``carried`` the velocity of the ground under the contact and
    ``dcarried`` its rate along the motion.
    """
    s, ds = radius * np.asarray(n), radius * np.asarray(dn)
    moment = inertia * mass * radius**2

    def wrong(turn):
        f = mass * (np.cross(turn, s) + np.cross(spin, ds) + dcarried) + mass * gravity * np.array([0, 0, 1.0])
        return moment * turn + np.cross(s, f), f

    at_rest, _ = wrong(np.zeros(3))
    matrix = np.array([wrong(e)[0] - at_rest for e in np.eye(3)]).T
    return wrong(np.linalg.solve(matrix, -at_rest))[1]


def parts(f, n):
    """N, the size of the friction, and their ratio."""
    normal = f @ n
    across = np.linalg.norm(f - normal * n)
    return np.array([normal, across, across / normal])


def in_space(run, path, k):
    """g, x, and the angular velocity in space, of a run that saved everything."""
    g = run["g"][path, k].reshape(3, 3)
    return g, run["x"][path, k], g @ run["Omega"][path, k]


# -- balls on every ground -----------------------------------------------------------------------------------------


def bowl(ball, x, spin):
    """n from the wall to the centre."""
    reach = ball.outer - ball.radius
    n = -x / reach
    return n, -np.cross(spin, ball.radius * n) / reach


def incline(ball, x, spin):
    return np.array([np.sin(0.5), 0, np.cos(0.5)]), np.zeros(3)


def cylinder(ball, x, spin):
    h = np.array([x[0], x[1], 0])
    n = -h / np.linalg.norm(h)
    v = np.cross(spin, ball.radius * n)
    along = np.array([v[0], v[1], 0])
    return n, -(along - n * (n @ along)) / np.linalg.norm(h)


GROUNDS = {
    "bowl": (Bowl, bowl, {"Omega": (1.0, -2.0, 3.0), "Gamma": (0, 0, 1), "b": (0.6, 0, 0.8, 1)}),
    "incline": (Incline, incline, {"Omega": (1, 0.5, -0.3), "Gamma": (0, 0, 1), "n": (np.sin(0.5), 0, np.cos(0.5)),
                                   "b": (0.0, 0.3, -0.2 / np.cos(0.5), 1)}),
    "cylinder": (Cylinder, cylinder, {"Omega": (0.5, 1.0, -15.0), "Gamma": (0, 0, 1), "b": (-1.3, 0, 0, 1)}),
}  # fmt: skip


@pytest.mark.parametrize("name", GROUNDS)
@pytest.mark.parametrize("form", ["B", "A"])
def test_a_ball_on_a_ground(name, form):
    """N, friction and the coefficient along a motion in space, in both forms."""
    kind, ground, state = GROUNDS[name]
    ball = kind()
    run = ball.simulate(
        t_end=0.6, dt=0.05, method="dop853", state=state, save="every:1", formulation=sd.Formulation(form=form)
    )
    for k in range(len(run.times)):
        _, x, spin = in_space(run, 0, k)
        n, dn = ground(ball, x, spin)
        f = newton(ball.mass, ball.radius, ball.gravity, spin, n, dn)
        found = np.array([run[q][0, k] for q in FORCES])
        np.testing.assert_allclose(found, parts(f, n), rtol=0, atol=1e-10)  # measured 2e-13
        g = run["g"][0, k].reshape(3, 3)
        np.testing.assert_allclose(g @ run["contact-force"][0, k], f, rtol=0, atol=1e-10)
        np.testing.assert_allclose(g @ run["contact-point"][0, k], -ball.radius * n, rtol=0, atol=1e-12)
        torque = np.cross(run["contact-force"][0, k], -run["contact-point"][0, k])
        np.testing.assert_allclose(run["reaction"][0, k], [*torque, *run["contact-force"][0, k]], rtol=0, atol=1e-10)


def at(system, state):
    derived = system.evaluate(state)["derived"]
    return [derived[q] for q in FORCES]


def test_numbers_of_balls_that_start():
    """On an incline N = mg cos α and (2/7) tan α; in a bowl at θ, at rest, mg cos θ and (2/7)mg sin θ; in a cylinder mR φ̇²."""
    n = np.array([np.sin(0.5), 0, np.cos(0.5)])
    state = {"Omega": (0, 0, 0), "Gamma": (0, 0, 1), "n": n, "b": (*(-0.2 * n), 1)}
    normal, friction = 19.6 * np.cos(0.5), 2 / 7 * 19.6 * np.sin(0.5)
    np.testing.assert_allclose(at(Incline(), state), [normal, friction, 2 / 7 * np.tan(0.5)], rtol=0, atol=1e-13)
    assert abs(normal - 17.2006) < 5e-5
    assert abs(2 / 7 * np.tan(0.5) - 0.15609) < 5e-6
    state = {"Omega": (0, 0, 0), "Gamma": (0, 0, 1), "b": (-np.sin(0.8), 0, np.cos(0.8), 1)}
    np.testing.assert_allclose(at(Bowl(), state), [6.8277, 2.0086, 0.2942], rtol=0, atol=5e-5)
    state = {"Omega": (0, 0, -15.0), "Gamma": (0, 0, 1), "b": (-1.3, 0, 0, 1)}
    np.testing.assert_allclose(at(Cylinder(), state)[0], 1.3 * (3 / 1.3) ** 2, rtol=0, atol=1e-13)


def test_a_bowl_released_at_rest_by_its_closed_form():
    """N = mg cos θ + m(R−r)θ̇² with 7(R−r)θ̇²/10 = g(cos θ − cos θ₀); friction (2/7) mg sin θ; up and down again."""
    state = {"Omega": (0, 0, 0), "Gamma": (0, 0, 1), "b": (-np.sin(0.8), 0, np.cos(0.8), 1)}
    run = Bowl().simulate(t_end=2, dt=0.05, method="dop853", state=state, save="every:1")
    x = run["x"][0]
    cos, sin = -x[:, 2], np.hypot(x[:, 0], x[:, 1])
    np.testing.assert_allclose(
        run["normal-force"][0], 9.8 * cos + 98 / 7 * (cos - np.cos(0.8)), rtol=0, atol=1e-10
    )  # measured 6e-13
    np.testing.assert_allclose(run["tangential-force"][0], 2 / 7 * 9.8 * sin, rtol=0, atol=1e-10)


def test_a_turntable():
    """The table carries the contact, Ω₀ e₃ × (x − s): an affine constraint."""
    ball = sd.load("turntable-ball", rate=2.0, noise=())
    run = ball.simulate(t_end=1, dt=0.05, method="dop853", state={"b": (-1, 0.3, -1, 1)}, save="every:1")
    up = np.array([0, 0, 1.0])
    for k in range(len(run.times)):
        _, x, spin = in_space(run, 0, k)
        carried = ball.rate * np.cross(up, x - ball.radius * up)
        velocity = np.cross(spin, ball.radius * up) + carried
        f = newton(
            ball.mass, ball.radius, ball.gravity, spin, up, np.zeros(3), carried, ball.rate * np.cross(up, velocity)
        )
        np.testing.assert_allclose([run[q][0, k] for q in FORCES], parts(f, up), rtol=0, atol=1e-10)  # measured 3e-14


# -- gravity in other words ----------------------------------------------------------------------------------------


class FlatBall(Ball):
    """On a horizontal plane, its centre of mass beside its centre, gravity written in one of several ways."""

    offset = sd.parameter(0.05)
    ways = sd.option("positions", choices=("positions", "vertical", "force", "unstated", "force unstated"))

    def contact(self, a):
        return self.radius * a.Gamma + self.offset * ops.array([0, 0, 1])

    def lagrangian(self, xi, a):
        if self.ways == "positions":
            return super().lagrangian(xi, a)
        kinetic = super().lagrangian(xi, a) - self.mass * self.gravity * ops.dot(a.b[:3], a.Gamma)
        return kinetic if "force" in self.ways else kinetic - self.mass * self.gravity * self.offset * a.Gamma[2]

    def weight(self, a):
        return -self.mass * self.gravity * a.Gamma

    def force(self, a):
        return [*ops.zeros(3), *self.weight(a)] if "force" in self.ways else ops.zeros(6)

    def constraint(self):
        load = {"vertical": self.weight, "force": (0, 0, 0)}.get(self.ways)
        return sd.Rolling(self.contact, normal=lambda a: a.Gamma, load=load)


START = {"Omega": (3.0, -1.0, 2.0), "Gamma": (0.6, 0.0, 0.8), "b": (0, 0, -0.2, 1)}


@pytest.mark.parametrize("way", ["vertical", "force"])
def test_gravity_in_other_words_is_the_same_force(way):
    expected = FlatBall().simulate(t_end=0.5, dt=0.05, method="dop853", state=START, save="every:1")
    found = FlatBall(ways=way).simulate(t_end=0.5, dt=0.05, method="dop853", state=START, save="every:1")
    for name in (*FORCES, "contact-force", "contact-point"):
        np.testing.assert_allclose(found[name], expected[name], rtol=0, atol=1e-10)
    assert np.ptp(expected["normal-force"]) > 1


@pytest.mark.parametrize("way", ["unstated", "force unstated"])
def test_what_the_lagrangian_does_not_hold_is_refused(way):
    """Not by leaving it out: every way of asking says why, and the rest of the system runs."""
    ball = FlatBall(ways=way)
    asked = [
        lambda: ball.simulate(t_end=0.1, dt=0.1, save=sd.Save(names=["normal-force"])),
        lambda: ball.simulate(t_end=0.1, dt=0.1, stop=sd.Stop("normal-force", below=0)),
        lambda: ball.simulate(t_end=0.1, dt=0.1, checks=sd.Checks(bounds={"friction-needed": 1.0})),
        lambda: ball.simulate(t_end=0.1, dt=0.1, reduce=[sd.Extremes(["tangential-force"])]),
        lambda: ball.evolution("normal-force"),
        lambda: ball.prove("2*normal_force"),
    ]
    for ask in asked:
        with pytest.raises(
            sd.errors.InputError, match=r"does not exist\. The Lagrangian does not change when .* along Y.*load="
        ):
            ask()
    assert "normal-force" not in ball.simulate(t_end=0.1, dt=0.1, state=START).data
    assert "reaction" in ball.evaluate(START)["derived"]


def test_a_contact_needs_its_normal():
    class NoNormal(FlatBall):
        def constraint(self):
            return sd.Rolling(self.contact)

    with pytest.raises(
        sd.errors.InputError, match=r"'normal-force' does not exist\. The normal of the ground is not stated"
    ):
        NoNormal().simulate(t_end=0.1, dt=0.1, save=sd.Save(names=["normal-force"]))


def test_the_default_loads_do_not_depend_on_values():
    """Gravity 0 is a value: l holds the weight all the same, and N is what turning needs."""
    state = {"Omega": (0, 0, -15.0), "Gamma": (0, 0, 1), "b": (-1.3, 0, 0, 1)}
    found = at(Cylinder(gravity=0.0), state)
    np.testing.assert_allclose(found, [9 / 1.3, 0, 0], rtol=0, atol=1e-13)


def test_contacts_do_not_depend_on_names():
    """A vertical called K, a mass M0, a block V: nothing is inferred from names."""
    group = sd.SE3(blocks=("W", "V"))
    vertical = sd.Pullback(sd.VectorRepresentation(sd.SO3()), group, "W")

    class Renamed(sd.System):
        M0, acc, tilt = sd.parameter(2.0), sd.parameter(9.8), sd.parameter(0.5)
        advected = {"K": sd.Advected(vertical, (0, 0, 1)), "n": sd.Advected(vertical, (np.sin(0.5), 0, np.cos(0.5))),
                    "pos": sd.Advected(sd.HomogeneousRepresentation(group), (0, 0, 0, 1))}  # fmt: skip

        def lagrangian(self, xi, a):
            kinetic = self.M0 * (0.016 * ops.dot(xi.W, xi.W) + ops.dot(xi.V, xi.V)) / 2
            return kinetic + self.M0 * self.acc * ops.dot(a.pos[:3], a.K)

        def constraint(self):
            return sd.Rolling(lambda a: 0.2 * a.n, normal=lambda a: 3 * a.n, angular="W", linear="V")

    Renamed.group = group
    n = np.array([np.sin(0.5), 0, np.cos(0.5)])
    state = {"W": (0, 0, 0), "K": (0, 0, 1), "n": n, "pos": (*(-0.2 * n), 1)}
    expected = [19.6 * np.cos(0.5), 2 / 7 * 19.6 * np.sin(0.5), 2 / 7 * np.tan(0.5)]
    np.testing.assert_allclose(at(Renamed(), state), expected, rtol=0, atol=1e-13)


# -- the hopping hoop ----------------------------------------------------------------------------------------------


def hoop_forces(hoop, phi, omega):
    """N and friction by hand: Lagrange's equation for φ, and the momentum of hoop and point."""
    m, M, r, g = (float(getattr(hoop, k)) for k in ("point_mass", "hoop_mass", "radius", "gravity"))
    turn = m * np.sin(phi) * (omega**2 + g / r) / (2 * (M + m * (1 + np.cos(phi))))
    normal = (M + m) * g - m * r * (turn * np.sin(phi) + omega**2 * np.cos(phi))
    friction = (M + m) * r * turn + m * r * (turn * np.cos(phi) - omega**2 * np.sin(phi))
    return turn, normal, abs(friction)


@pytest.mark.parametrize(("mass", "omega"), [(1.0, 4.0), (4.0, 3.0)])
def test_hopping_hoop(mass, omega):
    hoop = Hoop(point_mass=mass)
    run = hoop.simulate(t_end=1, dt=0.02, method="dop853", state={"omega": omega}, save="every:1")
    oracle = solve_ivp(
        lambda t, y: [y[1], hoop_forces(hoop, *y)[0]], (0, 1), [0, omega], method="DOP853", rtol=1e-12, atol=1e-13,
        t_eval=run.times,
    )  # fmt: skip
    _, normal, friction = hoop_forces(hoop, *oracle.y)
    np.testing.assert_allclose(run["normal-force"][0], normal, rtol=1e-10, atol=1e-9)  # measured 3e-12
    np.testing.assert_allclose(run["tangential-force"][0], friction, rtol=1e-10, atol=1e-9)
    pushes = normal > 0
    np.testing.assert_allclose(run["friction-needed"][0][pushes], (friction / normal)[pushes], rtol=1e-8)
    assert np.all(np.isinf(run["friction-needed"][0][~pushes]))
    assert pushes.all() == (mass == 1.0)
    judged = run.monitor()["normal-force"]
    assert judged.outcome.value == ("met" if mass == 1.0 else "violated")
    assert judged.figures["smallest"] == run["normal-force"].min()


def test_a_hoop_is_a_ball_with_a_load():
    """The same motion on SE(3), gravity written with Γ and the weight as a load: the plugin's ball of two masses."""
    ball = sd.load("routh-sphere", mass=2.0, offset=0.5, inertia=(1.5, 1.5, 1.5), gravity=9.81, noise=())
    state = {"Omega": (4.0, 0, 0), "Gamma": (0, 0, 1)}
    run = ball.simulate(t_end=1, dt=0.02, method="dop853", state=state, save="every:1")
    hoop = Hoop().simulate(t_end=1, dt=0.02, method="dop853", save="every:1")
    for name in FORCES:
        np.testing.assert_allclose(run[name], hoop[name], rtol=0, atol=1e-9)  # measured 1e-11


def lift_off(hoop, omega):
    """When N vanishes, by hand."""
    event = lambda t, y: hoop_forces(hoop, *y)[1]  # noqa: E731
    event.terminal = True
    found = solve_ivp(lambda t, y: [y[1], hoop_forces(hoop, *y)[0]], (0, 2), [0, omega], method="DOP853", rtol=1e-12,
                      atol=1e-13, events=event)  # fmt: skip
    return found.t_events[0][0]


def test_lift_off_stops_a_path():
    """Hoops of several masses, one parameter per path: each stops at the step after its N vanishes, in both engines."""
    masses = (1.0, 4.0, 5.0)
    hoops = Hoop(point_mass=sd.PerPath(masses))
    start = {"omega": 3.0}
    stop = sd.Stop("normal-force", below=0)
    for engine in ("numpy", "compiled"):
        run = hoops.simulate(
            t_end=0.5,
            dt=1 / 512,
            paths=3,
            method="rkmk4",
            state=start,
            stop=stop,
            execution=sd.Execution(engine=engine),
            save="final",
        )
        expected = [lift_off(Hoop(point_mass=m), 3.0) if m > 1 else np.nan for m in masses]
        stopped = np.asarray(run.stopped.time)
        assert np.isnan(stopped[0]) == np.isnan(expected[0])
        late = stopped[1:] - np.array(expected[1:])
        assert np.all((late >= -1e-9) & (late <= 1 / 512 + 1e-9))


def test_an_ensemble_from_python_and_by_the_command(tmp_path):
    """The share of lift_off.py, with few paths: the same lift-offs to the bit, and the smallest N by the values themselves."""
    stopped, smallest = lift_off_ensemble.from_python(48)
    times, extremes = lift_off_ensemble.by_command(48, tmp_path)
    np.testing.assert_array_equal(times, stopped)
    np.testing.assert_array_equal(extremes["normal-force_smallest"], smallest)
    assert 0 < np.mean(np.isfinite(stopped)) < 1
    assert smallest[0] == pytest.approx(13.05, abs=1e-12)
    assert smallest[-1] <= 0 < smallest[1]


def test_quantities_of_an_ensemble():
    """Kept, reduced, bounded, in expressions, with noise and per-path parameters; statistics are those of the kept values."""
    hoop = Hoop(noise=[0.3], radius=sd.PerPath([1.0, 1.1, 0.9, 1.05]))
    run = hoop.simulate(
        t_end=0.5, dt=0.01, paths=4, seed=3, method="lie-midpoint", save="every:10", reduce=[sd.Extremes(["normal-force"])],
        checks=sd.Checks(bounds={"tangential-force": 30.0}),
    )  # fmt: skip
    smallest = run.reductions["extremes"].smallest["normal-force"]
    np.testing.assert_array_equal(smallest, run["normal-force"].min(axis=0))
    for path, radius in enumerate((1.0, 1.1, 0.9, 1.05)):
        alone = Hoop(noise=[0.3], radius=radius)
        cos, sin = run["turn"][path, :, 0], -run["turn"][path, :, 1]
        _, normal, _ = hoop_forces(alone, np.arctan2(sin, cos), run["omega"][path])
        np.testing.assert_allclose(run["normal-force"][path], normal, rtol=0, atol=1e-12)
    assert run.data.units["normal-force"] == "N"
    moved = Hoop().evolution("normal_force/(hoop_mass*gravity)")
    assert moved.columns[0] == "value"
    failed = Hoop(noise=[0.3]).simulate(
        t_end=1, dt=0.01, paths=4, checks=sd.Checks(bounds={"normal-force": 25.0}), method="rkmk4"
    )
    assert not failed.good.any()


# -- the reaction --------------------------------------------------------------------------------------------------


@budget(0.04, shrink=False)
@given(st.data())
def test_the_reaction_of_every_form_is_that_of_the_theorem(data):
    """R = dp/dt − f of the drift, in P, B and A form, by both principles, for every kind of constraint."""
    definition = data.draw(definitions(constraint=["distribution", "tested", "covectors", "directed", "both"]))
    derivations = Derivations(definition, principles=BOTH)
    state = derivations.admissible(data.draw(rational_states(definition)))
    with regular():
        truth = derivations.truth(state)
        for (_, form), columns in derivations.derived.items():
            sde = columns.sde
            if "reaction" not in sde.named:
                assert len(sde.setting.distribution.basis.T) == definition.group.dimension
                continue
            program = sde.program.with_outputs(R=sde.named["reaction"])
            found = evaluate_exact(program, derivations.inputs(sde, state))["R"]
            expected = plain_array(truth[form][0].reaction)
            assert all(same(x, y) for x, y in zip(found, expected, strict=True)), form


def test_systems_have_a_reaction_exactly_where_something_is_constrained():
    assert "reaction" not in sd.load("heavy-top").evaluate()["derived"]
    with pytest.raises(sd.errors.InputError, match=r"'reaction' does not exist\. Nothing is constrained"):
        sd.load("heavy-top").simulate(t_end=0.1, dt=0.1, save=sd.Save(names=["reaction"]))
    with pytest.raises(sd.errors.InputError, match=r"'normal-force' does not exist\. No contact is stated"):
        sd.load("suslov").simulate(t_end=0.1, dt=0.1, save=sd.Save(names=["normal-force"]))
    suslov = sd.load("suslov", noise=())
    found = suslov.evaluate({"w1": 0.3, "w2": -0.5})["derived"]["reaction"]
    Omega, inertia = np.array([0.3, -0.5, 0]), np.asarray(suslov.inertia)
    M = inertia @ Omega if inertia.ndim == 2 else inertia * Omega
    rates = suslov.evaluate({"w1": 0.3, "w2": -0.5})["drift"]
    dM = inertia @ [rates["w1"], rates["w2"], 0] if inertia.ndim == 2 else inertia * [rates["w1"], rates["w2"], 0]
    np.testing.assert_allclose(found, dM - np.cross(M, Omega), rtol=0, atol=1e-15)


def test_a_name_that_the_system_uses_is_the_system_s():
    """An observable called reaction or normal_force is the one that is declared."""

    class Named(Hoop):
        @sd.observable()
        def reaction(self, state):
            return 2 * state.reaction[2]

        @sd.observable()
        def normal_force(self, state):
            return state.reaction[2] - 1

    found = Named().simulate(t_end=0.1, dt=0.1, method="rkmk4")
    expected = Hoop().simulate(t_end=0.1, dt=0.1, method="rkmk4")
    np.testing.assert_array_equal(found["reaction"], 2 * expected["normal-force"])
    np.testing.assert_array_equal(found["normal-force"], expected["normal-force"] - 1)
    assert abs(Named().evaluate()["observables"]["normal-force"]["value"] - 2.62) < 1e-12


def test_invalid_contacts_raise_errors():
    group = sd.SE2()
    for contact, message in (
        (sd.Contact("w", (0, 1)), "linear of a contact: expected one of nu, v, got 'w'"),
        (sd.Contact("v", (0, 0, 1)), "the normal of a contact has the wrong shape"),
        (sd.Contact("v", (0, 1), load=lambda a: 3.0), "the load of a contact has the wrong shape"),
    ):
        constraint = sd.CovectorConstraint([[0, 0, 1]], contact=contact)
        definition = sd.definition.Definition(group, lambda xi: ops.dot(xi.v, xi.v) + xi.nu**2, constraint)
        with pytest.raises(sd.errors.DefinitionError, match=message):
            sd.equations.HamiltonPontryagin().derive(definition)
        assert sd.equations.HamiltonPontryagin().derive(
            replace(definition, constraint=sd.CovectorConstraint([[0, 0, 1]]))
        )
    for wrong in (lambda: sd.CovectorConstraint([[0, 0, 1]], contact="v"), lambda: sd.Contact(3, (0, 1))):
        with pytest.raises(sd.errors.DefinitionError, match="contact"):
            wrong()


def test_forces_of_a_contact_are_functions_of_the_state():
    """The columns of an SDE in one call: what kernels evaluate is an ordinary expression of the program."""
    sde = Hoop().sde()
    inputs = (
        *sde.state,
        *sde.coordinates.values(),
        sde.setting.t,
        *sde.definition.parameters,
        sde.setting.dt,
        *sde.setting.dW,
    )
    function = numerical_function(sde.program, list(sde.contact["normal-force"]), inputs)
    values = dict.fromkeys(inputs, 0.0)
    values |= dict(zip(sde.definition.parameters, (1.0, 1.0, 1.0, 9.81), strict=True))
    u = next(v for v in sde.variables if v.kind == "momentum").symbols[0]
    values |= {u: 6 * 4.0, sde.state[1]: 1.0, sde.state[4]: -1.0, sde.state[5]: 1.0}
    assert abs(function(*values.values())[0] - 3.62) < 1e-12


@pytest.mark.parametrize("part", ["normal", "load", "point", "linear"])
def test_equations_on_disk_are_found_by_the_contact_too(part):
    """A contact is part of what is derived: another one is another definition."""
    parts = {"linear": "v", "normal": (0, 1), "load": lambda a: -a.turn, "point": lambda a: 2 * a.turn}
    other = {"linear": "omega", "normal": (0, 2), "load": lambda a: -2 * a.turn, "point": lambda a: a.turn}

    def digest(contact):
        class Changed(Hoop):
            def constraint(self):
                return sd.DistributionConstraint([[1], [self.radius], [0]], names=("omega",), contact=contact)

        return definition_digest(Changed())

    first = digest(sd.Contact(**parts))
    assert first is not None
    assert digest(sd.Contact(**parts)) == first != digest(sd.Contact(**{**parts, part: other[part]}))

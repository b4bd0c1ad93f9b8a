"""The energy law of docs/energy_law.md: dE_k is the power of forces and reactions and what noise and time add, exactly.

On the left E = ⟨p, ξ⟩ − l is differentiated along each column of the derived equations; on the right stand l, N_i, F_k and α, β
as the user wrote them, differentiated by dual numbers, and the reaction that the equations give.
"""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, reject
from hypothesis import strategies as st
from library_pages import loaded

import semidirect as sd
from semidirect import ops, plugins
from semidirect.equations.quantity_expressions.components import component_expressions
from semidirect.laws import check
from semidirect.testing import Derivations, DerivedColumns, definitions, generic_state, orbit_states, rational_states
from semidirect.testing.laws.equations import energy
from semidirect.testing.laws.exact_points.numbers import same
from semidirect.testing.laws.sizes import budget
from semidirect.testing.laws.subject import Subject

HP = [sd.equations.HamiltonPontryagin()]


@budget(0.3)
@given(st.data())
def test_energy_law(data):
    """Inertia of a, t, z, quartic l, affine and non-ideal constraints, noise outside D, forces with noise of both kinds."""
    definition = data.draw(definitions())
    state = data.draw(rational_states(definition))
    equations = Derivations(definition, principles=HP)
    try:
        differences = equations.energy_differences(state) + equations.power_differences(state)
    except ZeroDivisionError:  # B_VᵀHB or A H⁻¹C is singular at this state
        reject()
    assert differences == []


@budget(0.1)
@given(st.data())
def test_every_system_has_its_energy(data):
    """The observable of a system that states none: of every form, by value and along each column, exactly."""
    definition = data.draw(definitions())
    state = data.draw(rational_states(definition))
    system = stating(definition)
    equations = Derivations(definition, principles=HP)
    point = equations.point(state)
    for (_, form), columns in equations.derived.items():
        rows = component_expressions(system, system.observables()["energy"], columns.sde)
        at = equations.inputs(columns.sde, state)
        try:
            found = DerivedColumns(columns.sde, {"energy": rows})
            law = equations.theorem.energy_rates(point, equations.truth(state)[form])
            for column, rate, true in zip(found(at), law, equations.truth(state)[form], strict=True):
                reaction = column["reaction"] if "reaction" in column else column["d_p"] - true.f
                assert same(column["d_energy"][0], rate + reaction @ np.array(point.xi, dtype=object))
        except ZeroDivisionError:  # B_VᵀHB or A H⁻¹C is singular at this state
            reject()
        assert same(found.values(at)["energy"][0], equations.theorem.energy(point))


def stating(definition):
    """A system that states the data of a definition and no energy."""
    d, f = definition, definition.forces
    stated = {"lagrangian": d.lagrangian, "force": f.drift, "noise_force": f.noise, "independent_force": f.independent}
    methods = {k: staticmethod(v) for k, v in stated.items() if v is not None}
    made = type("Stated", (sd.System,), {"group": d.group, "advected": d.advected, **methods,
                "constraint": lambda self: d.constraint, "internal": lambda self: d.internal})  # fmt: skip
    return made()


@pytest.mark.parametrize("name", sorted(plugins.available()))
@budget(0.04)
@given(data=st.data())
def test_energy_law_of_every_installed_system(name, data):
    system = loaded(name)
    if name not in DERIVED:
        DERIVED[name] = Derivations.of(system)
    equations = DERIVED[name]
    state = data.draw(orbit_states(equations.theorem.definition))
    try:
        differences = equations.energy_differences(state) + equations.power_differences(state)
    except ArithmeticError:  # a disc that lies flat
        reject()
    assert differences == []


DERIVED = {}


@budget(0.1)
@given(st.data())
def test_ideal_reactions_have_the_power_of_the_offset(data):
    """⟨R_k, ξ⟩ = ⟨R_k, c⟩, and in A form dλ·b on the constraint."""
    definition = data.draw(definitions(constraint=["both"]).filter(lambda d: d.group.dimension > 1))
    state = data.draw(rational_states(definition))
    equations = Derivations(definition, principles=HP)
    point = equations.point(state)
    _, c, _ = equations.theorem.distribution(point)
    _, b, _ = equations.theorem.annihilator(point)
    columns = {form: equations.derived[HP[0].name, form] for form in ("B", "A")}
    found = {form: f(equations.inputs(f.sde, state)) for form, f in columns.items()}
    xi = np.array(point.xi, dtype=object)
    for of_basis, of_covectors in zip(found["B"], found["A"], strict=True):
        for reaction in (of_basis["reaction"], of_covectors["reaction"]):
            assert reaction @ xi == reaction @ c
        assert of_covectors["reaction"] @ xi == of_covectors["multiplier"] @ b


# -- the law notices -----------------------------------------------------------------------------------------------


def top(noise, forces=None):
    """A heavy top whose inertia depends on Γ and t."""
    so3 = sd.SO3()

    def lagrangian(xi, a, t):
        moments = ops.array([2 + a.Gamma[0] ** 2, 3, 5 + t**2])
        return ops.dot(xi.Omega, moments * xi.Omega) / 2 - ops.dot(a.Gamma, [1, 2, 3])

    gamma = {"Gamma": sd.Advected(sd.VectorRepresentation(so3), (0, 0, 1))}
    return sd.definition.Definition(
        so3, lagrangian, sd.Unconstrained(noise), gamma, forces=forces or sd.definition.Forces()
    )


def defects(definition, monkeypatch=None, **patched):
    state = generic_state(definition)
    for name, value in patched.items():
        monkeypatch.setattr(sd.equations.HamiltonPontryagin, name, value)
    return {str(d).split(":")[0] for d in Derivations(definition, principles=HP).energy_differences(state)}


def test_the_law_notices_a_noise_that_is_not_varied(monkeypatch):
    definition = top(sd.StateNoise(lambda a: [a.Gamma * a.Gamma[1]]))
    assert defects(definition) == set()
    found = defects(definition, monkeypatch, kappa=lambda self, m: m.lagrangian_a * m.setting.dt)
    assert {d.split()[3] for d in found} == {"1"}


def test_the_law_notices_a_wrong_torque(monkeypatch):
    definition = top([[1, 2, 3]])
    found = defects(definition, monkeypatch, kappa=lambda self, m: 2 * m.lagrangian_a * m.setting.dt)
    assert {d.split()[3] for d in found} == {"0"}


def test_the_law_notices_a_force_left_out(monkeypatch):
    definition = top(
        [[1, 2, 3]], forces=sd.definition.Forces(lambda xi: -xi.Omega, lambda xi: [xi.Omega], lambda a: [a.Gamma])
    )
    assert defects(definition) == set()
    original = sd.equations.HamiltonPontryagin.balance

    def balance(self, motion):
        found = original(self, motion)
        return type(found)(found.f - motion.force, found.projected - motion.force, found.named)

    assert {d.split()[3] for d in defects(definition, monkeypatch, balance=balance)} == {"0", "1", "2"}


# -- what follows from it ------------------------------------------------------------------------------------------


def energy_rates(definition):
    equations = Derivations(definition, principles=HP)
    columns = equations.derived[HP[0].name, "B"]
    return [c["d_E"][0] for c in columns(equations.inputs(columns.sde, generic_state(definition)))]


def heavy(noise):
    so3 = sd.SO3()

    def lagrangian(xi, a):
        return ops.dot(xi.Omega, ops.array([2, 2, 5]) * xi.Omega) / 2 - 4 * a.Gamma[2]

    gamma = {"Gamma": sd.Advected(sd.VectorRepresentation(so3), (0, 0, 1))}
    return sd.definition.Definition(so3, lagrangian, sd.Unconstrained(noise), gamma)


def test_noise_fixed_in_space_keeps_the_energy_if_it_is_varied():
    """N = Ad_{s⁻¹}ζ leaves E where it leaves l's a-dependence alone: cΓ on SO(3), where gravity is along ζ."""
    drift, noise = energy_rates(heavy(sd.StateNoise(lambda a: [3 * a.Gamma])))
    assert (drift, noise) == (0, 0)
    drift, noise = energy_rates(heavy(sd.noise.FormalNoise(lambda a: [3 * a.Gamma])))
    assert drift == 0 != noise


def test_noise_along_the_axis_of_a_symmetric_top_keeps_the_energy():
    assert energy_rates(heavy([[0, 0, Fraction(1, 3)]])) == [0, 0]
    assert energy_rates(heavy([[Fraction(1, 3), 0, 0]]))[1] != 0


def moving(Omega0=Fraction(19, 10)):
    """A ball with any inertia on a plane that turns: an affine constraint that works."""
    se3 = sd.SE3()
    frame = sd.AdvectedFrame(se3)

    def contact(a):
        return Fraction(7, 10) * a.Gamma

    def lagrangian(xi):
        return ops.dot(xi.Omega, ops.array([2, 3, 4]) * xi.Omega) / 2 + Fraction(13, 20) * ops.dot(xi.Y, xi.Y)

    def ground(a):
        return Omega0 * ops.cross(a.Gamma, -a.b[:3] - contact(a))

    return sd.definition.Definition(
        se3, lagrangian, sd.Rolling(contact, offset=ground), {k: frame[k] for k in ("Gamma", "b")}
    )


def test_the_moving_energy_of_a_turntable():
    """E is not kept, E − ⟨p, Z⟩ is, with Z = Ω₀(Γ, Γ × X) the turning of space seen from the body."""
    Omega0 = Fraction(19, 10)
    definition = moving(Omega0)
    sde = HP[0].derive(definition, variables="velocity")
    p, s = np.array(sde.program.outputs["p"]), sde.setting
    Gamma, X = s.a[:3], -s.a[3:6]
    energy = (p @ np.array(sde.program.outputs["xi"])) / 2
    moving_energy = energy - Omega0 * (p[:3] @ Gamma + p[3:] @ ops.cross(Gamma, X))
    columns = DerivedColumns(sde, {"E": [energy], "moving": [moving_energy]})
    state = generic_state(definition)
    (drift,) = columns(dict(zip(sde.state, (*state.u, *state.a), strict=True)))
    assert drift["d_E"][0] != 0
    assert drift["d_moving"][0] == 0


def test_noether_for_transport_noise():
    """d⟨p, Ad_{s⁻¹}ζ⟩ = ⟨κ ◇ a + F + R, Ad_{s⁻¹}ζ⟩: without a, a force and a constraint the spatial momentum stands still."""
    system = sd.load("rigid-body", noise=[[0.2, 0.1, 0.15], [0.0, 0.3, -0.1]])
    sde = system.sde(variables="velocity")
    g = np.array(list(sde.coordinates.values())).reshape(3, 3)
    spatial = g @ np.array(sde.program.outputs["p"])
    equations = Derivations.of(system, HP)
    columns = DerivedColumns(sde, {"spatial": list(spatial)})
    state = generic_state(equations.theorem.definition)
    for column in columns(equations.inputs(sde, state)):
        assert list(column["d_spatial"]) == [0, 0, 0]
        assert any(column["d_p"])


# -- a system without a statement, and with one --------------------------------------------------------------------


class Pendulum(sd.System):
    """A top whose weight and inertia depend on time, with a term of first order and a quartic one."""

    group = sd.SO3()
    advected = {"Gamma": sd.Advected(sd.VectorRepresentation(group), (0, 0, 1))}
    swing = sd.parameter(0.3, symbol="w", doc="of the weight")

    def lagrangian(self, xi, a, t):
        kinetic = (2 + t) * ops.dot(xi.Omega, xi.Omega) / 2 + a.Gamma[1] * xi.Omega[0] + xi.Omega[2] ** 4
        return kinetic - (1 + self.swing * t) * a.Gamma[2]

    def by_hand(self, state):
        square = ops.dot(state.Omega, state.Omega)
        return (2 + state.t) * square / 2 + 3 * state.Omega[2] ** 4 + (1 + self.swing * state.t) * state.Gamma[2]


class Stated(Pendulum):
    @sd.observable(unit="J")
    def energy(self, state):
        return self.by_hand(state)


class Shifted(Pendulum):
    @sd.observable(unit="J")
    def energy(self, state):
        return self.by_hand(state) + 3


class Wrong(Pendulum):
    @sd.observable(unit="J")
    def energy(self, state):
        return self.lagrangian(state, state, state.t)


class Components(Pendulum):
    @sd.observable(unit="J")
    def energy(self, state):
        return state.Omega


STATE = {"Omega": (0.3, -0.2, 0.5), "Gamma": (0.6, 0.0, 0.8)}


def test_a_derived_energy_is_that_by_hand():
    found = [kind().evaluate(STATE, t=0.4)["observables"]["energy"] for kind in (Pendulum, Stated)]
    assert found[0]["value"] == pytest.approx(found[1]["value"], rel=1e-15)  # measured 0
    assert found[0]["drift"] == pytest.approx(found[1]["drift"], abs=2e-15)  # of 0.4; measured 0
    assert Pendulum().observables()["energy"].status == ""


@pytest.mark.parametrize(("kind", "status", "figure"), [
    (Pendulum, "ok", "states"), (Stated, "ok", "the stated energy is ⟨∂l/∂ξ, ξ⟩ − l"), (Shifted, "ok", "and the constant 3"),
    (Wrong, "warning", "is not ⟨∂l/∂ξ, ξ⟩ − l: off by"), (Components, "warning", "has 3 components"),
])  # fmt: skip
def test_a_check_says_when_the_stated_energy_is_another_one(kind, status, figure):
    found = energy(Subject(kind, {}, 0))
    assert (found.status, figure in found.figure) == (status, True), found


def test_a_status_of_the_derived_energy_is_verified():
    class Claims(Pendulum):
        energy = sd.energy(status="exact", unit="")

    system = Claims()
    assert (system.observables()["energy"].status, system.observables()["energy"].unit) == ("exact", "")
    assert "declared statuses" in check(Claims, quick=True).failures


def test_the_name_energy_is_free():
    """A block, a parameter or nothing may have it; then there is no derived energy."""

    class Block(sd.System):
        group = sd.SO3(blocks=("energy",))

        def lagrangian(self, xi):
            return ops.dot(xi.energy, xi.energy) / 2

    class Parameter(Pendulum):
        energy = sd.parameter(1.0, symbol="E", doc="a number")

    class Without(Pendulum):
        energy = None

    for kind in (Block, Parameter, Without):
        assert "energy" not in kind().observables()
    run = Block().simulate(
        t_end=0.1, dt=0.1, paths=1, state={"energy": (0.1, 0.2, 0.3)}, execution=sd.Execution(engine="numpy")
    )
    assert run["energy"].shape == (1, 2, 3)
    assert Parameter(energy=2.0).energy == 2


def test_an_observable_uses_the_energy():
    class Ratio(Pendulum):
        @sd.observable()
        def ratio(self, state):
            return self.energy(state) / (1 + state.energy)

    found = {k: v["value"] for k, v in Ratio().evaluate(STATE)["observables"].items()}
    assert found["ratio"] == pytest.approx(found["energy"] / (1 + found["energy"]), rel=1e-15)
    assert check(Ratio, quick=True)["symbols and numbers"].status == "ok"

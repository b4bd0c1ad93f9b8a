"""The energy law of docs/theory.md: dE_k is the power of forces and reactions and what noise and time add, exactly.

On the left E = ⟨p, ξ⟩ − l is differentiated along each column of the derived equations; on the right stand l, N_i, F_k and α, β
as the user wrote them, differentiated by dual numbers, and the reaction that the equations give.
"""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

import semidirect as sd
from semidirect import ops, plugins
from semidirect.laws.budget import budget
from semidirect.testing import Derivations, DerivedColumns, definitions, generic_state, orbit_states, rational_states

HP = [sd.HamiltonPontryagin()]


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


@pytest.mark.parametrize("name", sorted(plugins.available()))
@budget(0.04)
@given(data=st.data())
def test_energy_law_of_every_installed_system(name, data):
    system = sd.load(name)
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
    return sd.Definition(so3, lagrangian, sd.Unconstrained(noise), gamma, forces=forces or sd.Forces())


def defects(definition, monkeypatch=None, **patched):
    state = generic_state(definition)
    for name, value in patched.items():
        monkeypatch.setattr(sd.HamiltonPontryagin, name, value)
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
    definition = top([[1, 2, 3]], forces=sd.Forces(lambda xi: -xi.Omega, lambda xi: [xi.Omega], lambda a: [a.Gamma]))
    assert defects(definition) == set()
    original = sd.HamiltonPontryagin.balance

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
    return sd.Definition(so3, lagrangian, sd.Unconstrained(noise), gamma)


def test_noise_fixed_in_space_keeps_the_energy_if_it_is_varied():
    """N = Ad_{s⁻¹}ζ leaves E where it leaves l's a-dependence alone: cΓ on SO(3), where gravity is along ζ."""
    drift, noise = energy_rates(heavy(sd.StateNoise(lambda a: [3 * a.Gamma])))
    assert (drift, noise) == (0, 0)
    drift, noise = energy_rates(heavy(sd.FormalNoise(lambda a: [3 * a.Gamma])))
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

    return sd.Definition(se3, lagrangian, sd.Rolling(contact, offset=ground), {k: frame[k] for k in ("Gamma", "b")})


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

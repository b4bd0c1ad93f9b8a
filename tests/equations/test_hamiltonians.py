"""Systems stated by h and h_i: against the Legendre transform of l, against the theorem in numbers, and what is refused."""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import semidirect as sd
from semidirect import ops
from semidirect.definition import Definition
from semidirect.equations.emission import numerical_function
from semidirect.equations.hamilton_pontryagin import HamiltonPontryagin
from semidirect.testing import Derivations, definitions, generic_state, rational_states
from semidirect.testing.definition_strategies import PolynomialLagrangian
from semidirect.testing.laws.check import LAWS
from semidirect.testing.laws.exact_points.numbers import same
from semidirect.testing.laws.sizes import budget
from semidirect.testing.laws.subject import Subject
from semidirect.testing.polynomial_strategies import arrays

NOISES = ("constant", "prescribed", "state")


@dataclass(frozen=True)
class Legendre:
    """⟨p, ξ⟩ − l of a quadratic l = ½ Σ d_i (1 + q_i²) (Kξ)_i² + h·ξ − V, by elimination: w = K⁻ᵀ(p − h)."""

    l: PolynomialLagrangian

    def __call__(self, p: Any, a: Any, t: Any, z: Any) -> Any:
        """½ Σ w_i² / (d_i (1 + q_i²)) + V."""
        at, n = {"a": a, "t": t, "z": z}, len(self.l.diagonal)
        below, scale = list(self.l.lower(**at)), self.l.scale(**at)
        w = [x - h for x, h in zip(np.asarray(p), self.l.linear(**at), strict=True)]
        for i in reversed(range(n)):
            for j in range(i):
                w[j] = w[j] - below[i * (i - 1) // 2 + j] * w[i]
        kinetic = sum(x * x / (d * (1 + s * s)) for d, s, x in zip(self.l.diagonal, scale, w, strict=True)) / 2
        return kinetic + self.l.potential(**at)[0]


def stated_by_h(definition: Definition) -> Definition:
    """The same system by h, and by p·N_i in place of the noise fields N_i."""
    noise = definition.constraint.noise

    def paired(p: Any, a: Any, t: Any, z: Any) -> list[Any]:
        return [ops.dot(np.asarray(p), row) for row in noise.amplitudes(a=a, t=t, z=z)]

    return replace(
        definition, lagrangian=None, hamiltonian=Legendre(definition.lagrangian), noise_hamiltonian=paired,
        constraint=sd.Unconstrained(),
    )  # fmt: skip


def fields(sde: Any, values: dict[Any, Any]) -> np.ndarray:
    """All columns: rates of the state, transport, and the velocity."""
    rows = []
    for k in range(sde.wieners + 1):
        column = sde.column(k)
        outputs = [*column.outputs["state"], *column.outputs["v"], *column.outputs["xi"]]
        rows.append(numerical_function(column, outputs, list(values))(*values.values()))
    return np.array(rows, dtype=float)


@given(definitions(constraint=["unconstrained"], noise=NOISES), st.integers(0, 2**16))
@budget(0.06)
def test_fields_are_those_of_the_legendre_transform(definition: Definition, seed: int) -> None:
    """To 1e-13 of the largest at random states; measured over 300 definitions of 16 groups: 9e-15, energies 5e-14."""
    plain = replace(definition, lagrangian=replace(definition.lagrangian, quartic=(0,) * definition.group.dimension))
    by_l, by_h = (HamiltonPontryagin().derive(d) for d in (plain, stated_by_h(plain)))
    assert by_h.state == by_l.state
    assert not any(hasattr(s, "matrix") for s in by_h.program.statements)  # nothing is solved
    draw = np.random.default_rng(seed)
    values = {x: draw.uniform(-1, 1) for x in (*by_l.state, by_l.setting.t)}
    one, other = fields(by_l, values), fields(by_h, values)
    assert np.max(np.abs(one - other)) <= 1e-13 * max(1.0, np.max(np.abs(one)))
    energies = [
        numerical_function(sde.program, [sde.energy], list(values))(*values.values())[0] for sde in (by_l, by_h)
    ]
    assert abs(energies[0] - energies[1]) <= 1e-13 * max(1.0, abs(energies[0]))


@st.composite
def hamiltonians(draw: st.DrawFn) -> Definition:
    """Definitions by h and h_i, any polynomials of p, a, t and z: degenerate ones, and noise that depends on p."""
    definition = draw(definitions(constraint=["unconstrained"], noise=("state", "formal")))
    n, sizes = definition.group.dimension, [q.dimension for q in definition.advected.values()]
    internal = sum(part.stop - part.start for part in definition.internal_layout.values())
    seen = [
        *(("xi", i) for i in range(n)),
        *(("a", i) for i in range(sum(sizes))),
        *(("z", i) for i in range(internal)),
    ]
    h = draw(arrays((1,), [*seen, ("t", 0)], least=1, most=1))
    noise = draw(arrays((draw(st.integers(0, 2)),), [*seen, ("t", 0)], least=1, most=2))
    return replace(
        definition, lagrangian=None, hamiltonian=lambda p, a, t, z: h(xi=p, a=a, t=t, z=z)[0],
        noise_hamiltonian=lambda p, a, t, z: list(noise(xi=p, a=a, t=t, z=z)),
    )  # fmt: skip


@given(st.data())
@budget(0.05)
def test_principles_and_the_theorem_in_numbers_agree(data: st.DataObject) -> None:
    """Both principles, the fields from the user's functions without SymPy, and the energy law; exactly."""
    definition = data.draw(hamiltonians())
    state = data.draw(rational_states(definition))
    derivations = Derivations(definition)
    assert derivations.forms == ("P",)
    assert not derivations.differences(state)
    assert not derivations.energy_differences(state)


def test_noise_hamiltonians_beside_a_lagrangian_move_momenta_and_velocities_alike() -> None:
    """h_i that are not linear in p, with an l that is quadratic, in both kinds of variables; exactly."""
    group = sd.SE2()
    b = sd.Advected(sd.HomogeneousRepresentation(group), reference=(1, 2, 1))
    definition = Definition(
        group, lambda xi, a: 2 * xi.nu**2 + xi.v[0] ** 2 + 3 * xi.v[1] ** 2 + xi.nu * xi.v[0] - a.b[0] ** 2,
        sd.Unconstrained(noise=[[1, 0, 2]]), {"b": b},
        noise_hamiltonian=lambda p, a: [p.nu**2 * a.b[1] + p.v[0], a.b[0] ** 2],
    )  # fmt: skip
    derivations = Derivations(definition)
    assert derivations.forms == ("P", "B")
    state = generic_state(definition)
    assert not derivations.differences(state)
    assert not derivations.energy_differences(state)
    column = derivations.truth(state)["P"][2]
    assert not same(column.v[0], 0)  # ∂(p_ν² b₂)/∂p_ν
    assert same(column.v[1], 1)


class Body(sd.System):
    """A body by its Hamiltonian."""

    weight = sd.parameter(0.5, symbol="w")
    group = sd.SO3()
    advected = {"Gamma": sd.Advected(sd.VectorRepresentation(group), reference=(0, 0, 1))}
    initial = {"M": (0.4, 1.5, -1.4)}

    def hamiltonian(self, p, a):
        return p.Omega[0] ** 2 / 2 + p.Omega[1] ** 2 / 3 + p.Omega[2] ** 2 / 4 + self.weight * a.Gamma[2]


class Both(Body):
    """The body by l as well."""

    initial = {"Omega": (0.4, 1.0, -0.7)}

    def lagrangian(self, xi, a):
        return xi.Omega[0] ** 2 / 2 + 3 * xi.Omega[1] ** 2 / 4 + xi.Omega[2] ** 2 - self.weight * a.Gamma[2]


class Apart(Both):
    """An h of another body."""

    def hamiltonian(self, p, a):
        return super().hamiltonian(p, a) + p.Omega[0] ** 2


def test_with_both_equations_come_from_l_and_check_compares() -> None:
    """The state has velocities, and a wrong h is found."""
    assert [v.name for v in Both().sde(variables="velocity").variables] == ["Omega", "Gamma"]
    law = next(law for law in LAWS if law.name == "Legendre transform")
    found = [law.outcome(Subject.of(kind())).status for kind in (Body, Both, Apart)]
    assert found == ["not applicable", "ok", "failed"]


def test_a_start_has_momenta() -> None:
    """Velocities are no state of a system by h; momenta alone are taken, and velocities are read."""
    with pytest.raises(sd.errors.UnknownNameError, match="'Omega'"):
        Body().simulate(t_end=0.1, dt=0.1, state={"Omega": (1, 0, 0)})
    run = Body().simulate(t_end=0.1, dt=0.1, state={"M": (1, 2, 3)})
    np.testing.assert_allclose(run["Omega"][0, 0], (1, 4 / 3, 3 / 2), rtol=1e-15)
    assert run.final["M"].shape == (1, 3)
    with pytest.raises(sd.errors.DefinitionError, match="form='B'"):
        Body().sde(form="A")


@pytest.mark.parametrize("name", ["hamiltonian", "noise_hamiltonian"])
def test_a_constraint_is_refused(name: str) -> None:
    """h and h_i are for systems without a constraint, and a hook that is spelled wrongly is named."""
    stated = {"group": sd.SO3(), "lagrangian": lambda self, xi: 0, name: lambda self, p: [p.Omega[0]]}
    for constraint in (sd.PrescribedVelocity((1, 0, 0)), sd.DistributionConstraint(np.eye(3)[:, :1], ("u",)),
                       sd.CovectorConstraint([[1, 0, 0]])):  # fmt: skip
        kind = type("Constrained", (sd.System,), {**stated, "constraint": lambda self, c=constraint: c})
        with pytest.raises(sd.errors.DefinitionError, match=f"^{name} under a constraint"):
            kind().sde()
    with pytest.raises(sd.errors.DefinitionError, match=f"expected {name}, got {name}s"):
        type("Misspelled", (sd.System,), {f"{name}s": lambda self, p, a: 0})


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("hamiltonian", lambda self, p: [p.Omega[0]], "a Hamiltonian has the wrong shape"),
        ("hamiltonian", lambda self, xi: xi.Omega[0], "asks for 'xi'"),
        ("hamiltonian", lambda self, p: p.M[0], "Omega"),
        ("hamiltonian", 3, "expected a function of any of p, a, t, z"),
        ("noise_hamiltonian", lambda self, p: p.Omega[0], "expected a sequence of scalars"),
        ("noise_hamiltonian", lambda self, p: [p.Omega], "expected a sequence of scalars"),
    ],
)
def test_what_is_no_hamiltonian_is_refused(name: str, value: Any, says: str) -> None:
    """Each error says what was expected."""
    with pytest.raises(sd.errors.SemidirectError, match=says):
        type("Wrong", (Body,), {name: value})().sde()


@pytest.mark.parametrize("velocity", ["Gamma", "B", "both"])
def test_a_velocity_may_be_what_is_advected_or_a_parameter(velocity: str) -> None:
    """h linear in p: ξ is a symbol that stands for something else as well, so that nothing new is named."""

    class Carried(Body):
        """A body that is carried along a direction, whatever its momentum."""

        direction = sd.parameter((0.3, -0.5, 0.2), symbol="B", shape=(3,))

        def hamiltonian(self, p, a):
            along = {"Gamma": a.Gamma, "B": ops.array(self.direction), "both": a.Gamma + ops.array(self.direction)}
            return ops.dot(p.Omega, along[velocity])

    system, M, Gamma = Carried(), np.array([0.4, 1.5, -1.4]), np.array([0.6, 0.0, 0.8])
    found = system.evaluate({"M": M, "Gamma": Gamma})
    B = np.array([0.3, -0.5, 0.2])
    expected = {"Gamma": Gamma, "B": B, "both": Gamma + B}[velocity]
    np.testing.assert_allclose(found["derived"]["Omega"], expected, rtol=0, atol=1e-16)
    np.testing.assert_allclose(found["drift"]["Gamma"], np.cross(Gamma, expected), rtol=0, atol=1e-16)
    turned = 0 if velocity == "B" else np.cross(Gamma, M)  # −∂h/∂Γ ◇ Γ
    np.testing.assert_allclose(found["drift"]["M"], np.cross(M, expected) + turned, rtol=0, atol=4e-16)
    assert "Omega" in system.simulate(t_end=0.1, dt=0.1)
    assert "h" in str(system.equations())


def test_dissipation_by_transport_lowers_h() -> None:
    """Landau and Lifshitz' damping of a spin: the state turns towards the field at the rate θ|S × B|², and |S| stays."""

    class Spin(sd.System):
        """One spin in a field along e₃."""

        group = sd.SO3()
        momentum_names = {"Omega": "S"}
        initial = {"S": (0.6, 0.0, -0.8)}
        dissipation = sd.DoubleBracket(Fraction(1, 4))

        def hamiltonian(self, p):
            return 2 * p.Omega[2]

    found = Spin().evaluate()
    assert found["observables"]["energy"]["drift"] == pytest.approx(-0.25 * 4 * 0.36, abs=1e-15)
    rate = np.dot(found["state"]["S"], found["drift"]["S"])
    assert abs(rate) < 1e-15

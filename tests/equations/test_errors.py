"""What is not a definition is refused when it is made or derived, with the reason and what to do."""

import numpy as np
import pytest
import sympy as sp

import semidirect as sd
from semidirect import ops
from semidirect.core.errors import DefinitionError, SemidirectError, UnknownNameError
from semidirect.equations import principles
from semidirect.equations.emission import evaluate_exact
from semidirect.testing import Derivations, generic_state

SO3, SE3 = sd.SO3(), sd.SE3()
FREE = sd.Unconstrained()


def energy(xi):
    return ops.dot(xi.Omega, xi.Omega) / 2


def energy_of_motion(xi):
    return (ops.dot(xi.Omega, xi.Omega) + ops.dot(xi.Y, xi.Y)) / 2


def gamma(group=SO3):
    rep = sd.VectorRepresentation(SO3)
    return {"Gamma": sd.Advected(rep if group == SO3 else sd.Pullback(rep, group, "Omega"), (0, 0, 1))}


def derive(lagrangian=energy, constraint=FREE, *, group=SO3, variables="momentum", form=None, **parts):
    definition = sd.definition.Definition(group, lagrangian, constraint, **{"advected": gamma(group), **parts})
    return sd.equations.HamiltonPontryagin().derive(definition, variables=variables, form=form)


def rolling(**parts):
    return derive(energy_of_motion, sd.Rolling(**{"contact": lambda a: a.Gamma, **parts}), group=SE3)


def basis(*rows, names=("u",), **parts):
    return sd.DistributionConstraint(rows, names, **parts)


WRONG = {
    # names
    "two advected quantities of one name as a block": (
        lambda: derive(advected={"Omega": gamma()["Gamma"]}), "names used twice: Omega",
    ),
    "a coordinate of D named like an advected quantity": (
        lambda: derive(constraint=basis([1], [0], [0], names=("Gamma",))), "names used twice: Gamma",
    ),
    "a momentum named like an advected quantity": (
        lambda: derive(momentum_names={"Omega": "Gamma"}), "names used twice: Gamma",
    ),
    "a momentum named like a velocity": (lambda: derive(momentum_names={"Omega": "Omega"}), "names used twice: Omega"),
    "an internal state named like a block": (
        lambda: derive(internal=[sd.InternalState("Omega", 0)]), "names used twice: Omega",
    ),
    "an internal state named like a coordinate of s": (
        lambda: derive(internal=[sd.InternalState("g11", 0)]), "names used twice: g11",
    ),
    "the name of time": (lambda: derive(internal=[sd.InternalState("t", 0)]), r"names used twice: t.*s, t are reserved"),
    "a component of one quantity that is another quantity": (
        lambda: derive(constraint=basis([1], [0], [0], names=("Gamma1",))), "one symbol stands for two things: Gamma1",
    ),
    "a parameter with the symbol of time": (
        lambda: derive(parameters=(sp.Symbol("t", real=True),)), "one symbol stands for two things: t.*another symbol=",
    ),
    "a block that is a coordinate of D but not the same": (
        lambda: derive(constraint=basis([0], [1], [0], names={"Omega": 1})), "named like a block of the velocity but is not",
    ),
    "an unknown argument": (lambda: derive(lambda xi, b: energy(xi)), "asks for 'b'.*may name any of: xi, a, z, t"),
    "an unknown block": (lambda: derive(lambda xi: xi.omega), "unknown velocity 'omega'. Did you mean 'Omega'"),
    "an unknown advected quantity": (
        lambda: derive(lambda xi, a: energy(xi) - a.gamma[2]), "unknown advected quantity 'gamma'. Did you mean 'Gamma'",
    ),
    # shapes
    "a Lagrangian that is a vector": (lambda: derive(lambda xi: xi.Omega), r"a Lagrangian.*expected \(\), got \(3,\)"),
    "a Lagrangian that returns nothing": (lambda: derive(lambda xi: None), "not a number.*got None"),
    "a Lagrangian that is no number": (lambda: derive(lambda xi: energy(xi) + np.nan), "not a number.*finite.*got nan"),
    "a division by zero": (lambda: derive(lambda xi: energy(xi) / sp.Integer(0)), "not a number.*finite"),
    "a noise of two components": (
        lambda: derive(constraint=sd.Unconstrained([[1, 2]])), r"noise field N_i.*expected \(3\), got \(2,\)",
    ),
    "one amplitude instead of a list of them": (
        lambda: derive(constraint=sd.Unconstrained([1, 2, 3])),
        r"amplitudes of a noise: expected a sequence of vectors.*got \[1, 2, 3\]",
    ),
    "a force of two components": (
        lambda: derive(forces=sd.definition.Forces(lambda xi: xi.Omega[:2])), r"an external force.*expected \(3\), got \(2,\)",
    ),
    "one noise force instead of a list": (
        lambda: derive(forces=sd.definition.Forces(noise=lambda xi: xi.Omega)), r"an external force.*expected \(3\), got \(\)",
    ),
    "a basis of another space": (
        lambda: derive(constraint=basis([1, 0], [0, 1], names=("u", "v"))), r"basis B.*expected \(3, any\), got \(2, 2\)",
    ),
    "a basis with more columns than names": (
        lambda: derive(constraint=basis([1, 0], [0, 1], [0, 0])), r"do not match its basis.*expected 2 components, got 1 \(u\)",
    ),
    "an offset of two components": (
        lambda: derive(constraint=basis([1], [0], [0], offset=[1, 2])), r"offset c.*expected \(3\), got \(2,\)",
    ),
    "a test space of another dimension": (
        lambda: derive(constraint=basis([1], [0], [0], test=np.eye(3, dtype=int))),
        r"test space B_V.*expected \(3, 1\), got \(3, 3\)",
    ),
    "one covector instead of a list": (
        lambda: derive(constraint=sd.CovectorConstraint([1, 0, 0])), r"covectors A.*expected \(any, 3\), got \(3,\)",
    ),
    "values of another number": (
        lambda: derive(constraint=sd.CovectorConstraint([[1, 0, 0]], [1, 2])), r"values b.*expected \(1\), got \(2,\)",
    ),
    "directions as rows": (
        lambda: derive(constraint=sd.CovectorConstraint([[1, 0, 0]], directions=[[1, 0, 0]])),
        r"reaction directions C.*expected \(3, 1\), got \(1, 3\)",
    ),
    "an internal drift of two components": (
        lambda: derive(internal=[sd.InternalState("z", 0, [1, 2])]),
        r"column of the internal state 'z'.*expected \(1\), got \(2,\)",
    ),
    "an internal noise that is not a list": (
        lambda: derive(internal=[sd.InternalState("z", 0, noise=0.3)]), "noise of the internal state 'z'.*one vector for each",
    ),
    "amplitudes of a volatility that are no list": (
        lambda: derive(constraint=sd.Unconstrained(sd.noise.VolatilityNoise([1, 0, 0]))),
        r"volatility.*shape \(k, d\), got \(3,\)",
    ),
    "a diffusion for one of two volatilities": (
        lambda: derive(constraint=sd.Unconstrained(sd.noise.VolatilityNoise(np.eye(3)[:2], diffusion=[[1, 0, 0]]))),
        r"diffusion of a volatility.*expected shape \(2, 3\), got \(1, 3\)",
    ),
    # rolling
    "rolling without a translation": (
        lambda: derive(constraint=sd.Rolling(lambda a: a.Gamma)), "rolling needs two blocks.*Omega and Y, got Omega",
    ),
    "a plane contact vector": (lambda: rolling(contact=lambda a: a.Gamma[:2]), r"contact vector.*expected \(3,\), got \(2,\)"),
    "a rolling noise in all of 𝔰": (lambda: rolling(noise=[[1, 2, 3, 4, 5, 6]]), r"amplitude of rolling.*\(3,\), got \(6,\)"),
    "one slip velocity instead of a list": (lambda: rolling(slip=lambda a: a.Gamma), r"slip velocity.*\(3,\), got \(\)"),
    "a ground that moves in the plane": (lambda: rolling(offset=lambda a: a.Gamma[:2]), r"offset of rolling.*\(3,\), got \(2,\)"),
    # what cannot be solved
    "a velocity without inertia": (lambda: derive(lambda xi: xi.Omega[0] ** 2), "Omega2 is undetermined.*kinetic energy"),
    "a velocity without inertia, in velocities": (
        lambda: derive(lambda xi: xi.Omega[0] ** 4, variables="velocity"), "dOmega2 is undetermined.*kinetic energy",
    ),
    "dependent covectors": (
        lambda: derive(constraint=sd.CovectorConstraint([[1, 0, 0], [2, 0, 0]])), "covectors A.*linearly dependent",
    ),
    "dependent columns": (
        lambda: derive(constraint=basis([1, 2], [1, 2], [0, 0], names=("u", "v"))), "columns of the basis B.*linearly dependent",
    ),
    # choices
    "a form that the constraint does not have": (lambda: derive(form="A"), "gives no covectors. Use form='B'"),
    "a basis that the constraint does not have": (
        lambda: derive(constraint=sd.CovectorConstraint([[1, 0, 0]]), form="B"), "has no basis.*Use form='A'",
    ),
    "an unknown form": (lambda: derive(form="C"), "unknown form of the constraint 'C'"),
    "unknown variables": (lambda: derive(variables="velocities"), "state variables 'velocities'. Did you mean 'velocity'"),
    "an unknown principle": (lambda: principles.named("hamilton"), "unknown principle 'hamilton'"),
    # noise
    "formal and varied noise together": (
        lambda: sd.noise.CombinedNoise((sd.noise.FormalNoise(lambda a: [a.Gamma]), sd.StateNoise(lambda a: [a.Gamma]))),
        "cannot be combined",
    ),
    "a volatility after others": (
        lambda: derive(
            constraint=sd.Unconstrained(sd.noise.CombinedNoise((sd.noise.ConstantNoise([[1, 0, 0]]),
                sd.noise.VolatilityNoise([[1, 0, 0]]))))
        ),
        "must come first",
    ),
    "a varied noise of the velocity": (
        lambda: derive(constraint=sd.Unconstrained(sd.StateNoise(lambda xi: [xi.Omega]))), "asks for 'xi'.*any of: a, t, z",
    ),
    # representations
    "an advected quantity of another group": (
        lambda: derive(energy_of_motion, group=SE3, advected=gamma()), r"'Gamma' belongs to a representation of SO3.*Pullback",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_refused(name):
    make, message = WRONG[name]
    with pytest.raises(SemidirectError, match=message) as caught:
        make()
    assert isinstance(caught.value, (DefinitionError, UnknownNameError))
    assert len(str(caught.value)) < 400


def test_a_users_own_exception_passes_through():
    def lagrangian(xi):
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        derive(lagrangian)


def test_what_is_refused_is_allowed_next_door():
    """The nearest right definition to some of the wrong ones."""
    assert derive(momentum_names={"Omega": "Pi"}).variables[0].name == "Pi"
    assert derive(constraint=basis([1], [0], [0])).variables[0].name == "p_u"
    assert derive(lambda xi: energy(xi) + 1e-300).form == "P"
    assert derive(forces=sd.definition.Forces(lambda xi: (xi.Omega,), lambda xi: [xi.Omega])).wieners == 1
    assert derive(internal=[sd.InternalState("z", 0, noise=[0.3])]).wieners == 1
    assert derive(constraint=sd.CovectorConstraint([[1, 0, 0], [2, 0, 1]])).form == "A"
    assert rolling(slip=lambda a: [a.Gamma]).wieners == 1


def test_an_indefinite_inertia_is_solved_with_pivots():
    """The leading minor vanishes: the plain symmetric elimination would divide by 0."""
    plane = sd.RealSpace(2)
    sde = sd.equations.HamiltonPontryagin().derive(sd.definition.Definition(plane, lambda xi: xi.v[0] * xi.v[1], FREE))
    assert not sde.program.statements[0].symmetric
    found = evaluate_exact(sde.program, dict(zip(sde.program.inputs, (3, 4, 0, 0, 0, 1), strict=True)))
    assert found["u"] == [4, 3]


def test_a_lagrangian_object_sees_time_and_internal_states():
    """Arguments with defaults are not passed, so a Lagrangian object must not have any: its inertia would stay that of t = 0."""
    lagrangian = sd.QuadraticLagrangian(
        inertia=lambda t, z: [1 + t, 2 + z.q, 3], potential=lambda a: a.Gamma[2], gyroscopic=lambda t: [t, 0, 0]
    )
    sde = derive(lagrangian, internal=[sd.InternalState("q", 0)])
    s = sde.setting
    (x, y, w), (_, _, up), (q,), t = s.xi, s.a, s.z, s.t
    assert sp.expand(s.lagrangian - ((1 + t) * x**2 + (2 + q) * y**2 + 3 * w**2) / 2 - t * x + up) == 0


def test_an_irrational_basis_is_derived():
    """Its structure constants are decimals, exact ones, so both principles still agree to the last digit."""
    turn, boost = [[0, 0, 0], [0, 0, -1], [0, 1, 0]], [[0, 1, 0], [1, 0, 0], [0, 0, 0]]
    group = sd.groups.MatrixGroup(np.sqrt(0.5) * np.array([turn, boost, [[0, 0, 1], [0, 0, 0], [1, 0, 0]]]))
    advected = {"a": sd.Advected(sd.VectorRepresentation(group), (1, 0, 0))}
    definition = sd.definition.Definition(
        group, lambda xi, a: ops.dot(xi.xi, xi.xi) - a.a[1], sd.Unconstrained([[1, 2, 3]]), advected
    )
    equations = Derivations(definition)
    state = generic_state(definition)
    assert equations.differences(state) == []
    assert equations.energy_differences(state) == []

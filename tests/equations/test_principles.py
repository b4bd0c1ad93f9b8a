"""Theorem 2 of the paper: Hamilton–Pontryagin and Lagrange–d'Alembert give the same equations, exactly.

Each derivation is also held against :class:`semidirect.testing.Theorem`, which computes the fields in numbers from the user's
functions by the formulas of docs/theory.md, without SymPy: so that both principles cannot be wrong together.
"""

import ast
import contextlib
import inspect
from dataclasses import replace
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from hypothesis import Phase, given, reject, settings
from hypothesis import strategies as st

import semidirect as sd
from semidirect import ops
from semidirect.core.exact.elimination import solve_exactly
from semidirect.equations import lagrange_dalembert
from semidirect.groups.lie_group import LieGroup
from semidirect.representations import Representation
from semidirect.testing import (
    Derivations,
    changes_of_basis,
    definitions,
    generic_state,
    groups,
    orbit_states,
    rational_states,
)
from semidirect.testing.definition_strategies import NOISES
from semidirect.testing.laws.sizes import budget

INERTIA = [[2.0, 0.1, 0.2], [0.1, 1.7, 0.05], [0.2, 0.05, 1.5]]
BALL = {"inertia": INERTIA, "mass": 1.3, "radius": 0.7, "offset": 0.2, "axis": (0.36, -0.48, 0.8), "gravity": 9.81}
TWO = [[0.2, 0.1, 0.15], [0.0, 0.3, -0.1]]

SYSTEMS = {
    **{
        f"ball, {coupling}": sd.load("rolling-ball", **BALL, noise=TWO, coupling=coupling)
        for coupling in ("variational", "printed")
    },
    **{
        f"ball, {coupling}, vertical noise {vertical}": sd.load(
            "rolling-ball", **BALL, noise=[[0.2, 0.1, 0.15]], vertical_noise=[0.3], coupling=coupling, vertical=vertical
        )
        for coupling in ("variational", "printed")
        for vertical in ("formal", "varied")
    },
    **{f"disk, {variant}": sd.load("rolling-disk", variant=variant) for variant in ("printed", "rolling-noise")},
    "heavy top": sd.load("heavy-top", inertia=INERTIA, axis=(0.36, -0.48, 0.8), noise=TWO),
    "rigid body": sd.load("rigid-body", inertia=INERTIA, noise=TWO, advect_gamma=True),
}

SE3 = sd.SE3()
GAMMA = {"Gamma": sd.AdvectedFrame(SE3)["Gamma"]}


def rolling(noise):
    """A ball with a given noise, as a definition without parameters."""

    def contact(a):
        return Fraction(7, 10) * a.Gamma + ops.array([Fraction(1, 5), 0, Fraction(1, 10)])

    def lagrangian(xi, a):
        turning = ops.dot(xi.Omega, ops.array([2, 3, 4]) * xi.Omega) / 2
        return turning + Fraction(13, 20) * ops.dot(xi.Y, xi.Y) - 9 * ops.dot(contact(a), a.Gamma)

    return sd.definition.Definition(SE3, lagrangian, sd.Rolling(contact, noise=noise), GAMMA)


DEFINITIONS = {
    "constant": rolling([[Fraction(1, 5), 0, 1], [0, 1, 1]]),
    "prescribed in time": rolling(sd.noise.PrescribedNoise(lambda t: [[t**2, 1 - t, Fraction(1, 3)]])),
    "volatility": rolling(
        sd.noise.VolatilityNoise(
            [[1, 0, 0], [0, 1, 2]], lambda t: [[t, 1, 0], [0, 0, 1]], lambda t: [[1, t, 0], [0, 2, t]]
        )
    ),
    "a volatility and a constant": rolling(
        sd.noise.CombinedNoise(
            (sd.noise.VolatilityNoise([[1, 0, 0]], None, [[1, 2, 3]]), sd.noise.ConstantNoise([[0, 1, 0]]))
        )
    ),
    "formal, of the state": rolling(sd.noise.FormalNoise(lambda a, xi: [a.Gamma, xi.Omega * a.Gamma[0]])),
    "varied, of the state": rolling(sd.StateNoise(lambda a, t: [a.Gamma * t, ops.cross(a.Gamma, [1, 2, 3])])),
}


@cache
def derivations(name):
    return Derivations.of(SYSTEMS[name]) if name in SYSTEMS else Derivations(DEFINITIONS[name])


@pytest.mark.parametrize("name", [*SYSTEMS, *DEFINITIONS])
@budget(0.04)
@given(data=st.data())
def test_equations_agree(name, data):
    equations = derivations(name)
    strategy = data.draw(st.sampled_from([orbit_states, rational_states]))
    state = data.draw(strategy(equations.theorem.definition))
    assert equations.differences(state) == []


def test_every_form_takes_part():
    """Nothing above holds vacuously."""
    both = {"Hamilton–Pontryagin", "Lagrange–d'Alembert"}
    for name in (*SYSTEMS, *DEFINITIONS):
        forms = {"P", "B", "A"} if "ball" in name or name in DEFINITIONS else {"P", "B"}
        assert set(derivations(name).derived) == {(p, f) for p in both for f in forms}


@pytest.mark.parametrize("noise", [NOISES, ["state"]], ids=["any noise", "noise that is varied"])
@budget(0.15)
@given(data=st.data())
def test_equations_agree_for_random_definitions(noise, data):
    """A change of basis of a listed algebra, ρ, l, B, c, A, b, B_V, C, N, forces and internal states, all at random."""
    definition = data.draw(definitions(noise=noise))
    state = data.draw(rational_states(definition))
    equations = Derivations(definition)
    try:
        differences = equations.differences(state)
    except ZeroDivisionError:  # B_VᵀHB or A H⁻¹C is singular at this state
        reject()
    assert differences == []


def kinds(representation):
    """The type of a representation and of those that it is made of."""
    inner = getattr(representation, "summands", None) or [
        r for r in [getattr(representation, "representation", None)] if r
    ]
    return {type(representation).__name__}.union(*map(kinds, inner))


KINDS = set(
    "DistributionConstraint CovectorConstraint GraphConstraint Unconstrained ConstantNoise PrescribedNoise StateNoise FormalNoise"
    " VolatilityNoise TrivialRepresentation VectorRepresentation AdjointRepresentation CoadjointRepresentation"
    " DualRepresentation DirectSum SymmetricSquare HomogeneousRepresentation Pullback drift noise independent quartic quadratic"
    " tested directed internal SO3 SO3' SE2 Heisenberg' SL2 SL2' Aff1".split()
) | {"0 advected", "1 advected", "2 advected"}


class Complete(Exception):
    """All kinds have been drawn."""


def test_random_definitions_have_everything():
    """What the strategy can draw, it draws: each kind within 1,000 examples; it ends when all have been drawn."""
    seen = set()

    @settings(max_examples=1000, database=None, phases=[Phase.generate])
    @given(definitions())
    def collect(d):
        c = d.constraint
        seen.update((type(c).__name__, type(c.noise).__name__))
        seen.update(k for q in d.advected.values() for k in kinds(q.representation))
        seen.update(name for name in ("drift", "noise", "independent") if getattr(d.forces, name) is not None)
        seen.add("quartic" if any(d.lagrangian.quartic) else "quadratic")
        seen.add("tested" if getattr(c, "test", None) is not None else "ideal")
        seen.add("directed" if getattr(c, "directions", None) is not None else "ideal")
        seen.add("internal" if d.internal else "no internal")
        seen.add(f"{len(d.advected)} advected")
        seen.add(d.group.name)
        if seen >= KINDS:
            raise Complete

    with contextlib.suppress(Complete):
        collect()
    assert KINDS - seen == set()


@budget(0.05)
@given(data=st.data())
def test_equations_agree_on_six_dimensions(data):
    definition = data.draw(definitions(group=st.just(SE3), constraint=["distribution", "both"]))
    assert Derivations(definition).differences(data.draw(rational_states(definition))) == []


# -- independence --------------------------------------------------------------------------------------------------


def test_lagrange_dalembert_knows_no_dual_operation():
    """Its source names neither ad* nor ◇ in any spelling, and imports nothing that contains them."""
    tree = ast.parse(inspect.getsource(lagrange_dalembert))
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    names |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    imported = {a.name for n in ast.walk(tree) if isinstance(n, (ast.Import, ast.ImportFrom)) for a in n.names}
    modules = {n.module for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)}
    assert {"bracket", "action"} <= names
    assert (names | imported) & {
        "cobracket",
        "ad_star",
        "Ad_star",
        "diamond",
        "coaction",
        "kappa",
        "HamiltonPontryagin",
    } == set()
    assert not any(m and ("hamilton" in m or "representations" in m or "groups" in m) for m in modules)


@pytest.mark.parametrize("name", ["ball, printed", "disk, printed", "heavy top"])
def test_lagrange_dalembert_calls_no_dual_operation(name, monkeypatch):
    def forbidden(*_):
        raise AssertionError("a dual operation was called")

    for owner, operations in ((LieGroup, ("cobracket", "ad_star")), (Representation, ("diamond", "coaction"))):
        for operation in operations:
            monkeypatch.setattr(owner, operation, forbidden)
    definition = SYSTEMS[name].workings.symbolic_definition()
    for choice in ({"variables": "momentum"}, {"variables": "velocity"}):
        assert sd.equations.LagrangeDAlembert().derive(definition, **choice).program.outputs["f"]
        with pytest.raises(AssertionError, match="a dual operation"):
            sd.equations.HamiltonPontryagin().derive(definition, **choice)


# -- the comparison notices ----------------------------------------------------------------------------------------


def flip(owner, name, monkeypatch):
    original = getattr(owner, name)
    monkeypatch.setattr(owner, name, lambda *arguments: -original(*arguments))


def drop_noise_in_kappa(monkeypatch):
    """κ without −Σ (∂N_i/∂a)ᵀp: a noise field that depends on a is not varied."""
    monkeypatch.setattr(
        sd.equations.HamiltonPontryagin, "kappa", lambda self, motion: motion.lagrangian_a * motion.setting.dt
    )


MUTATIONS = {
    "the sign of ad*": lambda m: flip(LieGroup, "cobracket", m),
    "the sign of the diamond": lambda m: flip(Representation, "diamond", m),
    "the sign of the bracket": lambda m: flip(LieGroup, "bracket", m),
    "the sign of kappa": lambda m: flip(sd.equations.HamiltonPontryagin, "kappa", m),
    "no noise in kappa": drop_noise_in_kappa,
}
BLIND = {  # where a mutation changes nothing: no noise field depends on Γ, or nothing acts back through it, or no bracket
    ("no noise in kappa", "heavy top"), ("no noise in kappa", "rigid body"), ("the sign of the diamond", "rigid body"),
    ("the sign of kappa", "rigid body"),
}  # fmt: skip
NOTICED = [
    (mutation, name)
    for mutation in MUTATIONS
    for name in (
        "ball, variational",
        "ball, printed",
        "ball, variational, vertical noise varied",
        "heavy top",
        "rigid body",
    )
    if (mutation, name) not in BLIND
]


def columns_that_differ(equations, between):
    state = generic_state(equations.theorem.definition)
    return {str(d).split(":")[0] for d in equations.differences(state) if between in str(d)}


@pytest.mark.parametrize(("mutation", "name"), NOTICED)
def test_a_mutated_derivation_is_detected(mutation, name, monkeypatch):
    MUTATIONS[mutation](monkeypatch)
    equations = Derivations.of(SYSTEMS[name])
    found = columns_that_differ(equations, "principles")
    assert found
    if mutation == "no noise in kappa":
        assert {f.split()[3] for f in found} == {"1", "2"}  # the drift is right
    guilty = "Lagrange" if "bracket" in mutation else "Hamilton"
    assert columns_that_differ(equations, guilty)
    innocent = "Hamilton" if "bracket" in mutation else "Lagrange"
    assert not columns_that_differ(equations, innocent)


@pytest.mark.parametrize("mutation", MUTATIONS)
def test_random_definitions_detect_mutated_derivations(mutation, monkeypatch):
    """The property test itself finds it."""
    MUTATIONS[mutation](monkeypatch)

    @settings(max_examples=60, database=None, phases=[Phase.generate])
    @given(st.data())
    def search(data):
        definition = data.draw(definitions(noise=["state"], constraint=["unconstrained"], group=groups(3)))
        assert not Derivations(definition).differences(data.draw(rational_states(definition)))

    with pytest.raises(AssertionError):
        search()


@pytest.mark.parametrize(("mutation", "name"), sorted(BLIND))
def test_mutations_without_effect_change_no_equation(mutation, name, monkeypatch):
    MUTATIONS[mutation](monkeypatch)
    assert columns_that_differ(Derivations.of(SYSTEMS[name]), "") == set()


# -- two definitions, one system -----------------------------------------------------------------------------------


def exact_columns(definition, state):
    equations = Derivations(definition, principles=[sd.equations.HamiltonPontryagin()])
    columns = equations.derived["Hamilton–Pontryagin", "B"]
    return [c["state"] for c in columns(equations.inputs(columns.sde, state))]


def top(group, velocity, amplitude):
    """A top with noise that depends on Γ; ``velocity`` is Ω of the algebra's coordinates, ``amplitude`` the inverse."""

    def lagrangian(xi, a):
        Omega = velocity(np.asarray(xi))
        return ops.dot(Omega, np.array([2, 3, 5]) * Omega) / 2 - ops.dot(a.Gamma, [1, 2, 3]) * (1 + a.Gamma[0])

    noise = sd.StateNoise(lambda a: [amplitude(np.array([1, -2, 3]) * a.Gamma[1])])
    advected = {"Gamma": sd.Advected(sd.VectorRepresentation(group), (0, 0, 1))}
    return sd.definition.Definition(group, lagrangian, sd.Unconstrained(noise), advected)


@budget(0.1)
@given(st.data())
def test_equations_do_not_depend_on_the_basis(data):
    """On the basis Σ T_jk e_k of so(3), Ω = Tᵀv; then Tᵀdv is dΩ."""
    T = data.draw(changes_of_basis(3))
    columns = [solve_exactly(T.T.tolist(), [Fraction(int(i == j)) for i in range(3)]) for j in range(3)]
    inverse = np.array(columns, dtype=object)  # row j is what e_j has on the new basis
    so3 = sd.SO3()
    basis = [sum(c * e for c, e in zip(row, so3.basis.astype(int), strict=True)) for row in T]
    turned = top(sd.groups.MatrixGroup(np.array(basis, dtype=object)), lambda v: v.dot(T), lambda w: w.dot(inverse))
    straight = top(so3, lambda v: v, lambda w: w)
    state = data.draw(rational_states(turned))
    same_state = replace(state, u=tuple(np.array(state.u, dtype=object).dot(T)))
    for new, old in zip(exact_columns(turned, state), exact_columns(straight, same_state), strict=True):
        assert list(new[:3].dot(T)) == list(old[:3])
        assert list(new[3:]) == list(old[3:])


def exactly(x):
    return np.vectorize(lambda v: Fraction(repr(float(v))), otypes=[object])(x)


@pytest.mark.parametrize("coupling", ["variational", "printed"])
def test_the_ball_of_the_paper(coupling):
    """docs/rolling_ball.md, term by term: K, and Ξ of (Noisy_Ball_explicit1) and of (Noisy_Ball_explicit2)."""
    equations = derivations(f"ball, {coupling}")
    state = generic_state(equations.theorem.definition)
    m, r, ell, g, chi, inertia = (exactly(BALL[k]) for k in ("mass", "radius", "offset", "gravity", "axis", "inertia"))
    Omega, Gamma, cross = np.array(state.u), np.array(state.a), np.cross
    s = r * Gamma + ell * chi
    Y = cross(Omega, s)
    M = inertia.dot(Omega) + m * cross(s, Y)
    arm = s + r * Gamma if coupling == "variational" else ell * chi
    Xi = inertia.dot(Omega) + cross(arm, m * Y)
    K = -cross(Omega, M) + m * g * ell * cross(Gamma, chi) + m * cross(Y, cross(Omega, r * Gamma))
    columns = equations.derived["Hamilton–Pontryagin", "P"]
    drift, *noise = (c["state"] for c in columns(equations.inputs(columns.sde, state)))
    assert list(drift) == [*K, *cross(Gamma, Omega)]
    assert len(noise) == len(TWO)
    for xi, field in zip(exactly(TWO), noise, strict=True):
        assert list(field) == [*-cross(xi, Xi), *cross(Gamma, xi)]

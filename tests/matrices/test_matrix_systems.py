"""What matrix systems say of themselves: errors, proofs, pages, quantities, forms of their states."""

import numpy as np
import pytest
from semidirect_matrix_systems import Manakov, Zeitlin
from semidirect_matrix_systems.zeitlin import spins, vorticity

import semidirect as sd
from semidirect.errors import DefinitionError, InputError, MethodError, UnknownNameError

BODY, FLUID = Manakov(), Zeitlin(modes=4)
HOW = {"t_end": 0.2, "dt": 0.02, "seed": 1}


def of(**stated):
    """An example of so(3) with other statements."""
    usual = {"algebra": "so", "size": 3, "velocity": lambda self, W: W, "initial": {"W": np.zeros((3, 3))}}
    return type("Stated", (sd.MatrixLiePoisson,), {**usual, **stated})


@pytest.mark.parametrize(
    ("stated", "words"),
    [
        ({"algebra": "sp"}, "unknown algebra"),
        ({"size": 1}, "at least 2"),
        ({"size": "x"}, "whole number"),
        ({"velocity": lambda self, W: W @ W}, "not in so"),
        ({"velocity": lambda self, W: W[..., 0]}, "shape"),
        ({"velocity": lambda self, W: W.T}, "swapaxes"),
        ({"velocity": lambda self, W: 1j * W}, "complex"),
        ({"velocity": lambda self, W: W * np.nan}, "not finite"),
        ({"velocity": lambda self, W: W * np.mean(W**2)}, "depends on the paths"),
        ({"velocity": lambda self, V: V}, "asks for 'V'"),
        ({"velocity": sd.MatrixLiePoisson.velocity}, "defines no velocity"),
        ({"hamiltonian": lambda self, W: np.sum(W * W, axis=(-2, -1))}, "does not belong to"),
        ({"hamiltonian": lambda self, W: np.sum(W)}, "does not belong to"),
        ({"fields": lambda self: [np.eye(3)]}, "not in so"),
        ({"fields": lambda self: [lambda W: W @ W]}, "not in so"),
        ({"fields": lambda self: [np.zeros((2, 2))]}, "field 1"),
        ({"fields": lambda self: 5}, "a list of elements"),
        ({"big": sd.observable()(lambda self, state: state.W)}, "reduce their other axes"),
    ],
)
def test_what_is_stated_wrongly_is_told(stated, words):
    with pytest.raises(DefinitionError, match=words):
        of(**stated)().simulate(**HOW)


@pytest.mark.parametrize(
    ("system", "W", "words"),
    [
        (BODY, np.eye(4), "not in so"),
        (BODY, np.zeros((3, 3)), "a matrix \\(4, 4\\)"),
        (BODY, 1j * np.eye(4), "imaginary part"),
        (BODY, np.full((4, 4), np.nan), "not finite"),
        (BODY, "x", "numbers"),
        (BODY, np.zeros((2, 2, 4, 4)), "one per path"),
        (FLUID, 1j * np.eye(4), "traceless"),
        (FLUID, np.eye(4), "skew-Hermitian"),
    ],
)
def test_starts_outside_of_the_algebra_are_told(system, W, words):
    with pytest.raises(InputError, match=words):
        system.simulate(**HOW, state={"W": W})


def test_a_start_may_have_any_form():
    W = np.array(FLUID.initial["W"])
    flat = np.concatenate([W.real.ravel(), W.imag.ravel()])
    runs = [FLUID.simulate(**HOW, paths=2, state={"W": x}) for x in (W, flat, np.array([W, W]), W.tolist())]
    assert all(np.array_equal(runs[0]["W"], run["W"]) for run in runs)
    assert runs[0]["W"].dtype == complex
    assert np.array_equal(runs[0]["W12"] + 1j * runs[0]["W52"], runs[0]["W"][..., 0, 1])
    assert runs[0].to_xarray()["W"].shape == (2, 11, 32)


def test_quantities_are_those_of_the_matrices():
    run = BODY.simulate(
        **HOW, paths=2, save=sd.Save(names=["W", "energy", "square", "W21*moments[1]", "dot(W, W)/4 - square/2"])
    )
    W, J = run["W"], BODY.moments
    np.testing.assert_allclose(run["square"], np.sum(W**2, axis=(-2, -1)) / 2, rtol=1e-13)
    np.testing.assert_allclose(run["energy"], np.sum(W**2 / (J[:, None] + J), axis=(-2, -1)) / 4, rtol=1e-13)
    np.testing.assert_allclose(run["W21*moments[1]"], 1.5 * W[..., 1, 0], rtol=1e-15)
    assert np.abs(run["dot(W, W)/4 - square/2"]).max() < 1e-15


def test_traces_are_proved_by_the_bracket_and_the_energy_by_the_pairing():
    for quantity in ("tr(W**3)", "tr(W^4)", "square"):
        proof = BODY.prove(quantity)
        assert proof.holds
        assert "the bracket" in str(proof)
    assert "0.5" in BODY.prove("square").readings[0]
    energy = BODY.prove("energy")
    assert energy.along("drift").certificate
    assert "the pairing" in str(energy)
    assert [v.holds for v in energy.verdicts] == [True, False, False]
    assert FLUID.prove("energy").along("noise1").holds is None
    assert BODY.prove("W21").along("drift").holds is False
    assert not FLUID.is_conserved("angular-momentum", along="noise")
    with pytest.raises(UnknownNameError):
        BODY.prove("nothing")


def test_a_page_has_structure_and_no_entries():
    text = str(Manakov(moments=np.arange(1.0, 41.0)).equations())
    assert "so(40)" in text
    assert "dW = [W, P(W)] dt + Σ [W, X_k]∘dWᵏ" in text
    assert len(text) < 400
    assert "½ Σ [[W, X_k], X_k]" in str(BODY.equations("ito"))
    assert "{F, G}" in str(BODY.derivation())


def test_a_jacobian_is_that_of_the_bracket():
    W, D = np.array(BODY.initial["W"]), sd.matrices.algebra("so", 4).draw(np.random.default_rng(2), 1)[0]
    found = BODY.linearise()["drift"] @ D.ravel()
    P, bracket = BODY.velocity, sd.matrices.bracket
    np.testing.assert_allclose(found, (bracket(D, P(W)) + bracket(W, P(D))).ravel(), rtol=0, atol=1e-11)


@pytest.mark.parametrize(
    "ask",
    [
        lambda: BODY.simulate(**HOW, formulation=sd.Formulation(sensitivity="moments")),
        lambda: BODY.simulate(**HOW).monitor(),
        lambda: sd.invariants.find_symmetries(BODY),
    ],
)
def test_what_needs_scalars_says_so(ask):
    with pytest.raises(DefinitionError, match="not written out in scalars"):
        ask()


@pytest.mark.parametrize("method", ["lie-heun", "lie-milstein", "coadjoint-midpoint"])
def test_methods_that_do_not_apply_say_so(method):
    with pytest.raises(MethodError, match="Use isospectral-midpoint"):
        BODY.simulate(**HOW, method=method)
    with pytest.raises(MethodError, match="are not compiled"):
        BODY.simulate(**HOW, execution=sd.Execution(engine="compiled"))


def test_the_midpoint_rule_is_for_matrices():
    with pytest.raises(MethodError, match="coadjoint-midpoint"):
        sd.load("heavy-top").simulate(
            t_end=0.1, dt=0.1, method="isospectral-midpoint", execution=sd.Execution(engine="numpy")
        )


@pytest.mark.parametrize(("name", "dimension"), [("so", 3), ("su", 8), ("u", 9), ("gl", 9), ("sl", 8)])
def test_algebras(name, dimension):
    space = sd.matrices.algebra(name, 3)
    A, B, C = space.draw(np.random.default_rng(1), 3)
    assert space.dimension == dimension == len(space.basis())
    assert np.array_equal(space.project(A), A)
    assert np.isclose(space.pairing(A, space.bracket(B, C)), space.pairing(space.bracket(A, B), C), rtol=1e-12)
    np.testing.assert_allclose(space.bracket(A, B), A @ B - B @ A, rtol=0, atol=1e-14)
    assert space.distance(space.bracket(A, B)) < 1e-14


def test_a_map_that_is_tridiagonal_on_diagonals_is_inverted():
    rng, n = np.random.default_rng(3), 6
    d = [3 + rng.random(n - k) for k in range(n)]
    e = [rng.random(n - k - 1) for k in range(n)]
    P = rng.standard_normal((4, n, n)) + 1j * rng.standard_normal((4, n, n))
    W = np.zeros_like(P)
    for k in range(n):
        for i in range(n - k):
            for a, b in ((i, i + k), (i + k, i)):
                W[:, a, b] = d[k][i] * P[:, a, b]
                W[:, a, b] += e[k][i] * P[:, a + 1, b + 1] if i < n - k - 1 else 0
                W[:, a, b] += e[k][i - 1] * P[:, a - 1, b - 1] if i else 0
    solve = sd.matrices.DiagonalSolve(d, e)
    np.testing.assert_allclose(solve(W), P, rtol=0, atol=1e-13)
    assert np.array_equal(solve(W)[2], solve(W[2]))
    with pytest.raises(InputError, match="one with an inverse"):
        sd.matrices.DiagonalSolve([np.zeros(1)], [np.zeros(0)])


def test_the_vorticity_of_spins_is_that_of_coordinates():
    longitude, latitude = np.array([0.3, -1.0, 2.0]), np.array([0.2, 1.0, -0.7])
    x, y, z = np.cos(latitude) * np.cos(longitude), np.cos(latitude) * np.sin(longitude), np.sin(latitude)
    S = spins(5)
    scale = vorticity(1j * S[2], longitude, latitude) / z
    np.testing.assert_allclose(scale, scale[0], rtol=1e-12)
    for matrix, values in zip(S, (x, y, z), strict=True):
        np.testing.assert_allclose(vorticity(1j * matrix, longitude, latitude), scale[0] * values, rtol=1e-12)
    product = vorticity(1j * (S[0] @ S[1] + S[1] @ S[0]), longitude, latitude) / (x * y)
    np.testing.assert_allclose(product, product[0], rtol=1e-12)
    assert product[0] > 0

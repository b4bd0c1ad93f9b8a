"""The bicycle of Whipple against the benchmark, published and by an own model of four bodies with multipliers."""

import json
from pathlib import Path

import numpy as np
import pytest
from semidirect_whipple_bicycle import WhippleBicycle

import semidirect as sd

ORACLE = json.loads((Path(__file__).parents[3] / "tests" / "oracles" / "whipple_bicycle.json").read_text("utf-8"))
PUBLISHED = {name: np.array(rows) for name, rows in ORACLE["published"].items()}
BICYCLE = WhippleBicycle()


def accelerations(bicycle, state):
    """φ″, δ″ and what else is known there; sin φ = Γ₂ and Γ′ = Γ × Ω."""
    values = bicycle.evaluate(state)
    Gamma, Omega = np.array(state["Gamma"]), np.array(state["Omega"])
    first = np.cross(Gamma, Omega)
    second = np.cross(first, Omega) + np.cross(Gamma, values["drift"]["Omega"])
    cosine = np.sqrt(1 - Gamma[1] ** 2)
    lean = (second[1] + (first[1] / cosine) ** 2 * Gamma[1]) / cosine
    return np.array([lean, values["drift"]["steer"]]), values


def slopes(speed):
    """Derivatives of (φ″, δ″) by φ, δ, φ′ and δ′ about upright riding, by differences of order 4."""
    columns = []
    for name in ("lean", "steer", "lean_rate", "steer_rate"):
        at = {k: accelerations(BICYCLE, BICYCLE.riding(speed, **{name: 1e-3 * k}))[0] for k in (-2, -1, 1, 2)}
        columns.append((8 * (at[1] - at[-1]) - (at[2] - at[-2])) / 12e-3)
    return np.array(columns).T


@pytest.fixture(scope="module")
def matrices():
    """M, C1, K0 and K2 of M q″ + v C1 q′ + (g K0 + v² K2) q = f; M is the inverse of the answer to torques."""
    torques = [BICYCLE.replace(lean_torque=1.0), BICYCLE.replace(steer_torque=1.0)]
    M = np.linalg.inv(np.array([accelerations(b, b.riding(5.0))[0] for b in torques]).T)
    still, moving = slopes(0.0), slopes(5.0)
    K0 = -M @ still[:, :2] / 9.81
    return {"M": M, "C1": -M @ moving[:, 2:] / 5, "K0": K0, "K2": (-M @ moving[:, :2] - 9.81 * K0) / 25}


@pytest.mark.parametrize("name", ["M", "C1", "K0", "K2"])
def test_canonical_matrices_are_the_published_ones(matrices, name):
    """Measured 7e-14, 5e-14, 1e-11 and 7e-11, the last two of differences."""
    np.testing.assert_allclose(matrices[name], PUBLISHED[name], rtol=0, atol=1e-8)


def spectrum(matrices, speed):
    """Of the linear equations."""
    M = matrices["M"]
    stiffness = 9.81 * matrices["K0"] + speed**2 * matrices["K2"]
    zero, one = np.zeros((2, 2)), np.eye(2)
    below = -np.linalg.solve(M, np.hstack([stiffness, speed * matrices["C1"]]))
    return np.linalg.eigvals(np.vstack([np.hstack([zero, one]), below]))


@pytest.mark.parametrize("row", ORACLE["eigenvalues"], ids=lambda row: f"{row['v']} m/s")
def test_eigenvalues_are_the_published_ones(matrices, row):
    """To 1e-8; at 5 m/s they are also among those of the derivative of the whole field."""
    published = np.array(row["published"]) @ [1, 1j]
    ways = [spectrum(matrices, row["v"])]
    if row["v"] == 5:
        ways.append(np.linalg.eigvals(BICYCLE.linearise(BICYCLE.riding(5.0))["drift"]))
    for eigenvalues in ways:
        assert max(np.abs(eigenvalues - value).min() for value in published) < 1e-8


@pytest.mark.parametrize(("name", "at"), [("weave", 4.292382536341), ("capsize", 6.024262015389)])
def test_stability_begins_and_ends_at_the_published_speeds(matrices, name, at):
    """The largest real part of the eigenvalues changes its sign there."""
    sides = [spectrum(matrices, at + x).real.max() for x in (-1e-8, 1e-8)]
    assert (sides[0] > 0 > sides[1]) if name == "weave" else (sides[0] < 0 < sides[1])


@pytest.mark.parametrize("reference", ORACLE["nonlinear_states"]["states"])
def test_leaning_and_steered_far_it_moves_as_four_bodies_with_multipliers_do(reference):
    """Accelerations to 4e-14 and the forces of the ground on both wheels to 2e-13, of 600 N; energy to 1e-12."""
    q, rate, second = reference["q"], reference["q_dot"], reference["q_ddot"]  # x forward, y right, z down
    bicycle = BICYCLE.replace(lean_torque=reference["roll_torque"], steer_torque=reference["steer_torque"])
    state = bicycle.riding(-0.3 * rate[7], lean=q[4], steer=q[6], lean_rate=rate[4], steer_rate=rate[6])
    (lean, steer), values = accelerations(bicycle, state)
    drift = values["drift"]
    np.testing.assert_allclose([lean, steer], [second[4], second[6]], rtol=0, atol=1e-10)
    np.testing.assert_allclose([-drift["rear"], -drift["front"]], second[7:], rtol=0, atol=1e-10)
    Gamma = state["Gamma"]
    heading = np.cross([0, 1, 0], Gamma) / np.hypot(Gamma[0], Gamma[2])
    axes = np.array([heading, -np.cross(Gamma, heading), -Gamma])
    for name in ("rear", "front"):
        force = axes @ values["derived"][f"{name}-contact-force"]
        np.testing.assert_allclose(force, reference[f"force_{name}"], rtol=0, atol=1e-8)
    assert values["observables"]["energy"]["value"] == pytest.approx(reference["energy"], abs=1e-9)
    assert np.abs(values["observables"]["heights"]["value"]).max() < 1e-15


def test_standing_upright_the_ground_carries_the_weight():
    """612.84 N and 309.30 N."""
    values = BICYCLE.evaluate(BICYCLE.riding(5.0))["derived"]
    forces = [values[f"{name}-normal-force"] for name in ("rear", "front")]
    np.testing.assert_allclose(forces, list(ORACLE["upright_normal_forces"].values()), rtol=1e-14)


def test_between_these_speeds_it_rights_itself_and_both_wheels_stay_on_the_ground():
    """From a lean of 0.05 rad; at 3.5 m/s it falls."""
    how = {"t_end": 6, "dt": 0.02, "formulation": sd.Formulation(reconstruct=False)}
    stable = BICYCLE.simulate(state=BICYCLE.riding(5.0, lean=0.05), **how)
    falling = BICYCLE.simulate(state=BICYCLE.riding(3.5, lean=0.05), **{**how, "t_end": 2.5})
    assert np.abs(stable["sine-of-lean"][0, -20:]).max() < 0.02  # it falls as e^(−0.32 t)
    assert np.abs(falling["sine-of-lean"][0, -20:]).max() > 0.1
    assert np.abs(stable["heights"]).max() < 1e-5
    assert np.ptp(stable["energy"]) < 1e-2  # of 1,200 J


def test_kernels_for_many_paths_give_the_bits_of_array_code():
    """Conditions of a solver of 15 equations are stored beside its numbers."""
    how = {"t_end": 0.04, "dt": 0.02, "seed": 3, "paths": 12, "state": BICYCLE.riding(5.0)}
    one, other = (
        BICYCLE.replace(wind=(8.0,)).simulate(execution=sd.Execution(engine=engine), **how)
        for engine in ("compiled", "numpy")
    )
    for name in ("Omega", "Y", "Gamma", "b", "bar"):
        np.testing.assert_array_equal(one[name], other[name])

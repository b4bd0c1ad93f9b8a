"""The bicycle of Whipple against the benchmark, published and by an own model of four bodies with multipliers."""

import json
from pathlib import Path

import numpy as np
import pytest
from semidirect_whipple_bicycle import WhippleBicycle

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


def slope(speed, name):
    """Derivative of (φ″, δ″) about upright riding, by differences of order 4 of odd functions, left and right being alike."""
    one, two = (accelerations(BICYCLE, BICYCLE.riding(speed, **{name: x}))[0] for x in (1e-3, 2e-3))
    return (8 * one - two) / 6e-3


@pytest.fixture(scope="module")
def matrices():
    """M, C1, K0 and K2 of M q″ + v C1 q′ + (g K0 + v² K2) q = f; M is the inverse of the answer to torques."""
    torques = [BICYCLE.replace(lean_torque=1.0), BICYCLE.replace(steer_torque=1.0)]
    M = np.linalg.inv(np.array([accelerations(b, b.riding(5.0))[0] for b in torques]).T)
    still, moving = (-M @ np.array([slope(v, name) for name in ("lean", "steer")]).T for v in (0.0, 5.0))
    damping = -M @ np.array([slope(5.0, name) for name in ("lean_rate", "steer_rate")]).T
    return {"M": M, "C1": damping / 5, "K0": still / 9.81, "K2": (moving - still) / 25}


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
    eigenvalues = spectrum(matrices, row["v"])
    assert max(np.abs(eigenvalues - value).min() for value in np.array(row["published"]) @ [1, 1j]) < 1e-8


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
    assert np.abs(values["observables"]["heights"]["drift"]).max() < 1e-14  # both wheels stay on the ground


def test_standing_upright_the_ground_carries_the_weight():
    """612.84 N and 309.30 N."""
    values = BICYCLE.evaluate(BICYCLE.riding(5.0))["derived"]
    forces = [values[f"{name}-normal-force"] for name in ("rear", "front")]
    np.testing.assert_allclose(forces, list(ORACLE["upright_normal_forces"].values()), rtol=1e-14)

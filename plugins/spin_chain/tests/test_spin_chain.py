"""A chain of classical spins."""

import numpy as np
import pytest
from semidirect_spin_chain import SpinChain

import semidirect as sd
from semidirect.testing import system_contract

TestPair = system_contract(SpinChain, coupling=(1.2,), noise=((0.1, 0.2, -0.3),))

LETTERS = "abcdefghijkl"
WAVE = {"coupling": [1.3] * 4, "field": (0.0, 0.0, 0.4), "easy_axis": 0.25, "ring": True}

ARRAYS = sd.Execution(1, engine="numpy")


def state(spins):
    """The spins by name."""
    return {f"S_{k}": s for k, s in zip(LETTERS, spins, strict=False)}


def wave(colatitude, number, count, size, t=0.0):
    """S_n = s (sin θ cos(kn − ωt), sin θ sin(kn − ωt), cos θ) and ω = cos θ (2Js(1 − cos k) + 2Ds) + B."""
    k = 2 * np.pi * number / count
    omega = np.cos(colatitude) * (2 * 1.3 * size * (1 - np.cos(k)) + 2 * 0.25 * size) + 0.4
    phase = k * np.arange(count) - omega * t
    rows = [np.sin(colatitude) * np.cos(phase), np.sin(colatitude) * np.sin(phase), np.full(count, np.cos(colatitude))]
    return size * np.stack(rows, axis=1)


@pytest.mark.parametrize("number", [0, 1, 2])
def test_a_wave_of_any_angle_is_exact(number):
    """The field at the wave is its rate; measured 4e-16."""
    step = 1e-4
    drift = SpinChain(**WAVE).evaluate(state(wave(0.7, number, 4, 0.9)))["drift"]
    rate = (8 * (wave(0.7, number, 4, 0.9, step) - wave(0.7, number, 4, 0.9, -step))
            - (wave(0.7, number, 4, 0.9, 2 * step) - wave(0.7, number, 4, 0.9, -2 * step))) / (12 * step)  # fmt: skip
    for n, slope in enumerate(rate):
        np.testing.assert_allclose(drift[f"S_{LETTERS[n]}"], slope, rtol=0, atol=1e-11)  # of the differences: 2e-12


def test_small_waves_have_the_dispersion_relation():
    """Eigenvalues of the linearised equations near e₃ are ±iω(k), ω = 2Js(1 − cos k) + B + 2Ds; and 0 along each spin."""
    jacobian = SpinChain(**WAVE).linearise(state([(0.0, 0.0, 0.9)] * 4))["drift"]
    k = np.pi / 2 * np.arange(4)
    omega = 2 * 1.3 * 0.9 * (1 - np.cos(k)) + 0.4 + 2 * 0.25 * 0.9
    frequencies = np.sort(np.concatenate([omega, -omega, np.zeros(4)]))
    values = np.linalg.eigvals(jacobian)
    np.testing.assert_allclose(
        np.sort(values.imag), frequencies, rtol=0, atol=1e-7
    )  # double eigenvalues: measured 1e-8
    np.testing.assert_allclose(values.real, 0, atol=1e-7)


def test_a_run_follows_the_wave_and_keeps_the_spins():
    """To t = 4 by the midpoint rule on the orbits, order 2; |S_k| to rounding, and the energy to the error of the method."""
    errors = []
    for dt in (1 / 16, 1 / 32):
        run = SpinChain(**WAVE).simulate(
            t_end=4, dt=dt, method="coadjoint-midpoint", state=state(wave(0.7, 1, 4, 0.9)), execution=ARRAYS,
            formulation=sd.Formulation(reconstruct=False),
        )  # fmt: skip
        end = np.stack([run[f"S_{k}"][0, -1] for k in LETTERS[:4]])
        errors.append(np.abs(end - wave(0.7, 1, 4, 0.9, 4.0)).max())
        assert np.abs(run["lengths"][0] - 0.81).max() < 1e-14  # measured 2e-15
    assert 3.6 < errors[0] / errors[1] < 4.4


def test_a_linear_chain_moves_as_landau_and_lifshitz_say():
    """S_i' = S_i × (J_{i−1} S_{i−1} + J_i S_{i+1} + B + 2D S_i3 e₃) at random spins, with ends; measured 4e-16."""
    spins, B = np.random.default_rng(2).normal(size=(4, 3)), np.array([0.3, -0.2, 0.5])
    J = [-0.9, 0.7, 1.1]
    drift = SpinChain(coupling=J, field=B, easy_axis=0.2).evaluate(state(spins))["drift"]
    for i, s in enumerate(spins):
        neighbours = sum((J[min(i, j)] * spins[j] for j in (i - 1, i + 1) if 0 <= j < 4), np.zeros(3))
        field = neighbours + B + [0, 0, 2 * 0.2 * s[2]]
        np.testing.assert_allclose(drift[f"S_{LETTERS[i]}"], np.cross(s, field), rtol=0, atol=1e-14)


def test_what_is_kept_is_proved():
    """Lengths always, the energy without noise, the magnetisation without field and easy axis."""
    plain = SpinChain(coupling=(1.0,), field=(0, 0, 0), easy_axis=0.0)
    assert all(plain.is_conserved(name) for name in ("lengths", "energy", "magnetisation"))
    noisy = SpinChain(coupling=(1.0,), noise=((0.1, 0.2, -0.3),))
    assert noisy.is_conserved("lengths")
    assert not noisy.is_conserved("energy")
    assert noisy.prove("energy").along("drift").holds

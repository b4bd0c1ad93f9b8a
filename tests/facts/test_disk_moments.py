"""The vertical disk's exact moments (docs/rolling_disk.md) at 10⁵ paths, within four standard errors."""

import numpy as np
import pytest

import semidirect as sd

PATHS = 100_000
OMEGA = NU = 1.0
SPIN, TURN = 0.1, 0.1
VARIANTS = ["printed", "rolling-noise"]


def position_moments(t, variant):
    """E z, E|z|² and E z² from z₀ = 0, φ₀ = 0, R = 1."""
    a, b, c = 1j * NU - TURN**2 / 2, 2j * NU - 2 * TURN**2, OMEGA
    mean = c * (np.exp(a * t) - 1) / a
    absolute = 2 * c**2 * ((np.exp(a * t) - 1 - a * t) / a**2).real
    square = 2 * c**2 / (b - a) * ((np.exp(b * t) - 1) / b - (np.exp(a * t) - 1) / a)
    if variant == "rolling-noise":  # adds ∫ e^{iφ} ξ₁∘dW₁ to z
        absolute += SPIN**2 * t
        square += SPIN**2 * (np.exp(b * t) - 1) / b
    return mean, absolute, square


@pytest.fixture(scope="module", params=VARIANTS)
def disk(request):
    """(variant, time → x, y, θ, φ): the flow turns exactly in each step, so a step of 0.1 biases E z by 8e-5 of it."""
    system = sd.load("rolling-disk", noise=(SPIN, TURN), variant=request.param)
    found = {}
    for dt, t_end, times in ((0.05, 1, [1]), (0.1, 20, [10, 20])):
        run = system.simulate(
            t_end=t_end, dt=dt, paths=PATHS, seed=7, method="heun", save=sd.Save(times,
                                                                                 names=["x", "y", "theta", "phi", "energy"]),
            state={"omega": OMEGA, "nu": NU},
        )  # fmt: skip
        assert run.good.all()
        assert np.abs(run["energy"] - run["energy"][0, 0]).max() < 1e-14  # ω and ν constant; measured 0
        for i, t in enumerate(run.times):
            found[round(t)] = {name: run[name][:, i] for name in ("x", "y", "theta", "phi")}
    return request.param, found


def deviations(pairs):
    """(mean − expected)/(standard error) for samples and expected values, complex ones as two."""
    out = []
    for samples, expected in pairs:
        for part in (np.real, np.imag) if np.iscomplexobj(samples) else (np.real,):
            values = part(samples)
            out.append((values.mean() - part(expected)) / (values.std(ddof=1) / np.sqrt(PATHS)))
    return np.abs(out)


def test_moments_of_the_position(disk, record_property):
    variant, found = disk
    pairs = []
    for t, path in found.items():
        z = path["x"] + 1j * path["y"]
        mean, absolute, square = position_moments(t, variant)
        pairs += [(z, mean), (np.abs(z) ** 2, absolute), (z**2, square)]
    worst = deviations(pairs).max()
    record_property(f"disk, {variant}: largest deviation of 15 moments of z, in standard errors", f"{worst:.2f}")
    assert worst < 4  # measured 2.1


def test_moments_of_the_oracle(disk, oracle):
    """Means, variances and covariance of the printed variant, computed elsewhere; of both variants E z is the same."""
    variant, found = disk
    pairs = []
    for row in oracle("rolling_disk")["rows"]:
        if row["t"] not in found:
            continue
        x, y = found[row["t"]]["x"], found[row["t"]]["y"]
        pairs += [(x, row["Ex"]), (y, row["Ey"])]
        if variant == "printed":
            dx, dy = x - row["Ex"], y - row["Ey"]
            pairs += [(dx**2, row["Vx"]), (dy**2, row["Vy"]), (dx * dy, row["Cxy"])]
    assert len(pairs) == (15 if variant == "printed" else 6)
    assert deviations(pairs).max() < 4  # measured 2.1


def test_moments_of_the_angles(disk):
    """θ and φ are unwrapped: normal, means ωt and νt, variances ξ²t; E e^{in(φ−νt)} = e^{−n²ξ₂²t/2}."""
    _, found = disk
    pairs = []
    for t, path in found.items():
        theta, phi = path["theta"] - OMEGA * t, path["phi"] - NU * t
        pairs += [(theta, 0), (phi, 0), (theta**2, SPIN**2 * t), (phi**2, TURN**2 * t), (theta * phi, 0)]
        pairs += [(np.exp(1j * n * phi), np.exp(-(n**2) * TURN**2 * t / 2)) for n in (1, 2, 3)]
    assert deviations(pairs).max() < 4  # measured 1.8


def test_the_formulas_are_those_of_the_oracle(oracle):
    for row in oracle("rolling_disk")["rows"]:
        mean, absolute, square = position_moments(row["t"], "printed")
        Vx, Vy = ((absolute + sign * square.real) / 2 for sign in (1, -1))
        ours = [mean.real, mean.imag, Vx - mean.real**2, Vy - mean.imag**2, square.imag / 2 - mean.real * mean.imag]
        theirs = [row[k] for k in ("Ex", "Ey", "Vx", "Vy", "Cxy")]
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-14)  # measured 4.4e-16


def test_long_time_diffusion():
    """E|z − z₀|² ~ 4Dt with D = c²ξ₂²/(4ν² + ξ₂⁴)."""
    t = 1e7
    D = OMEGA**2 * TURN**2 / (4 * NU**2 + TURN**4)
    assert abs(position_moments(t, "printed")[1] / (4 * D * t) - 1) < 1e-4  # measured 2e-5


def test_circle_without_noise():
    """The circle has diameter 2Rω/ν, and θ counts every turn."""
    disk = sd.load("rolling-disk", radius=0.7, noise=(0, 0))
    run = disk.simulate(t_end=100, dt=0.5, state={"omega": 3.0, "nu": 0.5})
    z = run["x"][0] + 1j * run["y"][0]
    assert np.abs(np.abs(z - 4.2j) - 4.2).max() < 1e-12  # measured 5e-14
    assert np.abs(run["theta"][0] - 3.0 * run.times).max() < 1e-11  # up to 300 rad
    assert np.abs(run["phi"][0] - 0.5 * run.times).max() < 1e-12  # measured 0

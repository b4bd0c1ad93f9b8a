"""Filters, smoothers, innovations and predictions of a linear system are those of an independent Kalman filter in NumPy."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chi2

import semidirect as sd
from semidirect.core.errors import InputError, MethodError, UnknownNameError

FRICTION, SPRING, SIGMA, DT = 0.3, 2.0, (0.2, 0.4, 0.3), 0.05


class Linear(sd.System):
    """dx = v dt + σ₁ dW¹, dv = −(b v + k z) dt + σ₂ dW², dz = (v − z) dt + σ₃ dW³."""

    group = sd.RealSpace(1)
    initial = {"v": 0.5}

    def lagrangian(self, xi):
        return xi.v * xi.v / 2

    def constraint(self):
        return sd.Unconstrained(noise=[(SIGMA[0],), (0.0,), (0.0,)])

    def internal(self):
        return [sd.InternalState("z", 0.0, drift=lambda xi, z: xi.v - z.z, noise=[0.0, 0.0, SIGMA[2]])]

    def force(self, xi, z):
        return (-FRICTION * xi.v - SPRING * z.z,)

    def noise_force(self, xi):
        return [(0.0,), (SIGMA[1],), (0.0,)]


SYSTEM = Linear()
A = np.array([[0, 1, 0], [0, -FRICTION, -SPRING], [0, 1, -1.0]])
G = np.diag(SIGMA)
H = np.array([[1, 0, 0], [0, 0, 1.0]])
R = np.array([[0.01, 0.006], [0.006, 0.02]])
SPREAD = {"v": 0.3, "z": 0.2, "configuration": 0.1}
START = np.array([0.0, 0.5, 0.0]), np.diag([0.1, 0.3, 0.2]) ** 2
NAMES = ["x1", "v", "z"]
SEEN = sd.Observation(["x1", "z"], covariance=R)
HOW = {"dt": DT, "method": "heun", "quantities": NAMES}


def transition(span):
    """Factor and covariance of an interval in equal steps of Heun's method, at most DT long."""
    count = max(math.ceil(span / DT - 1e-6), 1)
    h = span / count
    step, noise = np.eye(3) + h * A + h * h * A @ A / 2, (np.eye(3) + h * A / 2) @ G
    F, Q = np.eye(3), np.zeros((3, 3))
    for _ in range(count):
        F, Q = step @ F, step @ Q @ step.T + h * noise @ noise.T
    return F, Q


def kalman(times, data):
    """Log-likelihood, filtered and predicted means and covariances, innovations with theirs, and smoothed ones."""
    m, P = START
    t, total = 0.0, 0.0
    filtered, predicted, factors, innovations = [], [], [], []
    for now, y in zip(times, data, strict=True):
        F, Q = transition(now - t) if now > t else (np.eye(3), np.zeros((3, 3)))
        m, P, t = F @ m, F @ P @ F.T + Q, now
        predicted.append((m, P))
        factors.append(F)
        at = np.flatnonzero(np.isfinite(y))
        S, nu = H[at] @ P @ H[at].T + R[np.ix_(at, at)], y[at] - H[at] @ m
        if len(at):
            total -= 0.5 * (nu @ np.linalg.solve(S, nu) + np.linalg.slogdet(2 * np.pi * S)[1])
            gain = P @ H[at].T @ np.linalg.inv(S)
            m, P = m + gain @ nu, P - gain @ S @ gain.T
        innovations.append((at, nu, S))
        filtered.append((m, P))
    smoothed = [filtered[-1]]
    for k in range(len(times) - 2, -1, -1):
        J = filtered[k][1] @ factors[k + 1].T @ np.linalg.inv(predicted[k + 1][1])
        ms, Ps = smoothed[0]
        smoothed.insert(
            0, (filtered[k][0] + J @ (ms - predicted[k + 1][0]), filtered[k][1] + J @ (Ps - predicted[k + 1][1]) @ J.T)
        )
    return total, filtered, innovations, smoothed


def problem(seed=2, count=30, missing=True):
    """Irregular times, some of them on the grid, a gap, and data of which some components are missing."""
    rng = np.random.default_rng(seed)
    times = np.sort(
        np.concatenate([rng.uniform(0.01, 1.4, count - 8), rng.uniform(2.2, 2.8, 3), [0.5, 0.75, 1.0, 2.5, 2.55]])
    )
    x = rng.multivariate_normal(*START)
    t, out = 0.0, []
    for now in times:
        F, Q = transition(now - t)
        x, t = F @ x + rng.multivariate_normal(np.zeros(3), Q + 1e-18 * np.eye(3)), now
        out.append(H @ x + rng.multivariate_normal(np.zeros(2), R))
    data = np.array(out)
    if missing:
        data[3, 0] = data[7, 1] = data[11, 1] = np.nan
    return times, data


TIMES, DATA = problem()
TOTAL, FILTERED, INNOVATIONS, SMOOTHED = kalman(TIMES, DATA)
EXACT = sd.filter(SYSTEM, SEEN, (TIMES, DATA), update=sd.ExtendedKalman(SPREAD), smooth=True, **HOW)
IGNORED = pytest.mark.filterwarnings("ignore::semidirect.core.errors.FilterWarning")
TOLERANCE = 1e-10
"""Measured: 2e-13 of all of them."""


def close(found, exact):
    away = np.abs(np.asarray(found) - np.asarray(exact)).max()
    assert away < TOLERANCE, away


def test_the_filter_is_kalmans():
    close(EXACT.log_likelihood, TOTAL)
    for i, name in enumerate(NAMES):
        close(EXACT.data[f"{name}_mean"], [m[i] for m, _ in FILTERED])
        close(EXACT.data[f"{name}_sd"], [np.sqrt(P[i, i]) for _, P in FILTERED])


def test_the_smoother_is_that_of_rauch_tung_and_striebel():
    for i, name in enumerate(NAMES):
        close(EXACT.data[f"smoothed_{name}_mean"], [m[i] for m, _ in SMOOTHED])
        close(EXACT.data[f"smoothed_{name}_sd"], [np.sqrt(P[i, i]) for _, P in SMOOTHED])


def test_innovations_and_their_covariance():
    found = EXACT.innovations
    assert found.labels == ("x1", "z")
    for k, (at, nu, S) in enumerate(INNOVATIONS):
        close(found.values[k, at], nu)
        close(found.covariance[k][np.ix_(at, at)], S)
        close(found.squared[k], nu @ np.linalg.solve(S, nu))
        assert found.count[k] == len(at)
    n = int(found.count.sum())
    assert n == np.isfinite(DATA).sum()
    mean, low, high = found.bounds(0.9)
    assert (low, high) == pytest.approx(chi2.ppf([0.05, 0.95], n) / n)
    assert mean == pytest.approx(np.sum(found.squared) / n)
    assert "as the model predicts" in str(found)
    for wrong in (0, 1.5, "a"):
        with pytest.raises(InputError):
            found.bounds(wrong)


def test_predictions():
    later = [TIMES[-1], TIMES[-1] + 0.123, 3.0, 3.5]
    found = EXACT.predict(later)
    (m, P), t = FILTERED[-1], TIMES[-1]
    for k, now in enumerate(later):
        if now > t:
            F, Q = transition(now - t)
            m, P, t = F @ m, F @ P @ F.T + Q, now
        for i, name in enumerate(NAMES):
            close(found[f"{name}_mean"][k], m[i])
            close(found[f"{name}_sd"][k], np.sqrt(P[i, i]))
    other = EXACT.predict(later, ["x1 - 2*v"])
    close(other["x1 - 2*v_mean"], found["x1_mean"] - 2 * found["v_mean"])
    for wrong in (1.0, [3.5, 3.0], [], "soon", float("nan")):
        with pytest.raises(InputError):
            EXACT.predict(wrong)
    with pytest.raises(UnknownNameError):
        EXACT.predict(3.0, ["nope"])


def draw(rng, count):
    return {"x1": 0.1 * rng.standard_normal(count),
            "v": 0.5 + 0.3 * rng.standard_normal(count), "z": 0.2 * rng.standard_normal(count)}  # fmt: skip


@IGNORED
def test_backward_simulation_is_the_smoother():
    """Means of 12 seeds within 4 standard errors (measured 2.17 of 90), standard deviations within 5 %."""
    means, spreads = [], []
    for seed in range(12):
        found = sd.filter(SYSTEM, SEEN, (TIMES, DATA), particles=300, seed=seed, state=draw, smooth=True, **HOW,
                          execution=sd.Execution(1, engine="compiled")).data  # fmt: skip
        means.append([found[f"smoothed_{name}_mean"].values for name in NAMES])
        spreads.append([found[f"smoothed_{name}_sd"].values for name in NAMES])
    exact = np.array([m for m, _ in SMOOTHED]).T
    error = np.std(means, axis=0, ddof=1) / np.sqrt(len(means))
    z = (np.mean(means, axis=0) - exact) / error
    spread = np.mean(spreads, axis=0) / np.sqrt([np.diag(P) for _, P in SMOOTHED]).T
    print(f"largest distance {np.abs(z).max():.2f} standard errors, spread {spread.min():.3f} to {spread.max():.3f}")
    assert np.abs(z).max() < 4
    assert np.abs(spread.mean() - 1) < 0.05
    assert np.quantile(np.abs(z), 0.95) < 2.8


@IGNORED
@pytest.mark.parametrize("update", ["particles", "ensemble-kalman", sd.ExtendedKalman(SPREAD)], ids=str)
def test_online_is_the_loop_of_the_filter(update):
    """To the bit, whether the result is looked at on the way or not; for several observations too."""
    state = None if isinstance(update, sd.ExtendedKalman) else draw
    how = {**HOW, "particles": 50, "seed": 3, "state": state, "update": update}
    two = [sd.Observation("x1", noise=0.1), sd.Observation("z", noise=0.2)]
    parts = [(TIMES[::2], DATA[::2, 0]), (TIMES[1:], DATA[1:, 1])]
    parts = [(t[np.isfinite(y)], y[np.isfinite(y)]) for t, y in parts]
    for observation, data in ((SEEN, (TIMES, DATA)), (two, parts)):
        whole = sd.filter(SYSTEM, observation, data, **how)
        online = sd.inference.Online(SYSTEM, observation, **how)
        for t in np.unique(np.concatenate([part[0] for part in (data if isinstance(data, list) else [data])])):
            if isinstance(data, list):
                value = [y[np.flatnonzero(s == t)[0]] if t in s else None for s, y in data]
            else:
                value = DATA[np.flatnonzero(t == TIMES)[0]]
            online.update(t, value)
            if 0.4 < t < 0.6:
                _ = online.result, online.predict([t, t + 0.3])
        assert online.t == TIMES[-1]
        assert online.result.data.equals(whole.data)
        assert np.array_equal([online.result.log_likelihood_error], [whole.log_likelihood_error], equal_nan=True)
        assert online.predict(3.0).equals(whole.predict(3.0))


def test_an_earlier_time_raises_and_changes_nothing():
    online = sd.inference.Online(SYSTEM, SEEN, update=sd.ExtendedKalman(SPREAD), **HOW)
    with pytest.raises(InputError, match="at least one time"):
        _ = online.result
    online.update(0.2, {"z": 0.1, "x1": 0.3})
    before = online.result
    for time, value in ((0.2, [0.1, 0.2]), (0.1, [0.1, 0.2]), (0.3, [0.1]), (0.3, {"x1": 1.0}), (0.3, [np.inf, 0]),
                        (np.nan, [0, 0]), ("2026-01-01", [0, 0]), (0.3, None)):  # fmt: skip
        with pytest.raises(InputError):
            online.update(time, value)
    assert online.result.data.equals(before.data)
    online.update(0.3, [0.1, np.nan])
    assert online.t == 0.3


def test_dates_are_times_of_a_loop():
    start = pd.Timestamp("2026-01-05T10:00:00Z")
    online = sd.inference.Online(SYSTEM, SEEN, update=sd.ExtendedKalman(SPREAD), **HOW)
    frame = pd.DataFrame({"t": start + pd.to_timedelta(TIMES - TIMES[0], unit="s"), "x1": DATA[:, 0], "z": DATA[:, 1]})
    for row in frame.itertuples():
        online.update(row.t, [row.x1, row.z])
    whole = sd.filter(SYSTEM, SEEN, frame, update=sd.ExtendedKalman(SPREAD), **HOW)
    assert online.result.data.identical(whole.data)
    later = frame["t"].iloc[-1] + pd.Timedelta(seconds=1)
    assert whole.predict(later).equals(online.predict(whole.times[-1] + 1.0)) or np.allclose(
        whole.predict(later)["x1_mean"], online.predict(whole.times[-1] + 1.0)["x1_mean"]
    )
    with pytest.raises(InputError, match="as 2026-01-05T10:00:00"):
        whole.predict(pd.Timestamp("2026-01-05T12:00:00"))


@IGNORED
def test_results_are_saved_and_read_again(tmp_path):
    for result in (EXACT, sd.filter(SYSTEM, SEEN, (TIMES, DATA), particles=30, state=draw, **HOW)):
        result.save(tmp_path / "result.nc")
        again = sd.inference.load_result(tmp_path / "result.nc")
        assert again.data.equals(result.data)
        assert (again.collapses, again.log_likelihood) == (result.collapses, result.log_likelihood)
        assert np.array_equal(again.innovations.values, result.innovations.values, equal_nan=True)
        with pytest.raises(InputError, match="Run the filter again"):
            again.predict(9.0)
    (tmp_path / "other.nc").write_text("no")
    for wrong in ("other.nc", "none.nc"):
        with pytest.raises(InputError):
            sd.inference.load_result(tmp_path / wrong)
    with pytest.raises(InputError, match=r"ends in \.nc"):
        EXACT.save(tmp_path / "a.txt")


def test_a_picture_by_one_call():
    import matplotlib.pyplot as plt

    axes = EXACT.plot()
    assert [ax.get_ylabel() for ax in axes] == NAMES
    data = next(line for line in axes[0].lines if line.get_label() == "data")
    assert np.array_equal(data.get_ydata(), DATA[:, 0], equal_nan=True)
    far = DATA.copy()
    far[20, 0] += 5.0
    with pytest.warns(sd.errors.FilterWarning, match="far from their prediction"):
        result = sd.filter(SYSTEM, SEEN, (TIMES, far), update=sd.ExtendedKalman(SPREAD), **HOW)
    assert result.innovations.outliers[20, 0]
    assert "outliers" in [line.get_label() for line in result.plot(["x1"])[0].lines]
    with pytest.raises(UnknownNameError):
        EXACT.plot(["nope"])
    with pytest.raises(InputError, match="smooth=True"):
        result.plot(smoothed=True)
    assert EXACT.plot(["v"], ax=plt.figure().subplots(1, 1, squeeze=False)[0])[0].get_ylabel() == "v"
    with pytest.raises(InputError, match="ax: expected 1 axes"):
        EXACT.plot(["v"], ax=axes)
    plt.close("all")


@IGNORED
def test_evidence_for_models_of_the_same_data():
    """Of an exact filter without error; of particles, within 4 of their error (measured 0.6)."""
    particles = sd.filter(SYSTEM, SEEN, (TIMES, DATA), particles=1000, state=draw, **HOW)
    worse = sd.filter(SYSTEM, SEEN, (TIMES, DATA), update=sd.ExtendedKalman({**SPREAD, "v": 0.01}), **HOW)
    table = sd.inference.evidence({"exact": EXACT, "particles": particles, "worse": worse})
    difference, error = table.difference("particles", "exact")
    assert abs(difference) < 4 * error
    assert table.difference("worse", "exact") == (pytest.approx(worse.log_likelihood - TOTAL), 0.0)
    assert "log Bayes factor" in str(table)
    other = sd.filter(SYSTEM, SEEN, (TIMES, DATA + 0.01), update=sd.ExtendedKalman(SPREAD), **HOW)
    for wrong in ({}, [EXACT], {"a": 3}, {"a": EXACT, "b": other}):
        with pytest.raises(InputError):
            sd.inference.evidence(wrong)
    with pytest.raises(UnknownNameError):
        table.difference("exact", "none")


def test_what_cannot_be_smoothed_says_why():
    with pytest.raises(MethodError, match="smooth=True with update='ensemble-kalman'"):
        sd.filter(SYSTEM, SEEN, (TIMES, DATA), update="ensemble-kalman", smooth=True, **HOW)
    with pytest.raises(InputError, match="smooth and lag"):
        sd.filter(SYSTEM, SEEN, (TIMES, DATA), lag=2, smooth=True, **HOW)
    disk = sd.load("rolling-disk", noise=(0.1, 0.2))
    track = sd.Observation(["x", "y"], noise=0.1)
    with pytest.raises(MethodError, match=r"moves all coordinates of the state.*own descendants.*lag="):
        sd.filter(disk, track, ([0.1, 0.2], np.zeros((2, 2))), dt=0.1, smooth=True, particles=10)


@IGNORED
def test_white_innovations_of_the_right_model_alone():
    """p is uniform for the right model (200 times, 20 files: mean 0.5 ± 0.26) and small for a wrong one (measured 1e-9)."""
    chances = []
    for seed in range(4):
        times, data = problem(seed, 60, missing=False)
        chances.append(
            sd.filter(SYSTEM, SEEN, (times, data), update=sd.ExtendedKalman(SPREAD), **HOW).innovations.whiteness()
        )
    assert 0.15 < np.mean(chances) < 0.85
    assert min(chances) > 1e-3
    still = sd.Kinematics(sd.RealSpace(1), noise=[[0.05]])
    walk = sd.filter(
        still, sd.Observation("x1", noise=0.05), (times, data[:, 0]), dt=DT, update="extended-kalman", quantities=["x1"]
    )
    assert walk.innovations.whiteness() < 1e-3
    mean, _, high = walk.innovations.bounds()
    assert mean > high

"""The state-space model of a system for the package particles: its likelihood is Kalman's, its chains have the posterior."""

import sys

import numpy as np
import pytest
from rolling_line import DISK, START, TRACK, kalman

import semidirect as sd

OPTIONS = {"dt": 0.1, "state": START, "execution": sd.Execution(engine="numpy")}


def data_of(times=8):
    run = DISK.simulate(t_end=0.2 * times, dt=0.1, save="every:2", seed=5, state=START)
    return TRACK.of(run, seed=5).isel(time=slice(1, None))


def test_without_the_package_an_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "particles.distributions", None)
    with pytest.raises(sd.errors.MethodError, match=r'pip install "semidirect\[particles\]"'):
        sd.inference.state_space_model(DISK, TRACK, data_of(2), **OPTIONS)


def test_the_likelihood_is_kalmans_and_a_seed_repeats_it():
    """Measured with 4,000 particles: off by 0.05."""
    particles = pytest.importorskip("particles")
    from particles.state_space_models import Bootstrap

    data = data_of()
    model = sd.inference.state_space_model(DISK, TRACK, data, **OPTIONS)

    def log_likelihood(**theta):
        np.random.seed(1)  # noqa: NPY002  # the generator of particles
        smc = particles.SMC(fk=Bootstrap(ssm=model(**theta), data=model.data), N=4000)
        smc.run()
        return smc.logLt

    for spin in (0.4, 0.6):
        found = log_likelihood(noise1=spin)
        print(f"log L at {spin}: {found:.3f}, exact {kalman(spin, data):.3f}")
        assert abs(found - kalman(spin, data)) < 0.2
    assert log_likelihood(noise1=0.6) == found
    assert log_likelihood(radius=-1.0) < -1e290  # no system has it
    with pytest.raises(sd.errors.UnknownNameError, match="noise1"):
        model(nois1=0.3)
    with pytest.raises(sd.errors.InputError, match="times"):
        sd.inference.state_space_model(DISK, TRACK, ([0.2, 0.1], [1.0, 1.0]), **OPTIONS)


def test_data_that_no_particle_explains_are_rejected_and_not_an_error():
    particles = pytest.importorskip("particles")
    from particles.state_space_models import Bootstrap

    side = sd.Observation(
        lambda state: [[state.s[0, 2]]], seen=lambda state: [state.s[1, 2] - 5], noise=1.0, name="far side"
    )
    model = sd.inference.state_space_model(DISK, side, ([0.1, 0.2], [[[0.0]], [[0.0]]]), **OPTIONS)
    smc = particles.SMC(fk=Bootstrap(ssm=model(), data=model.data), N=20)
    smc.run()
    assert -1e301 < smc.logLt < -1e290


def test_a_chain_has_the_exact_posterior():
    """Of the amplitude of the noise under a flat prior: the mean is within 0.4 standard deviations of the exact one (measured
    0.13), and the spread within a third.
    """
    pytest.importorskip("particles")
    from particles import distributions as dists

    data = data_of()
    model = sd.inference.state_space_model(DISK, TRACK, data, **OPTIONS)
    np.random.seed(3)  # noqa: NPY002  # the generator of particles
    chain = model.pmmh(
        prior=dists.StructDist({"noise1": dists.Uniform(0.1, 1.2)}), Nx=100, niter=250,
        theta0=np.array([(0.5,)], dtype=[("noise1", float)]), rw_cov=0.15**2 * np.eye(1), adaptive=False,
    )  # fmt: skip
    chain.run()
    found = chain.chain.theta["noise1"][30:]
    grid = np.linspace(0.1, 1.2, 400)
    density = np.exp([kalman(spin, data) for spin in grid])
    density /= density.sum()
    mean = density @ grid
    spread = np.sqrt(density @ (grid - mean) ** 2)
    print(
        f"exact {mean:.3f} ± {spread:.3f}, chain {found.mean():.3f} ± {found.std():.3f}, accepted {chain.acc_rate:.2f}"
    )
    assert abs(found.mean() - mean) < 0.4 * spread
    assert 0.67 < found.std() / spread < 1.5

"""Filters use one thread of BLAS, and leave its number of threads as it was."""

import numpy as np
import pytest
import scipy.linalg  # noqa: F401  its BLAS is a library of its own
from threadpoolctl import threadpool_info, threadpool_limits

import semidirect as sd
from semidirect.machine.blas_threads import one_blas_thread


def threads():
    return {library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"}


@pytest.fixture(autouse=True)
def two_threads():
    """Also where the tests or the machine allow one."""
    with threadpool_limits(limits=2, user_api="blas"):
        if threads() != {2}:
            pytest.skip("this BLAS has one thread")
        yield


def test_contexts_within_contexts_and_errors_restore_the_number():
    def fail():
        with one_blas_thread():
            with one_blas_thread():
                assert threads() == {1}
            assert threads() == {1}
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert threads() == {2}


def test_overlapping_contexts_restore_the_number_at_the_end_of_the_last():
    first, second = one_blas_thread(), one_blas_thread()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert threads() == {1}
    second.__exit__(None, None, None)
    assert threads() == {2}


def test_a_filter_uses_one_thread():
    seen = []

    def log_density(data, predicted):
        if len(predicted) == 100:  # of the particles, not of a check of the data
            seen.append(threads())
        return -0.005 * np.sum((data - predicted) ** 2, axis=-1)

    disk = sd.load("rolling-disk", noise=(0.2, 0.0))
    truth = disk.simulate(t_end=0.2, dt=0.1, seed=1)
    observation = sd.Observation("omega", noise=log_density)
    data = sd.Observation("omega", noise=0.1).of(truth, seed=2).isel(time=slice(1, None))
    sd.filter(disk, observation, data, dt=0.1, particles=100, seed=3)
    assert seen
    assert set.union(*seen) == {1}
    assert threads() == {2}

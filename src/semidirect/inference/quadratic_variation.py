"""Amplitudes of noise from paths that are observed exactly: the quadratic variation of the configuration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from semidirect.core import display, errors, explains_calls
from semidirect.results import RunLike, a_run

__all__ = ["QuadraticVariation", "quadratic_variation"]


@final
@dataclass(frozen=True, eq=False, repr=False)
class QuadraticVariation(display.Brief):
    """The quadratic variation of configurations, path by path, in the basis of the algebra.

    Attributes
    ----------
    covariance : array (paths, n, n)
        The estimate of Σ N_i N_iᵀ [1/s], averaged over the time, where s⁻¹ds = ξ dt + Σ N_i∘dW^i.
    standard_error : array (paths, n, n)
        Its standard errors, for amplitudes that are nearly constant.
    """

    covariance: np.ndarray
    standard_error: np.ndarray


@explains_calls
def quadratic_variation(run: RunLike) -> QuadraticVariation:
    """The covariance of the noise that moves the configuration, from configurations at equally spaced times.

    With η_k = log(s_k⁻¹ s_{k+1}), the estimate is the mean of (η_{k+1} − η_k)(η_{k+1} − η_k)ᵀ/(2Δ). The differences remove the
    velocity up to a term of the order Δ, which the intervals Δ between the times must make small. On a disk rolling without
    slipping the amplitudes of spin and turn are the square roots of two diagonal entries.

    Parameters
    ----------
    run : Run
        Paths with their configurations, at four times or more.

    Raises
    ------
    InputError
        For times that are not equally spaced, or a run without configurations.
    """
    run = a_run(run)
    system = run.one_system()
    gaps = np.diff(run.times)
    if len(gaps) < 3 or np.ptp(gaps) > 1e-9 * gaps.max():
        raise errors.InputError("times of the quadratic variation", expected="four equally spaced times or more",
                                got=f"{len(run.times)} times")  # fmt: skip
    group, s = system.group, run.element()
    steps = group.log(group.inverse(s[:, :-1]) @ s[:, 1:])
    changes = np.diff(steps, axis=1) / np.sqrt(2 * gaps[0])
    covariance = np.einsum("pki,pkj->pij", changes, changes) / changes.shape[1]
    diagonal = np.diagonal(covariance, axis1=1, axis2=2)
    # Neighbours have the correlation −1/2, so products of them add 2 · (1/2)² to the variance of the mean.
    variance = (diagonal[:, :, None] * diagonal[:, None, :] + covariance**2) * 1.5 / changes.shape[1]
    return QuadraticVariation(covariance, np.sqrt(variance))

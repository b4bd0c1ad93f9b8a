"""Hypothesis strategies for algebra vectors and group elements, which shrink to zero and to the identity."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from semidirect import LieGroup
from semidirect.core import arguments, errors, exact
from semidirect.testing.laws.sizes import budget

A_GROUP = "a Lie group, such as SO3()"
REGIMES = ("identity", "tiny", "generic", "near_pi")
"""At the identity, 1e-8 from it, anywhere within a half-turn, and a half-turn less 0 or 1e-12 … 1e-3."""

_GENERIC_TURN = 2.5
_GAPS = st.sampled_from([0.0, 1e-12, 1e-8, 1e-5, 1e-3])
_FLOATS = st.floats(-1.0, 1.0, allow_nan=False, allow_infinity=False, allow_subnormal=False)


def check(*strategies: st.SearchStrategy[Any]) -> Callable[[Any], Any]:
    """``given`` with a quarter of the examples of the current profile: a contract has many tests, each over all regimes."""
    return lambda test: budget(1 / 4)(given(*strategies)(test))


def numbers(bound: float = 1.0) -> st.SearchStrategy[float]:
    """Floats within ``bound``, without those whose squares underflow."""
    return _FLOATS.map(lambda x: bound * x if abs(x) > 1e-12 else 0.0)


def vectors(dimension: int, bound: float = 1.0) -> st.SearchStrategy[np.ndarray]:
    """Arrays (dimension,) of floats within ``bound``."""
    return st.lists(numbers(bound), min_size=dimension, max_size=dimension).map(np.array)


def rationals(dimension: int) -> st.SearchStrategy[np.ndarray]:
    """Object arrays (dimension,) of fractions within 1 with small denominators."""
    fraction = st.fractions(-1, 1, max_denominator=7)
    return st.lists(fraction, min_size=dimension, max_size=dimension).map(exact.objects)


def algebra_vectors(group: LieGroup, regimes: Sequence[str] = REGIMES) -> st.SearchStrategy[np.ndarray]:
    """Algebra vectors (n,) of ``group`` in one of ``regimes``.

    ``near_pi`` scales a vector so that the largest angle of its rotation is π less a small gap; where it hardly rotates it is
    as ``generic``.
    """
    arguments.validated_instance("algebra_vectors", group, LieGroup, expected=A_GROUP, error=errors.DefinitionError)  # type: ignore[type-abstract]
    for regime in arguments.validated_names("regimes", regimes):
        arguments.validated_name("regime", regime, REGIMES)
    return _algebra_vectors(group, st.sampled_from(list(regimes)), vectors(group.dimension))


@st.composite
def _algebra_vectors(
    draw: st.DrawFn, group: LieGroup, regimes: st.SearchStrategy[str], within_1: st.SearchStrategy[np.ndarray]
) -> np.ndarray:
    # the strategies come from outside, since one that is made for each draw is validated for each, which takes longer
    regime = draw(regimes)
    if regime == "identity":
        return np.zeros(group.dimension)
    xi = draw(within_1)
    if regime == "tiny":
        return 1e-8 * xi
    angle = turn(group, xi)
    if regime == "near_pi" and angle > 0.1 and angle > 0.3 * np.linalg.norm(group.hat(xi), 2):
        gap = draw(_GAPS)
        return xi * ((np.pi - gap) / angle)
    return xi * min(1.0, _GENERIC_TURN / angle) if angle else xi


def elements(group: LieGroup, regimes: Sequence[str] = REGIMES) -> st.SearchStrategy[np.ndarray]:
    """Elements (N, N) of ``group``, the exponentials of :func:`algebra_vectors`."""
    return algebra_vectors(group, regimes).map(group.exp)


def turn(group: LieGroup, xi: np.ndarray) -> float:
    """The largest angle by which hat(ξ) rotates: the largest imaginary part of its eigenvalues."""
    return float(np.max(np.abs(np.imag(np.linalg.eigvals(group.hat(xi))))))

"""Weak Runge–Kutta methods of order 2 for Stratonovich equations with any noise: Rößler's RS1 and RS2."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, final

import numpy as np

from semidirect.core import ops
from semidirect.integrators.method import Integrator, Step
from semidirect.integrators.stages import StageEvaluator
from semidirect.random import iterated_integrals

if TYPE_CHECKING:
    from semidirect.model import NumericalSDE

Matrix = tuple[tuple[float, ...], ...]
_WEAK_TWO = MappingProxyType({"additive": 2.0, "single": 2.0, "commutative": 2.0, "general": 2.0})


@dataclass(frozen=True)
class WeakTableau:
    """Coefficients of an explicit method of Rößler's class of Stratonovich Runge–Kutta methods.

    With a the drift, b^k the noise fields, J_k the three-point increments and J_kl as in :class:`WeakRungeKutta`,

        H_i⁰ = Y + Σ A0_ij a(H_j⁰) h + Σ_l B0_ij b^l(H_j^l) J_l
        H_i^k = Y + Σ A1_ij a(H_j⁰) h + Σ B1_ij b^k(H_j^k) J_k + Σ_{l≠k} B3_ij b^l(H_j^l) J_l
        Ĥ_i^k = Y + Σ_{l≠k} B2_ij b^l(H_j^l) J_kl/√h
        Y⁺ = Y + Σ alpha_i a(H_i⁰) h + Σ beta1_i b^k(H_i^k) J_k + Σ beta2_i b^k(Ĥ_i^k) √h

    at the times t + c h with c the sums of the rows of A0 and A1.

    Attributes
    ----------
    A0, A1, B0, B1, B2, B3 : tuples of rows, strictly lower triangular
    alpha, beta1, beta2 : tuples of weights
    """

    A0: Matrix
    A1: Matrix
    B0: Matrix
    B1: Matrix
    B2: Matrix
    B3: Matrix
    alpha: tuple[float, ...]
    beta1: tuple[float, ...]
    beta2: tuple[float, ...]


_NONE = (0.0, 0.0, 0.0, 0.0)
_NOISE = {
    "A1": (_NONE, _NONE, (1, 0, 0, 0), (1, 0, 0, 0)),
    "B0": (_NONE, _NONE, (1 / 4, 3 / 4, 0, 0), _NONE),
    "B1": (_NONE, (2 / 3, 0, 0, 0), (1 / 12, 1 / 4, 0, 0), (-5 / 4, 1 / 4, 2, 0)),
    "B2": (_NONE, (1, 0, 0, 0), (-1, 0, 0, 0), _NONE),
    "B3": (_NONE, _NONE, (1 / 4, 3 / 4, 0, 0), (1 / 4, 3 / 4, 0, 0)),
    "beta1": (1 / 8, 3 / 8, 3 / 8, 1 / 8),
    "beta2": (0, -1 / 4, 1 / 4, 0),
}
RS1_TABLEAU = WeakTableau(A0=(_NONE, _NONE, (1, 0, 0, 0), _NONE), alpha=(0, 0, 1 / 2, 1 / 2), **_NOISE)  # type: ignore[arg-type]
RS2_TABLEAU = WeakTableau(
    A0=(_NONE, (2 / 3, 0, 0, 0), (1 / 6, 1 / 2, 0, 0), _NONE), alpha=(1 / 4, 1 / 4, 1 / 2, 0), **_NOISE  # type: ignore[arg-type]
)  # fmt: skip


class WeakRungeKutta(Integrator):
    """The method of a tableau, for three-point increments J_k = ΔW^k and signs V_l = ±√h, l = 2 … m.

    The antisymmetric J_kl = J_k V_l for k < l stand for twice the Lévy areas: with ½ J_kl in their place, all moments that
    weak order 2 needs are the moments of ΔW and A. (√h V of one of the two indices would correlate the areas of pairs that
    share it.)

    The configuration moves with the same order: s⁺ = s exp(v), where v runs through the stages as a part of the state whose
    fields are the transports pulled back, dexp⁻¹ w = w + ½[v, w] + (1/12)[v, [v, w]]; the omitted terms are of fourth order in v.

    Rößler, Second order Runge–Kutta methods for Stratonovich stochastic differential equations, BIT 47 (2007).
    """

    weak_order = _WEAK_TWO
    weak: ClassVar[bool] = True

    @property
    @abstractmethod
    def coefficients(self) -> WeakTableau:
        """The tableau."""

    @property
    def integrals(self) -> iterated_integrals.Signs:
        """The signs V_l."""
        return iterated_integrals.Signs()

    @final
    def step(self, model: NumericalSDE, y: np.ndarray, t: float, dt: float, dW: np.ndarray) -> Step:
        """One step."""
        m = model.wieners
        stages = StageEvaluator(model, y, t, dt)
        X = _step(self.coefficients, stages, dW[:m], dW[m:])
        return Step(stages.state(X), X[model.dimension :])


@final
class RS1(WeakRungeKutta):
    """Rößler's RS1: of order 2 without noise."""

    name: ClassVar[str] = "rs1"
    deterministic_order: ClassVar[int] = 2

    @property
    def coefficients(self) -> WeakTableau:
        """Those of the paper."""
        return RS1_TABLEAU


@final
class RS2(WeakRungeKutta):
    """Rößler's RS2: of order 3 without noise."""

    name: ClassVar[str] = "rs2"
    deterministic_order: ClassVar[int] = 3

    @property
    def coefficients(self) -> WeakTableau:
        """Those of the paper."""
        return RS2_TABLEAU


def _step(tableau: WeakTableau, stages: StageEvaluator, J: np.ndarray, V: np.ndarray) -> np.ndarray:
    q, m, dt = tableau, len(J), stages.dt
    noises = range(1, m + 1)
    a: list[Any] = []  # a(H_i⁰) h
    b: dict[int, list[Any]] = {k: [] for k in noises}  # b^k(H_i^k) J_k
    for i in range(len(q.alpha)):
        c = sum(q.A0[i])
        X = _sum((*_terms(q.A0[i], a), *(term for l in noises for term in _terms(q.B0[i], b[l]))))
        contributes = q.alpha[i] or any(row[i] for row in (*q.A0, *q.A1))
        a.append(stages.field(0, X, c) * dt if contributes else None)
        c = sum(q.A1[i])
        rates = []
        for k in noises:
            others = (term for l in noises if l != k for term in _terms(q.B3[i], b[l]))
            X = _sum((*_terms(q.A1[i], a), *_terms(q.B1[i], b[k]), *others))
            rates.append(stages.field(k, X, c) * J[k - 1])
        for k, rate in zip(noises, rates, strict=True):
            b[k].append(rate)
    total = [*_terms(q.alpha, a), *(term for k in noises for term in _terms(q.beta1, b[k]))]
    if m > 1:
        total += _area_terms(q, stages, J, V)
    result = _sum(total)
    assert result is not None
    return result


def _area_terms(q: WeakTableau, stages: StageEvaluator, J: np.ndarray, V: np.ndarray) -> Iterator[np.ndarray]:
    """beta2_i b^k(Ĥ_i^k) √h; with B2 in its first column only, Ĥ_i^k is displaced by B2_i1 Σ_l b^l(Y) J_kl/√h."""
    m = len(J)
    root = ops.sqrt(stages.dt)
    at_start = [stages.field(l, None, 0.0) for l in range(1, m + 1)]
    for k in range(m):
        pieces = [
            (at_start[l] * J[k] if k < l else at_start[l] * -J[l]) * (V[max(k, l) - 1] / root)
            for l in range(m)
            if l != k
        ]
        displaced = _sum(pieces)
        for weight, row in zip(q.beta2, q.B2, strict=True):
            if weight:
                yield weight * stages.field(k + 1, row[0] * displaced, 0.0) * root


def _terms(weights: Sequence[float], values: Sequence[Any]) -> Iterator[Any]:
    for weight, value in zip(weights, values):
        if weight:
            yield value if weight == 1 else weight * value


def _sum(terms: Any) -> Any:
    total = None
    for term in terms:
        total = term if total is None else total + term
    return total

"""The weak order of methods that take three-point increments, without chance: expectations over all outcomes of a step.

Steps of different length cannot share such noise, so a Monte Carlo estimate of a bias of order 2 drowns in chance. But a step has
finitely many outcomes: E φ after one step of h, less E φ after two of h/2, is ¾ C h³ for a method of weak order 2, and ½ C h² for
one of order 1.
"""

from __future__ import annotations

import itertools

import numpy as np

import semidirect as sd
from semidirect.analysis.order_fit import OrderFit
from semidirect.integrators import Integrator, integrator
from semidirect.state.state import InitialState

STEPS = {1.0: 0.5 ** np.arange(7, 14), 2.0: 0.5 ** np.arange(5, 12)}
"""Of the fit [s], by the largest weak order of the method: small, so that the order shows, and above round-off."""


def outcomes(m: int, rows: int) -> tuple[np.ndarray, np.ndarray]:
    """All outcomes of the rows of a step of length 1, (rows, outcomes), and their probabilities."""
    three, three_p = (-np.sqrt(3.0), 0.0, np.sqrt(3.0)), (1 / 6, 2 / 3, 1 / 6)
    values = [three] * m + [(-1.0, 1.0)] * (rows - m)
    weights = [three_p] * m + [(0.5, 0.5)] * (rows - m)
    return (np.array(list(itertools.product(*values))).T,
            np.array([np.prod(w) for w in itertools.product(*weights)]))  # fmt: skip


def expectations(system: sd.System, method: Integrator, h: float, steps: int) -> dict[str, np.ndarray]:
    """E of the state, of its squares and products, and of the stored coordinates, after some steps of length h."""
    model = system.workings.model()
    start = InitialState.of(system, None)
    unit, weight = outcomes(model.wieners, method.rows(model.wieners))
    dW, count = unit * np.sqrt(h), len(weight)
    y, stored, chance = start.vector(model, 0.0), start.stored, np.ones(1)
    for n in range(steps):
        y, stored = (np.repeat(x, count, axis=1) for x in (y, stored))
        noise, chance = np.tile(dW, (1, len(chance))), np.outer(chance, weight).ravel()
        step = method.step(model, y, n * h, h, noise)
        y, stored = step.y, model.reconstruct(stored, step.v, method.retraction(model))
    return {"state": y @ chance, "products": np.einsum("ip,jp,p->ij", y, y, chance), "s": stored @ chance}


def weak_order(system: sd.System, label: str, other: str = "heun") -> tuple[dict[str, OrderFit], bool]:
    """The weak orders of the state, of its second moments and of the configuration, and whether another method has that limit.

    An order is that of the error of a step, less 1. Two methods of one limit differ in a step of h by h² at least.
    """
    method, second = integrator(label), integrator(other)
    steps = STEPS[max(method.weak_order.values())]
    own: dict[str, list[float]] = {}
    apart: dict[str, list[float]] = {}
    for h in steps:
        once, twice = expectations(system, method, float(h), 1), expectations(system, method, float(h) / 2, 2)
        theirs = expectations(system, second, float(h), 1)
        for name, value in once.items():
            own.setdefault(name, []).append(float(np.linalg.norm(value - twice[name])))
            apart.setdefault(name, []).append(float(np.linalg.norm(value - theirs[name])))
    floor = 64 * np.finfo(float).eps / steps
    fits = {name: OrderFit.of(steps, np.array(e) / steps, floor=floor) for name, e in own.items()}
    limits = [OrderFit.of(steps, np.array(e) / steps, floor=floor) for e in apart.values()]
    return fits, all(not np.isfinite(f.slope) or f.last > 0.5 for f in limits)

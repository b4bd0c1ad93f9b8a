"""Checks of runs: identical results of both engines, and the orders of two methods."""

from __future__ import annotations

import numpy as np

from semidirect.analysis import OrderFit
from semidirect.core import errors
from semidirect.engines import Execution
from semidirect.ensemble import simulate
from semidirect.equations import derived_sde
from semidirect.integrators import integrator
from semidirect.specification import Formulation, Save
from semidirect.state import linearise
from semidirect.testing.laws.report import Outcome, failed, ok
from semidirect.testing.laws.subject import Subject

METHODS = ("heun", "rk4")
FLOOR = 2e-11
"""Relative errors of the reference, DOP853 at 1e-12."""
TOLERANCE = 0.25


def short(subject: Subject) -> float:
    """A step in which the linearised drift turns by about a sixteenth, a power of two [s]."""
    jacobian = linearise(subject.system)["drift"]
    if not np.all(np.isfinite(jacobian)):
        raise errors.InputError(
            "the drift or its Jacobian is not finite at the recommended state",
            hint="Move 'initial' away from where the definition divides by 0.",
        )
    rate = float(np.max(np.abs(np.linalg.eigvals(jacobian)), initial=0.0))
    return float(2.0 ** np.floor(np.log2(1 / 16 / max(rate, 1.0))))


def bits(subject: Subject) -> Outcome:
    """NumPy and compiled kernels give the same bits."""
    step = short(subject)
    runs = [
        simulate(
            subject.system, t_end=8 * step, dt=step, paths=5, seed=subject.seed, execution=Execution(1, engine=engine)
        )
        for engine in ("numpy", "compiled")
    ]
    for name in runs[0].data:
        if runs[0][name].tobytes() != runs[1][name].tobytes():
            off = float(np.max(np.abs(runs[0][name] - runs[1][name])))
            return failed(
                f"{name} differs by {off:.1e}",
                "functions that are not from semidirect.core.ops, such as NumPy's sin.",
            )
    return ok(f"{len(runs[0].data)} quantities of 5 paths over 8 steps of {step:.2g} s, identical to the last bit")


def orders(subject: Subject) -> Outcome:
    """Heun and the classical Runge–Kutta method show their orders on the drift, against DOP853."""
    system, step, words = subject.system, 8 * short(subject), []
    names = [v.name for v in derived_sde(system).variables]

    def end(method: str, dt: float) -> np.ndarray:
        run = simulate(
            system, t_end=4 * step, dt=dt, method=method, driver=0, save=Save("final", names),
            execution=Execution(engine="numpy"), formulation=Formulation(reconstruct=False),
        )  # fmt: skip
        if np.any(run.status != 0):
            raise errors.SimulationError(run.failures())
        return np.concatenate([np.ravel(run[name][0, -1]) for name in names])

    truth = end("dop853", step)
    size = max(1.0, float(np.max(np.abs(truth))))
    steps = step * 0.5 ** np.arange(OrderFit.FEWEST)
    for method in METHODS:
        sizes_of_errors = np.array([float(np.max(np.abs(end(method, float(h)) - truth))) / size for h in steps])
        order = float(integrator(method).deterministic_order)
        if np.all(sizes_of_errors <= FLOOR):
            words.append(f"{method} exact, errors of {sizes_of_errors[0]:.0e}")
            continue
        fit = OrderFit.of(steps, sizes_of_errors, floor=FLOOR, because="those of the reference")
        verdict = fit.judged(order, TOLERANCE)
        if verdict == "not met" or fit.slope < order - 0.5:
            return failed(
                f"{method} shows order {fit.slope:.2f}, declared {order:.0f}",
                "is the definition smooth (ops.where, absolute, a root at 0) along the motion from the recommended state?",
            )
        text = f"{method} {fit.slope:.2f} of {order:.0f}"
        if verdict == "inconclusive":
            text += f" (not decided: {fit.steps} of {OrderFit.FEWEST} steps above round-off, {fit.low:.2f} to {fit.high:.2f})"
        elif verdict != "met":
            text += f" ({verdict})"
        words.append(text)
    return ok(", ".join(words))

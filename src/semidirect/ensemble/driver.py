"""What drives a run: a Wiener process, a given path, or nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from semidirect.core.errors import InputError
from semidirect.integrators.integrator import Integrator
from semidirect.model.numerical_sde import NumericalSDE
from semidirect.random.driving_path import DrivingPath
from semidirect.random.philox import STEP_BITS
from semidirect.random.staged_path import StagedPath
from semidirect.random.wiener import WienerNoise

Driver = WienerNoise | DrivingPath
TIMES_AT_ONCE = 65536


def choose(model: NumericalSDE, method: Integrator, drive: Any, seed: int, dt: float, noise_dt: float | None, steps: range,
            paths: int, covariance: Any = None, increments: str = "normal") -> Driver | None:  # fmt: skip
    """What gives the increments of the steps with these numbers; ``None`` where there is nothing to drive."""
    m = model.wieners
    if drive is None:
        if m == 0 and covariance is None:
            return None
        noise = WienerNoise(int(seed), m, dt if noise_dt is None else noise_dt, covariance, increments, method.extra)
        method.check(model, noise)
        doublings = max(noise.doublings(dt), 0)
        if steps.stop << doublings > 2**STEP_BITS:
            raise InputError(
                f"the noise is defined for at most 2**{STEP_BITS} steps after t = 0", expected=f"at most 2**{STEP_BITS} steps",
                got=f"{steps.stop << doublings}", hint="Take longer steps, or an earlier t_start and another seed.",
            )  # fmt: skip
        return noise
    kinds = {
        "noise_dt": noise_dt,
        "noise_covariance": covariance,
        "increments": increments if increments != "normal" else None,
    }
    for name, value in kinds.items():
        if value is not None:
            raise InputError(
                f"{name} has no meaning with a driving path", hint="It replaces the noise: give one of the two."
            )
    if isinstance(drive, (int, float)) and drive == 0:
        nothing = DrivingPath.from_expression(["0"] * method.rows(m)) if m else None
        method.check(model, nothing)
        return nothing
    path = drive
    if isinstance(drive, np.ndarray) or (isinstance(drive, (list, tuple)) and not _texts(drive)):
        path = DrivingPath.from_increments(drive, dt, steps.start)
        if len(np.asarray(drive)) < len(steps):
            raise InputError(
                "the driving path", expected=f"increments of {len(steps)} steps", got=f"{len(drive)} of them"
            )
        if np.ndim(drive) == 3 and np.shape(drive)[2] != paths:
            raise InputError("the driving path", expected=f"increments of {paths} paths", got=f"{np.shape(drive)[2]}")
    elif not isinstance(drive, DrivingPath):
        path = DrivingPath.from_expression(drive)
    if path.components != m:
        raise InputError(
            "the driving path", expected=f"{m} component{'s' * (m != 1)}, one a noise", got=str(path.components),
            hint=f"Write for example [{', '.join(['sin(t)', *['0'] * (m - 1)])}]." if m else "There is no noise to replace.",
        )  # fmt: skip
    method.check(model, path)
    _probe(path, steps, dt, paths)
    return StagedPath(path, method.nodes) if path.smooth and method.nodes else path


def _probe(path: DrivingPath, steps: range, dt: float, paths: int) -> None:
    """A path that begins late or ends early, has another resolution or fewer paths says so; one that is not finite is refused."""
    with np.errstate(all="ignore"):
        for step in (steps[0], steps[-1]):
            path.increments(range(paths - 1, paths), step, dt)
    nodes = range(steps.start, steps.stop + 1)
    for first in range(steps.start, nodes.stop if path.smooth else steps.start, TIMES_AT_ONCE):
        times = np.arange(first, min(first + TIMES_AT_ONCE, nodes.stop)) * dt
        with np.errstate(all="ignore"):
            bad = ~np.isfinite(path.value(times)).all(axis=0)
        if bad.any():
            raise InputError("the driving path is not finite", where=f"t = {times[np.argmax(bad)]:g}")


def described(drive: Any, driver: Driver | None) -> dict[str, Any]:
    """What drives a run, in JSON's types."""
    if driver is None:
        return {"kind": "none"}
    if isinstance(driver, WienerNoise):
        form = {"kind": "wiener", "resolution": driver.resolution, "components": driver.components}
        form |= {} if driver.kind == "normal" else {"increments": driver.kind}
        form |= {"extra": driver.extra} if driver.extra else {}
        return form | ({} if driver.covariance is None else {"covariance": [list(row) for row in driver.covariance]})
    if isinstance(drive, (str, int, float)) or (isinstance(drive, (list, tuple)) and _texts(drive)):
        return {"kind": "expression", "W": list(drive) if isinstance(drive, (list, tuple)) else drive}
    return {"kind": "driving path", "components": driver.components}


def _texts(items: Sequence[Any]) -> bool:
    return bool(items) and all(isinstance(x, str) for x in items)

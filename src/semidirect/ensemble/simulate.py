"""Running paths of a system."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np

from semidirect.ensemble.record import Record
from semidirect.ensemble.run import Run
from semidirect.ensemble.schedule import kept_steps, steps_of
from semidirect.ensemble.state import InitialState, initial_state
from semidirect.errors import InputError, MethodError
from semidirect.integrators.dop853 import DOP853
from semidirect.integrators.integrator import Integrator
from semidirect.integrators.registry import integrator
from semidirect.kernels.model import Model
from semidirect.noise.driving_path import DrivingPath, ExpressionPath
from semidirect.noise.wiener import WienerNoise

if TYPE_CHECKING:
    from semidirect.system import System

PATHS_AT_ONCE = 1024
STEPS_AT_ONCE = 32
Driver = WienerNoise | DrivingPath


def simulate(
    system: System,
    *,
    t_end: float,
    dt: float,
    paths: int | None = None,
    seed: int = 0,
    method: str | Integrator | None = None,
    state: Mapping[str, Any] | None = None,
    save: str | Sequence[float] = "all",
    drive: Any = None,
    noise_dt: float | None = None,
    keep: Sequence[str] | None = None,
    threads: int | None = None,
    form: str | None = None,
    variables: str = "momentum",
    validate: bool = True,
) -> Run:
    """Run an ensemble of paths.

    A path is a function of (system, parameters, method, dt, noise resolution, seed, path index), bit for bit, whatever the
    number of paths and threads.

    Parameters
    ----------
    t_end, dt : float
        Horizon and step [s]; ``t_end`` is a multiple of ``dt``.
    paths : int, optional
        Number of paths; default that of per-path states or parameters, else 1.
    seed : int
        Seed of the noise.
    method : str or Integrator, optional
        ``heun``, ``euler-heun``, ``sdelab(alpha)``, ``implicit-midpoint``, ``euler-maruyama``, ``lie-heun``, ``lie-midpoint``,
        ``dop853``. Default: the system's, else ``implicit-midpoint`` in A form and ``lie-heun`` elsewhere.
    state : dict, optional
        Initial state, see :func:`~semidirect.ensemble.state.initial_state`; a ``run.final`` goes on from there.
    save : str or sequence of float
        ``"all"``, ``"final"``, ``"every:K"``, ``"times:…"`` or times.
    drive : optional
        What replaces the noise: an expression W(t) as text (a list for several noises), an array of increments
        ``(steps, m)`` or ``(steps, m, paths)``, a :class:`~semidirect.noise.driving_path.DrivingPath`, or 0 for none.
    noise_dt : float, optional
        Resolution h₀ of the noise [s], ``dt`` times a power of two; default ``dt``. The same h₀ gives the same Brownian path
        at each ``dt``.
    keep : sequence of str, optional
        Names to keep; default everything.
    threads : int, optional
        Worker threads; default the number of cores.
    form, variables : str, optional
        Form of the constraint and state variables, where there is a choice.
    validate : bool
        Whether the initial state must be that of a configuration.

    Returns
    -------
    Run

    Raises
    ------
    InputError, MethodError
        For anything that cannot be used; before the first step.
    """
    steps = steps_of(t_end, dt)
    if not isinstance(seed, (int, np.integer)) or isinstance(seed, bool) or not 0 <= seed < 2**64:
        raise InputError("seed", expected="a whole number from 0 to 2**64 - 1", got=repr(seed))
    model = system.model(variables=variables, form=form)
    chosen = integrator(method or system.method or ("implicit-midpoint" if model.sde.form == "A" else "lie-heun"))
    start = initial_state(system, state, validate=validate)
    count = _path_count(system, start, paths)
    driver = _driver(model, chosen, drive, seed, dt, noise_dt, steps, count)
    record = Record.plan(system, model, kept_steps(save, steps, dt), dt, count, keep)
    config = _configuration(system, model, chosen, start, drive, driver, t_end=steps * dt, dt=dt, paths=count, seed=seed,
                            save=save, validate=validate)  # fmt: skip
    y = start.vector(_for_start(model, system, start), 0.0)
    chunks = [range(i, min(i + PATHS_AT_ONCE, count)) for i in range(0, count, PATHS_AT_ONCE)]
    workers = max(1, min(threads or os.cpu_count() or 1, len(chunks)))

    def work(chunk: range) -> None:
        part = model if system.paths is None else system_part(system, chunk).model(variables=variables, form=form)
        states = [_rows(x, chunk) for x in (y, start.stored)]
        if isinstance(chosen, DOP853):
            _solve(part, chosen, *states, driver, steps, dt, chunk, record, shared=system.paths is None and y.shape[1] == 1
                   and start.stored.shape[1] == 1)  # fmt: skip
        else:
            _advance(part, chosen, *states, driver, steps, dt, chunk, record)

    if workers == 1:
        for chunk in chunks:
            work(chunk)
    else:
        with ThreadPoolExecutor(workers) as pool:
            list(pool.map(work, chunks))
    return record.finished(config)


def _rows(rows: np.ndarray, chunk: range) -> np.ndarray:
    if rows.shape[1] == 1:
        return np.repeat(rows, len(chunk), axis=1)
    return np.ascontiguousarray(rows[:, chunk.start : chunk.stop])


def system_part(system: System, chunk: range) -> System:
    """The system with the per-path parameters of some paths."""
    from semidirect.parameters import PerPath

    return system._bound({
        k: PerPath(v.values[chunk.start : chunk.stop]) if isinstance(v, PerPath) else v for k, v in system.values.items()
    })  # fmt: skip


def _for_start(model: Model, system: System, start: InitialState) -> Model:
    if system.paths is not None and start.paths not in (1, system.paths):
        raise InputError("states and parameters have different numbers of paths", got=f"{start.paths}, {system.paths}")
    return model


def _path_count(system: System, start: InitialState, paths: int | None) -> int:
    known = {n for n in (system.paths, start.paths if start.paths > 1 else None) if n is not None}
    if len(known) > 1:
        raise InputError("states and parameters have different numbers of paths", got=", ".join(map(str, sorted(known))))
    if paths is None:
        return next(iter(known), 1)
    if isinstance(paths, bool) or not isinstance(paths, (int, np.integer)) or paths < 1:
        raise InputError("paths", expected="a whole number, at least 1", got=repr(paths))
    if known and known != {int(paths)}:
        raise InputError("paths", expected=f"{next(iter(known))}, as many as per-path values", got=str(paths))
    return int(paths)


def _driver(model: Model, method: Integrator, drive: Any, seed: int, dt: float, noise_dt: float | None, steps: int,
            paths: int) -> Driver | None:  # fmt: skip
    """What gives the increments; ``None`` where there is nothing to drive."""
    m = model.wieners
    if drive is None:
        if m == 0:
            return None
        if isinstance(method, DOP853):
            raise MethodError(
                "dop853 cannot follow a Wiener process", hint="Give a smooth driving path, drive='sin(t)', or none, drive=0."
            )
        noise = WienerNoise(int(seed), m, dt if noise_dt is None else noise_dt)
        noise.doublings(dt)
        return noise
    if noise_dt is not None:
        raise InputError("noise_dt", hint="A driving path replaces the noise, so there is no resolution to choose.")
    if isinstance(drive, (int, float)) and drive == 0:
        return DrivingPath.from_expression(["0"] * m) if m else None
    path = drive
    if isinstance(drive, np.ndarray) or (isinstance(drive, (list, tuple)) and not _texts(drive)):
        path = DrivingPath.from_increments(drive, dt)
        if len(np.asarray(drive)) < steps:
            raise InputError("the driving path", expected=f"increments of {steps} steps", got=f"{len(drive)} of them")
        if np.ndim(drive) == 3 and np.shape(drive)[2] != paths:
            raise InputError("the driving path", expected=f"increments of {paths} paths", got=f"{np.shape(drive)[2]}")
    elif not isinstance(drive, DrivingPath):
        path = DrivingPath.from_expression(drive)
    if path.components != m:
        raise InputError("the driving path", expected=f"{m} component{'s' * (m != 1)}, one a noise", got=str(path.components))
    if method.calculus == "ito":
        raise MethodError(
            f"{method.label} steps the Itô form, which needs increments of a Wiener process", got="a driving path",
            hint="Use a Stratonovich method such as heun or lie-heun: they follow a smooth path as it is.",
        )  # fmt: skip
    if isinstance(method, DOP853) and not path.smooth:
        raise MethodError("dop853 needs a smooth driving path", got="increments", hint="Give W(t) as an expression.")
    return path  # type: ignore[no-any-return]


def _texts(items: Sequence[Any]) -> bool:
    return bool(items) and all(isinstance(x, str) for x in items)


def _advance(model: Model, method: Integrator, y: np.ndarray, stored: np.ndarray, driver: Driver | None, steps: int,
             dt: float, chunk: range, record: Record) -> None:  # fmt: skip
    retraction = method.retraction(model)
    record.save(model, chunk, 0, y, stored)
    nothing = np.zeros((model.wieners, len(chunk)))
    for first in range(0, steps, STEPS_AT_ONCE):
        block = None
        if driver is not None:
            block = driver.block(chunk, first, min(STEPS_AT_ONCE, steps - first), dt)
        for i in range(min(STEPS_AT_ONCE, steps - first)):
            n = first + i
            dW = nothing if block is None else block[i]
            with np.errstate(all="ignore"):
                step = method.step(model, y, n * dt, dt, dW)
                y, stored = step.y, model.reconstruct(stored, step.v, retraction)
            record.watch(chunk, n + 1, y, stored, step.converged)
            record.save(model, chunk, n + 1, y, stored)


def _solve(model: Model, method: DOP853, y: np.ndarray, stored: np.ndarray, driver: Driver | None, steps: int, dt: float,
           chunk: range, record: Record, *, shared: bool) -> None:  # fmt: skip
    drive = driver if isinstance(driver, ExpressionPath) else None
    times = np.unique([0, *record.steps]) * dt
    count = 1 if shared else len(chunk)
    ys, ss = np.empty((len(times), len(y), count)), np.empty((len(times), len(stored), count))
    for p in range(count):
        one = model if shared else _one_path(model, p)
        ys[:, :, p], ss[:, :, p], _ = method.solve(one, y[:, p], stored[:, p], times, drive)
    ys, ss = (np.repeat(x, len(chunk) // count, axis=2) for x in (ys, ss))
    for i, n in enumerate(np.unique([0, *record.steps])):
        record.watch(chunk, int(n), ys[i], ss[i], None)
        record.save(model, chunk, int(n), ys[i], ss[i])


def _one_path(model: Model, p: int) -> Model:
    if model.system.paths is None:
        return model
    return Model(system_part(model.system, range(p, p + 1)), model.sde).scalar()


def _configuration(system: System, model: Model, method: Integrator, start: InitialState, drive: Any,
                   driver: Driver | None, **chosen: Any) -> dict[str, Any]:  # fmt: skip
    """The resolved configuration, in JSON's types."""
    import semidirect
    from semidirect.parameters import PerPath

    kind = type(system)
    save = chosen.pop("save")
    return {
        "semidirect": semidirect.__version__,
        "numpy": np.__version__,
        "system": f"{kind.__module__}:{kind.__qualname__}",
        "parameters": {k: "per path" if isinstance(v, PerPath) else v.tolist() for k, v in system.values.items()},
        "options": dict(system.choices),
        "principle": model.sde.principle,
        "form": model.sde.form,
        "variables": [v.name for v in model.sde.variables],
        "method": method.label,
        "state": dict(start.named),
        "noise": _described(drive, driver),
        "save": save if isinstance(save, str) else [float(t) for t in save],
        **{k: v.item() if isinstance(v, np.generic) else v for k, v in chosen.items()},
    }


def _described(drive: Any, driver: Driver | None) -> dict[str, Any]:
    if driver is None:
        return {"kind": "none"}
    if isinstance(driver, WienerNoise):
        return {"kind": "wiener", "resolution": driver.resolution, "components": driver.components}
    if isinstance(drive, (str, int, float)) or (isinstance(drive, (list, tuple)) and _texts(drive)):
        return {"kind": "expression", "W": list(drive) if isinstance(drive, (list, tuple)) else drive}
    return {"kind": "driving path", "components": driver.components}




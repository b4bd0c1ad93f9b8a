"""Running paths of a system."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np

from semidirect.ensemble.compiled_march import CompiledMarch
from semidirect.ensemble.driver import choose, described
from semidirect.ensemble.march import March
from semidirect.ensemble.record import Record
from semidirect.ensemble.run import Run
from semidirect.ensemble.schedule import kept_steps, steps_of
from semidirect.ensemble.state import InitialState, initial_state
from semidirect.errors import InputError, MethodError, UnknownNameError
from semidirect.integrators.dop853 import DOP853
from semidirect.integrators.integrator import Integrator
from semidirect.integrators.registry import integrator
from semidirect.kernels.model import Model
from semidirect.parameters import PerPath

if TYPE_CHECKING:
    from semidirect.system import System

PATHS_AT_ONCE = 8192
WORTH_COMPILING = 4.0
"""Seconds of array code for which a kernel, which takes some seconds to compile the first time, is worth it."""


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
    engine: str = "auto",
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
    engine : {"auto", "numpy", "compiled"}
        What steps: array code, a compiled kernel, or whichever is expected to be sooner. The bits are the same.
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
    if threads is not None and not (isinstance(threads, (int, np.integer)) and threads >= 1):
        raise InputError("threads", expected="a whole number, at least 1", got=repr(threads))
    model = system.model(variables=variables, form=form)
    usual = system.method or ("implicit-midpoint" if model.sde.form == "A" else "lie-heun")
    chosen = integrator(usual if method is None else method)
    start = initial_state(system, state, validate=validate)
    count = _path_count(system, start, paths)
    driver = choose(model, chosen, drive, seed, dt, noise_dt, steps, count)
    record = Record.plan(system, model, kept_steps(save, steps, dt), dt, count, keep)
    march = March(chosen, driver, steps, dt, record)
    runner = _runner(engine, march, count)
    y = start.vector(model, 0.0)
    chunks = [range(i, min(i + PATHS_AT_ONCE, count)) for i in range(0, count, PATHS_AT_ONCE)]
    workers = max(1, min(threads or os.cpu_count() or 1, len(chunks)))

    def work(chunk: range) -> None:
        runner.run(model.of_paths(chunk), y, start.stored, chunk)

    if workers == 1:
        for chunk in chunks:
            work(chunk)
    else:
        with ThreadPoolExecutor(workers) as pool:
            try:
                list(pool.map(work, chunks))
            except BaseException:  # one part failed, or the user interrupts: the others need not go on
                march.stopped.set()
                raise
    asked = {"t_end": steps * dt, "dt": dt, "paths": count, "seed": seed, "validate": validate}
    config = _configuration(system, model, chosen, start, asked)
    config |= {"noise": described(drive, driver), "save": save if isinstance(save, str) else [float(t) for t in save]}
    return record.finished(config)


ENGINES = ("auto", "numpy", "compiled")


def _runner(engine: str, march: March, paths: int) -> March | CompiledMarch:
    if engine not in ENGINES:
        raise UnknownNameError("engine", engine, ENGINES)
    if isinstance(march.method, DOP853):
        if engine == "compiled":
            raise MethodError("dop853 is not compiled", hint="Leave the engine at auto.")
        return march
    seconds = march.steps * (7e-4 + 3e-6 * paths)  # of array code: what a step costs, and what a path adds
    return CompiledMarch(march) if engine == "compiled" or (engine == "auto" and seconds > WORTH_COMPILING) else march


def _path_count(system: System, start: InitialState, paths: int | None) -> int:
    known = {n for n in (system.paths, start.paths if start.paths > 1 else None) if n is not None}
    if len(known) > 1:
        raise InputError(
            "states and parameters have different numbers of paths", got=", ".join(map(str, sorted(known)))
        )
    if paths is None:
        return next(iter(known), 1)
    if isinstance(paths, bool) or not isinstance(paths, (int, np.integer)) or paths < 1:
        raise InputError("paths", expected="a whole number, at least 1", got=repr(paths))
    if known and known != {int(paths)}:
        raise InputError("paths", expected=f"{next(iter(known))}, as many as per-path values", got=str(paths))
    return int(paths)


def _configuration(
    system: System, model: Model, method: Integrator, start: InitialState, asked: Mapping[str, Any]
) -> dict[str, Any]:
    """The resolved configuration, in JSON's types."""
    import semidirect

    kind = type(system)
    return {
        "semidirect": semidirect.__version__,
        "numpy": np.__version__,
        "system": f"{kind.__module__}:{kind.__qualname__}",
        "parameters": {k: "per path" if isinstance(v, PerPath) else v.tolist() for k, v in system.values.items()},
        "options": dict(system.choices),
        "principle": model.sde.principle,
        "form": model.sde.form,
        "variables": [v.name for v in model.sde.variables],
        "observables": list(system.observables()),
        "method": method.label,
        "state": dict(start.named),
        **{k: v.item() if isinstance(v, np.generic) else v for k, v in asked.items()},
    }

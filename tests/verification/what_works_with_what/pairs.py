# ruff: noqa: E501
"""The second table: features of runs with each other, and what takes a run or makes runs with each of them."""

from __future__ import annotations

import inspect
import pickle
import tempfile
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import semidirect as sd
from semidirect.analysis.comparison import compare
from semidirect.analysis.convergence_study import convergence
from semidirect.core.errors import InputError
from what_works_with_what.feature import (
    AT_A_URL,
    DT,
    FEATURES,
    KIND,
    NAMES,
    PATHS,
    START,
    T_END,
    Feature,
    identical_values,
    merged,
    plain,
    ran,
)
from what_works_with_what.kinds import kind_of
from what_works_with_what.outputs import scene_of
from what_works_with_what.runs import ROUNDING, close, identical

ENDS = ("stop at a step", "stop, located", "stop at a crossing", "bounds and failed paths")
"""Features by which paths end early."""


def restarted_where_some_end(ending: Feature) -> str:
    """Paths that have ended cannot be continued; by the hint of that error, without them, the others have the bits of the whole run."""
    increments = np.random.default_rng(5).standard_normal((16, 1, PATHS)) / 8
    given = merged([ending])
    half = plain({**given, "t_end": T_END / 2, "driver": increments[:8]})
    rest = {k: v for k, v in given.items() if k != "paths"} | {"driver": increments[8:]}
    going = half.status == 0
    assert 0 < going.sum() < PATHS, "some paths end, and some do not"
    with pytest.raises(InputError, match="cannot be continued"):
        plain({**rest, "state": half.final})
    whole, found = plain({**given, "driver": increments}), []
    state = {name: values[going] for name, values in half.final.items()}
    for engine in ("numpy", "compiled"):
        how = {**rest, "state": state, "t_start": T_END / 2, "driver": increments[8:, :, going]}
        how["checks"] = {**rest.get("checks", {}), "validate": False}  # the method leaves the orbit by its error
        found.append(plain({**how, "execution": {"engine": engine, "threads": 1}}))
        for name in NAMES:
            a, b = np.asarray(found[-1][name]), np.asarray(whole[name])[going][:, -len(found[-1].times) :]
            close(a, b, ROUNDING, f"{name} of the paths that had not ended")
    identical(found[0], found[1], NAMES, "engines")
    return "the whole run on the paths that have not ended; both engines"


def together(one: Feature, two: Feature) -> str:
    """Each of two features does in presence of the other what it does alone; engines agree."""
    if "restart" in (one.name, two.name) and (ending := [f for f in (one, two) if f.name in ENDS]):
        return restarted_where_some_end(ending[0])
    both = ran([one, two])
    how = []
    for mine, other in ((one, two), (two, one)):
        base = ran([other])
        if mine.keeps:
            identical_values(base, both)
            how.append(f"bits of the run without {mine.name}")
        mine.verify(base, both)
    if "compiled kernels" not in (one.name, two.name):
        compiled = ran([one, two, FEATURES[0]])
        identical_values(both, compiled)
        for key, found in both.reductions.items():
            for name, (_, table) in found.tables().items():
                other = compiled.reductions[key].tables()[name][1]
                assert np.array_equal(table, other, equal_nan=np.asarray(table).dtype.kind == "f"), f"engines: {name}"
        how.append("both engines")
    return "; ".join(how)


def plotted(made: Any) -> str:
    """Every picture of a run; the drawn curve is of the run."""
    import matplotlib.pyplot as plt

    if len(made.times) > 1:
        ax = made.plot("Omega2")
        drawn = np.concatenate([np.asarray(line.get_ydata(), dtype=float) for line in ax.get_lines()])
        values = np.asarray(made["Omega2"])
        if np.isfinite(values).any():
            assert np.isin(
                np.round(drawn[np.isfinite(drawn)], 9), np.round(np.r_[values.ravel(), np.nanmean(values, axis=0)], 9)
            ).any()
        ax.figure.canvas.draw()
    for draw in (lambda: made.plot.sphere("Gamma"), lambda: made.plot.phase("Omega1", "Omega2"), lambda: made.plot.histogram("Omega2"),
                 lambda: made.plot.quantiles("Omega2")):  # fmt: skip
        draw().figure.canvas.draw()
    plt.close("all")
    return "drawn values are those of the run"


def viewed(made: Any) -> str:
    """Poses of the page are those of the run wherever these are finite."""
    import base64

    scene = scene_of(made)
    count = len(scene["labels"])
    q = np.frombuffer(base64.b64decode(scene["quaternion"]), "<f4").reshape(count, -1, 4)
    from scipy.spatial.transform import Rotation

    theirs = np.asarray(made["g"]).reshape(made.paths, len(made.times), 3, 3)
    for p in range(count):
        good = np.isfinite(theirs[p]).all(axis=(1, 2))[: len(q[p])]
        if good.any():
            close(Rotation.from_quat(q[p][good]).as_matrix(), theirs[p][: len(good)][good], 1e-5, "the pose")
    assert "NaN" not in made.view().html.split("<script")[1][:100]
    return "poses of the page are those of the run"


def as_data_set(made: Any) -> str:
    """A file and back, and a table."""
    import xarray

    with tempfile.TemporaryDirectory() as folder:
        made.to_xarray().to_netcdf(Path(folder) / "a.nc")
        with xarray.open_dataset(Path(folder) / "a.nc") as found:
            for name in NAMES:
                if name in made.data:
                    close(found[name].values, made[name], 0, name)
    assert len(made.to_pandas()) == made.paths * len(made.times)
    return "a netCDF file, read again; a table"


def pickled(made: Any) -> str:
    identical_values(made, pickle.loads(pickle.dumps(made)))
    return "bits"


def saved(made: Any) -> str:
    """Saved from memory and read."""
    with tempfile.TemporaryDirectory() as folder:
        made.save(Path(folder) / "a.zarr")
        found = sd.Run.load(Path(folder) / "a.zarr")
        identical_values(made, found)
        close(found.stopped.time, made.stopped.time, 0, "stops")
        assert str(found.failures()) == str(made.failures())
    return "bits"


def monitored(made: Any) -> str:
    str(made.monitor(kind_of(KIND).made.system if not made.data.known_system else None))
    return "runs"


def observed(made: Any) -> str:
    """Synthetic data without noise are the values."""
    found = sd.Observation("Omega", noise=1e-12).of(made, seed=1)
    close(np.squeeze(np.asarray(found)), np.squeeze(np.asarray(made["Omega"])), 1e-9, "data")
    return "values of the run"


def animated(made: Any) -> str:
    from PIL import Image

    with tempfile.TemporaryDirectory() as folder:
        made.view(frames=3).animate(Path(folder) / "a.gif", fps=2)
        assert Image.open(Path(folder) / "a.gif").n_frames > 1
    return "frames of the file"


CONSUMERS: dict[str, Callable[[Any], str]] = {
    "plot": plotted, "view": viewed, "animate": animated, "data set": as_data_set, "pickle": pickled, "saved afterwards": saved,
    "monitor": monitored, "observation of the run": observed,
}  # fmt: skip


def consumed(name: str, feature: Feature) -> str:
    """What takes a run, with a run that has a feature."""
    made = ran([feature])
    return CONSUMERS[name](made)


def _asked(feature: Feature) -> tuple[Any, dict[str, Any]]:
    """The system and arguments with which a program is called for a feature."""
    from what_works_with_what.feature import PARTS

    given = {k: v for k, v in feature.asked.items() if k != "system"}
    for key, kind in PARTS.items():
        if key in given:
            given[key] = kind(**given[key])
    if feature.name in ("stored", "stored and resumed", "extended"):
        given["save"] = sd.Save(store="run.zarr")
    if feature.name == AT_A_URL:
        given["save"] = sd.Save(store="memory://run.zarr")
    system = kind_of(KIND).made.system.replace(**feature.asked.get("system", {}))
    state = {**START, **given.pop("state", {})}
    if feature.name == "restart":
        given["t_start"] = 4 * DT
    return system, {"state": state, **given}


def _stepper(system: Any, **how: Any) -> np.ndarray:
    how.setdefault("t_start", 0.0)
    found = system.ensemble(dt=DT, paths=PATHS, seed=1, method="heun", **how).advance(t=T_END).read("Omega")["Omega"]
    whole = system.simulate(dt=DT, t_end=T_END, paths=PATHS, seed=1, method="heun", **how)["Omega"][:, -1]
    assert np.array_equal(found, whole), "differs from the run"
    return np.asarray(found)


def _lyapunov(system: Any, **how: Any) -> np.ndarray:
    how = {"t_end": T_END + how.get("t_start", 0.0), **how}
    found = sd.lyapunov(system, dt=DT, paths=PATHS, seed=1, every=2, batches=2, burn_in=0.0, method="heun", **how)
    return np.asarray(found.exponents.sum())


def _multilevel(system: Any, **how: Any) -> np.ndarray:
    return np.asarray(
        sd.multilevel(system, "Omega2", dt=DT, t_end=T_END, rmse=0.02, seed=1, method="heun", **how).estimate
    )


def _filter(update: str, system: Any, **how: Any) -> np.ndarray:
    import xarray

    t = np.arange(1, 4) * 4 * DT + how.get("t_start", 0.0)
    data = xarray.DataArray([[0.95], [0.9], [0.85]], {"time": t}, ["time", "component"])
    found = sd.filter(
        system,
        sd.Observation("Omega2", noise=0.05),
        data,
        dt=DT,
        particles=32,
        seed=1,
        method="heun",
        update=update,
        **how,
    )
    return np.asarray(found.log_likelihood)


def _fit(system: Any, **how: Any) -> np.ndarray:
    import xarray

    t = np.arange(1, 4) * 4 * DT + how.get("t_start", 0.0)
    data = xarray.DataArray([[0.95], [0.9], [0.85]], {"time": t}, ["time", "component"])
    found = sd.fit(system, sd.Observation("Omega2", noise=0.05), data, ["weight"], dt=DT, method="heun", update="extended-kalman",
                   replicates=1, particles=PATHS, **how)  # fmt: skip
    return np.asarray(found.estimate)


def _convergence(system: Any, **how: Any) -> np.ndarray:
    found = convergence(
        system, "heun", dt=4 * DT, t_end=T_END + how.get("t_start", 0.0), levels=5, paths=PATHS, seed=1, **how
    )
    return np.asarray(found.good)


def _compare(system: Any, **how: Any) -> np.ndarray:
    found = compare(system, ["heun", "lie-heun"], dt=2 * DT, t_end=T_END + how.get("t_start", 0.0), levels=2, paths=PATHS, seed=1,
                    timed=False, observables=[], **how)  # fmt: skip
    return np.asarray([p.errors["state"] for p in found.points])


PROGRAMS: dict[str, Callable[..., np.ndarray]] = {
    "stepper": _stepper, "Lyapunov exponents": _lyapunov, "multilevel": _multilevel,
    "particle filter": partial(_filter, "particles"), "ensemble Kalman filter": partial(_filter, "ensemble-kalman"),
    "extended Kalman filter": partial(_filter, "extended-kalman"), "fit": _fit, "convergence": _convergence, "compare": _compare,
}  # fmt: skip


def programmed(name: str, feature: Feature) -> str:
    """What makes runs, with a feature: the other engine, and the system with its axes permuted."""
    system, how = _asked(feature)
    call = PROGRAMS[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = call(system, **how)
        engine = how.get("execution", sd.Execution(engine="numpy")).engine
        other = sd.Execution(engine="compiled" if engine == "numpy" else "numpy", threads=2)
        again = call(system, **{**how, "execution": other})
    assert np.isfinite(found).all() or name == "convergence"
    close(found, again, 0, "the other engine")
    return "the other engine"


def cells() -> Iterator[tuple[str, str, Callable[[], str]]]:
    """Row, column and check of each cell."""
    for i, one in enumerate(FEATURES):
        for two in FEATURES[i + 1 :]:
            yield one.name, two.name, partial(together, one, two)
    for feature in FEATURES:
        for name in CONSUMERS:
            yield feature.name, name, partial(consumed, name, feature)
        for name in PROGRAMS:
            yield feature.name, name, partial(programmed, name, feature)


__all__ = ["ROUNDING", "identical", "inspect"]

# ruff: noqa: E501
"""Features of runs of one system, and how two of them are asked for together."""

from __future__ import annotations

import tempfile
import uuid
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, final

import numpy as np

import semidirect as sd
from what_works_with_what.kinds import kind_of, per_path
from what_works_with_what.runs import DT, PATHS, ROUNDING, T_END, apart, close, identical

KIND = "no constraint, transport noise"
NAMES = ("Omega", "Gamma", "energy")
PARTS = {"save": sd.Save, "execution": sd.Execution, "formulation": sd.Formulation, "checks": sd.Checks}
START = {"Omega": (0.4, 1.0, -0.7), "Gamma": (0.6, 0.0, 0.8)}
LEVEL = 0.965
"""Of Ω₂, which falls from 1 and reaches it on some paths."""

Arguments = dict[str, Any]
Go = Callable[[Arguments], Any]


@final
@dataclass(frozen=True, eq=False)
class Feature:
    """A feature of a run.

    Attributes
    ----------
    name : str
    asked : mapping
        Arguments; those that are objects, such as ``save``, are mappings of their fields.
    keeps : bool
        Whether values are identical to those of a run without it.
    verify : callable(base, both)
        Asserts what the feature does, from a run without it and a run with it.
    go : callable(arguments, inner)
        How the run is made, if not by one call.
    """

    name: str
    asked: Mapping[str, Any] = field(default_factory=dict)
    keeps: bool = False
    verify: Callable[[Any, Any], None] = lambda base, both: None
    go: Callable[[Arguments, Go], Any] | None = None


def merged(features: Sequence[Feature]) -> Arguments:
    """The arguments of several features."""
    out: Arguments = {"t_end": T_END, "dt": DT, "paths": PATHS, "seed": 1, "state": dict(START), "method": "heun",
                      "execution": {"engine": "numpy", "threads": 1}, "system": {}}  # fmt: skip
    for one in features:
        for key, v in one.asked.items():
            if isinstance(v, Mapping) and key not in ("save_at",):
                out[key] = {**out.get(key, {}), **v}
            elif key == "stop":
                out[key] = [*out.get(key, []), v]
            else:
                out[key] = v
    return out


def plain(arguments: Arguments) -> Any:
    """One call."""
    given = dict(arguments)
    system = kind_of(KIND).made.system.replace(**given.pop("system"))
    for name, kind in PARTS.items():
        if name in given:
            given[name] = kind(**given[name])
    return system.simulate(**given)


def ran(features: Sequence[Feature]) -> Any:
    """The run with these features."""

    def go(arguments: Arguments, left: Sequence[Feature]) -> Any:
        if not left:
            return plain(arguments)
        ask = left[0].go
        assert ask is not None
        return ask(arguments, lambda changed: go(changed, left[1:]))

    return go(merged(features), chain(features))


def chain(features: Sequence[Feature]) -> list[Feature]:
    """The features that make the run in another way, the outermost first; of those with a store the last has it."""
    found = sorted((f for f in features if f.go), key=lambda f: ORDER.index(f.name))
    stores = [f for f in found if f.name != "restart"]
    if stores and stores[-1].name == AT_A_URL:  # the others have their store there
        first = stores[0]
        assert first.go is not None
        found = [replace(f, go=partial(_by_url, first.go)) if f is first else f for f in found]
    return [f for f in found if f not in stores[1:]]


AT_A_URL = "stored at a URL"
ORDER = ("restart", "extended", "stored and resumed", "stored", AT_A_URL)


BY_URL: ContextVar[bool] = ContextVar("BY_URL", default=False)
"""Whether stores are at URLs."""
FOLDERS: list[tempfile.TemporaryDirectory[str]] = []


def _place() -> Path | str:
    """A place for a store, which stays until the next few are made: runs read what they need when they need it."""
    if BY_URL.get():
        return f"memory://{uuid.uuid4().hex}/run.zarr"
    FOLDERS.append(tempfile.TemporaryDirectory())
    del FOLDERS[:-6]
    return Path(FOLDERS[-1].name) / "run.zarr"


def _by_url(go: Callable[[Arguments, Go], Any], arguments: Arguments, inner: Go) -> Any:
    before = BY_URL.set(True)
    try:
        return go(arguments, inner)
    finally:
        BY_URL.reset(before)


def _half(arguments: Arguments, t_end: float) -> Arguments:
    return {**arguments, "t_end": t_end}


def _restart(arguments: Arguments, inner: Go) -> Any:
    first = {k: v for k, v in arguments.items() if k != "reduce"}
    if isinstance(first.get("driver"), np.ndarray):
        first["driver"] = first["driver"][:8]
    half = plain({**_half(first, T_END / 2), "save": {"times": "final"}})
    rest = {**arguments, "state": half.final}
    if isinstance(rest.get("driver"), np.ndarray):  # increments are those of the steps of a run
        rest["driver"] = rest["driver"][8:]
    rest.pop("paths")
    rest.pop("seed")
    return inner(rest)


def _stored(arguments: Arguments, inner: Go) -> Any:
    place = _place()
    made = inner({**arguments, "save": {**arguments.get("save", {}), "store": place}})
    return sd.Run(replace(_whole(sd.Run.load(place)).data, error_check=made.data.error_check))


def _resumed(arguments: Arguments, inner: Go) -> Any:
    place = _place()
    for resume in (False, True):
        found = inner({**arguments, "save": {**arguments.get("save", {}), "store": place, "resume": resume}})
    return _whole(found)


def _extended(arguments: Arguments, inner: Go) -> Any:
    place = _place()
    inner({**_half(arguments, 3 * T_END / 4), "save": {**arguments.get("save", {}), "store": place}})
    return _whole(sd.extend(place, t_end=T_END))


def _whole(made: Any) -> Any:
    """Read what is read at first use, before the folder is removed."""
    dict(made.data), dict(made.reductions), made.crossings
    return made


def _of_second_half(base: Any, both: Any) -> None:
    if len(both.times) == len(base.times):
        return
    for name in NAMES:
        if name in both.data:
            a, b = both[name], np.asarray(base[name])[:, -len(both.times) :]
            assert np.array_equal(a, b, equal_nan=True), f"{name} differs from the whole run by {apart(a, b):.2g}"


def _stops(base: Any, both: Any) -> None:
    t = both.stopped.time
    assert np.isfinite(t).any() or not base.good.all(), "no path stops"
    alone = not np.isfinite(base.stopped.time).any()
    for p in range(both.paths):
        before = both.times < (t[p] - 1e-12 if np.isfinite(t[p]) else np.inf)
        a, b = both["Omega"][p][before], base["Omega"][p][-len(both.times) :][before]
        assert not alone or np.array_equal(a, b, equal_nan=True), "values before the stop"
        after = both["Omega"][p][~before]
        assert (after == after[:1]).all() or np.isnan(after).all(), "values after the stop"
    good = np.isfinite(t) & np.isfinite(both["Omega2"][:, -1])
    assert (both["Omega2"][good, -1] <= LEVEL + 1e-8).all(), "stopped above the level"


def _crosses(base: Any, both: Any) -> None:
    x = both["Omega2"]
    changes = (np.abs(np.diff(np.sign(x - LEVEL), axis=1)) > 0).sum(axis=1)
    ended = np.isfinite(both.stopped.time) | ~both.good
    close(both.crossings[0].count[~ended], changes[~ended], 0, "changes of sign")


def _reduces(base: Any, both: Any) -> None:
    x = np.asarray(both["Omega2"])
    found = both.reductions
    good = np.isfinite(x)
    close(
        found["moments"].mean["Omega2"],
        np.where(good, x, 0).sum(axis=0) / np.maximum(good.sum(axis=0), 1),
        ROUNDING,
        "mean",
    )
    close(found["extremes"].largest["Omega2"], np.nanmax(x, axis=0), 0, "largest")
    close(found["covariance"].matrix[-1].ravel()[0], np.var(x[good[:, -1], -1], ddof=1), ROUNDING, "covariance")


def _masks(base: Any, both: Any) -> None:
    x = np.asarray(both["Omega3"])
    failed = np.isnan(x)
    assert not failed.all(), "everything fails"
    assert failed.any() or np.isfinite(both.stopped.time).any(), "nothing fails"
    b = np.asarray(base["Omega3"])[:, -x.shape[1] :]
    assert np.array_equal(x[~failed], b[~failed]), "values before the failure"
    stopped = np.isfinite(base.stopped.time) | np.isfinite(both.stopped.time)
    assert (np.abs(b[~failed & ~stopped[:, None]]) <= BOUND).all()


BOUND = 0.715


def _near(base: Any, both: Any) -> None:
    for name in NAMES:
        if name in both.data and name in base.data:
            close(both[name][:, -1], base[name][:, -1], 0.02, f"{name} in velocities")


def _has_slopes(base: Any, both: Any) -> None:
    found = both.sensitivity("Omega", "weight").values
    assert found.shape[:2] == both["Omega"].shape[:2]
    assert np.isfinite(found[np.isfinite(both["Omega"]).all(axis=-1)]).all()


def _per_path(base: Any, both: Any) -> None:
    """Path 0 has the values of all paths without it."""
    for name in NAMES:
        a, b = np.asarray(both[name])[0], np.asarray(base[name])[0]
        assert np.array_equal(a, b[-len(a) :], equal_nan=True), f"{name} of path 0"


def _has_replications(base: Any, both: Any) -> None:
    """Errors of statistics are those between replications; further paths and chunks have the same points."""
    assert both.config["noise"].get("replications") == 2 or both.config["noise"].get("kind") != "sobol"
    for found in both.reductions.values():
        assert len(found.replications) == (found.freedom or -1) + 1
    if "moments" in both.reductions and both.good.all():
        x = np.asarray(both["Omega2"])
        between = np.abs(x[::2].mean(axis=0) - x[1::2].mean(axis=0)) / 2
        found = both.reductions["moments"]
        if found.freedom:
            close(found.standard_error["Omega2"], between, ROUNDING, "error")


def _checked(base: Any, both: Any) -> None:
    """The page of a store says that the check is a part of the call, so an extended run has none."""
    assert both.error_check is not None or both.data.source is not None


STATISTICS = (sd.Moments(["Omega2"]), sd.Extremes(["Omega2"]), sd.Covariance(["Omega2", "energy"]),
              sd.Histogram("Omega2", 0, 2, bins=4), sd.FirstPassage("Omega2", 0.95, "down"), sd.TimeAverage(["Omega2"], batches=4))  # fmt: skip

FEATURES: tuple[Feature, ...] = (
    Feature("compiled kernels", {"execution": {"engine": "compiled"}}, keeps=True),
    Feature("two threads", {"execution": {"threads": 2}}, keeps=True),
    Feature("stop at a step", {"stop": sd.Stop("Omega2", below=LEVEL)}, verify=_stops),
    Feature("stop, located", {"stop": sd.Stop("Omega2", below=LEVEL, locate=True)}, verify=_stops),
    Feature("stop at a crossing", {"stop": sd.Crossing("Omega2", LEVEL, "falling")}, verify=_stops),
    Feature("crossings recorded", {"save": {"crossings": sd.Crossing("Omega2", LEVEL)}}, keeps=True, verify=_crosses),
    Feature("statistics", {"reduce": STATISTICS}, keeps=True, verify=_reduces),
    Feature("stored", keeps=True, go=_stored),
    Feature("stored and resumed", keeps=True, go=_resumed),
    Feature(AT_A_URL, keeps=True, go=_stored),
    Feature("extended", keeps=True, go=_extended),
    Feature("restart", go=_restart, verify=_of_second_half),
    Feature("driver with covariance", {"driver": sd.Wiener(covariance=[[2.0]])}),
    Feature("one noise for all paths", {"driver": sd.Wiener(path=2)}),
    Feature("driver: three-point increments", {"driver": sd.Wiener(increment_law="three-point")}),
    Feature("driver with a resolution", {"driver": sd.Wiener(resolution=DT / 2)}),
    Feature("driver: Sobol points", {"driver": sd.noise.Sobol(2)}, verify=_has_replications),
    Feature("driver: expression", {"driver": "sin(3*t)"}),
    Feature("driver: array of increments", {"driver": np.random.default_rng(5).standard_normal((16, 1, PATHS)) / 8}),
    Feature("parameter per path", {"system": {"inertia": per_path((1.0, 1.5, 2.0))}}, verify=_per_path),
    Feature("start per path", {"state": {"Omega": [[0.4, 1.0, -0.7], [0.5, 1.0, -0.7], [0.4, 1.1, -0.7], [0.4, 1.0, -0.6]]}}, verify=_per_path),
    Feature("bounds and failed paths", {"checks": {"bounds": {"Omega3": BOUND}, "on_failure": "mask"}}, verify=_masks),
    Feature("sensitivities", {"formulation": {"sensitivity": ("weight", "Omega1")}}, keeps=True, verify=_has_slopes),
    Feature("error check", {"checks": {"error_check": True}}, keeps=True, verify=_checked),
    Feature("without reconstruction", {"formulation": {"reconstruct": False}}, keeps=True),
    Feature("velocities as variables", {"formulation": {"variables": "velocity"}}, verify=_near),
)  # fmt: skip


def identical_values(base: Any, both: Any) -> None:
    """Every quantity that both runs have, to the last bit."""
    names = [n for n in NAMES if n in both.data and n in base.data]
    last = len(both.times)
    for name in names:
        a, b = np.asarray(both[name]), np.asarray(base[name])
        assert np.array_equal(a, b[:, -last:], equal_nan=True), f"{name} differs by {apart(a, b[:, -last:]):.2g}"


__all__ = ["identical"]

"""Drivers by name, and the driver for a value of ``driver=``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from semidirect.core import errors, registry
from semidirect.random.driver import Driver
from semidirect.random.drivers.expression import Expression
from semidirect.random.drivers.increments import GivenIncrements
from semidirect.random.drivers.path import GivenPath
from semidirect.random.drivers.sobol import Sobol
from semidirect.random.drivers.wiener import Wiener
from semidirect.random.driving_path import DrivingPath
from semidirect.random.driving_process import DrivingProcess

__all__ = ["DRIVERS", "driver_as_json", "driver_from_json", "driver_of", "has_one_noise", "replications_of"]

DRIVERS: registry.Registry[Driver] = registry.Registry(
    "driver",
    Driver,  # type: ignore[type-abstract]
    "semidirect.random.drivers",
    "semidirect.drivers",
)
"""All drivers: those of :mod:`semidirect.random.drivers`, and those that other packages declare as ``semidirect.drivers``."""


REPLICATIONS = "replications"
ONE_NOISE = "one_noise"
"""The entry that says that all paths share it; a Wiener process names its path instead."""


def driver_of(value: Any) -> Driver:
    """The driver for a value of ``driver=``.

    Parameters
    ----------
    value : Driver, DrivingPath, str, number, array, or a sequence; or None
        ``None`` for a Wiener process; an expression in t, or one for each noise; 0 for no noise; increments ``(steps, m)`` or
        ``(steps, m, paths)``; or the name of a driver, with its argument in parentheses.

    Raises
    ------
    InputError
        If there is no driver for it.
    """
    if value is None:
        return Wiener()
    if isinstance(value, Driver):
        return value
    if isinstance(value, DrivingPath):
        return GivenPath(value)
    texts = isinstance(value, (list, tuple)) and bool(value) and all(isinstance(x, str) for x in value)
    if isinstance(value, np.ndarray) or (isinstance(value, (list, tuple)) and not texts):
        return GivenIncrements(value)
    try:
        return Expression(value)
    except errors.InputError:
        driver = _named(value)
        if driver is None:
            raise
        return driver


def _named(value: Any) -> Driver | None:
    match = re.fullmatch(r"\s*([A-Za-z][\w-]*)\s*(?:\((.*)\))?\s*", value) if isinstance(value, str) else None
    if match is None:
        return None
    try:
        kind = DRIVERS[match[1]]
    except errors.UnknownNameError:
        return None
    if match[2] is not None:
        return kind.from_argument(match[2].strip())
    try:
        return kind()
    except TypeError:
        raise errors.InputError(
            f"driver {kind.name!r} needs an argument", got=value, hint=f"Write {kind.name}(…)."
        ) from None


def driver_as_json(driver: Driver, process: DrivingProcess | None) -> dict[str, Any]:
    """The entry of a manifest for the driver of a run, in JSON's types."""
    if process is None:
        return {"kind": "none", **({REPLICATIONS: driver.replications} if driver.replications else {})}
    form = driver.as_json(process)
    form |= {REPLICATIONS: driver.replications} if driver.replications else {}
    return {"kind": driver.name, **form, **({ONE_NOISE: True} if driver.one_noise and "path" not in form else {})}


def has_one_noise(form: Mapping[str, Any]) -> bool:
    """Whether the entry of a manifest is of a driver that gives all paths one realisation of the noise."""
    return form.get("path") is not None or bool(form.get(ONE_NOISE))


def replications_of(form: Mapping[str, Any]) -> int:
    """The number of replications that the entry of a manifest says, 0 for independent paths."""
    return int(form.get(REPLICATIONS, 0))


def driver_from_json(form: Mapping[str, Any]) -> Driver:
    """The driver of a manifest.

    Raises
    ------
    InputError
        If a manifest cannot contain it, or its package is not installed.
    """
    if form["kind"] == "none":
        return Sobol(form[REPLICATIONS]) if REPLICATIONS in form else Wiener()
    return DRIVERS[form["kind"]].from_json(form)

"""The configuration of a run as a store holds it: checked before anything is made of it, since anybody may have written it."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from semidirect.groups import ElementLayout
from semidirect.specification import conditions
from semidirect.state import EquationIdentity

__all__ = ["check_configuration", "check_text"]

MOST_STEPS = 2**53
TEXTS = ("system", "principle", "form", "method")
OBJECTS = ("parameters", "options", "state", "noise")
LISTS = ("variables", "observables")
UNREADABLE = ("Cc", "Cs", "Co", "Cn", "Zl", "Zp")
"""Kinds of characters in no name, unit or description: those that steer a terminal, halves of characters, and none at all."""
TURNING = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
"""Characters that change the direction of what is written after them."""


def check_configuration(config: Mapping[str, Any]) -> None:
    """Raise a ValueError, KeyError or TypeError unless this is the configuration of a run.

    It has the entries that readers of runs use, and each is of the kind that :meth:`.RunSpec.configuration` writes.
    """
    for name in EquationIdentity.EQUATIONS:
        _ = config[name]
    for names, kind, article in ((TEXTS, str, "a text"), (OBJECTS, dict, "an object"), (LISTS, list, "a list")):
        for name in names:
            if not isinstance(config[name], kind):
                raise ValueError(f"{name} in the configuration is not {article}: {config[name]!r}")
    for name in LISTS:
        _texts(name, config[name])
    _times(config)
    for name, least, most in (("paths", 1, 2**63), ("seed", 0, 2**64)):
        if not (_whole(config[name]) and least <= config[name] < most):
            raise ValueError(f"{name} in the configuration is not one: {config[name]!r}")
    for name, value in config["parameters"].items():
        if not (isinstance(value, str) or _numbers(value)):
            raise ValueError(f"the parameter {name!r} in the configuration is not of numbers: {value!r}")
    resolution = config["noise"].get("resolution")
    if not (resolution is None or (_number(resolution) and resolution > 0)):
        raise ValueError(f"the resolution of the noise is not positive: {resolution!r}")
    if "element" in config:
        _layout(config["element"])
    conditions.from_description(config.get("stop", []))
    crossings = conditions.from_description(config.get("crossings", []))
    if not all(isinstance(crossing, conditions.Crossing) for crossing in crossings):
        raise ValueError("crossings in the configuration are not of levels")
    reduce = config.get("reduce", [])
    if not (isinstance(reduce, list) and all(isinstance(x, dict) and isinstance(x.get("kind"), str) for x in reduce)):
        raise ValueError(f"reduce in the configuration is not a list of statistics: {reduce!r}")
    _hybrid(config.get("hybrid", {"modes": ["a"], "switches": [], "start": 0}))
    units = config.get("parameter_units", {})
    if not isinstance(units, dict):
        raise ValueError(f"parameter_units in the configuration are not an object: {units!r}")
    _texts("parameter_units", units.values())


def _hybrid(about: Any) -> None:
    """Modes of a hybrid system have different names, and one of them is that of the start."""
    modes, switches, start = (about[name] for name in ("modes", "switches", "start"))
    for name, value in (("modes", modes), ("switches", switches)):
        if not isinstance(value, list):
            raise ValueError(f"{name} in the configuration are not a list: {value!r}")
        _texts(name, value)
    if len(set(modes)) != len(modes) or not (_whole(start) and 0 <= start < len(modes)):
        raise ValueError(f"the modes in the configuration are not different ones: {modes!r}, start {start!r}")


def check_text(value: Any) -> None:
    """Raise a ValueError if a text somewhere in objects of JSON has characters that are not to be read."""
    for text in _all_texts(value):
        if not text.isprintable() and any(unicodedata.category(c) in UNREADABLE and c not in "\n\t" for c in text):
            raise ValueError(f"a text has characters that cannot be printed: {text[:80]!r}")
        if any(c in TURNING for c in text):
            raise ValueError(f"a text has characters that change its direction: {text[:80]!a}")


def _all_texts(value: Any) -> Iterator[str]:
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, Mapping):
            waiting += [*one.keys(), *one.values()]
        elif isinstance(one, (list, tuple)):
            waiting += one


def _times(config: Mapping[str, Any]) -> None:
    start, end, dt = config.get("t_start", 0.0), config["t_end"], config["dt"]
    if not (all(map(_number, (start, end, dt))) and dt > 0 and 0 <= start <= end and end / dt <= MOST_STEPS):
        raise ValueError(f"no run goes from t_start = {start!r} to t_end = {end!r} in steps of dt = {dt!r}")


def _layout(description: Any) -> None:
    """Places in the matrices of a group lie in them."""
    layout = ElementLayout.from_description(description)
    n = layout.size
    if not 0 < n <= 4096 or not layout.names:
        raise ValueError(f"the element of the group has no such size or coordinates: {n}")
    blocks = [(i, j, 1, 1) for i, j in (*layout.ones, *layout.cells.values())]
    blocks += [(i, i, 2, 2) for i in layout.angles.values()]
    blocks += [(i, i, k, k) for i, k in layout.rotations.values()]
    blocks += [(i, j, rows, columns) for i, j, rows, columns in layout.matrices.values()]
    for i, j, rows, columns in blocks:
        if not (0 <= i < i + rows <= n and 0 <= j < j + columns <= n):
            raise ValueError(f"a part of the element of the group lies outside of it: {(i, j, rows, columns)}")
    if {*layout.names} != {*layout.cells, *layout.angles} or len({*layout.names}) != len(layout.names):
        raise ValueError("the coordinates of the element of the group are not those that have places in it")


def _texts(name: str, values: Iterable[Any]) -> None:
    for value in values:
        if not isinstance(value, str):
            raise ValueError(f"{name} are not texts: {value!r}")


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _number(value: Any) -> bool:
    return (_whole(value) and abs(value) < MOST_STEPS) or (isinstance(value, float) and math.isfinite(value))


def _numbers(value: Any) -> bool:
    """Whether a value is a number, or nested lists of numbers of one shape."""
    try:
        return np.asarray(value).dtype.kind in "biuf"
    except (ValueError, OverflowError):
        return False

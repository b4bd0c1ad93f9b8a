"""Variants of a system: its structures, and parameters at values where a definition may be wrong."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

import numpy as np

from semidirect.core import PerPath, errors
from semidirect.definition import SystemDefinition

S = TypeVar("S", bound=SystemDefinition)


def structures(system: S) -> dict[str, S]:
    """The system, and with each other value of each option, by a label."""
    systems = {"default": system}
    for name, option in type(system).workings.options().items():
        choices = (True, False) if isinstance(option.default, bool) else option.choices
        for choice in choices:
            if choice != system.workings.choices[name]:
                systems[f"{name}={choice}"] = system.replace(**{name: choice})
    return systems


def variants(system: S) -> dict[str, S]:
    """The structures, and each parameter at 0, near 0, at its bounds and along axes, wherever that is allowed."""
    systems = structures(system)
    for name, value in system.values.items():
        if isinstance(value, PerPath) or name in system.workings.table_names:
            continue
        for label, candidate in _candidates(value, system.workings.parameters()[name].shapes):
            try:
                variant = system.replace(**{name: candidate})
            except errors.InputError:
                continue
            if variant.workings.signature == system.workings.signature and np.array_equal(candidate, value):
                continue
            systems[f"{name}={label}"] = variant
    return systems


def _candidates(value: np.ndarray, shapes: Sequence[tuple[int | None, ...]]) -> Iterator[tuple[str, Any]]:
    shape = value.shape
    yield "0", np.zeros(shape)
    yield "1", np.ones(shape)
    yield "1e-6", np.full(shape, 1e-6)
    if len(shape) == 1 and shape[0]:
        for i in range(shape[0]):
            yield f"e{i + 1}", np.eye(shape[0])[i]
        yield "1,…,1,2", np.array([1.0] * (shape[0] - 1) + [2.0])
    for other in shapes:
        if None in other:
            for rows in (0, 2):
                whole = [rows if s is None else s for s in other]
                yield f"{rows} rows", np.linspace(-0.3, 0.7, int(np.prod(whole))).reshape(whole)
        elif len(other) == 2 and other != shape:
            yield "a matrix", 0.1 + np.diag(np.linspace(2.0, 1.5, int(other[0] or 0)))

"""The name under which a system of a run is loaded: of all installed presets of its class, the one whose choices it has."""

from __future__ import annotations

from typing import Any

import numpy as np

from semidirect.core import errors
from semidirect.definition import Preset, SystemDefinition, plugins


def preset_name(system: SystemDefinition) -> str:
    """``routh-sphere``, for example; the name of the class for a system that is not installed."""
    kind = type(system)
    best, choices = kind.__name__, -1
    for name, entry in plugins.available().items():
        if entry.value.partition(":")[0].partition(".")[0] != kind.__module__.partition(".")[0]:
            continue  # of another package, which need not be imported
        try:
            target = entry.load()
        except (ImportError, AttributeError, errors.SemidirectError):
            continue
        overrides = target.overrides if isinstance(target, Preset) else {}
        if (target.system if isinstance(target, Preset) else target) is not kind or len(overrides) <= choices:
            continue
        if all(_same(getattr(system, key, None), value) for key, value in overrides.items()):
            best, choices = name, len(overrides)
    return best


def _same(value: Any, other: Any) -> bool:
    try:
        return bool(np.array_equal(np.asarray(value, dtype=float), np.asarray(other, dtype=float)))
    except (TypeError, ValueError):
        return bool(value == other)

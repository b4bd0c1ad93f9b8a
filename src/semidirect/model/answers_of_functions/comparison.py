"""A warning where numbers and symbols give different answers."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from semidirect.core import errors, messages
from semidirect.model.probe_values import GenericNumbers

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition
    from semidirect.model.numerical_model import NumericalSDE
from semidirect.model.answers_of_functions.answers import _asked, answers_of_numbers, answers_of_symbols

APART = 1e-8
"""Relative. What rounding makes of it is 8e-15 over all installed systems and the values that their contract tries."""
TURN = 0.3
"""Size of the configuration of the test, so that no angle is near a singularity."""


def warn_where_numbers_differ(system: SystemDefinition, model: NumericalSDE) -> None:
    """A :class:`DefinitionWarning` if the functions of a definition, called with numbers, differ from what was derived.

    Each system is tested once, at the parameters of the first path. A function without a value there is left out.
    """
    if system in _asked:
        return
    _asked.add(system)
    try:
        with np.errstate(all="ignore"):
            different = _different(system, model)
    except Exception:  # exceptions of a user's function are reported when its values are needed
        return
    if different:
        messages.warn_caller(
            f"{type(system).__name__}: {different}. Does it use a Python if on a parameter or a state? Use ops.where, or make it "
            "an option (sd.option); 'semidirect check' says more.",
            errors.DefinitionWarning,
        )  # fmt: skip


def _different(system: SystemDefinition, model: NumericalSDE) -> str:
    """The first function whose two answers differ, and how; empty if there is none."""
    definition, numbers, structure = model.definition, GenericNumbers(), model.structure
    group = definition.group
    s = group.exp(TURN * (numbers.vector(group.dimension) - 1))
    a = [x for quantity in definition.advected.values() for x in quantity.at(s)]
    z = numbers.vector(sum(state.dimension for state in definition.internal_states))
    xi, t = numbers.vector(group.dimension), 0.7320508
    p = numbers.vector(group.dimension if definition.has_momenta else 0)

    def rows() -> dict[str, list[Any]]:
        return answers_of_symbols(structure.sde.setting)

    def text() -> str:
        from semidirect.equations import Program, emission

        v = structure.sde.setting
        flat = [e for answer in rows().values() for e in answer]
        return emission.source(Program((), (), {}), flat, v.arguments)

    sizes = json.loads(structure.text("lives, names", lambda: json.dumps({k: len(v) for k, v in rows().items()})))
    first = model.of_path(0).parameters
    derived = iter(structure.function("lives", text)(*xi, *p, *a, *z, t, *first))
    called = answers_of_numbers(definition, structure.shape.wieners, xi, np.array(a), z, t, p)
    for name, size in sizes.items():
        symbolic = np.array([next(derived) for _ in range(size)], dtype=float)
        numeric = np.array(called[name], dtype=float).reshape(-1)
        if not (np.all(np.isfinite(symbolic)) and np.all(np.isfinite(numeric))):
            continue
        if (
            symbolic.shape != numeric.shape
            or np.max(np.abs(symbolic - numeric) / (1 + np.abs(symbolic)), initial=0.0) > APART
        ):
            return f"{name} is {_shown(symbolic)} for symbols, {_shown(numeric)} for numbers"
    return ""


def _shown(values: np.ndarray) -> str:
    return ", ".join(f"{x:.6g}" for x in values[:4]) + ("…" if len(values) > 4 else "")

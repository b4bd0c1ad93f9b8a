"""Whether a definition gives the same for numbers and for symbols, tested at one point before a run.

A definition that steers by a value is another one for symbols: ``if self.offset == 0`` is silently false for them. The contract
tests many points and values; here only the parameters of a run are tested, with one call of each function.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

import numpy as np

from semidirect.core import errors, messages, user_code
from semidirect.definition import ValuesAt
from semidirect.model.probe_values import GenericNumbers

if TYPE_CHECKING:
    from semidirect.definition import Definition, SystemDefinition
    from semidirect.equations import kinematics
    from semidirect.model.numerical_model import NumericalSDE

APART = 1e-8
"""Relative. What rounding makes of it is 8e-15 over all installed systems and the values that their contract tries."""
TURN = 0.3
"""Size of the configuration of the test, so that no angle is near a singularity."""

_asked: WeakSet[SystemDefinition] = WeakSet()


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

    def rows() -> dict[str, list[Any]]:
        return answers_of_symbols(structure.sde.setting)

    def text() -> str:
        from semidirect.equations import Program, emission

        v, d = structure.sde.setting, structure.sde.definition
        flat = [e for answer in rows().values() for e in answer]
        return emission.source(Program((), (), {}), flat, (*v.xi, *v.a, *v.z, v.t, *d.parameters))

    sizes = json.loads(structure.text("lives, names", lambda: json.dumps({k: len(v) for k, v in rows().items()})))
    first = model.of_path(0).parameters
    derived = iter(structure.function("lives", text)(*xi, *a, *z, t, *first))
    called = answers_of_numbers(definition, structure.shape.wieners, xi, np.array(a), z, t)
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


def answers_of_symbols(s: kinematics.SymbolicDefinition) -> dict[str, list[Any]]:
    """The expressions of a definition by the letters of docs/theory.md; columns k of forces, noise and internal states."""
    found: dict[str, Any] = {"lagrangian": [s.lagrangian]}
    if s.distribution is not None:
        B, test = s.distribution.basis, s.distribution.test
        found |= {"B": B, "c": s.distribution.offset, "B_V": B if test is None else test}
    if s.annihilator is not None:
        found |= {"A": s.annihilator.covectors, "b": s.annihilator.values, "C": s.annihilator.directions}
    if s.contact is not None:
        parts = {"normal": s.contact.normal, "load": s.contact.load, "point": s.contact.point}
        found |= {f"{k} of the contact": x for k, x in parts.items() if x is not None}
    if s.dissipation is not None:
        found |= {"θ": s.dissipation[0], "θ_a": s.dissipation[1]}
    formal = dict(zip(*s.formal, strict=True))
    found |= {f"F_{k}": force for k, force in enumerate(s.forces)}
    found |= {f"z_{k}": column for k, column in enumerate(s.internal)}
    found |= {f"N_{k + 1}": [e.xreplace(formal) for e in field] for k, field in enumerate(s.fields)}
    return {name: list(np.asarray(rows).reshape(-1)) for name, rows in found.items()}


def answers_of_numbers(d: Definition, wieners: int, xi: np.ndarray, a: np.ndarray, z: np.ndarray, t: float
                       ) -> dict[str, Any]:  # fmt: skip
    """The answers of :func:`answers_of_symbols`, by the functions themselves."""
    n, here = d.group.dimension, ValuesAt(d, xi, a, z, t)
    found: dict[str, Any] = {"lagrangian": here.lagrangian}
    contact = d.constraint.ground_contact()
    for name in ("normal", "load", "point") if contact is not None else ():
        given = user_code.call(getattr(contact, name), **{k: here.at[k] for k in ("a", "t", "z")})
        if given is not None:
            rows = np.array(given, dtype=float)
            found[f"{name} of the contact"] = rows / np.linalg.norm(rows) if name == "normal" else rows
    for names, three in ((("B", "c", "B_V"), here.directions), (("A", "b", "C"), here.covectors)):
        found |= {} if three is None else dict(zip(names, three, strict=True))
    if here.dissipation is not None:
        found |= dict(zip(("θ", "θ_a"), here.dissipation, strict=True))
    fields, (shared, alone) = here.fields(here.amplitudes), here.forces
    internal = [(x.dimension, columns) for x, columns in zip(d.internal_states, here.internal, strict=True)]
    for k in range(wieners + 1):
        own = k - 1 - (wieners - len(alone))
        found[f"F_{k}"] = _or_zeros(_at(alone, own) if own >= 0 else _at(shared, k), n)
        found[f"z_{k}"] = [x for m, columns in internal for x in _or_zeros(_at(columns, k), m)]
        if k:
            found[f"N_{k}"] = _or_zeros(_at(fields, k - 1), n)
    return found


def _at(sequence: Sequence[Any], i: int) -> Any:
    return sequence[i] if i < len(sequence) else None


def _or_zeros(value: Any, n: int) -> np.ndarray:
    return (
        np.zeros(n)
        if value is None or np.size(ValuesAt.covector(value)) == 0
        else np.reshape(ValuesAt.covector(value), -1)
    )

"""The values of the functions of a definition at one point, for symbols and for numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

import numpy as np

from semidirect.core import user_code
from semidirect.definition import ValuesAt

if TYPE_CHECKING:
    from semidirect.definition import Definition, SystemDefinition
    from semidirect.equations import SymbolicDefinition

_asked: WeakSet[SystemDefinition] = WeakSet()


def answers_of_symbols(s: SymbolicDefinition) -> dict[str, list[Any]]:
    """The expressions of a definition by the letters of docs/theory.md; columns k of forces, noise and internal states."""
    answers: dict[str, Any] = (
        {"lagrangian": [s.lagrangian]} if s.hamiltonian is None else {"hamiltonian": [s.hamiltonian]}
    )
    if s.distribution is not None:
        B, test = s.distribution.basis, s.distribution.test
        answers |= {"B": B, "c": s.distribution.offset, "B_V": B if test is None else test}
    if s.annihilator is not None:
        answers |= {"A": s.annihilator.covectors, "b": s.annihilator.values, "C": s.annihilator.directions}
    contacts = {"": s.contact} if s.contact is not None else {} if s.parts is None else s.parts.contacts
    for name, contact in contacts.items():
        parts = {"normal": contact.normal, "load": contact.load, "point": contact.point}
        answers |= {f"{k} of the contact{name and ' '}{name}": x for k, x in parts.items() if x is not None}
    if s.dissipation is not None:
        answers |= {"θ": s.dissipation[0], "θ_a": s.dissipation[1]}
    formal = dict(zip(*s.formal, strict=True))
    answers |= {f"F_{k}": force for k, force in enumerate(s.forces)}
    answers |= {f"z_{k}": column for k, column in enumerate(s.internal)}
    random = [h for h in s.noise_hamiltonians if h is not None]
    answers |= {f"h_{k + 1}": [h] for k, h in enumerate(random)}
    stated = enumerate(zip(s.fields, s.noise_hamiltonians, strict=True))
    answers |= {f"N_{k + 1}": [e.xreplace(formal) for e in field] for k, (field, h) in stated if h is None}
    return {name: list(np.asarray(rows).reshape(-1)) for name, rows in answers.items()}


def answers_of_numbers(d: Definition, wieners: int, xi: np.ndarray, a: np.ndarray, z: np.ndarray, t: float,
                       p: np.ndarray | None = None) -> dict[str, Any]:  # fmt: skip
    """The answers of :func:`answers_of_symbols`, by the functions themselves."""
    n, here = d.group.dimension, ValuesAt(d, xi, a, z, t, p)
    answers: dict[str, Any] = {"hamiltonian": here.hamiltonian} if d.by_hamiltonian else {"lagrangian": here.lagrangian}
    answers |= {f"h_{k + 1}": h for k, h in enumerate(here.noise_hamiltonians)}
    for name, contact in d.constraint.contacts().items():
        for what in ("normal", "load", "point"):
            answer = user_code.call(getattr(contact, what), **{k: here.at[k] for k in ("a", "t", "z")})
            if answer is not None:
                rows = np.array(answer, dtype=float)
                of = f"{what} of the contact{name and ' '}{name}"
                answers[of] = rows / np.linalg.norm(rows) if what == "normal" else rows
    for names, three in ((("B", "c", "B_V"), here.directions), (("A", "b", "C"), here.covectors)):
        answers |= {} if three is None else dict(zip(names, three, strict=True))
    if here.dissipation is not None:
        answers |= dict(zip(("θ", "θ_a"), here.dissipation, strict=True))
    fields, (shared, alone) = here.fields(here.amplitudes), here.forces
    internal = [(x.dimension, columns) for x, columns in zip(d.internal_states, here.internal, strict=True)]
    for k in range(wieners + 1):
        own = k - 1 - (wieners - len(alone))
        answers[f"F_{k}"] = _or_zeros(_at(alone, own) if own >= 0 else _at(shared, k), n)
        answers[f"z_{k}"] = [x for m, columns in internal for x in _or_zeros(_at(columns, k), m)]
        if k:
            answers[f"N_{k}"] = _or_zeros(_at(fields, k - 1), n)
    return answers


def _at(sequence: Sequence[Any], i: int) -> Any:
    return sequence[i] if i < len(sequence) else None


def _or_zeros(value: Any, n: int) -> np.ndarray:
    return (
        np.zeros(n)
        if value is None or np.size(ValuesAt.covector(value)) == 0
        else np.reshape(ValuesAt.covector(value), -1)
    )

"""The two lives of a definition: what its functions say to symbols, and what they say to numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import sympy as sp

from semidirect.blocks import Blocks, block, rows_of
from semidirect.calling import call
from semidirect.ensemble.state import initial_state
from semidirect.equations.emission import numerical_function
from semidirect.equations.kinematics import Setting
from semidirect.equations.program import Program
from semidirect.system import System

_WHOLE = "whole velocity"
"""Not a name that a block of a group can have, as ``xi`` is one of the Heisenberg group."""


class TwoLives:
    """A system's functions called with symbols and then turned into numbers, beside the same called with numbers.

    They differ where a function steers by a value: ``if self.offset == 0`` is silently False for a symbol.
    """

    def __init__(self, system: System):
        self.system, self.definition = system, system.definition()
        self.sde = system.sde(variables="velocity")
        self.model = system.model(variables="velocity")
        s, d = self.sde.setting, self.sde.definition
        self._answers = _Compiled(Program((), (), {}), (*s.xi, *s.a, *s.z, s.t, *d.parameters), _answers(s))
        inputs = (*self.sde.state, *self.sde.coordinates.values(), s.t, *d.parameters)
        scope = {name: rows_of(np.asarray(value).reshape(-1)) for name, value in self.sde.scope.items()}
        self._scope = _Compiled(self.sde.program, inputs, {**scope, _WHOLE: self.sde.program.outputs["xi"]})
        self._watched = {**system._quantities(derived=True), **system.observables()}
        self._quantities = _Compiled(
            self.sde.program, inputs, {name: system.expression(o, self.sde) for name, o in self._watched.items()}
        )

    def at(self, state: Mapping[str, Any], t: float = 0.25) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
        """Name, answer by way of symbols, answer of the function itself, for everything that the user gives."""
        start = initial_state(self.system, state)
        u, a, z, stored = (list(x[:, 0]) for x in (start.u, start.a, start.z, start.stored))
        parameters = list(self.model.parameters)
        with np.errstate(all="ignore"):
            scope = self._scope(*u, *a, *z, *stored, t, *parameters)
            xi = scope.pop(_WHOLE)
            symbolic = self._answers(*xi, *a, *z, t, *parameters)
            numeric = self._numbers(np.array(xi), np.array(a), np.array(z), t)
            for name, rows in symbolic.items():
                yield name, np.array(rows, dtype=float), np.array(numeric[name], dtype=float).reshape(-1)
            size = self.definition.group.size
            named = {k: np.reshape(v, (size, size)) if k == "s" else block(np.array(v)) for k, v in scope.items()}
            seen = Blocks(named, "state variable")
            for name, rows in self._quantities(*u, *a, *z, *stored, t, *parameters).items():
                own = np.array(self._watched[name].method(self.system, seen), dtype=float)
                yield name, np.array(rows, dtype=float), own.reshape(-1)

    def _numbers(self, xi: np.ndarray, a: np.ndarray, z: np.ndarray, t: float) -> dict[str, Any]:
        """The answers of :func:`_answers`, by the functions themselves."""
        d, n = self.definition, self.definition.group.dimension
        state = {"xi": Blocks.split(xi, d.group.blocks), "a": Blocks.split(a, d.advected_layout),
                 "z": Blocks.split(z, d.internal_layout), "t": t}  # fmt: skip
        at = {**state, "group": d.group}
        found: dict[str, Any] = {"lagrangian": call(d.lagrangian, **state)}
        if (distribution := call(d.constraint.distribution, **at)) is not None:
            found |= {"B": distribution.basis, "c": _or_zeros(distribution.offset, n)}
            found["B_V"] = found["B"] if distribution.test is None else distribution.test
        if (annihilator := call(d.constraint.annihilator, **at)) is not None:
            A, C = annihilator.covectors, annihilator.directions
            found |= {"A": A, "b": _or_zeros(annihilator.values, len(A)), "C": np.transpose(A) if C is None else C}
        lifted = [call(d.constraint.lift, amplitude=x, **at) for x in d.constraint.noise.amplitudes(**state)]
        f = d.forces
        drift, noise, alone = (() if g is None else call(g, **state) for g in (f.drift, f.noise, f.independent))
        internal = [
            (call(x.drift, t=t, z=at["z"]), call(x.noise, t=t, z=at["z"]), x.dimension) for x in d.internal_states
        ]
        for k in range(self.sde.wieners + 1):
            own = k - 1 - (self.sde.wieners - len(alone))
            force = _at(alone, own) if own >= 0 else drift if k == 0 else _at(noise, k - 1)
            found[f"F_{k}"] = _or_zeros(_flat(force), n)
            found[f"z_{k}"] = [
                x for zero, beta, m in internal for x in _or_zeros(_flat(zero if k == 0 else _at(beta, k - 1)), m)
            ]
            if k:
                found[f"N_{k}"] = _or_zeros(_at([*lifted, *call(d.constraint.extra_fields, **at)], k - 1), n)
        return found


class _Compiled:
    """Named rows of expressions as one function of numbers."""

    def __init__(self, program: Program, inputs: Sequence[sp.Symbol], rows: Mapping[str, Sequence[sp.Expr]]):
        self.names = {name: len(r) for name, r in rows.items()}
        self.function = numerical_function(program, [e for r in rows.values() for e in r], inputs)

    def __call__(self, *values: Any) -> dict[str, list[Any]]:
        results = iter(self.function(*values))
        return {name: [next(results) for _ in range(n)] for name, n in self.names.items()}


def _answers(s: Setting) -> dict[str, list[sp.Expr]]:
    """The expressions of a setting by the names of MATHEMATICS; columns k of forces, noise and internal states."""
    found: dict[str, Any] = {"lagrangian": [s.lagrangian]}
    if s.distribution is not None:
        B, test = s.distribution.basis, s.distribution.test
        found |= {"B": B, "c": s.distribution.offset, "B_V": B if test is None else test}
    if s.annihilator is not None:
        found |= {"A": s.annihilator.covectors, "b": s.annihilator.values, "C": s.annihilator.directions}
    formal = dict(zip(*s.formal, strict=True))
    found |= {f"F_{k}": force for k, force in enumerate(s.forces)}
    found |= {f"z_{k}": column for k, column in enumerate(s.internal)}
    found |= {f"N_{k + 1}": [e.xreplace(formal) for e in field] for k, field in enumerate(s.fields)}
    return {name: list(np.asarray(rows).reshape(-1)) for name, rows in found.items()}


def _at(sequence: Sequence[Any], i: int) -> Any:
    return sequence[i] if i < len(sequence) else None


def _or_zeros(value: Any, n: int) -> np.ndarray:
    return np.zeros(n) if value is None or np.size(value) == 0 else np.reshape(value, -1)


def _flat(force: Any) -> Any:
    """A covector given whole or by its blocks."""
    if isinstance(force, (tuple, list)):
        return np.concatenate([np.reshape(part, -1) for part in force]) if len(force) else None
    return force

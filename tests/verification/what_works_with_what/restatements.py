# ruff: noqa: E501
"""Other statements of the example of a kind, with results that follow from those of the example."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, final

import numpy as np

import semidirect as sd
from what_works_with_what.kind import Kind, Statement, has_values_per_path, is_hybrid
from what_works_with_what.kinds import CART, ROLL, TRACK, rolled

PATHS = 4
EXACT, ROUNDING = 0.0, 1e-8


@final
@dataclass(frozen=True, eq=False)
class Restatement:
    """A statement, and how far its results may be from those of the example, relative to 1 and to them.

    Attributes
    ----------
    name : str
    statement : Statement
    within : float
        0 for identical values.
    varied : bool
        Whether it has values per path, :data:`PATHS` of them.
    noises : tuple of int
        Where the noises of the example stand in the statement, if their order is another.
    geometric : bool
        Whether paths are the same only by methods that move what is advected by the group.
    """

    name: str
    statement: Statement
    within: float = ROUNDING
    varied: bool = False
    noises: tuple[int, ...] = ()
    geometric: bool = False


def _varied(kind: Kind) -> bool:
    return has_values_per_path(kind.made.system) or any(np.ndim(v) > 1 for v in (kind.state or {}).values())


def _same(kind: Kind, system: Any, state: Mapping[str, Any] | None = None, **more: Any) -> Statement:
    return Statement(system, dict(kind.made.same), state=kind.state if state is None else state, **more)


def _per_path(kind: Kind) -> list[Restatement]:
    """Each parameter as one value per path, all of them equal."""
    system = kind.made.system
    tables = set(system.workings.table_names if isinstance(system, sd.definition.SystemDefinition) else ())
    found = []
    for name, v in system.values.items():
        if name not in tables and not isinstance(v, sd.PerPath) and np.size(v):
            one = system.replace(**{name: sd.PerPath([v] * PATHS)})
            found.append(Restatement(f"{name} as PerPath of equal values", _same(kind, one), EXACT, varied=True))
    return found


def _starts(kind: Kind) -> list[Restatement]:
    """The start as one value per path, all of them equal."""
    state = {**kind.made.system.initial, **(kind.state or {})}
    state = {k: [np.asarray(v, dtype=float).tolist()] * PATHS for k, v in state.items()}
    return [Restatement("equal starts per path", _same(kind, kind.made.system, state), EXACT, varied=True)]


REORDERED = (
    "no constraint, transport noise", "several noises", "state in velocities", "`Kinematics`", "internal state that reads ξ and a",
    "parameter per path", "start per path", "product of factors",
    "product of factors, no constraint", "state noise", "formal noise", "forces with noise of their own", "no noise",
    "hybrid",
)  # fmt: skip
"""Kinds whose other statement has the same equations in another order, so that every method makes the same steps."""

PLACES = {
    "constraint by directions": ("x", "y"),
    "product of factors": ("x", "y"),
    "product of factors, no constraint": ("x", "y"),
    "rolling: directions that depend on the state": ("x1", "x2"),
}


def _moved(kind: Kind) -> list[Restatement]:
    """Another origin: the potential of the skate is lower there."""
    places = PLACES.get(kind.name)
    if places is None:
        return []
    by = {places[0]: 0.75, places[1]: -1.25}
    down = {"energy": -0.75} if kind.name == "constraint by directions" else {}
    state = {**kind.made.system.initial, **(kind.state or {}), **by}
    one = _same(kind, kind.made.system, state, offset={**by, **down})
    return [Restatement("another origin", one, geometric=bool(down))]


RAISED = (
    "no constraint, transport noise",
    "constraint by directions",
    "line",
    "explicit time",
    "internal state that reads ξ and a",
)


@cache
def raised_class(kind: type[sd.System]) -> type[sd.System]:
    """A class with a potential that is higher by a half."""
    taken = set(inspect.signature(kind.lagrangian).parameters) - {"self"}

    class Raised(kind):  # type: ignore[misc, valid-type]
        """The system with another level of its potential."""

        def lagrangian(self, xi, a, t, z):
            given = {"xi": xi, "a": a, "t": t, "z": z}
            return super().lagrangian(**{k: v for k, v in given.items() if k in taken}) - 1 / 2

    Raised.__name__ = Raised.__qualname__ = f"Raised{kind.__name__}"  # by which it is pickled
    globals()[Raised.__name__] = Raised
    return Raised


def _raised(kind: Kind) -> list[Restatement]:
    """Another level of the potential."""
    if "energy" not in kind.names:
        return []
    system = kind.made.system
    one = raised_class(type(system))(**system.values)
    return [Restatement("another level of the potential", _same(kind, one, offset={"energy": 0.5}))]


def _noises(kind: Kind) -> list[Restatement]:
    """The noises in another order."""
    if kind.name != "several noises":
        return []
    order = (2, 0, 1)
    one = kind.made.system.replace(noise=np.asarray(kind.made.system.noise, dtype=float)[list(order)])
    return [Restatement("noises in another order", _same(kind, one), ROUNDING, noises=order)]


@cache
def restatements(kind: Kind) -> tuple[Restatement, ...]:
    """All restatements of the example of a kind."""
    found = [Restatement("other units", kind.units)]
    if kind.name in REORDERED:
        found.append(Restatement("axes, factors or the floor elsewhere", kind.twin))
    if is_hybrid(kind.made.system):
        return tuple(found)
    found += [*_moved(kind), *_noises(kind)]
    if kind.name in RAISED:
        found += _raised(kind)
    if not _varied(kind):
        found += [*_per_path(kind), *_starts(kind)]
    return tuple(found)


__all__ = ["CART", "ROLL", "TRACK", "Restatement", "restatements", "rolled"]

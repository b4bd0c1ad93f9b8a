"""A kind of system: one example, and two other statements of it whose results are known from those of the first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, final

import semidirect as sd


@final
@dataclass(frozen=True, eq=False)
class Statement:
    """A statement of the system of a kind.

    Attributes
    ----------
    system : System
    same : dict name → expression
        Quantities of the kind, and what they are in this statement.
    factor : dict name → float
        By what quantities of the kind are multiplied in this statement, default 1.
    offset : dict name → float
        What is then added to them, default 0.
    clock : float
        By what its times are multiplied.
    state : dict
        The start of a run.
    """

    system: Any
    same: Mapping[str, str]
    factor: Mapping[str, float] = field(default_factory=dict)
    offset: Mapping[str, float] = field(default_factory=dict)
    clock: float = 1.0
    state: Mapping[str, Any] | None = None


@final
@dataclass(frozen=True, eq=False)
class Kind:
    """A row of the table.

    Attributes
    ----------
    name : str
        What the page says.
    system : callable → System
    names : tuple of str
        Scalars whose values are compared.
    other : callable → Statement
        The same system stated in another way: other directions, another form, another group, other equations. Its equations are
        others, so its paths are the same up to the error of the method.
    restated : callable → Statement
        The same system in other units: masses or times are multiplied by a power of four, so that its paths are the same to
        rounding, with the same noise.
    state : dict, optional
        The start.
    scalar : str
        A scalar for statistics and events.
    parameter : str
        A parameter for derivatives and fits, "" if there is none.
    direction : str
        A direction of the start for derivatives.
    noisy, smooth, exact : bool
        Whether there is noise; whether equations are differentiable; whether paths of the other statement agree to rounding.
    """

    name: str
    system: Callable[[], Any]
    names: tuple[str, ...]
    other: Callable[[], Statement]
    restated: Callable[[], Statement]
    state: Mapping[str, Any] | None = None
    scalar: str = "energy"
    parameter: str = ""
    direction: str = "configuration"
    noisy: bool = True
    smooth: bool = True
    exact: bool = True

    @property
    def made(self) -> Statement:
        """The example itself."""
        return _made(self)

    @property
    def twin(self) -> Statement:
        """The other statement, made once."""
        return _twin(self)

    @property
    def units(self) -> Statement:
        """The statement in other units, made once."""
        return _units(self)


@cache
def _made(kind: Kind) -> Statement:
    return Statement(kind.system(), {name: name for name in kind.names}, state=kind.state)


@cache
def _twin(kind: Kind) -> Statement:
    return kind.other()


@cache
def _units(kind: Kind) -> Statement:
    return kind.restated()


def is_hybrid(system: Any) -> bool:
    """Whether the modes of the system change."""
    return isinstance(system, sd.Hybrid)


def has_values_per_path(system: Any) -> bool:
    """Whether a parameter of the system differs from path to path."""
    return not is_hybrid(system) and system.workings.paths is not None

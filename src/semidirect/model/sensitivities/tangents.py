"""Derivatives of a path by parameters and by its start, carried along with its state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, final

SENSITIVITY = "sensitivity."
"""What the name of a quantity follows in the name of its derivatives."""

Kind = Literal["parameter", "velocity", "momentum", "internal", "configuration", "component", "none"]


class Direction(NamedTuple):
    """The variable of a derivative: an entry of a parameter, or a direction in which the start is moved.

    Attributes
    ----------
    label : str
        Its name.
    kind : str
        A velocity or an internal state moves by itself, the configuration by s exp(ε e_i), and what is advected with it; a
        component of the state vector moves alone. What is of kind ``"none"`` moves neither a parameter nor the start.
    number : int
        Which of them.
    group: str
        The name of the parameter or of the variable whose entry it is.
    """

    label: str
    kind: Kind
    number: int
    group: str


class Slope(NamedTuple):
    """The derivative of a row of a quantity along a direction, itself a row of a quantity."""

    row: Any
    direction: int


@final
@dataclass(frozen=True)
class Tangents:
    """The directions along which a run is differentiated.

    The rows of a state ``y`` are then those of the state itself, and for each direction the derivatives of the state and of
    the coordinates of s.
    """

    directions: tuple[Direction, ...]

    @property
    def labels(self) -> tuple[str, ...]:
        """The names of the directions."""
        return tuple(d.label for d in self.directions)

    def described(self) -> list[list[str]]:
        """Label, kind and group of each direction."""
        return [[d.label, d.kind, d.group] for d in self.directions]

    @property
    def parameters(self) -> tuple[int | None, ...]:
        """The number of the parameter of each direction, ``None`` for those that move the start."""
        return tuple(d.number if d.kind == "parameter" else None for d in self.directions)

    def components(self, names: Sequence[str]) -> tuple[str, ...]:
        """Names of the rows that follow the state, from those of the state and the coordinates of s."""
        return tuple(f"d {x} / d {label}" for label in self.labels for x in names)

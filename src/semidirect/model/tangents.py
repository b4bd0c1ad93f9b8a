"""Derivatives of a path by parameters and by its start, carried along with its state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, final

import numpy as np

from semidirect.core.dual import Directions, Dual, objects, rows

if TYPE_CHECKING:
    from semidirect.model.numerical_sde import NumericalSDE

SENSITIVITY = "sensitivity."
"""What the name of a quantity follows in the name of its derivatives."""

Kind = Literal["parameter", "velocity", "momentum", "internal", "configuration"]


class Direction(NamedTuple):
    """By what a path is differentiated: an entry of a parameter, or a direction in which its start is moved.

    Attributes
    ----------
    label : str
        Its name.
    kind : str
        A velocity or an internal state moves by itself, the configuration by s exp(ε e_i), and what is advected with it.
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

    def components(self, model: NumericalSDE) -> tuple[str, ...]:
        """Names of the rows that follow the state."""
        names = (*model.structure.state, *model.coordinates)
        return tuple(f"d {x} / d {label}" for label in self.labels for x in names)


@final
class Differentiable:
    """A model on numbers with derivatives.

    Attributes
    ----------
    model : NumericalSDE
        The model, with such numbers as parameters.
    """

    def __init__(self, model: NumericalSDE, tangents: Tangents, *, scalars: bool):
        """``scalars``: whether rows of states are tracer scalars or exact numbers, and no arrays over paths."""
        count = len(tangents.directions)
        self.scalars, self.count, self.size = scalars, count, model.dimension + len(model.coordinates)
        self.directions = Directions(range(count) if scalars else (0,))
        slopes: list[dict[int, Any]] = [{} for _ in model.parameters]
        for k, index in enumerate(tangents.parameters):
            if index is not None and scalars:
                slopes[index][k] = 1.0
            elif index is not None:
                slopes[index].setdefault(0, np.zeros((count, 1)))[k] = 1.0
        pairs = zip(model.parameters, slopes, strict=True)
        self.model = model.with_parameters(Dual(self.directions, p, s) for p, s in pairs)
        self.model.tangents = None

    def constants(self, values: Sequence[Any] | np.ndarray) -> np.ndarray:
        """Numbers without derivatives."""
        return objects([Dual(self.directions, x) for x in values])

    def state(self, y: np.ndarray, stored: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """State and coordinates of s with their derivatives, from the rows ``y`` and ``stored``."""
        d = self.model.dimension
        values = [*y[:d], *stored]
        tangent = y[d:].reshape(self.count, self.size, *y.shape[1:])
        lifted = [
            Dual(
                self.directions,
                x,
                {k: tangent[k, i] for k in range(self.count)} if self.scalars else {0: tangent[:, i]},
            )
            for i, x in enumerate(values)
        ]
        return objects(lifted[:d]), objects(lifted[d:])

    def rows(self, y: np.ndarray, stored: np.ndarray, *like: int) -> tuple[np.ndarray, np.ndarray]:
        """The reverse of :meth:`state`, for so many paths."""
        both = [*y, *stored]
        if self.scalars:
            slopes = [slope(x, k) for k in range(self.count) for x in both]
            return rows([value(x) for x in y] + slopes), rows([value(x) for x in stored])
        tangent = np.empty((self.count, self.size, *like))
        for i, x in enumerate(both):
            tangent[:, i] = slope(x, 0)
        values = np.empty((self.size, *like))
        for i, x in enumerate(both):
            values[i] = value(x)
        d = self.model.dimension
        return np.concatenate([values[:d], tangent.reshape(-1, *like)]), values[d:]


def value(x: Any) -> Any:
    """A number without its derivatives."""
    return x.value if isinstance(x, Dual) else x


def slope(x: Any, key: int) -> Any:
    """A derivative of a number."""
    return x.slopes.get(key, 0.0) if isinstance(x, Dual) else 0.0

"""How data differ from predicted values: by subtraction, by angles that wrap, or by a rotation."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

import numpy as np

from semidirect.core import SIXTH_ORDER, errors
from semidirect.inference.logarithm_rows import rotation_residual

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition
    from semidirect.inference.noise import ObservationNoise

__all__ = ["PLAIN", "Difference", "Periods", "Rotations", "Subtracted"]

STEP = 2.0**-6
"""Of the differences by predicted values."""

MOST_OFF = 0.02
"""How far the norm of a quaternion may be from 1, or a matrix from a rotation: as far as few decimals make it."""

ROUNDING = 6755399441055744.0
"""1.5·2⁵²: a number of smaller size that is added to it and subtracted again is rounded to a whole number."""


class Difference(ABC):
    """How data differ from predicted values.

    Attributes
    ----------
    names : tuple of str, or None
        The names of columns of data, where they are not called as what is observed.
    """

    names: tuple[str, ...] | None = None

    @property
    @abstractmethod
    def label(self) -> str:
        """Identifies the function :meth:`residuals`; empty for a subtraction."""

    def residual_count(self, components: int) -> int:
        """How many numbers the difference of a mark is."""
        return components

    @abstractmethod
    def residuals(self, predicted: Sequence[Any], data: Sequence[Any]) -> list[Any]:
        """Predicted values less data of one mark, written with :mod:`semidirect.ops`."""

    @abstractmethod
    def read(self, values: np.ndarray, what: str) -> np.ndarray:
        """Data ``(T, marks, …)`` of a user as they are compared, ``(T, marks, components)``."""

    @abstractmethod
    def written(self, values: np.ndarray) -> np.ndarray:
        """The reverse of :meth:`read`."""

    @abstractmethod
    def draw(self, noise: ObservationNoise, rng: np.random.Generator, predicted: np.ndarray) -> np.ndarray:
        """Random data for predicted values ``(…, marks, components)``."""

    def check(self, system: SystemDefinition, name: str) -> None:  # noqa: B027
        """Raise an :class:`~semidirect.errors.InputError` unless it applies to values of a system."""

    @final
    def slopes(self, predicted: np.ndarray, data: np.ndarray) -> np.ndarray:
        """The derivatives ``(k, components)`` of :meth:`residuals` by predicted values, by differences of order 6."""
        columns = []
        for axis in np.eye(len(predicted)):
            total: Any = 0.0
            for k, factor in SIXTH_ORDER:
                high, low = (
                    np.array(self.residuals(list(predicted + sign * k * STEP * axis), list(data)), dtype=float)
                    for sign in (1, -1)
                )
                total = total + factor * (high - low)
            columns.append(total / STEP)
        return np.array(columns).T


@final
@dataclass(frozen=True)
class Subtracted(Difference):
    """Predicted value less data."""

    @property
    def label(self) -> str:
        """Empty."""
        return ""

    def residuals(self, predicted: Sequence[Any], data: Sequence[Any]) -> list[Any]:
        """The differences."""
        return [a - b for a, b in zip(predicted, data, strict=True)]

    def read(self, values: np.ndarray, what: str) -> np.ndarray:
        """As they are."""
        return values

    def written(self, values: np.ndarray) -> np.ndarray:
        """As they are."""
        return values

    def draw(self, noise: ObservationNoise, rng: np.random.Generator, predicted: np.ndarray) -> np.ndarray:
        """As the noise draws them."""
        return noise.draw(rng, predicted)


PLAIN = Subtracted()


@final
@dataclass(frozen=True)
class Periods(Difference):
    """Values of which some are known up to multiples of a period, such as the angle of a compass in (−π, π].

    The error is taken to the nearest of them: its standard deviation has to be much smaller than the period.

    Attributes
    ----------
    periods : tuple of float
        Of each component; 0 of one that does not wrap.
    """

    periods: tuple[float, ...]

    @property
    def label(self) -> str:
        """The periods."""
        return f"periods {self.periods}"

    def residuals(self, predicted: Sequence[Any], data: Sequence[Any]) -> list[Any]:
        """The differences that are nearest to 0."""
        return [_nearest(a - b, period) for a, b, period in zip(predicted, data, self.periods, strict=True)]

    def read(self, values: np.ndarray, what: str) -> np.ndarray:
        """As they are."""
        return values

    def written(self, values: np.ndarray) -> np.ndarray:
        """As they are."""
        return values

    def draw(self, noise: ObservationNoise, rng: np.random.Generator, predicted: np.ndarray) -> np.ndarray:
        """As the noise draws them, in (−P/2, P/2]."""
        sample = np.array(noise.draw(rng, predicted))
        for i, period in enumerate(self.periods):
            if period:
                sample[..., i] -= period * np.ceil(sample[..., i] / period - 0.5)
        return sample


def _nearest(difference: Any, period: float) -> Any:
    if not period:
        return difference
    return difference - period * ((difference * (1 / period) + ROUNDING) - ROUNDING)


@final
@dataclass(frozen=True)
class Rotations(Difference):
    """Rotations of space, data D = R exp(ε) of the rotation R with an error ε in the body: the difference is log(Dᵀ R) = −ε.

    Attributes
    ----------
    form : str
        ``"wxyz"`` or ``"xyzw"``, a quaternion with this order, or ``"matrix"``.
    """

    form: str

    @property
    def names(self) -> tuple[str, ...]:  # type: ignore[override]
        """qw, qx, qy, qz in this order, or R11, R12, … of a matrix."""
        if self.form == "matrix":
            return tuple(f"R{i}{j}" for i in (1, 2, 3) for j in (1, 2, 3))
        return tuple(f"q{letter}" for letter in self.form)

    @property
    def label(self) -> str:
        """One for all forms: data are compared as matrices."""
        return "rotations"

    def residual_count(self, components: int) -> int:
        """The three of a rotation vector."""
        if components != 9:
            raise errors.InputError("orientations", expected="9 entries of a rotation", got=f"{components} values")
        return 3

    def residuals(self, predicted: Sequence[Any], data: Sequence[Any]) -> list[Any]:
        """The rotation vector log(Dᵀ R), of at most π."""
        return rotation_residual(predicted, data)

    def read(self, values: np.ndarray, what: str) -> np.ndarray:
        """Rotation matrices, nearest to matrices that are nearly rotations, of quaternions that have nearly the norm 1."""
        missing = ~np.isfinite(values).all(axis=-1)
        out = np.full((*values.shape[:-1], 9), np.nan)
        there = values[~missing]
        if self.form == "matrix":
            u, sizes, v = np.linalg.svd(there.reshape(-1, 3, 3))
            g = u @ v
            off = np.abs(sizes - 1).max(axis=1, initial=0.0) + (np.linalg.det(g) < 0)
        else:
            sizes = np.linalg.norm(there, axis=1)
            off = np.abs(sizes - 1)
            with np.errstate(all="ignore"):
                g = _matrices(there[:, [self.form.index(letter) for letter in "wxyz"]] / sizes[:, None])
        if (off > MOST_OFF).any():
            i = int(np.argmax(off > MOST_OFF))
            expected = "rotation matrices" if self.form == "matrix" else "quaternions of the norm 1"
            raise errors.InputError(what, expected=expected, got=str(there[i].tolist()))
        out[~missing] = g.reshape(-1, 9)
        return out

    def written(self, values: np.ndarray) -> np.ndarray:
        """Matrices, or quaternions with w ≥ 0."""
        if self.form == "matrix":
            return values
        from scipy.spatial.transform import Rotation

        out = np.full((*values.shape[:-1], 4), np.nan)
        there = np.isfinite(values).all(axis=-1)
        if there.any():
            xyzw = Rotation.from_matrix(values[there].reshape(-1, 3, 3)).as_quat(canonical=True)
            out[there] = xyzw[:, ["xyzw".index(letter) for letter in self.form]]
        return out

    def draw(self, noise: ObservationNoise, rng: np.random.Generator, predicted: np.ndarray) -> np.ndarray:
        """R exp(ε)."""
        from scipy.spatial.transform import Rotation

        error = noise.draw(rng, np.zeros((*predicted.shape[:-1], 3)))
        rotations = Rotation.from_matrix(predicted.reshape(-1, 3, 3)) * Rotation.from_rotvec(error.reshape(-1, 3))
        return rotations.as_matrix().reshape(predicted.shape)

    def check(self, system: SystemDefinition, name: str) -> None:
        """The first three rows and columns of the group have to be a rotation of space."""
        g = np.asarray(system.group.random(np.random.default_rng(0)), dtype=float)[:3, :3]
        turns = g.shape == (3, 3) and np.allclose(g @ g.T, np.eye(3), atol=1e-9) and np.abs(g[2, :2]).max() > 1e-6
        if not turns:
            raise errors.InputError(f"the {name}", expected="a group whose first three rows and columns are a rotation of space, "
                                    "such as SO(3) and SE(3)", got=repr(system.group),
                                    hint="Observe an angle instead: sd.Observation('theta', wraps=True, …).")  # fmt: skip


def _matrices(q: np.ndarray) -> np.ndarray:
    w, x, y, z = q.T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), -1, 0)

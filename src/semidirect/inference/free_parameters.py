"""The parameters that a fit varies: entries of the parameters of a system, by name, with bounds and coordinates."""

from __future__ import annotations

import reprlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self, final

import numpy as np

from semidirect.core import PerPath, arguments, errors

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition

__all__ = ["FreeParameters", "with_entries"]

FACTOR = 2.0**20
"""Where a positive number without bounds ends, from where the search begins: further out it is 0 or ∞ for a likelihood."""

FIRST_STEP = 0.1
"""The scale of the first steps: relative to the value, or to the interval of its bounds."""


@final
@dataclass(frozen=True, eq=False)
class FreeParameters:
    """Some entries of parameters of a system.

    A coordinate is the logarithm of an entry that is positive, as declared or by its bounds, and the entry otherwise.

    Attributes
    ----------
    system : System
        All other values.
    labels : tuple of str
        ``"offset"``; ``"noise1_3"`` for the entry in row 1 and column 3.
    places : tuple of (name, boolean array)
        The parameter of each, and the entries of it that have the value; those of a symmetric matrix are tied.
    logarithmic : bool array (k,)
        Whether the coordinate is a logarithm.
    lower, upper, start, scale : array (k,)
        Bounds, values of the system, and the scale of first steps, as coordinates. A logarithm without bounds is bounded by
        :data:`FACTOR`.
    """

    system: SystemDefinition
    labels: tuple[str, ...]
    places: tuple[tuple[str, np.ndarray], ...]
    logarithmic: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    start: np.ndarray
    scale: np.ndarray

    @classmethod
    def of(cls, system: SystemDefinition, over: Sequence[str] | str, bounds: Mapping[str, Any] | None) -> Self:
        """The entries with these names, within bounds.

        Raises
        ------
        UnknownNameError
            For a name that is neither that of a parameter nor of an entry.
        InputError
            For names that stand for nothing or for the same twice, values per path, and bounds that cannot be used.
        """
        entries = system.workings.entries
        groups = _by_parameter(entries)
        names = arguments.validated_names("over", [over] if isinstance(over, str) else over)
        if not names:
            raise errors.InputError("over", expected="names of parameters to fit", got="none")
        labels: list[str] = []
        for name in names:
            matching = _labels("parameter to fit", name, entries, groups, system)
            if not matching:
                raise errors.InputError(f"over: {name!r} has no entry that is not zero", got="only zeros",
                                        hint=f"Name entries: {reprlib.repr(list(groups[name]))}.")  # fmt: skip
            labels += matching
        twice = {x for x in labels if labels.count(x) > 1}
        if twice:
            raise errors.InputError("over", expected="each parameter once", got=f"{', '.join(sorted(twice))} twice")
        limits = _limits(bounds, labels, entries, groups, system)
        return cls._made(system, labels, entries, limits)

    @classmethod
    def _made(cls, system: SystemDefinition, labels: Sequence[str], entries: Mapping[str, tuple[str, np.ndarray]],
              limits: Mapping[str, tuple[float, float]]) -> Self:  # fmt: skip
        parameters, rows = system.workings.parameters(), []
        for label in labels:
            name, where = entries[label]
            if isinstance(system.values[name], PerPath):
                raise errors.InputError(
                    f"over: {name!r} has one value per path", expected="one value, where the search begins"
                )
            value = float(np.asarray(system.values[name])[where][0])
            low, high = limits.get(label, (-np.inf, np.inf))
            low = max(low, 0.0) if parameters[name].positive or parameters[name].nonnegative else low
            if not low <= value <= high:
                raise errors.InputError(f"start of {label}", expected=f"a value within its bounds {low:g} and {high:g}",
                                        got=f"{value:g}", hint=f"Give the system another {name}.")  # fmt: skip
            width = (high - low) * FIRST_STEP
            scale = min(abs(value) * FIRST_STEP or np.inf, width)
            if not np.isfinite(scale):
                raise errors.InputError(
                    f"start of {label}",
                    expected="a value other than 0, or bounds",
                    got="0",
                    hint=f"Give bounds={{{label!r}: (low, high)}}, from which the first steps follow.",
                )
            logarithmic = parameters[name].positive or low > 0
            if logarithmic:
                with np.errstate(divide="ignore"):
                    low, high, value, scale = *np.log([low, high, value]), scale / value
                low, high = max(low, value - np.log(FACTOR)), min(high, value + np.log(FACTOR))
            rows.append((logarithmic, low, high, value, scale))
        table = np.array(rows, dtype=float).T
        return cls(system, tuple(labels), tuple(entries[x] for x in labels), table[0] > 0, *table[1:])

    def values(self, coordinates: np.ndarray) -> np.ndarray:
        """The values of the entries for coordinates ``(…, k)``."""
        with np.errstate(over="ignore"):
            return np.where(self.logarithmic, np.exp(coordinates), coordinates)

    def ends(self, coordinates: np.ndarray) -> np.ndarray:
        """The values at ends of intervals: 0 and ∞ where a logarithm ends for want of bounds."""
        values, reach = self.values(coordinates), self.start - coordinates
        at = self.logarithmic & (np.abs(reach) >= np.log(FACTOR) - 1e-9)
        return np.where(at, np.where(reach > 0, 0.0, np.inf), values)

    def coordinates(self, values: Mapping[str, Any]) -> np.ndarray:
        """The coordinates of values by label, or of a parameter that is one of the entries; the start's for others.

        Raises
        ------
        UnknownNameError
            For a name that is not varied.
        InputError
            For values outside of the bounds.
        """
        out = self.start.copy()
        for name, value in values.items():
            if name not in self.labels:
                raise errors.UnknownNameError("parameter that is fitted", name, self.labels)
            i, number = self.labels.index(name), arguments.validated_number(f"start of {name}", value)
            with np.errstate(divide="ignore", invalid="ignore"):
                at = np.log(number) if self.logarithmic[i] else number
            if not self.lower[i] <= at <= self.upper[i]:
                low, high = self.values(np.stack([self.lower, self.upper]))[:, i]
                raise errors.InputError(
                    f"start of {name}", expected=f"a value between {low:g} and {high:g}", got=f"{number:g}"
                )
            out[i] = at
        return out

    def other_starts(self, starts: Any, seed: int) -> list[np.ndarray]:
        """The coordinates of further starts: of dicts label → value, or of so many random points within the bounds."""
        if (
            isinstance(starts, Mapping)
            or not isinstance(starts, (int, np.integer, Sequence))
            or isinstance(starts, (str, bool))
        ):
            raise errors.InputError(
                "starts", expected="a list of dicts name → value, or how many", got=reprlib.repr(starts)
            )
        if not isinstance(starts, Sequence):
            count = arguments.validated_whole("starts", starts, least=0)
            free = [
                x
                for x, low, high in zip(self.labels, self.lower, self.upper, strict=True)
                if not np.isfinite(high - low)
            ]
            if count and free:
                raise errors.InputError("starts: random ones need bounds", expected="bounds of all fitted parameters",
                                        got=f"none of {', '.join(free)}", hint="Give bounds=, or starts=[{…}, …].")  # fmt: skip
            rng = np.random.default_rng([seed, 4])
            return [rng.uniform(self.lower, self.upper) for _ in range(count)]
        for one in starts:
            if not isinstance(one, Mapping):
                raise errors.InputError("starts", expected="a list of dicts name → value", got=reprlib.repr(one))
        return [self.coordinates(one) for one in starts]

    def slopes(self, coordinates: np.ndarray) -> np.ndarray:
        """The derivatives of the values by their coordinates."""
        return np.where(self.logarithmic, self.values(coordinates), 1.0)

    def system_at(self, coordinates: np.ndarray) -> Any:
        """The system with these values; raises an :class:`InputError` if no system has them."""
        return with_entries(self.system, dict(zip(self.labels, self.values(coordinates).tolist(), strict=True)))


def with_entries(system: SystemDefinition, values: Mapping[str, Any]) -> Any:
    """The system with other values of entries of its parameters, by label: ``{"offset": 0.1, "noise1_3": 0.2}``.

    Raises
    ------
    UnknownNameError
        For a label that does not exist.
    InputError
        For values that no system has.
    """
    entries = system.workings.entries
    arrays: dict[str, np.ndarray] = {}
    for label, value in values.items():
        if label not in entries:
            raise errors.UnknownNameError("entry of a parameter", label, entries)
        name, where = entries[label]
        if isinstance(system.values[name], PerPath):
            raise errors.InputError(f"{name!r} has one value per path", expected="one value")
        array = arrays.setdefault(name, np.array(system.values[name], dtype=float))
        array[where] = arguments.validated_number(label, value)
    return system.replace(**arrays)


def _by_parameter(entries: Mapping[str, tuple[str, np.ndarray]]) -> dict[str, list[str]]:
    """Parameter → the labels of its entries."""
    groups: dict[str, list[str]] = {}
    for label, (name, _) in entries.items():
        groups.setdefault(name, []).append(label)
    return groups


def _labels(kind: str, name: str, entries: Mapping[str, Any], groups: Mapping[str, list[str]], system: SystemDefinition
            ) -> list[str]:  # fmt: skip
    """The labels that a name stands for: itself, or the entries of an array that are not zero."""
    if name in entries:
        return [name]
    if name in system.workings.table_names:
        raise errors.InputError(f"{kind} {name!r}", expected="a number or an array of numbers", got="a table",
                                hint="Multiply the function by a parameter, and fit that.")  # fmt: skip
    if name not in groups:
        raise errors.UnknownNameError(kind, name, (*groups, *entries))
    value = system.values[name]
    return [x for x in groups[name] if isinstance(value, PerPath) or np.asarray(value)[entries[x][1]].any()]


def _limits(bounds: Any, labels: Sequence[str], entries: Mapping[str, Any], groups: Mapping[str, list[str]],
            system: SystemDefinition) -> dict[str, tuple[float, float]]:  # fmt: skip
    if not (bounds is None or isinstance(bounds, Mapping)):
        raise errors.InputError("bounds", expected="a dict name → (low, high)", got=reprlib.repr(bounds))
    limits_of: dict[str, tuple[float, float]] = {}
    for name, pair in (bounds or {}).items():
        own = [x for x in _labels("bounds of a parameter", name, entries, groups, system) if x in labels]
        if not own:
            raise errors.UnknownNameError("bounds of a parameter that is fitted", name, labels)
        limits = arguments.validated_array(f"bounds of {name}", pair)
        if limits.shape != (2,) or not limits[0] < limits[1]:  # which nan is not
            raise errors.InputError(
                f"bounds of {name}", expected="two numbers (low, high), low < high", got=reprlib.repr(pair)
            )
        limits_of |= dict.fromkeys(own, (float(limits[0]), float(limits[1])))
    return limits_of

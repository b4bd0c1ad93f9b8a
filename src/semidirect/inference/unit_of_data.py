"""Units of data: what numbers of a user are multiplied by for the units of a system, and which of them are periods."""

from __future__ import annotations

import math
import reprlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

from semidirect.core import arguments, errors
from semidirect.expressions import Unit

__all__ = ["UnitOfData", "periods_of", "units_of_data", "validated_unit", "validated_wraps"]


@final
@dataclass(frozen=True)
class UnitOfData:
    """The unit of a component of data.

    Attributes
    ----------
    text : str
        The unit of the data; that of the system if none was given.
    factor : float
        The factor that converts data to the unit of the system.
    given : bool
        Whether the observation says it.
    """

    text: str
    factor: float = 1.0
    given: bool = False

    def refuse_other(self, text: Any, what: str) -> None:
        """Raise an :class:`InputError` if data say that they have another unit."""
        if not isinstance(text, str) or not text.strip() or not self.text:
            return
        theirs, ours = Unit.read(text.strip()), Unit.read(self.text)
        if text.strip() == self.text or (theirs is not None and ours is not None and _same(theirs, ours)):
            return
        raise errors.InputError(f"unit of the {what}", expected=repr(self.text), got=repr(text),
                                hint=f"Say which they and the noise have: sd.Observation(…, unit={text!r}).")  # fmt: skip


def _same(one: Unit, other: Unit) -> bool:
    return one.powers == other.powers and math.isclose(one.scale, other.scale, rel_tol=1e-12)


def validated_unit(value: Any) -> Any:
    """A unit, a tuple of units or a dict of them, as text; ``None``."""
    texts = value.values() if isinstance(value, Mapping) else value if isinstance(value, (list, tuple)) else [value]
    if value is not None and not (texts and all(isinstance(text, str) for text in texts)):
        raise errors.InputError("unit", expected="text such as 'mm', one for each name, or a dict name → unit",
                                got=reprlib.repr(value))  # fmt: skip
    for text in texts if value is not None else ():
        if Unit.read(text) is None:
            raise errors.InputError("unit", expected="a unit such as 'mm', 'deg' or 'km/h'", got=repr(text))
    if isinstance(value, Mapping):
        return dict(value)
    return tuple(value) if isinstance(value, (list, tuple)) else value


def validated_wraps(value: Any) -> Any:
    """Whether all values wrap, names of those that do, or a dict of periods."""
    if isinstance(value, bool):
        return value
    if isinstance(value, Mapping) and value and all(isinstance(name, str) for name in value):
        return {name: arguments.validated_positive(f"period of {name}", x) for name, x in value.items()}
    names = [value] if isinstance(value, str) else value
    if isinstance(names, (list, tuple)) and names and all(isinstance(name, str) for name in names):
        return tuple(names)
    raise errors.InputError(
        "wraps", expected="True, names of observed values, or a dict name → period", got=reprlib.repr(value)
    )


def units_of_data(unit: Any, names: Mapping[str, Sequence[str]] | None, own_units: Sequence[str], size: int, what: str
                  ) -> tuple[UnitOfData, ...]:  # fmt: skip
    """The unit of each component, of ``unit=`` of an observation and the units of the system.

    Raises
    ------
    InputError, UnknownNameError
        For a unit of another kind than that of the system, and for as many units as there are no names.
    """
    if unit is None:
        return tuple(UnitOfData(text) for text in own_units)
    if isinstance(unit, str):
        texts: list[str | None] = [unit] * size
    else:
        texts = _each(unit, names, size, f"units of the {what}")
    return tuple(
        UnitOfData(own) if text is None else _converted(text, own, what)
        for text, own in zip(texts, own_units, strict=True)
    )


def _each(values: Any, names: Mapping[str, Sequence[str]] | None, size: int, what: str) -> list[Any]:
    """The value of each component, of values by name, of names or of components."""
    if not isinstance(values, Mapping):
        sizes = [len(parts) for parts in names.values()] if names is not None else []
        if len(values) == len(sizes):
            return [value for value, count in zip(values, sizes, strict=True) for _ in range(count)]
        if len(values) == size:
            return list(values)
        raise errors.InputError(what, expected=f"one, or {size}, one for each component", got=f"{len(values)}")
    if names is None:
        raise errors.InputError(what, expected="one, or one for each component", got="a dict",
                                hint="An observation of a function has no names.")  # fmt: skip
    out = []
    for text, parts in names.items():
        out += [values.get(part, values.get(text)) for part in parts]
    labels = dict.fromkeys(n for text, parts in names.items() for n in (text, *parts))
    for name in values:
        if name not in labels:
            raise errors.UnknownNameError(f"observed quantity in {what}", name, labels)
    return out


def _converted(text: str, own: str, what: str) -> UnitOfData:
    unit, target = Unit.read(text), Unit.read(own) if own else None
    assert unit is not None
    if target is not None and unit.powers != target.powers:
        raise errors.InputError(f"unit of the {what}", expected=f"a unit of the same kind as {own}", got=repr(text))
    factor = unit.scale / (target.scale if target is not None else 1.0)
    return UnitOfData(text, factor, True)


def periods_of(wraps: Any, names: Mapping[str, Sequence[str]] | None, units: Sequence[UnitOfData], what: str
               ) -> tuple[float, ...]:  # fmt: skip
    """The period of each component in the units of the system, 0 of one that does not wrap."""
    turn = 2 * math.pi
    if wraps is True:
        return (turn,) * len(units)
    by_name = wraps if isinstance(wraps, Mapping) else dict.fromkeys(wraps)
    if names is None:
        raise errors.InputError(f"wraps of the {what}", expected="True", got=reprlib.repr(wraps),
                                hint="An observation of a function has no names.")  # fmt: skip
    _each(by_name, names, len(units), f"wraps of the {what}")
    wrapped = [part in by_name or text in by_name for text, parts in names.items() for part in parts]
    periods = _each(by_name, names, len(units), f"wraps of the {what}")
    return tuple(
        (turn if period is None else period * unit.factor) if yes else 0.0
        for yes, period, unit in zip(wrapped, periods, units, strict=True)
    )

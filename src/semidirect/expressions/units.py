"""Units as text, and what the text says: powers of base units. Units label numbers and convert none."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import pi, prod
from typing import final

from semidirect.core import display

_BASE = ("kg", "m", "s", "A", "K", "mol", "cd")

_KNOWN: dict[str, tuple[float, str]] = {
    "1": (1.0, ""), "rad": (1.0, ""), "sr": (1.0, ""), "deg": (pi / 180, ""), "°": (pi / 180, ""), "%": (0.01, ""),
    "N": (1.0, "kg m s-2"), "J": (1.0, "kg m2 s-2"), "W": (1.0, "kg m2 s-3"), "Pa": (1.0, "kg m-1 s-2"),
    "Hz": (1.0, "s-1"), "C": (1.0, "A s"), "V": (1.0, "kg m2 s-3 A-1"), "T": (1.0, "kg s-2 A-1"), "g": (1e-3, "kg"),
    "mg": (1e-6, "kg"), "km": (1e3, "m"), "cm": (1e-2, "m"), "mm": (1e-3, "m"), "µm": (1e-6, "m"), "nm": (1e-9, "m"),
    "ms": (1e-3, "s"), "µs": (1e-6, "s"), "ns": (1e-9, "s"), "min": (60.0, "s"), "h": (3600.0, "s"),
}  # fmt: skip

_RAISED, _PLAIN = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-"
_POWER = rf"(?:[{_RAISED}]+|(?:\^|\*\*)?-?\d+|\^\(-?\d+/\d+\))"
_TOKEN = re.compile(
    rf"\s*(?:(?P<root>√?)(?P<name>[A-Za-zΑ-ωµ]+|[°%])(?P<power>{_POWER})?|(?P<one>1)(?![\d.]))\s*|\s*(?P<sign>[/·*()])\s*"
)


@final
@dataclass(frozen=True, repr=False)
class Unit(display.Brief):
    """A product of powers of base units, angles being numbers: ``Unit.read("N m")`` is kg m²/s².

    Attributes
    ----------
    powers : tuple of (str, Fraction)
        Base units in order, with their exponents. A name that is not known is a base unit of its own.
    scale : float
        How many of them it is: 0.001 of a metre for ``mm``.
    """

    powers: tuple[tuple[str, Fraction], ...] = ()
    scale: float = 1.0

    @classmethod
    def read(cls, text: str) -> Unit | None:
        """The unit that a text such as ``kg m²/s``, ``N m √s``, ``1/(m s)`` or ``m s-2`` writes; ``None`` where it writes none.

        A ``/`` divides by what stands directly after it: ``J/kg K`` is (J/kg)·K.
        """
        if not isinstance(text, str) or " or " in text:
            return None
        try:
            return cls._read(text)
        except (ValueError, ZeroDivisionError, OverflowError):  # exponents that are none
            return None

    @classmethod
    def _read(cls, text: str) -> Unit | None:
        products, powers = [Unit()], [1]  # of what is open: the product, the power of its next factor
        at, complete = 0, False
        while at < len(text):
            token = _TOKEN.match(text, at)
            if token is None:
                return None
            at, sign = token.end(), token["sign"]
            if sign == ")":
                if len(products) == 1 or not complete:
                    return None
                factor = products.pop()
                powers.pop()
            elif sign == "(":
                products.append(Unit())
                powers.append(1)
            elif sign == "/":
                if powers[-1] < 0:
                    return None
                powers[-1] = -1
            complete = sign in (None, ")")
            if complete:
                products[-1] *= (cls._factor(token) if sign is None else factor) ** powers[-1]
                powers[-1] = 1
        return products[0] if complete and len(products) == 1 else None

    @classmethod
    def _factor(cls, token: re.Match[str]) -> Unit:
        name = (token["name"] or "1").replace("μ", "µ")
        power = (token["power"] or "1").translate(str.maketrans(_RAISED, _PLAIN, "^*()"))
        exponent = Fraction(power) / (2 if token["root"] else 1)
        scale, text = _KNOWN.get(name, (1.0, None))
        if text is None:
            return Unit(((name, Fraction(1)),)) ** exponent
        base = cls.read(text) or Unit()
        return Unit(base.powers, scale) ** exponent

    def __mul__(self, other: Unit) -> Unit:
        powers = dict(self.powers)
        for name, power in other.powers:
            powers[name] = powers.get(name, Fraction(0)) + power
        names = sorted(powers, key=lambda name: (_BASE.index(name) if name in _BASE else len(_BASE), name))
        return Unit(tuple((name, powers[name]) for name in names if powers[name]), self.scale * other.scale)

    def __pow__(self, power: Fraction | int) -> Unit:
        powers = tuple((name, p * power) for name, p in self.powers if power)
        return Unit(powers, float(self.scale ** float(power)))

    def __truediv__(self, other: Unit) -> Unit:
        return self * other**-1

    def growth(self, sizes: Mapping[str, float]) -> float:
        """By which factor numbers of this unit grow if base units are these parts of what they were."""
        return float(prod(sizes[name] ** -float(power) for name, power in self.powers))

    def __str__(self) -> str:
        """``kg m²/s``, ``N`` and ``N m`` for forces and torques, ``1`` for a number; the scale is not written."""
        for force, text in _FORCES.items():
            if self.powers == force:
                return text
        above = " ".join(_written(name, power) for name, power in self.powers if power > 0)
        return (above or "1") + "".join(f"/{_written(name, -power)}" for name, power in self.powers if power < 0)


@final
@dataclass(frozen=True)
class UnitLabel:
    """The unit of a quantity as text: one for all of its components, or one for each, as ``N m, N m, N``."""

    text: str

    def of_component(self, index: int, count: int) -> str:
        """The unit of one of so many components."""
        each = self.text.split(", ")
        return each[index] if len(each) == count else self.text

    def raised(self, power: int) -> str:
        """The power of each unit; empty where one is none of base units."""
        units = [Unit.read(part) for part in self.text.split(", ")]
        return (
            ""
            if any(u is None or u.scale != 1 for u in units)
            else ", ".join(str(u**power) for u in units if u is not None)
        )

    def behind_a_number(self) -> str:
        """The unit as it stands behind a value or in brackets: nothing for 1, each of a list once."""
        return "" if self.text == "1" else ", ".join(dict.fromkeys(self.text.split(", ")))


def _powers(text: str) -> tuple[tuple[str, Fraction], ...]:
    unit = Unit.read(text)
    return () if unit is None else unit.powers


_FORCES = {_powers(text): text for text in ("N", "N m")}


def _written(name: str, power: Fraction) -> str:
    if power == 1:
        return name
    if power == Fraction(1, 2):
        return f"√{name}"
    return name + (str(power).translate(str.maketrans(_PLAIN, _RAISED)) if power.denominator == 1 else f"^({power})")

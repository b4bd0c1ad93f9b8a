"""Exact values of a system's parameters: those given, or any others of the same pattern."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, final

import numpy as np

from semidirect.core.errors import InputError, UnknownNameError
from semidirect.core.parameters import Parameter, PerPath, check_unit
from semidirect.groups.exact import exact_number

if TYPE_CHECKING:
    from semidirect.definition.system_definition import SystemDefinition
    from semidirect.invariants.algebra.scalars import Numbers

Parameters = Literal["given", "generic", "free"]
KINDS = ("given", "generic", "free")


@final
@dataclass(frozen=True)
class ParameterSet:
    """Values of the symbols of a system's parameters, as numbers of any kind.

    Attributes
    ----------
    system : System
    kind : {"given", "generic", "free"}
        ``given``: each float as the simple fraction that rounds to it, else as its shortest decimal; a unit vector is made
        one exactly. ``generic``: numbers that are drawn, in which what is 0 stays 0 and entries of one parameter that are
        equal stay equal, so that an axisymmetric body stays one; a unit vector stays one. What is proved for them holds
        for all parameters of this pattern, but for the zeros of denominators. ``free``: all entries are drawn, so it holds
        for any parameters.
    """

    system: SystemDefinition
    kind: Parameters = "given"

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise UnknownNameError("parameters", self.kind, KINDS)

    def at(self, numbers: Numbers) -> dict[Any, Any]:
        """Symbols and their values.

        Raises
        ------
        InputError
            For parameters given per path.
        """
        declared = self.system.parameters()
        found: dict[Any, Any] = {}
        for name, symbols in self.system.parameter_symbols.items():
            value = self.system.values[name]
            if isinstance(value, PerPath):
                raise InputError("a proof works at one set of parameters", got=f"{name} per path")
            exact = _exact(declared[name], np.asarray(value))
            unit = declared[name].check is check_unit
            if self.kind == "given":
                entries = [numbers.number(x.numerator, x.denominator) for x in exact.flat]
            else:
                free = self.kind == "free"
                entries = (_generic_unit if unit else _generic)(list(exact.flat), numbers, free)
            for symbol, entry in zip(symbols.flat, entries, strict=True):
                found.setdefault(symbol, entry)  # a symmetric matrix has one symbol for two entries
        return found

    def draws(self) -> int:
        """How many numbers :meth:`at` draws."""
        counter = _Counter()
        self.at(counter)
        return counter.count


class _Counter:
    def __init__(self) -> None:
        self.count = 0

    def number(self, p: int, q: int = 1) -> Fraction:
        return Fraction(p, q)

    def constant(self, name: str) -> Fraction:
        return Fraction(1)

    def draw(self) -> Fraction:
        self.count += 1
        return Fraction(1)


def _exact(parameter: Parameter, value: np.ndarray) -> np.ndarray:
    out = np.empty(value.shape, dtype=object)
    for index in np.ndindex(value.shape):
        out[index] = Fraction(exact_number(value[index]))
    return _unit(out) if parameter.check is check_unit else out


def _unit(v: np.ndarray) -> np.ndarray:
    """The vector itself if its length is 1, else a rational unit vector within 1e-16, by stereographic projection."""
    if sum(x * x for x in v) == 1:
        return v
    pole = max(range(len(v)), key=lambda i: abs(v[i]))
    sign = 1 if v[pole] > 0 else -1
    t = [x / (1 + sign * v[pole]) for i, x in enumerate(v) if i != pole]
    square = sum(x * x for x in t)
    rest = iter(2 * x / (1 + square) for x in t)
    out = np.empty(len(v), dtype=object)
    out[:] = [sign * (1 - square) / (1 + square) if i == pole else next(rest) for i in range(len(v))]
    return out


def _generic(values: list[Fraction], numbers: Numbers, free: bool) -> list[Any]:
    if free:
        return [numbers.draw() for _ in values]
    known: dict[Fraction, Any] = {Fraction(0): numbers.number(0)}
    for x in values:
        if x not in known:
            known[x] = numbers.draw()
    return [known[x] for x in values]


def _generic_unit(values: list[Fraction], numbers: Numbers, free: bool) -> list[Any]:
    """A unit vector with the same zeros, by stereographic projection; one along an axis stays."""
    nonzero = [i for i, x in enumerate(values) if x or free]
    out = [numbers.number(x.numerator, x.denominator) for x in values]
    if len(nonzero) > 1:
        t = [numbers.draw() for _ in nonzero[1:]]
        square = sum((x * x for x in t), numbers.number(0))
        scale = 1 / (1 + square)
        for i, x in zip(nonzero, [(1 - square) * scale, *(2 * x * scale for x in t)], strict=True):
            out[i] = x
    return out

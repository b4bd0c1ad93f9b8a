"""Letters that stand for parts of expressions while they are differentiated."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import is_dataclass
from typing import Any, final

import numpy as np
import sympy as sp

from semidirect.core import Blocks, errors, symbols, user_code
from semidirect.definition import Definition, ValuesAt
from semidirect.equations.letters.letter import DIGITS, SLOPE, SMALL, Letter, Slope, letter_stem


@final
class Letters:
    """The letters of one definition, found while its functions are called with symbols."""

    def __init__(self, definition: Definition, here: ValuesAt, a: np.ndarray, z: np.ndarray, t: sp.Symbol):
        self.members: list[Letter] = []
        self._plain: dict[sp.Symbol, sp.Expr] = {}
        self._fixed = set(definition.parameters)
        self._arguments: dict[str, tuple[sp.Symbol, ...]] = {}
        for name, part in definition.advected_layout.items():
            constant = definition.advected[name].constants
            self._arguments[name] = tuple(x for i, x in enumerate(a[part]) if i not in constant)
        self._arguments |= {name: tuple(z[part]) for name, part in definition.internal_layout.items()}
        self._arguments["t"] = (t,)
        for name, rows in sorted(self._values(definition, here), key=lambda x: sum(map(sp.count_ops, x[1]))):
            self.named(name, rows)

    @staticmethod
    def _values(definition: Definition, here: ValuesAt) -> Iterable[tuple[str, np.ndarray]]:
        """The values of the functions that the definition names, without those that need more than (ξ, a, t, z)."""
        state = here.state
        variables = Blocks({**state["xi"], **state["a"], **state["z"], "t": state["t"]}, "state variable")
        for name, function in definition.named.items():
            try:
                yield (
                    name,
                    symbols.exact_rows(user_code.apply(function, variables, f"the derived quantity {name!r}"), name),
                )
            except (errors.SemidirectError, AttributeError):
                continue

    def named(self, name: str, value: Any) -> Any:
        """The symbols of a function with this value; the value itself where it is affine in the state or depends on ξ."""
        try:
            plain = symbols.exact_rows(value, name)
        except errors.DefinitionError:
            return value  # refused where it is used
        plain = np.array([self.put_in(e) for e in plain], dtype=object)
        rows = self.written(plain)
        for other in self.members:
            for sign in (1, -1):
                if len(other.symbols) == len(plain) and all(
                    sp.expand(self._plain[x] - sign * e) == 0 for x, e in zip(other.symbols, plain, strict=True)
                ):
                    return (sign * other.symbols) if np.ndim(value) else sign * other.symbols[0]
        letter = self._letter(name, rows)
        if letter is None:
            return value
        self.members.append(letter)
        self._plain |= dict(zip(letter.symbols, plain, strict=True))
        return letter.symbols if np.ndim(value) else letter.symbols[0]

    def written(self, value: Any) -> Any:
        """Expressions with the letters where what they are stands in them."""
        if isinstance(value, np.ndarray):
            out = np.empty(value.shape, dtype=object)
            for index, e in np.ndenumerate(value):
                out[index] = self.written(e)
            return out
        e = sp.sympify(value)
        for x, plain in reversed(self._plain.items()):
            if plain.is_Add or plain.is_Mul or plain.is_Pow or plain.is_Function:
                e = e.subs(plain, x) if plain.free_symbols <= e.free_symbols and self._curved(plain) else e
        return e

    def used(self, values: Iterable[Any]) -> tuple[Letter, ...]:
        """The letters that stand in expressions, in arrays or records of such, or in a letter that does."""
        free = set().union(*map(_free, values))
        letters: list[Letter] = []
        for letter in reversed(self.members):
            if free & set(letter.symbols):
                letters.insert(0, letter)
                free |= set().union(*(e.free_symbols for e in letter.expressions))
        return tuple(letters)

    def put_in(self, e: sp.Expr) -> sp.Expr:
        """An expression in (a, t, z) alone."""
        return e.xreplace(self._plain)

    def _curved(self, e: sp.Expr) -> bool:
        """Whether an expression is not affine in the state."""
        moving = self._moving
        return any(sp.diff(e, x).free_symbols & moving for x in e.free_symbols & moving)

    @property
    def _moving(self) -> set[sp.Symbol]:
        return {x for part in (*self._arguments.values(), self._plain) for x in part}

    def _letter(self, name: str, rows: np.ndarray) -> Letter | None:
        moving, before = self._moving, set(self._plain)
        free = set().union(*(e.free_symbols for e in rows))
        if free - moving - self._fixed or not (free & before or any(map(self._curved, rows))):
            return None
        while name in {x.name for x in self.members}:
            name += "_"
        arguments = {**self._arguments, **{x.stem: tuple(x.symbols) for x in self.members}}
        stem = letter_stem(name)
        own = symbols.vector(stem, len(rows))
        slopes = [
            _slope(stem, own, argument, along, rows, moving)
            for argument, along in arguments.items()
            if free.intersection(along)
        ]
        return Letter(name, own, rows, tuple(slopes))


def _free(value: Any) -> set[sp.Symbol]:
    if isinstance(value, sp.Basic):
        return value.free_symbols
    if isinstance(value, np.ndarray | tuple | list):
        return set().union(*map(_free, value.flat if isinstance(value, np.ndarray) else value))
    return set().union(*map(_free, vars(value).values())) if is_dataclass(value) else set()


def _slope(
    stem: str, own: np.ndarray, argument: str, along: tuple[sp.Symbol, ...], rows: np.ndarray, moving: set[sp.Symbol]
) -> Slope:
    values = np.array([[sp.diff(e, x) for x in along] for e in rows], dtype=object)
    entries = values
    if any(e.free_symbols & moving for e in values.flat):
        entries = np.array([[symbols.real(f"{SLOPE}{s.name[1:]}/{x.name}") for x in along] for s in own], dtype=object)
    return Slope(f"{SLOPE}{stem[1:]}/{argument}", argument, along, entries, values)


def vanishes(expressions: Sequence[sp.Expr], letters: Sequence[Letter]) -> bool:
    """Whether expressions are 0 at two generic points, with the letters and slopes what they are."""
    rules: list[dict[sp.Symbol, sp.Expr]] = []
    for letter in letters:
        rules.append(dict(zip(letter.symbols, letter.expressions, strict=True)))
        rules += [dict(zip(x.entries.flat, x.expressions.flat, strict=True)) for x in letter.slopes if x.is_symbol]
    for e in expressions:
        for rule in reversed(rules):
            e = e.xreplace(rule)
        free = sorted(e.free_symbols, key=str)
        for point in (3, 5):
            at = {x: sp.Rational(7 * i + point, 11 + i) for i, x in enumerate(free, 1)}
            if abs(e.evalf(DIGITS, subs=at, chop=True)) > SMALL:
                return False
    return True

"""Traces of the operations of a definition on symbols, made without SymPy in a few milliseconds.

Equations on disk may only be used for the definition that they were derived from. So each process calls its functions
with scalars that record the operations on them, and with the names of the symbols of a derivation. A definition that cannot
be recorded, since it decides on a value or calls SymPy, has no trace and is derived by each process.
"""

from __future__ import annotations

import hashlib
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn, final

import numpy as np

from semidirect.core import Blocks, block, exact, interpolation, ops, user_code
from semidirect.definition.constraints.joined_constraints import JoinedConstraints
from semidirect.definition.observables import Observable
from semidirect.definition.values_at import ValuesAt

if TYPE_CHECKING:
    from semidirect.definition.definition import Definition
    from semidirect.definition.system_definition import SystemDefinition


class Notes:
    """A text of the operations on some scalars, line by line."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def result(self, operation: str, *operands: Any) -> Noted:
        """The result of an operation, a new scalar."""
        self.lines.append(" ".join([operation, *map(self.word, operands)]))
        return Noted(self, f"v{len(self.lines)}")

    def word(self, x: Any) -> str:
        """A scalar as a word of the text. Floats, fractions and integers of the same value have different words."""
        if isinstance(x, Noted):
            if x.notes is not self:
                raise TypeError("a scalar of another text")
            return x.name
        if x is None or isinstance(x, (bool, np.bool_, int, np.integer, Fraction)):
            return f"{x!s}"
        if isinstance(x, (float, np.floating)):
            return repr(float(x))
        sympy = sys.modules.get("sympy")
        if sympy is not None and isinstance(x, sympy.Basic):
            return str(sympy.srepr(x))
        raise TypeError(f"{type(x).__name__} among numbers")

    def vector(self, name: str, dimension: int) -> np.ndarray:
        """Scalars with the names of the symbols of a derivation; read-only like those."""
        names = [name] if dimension == 1 else [f"{name}{i + 1}" for i in range(dimension)]
        return _read_only([Noted(self, n) for n in names])

    def layout(self, layout: Mapping[str, slice]) -> np.ndarray:
        """Scalars for a whole layout name → slice."""
        return _read_only([x for name, part in layout.items() for x in self.vector(name, part.stop - part.start)])

    def say(self, label: str, value: Any) -> None:
        """Record the value of a function: numbers, scalars, arrays, blocks, and sequences of them."""
        if isinstance(value, Blocks):
            value = dict(value)
        if isinstance(value, Mapping):
            self.lines.append(f"{label}: mapping {list(value)!r}")
            for key, part in value.items():
                self.say(f"{label} {key}", part)
        elif isinstance(value, (list, tuple, Iterator)):
            parts = list(value)
            self.lines.append(f"{label}: {len(parts)} parts")
            for part in parts:
                self.say(label, part)
        elif isinstance(value, np.ndarray):
            words = " ".join(self.word(x) for x in value.flat)
            self.lines.append(f"{label}: {value.shape} {words}")
        else:
            self.lines.append(f"{label}: {self.word(value)}")


def _operation(symbol: str, swapped: bool = False) -> Callable[[Noted, Any], Any]:
    def method(self: Noted, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return NotImplemented
        return self.notes.result(symbol, other, self) if swapped else self.notes.result(symbol, self, other)

    return method


def _alone(symbol: str) -> Callable[[Noted], Noted]:
    return lambda self: self.notes.result(symbol, self)


@final
class Noted(ops.Scalar):
    """A scalar of a text; every operation writes a line. Like a symbol, it has no truth value."""

    exact = True
    __slots__ = ("name", "notes")

    def __init__(self, notes: Notes, name: str):
        self.notes, self.name = notes, name

    __add__, __radd__ = _operation("+"), _operation("+", True)
    __sub__, __rsub__ = _operation("-"), _operation("-", True)
    __mul__, __rmul__ = _operation("*"), _operation("*", True)
    __truediv__, __rtruediv__ = _operation("/"), _operation("/", True)
    __pow__, __rpow__ = _operation("**"), _operation("**", True)
    __lt__, __le__, __gt__, __ge__ = _operation("<"), _operation("<="), _operation(">"), _operation(">=")
    __and__, __rand__, __or__, __ror__ = (
        _operation("&"),
        _operation("&", True),
        _operation("|"),
        _operation("|", True),
    )
    __neg__, __pos__, __abs__, __invert__ = _alone("neg"), _alone("pos"), _alone("absolute"), _alone("not")
    __hash__ = object.__hash__

    def __eq__(self, other: object) -> NoReturn:
        raise TypeError("whether two expressions are equal is known by SymPy only")

    def __ne__(self, other: object) -> NoReturn:
        raise TypeError("whether two expressions are equal is known by SymPy only")

    def __bool__(self) -> NoReturn:
        raise TypeError("a symbol was decided on; use ops.where")

    def elementary(self, name: str | interpolation.Interpolant) -> Noted:
        """An elementary function of this scalar."""
        return (
            self.interpolated(name, self)
            if isinstance(name, interpolation.Interpolant)
            else self.notes.result(name, self)
        )

    def interpolated(self, function: interpolation.Interpolant, x: Any) -> Noted:
        """The function that tables give."""
        label = f"interpolate:{function.kind}:{function.ends}:{function.order}"
        return self.notes.result(label, x, function.nodes, function.values)

    def select(self, if_true: Any, if_false: Any) -> Noted:
        """``if_true`` where this condition holds, else ``if_false``."""
        return self.notes.result("where", self, if_true, if_false)


def _read_only(entries: list[Any]) -> np.ndarray:
    out = exact.objects(entries)
    out.flags.writeable = False
    return out


def definition_digest(system: SystemDefinition) -> str | None:
    """A digest of the operations of a definition; ``None`` if they cannot be recorded."""
    return _digest(system, lambda twin, notes: _write_definition(twin.workings.define_with(()), notes))


def observable_digests(system: SystemDefinition, quantities: Mapping[str, int]) -> dict[str, str | None]:
    """A digest of the operations of each declared observable, by its hyphenated name; ``None`` if they cannot be recorded.

    ``quantities`` are the quantities that they may read, with numbers of rows.
    """
    observables = type(system).workings.declared_observables()
    return {name: _digest(system, partial(_write_observable, o, quantities)) for name, o in observables.items()}


def _digest(system: SystemDefinition, write: Callable[[SystemDefinition, Notes], None]) -> str | None:
    notes = Notes()
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")  # they become known when the definition is derived
            tables = {name: Noted(notes, symbol) for name, symbol in system.workings.table_names.items()}
            write(
                system.workings.with_arrays(system.workings.with_symbols(lambda name: Noted(notes, name)), tables),
                notes,
            )
    except Exception:
        return None
    return hashlib.sha256("\n".join(notes.lines).encode()).hexdigest()


def _write_definition(d: Definition, notes: Notes) -> None:
    group, constraint = d.group, d.constraint
    blocks = {k: (part.start, part.stop) for k, part in group.blocks.items()}
    coordinates = dict(constraint.coordinates(group))
    moving = constraint.moving_block(group)
    momenta = {k: d.momentum_name(k) for k in (*group.blocks, *coordinates)}
    notes.lines.append(repr((group.name, blocks, group.stored_names, coordinates, moving, momenta)))
    notes.say("basis", group.basis)
    for name, quantity in d.advected.items():
        notes.lines.append(repr((name, quantity.representation.component_names)))
        notes.say("generators", quantity.representation.generators)
        notes.say("reference", quantity.exact_reference)
    xi, a, z = map(notes.layout, (group.blocks, d.advected_layout, d.internal_layout))
    here = ValuesAt(d, xi, a, z, Noted(notes, "t"), notes.layout(d.momenta) if d.has_momenta else None)
    notes.say("l", here.lagrangian)
    if d.has_momenta:
        notes.say("h", here.hamiltonian)
        notes.say("noise Hamiltonians", here.noise_hamiltonians)
    amplitudes: list[Any] = [np.asarray(x) for x in here.amplitudes]
    notes.say(f"amplitudes, formal {constraint.noise.formal}", amplitudes)
    if constraint.noise.formal:
        amplitudes = [notes.vector(f"~xi{i + 1}_", np.size(x)) for i, x in enumerate(amplitudes)]
    notes.say("fields", here.fields(amplitudes))
    for part in (here.distribution, here.annihilator):
        notes.say("constraint", {} if part is None else {k: v for k, v in vars(part).items() if v is not None})
    for name, contact in constraint.contacts().items():
        where = {k: here.at[k] for k in ("a", "t", "z")}
        vectors = {"normal": contact.normal, "load": contact.load, "point": contact.point}
        notes.lines.append(f"contact {contact.linear!r}{name and ' of '}{name}")
        notes.say("contact", {k: user_code.call(v, **where) for k, v in vectors.items() if v is not None})
    if isinstance(constraint, JoinedConstraints):
        notes.lines.append(repr(constraint.joining))
        for rows in constraint.stacked(**here.at):
            notes.say("of several constraints", {k: v for k, v in vars(rows).items() if v is not None})
    for state, columns in zip(d.internal_states, here.internal, strict=True):
        notes.lines.append(repr((state.name, state.dimension)))
        notes.say("start", state.initial)
        notes.say("columns", columns)
    if d.dissipation is not None:
        notes.say("dissipation", list(here.dissipation or ()))
    for forces in here.forces:
        notes.say("forces", forces)


def _write_observable(
    quantity: Observable, quantities: Mapping[str, int], twin: SystemDefinition, notes: Notes
) -> None:
    group = twin.group
    stored = notes.layout({name: slice(i, i + 1) for i, name in enumerate(group.stored_names)})
    scope = Blocks(
        {
            **dict(zip(group.stored_names, stored, strict=True)),
            **{k: block(notes.vector(k, n)) for k, n in quantities.items()},
            "s": group.element(stored),
            "t": Noted(notes, "t"),
        }
    )
    notes.say(quantity.method.__name__, quantity.method(twin, scope))

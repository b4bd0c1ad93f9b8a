"""A frozen object with declared parameters and options, which hold numbers, symbols or one number per path."""

from __future__ import annotations

import inspect
import reprlib
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from inspect import Signature
from types import MappingProxyType
from typing import Any, Self

import numpy as np

from semidirect.core.display import line
from semidirect.core.errors import DefinitionError, InputError, PerPathError, UnknownNameError
from semidirect.core.parameters import Option, Parameter, PerPath
from semidirect.core.tables import TableParameter


class Parametrised:
    """Base of objects with parameters and options, class attributes made by ``sd.parameter`` and ``sd.option``."""

    _values: Mapping[str, Any]
    _options: Mapping[str, Any]

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        declared: dict[str, Parameter | Option] = {**cls.parameters(), **cls.options()}
        cls.__signature__ = Signature(  # type: ignore[attr-defined]
            [inspect.Parameter(n, inspect.Parameter.KEYWORD_ONLY, default=d.default) for n, d in declared.items()]
        )

    def __init__(self, **given: Any):
        kind = type(self)
        parameters, options = kind.parameters(), kind.options()
        for name in given:
            if name not in parameters and name not in options:
                raise UnknownNameError(f"parameter or option of {kind.__name__}", name, (*parameters, *options))
        values = {n: p.validated(given.get(n, p.default), kind.__name__) for n, p in parameters.items()}
        chosen = {n: o.validated(given.get(n, o.default), kind.__name__) for n, o in options.items()}
        for value in values.values():
            if isinstance(value, np.ndarray):
                value.setflags(write=False)
        self.__dict__.update(_values=MappingProxyType(values), _options=MappingProxyType(chosen))
        self._checked()

    def __reduce__(self) -> tuple[Any, ...]:
        return restored, (type(self), dict(self._values), dict(self._options))

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"systems are read-only: make another one with {name}=…")

    def __repr__(self) -> str:
        return line(type(self).__name__, {**self._options, **self._values})

    # -- declarations and values -----------------------------------------------------------------------------------

    @classmethod
    def parameters(cls) -> dict[str, Parameter]:
        """Declared parameters, bases first."""
        return cls.declared(Parameter)

    @classmethod
    def options(cls) -> dict[str, Option]:
        """Declared options."""
        return cls.declared(Option)

    @classmethod
    def declared(cls, kind: type) -> dict[str, Any]:
        """Class attributes of one kind, bases first."""
        found: dict[str, Any] = {}
        for base in reversed(cls.__mro__):
            found |= {n: v for n, v in vars(base).items() if isinstance(v, kind)}
        return {n: v for n, v in found.items() if getattr(cls, n) is v}

    @property
    def values(self) -> Mapping[str, Any]:
        """Values of the parameters."""
        return self._values

    @property
    def choices(self) -> Mapping[str, Any]:
        """Values of the options."""
        return self._options

    @classmethod
    def of_record(
        cls, parameters: Mapping[str, Any], options: Mapping[str, Any], coordinates: Sequence[str] | None
    ) -> Self:
        """The object with the parameters and :attr:`choices` of a record, whose configuration has these coordinates, if any."""
        return cls(**parameters, **options)

    def replace(self, **changes: Any) -> Self:
        """A copy with other parameters or options."""
        return type(self)(**{**self._values, **self._options, **changes})

    @cached_property
    def paths(self) -> int | None:
        """Number of paths, if a parameter is given per path."""
        counts = {len(v.values) for v in self._values.values() if isinstance(v, PerPath)}
        if len(counts) > 1:
            raise DefinitionError("per-path parameters have different numbers of paths", got=str(sorted(counts)))
        return next(iter(counts), None)

    def at_path(self, path: int) -> Self:
        """A copy with the parameters of one path, unchecked."""
        return self.with_values({n: v.values[path] if isinstance(v, PerPath) else v for n, v in self._values.items()})

    def check(self) -> None:
        """Conditions on several parameters together; raise an :class:`InputError` if they are violated."""

    def _checked(self) -> None:
        """Call :meth:`check`, for all paths together if possible, else path by path."""
        answers = self.decide_by_path(type(self).check)
        for answer in answers:
            if answer is not None:
                raise DefinitionError(
                    f"{type(self).__name__}.check gives {answer!r}", expected="an InputError raised, or None"
                )

    def decide_by_path(self, ask: Callable[[Any], Any]) -> list[Any]:
        """The decision of a method that depends on numbers: one answer for all paths if possible, else one for each path."""
        paths = self.paths
        try:
            return [ask(self)]
        except PerPathError:
            return [ask(self.at_path(i)) for i in range(paths or 0)]

    # -- copies with other values - --------------------------------------------------------------------------------

    def value_shape(self, name: str) -> tuple[int, ...]:
        """Shape of a parameter on one path; ``()`` for a table, which is one symbol."""
        if name in self.table_names:
            return ()
        value = self._values[name]
        shape = value.values.shape[1:] if isinstance(value, PerPath) else np.shape(value)
        return tuple(map(int, shape))

    @property
    def signature(self) -> tuple[Any, ...]:
        """What the derivation depends on: class, options and shapes, but no numbers."""
        return (type(self), tuple(self._options.items()), tuple((n, self.value_shape(n)) for n in self._values))

    @cached_property
    def symbol_names(self) -> dict[str, np.ndarray]:
        """The names of each parameter's symbols, in its shape: k, k1 …, k1_1 …; a symmetric matrix has one for both triangles.
        Tables are not among them, see :attr:`table_names`.

        Raises
        ------
        DefinitionError
            If two parameters share a symbol.
        """
        found, owners = {}, dict[str, str]()
        for name, p in self.parameters().items():
            names = np.empty(self.value_shape(name), dtype=object)
            for index in np.ndindex(names.shape):
                key = sorted(index) if p.symmetric and names.ndim == 2 else index
                symbol = names[index] = self.symbol_stem(name) + "_".join(str(i + 1) for i in key)
                if owners.setdefault(symbol, name) != name:
                    raise DefinitionError(
                        f"the parameters {owners[symbol]!r} and {name!r} of {type(self).__name__} have one symbol, {symbol}",
                        hint="Give one of them another symbol=.",
                    )
            found[name] = names
        return {name: names for name, names in found.items() if name not in self.table_names}

    def symbol_stem(self, name: str) -> str:
        """The name of a parameter's symbols without indices."""
        return self.parameters()[name].symbol or name

    @cached_property
    def table_names(self) -> dict[str, str]:
        """The name of the symbol of each table."""
        declared = self.parameters().items()
        return {name: p.symbol or name for name, p in declared if isinstance(p, TableParameter)}

    @property
    def symbol_places(self) -> list[tuple[str, tuple[int, ...]]]:
        """The places (name, index) of the values of the distinct symbols of the parameters, in the order of the symbols."""
        found: dict[str, tuple[str, tuple[int, ...]]] = {}
        for name, symbols in self.symbol_names.items():
            for index, symbol in np.ndenumerate(symbols):
                found.setdefault(symbol, (name, index))
        return list(found.values())

    def with_symbols(self, symbol: Callable[[str], Any]) -> dict[str, np.ndarray]:
        """Read-only arrays in the shapes of the parameters; a function makes each entry from the name of its symbol."""
        if not callable(symbol):
            raise InputError("symbol", expected="a function of a name", got=reprlib.repr(symbol))
        found = {}
        for name, names in self.symbol_names.items():
            found[name] = np.empty(names.shape, dtype=object)
            for index, text in np.ndenumerate(names):
                found[name][index] = symbol(text)
            found[name].flags.writeable = False
        return found

    @cached_property
    def parameter_symbols(self) -> dict[str, np.ndarray]:
        """The symbols of each parameter, in its shape."""
        from semidirect.core.symbols import real

        return self.with_symbols(real)

    @cached_property
    def table_symbols(self) -> dict[str, Any]:
        """The symbol of each table."""
        if not self.table_names:
            return {}
        from semidirect.core.interpolated import table_symbol

        return {name: table_symbol(symbol) for name, symbol in self.table_names.items()}

    @cached_property
    def all_symbols(self) -> dict[str, np.ndarray]:
        """The symbols of each parameter, and an array ``()`` for each table."""
        return {**self.parameter_symbols, **{name: np.array(x, dtype=object) for name, x in self.table_symbols.items()}}

    @cached_property
    def symbolic(self) -> Self:
        """A copy with symbols for its parameters."""
        return self.with_arrays(self.parameter_symbols, self.table_symbols)

    def with_arrays(self, values: Mapping[str, np.ndarray], tables: Mapping[str, Any] = MappingProxyType({})) -> Self:
        """A copy whose parameters have the entries of these arrays, unchecked; a scalar is given by an array ``()``.

        Tables keep their numbers, unless something is given that stands for them.
        """
        entries = {name: array if array.ndim else array.item() for name, array in values.items()}
        return self.with_values({**{name: self._values[name] for name in self.table_names}, **entries, **tables})

    def with_values(self, values: Mapping[str, Any]) -> Self:
        """A copy whose parameters have these values, unchecked."""
        twin = object.__new__(type(self))
        twin.__dict__.update(_values=MappingProxyType(dict(values)), _options=self._options)
        return twin


def restored(kind: type[Parametrised], values: Mapping[str, Any], options: Mapping[str, Any]) -> Parametrised:
    """An object from its pickle: the class by reference, with the validated values."""
    for value in values.values():
        array = value.values if isinstance(value, PerPath) else value
        if isinstance(array, np.ndarray):
            array.setflags(write=False)
    twin = object.__new__(kind)
    twin.__dict__.update(_values=MappingProxyType(dict(values)), _options=MappingProxyType(dict(options)))
    return twin

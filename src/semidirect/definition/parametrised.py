"""A frozen object with declared parameters and options, which hold numbers, symbols or one number per path."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from inspect import Signature
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from semidirect.core import PerPath, display, errors
from semidirect.definition.parameters import Option, Parameter
from semidirect.definition.workings import Workings, WorkingsOf, declared

if TYPE_CHECKING:
    from semidirect.definition.definition import Definition


class Parametrised:
    """Base of objects with parameters and options, class attributes made by ``sd.parameter`` and ``sd.option``."""

    workings = WorkingsOf(Workings[Any])
    _values: Mapping[str, Any]
    _options: Mapping[str, Any]

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        arguments: dict[str, Parameter | Option] = {**declared(cls, Parameter), **declared(cls, Option)}
        cls.__signature__ = Signature(  # type: ignore[attr-defined]
            [inspect.Parameter(n, inspect.Parameter.KEYWORD_ONLY, default=d.default) for n, d in arguments.items()]
        )

    def __init__(self, **settings: Any):
        kind = type(self)
        parameters, options = declared(kind, Parameter), declared(kind, Option)
        for name in settings:
            if name not in parameters and name not in options:
                raise errors.UnknownNameError(f"parameter or option of {kind.__name__}", name, (*parameters, *options))
        values = {n: p.validated(settings.get(n, p.default), kind.__name__) for n, p in parameters.items()}
        choices = {n: o.validated(settings.get(n, o.default), kind.__name__) for n, o in options.items()}
        for value in values.values():
            if isinstance(value, np.ndarray):
                value.setflags(write=False)
        self.__dict__.update(_values=MappingProxyType(values), _options=MappingProxyType(choices))
        self._checked()

    def __reduce__(self) -> tuple[Any, ...]:
        return restored, (type(self), dict(self._values), dict(self._options))

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"systems are read-only: make another one with {name}=…")

    def __repr__(self) -> str:
        return display.line(type(self).__name__, {**self._options, **self._values})

    # -- declarations and values -----------------------------------------------------------------------------------

    @property
    def values(self) -> Mapping[str, Any]:
        """Values of the parameters."""
        return self._values

    @property
    def _choices(self) -> Mapping[str, Any]:
        """Values of the options."""
        return self._options

    def replace(self, **changes: Any) -> Self:
        """A copy with other parameters or options."""
        return type(self)(**{**self._values, **self._options, **changes})

    def at_path(self, path: int) -> Self:
        """A copy with the parameters of one path, unchecked."""
        return self.workings.with_values(
            {n: v.values[path] if isinstance(v, PerPath) else v for n, v in self._values.items()}
        )

    def _of_some_paths(self) -> list[Self]:
        """The object itself, or those of the first, a middle and the last path."""
        count = self.workings.paths
        return [self] if count is None else [self.at_path(i) for i in sorted({0, count // 2, count - 1})]

    def check(self) -> None:
        """Conditions on several parameters together; raise an :class:`InputError` if they are violated."""

    def _checked(self) -> None:
        """Call :meth:`check`, for all paths together if possible, else path by path."""
        answers = self.workings.decide_by_path(type(self).check)
        for answer in answers:
            if answer is not None:
                raise errors.DefinitionError(
                    f"{type(self).__name__}.check gives {answer!r}", expected="an InputError raised, or None"
                )

    @classmethod
    def _of_record(
        cls, parameters: Mapping[str, Any], options: Mapping[str, Any], coordinates: Sequence[str] | None
    ) -> Self:
        """The object with the parameters and :attr:`choices` of a record, whose configuration has these coordinates, if any."""
        return cls(**parameters, **options)

    def _define_with(self, parameters: Sequence[Any]) -> Definition:
        """The definition whose parameters are these symbols."""
        raise NotImplementedError

    def _stated_definition(self, parameters: Sequence[Any], joining: Any) -> Definition:
        """The definition, several constraints of it solved together in known steps."""
        raise NotImplementedError

    def _owner_of_results(self) -> Any:
        """The owner of results of all systems with this definition: the class."""
        return type(self)

    def _symbol_stem(self, name: str) -> str:
        """The name of a parameter's symbols without indices."""
        return declared(type(self), Parameter)[name].symbol or name


def restored(kind: type[Parametrised], values: Mapping[str, Any], options: Mapping[str, Any]) -> Parametrised:
    """An object from its pickle: the class by reference, with the validated values."""
    for value in values.values():
        array = value.values if isinstance(value, PerPath) else value
        if isinstance(array, np.ndarray):
            array.setflags(write=False)
    twin = object.__new__(kind)
    twin.__dict__.update(_values=MappingProxyType(dict(values)), _options=MappingProxyType(dict(options)))
    return twin

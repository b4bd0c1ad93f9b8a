"""Parameters and options of a system: numbers that become symbols in a derivation, and choices that change the definition."""

from __future__ import annotations

import math
import reprlib
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Generic, Self, SupportsFloat, TypeAlias, TypeVar, overload

import numpy as np

from semidirect.core import PerPath, arguments, errors, explains_calls

Numbers: TypeAlias = SupportsFloat | Sequence[Any] | np.ndarray | PerPath
"""What a parameter is given: a number, an array, or values per path."""

Shape = tuple[int | None, ...]

LARGEST_EXAMPLE = 16
"""Numbers of an array that is written out in a message."""


class Parameter:
    """A number or array with unit and bounds. While a system is traced it is a symbol, so do not use it in Python control flow.

    Made by :func:`parameter`. Its shape is part of the structure of the system, its value is not. Type checkers and editors
    take ``mass: sd.Parameter = sd.parameter(1.0)`` for an argument of the system with that name.
    """

    is_table: ClassVar[bool] = False
    """Whether it is the nodes or the values of an interpolant, as many as one likes."""

    def __init__(self, default: Any, unit: str, doc: str, symbol: str, shapes: Sequence[Shape],
                 positive: bool, nonnegative: bool, check: Callable[[np.ndarray], None] | None):  # fmt: skip
        self.default, self.unit, self.doc, self.symbol = default, unit, doc, symbol
        several = isinstance(shapes, Sequence) and not isinstance(shapes, str)
        self.shapes: tuple[Any, ...] = (tuple(shapes) if several else (shapes,)) or (self._shape_of_default(),)
        if not all(isinstance(s, tuple) and all(k is None or isinstance(k, int) for k in s) for s in self.shapes):
            raise errors.DefinitionError("the shape of a parameter", expected="a tuple such as (None, 3), or a list of such",
                                  got=str(list(self.shapes)))  # fmt: skip
        self.positive, self.nonnegative, self.check = positive, nonnegative, check
        self.name = ""

    def _shape_of_default(self) -> tuple[int, ...]:
        try:
            return np.shape(self.default)
        except ValueError:
            raise errors.DefinitionError("the default of a parameter", expected="a number or an array of numbers",
                                  got=reprlib.repr(self.default)) from None  # fmt: skip

    @property
    def symmetric(self) -> bool:
        """Whether a matrix value is symmetric by declaration."""
        return self.check is check_inertia

    @property
    def of_length_one(self) -> bool:
        """Whether a value is a unit vector by declaration."""
        return self.check is check_unit

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, instance: None, owner: type | None = None) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type | None = None) -> np.ndarray: ...
    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else instance._values[self.name]

    def __set__(self, instance: object, value: Numbers) -> None:
        raise AttributeError(f"systems are read-only; make another one with {self.name}=…")

    def shape_of(self, value: np.ndarray, system: str) -> None:
        """Check a shape against the declared ones (``None`` stands for any count)."""
        for shape in self.shapes:
            if len(shape) == value.ndim and all(s in (None, k) for s, k in zip(shape, value.shape, strict=True)):
                return
        if value.shape == (0,) and any(None in s for s in self.shapes):
            return
        expected = " or ".join(
            str(tuple("kmn"[i] if s is None else s for i, s in enumerate(shape))).replace("'", "")
            for shape in self.shapes
        )
        raise errors.InputError(
            f"parameter {self.name!r} of {system} has the wrong shape", expected=expected, got=str(value.shape),
            hint=self._example(value) or self._by_path(value),
        )  # fmt: skip

    def _by_path(self, value: np.ndarray) -> str:
        """That an array with an axis more may be meant as values of paths."""
        inner = value.shape[1:]
        fits = any(
            len(s) == len(inner) and all(n in (None, k) for n, k in zip(s, inner, strict=True)) for s in self.shapes
        )
        return f"One value for each path is {self.name}=sd.PerPath(…), in Python." if value.ndim and fits else ""

    def _example(self, value: np.ndarray) -> str:
        """How a number or a vector is written where an array of more dimensions is expected."""
        larger = [tuple(1 if n is None else n for n in shape) for shape in self.shapes if len(shape) > value.ndim]
        shape = min(larger, key=len, default=())
        if not 0 < math.prod(shape) <= LARGEST_EXAMPLE or (
            value.ndim and value.shape != shape[len(shape) - value.ndim :]
        ):
            return ""
        example = np.zeros(shape)
        if value.ndim:
            example[...] = value
        elif len(shape) == 1:
            example[:] = value
        else:  # a field along the last axis
            example.flat[-1] = value
        return f"For example {self.name}={example.tolist()}."

    def validated(self, value: Any, system: str) -> np.ndarray | PerPath:
        """The value as a float array, checked; raises :class:`InputError`."""
        if isinstance(value, PerPath):
            values = self._floats(value.values, system)
            if values.ndim == 0 or len(values) == 0:
                raise errors.InputError(
                    f"per-path values of {self.name!r}", expected="a first axis of paths",
                    got="one number" if values.ndim == 0 else "no path",
                )  # fmt: skip
            for i, one in enumerate(values):
                self._checked(one, system, f"path {i}")
            values.setflags(write=False)
            return PerPath(values)
        return self._checked(self._floats(value, system), system, "")

    def _floats(self, value: Any, system: str) -> np.ndarray:
        try:
            return arguments.numeric(value)
        except (TypeError, ValueError):
            raise errors.InputError(
                f"parameter {self.name!r} of {system} is not numeric", expected="a number or an array of numbers",
                got=reprlib.repr(value),
            ) from None  # fmt: skip

    def _checked(self, value: np.ndarray, system: str, where: str) -> np.ndarray:
        self.shape_of(value, system)
        if value.size == 0 and value.ndim == 1 and any(len(s) == 2 for s in self.shapes):
            value = value.reshape(0, next(s[1] or 0 for s in self.shapes if len(s) == 2))
        what = f"parameter {self.name!r} of {system}"
        if not np.all(np.isfinite(value)):
            raise errors.InputError(what, expected="finite numbers", got=str(value.tolist()), where=where)
        if self.positive and not np.all(value > 0):
            raise errors.InputError(what, expected="positive", got=str(value.tolist()), where=where)
        if self.nonnegative and not np.all(value >= 0):
            raise errors.InputError(what, expected="not negative", got=str(value.tolist()), where=where)
        if self.check is not None:
            try:
                answer: Any = self.check(value)
                if answer is not None:
                    raise errors.DefinitionError(
                        f"the check of {what} gives {reprlib.repr(answer)}",
                        expected="an errors.InputError raised, or None",
                    )
            except errors.DefinitionError:
                raise
            except errors.InputError as error:
                raise errors.InputError(what, expected=error.expected, got=error.got or str(value.tolist()), where=where,
                                 hint=error.hint) from None  # fmt: skip
        return value


@explains_calls
def parameter(default: Numbers, *, unit: str = "", doc: str = "", symbol: str = "", shape: Shape | Sequence[Shape] | None = None,
              positive: bool = False, nonnegative: bool = False,
              check: Callable[[np.ndarray], None] | None = None) -> Parameter:  # fmt: skip
    """Declare a parameter of a system: ``mass: sd.Parameter = sd.parameter(1.0, unit="kg")``.

    Parameters
    ----------
    default : number or array_like
        Default value.
    unit, doc : str
        Unit and a description of one line, for lists.
    symbol : str
        How it is written in equations; default its name.
    shape : tuple, or list of tuples
        Allowed shapes; ``None`` in a shape is any count. Default: the shape of ``default``.
    positive, nonnegative : bool
        Bounds on every entry.
    check : callable(array)
        Raises :class:`InputError` with ``expected`` for other conditions.
    """
    shapes: list[Any] = [] if shape is None else list(shape) if isinstance(shape, list) else [shape]
    return Parameter(default, unit, doc, symbol, shapes, positive, nonnegative, check)


@explains_calls
def inertia(default: Numbers, *, unit: str = "kg m²", doc: str = "moment of inertia") -> Parameter:
    """Declare an inertia tensor: principal moments ``(3,)`` or a symmetric matrix ``(3, 3)``.

    Moments must be positive and satisfy the triangle inequality I_1 + I_2 ≥ I_3 to 1e-12 relative, as for any rigid body.
    """
    return parameter(default, unit=unit, doc=doc, symbol="I", shape=[(3,), (3, 3)], check=check_inertia)


@explains_calls
def unit_vector(default: Numbers, *, doc: str = "", symbol: str = "") -> Parameter:
    """Declare a unit vector of R³, |v| = 1 to 1e-12."""
    return parameter(default, unit="1", doc=doc, symbol=symbol, check=check_unit)


def check_inertia(value: np.ndarray) -> None:
    """Raise if no rigid body has this inertia."""
    if value.ndim == 2:
        if not np.allclose(value, value.T, rtol=1e-12, atol=1e-12 * np.abs(value).max()):
            raise errors.InputError("inertia", expected="a symmetric matrix")
        moments = np.linalg.eigvalsh(value)
    else:
        moments = np.sort(value)
    if moments[0] <= 0:
        raise errors.InputError("inertia", expected="positive principal moments", got=str(moments.tolist()))
    if moments[0] + moments[1] < moments[2] * (1 - 1e-12):
        raise errors.InputError(
            "inertia", expected="moments with I1 + I2 >= I3 (triangle inequality)", got=str(moments.tolist()),
            hint="No rigid body has these moments; each is at most the sum of the other two.",
        )  # fmt: skip


def check_unit(value: np.ndarray) -> None:
    """Raise if the vector is not of length 1."""
    length = float(np.linalg.norm(value))
    if abs(length - 1) > 1e-12:
        scaled = (value / length).tolist() if length else "nothing: it is zero"
        raise errors.InputError(
            "vector", expected="length 1", got=f"length {length!r}", hint=f"Normalised it is {scaled}."
        )


Choice = TypeVar("Choice")


class Option(Generic[Choice]):
    """A choice that may change the definition: a string, a bool or a count. Made by :func:`option`."""

    def __init__(self, default: Choice, choices: tuple[Choice, ...], doc: str):
        if not isinstance(default, (str, bool, int)):
            raise errors.DefinitionError("an option", expected="text, a truth value or a count", got=reprlib.repr(default),
                                  hint="A number with a unit is a parameter (sd.parameter).")  # fmt: skip
        if not (isinstance(choices, tuple) and all(isinstance(x, (str, bool, int)) for x in choices)):
            raise errors.DefinitionError("the choices of an option", expected="a tuple of texts, truth values or counts",
                                  got=reprlib.repr(choices))  # fmt: skip
        if choices and default not in choices:
            raise errors.DefinitionError(
                "the default of an option", expected=" or ".join(map(repr, choices)), got=repr(default)
            )
        self.default, self.choices, self.doc = default, choices, doc
        self.name = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, instance: None, owner: type | None = None) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type | None = None) -> Choice: ...
    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else instance._options[self.name]

    def __set__(self, instance: object, value: Choice) -> None:
        raise AttributeError(f"systems are read-only; make another one with {self.name}=…")

    def validated(self, value: Any, system: str) -> Any:
        """The value if it is allowed; raises :class:`InputError`."""
        if type(value) is type(self.default) and (not self.choices or value in self.choices):
            return value
        kind = {bool: "true or false", int: "a whole number", str: "text"}.get(type(self.default), "another type")
        expected = " or ".join(map(repr, self.choices)) or kind
        raise errors.InputError(f"option {self.name!r} of {system}", expected=expected, got=reprlib.repr(value))


@explains_calls
def option(default: Choice, *, choices: Sequence[Choice] = (), doc: str = "") -> Option[Choice]:
    """Declare an option of a system: a string, bool or count; ``choices`` lists the values it may take.

    As in ``coupling: sd.Option[str] = sd.option("variational", choices=("variational", "printed"))``.
    """
    if isinstance(choices, str) or not isinstance(choices, Sequence):
        raise errors.DefinitionError("the choices of an option", expected="a sequence of values", got=repr(choices))
    return Option(default, tuple(choices), doc)

"""An entry of a matrix that is written out: a real or complex number whose parts are expressions or numbers of any kind."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, ClassVar, final

import numpy as np

from semidirect.core import ops


@final
class Entry(ops.Scalar):
    """re + i im. A part that is 0 is the integer 0, with which nothing is multiplied and to which nothing is added.

    NumPy calls the methods with the names of its functions for arrays of objects, so ``np.conj(W)`` and ``W @ W`` work.
    """

    __slots__ = ("im", "re")
    __array_priority__: ClassVar[float] = 1000.0  # operators of an array with an entry are those of the entry

    def __init__(self, re: Any, im: Any = 0):
        self.re, self.im = re, im

    @classmethod
    def of(cls, x: Any) -> Entry:
        """A number of any kind as an entry."""
        if isinstance(x, Entry):
            return x
        if isinstance(x, (complex, np.complexfloating)):
            return cls(_part(x.real), _part(x.imag))
        return cls(_part(x))

    @property
    def real(self) -> Entry:
        """The real part."""
        return Entry(self.re)

    @property
    def imag(self) -> Entry:
        """The imaginary part."""
        return Entry(self.im)

    def conjugate(self) -> Entry:
        """re − i im."""
        return Entry(self.re, _negative(self.im))

    def __repr__(self) -> str:
        return f"{self.re}" if _is_zero(self.im) else f"{self.re} + i ({self.im})"

    # -- arithmetic ------------------------------------------------------------------------------------------------

    def __add__(self, other: Any) -> Any:
        return _with(other, lambda b: Entry(_sum(self.re, b.re), _sum(self.im, b.im)))

    def __sub__(self, other: Any) -> Any:
        return _with(other, lambda b: self + -b)

    def __rsub__(self, other: Any) -> Any:
        return _with(other, lambda b: b + -self)

    def __mul__(self, other: Any) -> Any:
        return _with(other, self._times)

    def _times(self, b: Entry) -> Entry:
        re = _sum(_product(self.re, b.re), _negative(_product(self.im, b.im)))
        return Entry(re, _sum(_product(self.re, b.im), _product(self.im, b.re)))

    def __truediv__(self, other: Any) -> Any:
        return _with(other, self._over)

    def __rtruediv__(self, other: Any) -> Any:
        return _with(other, lambda b: b._over(self))

    def _over(self, b: Entry) -> Entry:
        if _is_zero(b.im):
            return Entry(_quotient(self.re, b.re), _quotient(self.im, b.re))
        size = _sum(_product(b.re, b.re), _product(b.im, b.im))
        above = self * b.conjugate()
        return Entry(_quotient(above.re, size), _quotient(above.im, size))

    def __neg__(self) -> Entry:
        return Entry(_negative(self.re), _negative(self.im))

    def __pos__(self) -> Entry:
        return self

    def __pow__(self, power: Any) -> Any:
        if _is_zero(self.im):
            return Entry(self.re**power)
        if isinstance(power, bool) or power != int(power) or not 0 <= power <= 64:
            raise TypeError(f"a complex expression to the power of {power}; only whole powers up to 64 are written out")
        out = Entry(1)
        for _ in range(int(power)):
            out = out * self
        return out

    def __abs__(self) -> Entry:
        if _is_zero(self.im):
            return Entry(ops.absolute(self.re))
        return Entry(ops.sqrt(_product(self.re, self.re) + _product(self.im, self.im)))

    __radd__, __rmul__ = __add__, __mul__

    # -- comparisons and functions, of real entries ----------------------------------------------------------------

    def _alone(self) -> Any:
        if not _is_zero(self.im):
            raise TypeError("a comparison or a function of a complex expression, which is not written out")
        return self.re

    def __lt__(self, other: Any) -> Any:
        return self._compared(operator.lt, other)

    def __le__(self, other: Any) -> Any:
        return self._compared(operator.le, other)

    def __gt__(self, other: Any) -> Any:
        return self._compared(operator.gt, other)

    def __ge__(self, other: Any) -> Any:
        return self._compared(operator.ge, other)

    def _compared(self, how: Callable[[Any, Any], Any], other: Any) -> Any:
        return _with(other, lambda b: Entry(how(self._alone(), b._alone())))

    def select(self, if_true: Any, if_false: Any) -> Entry:
        """One of two entries, by this condition."""
        yes, no = Entry.of(if_true), Entry.of(if_false)
        same = _is_zero(yes.im) and _is_zero(no.im)
        return Entry(ops.where(self.re, yes.re, no.re), 0 if same else ops.where(self.re, yes.im, no.im))

    def __bool__(self) -> bool:
        raise TypeError("a decision on the value of an expression")

    def elementary(self, name: Any) -> Entry:
        """An elementary function."""
        return Entry(ops.elementwise(name, self._alone()))

    def sqrt(self) -> Entry:
        """As ``np.sqrt`` asks for it; the others alike."""
        return self.elementary("sqrt")

    def exp(self) -> Entry:
        """The exponential."""
        return self.elementary("exp")

    def log(self) -> Entry:
        """The natural logarithm."""
        return self.elementary("log")

    def sin(self) -> Entry:
        """The sine."""
        return self.elementary("sin")

    def cos(self) -> Entry:
        """The cosine."""
        return self.elementary("cos")


def _with(other: Any, result: Callable[[Entry], Entry]) -> Any:
    """The result with a number, or with each entry of an array."""
    if not isinstance(other, np.ndarray):
        return result(Entry.of(other))
    out = np.empty(other.shape, dtype=object)
    for index in np.ndindex(other.shape):
        out[index] = result(Entry.of(other[index]))
    return out.view(Entries)


@final
class Entries(np.ndarray):
    """An array of entries, with the real and imaginary parts that NumPy gives arrays of numbers alone."""

    @classmethod
    def of(cls, values: Any) -> Entries:
        """An array of numbers or expressions as one of entries."""
        array = np.asarray(values)
        out = np.empty(array.shape, dtype=object)
        for index in np.ndindex(array.shape):
            out[index] = Entry.of(array[index])
        return out.view(cls)

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        """Arrays of objects that functions of NumPy make of entries are arrays of entries."""
        out = super().__array_function__(func, types, args, kwargs)
        return out.view(Entries) if isinstance(out, np.ndarray) and out.dtype == object else out

    @property  # type: ignore[misc]
    def real(self) -> Any:
        """The real parts."""
        return self._each(lambda x: x.real)

    @property  # type: ignore[misc]
    def imag(self) -> Any:
        """The imaginary parts."""
        return self._each(lambda x: x.imag)

    def _each(self, part: Callable[[Entry], Entry]) -> Any:
        out = np.empty(self.shape, dtype=object)
        for index in np.ndindex(self.shape):
            out[index] = part(Entry.of(self[index]))
        return out.view(Entries)


def _part(x: Any) -> Any:
    """A number or expression; the integer 0 for a number that is 0."""
    if isinstance(x, np.generic):
        x = x.item()
    return 0 if isinstance(x, (int, float)) and x == 0 else x


def _is_zero(x: Any) -> bool:
    return type(x) is int and x == 0


def _sum(a: Any, b: Any) -> Any:
    return b if _is_zero(a) else a if _is_zero(b) else a + b


def _product(a: Any, b: Any) -> Any:
    if _is_zero(a) or _is_zero(b):
        return 0
    return b if type(a) in (int, float) and a == 1 else a if type(b) in (int, float) and b == 1 else a * b


def _quotient(a: Any, b: Any) -> Any:
    return 0 if _is_zero(a) and not _is_zero(b) else a / b


def _negative(a: Any) -> Any:
    return 0 if _is_zero(a) else -a

"""Calling a user's functions with symbols: floats stay exact, and operations that symbols do not support raise our errors."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from semidirect.core import ops
from semidirect.core.errors import DefinitionError, InputError, SemidirectError
from semidirect.core.messages.user_source_line import user_source_line
from semidirect.core.symbols import exact_floats

_SLIPS = (
    (r"has no callable (?P<name>\w+) method|'\w+' object has no attribute '(?P<other>\w+)'", "{function}"),
    (r"Cannot convert .*(expression|symbols|complex) to (float|int|complex)",
     "Symbols are not floats: use functions of semidirect.core.ops instead of math, and ops.array([…]) instead of assigning "
     "entries."),
    (r"cannot determine truth value of Relational",
     "No Python if, max, min, and, or, np.where on a state or a parameter: use ops.where, ops.maximum, ops.absolute, entry "
     "by entry, or make it an option (sd.option)."),
    (r"Cannot cast ufunc|unsupported in linalg",
     "NumPy's linear algebra takes numbers only: write it with ops.dot, ops.matvec, ops.matmul, ops.norm."),
    (r"'TableSymbol'", "A table is known through its interpolant only: ops.interpolate(x, nodes, values)."),
    (r"unsupported format string", "A symbol cannot be formatted as a number."),
    (r"(destination|array) is read-only", "A function must not change its arguments: make a new array, ops.array([…])."),
    (r"inhomogeneous|setting an array element with a sequence", "An array needs rows of one shape: see ops.array."),
    (r"unsupported operand .*'Blocks'",
     "xi, a, z and state consist of named blocks, such as xi.Omega; np.asarray(xi) is the whole vector."),
    (r"loop of ufunc does not support|ufunc '\w+' not supported|symbolic expression",
     "Write it with functions of semidirect.core.ops."),
)  # fmt: skip
"""Messages of NumPy, SymPy and math for a symbol in a function that only works with numbers, and what to do."""

_SPELLED = {"abs": "absolute", "fabs": "absolute"}


@contextmanager
def tracing() -> Iterator[None]:
    """The context in which users' functions are called with symbols; see :func:`.symbols.exact_floats`.

    Raises
    ------
    DefinitionError
        Replaces the messages of NumPy, SymPy and Python for operations that need numbers, not symbols; it names the line
        of the definition and says what to write. Any other exception of a user's function passes through as it is.
    """
    with exact_floats():
        try:
            yield
        except SemidirectError as error:
            where = user_source_line(error)
            if type(error) is not InputError or error.where or not where:
                raise
            raise DefinitionError(
                error.what, expected=error.expected, got=error.got, where=where, hint=error.hint
            ) from error
        except (TypeError, AttributeError, ValueError) as error:
            where, hint = user_source_line(error), _hint(error)
            if not where or not hint:
                raise
            first = str(error).split("\n")[0]
            raise DefinitionError(
                "a function of the definition cannot be called with symbols", got=f"{type(error).__name__}: {first}",
                where=where, hint=hint,
            ) from error  # fmt: skip


def _hint(error: BaseException) -> str:
    """The form to write instead; empty for an error that has nothing to do with symbols."""
    text = str(error)
    for pattern, hint in _SLIPS:
        match = re.search(pattern, text)
        if not match:
            continue
        if hint != "{function}":
            return hint
        if isinstance(error, AttributeError) and not _of_sympy(text):
            return ""
        name = match["name"] or match["other"]
        name = _SPELLED.get(name, name)
        return (
            f"Write ops.{name} (of semidirect)."
            if name in ops.__all__
            else "Write it with functions of semidirect.core.ops."
        )
    return ""


def _of_sympy(text: str) -> bool:
    """Whether the object without the attribute is an expression."""
    import sympy

    match = re.match(r"'(\w+)' object", text)
    kind = getattr(sympy, match[1], None) if match else None
    return isinstance(kind, type) and issubclass(kind, sympy.Basic)

"""Types of arithmetic on numbers, found once for a process: a kernel has a thousand operations of a few kinds.

Numba looks for the implementation of an operator among all that are declared for it, and does so for each operation of a
function: about a quarter of the time that a kernel needs to be compiled.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock
from typing import Any

from numba.core import types

_OPERATORS = frozenset(
    getattr(operator, name) for name in ("add", "sub", "mul", "truediv", "neg", "lt", "le", "gt", "ge", "eq", "ne", "and_", "or_",
                                         "xor", "lshift", "rshift", "iadd", "isub", "imul", "iand", "ior", "ixor")
)  # fmt: skip
_NUMBERS = (types.Float, types.Integer, types.Boolean)
_found: dict[tuple[Any, ...], tuple[Any, Any]] = {}
_one_at_a_time = RLock()


@contextmanager
def remembered() -> Iterator[None]:
    """While this lasts, Numba remembers the types of operations on numbers."""
    kind = types.BaseFunction
    with _one_at_a_time:
        slow = kind.get_call_type

        def quick(self: Any, context: Any, args: tuple[Any, ...], kws: Any) -> Any:
            if kws or self.typing_key not in _OPERATORS or not all(isinstance(x, _NUMBERS) for x in args):
                return slow(self, context, args, kws)
            key = (context, self.typing_key, args)
            if key not in _found:
                signature = slow(self, context, args, kws)
                if signature is None:
                    return None
                _found[key] = signature, self.get_impl_key(signature)
            signature, implementation = _found[key]
            self._impl_keys[signature.args] = implementation
            return signature

        kind.get_call_type = quick  # type: ignore[method-assign]
        try:
            yield
        finally:
            kind.get_call_type = slow  # type: ignore[method-assign]

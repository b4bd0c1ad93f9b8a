"""Python functions that are compiled at their first call."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Callable
from functools import cached_property, update_wrapper
from typing import TYPE_CHECKING, Any, final

if TYPE_CHECKING:
    from semidirect.machine.cache.compiled_function import CompiledFunction

__all__ = ["MachineFunction", "machine_function"]


@final
class MachineFunction:
    """A function of a module that is compiled at its first call, and found in the cache of the user from then on.

    Parameters
    ----------
    python : function
        In the part of Python that :func:`semidirect.machine.llvm_functions.llvm_text` describes.
    types : dict name → type
        The types of its arguments, as annotations would declare them there.
    """

    def __init__(self, python: Callable[..., None], types: dict[str, str]):
        self.python, self._types = python, types
        update_wrapper(self, python)

    @cached_property
    def _code(self) -> CompiledFunction:
        from semidirect.machine.cache.compiled_function import CompiledFunction
        from semidirect.machine.llvm_functions import functions_of

        module = sys.modules[self.python.__module__]
        library = inspect.getsource(module)
        function = functions_of(library)[self.python.__name__]
        types = {k: ast.parse(v, mode="eval").body for k, v in self._types.items()}
        function.decorator_list, function.args.args = [], [ast.arg(k, v) for k, v in types.items()]
        text = ast.unparse(ast.fix_missing_locations(function))
        return CompiledFunction.of_text(text, function.name, vars(module), library=library, purpose=function.name)

    def __call__(self, *values: Any) -> None:
        """Call it with contiguous arrays and numbers, which are not checked."""
        self._code(*values)


def machine_function(**types: str) -> Callable[[Callable[..., None]], MachineFunction]:
    """Compile a function at its first call; the types of its arguments are given in their order."""
    return lambda python: MachineFunction(python, types)

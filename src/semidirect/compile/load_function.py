"""The machine code of a function with loops over lanes, found by its description."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from semidirect.compile.loop_function import LoopFunction
    from semidirect.machine import CompiledFunction

__all__ = ["loaded"]


def loaded(description: str, make: Callable[[], LoopFunction], purpose: str) -> tuple[CompiledFunction, dict[str, Any]]:
    """The machine code of a function with this :attr:`~.LoopFunction.described`, and its facts.

    ``make`` returns the function; it is called if it has to be compiled.
    """
    from semidirect.machine import CompiledFunction

    facts = json.loads(description)
    code = CompiledFunction.of([facts.pop("digest")], "run", lambda: make().source(), purpose)
    return code, facts

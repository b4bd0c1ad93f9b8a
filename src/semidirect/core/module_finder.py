"""Former names of modules still open what was pickled with them; the table of these names is read when one is looked for."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, final

if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec


@final
class MovedModules:
    """Finds the former names of modules, after all other finders: a module under such a name has the names of the present one."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The specification of a module that has moved."""
        if not fullname.startswith("semidirect."):
            return None
        from semidirect.core.moved_modules import MOVED

        if fullname not in MOVED:
            return None
        from importlib.machinery import ModuleSpec

        return ModuleSpec(fullname, self, is_package=True)  # type: ignore[arg-type]  # a loader without its base class

    def create_module(self, spec: ModuleSpec) -> None:
        """A module as usual."""

    def exec_module(self, module: ModuleType) -> None:
        """Let the module look its names up in the present one."""
        from semidirect.core.moved_modules import MOVED

        present = MOVED[module.__name__]

        def find(name: str) -> Any:
            return getattr(import_module(present), name)

        vars(module)["__getattr__"] = find


def find_moved_modules() -> None:
    """Let imports find the former names."""
    if not any(isinstance(finder, MovedModules) for finder in sys.meta_path):
        sys.meta_path.append(MovedModules())

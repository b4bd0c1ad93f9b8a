"""Names of a package that are imported when they are first used, so that importing the package is quick.

The stub of the package, ``__init__.pyi``, is their one source: type checkers read it, and so does this. A name that moved to
another place still works, with a warning that says the new one.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

from semidirect.core.explained_calls import explains_constructor


@cache
def stated_names(package: str) -> dict[str, str]:
    """Name → module that it is imported from, as the stub of a package states: ``from module import name as name``."""
    import ast
    from pkgutil import get_data  # the stub may lie in an archive, as the package may

    stub = get_data(package, "__init__.pyi") or b""
    imports = (node for node in ast.parse(stub).body if isinstance(node, ast.ImportFrom))
    return {a.name: node.module or package for node in imports for a in node.names if a.asname == a.name}


def lazy_names(
    package: str, *own: str, over_modules: Collection[str] = ()
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """``__getattr__`` and ``__dir__`` of a package with a stub.

    Parameters
    ----------
    package : str
        Its name.
    own : str
        Public names that it defines itself.
    over_modules : collection of str
        Public names that modules of the package have, too. ``package.name`` is what the stub states; the module is imported
        by its full name as any other.
    """
    if over_modules:
        sys.modules[package].__class__ = _hiding(frozenset(over_modules))

    def get(name: str) -> Any:
        places = stated_names(package)
        if name == "__all__":
            return [*own, *places]
        if name not in places:
            return _moved(package, name)
        if places[name] == package:  # a subpackage
            value: Any = import_module(f"{package}.{name}")
        else:
            value = getattr(__import__(places[name], fromlist=[name]), name)  # a module among them
        if isinstance(value, type):
            explains_constructor(value)
        setattr(sys.modules[package], name, value)
        return value

    def names() -> list[str]:
        return sorted({*own, *stated_names(package)})

    return get, names


def _hiding(names: Collection[str]) -> type[ModuleType]:
    """The class of a package that does not show its modules of these names as its attributes."""

    class Package(ModuleType):
        def __setattr__(self, name: str, value: Any) -> None:
            if not (name in names and isinstance(value, ModuleType)):
                super().__setattr__(name, value)

    return Package


def _moved(package: str, name: str) -> Any:
    """What had this name in the package, from its new place, with a warning.

    Raises
    ------
    AttributeError
        If nothing had it.
    """
    from semidirect.core.moved_names import MOVED, at_place, warn_of_move

    place = MOVED.get(package, {}).get(name)
    if place is None:
        raise AttributeError(f"module {package!r} has no attribute {name!r}")
    if not _looks_for_attributes(sys._getframe(2)):
        warn_of_move(f"{_short(package)}.{name}", f"{_short(package)}.{place}", stacklevel=4)
    return at_place(sys.modules[package], place)


def _looks_for_attributes(frame: Any) -> bool:
    """Whether this is the machinery of imports, which asks for a name before ``from package import name`` gets it."""
    return bool(frame.f_globals.get("__name__") == "importlib._bootstrap")


def _short(package: str) -> str:
    """A package as users write it."""
    top, dot, rest = package.partition(".")
    return f"{'sd' if top == 'semidirect' else top}{dot}{rest}"

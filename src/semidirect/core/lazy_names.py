"""Names of a package that are imported when they are first used, so that importing the package is quick.

The stub of the package, ``__init__.pyi``, is their one source: type checkers read it, and so does this.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
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


def lazy_names(package: str, *own: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """``__getattr__`` and ``__dir__`` of a package with a stub; ``own`` are the public names that it defines itself."""

    def get(name: str) -> Any:
        places = stated_names(package)
        if name == "__all__":
            return [*own, *places]
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        if places[name] == package:  # a subpackage
            value: Any = import_module(f"{package}.{name}")
        else:
            value = getattr(__import__(places[name], fromlist=[name]), name)  # a module among them
        if isinstance(value, type):
            explains_constructor(value)
        setattr(sys.modules[package], name, value)
        return value

    def names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *stated_names(package)})

    return get, names

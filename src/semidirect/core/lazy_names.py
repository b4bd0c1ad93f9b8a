"""Names of a package that are imported when they are first used, so that importing the package is quick."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any


def lazy_names(
    package: str, places: Mapping[str, Iterable[str]], modules: Mapping[str, str] | None = None
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """``__getattr__`` and ``__dir__`` of a package.

    Parameters
    ----------
    package : str
        Its ``__name__``.
    places : dict module → names
        Where the names are defined.
    modules : dict name → module, optional
        Names that stand for modules.
    """
    where = {name: module for module, names in places.items() for name in names}
    modules = modules or {}

    def get(name: str) -> Any:
        if name in where:
            value = getattr(import_module(where[name]), name)
        elif name in modules:
            value = import_module(modules[name])
        else:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        setattr(sys.modules[package], name, value)
        return value

    def names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *where, *modules})

    return get, names

"""Doors: what a package offers lies in modules inside of it, and is imported when it is first used.

The stub of a package, ``__init__.pyi``, lists what it offers, a line for each name, first for users, then for other packages.
Type checkers read it, and so does the door. Other packages, plugins and programs import from the door; modules of one package
import each other. A name that moved to another place still works, with a warning that says the new one.
"""

from __future__ import annotations

import sys
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, final

from semidirect.core.explained_calls import explains_constructor

if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec

__all__ = ["FOR_OTHERS", "Door", "module_spec", "offers", "open_door"]

FOR_OTHERS = '"""For other packages."""'
"""The line of a stub behind which names are not for users."""


def module_spec(module: str) -> ModuleSpec | None:
    """The place of a module; the packages that it is in are not imported."""
    if module in sys.modules:
        return sys.modules[module].__spec__
    from importlib.machinery import PathFinder
    from importlib.util import find_spec

    first, *others = module.split(".")
    spec = find_spec(first) if first else None
    for name in others:
        if spec is None or spec.submodule_search_locations is None:
            return None
        spec = PathFinder.find_spec(f"{spec.name}.{name}", spec.submodule_search_locations)
    return spec


@cache
def offers(package: str) -> dict[str, tuple[str, bool]]:
    """Name → the module that it is imported from, and whether it is for users, as the stub of the package states.

    A module without a stub offers nothing by one.
    """
    spec = module_spec(package)
    if spec is None or spec.submodule_search_locations is None:
        return {}
    loader: Any = spec.loader  # of a folder or an archive
    try:
        stub: bytes = loader.get_data(f"{spec.origin}i")
    except (AttributeError, OSError):  # a folder without a file has no loader of files
        return {}
    names, for_users = {}, True
    for line in stub.decode().splitlines():
        for_users = for_users and line != FOR_OTHERS
        match line.split():
            case ["from", place, "import", name, "as", _]:
                names[name] = package + place.rstrip(".") if place.startswith(".") else place, for_users
    return names


CORE = "semidirect.core"
"""Its door opens while the package is imported; locks, and what they do at forks, come with the first use of another one."""


@final
class Door(ModuleType):
    """A package that imports what it offers when it is asked for it."""

    _own: tuple[str, ...]

    def __getattr__(self, name: str) -> Any:
        names = offers(self.__name__)
        if name == "__all__":
            return [*self._own, *(n for n, (_, for_users) in names.items() if for_users)]
        if name not in names:
            return _moved(self.__name__, name)
        if self.__name__ != CORE:
            import semidirect.core.locks  # noqa: F401  # what it does at forks, before anything that takes a lock
        place, for_users = names[name]
        value = import_module(f"{place}.{name}") if place == self.__name__ else _from(place, name)
        if for_users and isinstance(value, type):
            explains_constructor(value)
        super().__setattr__(name, value)
        return value

    def __setattr__(self, name: str, value: Any) -> None:
        """A module inside does not take the place of what the package offers under the same name."""
        if isinstance(value, ModuleType) and offers(self.__name__).get(name, (self.__name__,))[0] != self.__name__:
            return
        super().__setattr__(name, value)

    def __reduce__(self) -> tuple[Any, ...]:
        """By its name, as cloudpickle sends plain modules."""
        return import_module, (self.__name__,)

    def __dir__(self) -> list[str]:
        return sorted(self.__all__)


def open_door(package: str, *own: str) -> None:
    """Make the package a :class:`Door`, which its ``__init__`` asks for; ``own`` are names for users that it defines itself."""
    door = sys.modules[package]
    vars(door)["_own"] = own
    door.__class__ = Door


def _from(place: str, name: str) -> Any:
    """The attribute of a module, or a module inside of a package."""
    module = import_module(place)
    return getattr(module, name) if hasattr(module, name) else import_module(f"{place}.{name}")


def _moved(package: str, name: str) -> Any:
    """The object of a former name of the package, from its new place, with a warning.

    Raises
    ------
    AttributeError
        If nothing had it.
    """
    from semidirect.core.moved_names import MOVED, at_place, warn_of_move

    place, by_imports = MOVED.get(package, {}).get(name), _looks_for_attributes(sys._getframe(2))
    if place is None:  # imports ask for each module in a package, and show no message
        raise AttributeError(
            f"module {package!r} has no attribute {name!r}{'' if by_imports else _instead(package, name)}"
        )
    if not by_imports:
        warn_of_move(f"{_short(package)}.{name}", f"{_short(package)}.{place}")
    return at_place(sys.modules[package], place)


def _instead(package: str, name: str) -> str:
    """The module inside that offers a name which the package does not have, or the name that is probably meant."""
    if name.startswith("_"):
        return ""
    from semidirect.core.messages.near_names import nearest_name

    names = {one: place for one, (place, for_users) in offers(package).items() if for_users}
    for module in (f"{package}.{one}" for one, place in names.items() if place == package):
        if offers(module).get(name, ("", False))[1]:
            return f". It is {_short(module)}.{name}."
    near = nearest_name(name, names)
    return f". Did you mean {_short(package)}.{near}?" if near else ""


def _looks_for_attributes(frame: Any) -> bool:
    """Whether this is the machinery of imports, which asks for a name before ``from package import name`` gets it."""
    return bool(frame.f_globals.get("__name__") == "importlib._bootstrap")


def _short(package: str) -> str:
    """A package as users write it."""
    top, dot, rest = package.partition(".")
    return f"{'sd' if top == 'semidirect' else top}{dot}{rest}"

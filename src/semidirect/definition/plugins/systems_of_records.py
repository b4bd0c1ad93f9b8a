"""The system that the configuration of a run names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from semidirect.core import PerPath, errors
from semidirect.definition.given_motion import GivenMotion
from semidirect.definition.plugins import installed
from semidirect.definition.system_definition import SystemDefinition
from semidirect.groups import ElementLayout


def recorded_system(config: Mapping[str, Any], per_path: Callable[[str], Any]) -> SystemDefinition:
    """The system of a configuration, found among the installed and the imported ones. No name in a file causes an import.

    Parameters
    ----------
    config : mapping
        ``system``, ``parameters`` and ``options`` of a run.
    per_path : callable(name)
        The values of a parameter that differ from path to path.

    Raises
    ------
    InputError
        If its class is not known.
    """
    installed.load_all()
    waiting: list[type[SystemDefinition]] = [SystemDefinition]
    classes: dict[str, type[SystemDefinition]] = {}
    while waiting:
        kind = waiting.pop()
        if kind.__module__.partition(".")[0] != "semidirect" or issubclass(kind, GivenMotion):  # no base class
            classes.setdefault(
                f"{kind.__module__}:{kind.__qualname__}", kind
            )  # the newest first: a notebook may define it again
        waiting += kind.__subclasses__()
    name, parameters = config["system"], config["parameters"]
    if name not in classes:
        raise errors.InputError(f"the system {name!r} is not installed", hint="Import its class, or give system=….")
    apart = {k: PerPath(per_path(k)) for k, value in parameters.items() if value == "per path"}
    element = config.get("element")
    coordinates = None if element is None else ElementLayout.from_description(element).names
    return classes[name]._of_record({**parameters, **apart}, config["options"], coordinates)

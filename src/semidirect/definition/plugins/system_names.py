"""The system named by a name or by ``module:Class``."""

from __future__ import annotations

import inspect
import re
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from semidirect.core import errors, explains_calls
from semidirect.definition.plugins import installed
from semidirect.definition.plugins.installed import Loaded
from semidirect.definition.preset import Preset


@explains_calls
def resolve(name: str) -> Loaded:
    """An installed system by its name, or a class or preset by ``module:attribute``, also of a module in this folder.

    Raises
    ------
    UnknownNameError
        If no installed system has this name.
    InputError
        If the module cannot be imported, lacks the attribute, or the attribute is not a system; the cause is chained.
    """
    try:
        return installed.load(name)
    except errors.UnknownNameError:
        if ".py" in (Path(name).suffix, Path(name.partition(":")[0]).suffix):
            raise errors.InputError("a system", expected="module:Class, without .py", got=repr(name)) from None
        if not re.fullmatch(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*", name):
            raise
    return _checked(name, _imported(*name.split(":")))


def _imported(module: str, attribute: str) -> Any:
    here = str(Path.cwd())
    added = here not in sys.path
    if added:
        sys.path.insert(0, here)
    try:
        namespace = import_module(module)
        if not hasattr(namespace, attribute):
            raise errors.UnknownNameError(
                f"system of {module}", attribute, [n for n, x in vars(namespace).items() if installed.is_system(x)]
            )
        return getattr(namespace, attribute)
    except errors.UnknownNameError:
        raise
    except Exception as error:
        raise errors.InputError(
            f"{module}:{attribute} cannot be imported", got=f"{type(error).__name__}: {error}",
            hint="Give an installed system, or module:Class with the module in this folder or on PYTHONPATH.",
        ) from error  # fmt: skip
    finally:
        if added:
            sys.path.remove(here)


def _checked(name: str, candidate: Any) -> Loaded:
    if not installed.is_system(candidate):
        raise errors.InputError(f"{name} is not a system", expected="a System subclass or a Preset", got=repr(candidate),
                                hint="Give the system itself; hybrid systems and functions are simulated in Python.")  # fmt: skip
    missing = _needed(candidate)
    if missing:
        raise errors.InputError(
            f"{name} cannot be made by its name", expected="a system all of whose arguments have defaults",
            got=f"one that needs {', '.join(missing)}",
            hint="Give a subclass of sd.System that states them; for a motion with a prescribed velocity its constraint is "
                 "sd.PrescribedVelocity(…).",
        )  # fmt: skip
    return candidate


def _needed(candidate: Any) -> list[str]:
    """The arguments without a default of a class whose constructor is its own."""
    kind = candidate.system if isinstance(candidate, Preset) else candidate
    empty, single = inspect.Parameter.empty, (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    arguments = list(inspect.signature(kind.__init__).parameters.values())[1:]
    return [p.name for p in arguments if p.default is empty and p.kind in single]

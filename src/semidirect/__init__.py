"""semidirect: derive and simulate stochastic equations of mechanical systems.

State a Lie group, a representation, a reduced Lagrangian and a stochastic constraint; read the Euler–Poincaré equations that
follow, and run ensembles of their paths. Names are listed in the stub next to this file and imported at first use, so that
``import semidirect`` is quick.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from semidirect.core import __version__ as __version__
from semidirect.core import explains_calls, find_moved_modules, open_door

if TYPE_CHECKING:
    from semidirect.system import System


@explains_calls
def load(name: str, **choices: Any) -> System:
    """Make the installed system ``name`` with parameters and options.

    Raises
    ------
    UnknownNameError
        If no such system is installed (the message lists the installed ones), or for an unknown parameter or option.
    InputError
        For a value out of its bounds.
    """
    from semidirect.definition import plugins

    return cast("System", plugins.load(name)(**choices))


open_door(__name__, "load")
find_moved_modules()

"""Every error that the package raises: it says what was expected, what was given, where, and what to do."""

from semidirect.core.errors.errors import (
    CallError,
    DefinitionError,
    InputError,
    MethodError,
    NoAttributeError,
    NoRealLogarithmError,
    NotOnGroupError,
    NotSavedError,
    PerPathError,
    SemidirectError,
    SimulationError,
    StoreError,
    UnknownAttributeError,
    UnknownNameError,
    WorkerError,
    cannot_write,
    unknown_quantity,
)
from semidirect.core.errors.errors import _restored as _restored  # pickles of errors name it here
from semidirect.core.errors.warnings import (
    DefinitionWarning,
    FailedPathsWarning,
    FilterWarning,
    MovedNameWarning,
    PluginWarning,
    ShortAverageWarning,
)

__all__ = [
    "CallError",
    "DefinitionError",
    "DefinitionWarning",
    "FailedPathsWarning",
    "FilterWarning",
    "InputError",
    "MethodError",
    "MovedNameWarning",
    "NoAttributeError",
    "NoRealLogarithmError",
    "NotOnGroupError",
    "NotSavedError",
    "PerPathError",
    "PluginWarning",
    "SemidirectError",
    "ShortAverageWarning",
    "SimulationError",
    "StoreError",
    "UnknownAttributeError",
    "UnknownNameError",
    "WorkerError",
    "cannot_write",
    "unknown_quantity",
]

for _kind in [value for name in __all__ if isinstance(value := globals()[name], type)]:
    _kind.__module__ = "semidirect.errors"  # where users find it: tracebacks and pickles say so
del _kind

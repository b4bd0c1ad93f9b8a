"""The public names, each from its place: read by type checkers, and by the package when a name is first used."""

from semidirect.core.errors import CallError as CallError
from semidirect.core.errors import DefinitionError as DefinitionError
from semidirect.core.errors import DefinitionWarning as DefinitionWarning
from semidirect.core.errors import FailedPathsWarning as FailedPathsWarning
from semidirect.core.errors import FilterWarning as FilterWarning
from semidirect.core.errors import InputError as InputError
from semidirect.core.errors import MethodError as MethodError
from semidirect.core.errors import MovedNameWarning as MovedNameWarning
from semidirect.core.errors import NoAttributeError as NoAttributeError
from semidirect.core.errors import NoRealLogarithmError as NoRealLogarithmError
from semidirect.core.errors import NotOnGroupError as NotOnGroupError
from semidirect.core.errors import NotSavedError as NotSavedError
from semidirect.core.errors import PerPathError as PerPathError
from semidirect.core.errors import PluginWarning as PluginWarning
from semidirect.core.errors import SemidirectError as SemidirectError
from semidirect.core.errors import ShortAverageWarning as ShortAverageWarning
from semidirect.core.errors import SimulationError as SimulationError
from semidirect.core.errors import StoreError as StoreError
from semidirect.core.errors import UnknownAttributeError as UnknownAttributeError
from semidirect.core.errors import UnknownNameError as UnknownNameError
from semidirect.core.errors import WorkerError as WorkerError

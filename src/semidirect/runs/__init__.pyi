"""The public names, each from its place: read by type checkers, and by the package when a name is first used."""

from semidirect.core.failure import Failure as Failure
from semidirect.engines import Engine as Engine
from semidirect.export import Exported as Exported
from semidirect.export import export as export
from semidirect.hybrid import Hybrid as Hybrid
from semidirect.hybrid import HybridRun as HybridRun
from semidirect.results import RecordedCrossings as RecordedCrossings
from semidirect.results import RunData as RunData
from semidirect.results import StoppedPaths as StoppedPaths
from semidirect.results import Transitions as Transitions
from semidirect.run import Run as Run
from semidirect.run import extend as extend
from semidirect.state import Final as Final
from semidirect.stepper import Stepper as Stepper

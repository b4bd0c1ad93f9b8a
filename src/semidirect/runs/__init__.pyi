"""The public names, each from its place: read by type checkers, and by the package when a name is first used."""

from semidirect.core.failure import Failure as Failure
from semidirect.engines.engine import Engine as Engine
from semidirect.hybrid.hybrid import Hybrid as Hybrid
from semidirect.hybrid.hybrid_run import HybridRun as HybridRun
from semidirect.results.mode_history import Transitions as Transitions
from semidirect.results.recorded_crossings import RecordedCrossings as RecordedCrossings
from semidirect.results.run import RunData as RunData
from semidirect.results.stopped_paths import StoppedPaths as StoppedPaths
from semidirect.run import Run as Run
from semidirect.run import extend as extend
from semidirect.state.final import Final as Final
from semidirect.stepper.stepper import Stepper as Stepper

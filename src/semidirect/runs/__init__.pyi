"""The public names, each from its place: read by type checkers, and by the package when a name is first used."""

from semidirect.core.failure import Failure as Failure
from semidirect.ensemble.engine import Engine as Engine
from semidirect.ensemble.hybrid.hybrid import Hybrid as Hybrid
from semidirect.ensemble.hybrid.hybrid_run import HybridRun as HybridRun
from semidirect.ensemble.hybrid.hybrid_run import Transitions as Transitions
from semidirect.ensemble.recorded_crossings import RecordedCrossings as RecordedCrossings
from semidirect.ensemble.run import RunData as RunData
from semidirect.ensemble.stepper import Stepper as Stepper
from semidirect.ensemble.stopped_paths import StoppedPaths as StoppedPaths
from semidirect.run import Run as Run
from semidirect.run import extend as extend
from semidirect.state.final import Final as Final

"""semidirect: stochastic geometric mechanics. Geometry in, stochastic equations out, paths fast.

State a Lie group, a representation, a reduced Lagrangian and a stochastic constraint; read the Euler–Poincaré equations that
follow, and run ensembles of their paths. Names are imported when first used, so that ``import semidirect`` is quick.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from semidirect.core.lazy_names import lazy_names
from semidirect.core.version import __version__ as __version__

_PLACES = {
    "groups": ("DirectProduct", "Heisenberg", "LieGroup", "MatrixGroup", "RealSpace", "SE2", "SE3", "SO", "SO2",
        "SO3", "SpecialOrthogonal", "Torus"),
    "representations": ("AdjointRepresentation", "Advected", "AdvectedFrame", "CoadjointRepresentation", "DirectSum",
        "DualRepresentation", "HomogeneousRepresentation", "Pullback", "Representation", "SemidirectProduct", "Subrepresentation",
        "SymmetricSquare", "TrivialRepresentation", "VectorRepresentation"),
    "definition.lagrangians": ("QuadraticLagrangian", "ReducedLagrangian"),
    "definition.constraints": ("Annihilator", "Contact", "CovectorConstraint", "Distribution",
        "DistributionConstraint", "Rolling", "StochasticConstraint", "Unconstrained"),
    "definition.transport_noise": ("CombinedNoise", "ConstantNoise", "FormalNoise", "InternalState",
        "PrescribedNoise", "StateNoise", "TransportNoise", "VolatilityNoise"),
    "random.driver": ("Driver",),
    "random.drivers.wiener": ("Wiener",),
    "random.driving_path": ("DrivingPath",),
    "random.driving_process": ("DrivingProcess",),
    "random.wiener": ("WienerNoise",),
    "model.noise_class": ("NoiseClass", "noise_class"),
    "equations": ("HamiltonPontryagin", "LagrangeDAlembert", "StratonovichSDE"),
    "analysis.monitor": ("Monitor", "monitor"),
    "state.configuration": ("minimal_motion", "minimal_rotation"),
    "core.failure": ("Failure",),
    "state.final": ("Final",),
    "ensemble.engine": ("Engine",),
    "ensemble.reductions": ("Covariance", "Extremes", "FirstPassage", "Histogram", "Moments"),
    "run": ("Run", "extend"),
    "ensemble.stop": ("Stop",),
    "core.parameters": ("PerPath", "by_path", "inertia", "option", "parameter", "unit_vector"),
    "definition.observables": ("derived", "energy", "observable"),
    "definition.definition": ("Definition", "Forces"),
    "core.blocks": ("Blocks",),
    "definition.preset": ("Preset",),
    "definition.shapes": ("Shape",),
    "system": ("System",),
    "core.errors": ("DefinitionError", "DefinitionWarning", "FailedPathsWarning", "InputError", "MethodError",
        "NoRealLogarithmError", "NotOnGroupError", "PluginWarning", "SemidirectError", "SimulationError",
        "StoreError", "UnknownNameError", "WorkerError"),
}  # fmt: skip
_WHERE = {name: module for module, names in _PLACES.items() for name in names}
_MODULES = {"ops": "core.ops", "errors": "core.errors", "plugins": "definition.plugins",
            "shapes": "definition.shapes", "testing": "testing"}  # fmt: skip

__all__ = ["load", *_MODULES, *_WHERE]


def load(name: str, **choices: Any) -> System:
    """Make the installed system ``name`` with parameters and options.

    Raises
    ------
    UnknownNameError
        If no such system is installed (the message lists those that are), or for an unknown parameter or option.
    InputError
        For a value out of its bounds.
    """
    from semidirect.definition import plugins

    return cast("System", plugins.load(name)(**choices))


if not TYPE_CHECKING:  # a `__getattr__` would give every misspelled name the type Any
    __getattr__, __dir__ = lazy_names(
        __name__,
        {f"semidirect.{module}": names for module, names in _PLACES.items()},
        {name: f"semidirect.{module}" for name, module in _MODULES.items()},
    )


if TYPE_CHECKING:  # for editors and type checkers: the names above, each from its place; a test compares them
    from semidirect import testing as testing
    from semidirect.analysis.monitor import Monitor as Monitor
    from semidirect.analysis.monitor import monitor as monitor
    from semidirect.core import errors as errors
    from semidirect.core import ops as ops
    from semidirect.core.blocks import Blocks as Blocks
    from semidirect.core.errors import DefinitionError as DefinitionError
    from semidirect.core.errors import DefinitionWarning as DefinitionWarning
    from semidirect.core.errors import FailedPathsWarning as FailedPathsWarning
    from semidirect.core.errors import InputError as InputError
    from semidirect.core.errors import MethodError as MethodError
    from semidirect.core.errors import NoRealLogarithmError as NoRealLogarithmError
    from semidirect.core.errors import NotOnGroupError as NotOnGroupError
    from semidirect.core.errors import PluginWarning as PluginWarning
    from semidirect.core.errors import SemidirectError as SemidirectError
    from semidirect.core.errors import SimulationError as SimulationError
    from semidirect.core.errors import StoreError as StoreError
    from semidirect.core.errors import UnknownNameError as UnknownNameError
    from semidirect.core.errors import WorkerError as WorkerError
    from semidirect.core.failure import Failure as Failure
    from semidirect.core.parameters import PerPath as PerPath
    from semidirect.core.parameters import by_path as by_path
    from semidirect.core.parameters import inertia as inertia
    from semidirect.core.parameters import option as option
    from semidirect.core.parameters import parameter as parameter
    from semidirect.core.parameters import unit_vector as unit_vector
    from semidirect.definition import plugins as plugins
    from semidirect.definition import shapes as shapes
    from semidirect.definition.constraints import Annihilator as Annihilator
    from semidirect.definition.constraints import Contact as Contact
    from semidirect.definition.constraints import CovectorConstraint as CovectorConstraint
    from semidirect.definition.constraints import Distribution as Distribution
    from semidirect.definition.constraints import DistributionConstraint as DistributionConstraint
    from semidirect.definition.constraints import Rolling as Rolling
    from semidirect.definition.constraints import StochasticConstraint as StochasticConstraint
    from semidirect.definition.constraints import Unconstrained as Unconstrained
    from semidirect.definition.definition import Definition as Definition
    from semidirect.definition.definition import Forces as Forces
    from semidirect.definition.lagrangians import QuadraticLagrangian as QuadraticLagrangian
    from semidirect.definition.lagrangians import ReducedLagrangian as ReducedLagrangian
    from semidirect.definition.observables import derived as derived
    from semidirect.definition.observables import energy as energy
    from semidirect.definition.observables import observable as observable
    from semidirect.definition.preset import Preset as Preset
    from semidirect.definition.shapes import Shape as Shape
    from semidirect.definition.transport_noise import CombinedNoise as CombinedNoise
    from semidirect.definition.transport_noise import ConstantNoise as ConstantNoise
    from semidirect.definition.transport_noise import FormalNoise as FormalNoise
    from semidirect.definition.transport_noise import InternalState as InternalState
    from semidirect.definition.transport_noise import PrescribedNoise as PrescribedNoise
    from semidirect.definition.transport_noise import StateNoise as StateNoise
    from semidirect.definition.transport_noise import TransportNoise as TransportNoise
    from semidirect.definition.transport_noise import VolatilityNoise as VolatilityNoise
    from semidirect.ensemble.engine import Engine as Engine
    from semidirect.ensemble.reductions import Covariance as Covariance
    from semidirect.ensemble.reductions import Extremes as Extremes
    from semidirect.ensemble.reductions import FirstPassage as FirstPassage
    from semidirect.ensemble.reductions import Histogram as Histogram
    from semidirect.ensemble.reductions import Moments as Moments
    from semidirect.ensemble.stop import Stop as Stop
    from semidirect.equations import HamiltonPontryagin as HamiltonPontryagin
    from semidirect.equations import LagrangeDAlembert as LagrangeDAlembert
    from semidirect.equations import StratonovichSDE as StratonovichSDE
    from semidirect.groups import SE2 as SE2
    from semidirect.groups import SE3 as SE3
    from semidirect.groups import SO as SO
    from semidirect.groups import SO2 as SO2
    from semidirect.groups import SO3 as SO3
    from semidirect.groups import DirectProduct as DirectProduct
    from semidirect.groups import Heisenberg as Heisenberg
    from semidirect.groups import LieGroup as LieGroup
    from semidirect.groups import MatrixGroup as MatrixGroup
    from semidirect.groups import RealSpace as RealSpace
    from semidirect.groups import SpecialOrthogonal as SpecialOrthogonal
    from semidirect.groups import Torus as Torus
    from semidirect.model.noise_class import NoiseClass as NoiseClass
    from semidirect.model.noise_class import noise_class as noise_class
    from semidirect.random.driver import Driver as Driver
    from semidirect.random.drivers.wiener import Wiener as Wiener
    from semidirect.random.driving_path import DrivingPath as DrivingPath
    from semidirect.random.driving_process import DrivingProcess as DrivingProcess
    from semidirect.random.wiener import WienerNoise as WienerNoise
    from semidirect.representations import AdjointRepresentation as AdjointRepresentation
    from semidirect.representations import Advected as Advected
    from semidirect.representations import AdvectedFrame as AdvectedFrame
    from semidirect.representations import CoadjointRepresentation as CoadjointRepresentation
    from semidirect.representations import DirectSum as DirectSum
    from semidirect.representations import DualRepresentation as DualRepresentation
    from semidirect.representations import HomogeneousRepresentation as HomogeneousRepresentation
    from semidirect.representations import Pullback as Pullback
    from semidirect.representations import Representation as Representation
    from semidirect.representations import SemidirectProduct as SemidirectProduct
    from semidirect.representations import Subrepresentation as Subrepresentation
    from semidirect.representations import SymmetricSquare as SymmetricSquare
    from semidirect.representations import TrivialRepresentation as TrivialRepresentation
    from semidirect.representations import VectorRepresentation as VectorRepresentation
    from semidirect.run import Run as Run
    from semidirect.run import extend as extend
    from semidirect.state.configuration import minimal_motion as minimal_motion
    from semidirect.state.configuration import minimal_rotation as minimal_rotation
    from semidirect.state.final import Final as Final
    from semidirect.system import System as System

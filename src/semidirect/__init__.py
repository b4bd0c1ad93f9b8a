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


__getattr__, __dir__ = lazy_names(
    __name__,
    {f"semidirect.{module}": names for module, names in _PLACES.items()},
    {name: f"semidirect.{module}" for name, module in _MODULES.items()},
)


if TYPE_CHECKING:
    from semidirect.system import System

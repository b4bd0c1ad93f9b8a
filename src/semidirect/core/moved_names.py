"""Public names that are elsewhere now, each with its new place: read where an old one is used, and by the page "What moved"."""

from __future__ import annotations

import warnings
from collections.abc import Mapping

from semidirect.core.errors import MovedNameWarning

MOVED: Mapping[str, Mapping[str, str]] = {
    "semidirect": {
        "LyapunovSpectrum": "analysis.LyapunovSpectrum",
        "Monitor": "analysis.Monitor",
        "Multilevel": "analysis.Multilevel",
        "monitor": "analysis.monitor",
        "Definition": "definition.Definition",
        "Forces": "definition.Forces",
        "HamiltonPontryagin": "equations.HamiltonPontryagin",
        "LagrangeDAlembert": "equations.LagrangeDAlembert",
        "StratonovichSDE": "equations.StratonovichSDE",
        "DefinitionError": "errors.DefinitionError",
        "DefinitionWarning": "errors.DefinitionWarning",
        "FailedPathsWarning": "errors.FailedPathsWarning",
        "FilterWarning": "errors.FilterWarning",
        "InputError": "errors.InputError",
        "MethodError": "errors.MethodError",
        "NoRealLogarithmError": "errors.NoRealLogarithmError",
        "NotOnGroupError": "errors.NotOnGroupError",
        "PluginWarning": "errors.PluginWarning",
        "ShortAverageWarning": "errors.ShortAverageWarning",
        "SimulationError": "errors.SimulationError",
        "StoreError": "errors.StoreError",
        "UnknownNameError": "errors.UnknownNameError",
        "WorkerError": "errors.WorkerError",
        "Heisenberg": "groups.Heisenberg",
        "MatrixGroup": "groups.MatrixGroup",
        "SO": "groups.SO",
        "SpecialOrthogonal": "groups.SpecialOrthogonal",
        "Torus": "groups.Torus",
        "minimal_motion": "groups.minimal_motion",
        "minimal_rotation": "groups.minimal_rotation",
        "EnsembleKalmanUpdate": "inference.EnsembleKalmanUpdate",
        "Filtered": "inference.Filtered",
        "Fitted": "inference.Fitted",
        "GaussianNoise": "inference.GaussianNoise",
        "GivenDensity": "inference.GivenDensity",
        "Invariance": "inference.Invariance",
        "ObservationNoise": "inference.ObservationNoise",
        "ParticleUpdate": "inference.ParticleUpdate",
        "QuadraticVariation": "inference.QuadraticVariation",
        "StudentNoise": "inference.StudentNoise",
        "camera": "inference.camera",
        "gyroscope": "inference.gyroscope",
        "position": "inference.position",
        "quadratic_variation": "inference.quadratic_variation",
        "state_space_model": "inference.state_space_model",
        "CombinedNoise": "noise.CombinedNoise",
        "ConstantNoise": "noise.ConstantNoise",
        "Driver": "noise.Driver",
        "DrivingPath": "noise.DrivingPath",
        "DrivingProcess": "noise.DrivingProcess",
        "EnergyPreservingNoise": "noise.EnergyPreservingNoise",
        "FormalNoise": "noise.FormalNoise",
        "NoiseClass": "noise.NoiseClass",
        "PrescribedNoise": "noise.PrescribedNoise",
        "TransportNoise": "noise.TransportNoise",
        "VolatilityNoise": "noise.VolatilityNoise",
        "WienerNoise": "noise.WienerNoise",
        "noise_class": "noise.noise_class",
        "AdjointRepresentation": "representations.AdjointRepresentation",
        "CoadjointRepresentation": "representations.CoadjointRepresentation",
        "DirectSum": "representations.DirectSum",
        "DualRepresentation": "representations.DualRepresentation",
        "SemidirectProduct": "representations.SemidirectProduct",
        "Subrepresentation": "representations.Subrepresentation",
        "SymmetricSquare": "representations.SymmetricSquare",
        "TrivialRepresentation": "representations.TrivialRepresentation",
        "Engine": "runs.Engine",
        "Failure": "runs.Failure",
        "Final": "runs.Final",
        "HybridRun": "runs.HybridRun",
        "Shape": "shapes.Shape",
    },
}
"""Package, or class of which it is an attribute → old name → new name, which begins at the same package or object."""


def warn_of_move(old: str, new: str, *, stacklevel: int) -> None:
    """Warn at the line that uses an old name, so many calls above this one."""
    warnings.warn(
        f"{old} is {new} now; the old name will go in a later version", MovedNameWarning, stacklevel=stacklevel
    )

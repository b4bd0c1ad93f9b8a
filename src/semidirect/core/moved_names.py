"""Public names that are elsewhere now, each with its new place: read where an old one is used, and by the page "What moved"."""

from __future__ import annotations

from abc import ABCMeta
from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from semidirect.core.errors import MovedNameWarning
from semidirect.core.messages.callers_line import warn_caller

MOVED: Mapping[str, Mapping[str, str]] = {
    "semidirect": {
        "LyapunovSpectrum": "analysis.LyapunovSpectrum",
        "Monitor": "analysis.Monitor",
        "Multilevel": "analysis.Multilevel",
        "monitor": "analysis.monitor",
        "Annihilator": "definition.Annihilator",
        "Definition": "definition.Definition",
        "Forces": "definition.Forces",
        "Preset": "definition.Preset",
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
    "Run": {
        "by_path": "data.by_path",
        "component_of": "data.component_of",
        "components": "data.components",
        "failed_at": "data.failed_at",
        "failed_component": "data.failed_component",
        "known_system": "data.known_system",
        "layout": "data.layout",
        "long_names": "data.long_names",
        "numbers": "data.numbers",
        "observables_first": "data.observables_first",
        "source": "data.source",
        "specification": "data.specification",
        "status": "data.status",
        "step_times": "data.step_times",
        "steps": "data.steps",
        "stored_names": "data.stored_names",
        "t_start": "data.t_start",
        "unit": "data.unit",
        "units": "data.units",
        "work": "data.work",
        "plot_histogram": "plot.histogram",
        "plot_phase": "plot.phase",
        "plot_plane": "plot.plane",
        "plot_quantiles": "plot.quantiles",
        "plot_sphere": "plot.sphere",
        "plot_sphere_histogram": "plot.sphere_histogram",
        "plot_survival": "plot.survival",
        "stopped_at": "stopped.time",
    },
    "System": {
        "ito": "sde().ito",
        "find_relations": "sd.invariants.find_relations",
        "gibbs": "sd.invariants.gibbs_density",
        "all_symbols": "workings.all_symbols",
        "cache": "workings.cache",
        "choices": "workings.choices",
        "decide_by_path": "workings.decide_by_path",
        "declared": "workings.declared",
        "declared_observables": "workings.declared_observables",
        "define_with": "workings.define_with",
        "definition": "workings.definition",
        "expression": "workings.expression",
        "known": "workings.known",
        "model": "workings.model",
        "options": "workings.options",
        "parameters": "workings.parameters",
        "parameter_symbols": "workings.parameter_symbols",
        "paths": "workings.paths",
        "quantities": "workings.quantities",
        "refuse_absent": "workings.refuse_absent",
        "signature": "workings.signature",
        "symbol_names": "workings.symbol_names",
        "symbol_places": "workings.symbol_places",
        "symbol_stem": "workings.symbol_stem",
        "symbolic": "workings.symbolic",
        "symbolic_definition": "workings.symbolic_definition",
        "table_names": "workings.table_names",
        "table_symbols": "workings.table_symbols",
        "title": "workings.title",
        "value_shape": "workings.value_shape",
        "with_arrays": "workings.with_arrays",
        "with_symbols": "workings.with_symbols",
        "with_values": "workings.with_values",
    },
}
"""Package, or class → old name → new name, which begins at the same package or object, or with ``sd.``: a function of it."""


def with_owner(owner: str, place: str) -> str:
    """The whole of a new name."""
    return place if place.startswith("sd.") else f"{owner}.{place}"


def warn_of_move(old: str, new: str) -> None:
    """Warn at the line that uses an old name."""
    warn_caller(f"{old} is {new} now; the old name will go in a later version", MovedNameWarning)


def at_place(owner: Any, place: str) -> Any:
    """The object at a place such as ``plot.sphere`` or ``sde().ito`` of a package or an object; of ``sd.invariants.prove``, that
    function of the object.
    """
    if place.startswith("sd."):
        return partial(at_place(import_module("semidirect"), place.removeprefix("sd.")), owner)
    for part in place.split("."):
        owner = getattr(owner, part.removesuffix("()"))
        owner = owner() if part.endswith("()") else owner
    return owner


class WithMovedNames(ABCMeta):
    """The type of classes with attributes that have another place now, which :attr:`_moved` names: the key of the table.

    An old name of a class is a function of its objects.
    """

    _moved: str

    if not TYPE_CHECKING:  # a type checker would accept every attribute

        def __getattr__(cls, name: str) -> Any:
            place = None if name.startswith("_") else MOVED[cls._moved].get(name)
            if place is None:
                raise AttributeError(f"type object {cls.__name__!r} has no attribute {name!r}")
            warn_of_move(f"{cls._moved}.{name}", with_owner(cls._moved, place))
            first, _, rest = place.partition(".")
            if first == "workings" and hasattr(cls.workings, rest):
                return at_place(cls, place)
            return lambda owner, *args, **arguments: at_place(owner, place)(*args, **arguments)


def moved_attribute(owner: Any, name: str, otherwise: Callable[[str], Any] | None = None) -> Any:
    """The attribute of an object under its old name, with a warning at the line that uses it.

    If there was none, what ``otherwise`` returns for the name.

    Raises
    ------
    AttributeError
        If there was none, and nothing is said about that.
    """
    kind = type(owner)
    place = None if name.startswith("_") else MOVED.get(getattr(kind, "_moved", ""), {}).get(name)
    if place is not None:
        stem = kind._moved.lower()
        warn_of_move(f"{stem}.{name}", with_owner(stem, place))
        return at_place(owner, place)
    if otherwise is None:
        raise AttributeError(f"{kind.__name__!r} object has no attribute {name!r}")
    return otherwise(name)

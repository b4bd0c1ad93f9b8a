"""Engines by name, and the choice of the engine for a run."""

from __future__ import annotations

from collections.abc import Callable

from semidirect.core import arguments, errors, registry
from semidirect.engines import built_in as engines
from semidirect.engines.built_in.kernel_engine import KernelEngine
from semidirect.engines.built_in.numpy_engine import NumpyEngine
from semidirect.engines.engine import Engine
from semidirect.integrators import AdaptiveIntegrator
from semidirect.specification import RunSpec

__all__ = ["AUTO", "ENGINES", "chosen_engine", "engine_of", "engine_of_more", "is_final_choice", "validated_engine"]

AUTO = "auto"
ENGINES: registry.Registry[Engine] = registry.Registry("engine", Engine, engines.__name__, "semidirect.engines")  # type: ignore[type-abstract]
"""All engines: those of :mod:`semidirect.engines.built_in`, and those that other packages declare as ``semidirect.engines``."""


def validated_engine(name: str) -> str:
    """``auto`` or the name of an engine, which is imported.

    Raises
    ------
    UnknownNameError
        If there is no such engine.
    InputError
        If its package cannot be loaded.
    """
    if isinstance(name, str) and (name == AUTO or name in ENGINES.built_in):
        return name
    return ENGINES[arguments.validated_name("engine", name, (AUTO, *ENGINES))].name


def chosen_engine(name: str, spec: RunSpec) -> str:
    """The engine of this name, or for ``auto`` the one that is estimated to be faster."""
    reason = spec.model.not_compiled(spec.method) if name == KernelEngine.name else None
    if reason is not None:
        raise errors.MethodError(reason, hint="Leave the engine out: array code steps them.")
    if name != AUTO or isinstance(spec.method, AdaptiveIntegrator):
        return name  # such a method learns during the run how often it evaluates the equations
    return next((kind.name for kind in ENGINES.built_in.values() if kind.is_sooner(spec)), NumpyEngine.name)


def engine_of_more(name: str, spec: RunSpec, longer: Callable[[], RunSpec]) -> RunSpec:
    """The run with the engine that suits a longer one, where the name leaves it open; a kernel that exists is kept."""
    if name != AUTO or spec.engine == KernelEngine.name:
        return spec
    return spec.replaced(engine=chosen_engine(AUTO, longer()))


def is_final_choice(name: str, spec: RunSpec) -> bool:
    """Whether the same call would use the same engine again."""
    return name != AUTO or not any(kind.may_become_sooner(spec) for kind in ENGINES.built_in.values())


def usual_paths(name: str) -> int:
    """Number of paths in a chunk for which the fixed cost of a step is small."""
    return Engine.usual_paths if name == AUTO else ENGINES[name].usual_paths


def engine_of(spec: RunSpec) -> type[Engine]:
    """The engine of a run. A method that chooses its steps is run by array code, and compiles the rate that it evaluates."""
    return NumpyEngine if isinstance(spec.method, AdaptiveIntegrator) else ENGINES[spec.engine]

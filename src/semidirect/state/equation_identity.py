"""The identity of the equations of a run, in JSON's types."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, final

from semidirect.core import PerPath

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition
    from semidirect.model import NumericalSDE


@final
class EquationIdentity:
    """Names in the configuration of a run that say which equations it has."""

    EQUATIONS: ClassVar[tuple[str, ...]] = ("system", "parameters", "options", "principle", "form", "variables")
    PER_PATH: ClassVar[str] = "per path"
    """Stands for a parameter whose values differ from path to path."""
    DIRECTIONS: ClassVar[str] = "directions"
    """The entry with the directions along which a run is differentiated, if there are any."""

    @classmethod
    def of(cls, system: SystemDefinition, model: NumericalSDE) -> dict[str, Any]:
        """System, parameters, options, principle, form and state variables: models that agree in them step one vector."""
        kind, shape = type(system), model.structure.shape
        values = system.values.items()
        along = {} if model.tangents is None else {cls.DIRECTIONS: model.tangents.described()}
        return {
            "system": f"{kind.__module__}:{kind.__qualname__}",
            "parameters": {k: cls.PER_PATH if isinstance(v, PerPath) else v.tolist() for k, v in values},
            "options": dict(system.workings.choices),
            "principle": shape.principle,
            "form": shape.form,
            "variables": [v.name for v in shape.variables],
            **along,
        }

"""The form of the equations that a run solves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self, final

from semidirect.core import Flag, arguments
from semidirect.model import NumericalSDE, sensitivities
from semidirect.specification.run_argument import RunArgument

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition
    from semidirect.model import NumericalSDE

__all__ = ["Formulation"]

FORMS, VARIABLES = ("A", "B"), ("momentum", "velocity")


@final
@dataclass(frozen=True, repr=False)
class Formulation(RunArgument):
    """Selects one of the equivalent forms of the equations: ``simulate(formulation=sd.Formulation(reconstruct=False))``.

    Parameters
    ----------
    form : {"A", "B"}, optional
        Form of the constraint, where there is a choice.
    variables : {"momentum", "velocity"}
        State variables, where there is a choice.
    reconstruct : bool
        Whether the configuration s ∈ S is reconstructed from ṡ = s ξ. Without it a run is faster, and quantities that depend on
        s itself are not there.
    sensitivity : str or sequence of str
        By what paths are differentiated, along with the equations: parameters (``"mass"``, ``"inertia"`` for all its entries,
        ``"inertia1"`` for one), velocities, momenta or internal states at the start, ``"configuration"`` there, ``"state"``
        for all of the start, or ``"components"`` of the state vector without reconstruction. See :meth:`.Run.sensitivity`.

    Raises
    ------
    InputError, UnknownNameError
        For anything else; whether a system has a choice is found when a run begins.
    """

    form: str | None = None
    variables: str = "momentum"
    reconstruct: bool = True
    sensitivity: str | Sequence[str] = ()

    argument: ClassVar[str] = "formulation"
    flags: ClassVar[tuple[Flag, ...]] = (
        Flag("form", "form of the constraint, where there is a choice", choices=FORMS),
        Flag("variables", "state variables, where there is a choice (default: momentum)", choices=VARIABLES),
        Flag("no-reconstruction", "the reduced equations alone, without the configuration on the group", "switch"),
        Flag("sensitivity", "derivatives with respect to parameters or the start, e.g. mass,state", "names", "NAMES"),
    )

    def __post_init__(self) -> None:
        if self.form is not None:
            arguments.validated_name("form", self.form, FORMS)
        arguments.validated_name("state variables", self.variables, VARIABLES)
        object.__setattr__(self, "reconstruct", arguments.validated_flag("reconstruct", self.reconstruct))
        names = (self.sensitivity,) if isinstance(self.sensitivity, str) else self.sensitivity
        object.__setattr__(self, "sensitivity", tuple(arguments.validated_names("names of sensitivities", names)))

    def model(self, system: SystemDefinition) -> NumericalSDE:
        """The equations with the numbers of a system, for all paths."""
        if system._states_arrays:
            system._stated_by_arrays().refuse_formulation(self.variables, self.form)
        model = NumericalSDE.of(system, variables=self.variables, form=self.form)
        model = model if self.reconstruct else model.reduced()
        return model.differentiated(sensitivities.tangents_of(model, self.sensitivity)) if self.sensitivity else model

    def as_json(self) -> dict[str, Any]:
        """Form and variables, whether the configuration is not reconstructed, and by what paths are differentiated."""
        form: dict[str, Any] = {"form": self.form, "variables": self.variables}
        if not self.reconstruct:
            form["reconstruct"] = False
        return {**form, "sensitivity": list(self.sensitivity)} if self.sensitivity else form

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Self:
        """The formulation of a record."""
        return cls(record["form"], record["variables"], record.get("reconstruct", True), record.get("sensitivity", ()))

    @classmethod
    def from_flags(cls, values: Mapping[str, Any]) -> Self:
        """The formulation that they describe."""
        return cls(values["form"], values["variables"] or "momentum", not values["no_reconstruction"],
                   values["sensitivity"] or ())  # fmt: skip

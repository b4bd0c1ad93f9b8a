"""The checks of a run, and the treatment of paths that fail."""

from __future__ import annotations

import math
import reprlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self, final

from semidirect.core import Flag, arguments, errors, frozen
from semidirect.specification.run_argument import RunArgument

__all__ = ["ON_FAILURE", "Checks"]

ON_FAILURE = ("report", "raise", "mask")


@final
@dataclass(frozen=True, repr=False)
class Checks(RunArgument):
    """Selects the checks of a run: ``simulate(checks=sd.Checks(bounds={"energy": 10}, error_check=True))``.

    Parameters
    ----------
    bounds : dict name → float or None, optional
        Largest sizes of quantities, in their units, beside those that observables declare: a path on which one is exceeded has
        failed. They are checked at every step at which something is saved, reduced or looked at for a stop. ``None`` or infinity
        lifts the bound that an observable declares.
    on_failure : {"report", "raise", "mask"}
        The treatment of paths that fail: their values are kept as they are; or a :class:`~semidirect.errors.SimulationError` ends
        the run; or they are nan from the failure on. Statistics leave them out from the failure on in any case.
    validate : bool
        Whether the initial state must be that of a configuration.
    error_check : bool
        Whether the paths are run again at half the step on the same noise, refined by Brownian bridges, and the differences put
        into ``run.error_check``; the run itself is the same.

    Raises
    ------
    InputError
        For anything that cannot be used. Whether there is a quantity of the name of a bound is found when a run begins.
    """

    bounds: Mapping[str, float | None] = field(default_factory=dict)
    on_failure: str = "report"
    validate: bool = True
    error_check: bool = False

    argument: ClassVar[str] = "checks"
    flags: ClassVar[tuple[Flag, ...]] = (
        Flag("bound", "a path on which a quantity is larger has failed; repeatable", "sizes", "NAME=SIZE",
             completion="quantities="),
        Flag("on-failure", "keep the values of paths that fail, end the run, or make them nan (default: report)",
             choices=ON_FAILURE),
        Flag("error-check", "repeat the run at half the step on the same noise, and print the differences", "switch"),
    )  # fmt: skip

    def __post_init__(self) -> None:
        bounds: Any = {} if self.bounds is None else self.bounds
        if not isinstance(bounds, Mapping):
            got = reprlib.repr(bounds)
            raise errors.InputError("bounds", expected="a mapping of quantities to their largest sizes", got=got)
        object.__setattr__(
            self, "bounds", frozen.FrozenMapping({name: _size(name, size) for name, size in bounds.items()})
        )
        arguments.validated_name("treatment of failures", self.on_failure, ON_FAILURE)
        for name in ("validate", "error_check"):
            object.__setattr__(self, name, arguments.validated_flag(name, getattr(self, name)))

    def __hash__(self) -> int:
        return hash((len(self.bounds), self.on_failure, self.validate, self.error_check))

    def with_declared(self, bounds: Mapping[str, float]) -> Self:
        """The same with the bounds that observables declare; those that are stated here come before them."""
        return replace(self, bounds={**bounds, **self.bounds})

    def as_json(self) -> dict[str, Any]:
        """Whether the state was validated; bounds, ``None`` for infinity, and failures where they are not the default."""
        form: dict[str, Any] = {"validate": self.validate}
        if self.bounds:
            form["bounds"] = {k: v if v is not None and v < math.inf else None for k, v in self.bounds.items()}
        return form if self.on_failure == "report" else {**form, "on_failure": self.on_failure}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Self:
        """The checks of a record."""
        return cls(record.get("bounds", {}), record.get("on_failure", "report"), record["validate"])

    @classmethod
    def from_flags(cls, values: Mapping[str, Any]) -> Self:
        """The checks that they describe."""
        failures = values["on_failure"] or "report"
        return cls(values["bound"] or {}, failures, error_check=bool(values["error_check"]))


def _size(name: Any, size: Any) -> float:
    """The largest size of a quantity; infinity where there is none."""
    if not isinstance(name, str):
        raise errors.InputError("bounds", expected="names of quantities", got=reprlib.repr(name))
    if size is None or (isinstance(size, float) and size == math.inf):
        return math.inf
    expected = "a positive number, or None where there is none"
    return arguments.validated_number(f"the bound of {name!r}", size, expected=expected, positive=True)

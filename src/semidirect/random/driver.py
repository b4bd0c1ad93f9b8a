"""The abstract driver, which moves the noise of a run, as a user states it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self, final

from semidirect.core import Flag, errors, user_code

if TYPE_CHECKING:
    from semidirect.random.driving_process import DrivingProcess
    from semidirect.random.iterated_integrals import IteratedIntegrals

__all__ = ["DrivenRun", "Driver"]


@final
@dataclass(frozen=True)
class DrivenRun:
    """The properties of a run that its driver needs.

    Attributes
    ----------
    components : int
        Number m of noises in the equations.
    rows : int
        Number of rows that the method needs for a step: m increments and the iterated integrals.
    integrals : IteratedIntegrals or None
        The iterated integrals that the method needs.
    seed : int
    dt : float
        The step [s].
    steps : range
        Numbers of the steps, counted from t = 0.
    paths : int
    resumed_resolution : float or None
        If a run continues another with the same seed: the resolution of that noise, if it is defined at dt [s].
    of_start : int
        The number of random numbers of each path that its start used.
    """

    components: int
    rows: int
    integrals: IteratedIntegrals | None
    seed: int
    dt: float
    steps: range
    paths: int
    resumed_resolution: float | None = None
    of_start: int = 0


class Driver(user_code.Hooked, ABC):
    """The signal that drives a run: a Wiener process, a path, given increments, or a process of another package.

    A driver is a frozen object. Final subclasses in a file of :mod:`semidirect.random.drivers`, or declared by the entry point
    group ``semidirect.drivers``, are found by their names.

    Attributes
    ----------
    name : str
        The ``kind`` of its JSON form, and its name on the command line: ``--driver 'name(argument)'``.
    random : bool
        Whether its paths are random, so that there are strong and weak orders.
    flags : tuple of Flag
        Its options on the command line, whose values :meth:`from_flags` gets; drivers of other packages have an argument
        instead, :meth:`from_argument`.
    """

    name: ClassVar[str]
    random: ClassVar[bool] = False
    flags: ClassVar[tuple[Flag, ...]] = ()

    @abstractmethod
    def process(self, run: DrivenRun) -> DrivingProcess | None:
        """The process of increments for a run; ``None`` without noise.

        Raises
        ------
        InputError, MethodError
            If it does not apply to the run.
        """

    @abstractmethod
    def as_json(self, process: DrivingProcess) -> dict[str, Any]:
        """The entries of a manifest besides the name, in JSON's types."""

    @classmethod
    @abstractmethod
    def from_json(cls, form: Mapping[str, Any]) -> Self:
        """The driver of a manifest, so that its run can be extended or refined.

        Raises
        ------
        InputError
            If a manifest cannot contain it.
        """

    @classmethod
    def from_argument(cls, text: str) -> Self:
        """The driver with the argument in parentheses after its name; raises an InputError if it has no argument."""
        raise errors.InputError(f"driver {cls.name!r} takes no argument", got=repr(text), hint=f"Write {cls.name}.")

    @classmethod
    def from_flags(cls, values: Mapping[str, Any]) -> Self | None:
        """The driver that the values of its flags describe; ``None`` if no flag is given."""
        return None

    def shared(self, resolution: float) -> Self | None:
        """The driver that gives the same paths at this step and at all larger ones; ``None`` if each step has its own paths."""
        return self

    @property
    def replications(self) -> int:
        """R, if path i is of the replication i mod R, whose paths depend on each other; 0 for independent paths."""
        return 0

    @property
    def one_noise(self) -> bool:
        """Whether paths share a realisation of a random process, so that their spread is no error of a mean over noises."""
        return False

    @property
    def moves(self) -> bool:
        """Whether it moves any noise: true unless W is known to be constant."""
        return True

    @property
    def refinable(self) -> bool:
        """Whether the same paths are known at half the step."""
        return True

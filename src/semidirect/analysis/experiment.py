"""One system run by several methods on the same noise, and once by each without noise."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, final

from semidirect.errors import InputError

if TYPE_CHECKING:
    from semidirect.ensemble.run import Run
    from semidirect.system import System

__all__ = ["Ensemble", "Experiment"]

_log = logging.getLogger(__name__)


@final
@dataclass(frozen=True)
class Ensemble:
    """The runs of an experiment; all begin at one state, and the realisations of all methods have the same noise.

    Attributes
    ----------
    realisations : dict method → Run
        With noise.
    without_noise : dict method → Run
        The same equations and method with W = 0.
    reference : Run
        W = 0, by the reference method.
    """

    realisations: Mapping[str, Run]
    without_noise: Mapping[str, Run]
    reference: Run

    def runs(self) -> dict[str, Run]:
        """All of them, by name."""
        named = {f"{self.reference.config['method']}, no noise": self.reference}
        for method, run in self.realisations.items():
            named |= {f"{method}, no noise": self.without_noise[method], f"{method}, noise": run}
        return named


@final
@dataclass(frozen=True)
class Experiment:
    """What to run.

    Attributes
    ----------
    name : str
        Name of the installed system.
    choices : dict
        Its parameters and options.
    state : dict
        Initial state.
    t_end, dt : float
        Horizon and step [s].
    quantities : sequence of str
        What the figures and tables need of it.
    """

    name: str
    choices: Mapping[str, Any]
    state: Mapping[str, Any]
    t_end: float
    dt: float
    quantities: Sequence[str]

    @cached_property
    def system(self) -> System:
        """The system."""
        import semidirect

        return semidirect.load(self.name, **self.choices)

    def check(self) -> None:
        """Raise :class:`InputError` for anything that :meth:`run` would refuse."""
        from semidirect.ensemble.schedule import steps_of
        from semidirect.ensemble.state import initial_state
        from semidirect.kernels.evaluate import quantities

        steps_of(self.t_end, self.dt)
        if initial_state(self.system, self.state).paths != 1 or self.system.paths is not None:
            raise InputError(f"the state and parameters of {self.name}", expected="the same for all paths")
        known = quantities(self.system, self.system.sde())
        missing = [q for q in self.quantities if not any(q in names for names in known.values())]
        if missing:
            raise InputError(
                f"{self.name} with these parameters has no {', '.join(missing)}, which its figure shows",
                hint="The Routh integral needs I1 = I2 and axis = [0, 0, 1].",
            )

    def run(self, methods: Sequence[str], reference: str, *, seed: int, realisations: int) -> Ensemble:
        """Run it."""

        def simulate(method: str, **options: Any) -> Run:
            _log.info("%s by %s, t = %g s, %s", self.name, method, self.t_end, options or "without noise")
            driven = {"seed": seed, **options} if options else {"drive": 0}
            return self.system.simulate(
                t_end=self.t_end, dt=self.dt, method=method, state=self.state, keep=self.quantities, **driven
            )

        return Ensemble(
            {method: simulate(method, paths=realisations) for method in methods},
            {method: simulate(method) for method in methods},
            simulate(reference),
        )

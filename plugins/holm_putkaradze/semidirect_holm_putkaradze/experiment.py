"""One system run by several methods on the same noise, and once by each without noise."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, final

import numpy as np

import semidirect as sd
from semidirect.core import PerPath, errors

if TYPE_CHECKING:
    from semidirect.run import Run
    from semidirect.system import System

__all__ = ["Ensemble", "Experiment"]

_log = logging.getLogger(f"semidirect.{__name__}")  # which the command line shows


@final
@dataclass(frozen=True)
class Ensemble:
    """The runs of an experiment; all begin at one state, and the realisations of all methods have the same noise.

    Attributes
    ----------
    realisations : dict method → Run
        With noise.
    without_noise : dict method → Run
        The same equations and method with ξ = 0.
    reference : Run
        Without noise, by the reference method.
    """

    realisations: Mapping[str, Run]
    without_noise: Mapping[str, Run]
    reference: Run

    def runs(self) -> dict[str, Run]:
        """All of them, by name."""
        runs = {f"{self.reference.config['method']}, no noise": self.reference}
        for method, run in self.realisations.items():
            runs |= {f"{method}, no noise": self.without_noise[method], f"{method}, noise": run}
        return runs


@final
@dataclass(frozen=True)
class Experiment:
    """The specification of an experiment.

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
        The quantities that figures and tables need.
    amplitudes : sequence of str
        Those of its parameters that are amplitudes of noise.
    """

    name: str
    choices: Mapping[str, Any]
    state: Mapping[str, Any]
    t_end: float
    dt: float
    quantities: Sequence[str]
    amplitudes: Sequence[str] = ("noise", "vertical_noise")

    @cached_property
    def system(self) -> System:
        """The system."""
        return sd.load(self.name, **self.choices)

    def check(self) -> None:
        """Raise :class:`InputError` for anything that :meth:`run` would reject."""
        from semidirect.model import NumericalSDE
        from semidirect.specification import schedule
        from semidirect.state import InitialState

        schedule.steps_of(self.t_end, self.dt)
        if InitialState.of(self.system, self.state).paths != 1 or self.system.workings.paths is not None:
            raise errors.InputError(f"the state and parameters of {self.name}", expected="the same for all paths")
        quantities = NumericalSDE.of(self.system).structure.quantities(self.system)
        missing = [q for q in self.quantities if not any(q in names for names in quantities.values())]
        if missing:
            raise errors.InputError(
                f"{self.name} with these parameters has no {', '.join(missing)}, which its figure shows",
                hint="The Routh integral needs I1 = I2 and axis = [0, 0, 1].",
            )

    def run(self, methods: Sequence[str], reference: str, *, seed: int, realisations: int) -> Ensemble:
        """Run it: for each method one batch, whose last path has amplitudes 0 and so no noise."""
        settings: dict[str, Any] = {
            "t_end": self.t_end,
            "dt": self.dt,
            "state": self.state,
            "save": sd.Save(names=self.quantities),
        }
        noise = {k: v for k, v in self.system.values.items() if k in self.amplitudes and v.size}
        none = {k: 0 * v for k, v in noise.items()}
        batch = self.system.replace(**{k: PerPath(np.stack([*[v] * realisations, none[k]])) for k, v in noise.items()})
        noisy, quiet = {}, {}
        for method in methods:
            _log.info("%s by %s: %d realisations to t = %g s", self.name, method, realisations, self.t_end)
            run = batch.simulate(method=method, seed=seed, paths=realisations + 1, **settings)
            noisy[method] = _part(run, slice(realisations), noise)
            quiet[method] = _part(run, slice(realisations, None), none)
        _log.info("%s by %s: no noise", self.name, reference)
        return Ensemble(noisy, quiet, self.system.simulate(method=reference, driver=0, **settings))


def _part(run: Run, paths: slice, noise: Mapping[str, np.ndarray]) -> Run:
    """Some paths of a run, which have these parameters."""
    config = {
        k: v for k, v in run.config.items() if k != "parameter_units"
    }  # nothing varies from path to path in a part
    parameters = {**config["parameters"], **{k: v.tolist() for k, v in noise.items()}}
    status = run.data.status[paths]
    part = replace(
        run.data,
        data={k: v[paths] for k, v in run.data.items()},
        final=replace(run.final.of_paths(paths), equations={**run.final.equations, "parameters": parameters}),
        status=status,
        failed_at=run.data.failed_at[paths],
        failed_component=run.data.failed_component[paths],
        config={**config, "parameters": parameters, "paths": len(status)},
    )
    return sd.Run(part)

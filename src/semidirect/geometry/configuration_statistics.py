"""Statistics of the configurations of a run at one time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

import numpy as np

from semidirect.analysis import pictures
from semidirect.core import arguments, errors, explains_calls
from semidirect.definition import SystemDefinition, a_system
from semidirect.geometry.configuration_factors import configuration_factors
from semidirect.geometry.factor_statistics import FactorStatistics
from semidirect.results import RunLike, a_run

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@explains_calls
@final
@dataclass(frozen=True, eq=False, repr=False)
class ConfigurationStatistics(Mapping[str, FactorStatistics]):
    """Statistics of configurations: coordinates of a factor of the group → its mean, spread and principal geodesics.

    Attributes
    ----------
    time : float
        When [s].
    paths : int
        Number of paths that count: those that have not failed.
    factors : dict name → FactorStatistics
    """

    time: float
    paths: int
    factors: Mapping[str, FactorStatistics]

    def __getitem__(self, name: str) -> FactorStatistics:
        return self.factors[arguments.validated_name("factor of the configuration", name, self.factors)]

    def __iter__(self) -> Iterator[str]:
        return iter(self.factors)

    def __len__(self) -> int:
        return len(self.factors)

    def __repr__(self) -> str:
        return f"ConfigurationStatistics({self.time:g} s, {self.paths} paths, {', '.join(self.factors)})"

    def __str__(self) -> str:
        lines = [f"configurations of {self.paths} paths at {self.time:g} s"]
        for name, factor in self.factors.items():
            spreads = ", ".join(f"{d:.4g}" for d in factor.deviations)
            lines.append(
                f"  {name} in {factor.group.name}: spread {factor.spread:.4g} {factor.unit}".rstrip()
                + f"; along principal geodesics {spreads}"
                + "; there may be other means" * (not factor.unique)
            )
        return "\n".join(lines)

    def plot(self, *, ax: Axes | tuple[Axes, ...] | None = None) -> tuple[Axes, ...]:
        """Draw the configurations of each factor along its first two principal geodesics, with ellipses of one and two standard
        deviations; of angles their distribution. ``ax`` has axes for each factor.
        """
        from semidirect.geometry.picture import plot_factors

        return plot_factors(list(self.values()), f"{self.paths} paths at {pictures.short(self.time, 4)} s", ax)


@explains_calls
def statistics(run: RunLike, time: float | None = None, *, system: SystemDefinition | None = None
               ) -> ConfigurationStatistics:  # fmt: skip
    """Mean, spread and principal geodesics of the configurations of a run, on each factor of the group.

    The mean of rotations is the Fréchet mean, which minimises the sum of squared angles; the principal geodesics are those of a
    principal component analysis in the tangent space at the mean. Both are computed by geomstats. Positions have their mean and
    principal components. Angles that a run stores unwrapped are points of the circle here.

    Parameters
    ----------
    run : Run
        It must have saved its configuration, as runs do by default.
    time : float, optional
        A time [s]; the saved one nearest to it is taken. Default: the last one.
    system : System, optional
        The system of a run that was loaded, if its class is neither imported nor of an installed plugin.

    Returns
    -------
    ConfigurationStatistics
        ``result["g"].mean``, ``.spread``, ``.directions``, and ``result.plot()``.

    Raises
    ------
    InputError
        If the run did not save its configuration, for a time outside of it, with fewer than two paths, or if there is no mean.
    DefinitionError
        For a group that is not a product of SO(n), SE(2), SE(3), tori and Rⁿ.
    """
    data = a_run(run)
    definition = data.known_system if system is None else a_system(system)
    if definition is None:
        raise errors.InputError(
            "statistics of configurations", expected="a run whose system is known",
            got=str(data.config.get("system", "")), hint="Give the system: sd.geometry.statistics(run, system=system).",
        )  # fmt: skip
    factors = configuration_factors(definition.group)
    k = _nearest(data.times, time)
    element = data.element()[:, k]
    # a path that ended early has no configuration at this time
    good = data.good & np.all(np.isfinite(element), axis=(-2, -1))
    count = int(np.count_nonzero(good))
    if count < 2:
        raise errors.InputError(
            "statistics of configurations", expected="at least two paths that have not failed", got=str(count)
        )
    return ConfigurationStatistics(
        float(data.times[k]), count, {f.name: FactorStatistics.of(f, f.points(element[good])) for f in factors}
    )


def _nearest(times: np.ndarray, time: float | None) -> int:
    if time is None:
        return len(times) - 1
    moment = arguments.validated_number("time", time)
    if not times[0] <= moment <= times[-1]:
        raise errors.InputError("time", expected=f"from {times[0]:g} to {times[-1]:g} s", got=f"{moment:g}")
    return int(np.argmin(np.abs(times - moment)))

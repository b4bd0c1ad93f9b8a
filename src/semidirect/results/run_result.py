"""The results of a run from its data: its quantities by name, the ends of its paths, statistics, and conversions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from semidirect.core import explains_calls
from semidirect.expressions import ReadByName
from semidirect.results import data_set
from semidirect.results.run import RunData, a_run

if TYPE_CHECKING:
    import pandas
    import xarray
    from scipy.spatial.transform import Rotation

    from semidirect.core import failure
    from semidirect.definition import SystemDefinition
    from semidirect.results.crossings import RecordedCrossings
    from semidirect.results.derivatives import Sensitivity
    from semidirect.results.step_error import ErrorCheck
    from semidirect.results.stopped_paths import StoppedPaths
    from semidirect.state import Final


@explains_calls
@dataclass(frozen=True, eq=False, repr=False, init=False)
class RunResult(ReadByName, Mapping[str, np.ndarray]):
    """The base of :class:`~semidirect.run.Run`, with the methods that need the data alone.

    Attributes
    ----------
    data : RunData
        All that is stored of the run.
    """

    data: RunData
    _instead: ClassVar[Mapping[str, str]] = {
        **dict.fromkeys(("mean", "std", "means", "standard_error", "sem"), "Write .statistics()['energy']['mean'] or ['se']."),
        **dict.fromkeys(("t", "ts"), "Write .times."),
        **dict.fromkeys(("state", "end", "last"), "The states at the end are .final; quantities are read as ['energy']."),
        **dict.fromkeys(("to_dataframe", "to_df", "dataframe"), "Write .to_pandas()."),
        **dict.fromkeys(("to_dataset", "dataset"), "Write .to_xarray()."),
        **{f"to_{kind}": f"Write .to_pandas().to_{kind}(…)." for kind in ("csv", "excel", "parquet", "json")},
        **{f"to_{kind}": f"Write .to_xarray().to_{kind}(…)." for kind in ("netcdf", "zarr")},
        "to_numpy": "Each quantity is an array: ['energy'].",
    }  # fmt: skip

    def __init__(self, data: RunData | None = None, /, **fields: Any):
        object.__setattr__(self, "data", RunData(**fields) if data is None else a_run(data))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.data,)

    def __copy__(self) -> Self:
        return self  # it is read-only, so its store is not opened again

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        """A quantity, a component such as ``run["Omega1"]`` or ``run["g12"]``, or an expression of quantities such as
        ``run["dot(M, M)"]``: (paths, T) or (paths, T, d); a matrix of a matrix system (paths, T, N, N).
        """
        flat = self.data.matrices.get(name) if isinstance(name, str) else None
        return self.data[name] if flat is None else flat.shaped(self.data[name])

    def __contains__(self, name: object) -> bool:
        return name in self.data

    def __iter__(self) -> Iterator[str]:
        return iter(self.data)

    def __len__(self) -> int:
        return len(self.data)

    def __repr__(self) -> str:
        return repr(self.data)

    # -- what was run ----------------------------------------------------------------------------------------------

    @property
    def system(self) -> SystemDefinition | None:
        """The system of the run; ``None`` for a run that was loaded."""
        return self.data.system

    @property
    def config(self) -> Mapping[str, Any]:
        """The resolved configuration, in JSON's types."""
        return self.data.config

    @property
    def seed(self) -> int:
        """The seed of the noise, also where it was drawn."""
        return self.data.seed

    @property
    def paths(self) -> int:
        """Number of paths."""
        return self.data.paths

    @property
    def times(self) -> np.ndarray:
        """The saved times [s], (T,), as a person writes them: 0.3 for the third step of dt = 0.1."""
        return self.data.times

    # -- how paths ended -------------------------------------------------------------------------------------------

    @property
    def final(self) -> Final:
        """The final state, which can be passed as ``state=`` to continue the run; it contains its time and seed."""
        return self.data.final

    @property
    def good(self) -> np.ndarray:
        """The paths that did not fail, bool ``(paths,)``."""
        return self.data.good

    def failures(self) -> list[failure.Failure]:
        """The paths that failed, each with time, component and reason."""
        return self.data.failures()

    @property
    def stopped(self) -> StoppedPaths:
        """The paths that an event stopped: when, which event, and in which state."""
        return self.data.stopped

    # -- quantities of paths ---------------------------------------------------------------------------------------

    @property
    def crossings(self) -> tuple[RecordedCrossings, ...]:
        """The recorded crossings, in the order of ``Save(crossings=…)``."""
        return self.data.crossings

    @property
    def reductions(self) -> Mapping[str, Any]:
        """Statistics computed during the run: key → result."""
        return self.data.reductions

    @property
    def error_check(self) -> ErrorCheck | None:
        """The difference from the same run at half the step, if it was computed; not written to disk."""
        return self.data.error_check

    def statistics(self) -> dict[str, dict[str, np.ndarray]]:
        """Mean and its standard error over the good paths, at each saved time; nan if there are too few paths."""
        return self.data.statistics()

    def sensitivity(self, quantity: str, by: str | None = None) -> Sensitivity:  # noqa: D102
        return self.data.sensitivity(quantity, by)

    sensitivity.__doc__ = RunData.sensitivity.__doc__

    def element(self) -> np.ndarray:  # noqa: D102
        return self.data.element()

    element.__doc__ = RunData.element.__doc__

    def rotation(self, name: str | None = None, paths: Any = None) -> Rotation:  # noqa: D102
        return self.data.rotation(name, paths)

    rotation.__doc__ = RunData.rotation.__doc__

    # -- other forms ----------- -----------------------------------------------------------------------------------

    def to_xarray(self) -> xarray.Dataset:
        """An xarray Dataset with dims ``path, time, component``; units, long names and the configuration in attributes.

        ``component`` belongs to vectors of R³, with the labels x, y, z; vectors of n other components have ``component_n``, which
        counts from 1, or has x and y for n = 2. Coordinates that fill a matrix also appear as a matrix, ``g_matrix`` with
        dims ``row, column`` (``row_n`` unless it has three), and so does the whole element of the group, ``element``, if it
        is another matrix. Values that differ from path to path are coordinates on ``path``: parameters by name, initial values as
        ``initial_Omega``, for ``groupby``. The crossings of the first ``Save(crossings=…)`` are ``crossing1_count``,
        ``crossing1_time`` and ``crossing1_M``, with the dimension ``crossing1``, and so on. Attributes follow the CF
        conventions where they apply, and the data set can be written by ``to_netcdf`` and ``to_zarr``; in the name of an
        expression ``/`` becomes ``over``.
        """
        return data_set.data_set(self.data, self.data.layout())

    def to_pandas(self) -> pandas.DataFrame:
        """A pandas DataFrame with a row per path and time, and a column per component, named as in tables: ``Omega1``, ``g11``.

        Values that differ from path to path are columns too. ``attrs["units"]`` has the units by column.
        """
        return data_set.data_frame(self.data)

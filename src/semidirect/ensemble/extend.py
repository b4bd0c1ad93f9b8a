"""Longer runs: one in memory is continued there, one on disk in its store."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from semidirect.core import errors
from semidirect.ensemble.extend_in_memory import extended_in_memory
from semidirect.ensemble.extend_on_disk import extended_run
from semidirect.results import RunData

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition
    from semidirect.engines import Execution
    from semidirect.specification import MethodLike

__all__ = ["extended"]


def extended(
    run: str | Path | RunData, *, paths: int | None, t_end: float | None, driver: Any, system: SystemDefinition | None,
    method: MethodLike | None, execution: Execution,
) -> RunData:  # fmt: skip
    """See :func:`semidirect.run.extend`."""
    if isinstance(run, RunData) and run.source is None:
        for name, value in (("system", system), ("method", method)):
            if value is not None:
                raise errors.InputError(
                    f"{name} of a run in memory", expected="none: it knows its own", got=repr(value)
                )
        return extended_in_memory(run, paths=paths, t_end=t_end, driver=driver, execution=execution)
    place: Any = getattr(run.source, "path", None) if isinstance(run, RunData) else run
    return extended_run(
        place, paths=paths, t_end=t_end, driver=driver, system=system, method=method, execution=execution
    )

"""Threads, engine and executor of a run."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any, ClassVar, Self, final

from semidirect.core import Flag, arguments, errors
from semidirect.engines.stepping.choice import AUTO, ENGINES, validated_engine
from semidirect.specification import RunArgument

__all__ = ["Execution"]


def _help() -> str:
    return f"engine that advances the paths: {', '.join((AUTO, *ENGINES))}; results are bit-identical (default: {AUTO})"


@final
@dataclass(frozen=True, repr=False)
class Execution(RunArgument):
    """Threads, engine and executor of a run: ``simulate(execution=sd.Execution(threads=4))``. Results are bit-identical.

    Parameters
    ----------
    threads : int, optional
        Worker threads; default the number of cores that this process may use.
    executor : concurrent.futures.Executor, or a function that makes one; optional
        The executor of the chunks, a ``ProcessPoolExecutor`` or Dask's ``client.get_executor()``; default threads. One that
        loses its workers is replaced if a function made it. An object with an executor can be pickled if the executor can be.
    engine : {"auto", "numpy", "compiled"}
        The engine: array code, a compiled kernel, or whichever is estimated to be faster. Or the name of an
        :class:`~semidirect.engines.engine.Engine` of another package.
    progress : bool
        Whether stderr, if it is a terminal, shows how far a run is, and what is derived and compiled for it.

    Raises
    ------
    InputError, UnknownNameError
        For anything that cannot be used.
    """

    threads: int | None = None
    executor: Executor | Callable[[], Executor] | None = None
    engine: str = AUTO
    progress: bool = False

    argument: ClassVar[str] = "execution"
    flags: ClassVar[tuple[Flag, ...]] = (
        Flag("threads", "worker threads (default: as many as this process may use)", "whole", "N"),
        Flag("engine", _help, metavar="NAME"),
    )

    def __post_init__(self) -> None:
        if self.threads is not None:
            object.__setattr__(self, "threads", arguments.validated_whole("threads", self.threads, least=1))
        executor: Any = self.executor
        if not (executor is None or isinstance(executor, Executor) or callable(executor)):
            expected = "a concurrent.futures.Executor or a function that makes one"
            raise errors.InputError("executor", expected=expected, got=reprlib.repr(executor))
        object.__setattr__(self, "engine", validated_engine(self.engine))
        object.__setattr__(self, "progress", arguments.validated_flag("progress", self.progress))

    def as_json(self) -> dict[str, Any]:
        """Nothing: a run does not depend on what computes it."""
        return {}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Self:
        """The default, as records say nothing of it."""
        return cls()

    @classmethod
    def from_flags(cls, values: Mapping[str, Any]) -> Self:
        """The object that the flags describe."""
        return cls(values["threads"], engine=values["engine"] or AUTO)

"""An expression of the quantities of a run, evaluated for all paths and times that were saved."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from semidirect.core.expression import evaluate_arrays

if TYPE_CHECKING:
    from semidirect.ensemble.run import RunData


def run_expression(run: RunData, text: str) -> np.ndarray:
    """The values of an expression, ``(paths, T)`` or ``(paths, T, d)``, read-only.

    Names are those of saved quantities (``_`` for ``-``) and their components (``Omega1``), of parameters, and ``t``.

    Raises
    ------
    InputError, UnknownNameError
        As :func:`~semidirect.core.expression.evaluate_expression`.
    """
    shape = (run.paths, len(run.times))
    values = evaluate_arrays(text, _Names(run), batch=2)
    values = np.broadcast_to(values, (*values.shape[:-2], *shape)) if values.ndim else np.full(shape, values)
    out: np.ndarray = np.ascontiguousarray(np.moveaxis(values, 0, -1) if values.ndim > 2 else values)
    out.setflags(write=False)
    return out


class _Names(dict[str, Any]):
    """What names mean, found when they are asked for: arrays with components first, paths and times last."""

    def __init__(self, run: RunData):
        self._run, self._by_path = run, run.by_path()
        super().__init__({name.replace("-", "_"): None for name in run})
        for name in run:
            if run.data[name].ndim > 2:
                self.update({f"{name}{i + 1}": None for i in range(run.data[name].shape[-1])} | dict(self))
        self.update({name: None for name in (*run.config.get("parameters", {}), "t") if name not in self})

    def __getitem__(self, name: str) -> Any:
        run = self._run
        for saved in run:
            if saved.replace("-", "_") == name:
                return _first(run.data[saved])
            if run.data[saved].ndim > 2 and name.startswith(saved) and name.removeprefix(saved).isdecimal():
                return run.data[saved][..., int(name.removeprefix(saved)) - 1]
        if name in self._by_path:
            return _first(self._by_path[name][:, None])
        if name == "t":
            return np.broadcast_to(run.times, (run.paths, len(run.times)))
        value = np.asarray(run.config["parameters"][name], dtype=float)
        return value.reshape(*value.shape, 1, 1)


def _first(values: np.ndarray) -> np.ndarray:
    """Paths, times and components (paths, T, …) with the components first."""
    return np.moveaxis(values, (0, 1), (-2, -1))

"""Named quantities of many states and functions of them, as one compiled function."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, final

import numpy as np

from semidirect.compile.of_equations import OfEquations
from semidirect.compile.row_functions.row_function import RowFunction
from semidirect.core import interpolation, ops
from semidirect.machine import NotCompiledError
from semidirect.model import NumericalSDE

if TYPE_CHECKING:
    from semidirect.compile.loop_function import LoopFunction
    from semidirect.compile.tracer import Trace

__all__ = ["OfRows", "Reader", "reader"]

SECONDS_OF_A_PIECE, SECONDS_OF_A_ROW, PATHS_OF_A_PIECE = 7e-5, 4e-9, 2048
"""Of array code: of each piece of so many paths, and of each row of each path."""
WORTH_COMPILING, WORTH_LOADING = 0.1, 0.01
"""Seconds of array code above which a function is compiled, or loaded if it was compiled before."""

USES: OfEquations[_Use] = OfEquations()


@final
@dataclass(frozen=True)
class OfRows:
    """A function of the rows of quantities, which is evaluated with them: one number for each state.

    Attributes
    ----------
    key : str
        What its value is called.
    label : str
        Identifies the function: the same label is the same function.
    function : callable
        Of the rows and the numbers, written with :mod:`semidirect.ops`.
    of : tuple of str
        The quantities.
    numbers : tuple of float
        Numbers that all states share.
    """

    key: str
    label: str
    function: Callable[[Sequence[Any], Sequence[Any]], Any]
    of: tuple[str, ...]
    numbers: tuple[float, ...]


@final
class Reader:
    """A compiled function of states that gives quantities, with the bits of :meth:`.NumericalSDE.read`, and functions of them.

    Parameters
    ----------
    model : NumericalSDE
    quantities : dict name → rows
    names : sequence of str
        The quantities whose rows are results.
    functions : sequence of OfRows
        Functions whose values follow.
    label : str
        Identifies the function of states.
    """

    def __init__(self, model: NumericalSDE, quantities: Mapping[str, Sequence[Any]], names: Sequence[str],
                 functions: Sequence[OfRows], label: str):  # fmt: skip
        self.per_path = _per_path(model)
        q = 0 if self.per_path else len(model.parameters)
        counts = [model.dimension, len(model.coordinates), *([len(model.parameters)] if self.per_path else [])]
        ends = np.cumsum([1 + q, *(len(one.numbers) for one in functions)]).tolist()

        def values(trace: Trace, arrays: Sequence[np.ndarray], numbers: np.ndarray) -> list[Any]:
            y, s, t = arrays[0], arrays[1], numbers[0]
            traced = model.with_parameters(list(arrays[2] if self.per_path else numbers[1 : 1 + q]))
            rows = iter([_one_nan(trace, row) for row in traced.read_rows(y, s, t, quantities)])
            rows_by_name = {k: [next(rows) for _ in several] for k, several in quantities.items()}
            own = [
                one.function([row for k in one.of for row in rows_by_name[k]], list(numbers[begin:end]))
                for one, (begin, end) in zip(functions, pairwise(ends), strict=True)
            ]
            return [*(row for k in names for row in rows_by_name[k]), *own]

        @cache
        def make() -> LoopFunction:
            from semidirect.compile.row_functions.row_loops import function_of_rows

            return function_of_rows(values, counts, ends[-1])

        self._places, last = {}, 0
        for k in names:
            self._places[k] = slice(last, last + len(quantities[k]))
            last += len(quantities[k])
        self._first_own = last
        flat = [row for several in quantities.values() for row in several]
        cacheable = model.structure.keeps(flat)
        description = model.structure.text(label, lambda: make().described) if cacheable else make().described
        self._function = RowFunction(description, make, "readings")

    def __call__(self, model: NumericalSDE, y: np.ndarray, stored: np.ndarray, t: float, functions: Sequence[OfRows]
                 ) -> dict[str, np.ndarray]:  # fmt: skip
        """The results, name → ``(paths, rows)``, of the states of all paths of a model with these equations."""
        arrays, numbers = [y, stored], [float(t)]
        if self.per_path:
            arrays.append(np.array([np.broadcast_to(p, y.shape[1:]) for p in model.parameters], dtype=float))
        else:
            numbers += [float(p) for p in model.parameters]
        rows = self._function(arrays, [*numbers, *(x for one in functions for x in one.numbers)])
        results = {k: rows[place].T for k, place in self._places.items()}
        return results | {one.key: rows[self._first_own + i :][:1].T for i, one in enumerate(functions)}


@final
class _Use:
    """For how long some quantities would have been read by array code, and their compiled function."""

    def __init__(self) -> None:
        self.seconds, self.possible = 0.0, True
        self.reader: Reader | None = None


def reader(model: NumericalSDE, quantities: Mapping[str, Sequence[Any]], names: tuple[str, ...], functions: Sequence[OfRows],
           paths: int, times: int = 1) -> Reader | None:  # fmt: skip
    """The compiled function of states, see :class:`Reader`, once it has been evaluated for so many that it takes less time to
    compile it; each call counts another evaluation for so many paths, and expects as many as ``times``.

    ``None`` before, and for what is not compiled: derivatives, and systems with tables.
    """
    if model.tangents is not None or not model.compiles or model.known("has tables", lambda: _has_tables(model)):
        return None
    rows = tuple(row for several in quantities.values() for row in several)
    key = (
        model.reconstructs,
        _per_path(model),
        rows,
        names,
        *((one.label, one.of) for one in functions),
    )
    with USES.lock:
        use = USES.get(model.structure, key, _Use)
        if use.reader is None and use.possible:
            seconds = -(-paths // PATHS_OF_A_PIECE) * SECONDS_OF_A_PIECE + SECONDS_OF_A_ROW * paths * len(rows)
            label = _text_label(model, quantities, names, functions)
            use.seconds += seconds
            if use.seconds + (times - 1) * seconds > (
                WORTH_LOADING if model.structure.knows(label) else WORTH_COMPILING
            ):
                try:
                    use.reader = Reader(model, quantities, names, functions, label)
                except (NotCompiledError, TypeError):  # a function that kernels do not have
                    use.possible = False
        return use.reader


def _has_tables(model: NumericalSDE) -> bool:
    return any(isinstance(p, interpolation.AnyTable) for p in model.parameters)


def _per_path(model: NumericalSDE) -> bool:
    return bool(model.known("parameters per path", lambda: any(np.ndim(p) for p in model.parameters)))


def _text_label(model: NumericalSDE, quantities: Mapping[str, Sequence[Any]], names: Sequence[str],
                functions: Sequence[OfRows]) -> str:  # fmt: skip
    kind = f"{'' if model.reconstructs else ', reduced'}{', per path' if _per_path(model) else ''}"
    out = [name in names for name in quantities]
    own = "".join(f", {one.label} of {[list(quantities).index(k) for k in one.of]}" for one in functions)
    return f"compiled{kind} {out}{own}: {model.reader_label(quantities)}"


def _one_nan(trace: Trace, value: Any) -> Any:
    """The sign of a nan says nothing and depends on who computed it."""
    if not isinstance(value, ops.Scalar):
        return value
    x = trace.use(value)
    return trace.let("select", (trace.let("equal", (x, x)).number, x, trace.use(np.nan)))

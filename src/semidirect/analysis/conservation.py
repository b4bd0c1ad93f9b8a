"""How well quantities are conserved: the largest drift of each, by method, with and without noise."""

from __future__ import annotations

import reprlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from semidirect.core import arguments, display, errors, explains_calls
from semidirect.results import RunLike, a_run
from semidirect.text import text_layout

__all__ = ["ConservationTable", "Quantity", "drift"]


@final
@dataclass(frozen=True)
class Quantity:
    """A quantity of a run to watch: its name there, how a table calls it, and which component of a vector it is."""

    name: str
    title: str
    component: int | None = None

    def of(self, run: RunLike) -> np.ndarray:
        """Its values, ``(paths, T)``.

        Raises
        ------
        UnknownNameError
            For a name that the run does not hold.
        InputError
            For a component that it does not have.
        """
        values: np.ndarray = a_run(run)[self.name]
        if self.component is None:
            return values
        last = values.shape[-1] - 1 if values.ndim > 2 else -1
        return values[..., arguments.validated_whole(f"component of {self.name!r}", self.component, least=0, most=last)]


@explains_calls
def drift(run: RunLike, quantity: Quantity) -> float:
    """The largest |Q(t) − Q(0)| over the good paths and the saved times; nan if there are none."""
    expected = 'such as Quantity("energy", "energy")'
    values = arguments.validated_instance("a quantity to watch", quantity, Quantity, expected=expected).of(run)[
        a_run(run).good
    ]
    return float(np.max(np.abs(values - values[:, :1]))) if values.size else float("nan")


@final
@dataclass(frozen=True, repr=False)
class ConservationTable(display.Brief):
    """Drifts max |Q(t) − Q(0)| of the quantities of one system.

    Attributes
    ----------
    title : str
        The label of the run.
    columns : tuple of str
        Names of the runs.
    rows : dict quantity → tuple
        Q(0), then one drift a column.
    """

    title: str
    columns: tuple[str, ...]
    rows: Mapping[str, tuple[float, ...]]

    @classmethod
    def of(cls, title: str, runs: Mapping[str, RunLike], quantities: Sequence[Quantity]) -> ConservationTable:
        """The table of runs that begin at one state."""
        if not isinstance(runs, Mapping) or not runs:
            raise errors.InputError("runs of a table", expected="a mapping of names to runs", got=reprlib.repr(runs))
        first = a_run(next(iter(runs.values())))
        rows = {q.title: (float(q.of(first)[0, 0]), *(drift(run, q) for run in runs.values())) for q in quantities}
        return cls(title, tuple(runs), rows)

    def cells(self) -> list[list[str]]:
        """Header and rows as text."""
        header = ["quantity", "at t = 0", *self.columns]
        return [header, *([name, f"{v[0] + 0.0:.6g}", *(f"{x:.1e}" for x in v[1:])] for name, v in self.rows.items())]

    def text(self) -> str:
        """Aligned columns, each row on one line, as in a file."""
        header, *rows = self.cells()
        return f"{self.title}\n{text_layout.table(header, rows, right=range(1, len(header)), width=text_layout.WHOLE)}"

    def markdown(self) -> str:
        """A Markdown table under its title."""
        header, *rows = [[c.replace("|", "\\|") for c in row] for row in self.cells()]
        rule = ["---", *["---:"] * (len(header) - 1)]
        return "\n".join([f"**{self.title}**", "", *(f"| {' | '.join(row)} |" for row in (header, rule, *rows))])

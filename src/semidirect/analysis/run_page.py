"""A run as a notebook shows it: a summary, the failed paths, means at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from semidirect.analysis.monitor.keeping import moved_by_method
from semidirect.core import display
from semidirect.expressions import UnitLabel, component_names
from semidirect.text import printing

if TYPE_CHECKING:
    from semidirect.results import RunData

LARGEST = 2_000_000
"""Up to this product of paths and saved times, means of all quantities are shown; beyond, only those of the final state."""

FAILURES, ROWS = 5, 24
"""The numbers of failures and of rows of means that are shown."""


def run_html(run: RunData) -> str:
    """The run in HTML; of a small one, also the observables that its method does not keep."""
    config = run.config
    system = str(config["system"]).rpartition(":")[2]
    failures = run.failures()
    rows = [
        ["paths", f"{run.paths:,}, {len(failures):,} failed"],
        ["times", f"{len(run.times):,} saved, from {run.t_start:g} s to {config['t_end']:g} s; steps of {config['dt']:g} s"],
        ["method", str(config["method"])], ["seed", str(config["seed"])],
    ]  # fmt: skip
    parts = [display.heading(f"Run of {system}"), display.table(["", ""], rows)]
    if failures:
        parts.append(display.paragraph("\n".join(map(str, failures[:FAILURES]))))
        parts += [display.paragraph(f"and {len(failures) - FAILURES:,} more")] if len(failures) > FAILURES else []
    means, left_out = _means(run)
    if means:
        parts += [display.paragraph(f"at t = {config['t_end']:g} s, over {int(run.good.sum()):,} good paths"),
                  display.table(["quantity", "mean", "standard error", "unit"], means)]  # fmt: skip
    parts += [display.paragraph(f"and {left_out} components more")] if left_out else []
    if run.paths * max(len(run.times), 1) <= LARGEST:
        parts += [display.paragraph(str(one)) for one in moved_by_method(run)]
    if run.reductions:
        parts.append(display.paragraph(f"statistics: {', '.join(run.reductions)}"))
    return "".join(parts)


def _means(run: RunData) -> tuple[list[list[str]], int]:
    """Means at the end by component, and the number of omitted ones."""
    good = run.good
    small = run.paths * max(len(run.times), 1) <= LARGEST
    ends = run.data if small else run.final
    rows: list[list[str]] = []
    count = 0
    n = int(good.sum())
    for name in run.observables_first(ends) if n else ():
        values = ends[name][good]
        values = (values[:, -1] if small else values).reshape(n, -1)
        count += values.shape[1]
        labels = component_names.component_names(name, values.shape[1], run.stored_names)
        size = float(np.max(np.abs(values), initial=0.0))
        for i, (label, column) in enumerate(zip(labels, values.T, strict=True)):
            if len(rows) < ROWS:
                with np.errstate(over="ignore", invalid="ignore"):
                    middle, spread = column.mean(), column.std(ddof=1) if n > 1 else np.nan
                error = printing.standard_error(spread / np.sqrt(n), size, ".2g") if n > 1 else ""
                unit = UnitLabel(run.units.get(name, "")).of_component(i, values.shape[1])
                rows.append([label, f"{middle:.6g}", error, unit])
    return rows, count - len(rows)

"""``semidirect compare``: compares methods on the same noise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from semidirect.cli.answer import Answer, picture
from semidirect.cli.command import Command
from semidirect.core import Flag
from semidirect.text import printing, text_layout

if TYPE_CHECKING:
    import semidirect as sd


def text(c: sd.analysis.Comparison) -> str:
    """The comparison for people."""
    from semidirect.integrators import AdaptiveIntegrator, integrator

    lost, when = f", {c.failed} failed and left out" if c.failed else "", printing.span(c.t_start, c.t_end)
    head = (
        f"{c.system}, {c.noise_class} noise, {c.paths} path{'s' * (c.paths != 1)}{lost} {when}, seed {c.seed}; "
        f"exact: {c.reference}"
        + ("" if isinstance(integrator(c.reference), AdaptiveIntegrator) else f" at dt = {c.finest:.3g} s")
    )
    return "\n\n".join([head, work_table(c), *(ledger_table(c, name) for name in c.motions)])


def _drawn(comparison: sd.analysis.Comparison) -> Any:
    return comparison.plot()


def work_table(c: sd.analysis.Comparison) -> str:
    """Work and errors."""
    header = ["method", "dt [s]", "evaluations a step", "a path", "time",
              *(f"{e} [{u}]" if u else e for e, u in c.units.items())]  # fmt: skip
    rows = [
        [p.method, printing.figures(p.dt), f"{p.evaluations:.3g}", f"{p.work:.3g}", "-" if p.time is None else f"{p.time:.2f}",
         *(f"{p.errors[e]:.2e}" for e in c.units)]
        for p in c.points
    ]  # fmt: skip
    note = "" if c.points[0].time is None else f"\ntime: of {c.paths} paths, over that of the first line"
    return "work and error at the end\n" + text_layout.table(header, rows, right=range(1, len(header)), indent=2) + note


def ledger_table(c: sd.analysis.Comparison, name: str) -> str:
    """The contributions of the model and the methods to one observable."""
    motion = c.motions[name]
    size = abs(motion.start)
    rows = [["model", "", f"{motion.change:.2e}", "", "", _plus(motion.slope, motion.slope_error, size)]]
    for p in c.points:
        e = p.ledger[name]
        rows.append([p.method, printing.figures(p.dt), f"{e.change:.2e}", f"{e.largest:.2e}", _plus(e.mean, e.mean_error, size),
                     _plus(e.slope, e.slope_error, size)])  # fmt: skip
    header = ["", "dt [s]", "rms at the end", "largest", "mean at the end", "drift a second"]
    return f"{title(c, name)}\n" + text_layout.table(header, rows, right=range(1, len(header)), indent=2)


def title(c: sd.analysis.Comparison, name: str) -> str:
    """The observable, and whether the model conserves it."""
    from semidirect.expressions import UnitLabel  # which loads NumPy

    motion = c.motions[name]
    unit = UnitLabel(motion.unit).behind_a_number()
    unit = f" [{unit}]" if unit else ""
    if motion.conserved:
        return (
            f"{name}{unit}: conserved by the model, {printing.figures(motion.start)}; any change comes from the method"
        )
    return f"{name}{unit}: changed by the model, from {printing.figures(motion.start)}; each method adds"


def _plus(value: float, error: float, size: float) -> str:
    """A change with its standard error; ``size`` is that of the observable."""
    return f"{value:+.1e}" if error != error else f"{value:+.1e} ± {printing.standard_error(error, size, '.0e')}"


COMMAND = Command(
    "compare", "compare methods on the same noise: error against work, and their effects on observables",
    ["semidirect:analysis.compare"], topic="paths", examples=("compare rigid-body --methods heun,rk4 --levels 2",),
    details="The change of an observable by the model is separated from the error of the method.",
    arguments={
        "observables": Flag("observable", "may be repeated (default: all scalar ones)", "texts", "Q", completion="quantities"),
    },
    help={
        "t-end": "end [s] (default: 1 after the start)", "dt": "largest step [s] (default: a sixteenth of the time)",
        "levels": "number of steps dt/2^k", "paths": "default: 100, or 1 without noise",
        "reference": "method whose fine solution serves as the exact one",
    },
    left_out={"timed": "the table always has the times"}, answer=Answer(text, output=picture(_drawn)),
)  # fmt: skip
add = COMMAND.add

"""Write ``docs/drift_of_the_method.md``: how much of the drift in the paper's ball figures is the method's.

Usage: python tests/verification/drift_of_the_method.py
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from semidirect_holm_putkaradze.experiment import Experiment
from semidirect_holm_putkaradze.paper_config import PaperConfig

from semidirect.analysis.comparison import Comparison, compare
from semidirect.analysis.pictures import style
from semidirect.analysis.pictures.comparison import plot_ledger
from semidirect.engines.execution import Execution
from semidirect.expressions.units import UnitLabel
from semidirect.random.drivers.wiener import Wiener

DOCS = Path(__file__).parents[2] / "docs"
METHODS = ("sdelab(1)", "sdelab(0.5)", "lie-midpoint")
LEVELS = 4
OBSERVABLES: Mapping[str, Sequence[str]] = {
    "routh-sphere": ("energy", "jellett", "routh", "gamma-norm"),
    "chaplygin-ball": ("energy", "momentum-gamma", "momentum-squared", "gamma-norm"),
}
SYMBOLS = {
    "energy": "E", "jellett": "J", "routh": "R", "gamma-norm": "\\|Γ\\|", "momentum-gamma": "M·Γ", "momentum-squared": "\\|M\\|²",
}  # fmt: skip
LETTERS = {
    "energy": "E", "jellett": "J", "routh": "R", "gamma-norm": r"|\Gamma|", "momentum-gamma": r"M\cdot\Gamma",
    "momentum-squared": "|M|^2",
}  # fmt: skip

HEAD = """# Drift by the method

<!-- Written by `python tests/verification/drift_of_the_method.py`; do not edit. -->

The figures of the paper show E, J and R of the Routh sphere, and E and M·Γ of the Chaplygin ball, along ten realisations by the
fully implicit Euler–Heun method of SDELab (`sdelab(1)`). Part of the drift in them comes from the model and part from the
method. On this page both figures are recomputed with the parameters, the seed and the Brownian paths of `semidirect reproduce`,
by that method, by its trapezoidal version `sdelab(0.5)` and by a geometric one, `lie-midpoint`, at the step of the figure and
at its half, quarter and eighth. Every step size uses the same Brownian path; smaller steps add its bridges.

*Model* is the change Q(T) − Q(0) along the fine solution ({reference} at a sixteenth of the smallest step), root mean square
over the realisations. A method's entry is the root mean square of its difference from that solution at T, on the same path; for a
quantity that the model conserves (no drift and no noise coefficient in its evolution) it is the whole change. *Share* is the
method's part divided by the model's. *Drift* is the slope in time of the mean difference, with its standard error over the
realisations; the mean Itô drift of the model is given for comparison.
"""

PICTURE = """```{image} _static/drift_of_the_method.png
:alt: What each method adds to the energy and the integrals against time, and what the model changes
:width: 720px
```"""


def study(experiment: Experiment, config: PaperConfig) -> Comparison:
    """The comparison for one figure: its noise has the resolution of its step, so that its paths are met again."""
    return compare(
        experiment.system, METHODS, t_end=experiment.t_end, dt=experiment.dt, levels=LEVELS, seed=config.values["seed"],
        paths=config.values["realisations"], state=experiment.state, observables=OBSERVABLES[experiment.name], timed=False,
        execution=Execution(engine="compiled"), driver=Wiener(experiment.dt),
    )  # fmt: skip


def section(name: str, experiment: Experiment, c: Comparison) -> str:
    """Heading, tables and what they say."""
    choices = ", ".join(
        f"{k} {v}" for k, v in experiment.system.workings.choices.items() if k in ("coupling", "vertical")
    )
    lines = [
        f"## {name}",
        "",
        f"{choices}; Δt = {experiment.dt:g} s, T = {experiment.t_end:g} s, {c.paths} realisations.",
        "",
    ]
    for quantity, motion in c.motions.items():
        unit = UnitLabel(motion.unit).behind_a_number()
        unit = unit and f" [{unit}]"
        kept = "conserved by the model" if motion.conserved else f"the model changes it by {motion.change:.2e}"
        slope = "" if motion.conserved else f", mean drift {pm(motion.slope, motion.slope_error)} per second"
        lines += [f"**{SYMBOLS[quantity]}**{unit}, {motion.start:.4g} at the start: {kept}{slope}.", "",
                  "| method | Δt [s] | method's part | share | drift by the method [1/s] |",
                  "|---|---:|---:|---:|---:|"]  # fmt: skip
        for p in c.points:
            e = p.ledger[quantity]
            share = "all" if motion.conserved else percent(e.change / motion.change)
            lines.append(f"| `{p.method}` | {p.dt:g} | {e.change:.2e} | {share} | {pm(e.slope, e.slope_error)} |")
        lines.append("")
    return "\n".join(lines)


def pm(value: float, error: float) -> str:
    """A slope with its standard error."""
    return f"{value:+.1e} ± {error:.0e}"


def percent(share: float) -> str:
    """A share with three figures, or with all before the point."""
    return f"{100 * share:,.0f} %" if share >= 1 else f"{100 * share:.3g} %"


def findings(found: Mapping[str, Comparison]) -> str:
    """The shares at the step of the figures."""
    names = [f"`{method}`" for method in METHODS]
    lines = ["## In short", "", "The method's part divided by the model's, at the step of the figures:", "",
             f"| | Δt [s] | {' | '.join(names)} |", f"|---|---:|{'---:|' * len(names)}"]  # fmt: skip
    for name, c in found.items():
        points = [c.of(method)[0] for method in METHODS]
        for quantity, motion in c.motions.items():
            if not motion.conserved:
                shares = [percent(p.ledger[quantity].change / motion.change) for p in points]
                lines.append(f"| {name}, {SYMBOLS[quantity]} | {points[0].dt:g} | {' | '.join(shares)} |")
    lines.append("")
    orders = []
    for name, c in found.items():
        for method in METHODS:
            points = c.of(method)
            for quantity in c.motions:
                errors = [p.ledger[quantity].change for p in points]
                if min(errors) > 1e-10:
                    orders.append((name, method, quantity, float(np.log2(errors[-2] / errors[-1]))))
    low, high = min(o[3] for o in orders), max(o[3] for o in orders)
    between = f"between {2**low:.2f} and {2**high:.2f}"
    lines.append(
        f"From the second smallest step to the smallest, half as long, the method's parts fall by factors {between}."
    )
    return "\n".join(lines)


def page(found: Mapping[str, Comparison], experiments: Mapping[str, Experiment]) -> str:
    """The whole page."""
    reference = next(iter(found.values())).reference
    parts = [HEAD.format(reference=f"`{reference}`"), findings(found), PICTURE]
    parts += [section(name, experiments[name], c) for name, c in found.items()]
    return "\n\n".join(p.strip("\n") for p in parts) + "\n"


def picture(found: Mapping[str, Comparison], target: Path) -> None:
    """What the methods add at the step of the figures, against time, and what the model does in all; a column for each figure."""
    count = max(len(c.motions) for c in found.values())
    with style.styled():
        figure = style.new_figure(7.2, 2.1 * count + 0.7)
        axes: Any = figure.subplots(count, len(found), squeeze=False, sharex="col")
        for column, (name, c) in zip(axes.T, found.items(), strict=True):
            for ax, quantity in zip(column, c.motions, strict=True):
                plot_ledger(c, quantity, ax=ax)
                ax.set_ylabel(f"${LETTERS[quantity]}${ax.get_ylabel().removeprefix(quantity.replace('-', ' '))}")
            column[0].set_title(f"{name}\n{column[0].get_title()}", fontsize=style.NOTE, color=style.GREY)
        figure.legend(*axes[0, 0].get_legend_handles_labels(), frameon=False, ncols=4, loc="outside lower center")
        figure.savefig(target, dpi=130, metadata={"Software": None})


def main() -> int:
    config = PaperConfig.read()
    experiments = {name: config.experiments[name] for name in OBSERVABLES}
    found = {name: study(e, config) for name, e in experiments.items()}
    (DOCS / "drift_of_the_method.md").write_text(page(found, experiments), encoding="utf-8")
    picture(found, DOCS / "_static" / "drift_of_the_method.png")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""The page that ``semidirect reproduce`` writes beside its figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from semidirect.analysis import ConservationTable
from semidirect_holm_putkaradze.paper_figures import FIGURES

if TYPE_CHECKING:
    from semidirect_holm_putkaradze.paper_config import PaperConfig

__all__ = ["notes"]

_MODEL = {
    "printed": "`printed`, (Noisy_Ball_explicit2), the equations with which the paper continues",
    "variational": "`variational`, (Noisy_Ball_explicit1), what the principle gives; the paper continues with another one",
}

_PAGE = """# Figures of the paper

D. D. Holm and V. Putkaradze, *Dynamics of non-holonomic systems with stochastic transport*, drawn by `semidirect
reproduce`, version {version}.

| figure | in the paper | data |
| --- | --- | --- |
{figures}

One column a method, {methods}, all on the same noise. Dashed black: {realisations} realisations. Blue: their mean. Red: no
noise, by {reference}. Dotted red: no noise, by the method of the column. A shaded band is the range of the panel beside.

**Models.** {models}.

**Parameters.** The paper gives ξ₁ = ξ₂ = 0.1 and ω = ν = 1 for the disk; I₁ = I₂, χ = E₃, ξ = 0.1 χ and Δt = 0.02 for the
Routh sphere; the formal ξ = 0.1 Γ and Δt = 0.025 for the Chaplygin ball; and ten realisations. It gives no inertia, mass,
radius, offset or gravity, no initial state of the balls, no Δt of the disk, no horizon and no random numbers: these are
chosen, so the figures of the balls can be compared in kind only. All values are in `parameters.toml`; change some in a file
of your own and give it by `--config`. {changes}

**Method.** `sdelab(1)` is what the paper says it used, the fully implicit Strong Stratonovich Euler–Heun of SDELab:
Ŷ = Y + g(Y)ΔW, Y⁺ = Y + f(Y⁺)Δt + ½[g(Y) + g(Ŷ)]ΔW. Without noise it is the implicit Euler method, which damps |Γ| and moves
E, J, R, as the dotted lines show. `lie-midpoint` moves Γ by the rotations of SO(3), so that |Γ| stays what it was.

## What is conserved to what

The largest change |Q(t) − Q(0)| over the run and over all realisations.

{tables}

## Data

`data/NAME.npz` holds the lines of a figure (`numpy.load`): `times`; `METHOD/QUANTITY/realisations`, `…/mean`, `…/no-noise`;
`deterministic/QUANTITY`, the red line. `data/runs` holds the runs with the whole state: `semidirect.Run.load(path)`, or
`semidirect plot PATH`.
"""


def notes(config: PaperConfig, tables: Sequence[ConservationTable]) -> str:
    """The page, as Markdown."""
    import semidirect

    models = [
        f"`{name}`: {_MODEL[coupling]}"
        for name, experiment in config.experiments.items()
        if (coupling := experiment.system.workings.choices.get("coupling"))
    ]
    changes = list(_changes(type(config).read().values, config.values))
    return _PAGE.format(
        version=semidirect.__version__,
        figures="\n".join(f"| `{f.name}.png`, `.pdf` | `{f.source}` | `data/{f.name}.npz` |" for f in FIGURES),
        methods=" and ".join(f"`{m}`" for m in config.methods),
        realisations=config.values["realisations"],
        reference=f"`{config.reference}`",
        models="; ".join(models),
        changes=f"Here changed from what comes with the package: {', '.join(changes)}." if changes else "",
        tables="\n\n".join(t.markdown() for t in tables),
    )


def _changes(default: Mapping[str, Any], values: Mapping[str, Any], where: str = "") -> list[str]:
    changes = []
    for key, value in values.items():
        if isinstance(value, Mapping):
            changes += _changes(default[key], value, f"{where}{key}.")
        elif key not in default or default[key] != value:
            changes.append(f"`{where}{key} = {value}`")
    return changes

"""Long runs with noise of quantities that the motion keeps path by path: tables of the docs.

Usage: python tests/verification/long_runs.py [--missing | --only METHOD … | --pages]

All of it takes some minutes, most of them compiling. What is measured goes into ``long_runs.json`` beside this file;
``--missing`` measures what is not there, ``--only`` some methods again, and ``--pages`` writes the tables from what is there.
"""

from __future__ import annotations

import argparse
import json
import sys
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import numpy as np
import pages

import semidirect as sd
from semidirect.analysis.error_budget import drift_slope
from semidirect.core.errors import InputError

MEASURED = Path(__file__).with_name("long_runs.json")
PAGE = Path(__file__).parents[2] / "docs" / "choose_an_integrator_in_detail.md"
METHODS = ("heun", "lie-heun", "lie-milstein", "rkmk4", "lift(gauss(2))", "lie-midpoint", "coadjoint-midpoint", "variational",
           "nonholonomic", "implicit-midpoint", "gauss(2)", "milstein(areas)", "sdelab(0.5)", "sdelab(1)")  # fmt: skip
GENERAL = ((0.3, -0.2, 0.4), (0.2, 0.5, 0.0), (-0.3, 0.1, 0.3))
"""Amplitudes in the body that do not commute [rad/√s]."""
SAVES = 100
ROUND_OFF = 1e-10
"""Below this a change relative to the size is that of round-off, summed over the steps."""

Quantity = Callable[[sd.Run], np.ndarray]
"""Values (paths, times) or (paths, times, components) of a quantity of a run."""


def observable(name: str) -> Quantity:
    """A saved quantity."""
    return lambda run: run[name]


def spatial_momentum(run: sd.Run) -> np.ndarray:
    """gM."""
    g = run["g"].reshape(*run["g"].shape[:2], 3, 3)
    return np.einsum("ptij,ptj->pti", g, run["M"])


def slip(run: sd.Run) -> np.ndarray:
    """1 + |Y − Ω × rΓ| with r = 1 m: 0 is the constraint, 1 makes its change relative to 1 m/s."""
    return 1 + np.linalg.norm(run["Y"] - np.cross(run["Omega"], run["Gamma"]), axis=-1)


@dataclass(frozen=True)
class Problem:
    """A system, how long it runs, and what its equations keep along every path.

    Attributes
    ----------
    what : str
        What the page says of it.
    system : System
        The system.
    dt, steps : float, int
        Step [s] and how many.
    keep : tuple of str
        What is saved.
    quantities : dict symbol → callable
        What is looked at.
    """

    what: str
    system: sd.System
    dt: float
    steps: int
    keep: tuple[str, ...]
    quantities: Mapping[str, Quantity]
    form: str | None = None
    paths: int = 100


BALL = sd.load("chaplygin-ball", noise=(), vertical_noise=(0.3,), vertical="varied")

PROBLEMS: Mapping[str, Problem] = {
    "Lagrange top": Problem(
        "`lagrange-top`, noise about its axis", sd.load("lagrange-top"), 0.04, 5000,
        ("energy", "momentum-axis", "momentum-gamma"),
        {"E": observable("energy"), "M·χ": observable("momentum-axis"), "M·Γ": observable("momentum-gamma")},
    ),
    "Kovalevskaya top": Problem(
        "`kovalevskaya-top`, noise about the vertical", sd.load("kovalevskaya-top"), 0.02, 5000,
        ("energy", "kovalevskaya", "momentum-gamma"),
        {"E": observable("energy"), "K": observable("kovalevskaya"), "M·Γ": observable("momentum-gamma")},
    ),
    "rigid body": Problem(
        "`rigid-body`, three noises that do not commute", sd.load("rigid-body", inertia=(1.0, 2.0, 3.0), noise=GENERAL), 0.04,
        5000, ("M", "g"), {"\\|M\\|²": lambda run: np.sum(run["M"] ** 2, axis=-1), "gM": spatial_momentum},
    ),
    "Chaplygin ball": Problem(
        "`chaplygin-ball`, noise about the vertical, varied with Γ", BALL, 0.04, 5000, ("energy", "momentum-gamma", "gamma-norm"),
        {"E": observable("energy"), "M·Γ": observable("momentum-gamma"), "\\|Γ\\|": observable("gamma-norm")},
    ),
    "Chaplygin ball, A form": Problem(
        "the same in the form Aξ = b", BALL, 0.04, 5000, ("energy", "momentum-gamma", "Y", "Omega", "Gamma"),
        {"E": observable("energy"), "M·Γ": observable("momentum-gamma"), "\\|Y − Ω × s\\|, in m/s": slip}, form="A",
    ),
    "Routh sphere": Problem(
        "`routh-sphere` without noise", sd.load("routh-sphere", noise=()), 0.04, 5000, ("energy", "jellett", "routh"),
        {"E": observable("energy"), "J": observable("jellett"), "R": observable("routh")}, paths=1,
    ),
}  # fmt: skip


def measure(problem: Problem, method: str, *, steps: int | None = None, paths: int | None = None, engine: str = "compiled"
            ) -> dict[str, Any]:  # fmt: skip
    """For each quantity, relative to its mean size at the start: ``change`` at the end, its mean over the paths with standard
    error, the ``drift``, what the slope of the second half amounts to over the whole run, with standard error, and the
    ``largest`` change of a path. ``refused`` or ``failed`` where there is none.
    """
    count = steps or problem.steps
    try:
        run = problem.system.simulate(
            t_end=count * problem.dt, dt=problem.dt, method=method, paths=paths or problem.paths, seed=1,
            formulation=sd.Formulation(form=problem.form),
            save=sd.Save(f"every:{count // SAVES}", names=problem.keep), execution=sd.Execution(engine=engine),
        )  # fmt: skip
    except InputError as error:
        return {"refused": error.what}
    if not run.good.any():
        return {"failed": run.failures()[0].reason}
    found = {}
    for symbol, quantity in problem.quantities.items():
        values = quantity(run)[run.good]
        size = float(np.mean(np.linalg.norm(values[:, 0].reshape(len(values), -1), axis=1)))
        change = (values - values[:, :1]) / size
        largest = np.abs(change) if change.ndim == 2 else np.linalg.norm(change, axis=-1)
        along = change if change.ndim == 2 else largest
        half = len(run.times) // 2
        slope, error = drift_slope(run.times[half:], along[:, half:])
        end, length = along[:, -1], count * problem.dt
        spread = float(end.std(ddof=1) / np.sqrt(len(end))) if len(end) > 1 else 0.0
        found[symbol] = {"change": _rounded(end.mean()), "change_error": _rounded(spread), "drift": _rounded(slope * length),
                         "drift_error": _rounded(error * length), "largest": _rounded(largest.max())}  # fmt: skip
    return {"quantities": found, "failed_paths": int((~run.good).sum())}


def _rounded(value: float) -> float:
    return float(f"{np.nan_to_num(value):.3g}")


def table(problem: Problem, found: Mapping[str, Mapping[str, Any]]) -> str:
    """One line for each method that does the problem."""
    symbols = list(problem.quantities)
    lines = [f"| method | {' | '.join(symbols)} |", f"|---|{'---:|' * len(symbols)}"]
    for method in METHODS:
        entry = found.get(method, {})
        if "failed" in entry:
            lines.append(f"| `{method}` | {' | '.join(['fails'] * len(symbols))} |")
        elif "quantities" in entry:
            lost = f" ({entry['failed_paths']} paths fail)" if entry["failed_paths"] else ""
            cells = [_cell(entry["quantities"][s]) for s in symbols]
            lines.append(f"| `{method}`{lost} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _cell(found: Mapping[str, float]) -> str:
    if found["largest"] < ROUND_OFF:
        return f"kept to {found['largest']:.0e}"
    drifts = abs(found["drift"]) > 3 * found["drift_error"] and abs(found["drift"]) > found["largest"] / 10
    text, drift = (
        f"{found[k]:+.1e}" + (f" ± {found[f'{k}_error']:.0e}" if found[f"{k}_error"] else "")
        for k in ("change", "drift")
    )
    drift = f"drift {drift}"
    return f"{text}<br>{f'**{drift}**' if drifts else drift}<br>≤ {found['largest']:.1e}"


def tables(measured: Mapping[str, Mapping[str, Any]]) -> str:
    """All tables of the page."""
    parts = []
    for name, problem in PROBLEMS.items():
        length = f"Δt = {problem.dt:g} s, {problem.steps} steps" + (
            f", {problem.paths} paths" if problem.paths > 1 else ""
        )
        parts += [f"**{name}** ({problem.what}; {length})", table(problem, measured[name])]
    return "\n\n".join(parts)


def load() -> dict[str, dict[str, Any]]:
    return json.loads(MEASURED.read_text(encoding="utf-8")) if MEASURED.exists() else {}


def save(measured: Mapping[str, Any]) -> None:
    lines = [f"{json.dumps(n)}: {{\n" + ",\n".join(f"{json.dumps(m)}: {json.dumps(v, ensure_ascii=False)}" for m, v in of.items())
             + "\n}" for n, of in measured.items()]  # fmt: skip
    MEASURED.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--missing", action="store_true", help="measure what is not in long_runs.json")
    what.add_argument("--only", nargs="+", metavar="METHOD", help="measure these methods again")
    what.add_argument("--pages", action="store_true", help="write the tables from what was measured")
    args = parser.parse_args(arguments)
    measured = load() if args.pages or args.only or args.missing else {}
    for name, problem in () if args.pages else PROBLEMS.items():
        of = measured.setdefault(name, {})
        for method in args.only or [m for m in METHODS if m not in of]:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of paths that fail: the table says so
                of[method] = measure(problem, method)
            print(name, method, json.dumps(of[method], ensure_ascii=False), flush=True)
            save(measured)
    PAGE.write_text(pages.between(PAGE.read_text(encoding="utf-8"), "long runs", tables(measured)), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Declared against measured order for every method and every class of noise, on the three problems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from enumeration import weak_order
from problems import CLASSES, PROBLEMS, problem

from semidirect.analysis.convergence_study import TOLERANCE, Convergence, convergence
from semidirect.analysis.method_compatibility import Kind, declared_order
from semidirect.analysis.order_fit import OrderFit, Verdict
from semidirect.core.errors import InputError, MethodError, SemidirectError
from semidirect.engines.execution import Execution
from semidirect.integrators import METHODS, integrator
from semidirect.random.iterated_integrals import Signs

VARIANTS: Mapping[str, tuple[str, ...]] = {
    "sdelab": ("sdelab(1)", "sdelab(0.5)"),
    "lie-heun": ("lie-heun", "lie-heun(exp)"),
    "lie-midpoint": ("lie-midpoint", "lie-midpoint(exp)"),
    "milstein": ("milstein", "milstein(areas)"),
    "gauss": ("gauss(2)", "gauss(3)"),  # gauss(1) is implicit-midpoint to the bit
    "lift": ("lift(heun)", "lift(gauss(2))"),  # lift(rk4) is rkmk4
}
"""Labels that stand for a method with an argument; one that this version does not know is left out."""

REASONS: Mapping[tuple[str, str], str] = {
    ("euler-maruyama", "commutative"): "the fields Γ × τ_j of the ball do not move what they depend on, so that the terms "
    "(Dg_i)[g_j], which it leaves out, vanish",
    **dict.fromkeys(
        (("heun", "commutative"), ("sdelab(0.5)", "commutative")),
        "the fields Γ × τ_j of the ball do not move what they depend on, so that the weak order is that of additive noise",
    ),
    ("sra1", "additive"): "at these amplitudes its error of order 2 is larger than that of order 3/2, which the tests of "
    "`tests/integrators` see, 1.49 and 1.56",
}  # fmt: skip
"""Where the measured order is not the declared one for a known reason."""

STRONG_ON: Mapping[str, str] = {
    **dict.fromkeys(("rk4", "gauss(2)", "lift(heun)", "rkmk4", "lie-milstein", "variational", "coadjoint-midpoint"), "heavy top"),
    "sra1": "heavy top", "nonholonomic": "Routh ball", "gauss(3)": "", "lift(gauss(2))": "",
}  # fmt: skip
"""Methods whose strong orders are measured on one problem, or by another argument of theirs only; the others on all."""


def methods() -> list[str]:
    """The labels of the methods that a study can treat: on the state before on the group, explicit before implicit ones."""
    found = []
    default = {name: integrator(name) for name in METHODS.built_in}
    for name in sorted(default, key=lambda n: (default[n].geometric, default[n].weak, default[n].implicit)):
        for label in VARIANTS.get(name, (name,)):
            try:
                found.append(integrator(label).label)
            except SemidirectError:
                continue
    return [m for m in found if m not in ("dop853", "isospectral-midpoint")]


@dataclass(frozen=True)
class Case:
    """A cell of the grid: a method, a class of noise, a problem, and which convergence."""

    method: str
    noise: str
    problem: str
    kind: Kind

    @property
    def declared(self) -> float | None:
        """The order the method declares."""
        return declared_order(integrator(self.method), self.kind, self.noise)

    @property
    def enumerated(self) -> bool:
        """Whether its weak order is told from all outcomes of a step; Lévy areas have too many."""
        return self.kind == "weak" and isinstance(integrator(self.method).integrals, Signs | None)

    def study(self) -> Convergence:
        """By `convergence`. Methods of high order take larger steps, so that round-off comes late."""
        order = self.declared or 0.0
        coarse = 0.25 if order > 2 else 1 / 16
        system = problem(self.problem, self.noise)
        return convergence(
            system, self.method, self.kind, t_end=1.0, dt=coarse, seed=1, execution=Execution(engine="compiled")
        )

    def measure(self) -> dict[str, Any]:
        """What the cell says, and the numbers behind it; a refusal is a text.

        Returns
        -------
        dict
            ``text``; if it was measured, ``verdict``, ``right_limit``, ``orders`` (name → order and interval) and ``notes``.
        """
        try:
            return of_enumeration(self) if self.enumerated else of_study(self.study())
        except MethodError as error:
            return {"text": f"refused: {error.what}"}
        except InputError as error:  # such as too many paths that fail
            return {"text": f"not measured: {error.what}"}


def cases(kind: Kind, noise: str) -> Iterator[Case]:
    """All cells of one table, method by method; those without a declared order are not there, nor are weak
    ones of methods with Lévy areas, which follow from the strong ones."""
    for method in methods():
        for name in PROBLEMS:
            case = Case(method, noise, name, kind)
            there = kind != "strong" or STRONG_ON.get(method, name) == name
            if case.declared is not None and there and (kind != "weak" or case.enumerated):
                yield case


def tables() -> list[tuple[Kind, str]]:
    """The tables of the page: without noise, then strong and weak for each class."""
    noisy = [c for c in CLASSES if c != "none"]
    return [("deterministic", "none"), *(("strong", c) for c in noisy), *(("weak", c) for c in noisy)]


def of_study(study: Convergence) -> dict[str, Any]:
    """The record of a study: the order of the state, and that of s where it is another."""
    shown = {c.name: c for c in study.curves if c.name == "state" or "(" in c.name}
    return _record({n: (c.fit, c.verdict) for n, c in shown.items()}, study.right_limit)


def of_enumeration(case: Case) -> dict[str, Any]:
    """The record of an enumeration."""
    fits, right = weak_order(problem(case.problem, case.noise), case.method)
    return _record({n: (f, f.judged(case.declared, TOLERANCE)) for n, f in fits.items()}, right)


def _record(found: Mapping[str, tuple[OrderFit, Verdict]], right_limit: bool) -> dict[str, Any]:
    order, verdict = found["state"]
    text = order_text(order, verdict)
    for name, (fit, judgement) in found.items():
        other = judgement not in (verdict, "exact") or abs(fit.slope - order.slope) > 0.1
        if name != "state" and judgement != "exact" and np.isfinite(fit.slope) and other:
            text += f", {name} {order_text(fit, judgement)}"
    if not right_limit:
        text += " **another limit**"
    worst = next(
        (v for v in ("not met", "inconclusive", "higher", "met") if any(w == v for _, w in found.values())), "exact"
    )
    return {
        "text": text, "verdict": worst, "right_limit": right_limit,
        "orders": {n: [round(x, 3) if np.isfinite(x) else None for x in (f.slope, f.low, f.high)] for n, (f, _) in found.items()},
        "notes": [f"{n}: {note}" for n, (f, v) in found.items() for note in f.notes if v != "exact"],
    }  # fmt: skip


def order_text(fit: OrderFit, verdict: Verdict) -> str:
    """An order with its interval, and a sign where it is not simply met."""
    if verdict == "exact":
        return "exact"
    if not np.isfinite(fit.slope):
        return "round-off"
    marks = {"not met": " **not met**", "higher": " ↑", "inconclusive": " ?"}
    plateau = " †" if any("plateau" in n or "round-off" in n for n in fit.notes) else ""
    return f"{fit.slope:.2f} [{fit.low:.2f}, {fit.high:.2f}]{plateau}{marks.get(verdict, '')}"

"""Declared against measured order for every method and every class of noise, on the three problems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from problems import CLASSES, PROBLEMS, problem

from semidirect.analysis.convergence import Convergence, Curve, convergence
from semidirect.analysis.pairing import Kind, declared_order
from semidirect.errors import MethodError, SemidirectError
from semidirect.integrators import METHODS, integrator

VARIANTS: Mapping[str, tuple[str, ...]] = {
    "sdelab": ("sdelab(1)", "sdelab(0.5)"),
    "lie-heun": ("lie-heun", "lie-heun(exp)"),
    "lie-midpoint": ("lie-midpoint", "lie-midpoint(exp)"),
    "gauss": ("gauss(1)", "gauss(2)", "gauss(3)"),
}
"""Labels that stand for a method with an argument; one that this version does not know is left out."""

REASONS: Mapping[tuple[str, str], str] = {
    ("sdelab(0.5)", "none"): "α = ½ makes its drift the trapezoidal rule, of order 2; the class promises 1 for every α",
}
"""Where the measured order is not the declared one for a known reason."""

WEAK_PROBLEM = "heavy top"
WEAK_PATHS = 20_000


def methods() -> list[str]:
    """The labels of all methods that a study can treat."""
    found = []
    for name in METHODS:
        for label in VARIANTS.get(name, (name,)):
            try:
                found.append(integrator(label).label)
            except SemidirectError:
                continue
    return [m for m in found if m != "dop853"]


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

    def measure(self, paths: int | None = None) -> Convergence:
        """The study. Methods of high order take larger steps, so that round-off comes late."""
        order = self.declared or 0.0
        coarse = 0.25 if order > 2 else 1 / 8 if self.kind == "weak" else 1 / 16
        levels = 5 if self.kind == "weak" else 6
        paths = paths or (WEAK_PATHS if self.kind == "weak" else None)
        system = problem(self.problem, self.noise)
        return convergence(system, self.method, self.kind, t_end=1.0, dt=coarse, levels=levels, paths=paths, seed=1)


def cases(kind: Kind, noise: str) -> Iterator[Case]:
    """All cells of one table, method by method; those that no method declares an order for are not there."""
    for method in methods():
        for name in (WEAK_PROBLEM,) if kind == "weak" else PROBLEMS:
            case = Case(method, noise, name, kind)
            if case.declared is not None:
                yield case


def tables() -> list[tuple[Kind, str]]:
    """The tables of the page: without noise, then strong and weak for each class."""
    noisy = [c for c in CLASSES if c != "none"]
    return [("deterministic", "none"), *(("strong", c) for c in noisy), *(("weak", c) for c in noisy)]


def cell(study: Convergence) -> str:
    """The measured order of the state with its interval; that of s, if it is another; what is wrong or left out, in signs."""
    first, *rest = study.curves
    text = order_text(first)
    configuration = [c for c in rest if "(" in c.name and c.verdict != "exact"]
    others = [c for c in configuration if np.isfinite(c.fit.slope) and abs(c.fit.slope - first.fit.slope) > 0.1]
    if others:
        text += ", " + ", ".join(f"{c.name} {order_text(c)}" for c in others)
    if not study.right_limit:
        text += " **another limit**"
    return text


def order_text(curve: Curve) -> str:
    """An order with its interval, and a sign where it is not simply met."""
    if curve.verdict == "exact":
        return "exact"
    fit = curve.fit
    if not np.isfinite(fit.slope):
        return "round-off"
    marks = {"not met": " **not met**", "higher": " ↑", "inconclusive": " ?"}
    plateau = " †" if any("plateau" in n for n in fit.notes) else ""
    return f"{fit.slope:.2f} [{fit.low:.2f}, {fit.high:.2f}]{plateau}{marks.get(curve.verdict, '')}"


def tried(case: Case) -> tuple[str, Convergence | None]:
    """The text of a cell, and its study; a refusal is a text."""
    try:
        study = case.measure()
    except MethodError as error:
        return f"refused: {error.what}", None
    return cell(study), study

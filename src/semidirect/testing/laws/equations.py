"""Checks of the derived equations: the principles, the energy law, and the page."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from semidirect.equations import derived_sde, quantity_expressions
from semidirect.pages import Equations
from semidirect.testing.laws.derivations import Derivations, Difference
from semidirect.testing.laws.derived_columns import DerivedColumns
from semidirect.testing.laws.exact_points.numbers import same
from semidirect.testing.laws.exact_points.states import ExactState
from semidirect.testing.laws.report import Outcome, failed, ok, warned
from semidirect.testing.laws.subject import Subject
from semidirect.testing.laws.system_variants import structures


def derived(subject: Subject) -> Outcome:
    """The equations can be derived."""
    sde = derived_sde(subject.system)
    state = ", ".join(v.name for v in sde.variables)
    return ok(f"{sde.form} form, state {state}, {sde.wieners} noise{'s' * (sde.wieners != 1)}")


def principles(subject: Subject) -> Outcome:
    """Hamilton–Pontryagin, Lagrange–d'Alembert and the theorem in numbers agree in every form, exactly."""
    return _exactly(
        subject, "principles", lambda equations, state: equations.differences(state),
        "the two principles differ: a function of the definition changed after it was called with symbols, or "
        "depends on more than (ξ, a, t, z).",
    )  # fmt: skip


def energy(subject: Subject) -> Outcome:
    """DE along the drift and each noise obeys the energy law, and reactions do no work; exactly."""
    outcome = _exactly(
        subject, "energy", lambda equations, state: equations.energy_differences(state) + equations.power_differences(state),
        "the energy law fails: do the Lagrangian or the noise use something that moves but is not advected?",
    )  # fmt: skip
    return _stated_energy(subject, outcome) if outcome.status == "ok" else outcome


def _stated_energy(subject: Subject, outcome: Outcome) -> Outcome:
    """A warning if the energy that the system states is not E = ⟨∂l/∂ξ, ξ⟩ − l, or h, up to a constant."""
    sde, energy = derived_sde(subject.system, variables="velocity"), subject.system.observables().get("energy")
    rows = [sde.energy] if energy is None else quantity_expressions.component_expressions(subject.system, energy, sde)
    if rows == [sde.energy]:
        return outcome
    equations, columns = subject.derivations(), DerivedColumns(sde, {"stated": rows})
    true = "h" if sde.definition.by_hamiltonian else "⟨∂l/∂ξ, ξ⟩ − l"
    look_at = f"energy: remove it, since this system has E = {true}, or give this quantity another name."

    def off(state: ExactState) -> Any:
        values = columns.values(equations.inputs(sde, equations.admissible(state)))
        return values["stated"][0] - values["E"][0]

    if len(rows) != 1:
        return warned(f"the stated energy has {len(rows)} components", look_at)
    offsets = subject.at_states("stated energy", off)
    if not all(same(x, offsets[0]) for x in offsets):
        worst = max(offsets, key=abs)
        return warned(f"the stated energy is not {true}: off by {float(worst):.3g} at a random state", look_at)
    constant = "" if same(offsets[0], 0) else f" and the constant {float(offsets[0]):.3g}"
    return ok(f"{outcome.figure}; the stated energy is {true}{constant}")


def _exactly(
    subject: Subject, purpose: str, compare: Callable[[Derivations, ExactState], list[Difference]], look_at: str
) -> Outcome:
    cases, count = subject.cases(structures), 0
    for label, system in cases.items():
        equations = subject.derivations(system)
        at = partial(compare, equations)
        for differences in subject.at_states(purpose, at, equations.theorem.definition, count=2):
            if differences:
                more = f" and {len(differences) - 1} more" if len(differences) > 1 else ""
                return failed(f"{differences[0]}{more} ({label})", look_at)
            count += 1
    forms = ", ".join(subject.derivations().forms)
    return ok(f"forms {forms}, exactly at {count} states" + (f" of {len(cases)} structures" if len(cases) > 1 else ""))


def printed(subject: Subject) -> Outcome:
    """The equations print, in Stratonovich's and in Itô's form."""
    lines = 0
    for form in ("stratonovich", "ito"):
        equations = Equations(subject.system, form)
        text, latex = str(equations), equations.latex()
        lines += len(text.splitlines())
        if latex.count("{") != latex.count("}"):
            return failed(f"unbalanced braces in the LaTeX of the {form} form", "names with braces in them.")
    return ok(f"{lines} lines")

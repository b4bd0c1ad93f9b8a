"""Checks of the constraint: its rank, its two forms, whether it is holonomic, its noise fields, and the contact."""

from __future__ import annotations

from typing import Any

import numpy as np

import semidirect as sd
from semidirect.core import errors
from semidirect.definition import Unconstrained
from semidirect.equations import derived_sde
from semidirect.testing.laws.contact_rates import contact_rates, has_contact, rolling_parts
from semidirect.testing.laws.exact_points.numbers import plain_array, same
from semidirect.testing.laws.exact_points.states import ExactState
from semidirect.testing.laws.law import unless
from semidirect.testing.laws.report import Outcome, failed, missing, ok, warned
from semidirect.testing.laws.subject import Subject

DEPENDENT = 1e-9
"""Singular value, relative to the largest one, below which rows count as dependent."""


def nothing_constrained(subject: Subject) -> str:
    """Why there is no constraint to look at."""
    return "no constraint" if isinstance(subject.definition.constraint, Unconstrained) else ""


def one_form(subject: Subject) -> str:
    """Why there are no two forms to compare."""
    return "" if _forms(subject) == "AB" else "the constraint is given in one form"


def no_covectors(subject: Subject) -> str:
    """Why no residual Aξ − b has to stay 0."""
    return "" if "A" in _forms(subject) else "no covectors"


def _forms(subject: Subject) -> str:
    """The forms that the constraint has."""
    theorem = subject.theorem

    def forms_at(state: ExactState) -> str:
        point, forms = subject.point(state), {"A": theorem.annihilator, "B": theorem.distribution}
        return "".join(name for name, form in forms.items() if form(point) is not None)

    return subject.at_states("forms", forms_at, count=1)[0]


def no_contact(subject: Subject) -> str:
    """The reason why there is no contact to check."""
    if has_contact(subject.definition):
        return ""
    return "no contact vector: the constraint is not Rolling, or the normal of its ground is not stated"


def no_noise(subject: Subject) -> str:
    """The reason why there is no noise field to check."""
    return "" if derived_sde(subject.system).wieners else "no noise"


@unless(nothing_constrained)
def rank(subject: Subject) -> Outcome:
    """The columns of B, and the rows of A, are independent at random states."""

    def singular(state: ExactState) -> dict[str, tuple[float, int, tuple[int, ...]]]:
        point, results = subject.point(state), {}
        basis, covectors = subject.theorem.distribution(point), subject.theorem.annihilator(point)
        for name, part in (("B", basis), ("A", covectors)):
            if part is not None:
                matrix = plain_array(part[0]).astype(float)
                values = np.linalg.svd(matrix)[1]
                good = int(np.count_nonzero(values > DEPENDENT * np.max(values, initial=1e-300)))
                results[name] = (float(np.min(values, initial=np.inf)), good, matrix.shape)
        return results

    figures = []
    results = subject.at_states("rank", singular)
    for name in results[0]:
        least, good, shape = min((f[name] for f in results), key=lambda x: x[1])
        expected = min(shape) if name == "A" else shape[1]
        if good < expected:
            side = "columns of B" if name == "B" else "covectors A"
            return failed(
                f"the {side}, {shape[0]} × {shape[1]}, have rank {good}",
                f"constraint: the {side} are dependent (at a random state); remove those that the others imply.",
            )
        figures.append(
            f"{name} of rank {good} in {shape[0] if name == 'B' else shape[1]}, singular values ≥ {least:.2g}"
        )
    return ok("; ".join(figures))


@unless(one_form)
def forms(subject: Subject) -> Outcome:
    """AB = 0, Ac = b, and as many covectors as B leaves directions out: both forms say one constraint."""
    theorem = subject.theorem

    def off(state: ExactState) -> str:
        point = subject.point(state)
        basis, covectors = theorem.distribution(point), theorem.annihilator(point)
        assert basis is not None
        assert covectors is not None
        (B, c, _), (A, b, _) = basis, covectors
        if len(A) + B.shape[1] != theorem.n:
            return f"{len(A)} covectors and {B.shape[1]} directions in dimension {theorem.n}"
        for what, part in (("AB", A @ B), ("Ac − b", A @ c - b)):
            for x in plain_array(part).flat:
                if not same(x, 0):
                    return f"{what} has an entry {float(x):.3g}"
        return ""

    remedy = "constraint: distribution and annihilator describe two constraints."
    return subject.faultless("forms", off, "AB = 0 and Ac = b", remedy)


@unless(no_covectors)
def residual(subject: Subject) -> Outcome:
    """A dξ + (DA)ξ − Db = 0 along every column, so that Aξ = b once is Aξ = b always; exactly."""
    derivations = subject.derivations()

    def moved(state: ExactState) -> str:
        state = derivations.admissible(state)
        for form, rates in derivations.residual_rates(state).items():
            for k, rate in enumerate(rates):
                if not all(same(x, 0) for x in rate):
                    return f"{form} form, column {k}: A dξ + (DA)ξ − Db is {', '.join(f'{float(x):.3g}' for x in rate)}"
        return ""

    remedy = "annihilator: covectors and values are functions of (a, t, z), covectors not of ξ."
    return subject.faultless("residual", moved, "Aξ − b is constant along every column,", remedy)


@unless(nothing_constrained)
def holonomic(subject: Subject) -> Outcome:
    """Warns if a constraint with a basis is holonomic in disguise; this is only a warning, since its reaction may be needed."""
    try:
        result = sd.invariants.integrability(subject.system, seed=subject.seed)
    except errors.InputError as error:
        return missing(str(error))
    if result.constraints and result.integrable and subject.has_basis:
        return warned(
            str(result),
            "constraint: its directions close under brackets, so the motion stays on a smaller space. If this is not "
            "intended, look for a missing direction; if it is and you do not need the reaction, use the subgroup or fewer "
            "variables.",
        )
    return ok(str(result))


@unless(no_noise)
def noise(subject: Subject) -> Outcome:
    """The relation of each noise field to the constraint, in words."""
    if nothing_constrained(subject):
        return ok(f"{_counted(derived_sde(subject.system).wieners)}, all admissible: nothing is constrained")
    try:
        inside = sd.invariants.integrability(subject.system, seed=subject.seed).noise
    except errors.InputError as error:
        return missing(str(error))
    tangent = [i for i, x in enumerate(inside, 1) if x]
    out = [i for i, x in enumerate(inside, 1) if not x]
    words = []
    if tangent:
        words.append(f"in D ({_listed(tangent)}): the moves by noise obey the constraint")
    if out:
        words.append(
            f"out of D ({_listed(out)}): the noise moves s in directions that no velocity may have, like a slip"
        )
    return ok("; ".join(words))


@unless(no_contact)
def contact(subject: Subject) -> Outcome:
    """n·ds = 0 along each transport, and no noise lifts the contact: a body that rolls stays on its ground."""

    def rates(state: ExactState) -> list[Any]:
        return contact_rates(subject.theorem, subject.point(state), state.u)

    for state_rates in subject.at_states("contact", rates):
        for i, rate in enumerate(state_rates):
            if same(rate, 0):
                continue
            k = i // 2 % (len(state_rates) // 2 // len(rolling_parts(subject.definition)))
            column = f"noise {k}" if k else "the drift"
            if i % 2:
                return failed(
                    f"{column} lifts the contact at the rate {float(plain_array([rate])[0]):.3g}",
                    "the noise, slip or offset of Rolling: n·(N_Y − N_Ω × s) = 0 must hold; a slip lies in the ground, n·v = 0.",
                )
            return failed(
                f"n·ds along {column} is {float(plain_array([rate])[0]):.3g}",
                "the contact vector: s belongs to the surface of the body where n·δs = 0 for each turn; n is normal= of Rolling.",
            )
    return ok("n·ds = 0 and n·(v_Y − v_Ω × s) = 0 exactly, along the drift and each noise")


def _counted(n: int) -> str:
    return f"{n} noise field{'s' * (n > 1)}"


def _listed(numbers: list[int]) -> str:
    return "noise " + ", ".join(map(str, numbers))

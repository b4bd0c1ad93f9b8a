"""Checks of the constraint: its rank, its two forms, whether it is holonomic, what the noise does to it, and the contact."""

from __future__ import annotations

from typing import Any

import numpy as np

from semidirect.core.errors import InputError
from semidirect.definition.constraints.unconstrained import Unconstrained
from semidirect.equations.derive import derived_sde
from semidirect.laws.exact_numbers import plain_array, same
from semidirect.laws.exact_state import ExactState
from semidirect.laws.laws import contact_rates, has_contact
from semidirect.laws.report import Outcome, failed, missing, ok, warned
from semidirect.laws.subject import Subject

DEPENDENT = 1e-9
"""Singular value over the largest one from which on rows count as dependent."""


def rank(subject: Subject) -> Outcome:
    """The columns of B, and the rows of A, are independent at random states."""
    if isinstance(subject.definition.constraint, Unconstrained):
        return missing("no constraint")

    def singular(state: ExactState) -> dict[str, tuple[float, int, tuple[int, ...]]]:
        point, found = subject.point(state), {}
        basis, covectors = subject.theorem.distribution(point), subject.theorem.annihilator(point)
        for name, part in (("B", basis), ("A", covectors)):
            if part is not None:
                matrix = plain_array(part[0]).astype(float)
                values = np.linalg.svd(matrix)[1]
                good = int(np.count_nonzero(values > DEPENDENT * max(float(np.max(values)), 1e-300)))
                found[name] = (float(np.min(values)), good, matrix.shape)
        return found

    figures = []
    found = subject.at_states("rank", singular)
    for name in found[0]:
        least, good, shape = min((f[name] for f in found), key=lambda x: x[1])
        wanted = min(shape) if name == "A" else shape[1]
        if good < wanted:
            side = "columns of B" if name == "B" else "covectors A"
            return failed(
                f"the {side}, {shape[0]} × {shape[1]}, have rank {good}",
                f"constraint: the {side} are dependent (at a random state); leave out those that the others imply.",
            )
        figures.append(
            f"{name} of rank {good} in {shape[0] if name == 'B' else shape[1]}, singular values ≥ {least:.2g}"
        )
    return ok("; ".join(figures))


def forms(subject: Subject) -> Outcome:
    """AB = 0, Ac = b, and as many covectors as B leaves directions out: both forms say one constraint."""
    theorem = subject.theorem

    def off(state: ExactState) -> tuple[str, int] | None:
        point = subject.point(state)
        basis, covectors = theorem.distribution(point), theorem.annihilator(point)
        if basis is None or covectors is None:
            return None
        (B, c, _), (A, b, _) = basis, covectors
        if len(A) + B.shape[1] != theorem.n:
            return f"{len(A)} covectors and {B.shape[1]} directions in dimension {theorem.n}", 0
        wrong = [x for x in plain_array(A @ B).flat if not same(x, 0)]
        if wrong:
            return f"AB has an entry {float(wrong[0]):.3g}", 0
        wrong = [x for x in plain_array(A @ c - b).flat if not same(x, 0)]
        return (f"Ac − b has an entry {float(wrong[0]):.3g}", 0) if wrong else ("", B.shape[1])

    found = subject.at_states("forms", off)
    if found[0] is None:
        return missing("the constraint is given in one form")
    wrong = next((f[0] for f in found if f is not None and f[0]), "")
    if wrong:
        return failed(wrong, "constraint: distribution and annihilator describe two constraints.")
    return ok(f"AB = 0 and Ac = b exactly at {len(found)} states")


def holonomic(subject: Subject) -> Outcome:
    """Whether a constraint with a basis is holonomic in disguise, of which it warns: its reaction may be what is wanted."""
    from semidirect.invariants import integrability

    if isinstance(subject.definition.constraint, Unconstrained):
        return missing("no constraint")
    try:
        found = integrability(subject.system, seed=subject.seed)
    except InputError as error:
        return missing(str(error))
    if found.constraints and found.integrable and subject.has_basis:
        return warned(
            str(found),
            "constraint: its directions close under brackets, so the motion stays on a smaller space. If that is not meant, "
            "look for a direction that is missing; if it is and its reaction is of no interest, take the subgroup or fewer "
            "variables.",
        )
    return ok(str(found))


def noise(subject: Subject) -> Outcome:
    """What each noise field does to the constraint, in words."""
    from semidirect.invariants import integrability

    if not derived_sde(subject.system).wieners:
        return missing("no noise")
    if isinstance(subject.definition.constraint, Unconstrained):
        return ok(f"{_counted(derived_sde(subject.system).wieners)}, all admissible: nothing is constrained")
    try:
        inside = integrability(subject.system, seed=subject.seed).noise
    except InputError as error:
        return missing(str(error))
    tangent = [i for i, x in enumerate(inside, 1) if x]
    out = [i for i, x in enumerate(inside, 1) if not x]
    words = []
    if tangent:
        words.append(f"in D ({_listed(tangent)}): the moves by noise obey the constraint")
    if out:
        words.append(f"out of D ({_listed(out)}): the noise moves s where no velocity may go, as a slip does")
    return ok("; ".join(words))


def contact(subject: Subject) -> Outcome:
    """n·ds = 0 along each transport, and no noise lifts the contact: a body that rolls stays on its ground."""
    if not has_contact(subject.definition):
        return missing("no contact vector: the constraint is not Rolling, or the normal of its ground is not stated")

    def rates(state: ExactState) -> list[Any]:
        return contact_rates(subject.theorem, subject.point(state))

    for state_rates in subject.at_states("contact", rates):
        for i, rate in enumerate(state_rates):
            if same(rate, 0):
                continue
            column = f"noise {i // 2}" if i >= 2 else "the drift"
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

"""Checks of the algebra, of its representations, and of the names in a definition."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import numpy as np

from semidirect.core import errors
from semidirect.groups import LieGroup, Representation
from semidirect.pages import unicode_name
from semidirect.testing.laws.exact_points.numbers import constants, derivatives, plain_array
from semidirect.testing.laws.identities import GROUP_IDENTITIES, REPRESENTATION_IDENTITIES, seeded
from semidirect.testing.laws.law import unless
from semidirect.testing.laws.report import Outcome, failed, ok
from semidirect.testing.laws.subject import Seeded, Subject

ROUND_OFF = 1e-12
"""Times the size of the matrices. Measured over all installed systems: 8.9e-16."""


def algebra(subject: Subject) -> Outcome:
    """The identities of a Lie group hold for the basis, the brackets and random elements, and the blocks fill the algebra."""
    group, random = subject.system.group, Seeded(subject.seed).random("algebra")
    figure = f"dimension {group.dimension} ({', '.join(group.blocks)}); {len(GROUP_IDENTITIES)} identities hold"
    for identity in GROUP_IDENTITIES:
        broken = identity.broken(group, *seeded(group, 0, identity.draws, random))
        if broken:
            return failed(broken, f"{group!r}: its basis, its brackets, or the function that the identity names.")
    filled = sorted(i for part in group.blocks.values() for i in range(part.start, part.stop))
    if filled != list(range(group.dimension)):
        return failed(figure, "the blocks of the group: each component of the algebra belongs to one.")
    return ok(figure)


def nothing_advected(subject: Subject) -> str:
    """Why no representation acts."""
    return "" if subject.system.advected else "nothing is advected"


@unless(nothing_advected)
def representations(subject: Subject) -> Outcome:
    """[ρ_i, ρ_j] = Σ c_ijk ρ_k, and ρ is the derivative of the action, for each advected quantity."""
    advected = subject.system.advected
    group, random, worst = subject.system.group, Seeded(subject.seed).random("action"), 0.0
    for name, quantity in advected.items():
        rep = quantity.representation
        rate = _rate_defect(group, rep)
        if rate > ROUND_OFF:
            return failed(
                f"{name}: the action moves by something else than its generators, off by {rate:.2g}",
                f"act_entries or the generators of {rep!r}: d/dε act(1 + εξ, v) = ρ(ξ)v must hold; is one inverted?",
            )
        for identity in REPRESENTATION_IDENTITIES:
            broken = identity.broken(rep, *seeded(group, rep.dimension, identity.draws, random))
            if broken:
                return failed(
                    f"{name}: {broken}",
                    f"act_entries or the generators of {rep!r}: da = −ρ(ξ)a, and ρ is a left representation.",
                )
        worst = max(worst, rate)
    return ok(f"{', '.join(advected)}: {len(REPRESENTATION_IDENTITIES)} identities hold, rates off by {worst:.1e}")


def _rate_defect(group: LieGroup, rep: Representation) -> float:
    """max |d/dε act(1 + εe_j, v_i) − ρ_j v_i|, exactly differentiated, for every e_j and basis vector v_i."""
    worst, one = 0.0, np.eye(group.size, dtype=int).astype(object)
    for j, i in product(range(group.dimension), range(rep.dimension)):
        v = np.array([Fraction(int(k == i)) for k in range(rep.dimension)], dtype=object)
        direction = np.array([[Fraction(x) for x in row] for row in group.basis[j]], dtype=object)

        def moved(epsilon: Any, direction: Any = direction, v: Any = v) -> Any:
            g = constants(one) + epsilon[0] * direction
            return list(rep.act_entries(g, constants(v)))

        rate = plain_array(derivatives(moved, [Fraction(0)])[1])[:, 0]
        worst = max(worst, *(abs(float(x)) for x in rate - rep.generators[j].dot(v)))
    return worst


def names(subject: Subject) -> Outcome:
    """Every name that the definition gives belongs to something."""
    system, d = subject.system, subject.definition
    velocities = d.velocities
    strange = [n for n in system.momentum_names if n not in velocities]
    if strange:
        raise_for = errors.UnknownNameError("coordinate of D", strange[0], velocities)
        return failed(
            f"momentum_names: {raise_for}", "momentum_names: its keys are coordinates of D, not blocks or momenta."
        )
    for name, size in velocities.items():
        if size < 1:
            raise errors.DefinitionError(f"the coordinate {name!r}", expected="at least one component", got="none")
    allowed = {
        *(() if d.by_hamiltonian else (*velocities, *d.group.blocks)), *(d.momentum_name(n) for n in velocities), *d.advected,
        *(s.name for s in d.internal_states), *_stored(d.group),
    }  # fmt: skip
    unknown = [n for n in system.initial if n not in allowed]
    if unknown:
        error = errors.UnknownNameError("state variable", unknown[0], sorted(allowed))
        return failed(f"initial: {error}", "initial: its names must be variables of the state.")
    if alike := _written_alike(subject, velocities):
        return failed(alike, "symbol=: equations would be ambiguous; give one of them another symbol.")
    momenta = [d.momentum_name(n) if subject.has_basis else f"p_{n}" for n in velocities]
    return ok(f"coordinates {', '.join(velocities)}; momenta {', '.join(momenta)}")


def _written_alike(subject: Subject, velocities: Mapping[str, int]) -> str:
    """Two quantities with the same printed name, such as a vector k1 and the first component of k; empty if there are none."""
    system, d = subject.system, subject.definition
    sizes = {**{k: s.stop - s.start for k, s in d.group.blocks.items()}, **velocities}
    sizes |= {d.momentum_name(n): size for n, size in velocities.items()}
    sizes |= {n: q.dimension for n, q in d.advected.items()} | {s.name: s.dimension for s in d.internal_states}
    owners = {n: {n, *(f"{n}{i + 1}" for i in range(size) if size > 1)} for n, size in sizes.items()}
    for name, symbols in system.workings.all_symbols.items():
        stem = system.workings.parameters()[name].symbol or name
        owners[f"parameter {name}"] = {stem, *(s.name for s in symbols.flat)}
    for (one, x), (other, y) in combinations(owners.items(), 2):
        if shared := sorted(x & y):
            return f"{unicode_name(shared[0])} would stand for {one} and for {other}"
    return ""


def _stored(group: LieGroup) -> list[str]:
    from semidirect.expressions import component_names

    return [*component_names.grouped(tuple(group.stored_names)), *group.stored_names]

"""Checks of the algebra, of its representations, and of what a definition names."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import numpy as np

from semidirect.core.errors import DefinitionError, UnknownNameError
from semidirect.groups.lie_group import LieGroup
from semidirect.laws.exact_numbers import constants, derivatives, plain_array
from semidirect.laws.law import unless
from semidirect.laws.report import Outcome, failed, ok
from semidirect.laws.subject import Seeded, Subject
from semidirect.pages.notation import unicode_name
from semidirect.representations.representation import Representation

ROUND_OFF = 1e-12
"""Times the size of the matrices. Measured over all installed systems: 8.9e-16."""


def algebra(subject: Subject) -> Outcome:
    """The basis closes under commutators, the brackets obey Jacobi's identity, and the blocks fill the algebra."""
    group = subject.system.group
    n, basis = group.dimension, group.basis.astype(float)
    commutators = np.einsum("iab,jbc->ijac", basis, basis) - np.einsum("jab,ibc->ijac", basis, basis)
    rest = float(np.max(np.abs(np.einsum("ijk,kab->ijab", group.structure_constants, basis) - commutators), initial=0))
    unit = np.array([[Fraction(int(i == j)) for j in range(n)] for i in range(n)], dtype=object)
    b = group.bracket
    jacobi = max(
        (abs(float(t)) for x, y, z in product(unit, repeat=3) for t in b(x, b(y, z)) + b(y, b(z, x)) + b(z, b(x, y))),
        default=0.0,
    )
    figure = f"dimension {n} ({', '.join(group.blocks)}); off closure {rest:.1e}, off Jacobi {jacobi:.1e}"
    filled = sorted(i for part in group.blocks.values() for i in range(part.start, part.stop)) == list(range(n))
    if rest > ROUND_OFF or jacobi > ROUND_OFF or not filled:
        return failed(figure, "the basis of the group, or its brackets: [e_i, e_j] = Σ c_ijk e_k must hold.")
    return ok(figure)


def nothing_advected(subject: Subject) -> str:
    """Why no representation acts."""
    return "" if subject.system.advected else "nothing is advected"


@unless(nothing_advected)
def representations(subject: Subject) -> Outcome:
    """[ρ_i, ρ_j] = Σ c_ijk ρ_k, and ρ is the derivative of the action, for each advected quantity."""
    advected = subject.system.advected
    group, worst = subject.system.group, 0.0
    for name, quantity in advected.items():
        rep = quantity.representation
        bracket, rate, action = _bracket_defect(group, rep), _rate_defect(group, rep), _action_defect(subject, rep)
        if bracket > ROUND_OFF:
            return failed(
                f"{name}: [ρ_i, ρ_j] − Σ c_ijk ρ_k is {bracket:.2g}",
                f"the generators of {rep!r}: one sign, or their order. da = −ρ(ξ)a, and ρ is a left representation.",
            )
        if rate > ROUND_OFF:
            return failed(
                f"{name}: the action moves by something else than its generators, off by {rate:.2g}",
                f"act_entries or the generators of {rep!r}: d/dε act(1 + εξ, v) = ρ(ξ)v must hold; is one inverted?",
            )
        if action > ROUND_OFF:
            return failed(
                f"{name}: act(gh, v) is not act(g, act(h, v)), off by {action:.2g}", f"act_entries of {rep!r}."
            )
        worst = max(worst, bracket, rate, action)
    return ok(f"{', '.join(advected)}: off by {worst:.1e}")


def _bracket_defect(group: LieGroup, rep: Representation) -> float:
    rho, worst = rep.generators, 0.0
    for i, j in product(range(group.dimension), repeat=2):
        expected = sum((c * rho[k] for a, b, k, c in group.brackets if (a, b) == (i, j)), 0 * rho[0])
        rest = rho[i].dot(rho[j]) - rho[j].dot(rho[i]) - expected
        worst = max(worst, *(abs(float(x)) for x in rest.ravel()))
    return worst


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


def _action_defect(subject: Subject, rep: Representation) -> float:
    random, group = Seeded(subject.seed).random("action"), subject.system.group
    x, y, v = (np.array([random.uniform(-1, 1) for _ in range(n)])
               for n in (group.dimension, group.dimension, rep.dimension))  # fmt: skip
    g, h = group.exp(x), group.exp(y)
    both, scale = rep.act(group.compose(g, h), v), max(1.0, float(np.max(np.abs(rep.matrix_entries(g)))))
    back = rep.inverse_act(g, rep.act(g, v))
    return float(max(np.max(np.abs(both - rep.act(g, rep.act(h, v)))), np.max(np.abs(back - v)))) / scale**2


def names(subject: Subject) -> Outcome:
    """Every name that the definition gives belongs to something."""
    system, d = subject.system, subject.definition
    velocities = d.constraint.coordinates(d.group) or {k: s.stop - s.start for k, s in d.group.blocks.items()}
    strange = [n for n in system.momentum_names if n not in velocities]
    if strange:
        raise_for = UnknownNameError("coordinate of D", strange[0], velocities)
        return failed(
            f"momentum_names: {raise_for}", "momentum_names: its keys are coordinates of D, not blocks or momenta."
        )
    for name, size in velocities.items():
        if size < 1:
            raise DefinitionError(f"the coordinate {name!r} has no component")
    known = {
        *velocities, *(d.momentum_name(n) for n in velocities), *d.group.blocks, *d.advected,
        *(s.name for s in d.internal_states), *_stored(d.group),
    }  # fmt: skip
    unknown = [n for n in system.initial if n not in known]
    if unknown:
        error = UnknownNameError("state variable", unknown[0], sorted(known))
        return failed(f"initial: {error}", "initial: it names what is in the state.")
    if alike := _written_alike(subject, velocities):
        return failed(alike, "symbol=: equations could not be read; give one of them another.")
    momenta = [d.momentum_name(n) if subject.has_basis else f"p_{n}" for n in velocities]
    return ok(f"coordinates {', '.join(velocities)}; momenta {', '.join(momenta)}")


def _written_alike(subject: Subject, velocities: Mapping[str, int]) -> str:
    """Two things that equations write by one name, a vector k1 and the first component of k; empty where there are none."""
    system, d = subject.system, subject.definition
    sizes = {**{k: s.stop - s.start for k, s in d.group.blocks.items()}, **velocities}
    sizes |= {d.momentum_name(n): size for n, size in velocities.items()}
    sizes |= {n: q.dimension for n, q in d.advected.items()} | {s.name: s.dimension for s in d.internal_states}
    owners = {n: {n, *(f"{n}{i + 1}" for i in range(size) if size > 1)} for n, size in sizes.items()}
    for name, symbols in system.parameter_symbols.items():
        stem = system.parameters()[name].symbol or name
        owners[f"parameter {name}"] = {stem, *(s.name for s in symbols.flat)}
    for (one, x), (other, y) in combinations(owners.items(), 2):
        if shared := sorted(x & y):
            return f"{unicode_name(shared[0])} would stand for {one} and for {other}"
    return ""


def _stored(group: LieGroup) -> list[str]:
    from semidirect.core.component_names import grouped

    return [*grouped(tuple(group.stored_names)), *group.stored_names]

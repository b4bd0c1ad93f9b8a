"""A site whose Lagrangian is quadratic in the velocity, stated by its Hamiltonian."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from semidirect.core import Blocks, errors, ops, user_code
from semidirect.definition import Unconstrained

if TYPE_CHECKING:
    from collections.abc import Callable

    from semidirect.definition import Definition

SAME, DRAWS, SEED = 1e-9, 3, 37
"""Largest relative difference of l from its Taylor polynomial of degree 2, at so many random velocities; 1e-15 in use."""


def stated_in_momenta(definition: Definition) -> Definition:
    """The same site with h(p, a) = ⟨p, ξ⟩ − l(ξ, a) at p = ∂l/∂ξ, from the values of l alone.

    :func:`refuse_not_quadratic` says for which sites.
    """
    if definition.by_hamiltonian:
        return definition
    return replace(definition, lagrangian=None, hamiltonian=partial(_hamiltonian, definition))


def refuse_not_quadratic(definition: Definition, what: str) -> None:
    """Raise an error for a site that is not stated in momenta.

    Raises
    ------
    DefinitionError
        For a Lagrangian that is not quadratic in the velocity, or degenerate, and for a constraint.
    """
    if definition.by_hamiltonian:
        return
    if not isinstance(definition.constraint, Unconstrained) or definition.lagrangian is None:
        raise errors.DefinitionError(
            what, expected="sites without constraints", got=type(definition.constraint).__name__,
            hint="A constrained motion is not Hamiltonian. Let the energies of its edges read advected quantities.",
        )  # fmt: skip
    _compare(definition, what)


def _hamiltonian(definition: Definition, p: Any, a: Any, t: Any, z: Any) -> Any:
    parts = definition.group.blocks
    momentum = np.concatenate([np.atleast_1d(ops.array(p[name])) for name in parts])
    constant, slope, rows = _taylor(partial(_lagrangian, definition, a=a, t=t, z=z), len(momentum))
    away = [x - y for x, y in zip(momentum, slope, strict=True)]
    return sum(x * y for x, y in zip(away, _solved(rows, away), strict=True)) / 2 - constant


def _lagrangian(definition: Definition, xi: Any, /, **at: Any) -> Any:
    return user_code.call(definition.lagrangian, xi=Blocks.split(ops.array(xi), definition.group.blocks), **at)


def _taylor(function: Callable[[Any], Any], size: int) -> tuple[Any, list[Any], list[list[Any]]]:
    """The value, the gradient and the second derivatives at 0 of a polynomial of degree 2, by its values."""

    def at(*places: int) -> Any:
        return function([sum(k == i for k in places) for i in range(size)])

    zero, ones = at(), [at(i) for i in range(size)]
    rows = [[_short(at(i, j) - ones[i] - ones[j] + zero) for j in range(size)] for i in range(size)]
    return zero, [_short(ones[i] - zero - rows[i][i] / 2) for i in range(size)], rows


def _short(value: Any) -> Any:
    return value.expand() if hasattr(value, "expand") else value


def _solved(rows: list[list[Any]], right: list[Any]) -> list[Any]:
    """The solution of a symmetric system, by elimination; a mass matrix needs no other order."""
    rows, right, size = [list(row) for row in rows], list(right), len(right)
    for k in range(size):
        for i in range(k + 1, size):
            if _absent(rows[i][k]):
                continue
            factor = rows[i][k] / rows[k][k]
            rows[i] = [_short(x - factor * y) for x, y in zip(rows[i], rows[k], strict=True)]
            right[i] = right[i] - factor * right[k]
    out: list[Any] = [0] * size
    for k in reversed(range(size)):
        rest = sum((rows[k][j] * out[j] for j in range(k + 1, size) if not _absent(rows[k][j])), 0)
        out[k] = (right[k] - rest) / rows[k][k]
    return out


def _absent(value: Any) -> bool:
    return np.ndim(value) == 0 and bool(value == 0)


def _compare(definition: Definition, what: str) -> None:
    """Raise an error if l is not the polynomial of degree 2 that its values make, or if a pivot of its mass matrix is 0."""
    rng, size = np.random.default_rng(SEED), definition.group.dimension
    layout = {name: (part, kind) for kind, named in (("a", definition.advected_layout), ("z", definition.internal_layout))
              for name, part in named.items()}  # fmt: skip
    for _ in range(DRAWS):
        a = np.asarray(definition.random_orbit_point(lambda: float(rng.standard_normal())), dtype=float)
        z = rng.standard_normal(sum(part.stop - part.start for part, kind in layout.values() if kind == "z"))
        at: dict[str, Any] = {"a": Blocks.split(a, definition.advected_layout), "z": Blocks.split(z, definition.internal_layout),
              "t": 0.3}  # fmt: skip
        function: Callable[[Any], Any] = partial(_lagrangian, definition, **at)
        xi = rng.standard_normal(size)
        constant, slope, rows = _taylor(function, size)
        value, matrix = float(function(xi)), np.array(rows, dtype=float)
        polynomial = float(constant) + float(np.dot(np.array(slope, dtype=float), xi)) + float(xi @ matrix @ xi) / 2
        if not abs(value - polynomial) <= SAME * max(abs(value), abs(polynomial), 1.0):
            off = value - polynomial
            raise errors.DefinitionError(
                what, expected="a Lagrangian that is quadratic in the velocity", got=f"one that differs by {off:.3g}",
                hint="State the site by its Hamiltonian, hamiltonian(self, p, a).",
            )  # fmt: skip
        pivots = [np.linalg.det(matrix[:k, :k]) for k in range(1, size + 1)]
        if min(map(abs, pivots)) <= SAME * max(1.0, float(np.max(np.abs(matrix)))) ** size:
            raise errors.DefinitionError(
                what, expected="a Lagrangian whose mass matrix is definite", got="one that is degenerate",
                hint="State the site by its Hamiltonian, hamiltonian(self, p, a).",
            )  # fmt: skip

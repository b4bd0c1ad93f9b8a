"""The abstract representation of a Lie group."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, final

import numpy as np

from semidirect.core import arguments, errors, exact, ops, user_code
from semidirect.groups.arguments import names_of
from semidirect.groups.lie_group import LieGroup


class Representation(user_code.Hooked, ABC):
    """A linear action of a group on V = R^d.

    The infinitesimal action is ``ρ(ξ) v = Σ ξ_j ρ_j v`` with ``[ρ(ξ), ρ(η)] = ρ([ξ, η])``, which is checked at construction. The
    diamond is its dual, ``⟨κ ◇ v, η⟩ = −⟨κ, ρ(η) v⟩``; for the vectors of R³ it is κ × v.

    ``action``, ``diamond``, ``coaction`` and ``*_entries`` are component-first array code without checks: ``xi (n, ...)``,
    ``v (d, ...)``, ``g (N, N, ...)``, entries floats, exact numbers, symbols or tracers.

    A subclass defines the generators and :meth:`act_entries`. It is final.

    Attributes
    ----------
    group : LieGroup
    dimension : int
        d.
    generators : (n, d, d) object array
        ρ_j, as integers or fractions.
    component_names : tuple of str
        Names of the components of V.
    """

    group: LieGroup
    dimension: int
    generators: np.ndarray
    component_names: tuple[str, ...]
    _terms: tuple[tuple[int, int, int, exact.Coefficient], ...]
    _key: tuple[Any, ...]

    def __init__(self, group: LieGroup, generators: Any, *, component_names: Sequence[str] | None = None,
                 definition: tuple[Any, ...] = ()):  # fmt: skip
        rho = exact.exact_array(generators)
        kind = type(self).__name__
        if rho.ndim != 3 or len(rho) != group.dimension or rho.shape[1] != rho.shape[2]:
            raise errors.DefinitionError(f"the generators of {kind} have a wrong shape", expected=f"({group.dimension}, d, d)",
                                         got=str(rho.shape))  # fmt: skip
        d = rho.shape[1]
        names = (
            tuple(f"a{i + 1}" for i in range(d))
            if component_names is None
            else names_of(component_names, f"component names of {kind}")
        )
        if len(names) != d or len(set(names)) != d:
            raise errors.DefinitionError(f"component names of {kind}", expected=f"{d} different names", got=repr(names))
        _check_brackets(group, rho.astype(float), kind)
        rho.flags.writeable = False
        vars(self).update(
            group=group, dimension=d, generators=rho, component_names=names,
            _terms=tuple((j, b, a, rho[j, a, b]) for j, a, b in np.ndindex(rho.shape) if rho[j, a, b]),
            _key=(type(self), group, rho.shape, tuple(rho.ravel()), names, *definition),
        )  # fmt: skip

    @abstractmethod
    def act_entries(self, g: Any, v: Any) -> np.ndarray:
        """``g · v``, (N, N, ...) and (d, ...) to (d, ...)."""

    def inverse_act_entries(self, g: Any, v: Any) -> np.ndarray:
        """``g⁻¹ · v``; a subclass overrides it if it needs no inverse of g."""
        return self.act_entries(self.group.inverse_entries(g), v)

    @final
    def matrix_entries(self, g: Any) -> np.ndarray:
        """The matrix (d, d, ...) of the action of ``g``; exact if ``g`` is exact or symbolic."""
        g = ops.array(g)
        columns = [self.act_entries(g, e) for e in exact.exact_beside(ops.identity(self.dimension), g)]
        return ops.matrix([[columns[b][a] for b in range(self.dimension)] for a in range(self.dimension)])

    @final
    def action(self, xi: Any, v: Any) -> np.ndarray:
        """``ρ(ξ) v`` (d, ...), component-first; an advected quantity obeys ȧ = −ρ(ξ) a."""
        return exact.contract(self._terms, self.dimension, xi, v)

    @final
    def diamond(self, kappa: Any, v: Any) -> np.ndarray:
        """``κ ◇ v`` (n, ...), component-first: ``(κ ◇ v)_j = −κ·ρ_j v``."""
        return exact.contract([(a, b, j, -value) for j, b, a, value in self._terms], self.group.dimension, kappa, v)

    @final
    def coaction(self, xi: Any, kappa: Any) -> np.ndarray:
        """``ρ(ξ)ᵀ κ`` (d, ...), component-first."""
        return exact.contract([(j, a, b, value) for j, b, a, value in self._terms], self.dimension, xi, kappa)

    @final
    def act(self, g: Any, v: Any) -> np.ndarray:
        """``g · v`` of arrays (..., N, N) and (..., d): ``act(gh, v) = act(g, act(h, v))``."""
        return _public(self, self.act_entries, g, v)

    @final
    def inverse_act(self, g: Any, v: Any) -> np.ndarray:
        """``g⁻¹ · v`` of arrays (..., N, N) and (..., d)."""
        return _public(self, self.inverse_act_entries, g, v)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen: {name} cannot be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen: {name} cannot be deleted")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Representation) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.group!r}, dimension {self.dimension})"


def a_representation(value: Any, what: str) -> Representation:
    """The representation itself; raises :class:`DefinitionError` for anything else."""
    expected = "a representation of a group"
    return arguments.validated_instance(what, value, Representation, expected=expected, error=errors.DefinitionError)  # type: ignore[type-abstract]


def _check_brackets(group: LieGroup, rho: np.ndarray, kind: str) -> None:
    product = np.einsum("iab,jbc->ijac", rho, rho)
    rest = np.abs(product - np.swapaxes(product, 0, 1) - np.einsum("ijk,kab->ijab", group.structure_constants, rho))
    worst = np.max(rest, initial=0.0)
    if not worst <= 1e-12 * max(1.0, float(np.max(np.abs(product), initial=0.0))):
        i, j = np.unravel_index(np.argmax(rest), rest.shape)[:2]
        raise errors.DefinitionError(f"the generators of {kind} are not a representation of {group.name}",
                                     expected="[ρ_i, ρ_j] = ρ([e_i, e_j])", got=f"a residual of {worst:.2e}",
                                     where=f"the pair ({i}, {j})")  # fmt: skip


def _public(rep: Representation, kernel: Any, g: Any, v: Any) -> np.ndarray:
    g, v = arguments.validated_array("a group element", g), arguments.validated_array("a vector", v)
    n, d = rep.group.size, rep.dimension
    if g.shape[-2:] != (n, n) or v.shape[-1:] != (d,):
        raise errors.InputError(f"{type(rep).__name__} cannot act", expected=f"shapes (..., {n}, {n}) and (..., {d})",
                                got=f"{g.shape} and {v.shape}")  # fmt: skip
    depth = max(g.ndim - 2, v.ndim - 1)
    g = g.reshape((1,) * (depth - g.ndim + 2) + g.shape)
    v = v.reshape((1,) * (depth - v.ndim + 1) + v.shape)
    out = kernel(np.moveaxis(g, (-2, -1), (0, 1)), np.moveaxis(v, -1, 0))
    batch = np.broadcast_shapes(g.shape[:-2], v.shape[:-1])
    return np.moveaxis(np.broadcast_to(out, (d, *batch)), 0, -1).astype(float)

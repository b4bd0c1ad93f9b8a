"""The studies that apply to a method: errors that say why not, declared orders, and a method to compare with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from semidirect.core import errors
from semidirect.integrators import AdaptiveIntegrator, integrator

if TYPE_CHECKING:
    from semidirect.integrators import Integrator

__all__ = ["KINDS", "Kind", "declared_order", "independent_of", "refuse_what_has_no_order"]

Kind = Literal["strong", "weak", "deterministic"]
KINDS: tuple[Kind, ...] = ("strong", "weak", "deterministic")


def declared_order(method: Integrator, kind: Kind, noise: str) -> float | None:
    """The order that a method declares for a class of noise; ``None`` if it declares none."""
    if kind == "deterministic" or (noise == "none" and method.strong_order):
        return float(method.deterministic_order)
    table: Mapping[str, float] = method.strong_order if kind == "strong" else method.weak_order
    return float(table[noise]) if noise in table else None


def refuse_what_has_no_order(
    method: Integrator, kind: Kind, noise: str, increment_law: str = "normal", *, wieners: int = 0
) -> None:
    """Raise an error if a method has no order of this kind for this class of noise.

    Parameters
    ----------
    wieners : int
        Number of processes that a deterministic study replaces by 0 or a smooth path.

    Raises
    ------
    UnknownNameError
        For a kind that is none.
    MethodError
        With what to use.
    """
    if not (isinstance(kind, str) and kind in KINDS):
        raise errors.UnknownNameError("kind of convergence", kind, KINDS)
    # an adaptive method has an error tolerance instead of an order in dt
    if isinstance(method, AdaptiveIntegrator):
        reference = "It is a reference for deterministic studies; its error follows its tolerance."
        raise errors.MethodError(
            f"{method.label} chooses its steps by its own error control, so it has no order in dt",
            hint=reference if kind == "deterministic" else "It cannot follow a Wiener process either; study a method for noise, "
            "such as heun or lie-midpoint.",
        )  # fmt: skip
    if (
        kind == "deterministic"
        and wieners
        and (method.calculus == "ito" or method.weak or method.integrals is not None)
    ):
        raise errors.MethodError(
            f"{method.label} needs its own kind of increments: it has no order if 0 or a smooth path drives the noises",
            hint="Study it on the system without noise, such as --set 'noise=[]'.",
        )
    # a strong error compares the method with itself on refined increments, which only normal ones have
    if kind == "strong" and increment_law != "normal" and method.strong_order:
        raise errors.MethodError(
            "a strong study compares paths, but three-point increments do not form a Brownian path: they are defined "
            "only at their own step", got=f"increment_law = {increment_law!r}",
            hint="Use normal increments, or a weak study (--weak).",
        )  # fmt: skip
    if kind == "strong" and noise not in method.strong_order and (noise != "none" or not method.strong_order):
        weak = method.weak_order.get(noise)
        raise errors.MethodError(
            f"{method.label} declares no strong order for {noise} noise", got=f"strong orders {_listed(method.strong_order)}",
            hint="Use heun or lie-heun" + (", or milstein(areas) for order 1" if noise == "general" else "")
            + (f"; or study its weak order, {weak:g} (--weak)." if weak else "."),
        )  # fmt: skip


def independent_of(method: Integrator, kind: Kind) -> Integrator:
    """A method of another construction, whose fine solution is an independent check."""
    if kind == "deterministic":
        return integrator("dop853")
    return integrator("heun" if method.implicit else "implicit-midpoint")


def _listed(table: Mapping[str, Any]) -> str:
    return ", ".join(f"{k}: {v:g}" for k, v in table.items()) or "none"

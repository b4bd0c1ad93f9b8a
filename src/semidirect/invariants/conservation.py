"""Conservation laws: the methods of ``sd.System`` that decide and search, each a function of a module beside this one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from semidirect.core import explains_calls
from semidirect.definition import SystemDefinition

if TYPE_CHECKING:
    from semidirect.equations import Evolution
    from semidirect.invariants.proofs import Proof
    from semidirect.invariants.quantity import QuantityLike
    from semidirect.invariants.search import Invariants


@explains_calls
class Conservation(SystemDefinition, has_energy=False):
    """Evolution equations of quantities, and which quantities are conserved."""

    def evolution(self, quantity: QuantityLike) -> Evolution:
        """The evolution of a quantity: drift, one coefficient for each noise, Itô drift.

        Parameters
        ----------
        quantity : str, Observable or callable(state)
            Name of an observable or of a state variable, an expression such as ``"dot(M, Gamma)/norm(M)"``, or any function
            of the state written with ``semidirect.core.ops``.
        """
        from semidirect.invariants.shortener import shortest_evolution

        return shortest_evolution(self, quantity)

    def prove(self, quantity: QuantityLike, **how: Any) -> Proof:
        """Decide exactly whether a quantity is conserved: see :func:`semidirect.invariants.proofs`."""
        from semidirect.invariants.proofs import prove

        return prove(self, quantity, **how)

    def is_conserved(self, quantity: QuantityLike, **how: Any) -> bool:
        """Whether a quantity is conserved exactly: see :func:`semidirect.invariants.is_conserved`."""
        from semidirect.invariants.proofs import is_conserved

        return is_conserved(self, quantity, **how)

    def invariants(self, degree: int, **how: Any) -> Invariants:
        """All polynomial first integrals up to a degree: see :func:`semidirect.invariants.find_invariants`."""
        from semidirect.invariants.search import find_invariants

        return find_invariants(self, degree, **how)

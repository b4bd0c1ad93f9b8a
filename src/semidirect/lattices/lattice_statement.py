"""Equations, pages and proofs of a lattice; a page prints the equations of one site with the sum over its edges."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, final

from semidirect.definition import ArrayStatement

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition


@final
class LatticeStatement(ArrayStatement):
    """What is derived of a lattice."""

    instead = (
        "The page 'Lattices' says what a lattice offers; a few sites can be stated as one sd.System on "
        "sd.DirectProduct, whose equations are written out."
    )

    def __init__(self, system: SystemDefinition):
        self.system: Any = system

    def model(self) -> Any:
        """The equations as array functions."""
        from semidirect.lattices.lattice_sde import LatticeSDE

        return LatticeSDE(self.system)

    def start(self, state: Mapping[str, Any], *, validate: bool, t: float) -> Mapping[str, Any]:
        """Completed site by site."""
        from semidirect.lattices.lattice_start import start_of_sites

        return start_of_sites(self.system, state, validate=validate, t=t)

    def lines(self, form): return []
    def described(self, form): return {}
    def derivation(self): return []
    def laws(self): return iter(())
    def prove(self, quantity, along): raise NotImplementedError

"""Equations, pages and proofs of a lattice; a page prints the equations of one site with the sum over its edges."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, final

import numpy as np

from semidirect.core import errors
from semidirect.definition import ArrayStatement
from semidirect.lattices.edge_page import edge_lines
from semidirect.model import NumericalSDE
from semidirect.pages import Equations

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition

GRADIENT = 1e-7
"""Relative difference of a central difference of the energy of edges and their slopes; measured are up to 1e-10."""
SHORT = 1e-5


@final
class LatticeStatement(ArrayStatement):
    """The derived parts of a lattice."""

    instead = (
        "The page 'Lattices' says what a lattice offers; lattice.written_out() makes one sd.System of a few sites, whose "
        "equations are written out."
    )

    has_scalars = True

    def __init__(self, system: SystemDefinition):
        self.system: Any = system

    @property
    def space(self) -> str:
        """The group of a site, as often as there are sites."""
        groups = ", ".join(repr(one.group) for one in self.system.site_systems())
        return f"{groups}, at {'' if self.system.site_kinds().several else 'each of '}{self._sites()}"

    @property
    def linear(self) -> bool:
        """Advected quantities are on orbits."""
        return not self._site().workings.definition().advected

    def model(self) -> Any:
        """The equations as array functions."""
        from semidirect.lattices.lattice_sde import LatticeSDE

        return LatticeSDE(self.system)

    def start(self, state: Mapping[str, Any], *, validate: bool, t: float) -> Mapping[str, Any]:
        """Completed site by site."""
        from semidirect.lattices.lattice_start import start_of_sites

        return start_of_sites(self.system, state, validate=validate, t=t)

    def written_out(self) -> Any:
        """One system on the product of the groups."""
        return self.system.written_out()

    def start_written_out(self, state: Mapping[str, Any]) -> Mapping[str, Any]:
        """By the names of its components."""
        return self.written_out()._plan.start(state)

    def refuse_formulation(self, variables: str, form: str | None) -> None:
        """Sites are solved in momenta, in the form that is theirs without a choice."""
        site = self._site()
        usual = NumericalSDE.of(site).structure.shape
        other = NumericalSDE.of(site, variables=variables, form=form).structure.shape
        if usual.variables != other.variables or usual.form != other.form:
            text = f"variables={variables!r}" + ("" if form is None else f", form={form!r}")
            names = ", ".join(part.name for part in usual.variables)
            raise errors.MethodError(
                f"the formulation of {type(self.system).__name__}", expected=f"its own, in {names}", got=text,
                hint="Leave it out, or write out a lattice of few sites, lattice.written_out().",
            )  # fmt: skip

    def prove(self, quantity: Any, along: Any) -> Any:
        """Of each site, of sums, of the energy."""
        from semidirect.lattices.lattice_proofs import prove_of_lattice

        return prove_of_lattice(self.system, quantity, along)

    def lines(self, form: str) -> Sequence[tuple[str, str]]:
        """The page of a site, then the edges."""
        page = Equations(self._site(), form)
        name = type(self.system).__name__
        text = str(page).split("\n", 1)
        of = (
            "whose equations are, one of each kind,"
            if self.system.site_kinds().several
            else "each with the equations of"
        )
        head = f"{name}: {self._sites()}, {of} {text[0]}"
        tex = (
            page.latex(legend=False).removeprefix("\\begin{align*}\n").removesuffix("\n\\end{align*}").split(" \\\\\n")
        )
        edges = edge_lines(self.system)
        return [(head, ""), (text[1], ""), *(("", row) for row in tex), *((f"  {line}", row) for line, row in edges)]

    def where(self, form: str) -> str:
        """That of a site."""
        page = Equations(self._site(), form)
        return page.latex().removeprefix(page.latex(legend=False)).strip()

    def described(self, form: str) -> Mapping[str, Any]:
        """The structure."""
        lattice = self.system
        return {
            "principle": "hamilton-pontryagin", "form": form, "sites": lattice.site_count(),
            "edges": len(lattice.edge_pairs()), "common_noise": bool(lattice.one_path().common_noise),
            "coupling": self._couplings(), "site": Equations(self._site(), form).described(),
        }  # fmt: skip

    def _couplings(self) -> Any:
        """The energy of an edge, or that of each pair of kinds."""
        several = self.system.edge_energies().kinds
        if not self.system.site_kinds().several:
            return str(several[0].energy.value)
        return {" ".join(one.energy.kinds): str(one.energy.value) for one in several}

    def derivation(self) -> Sequence[str]:
        """By the sum of Lagrangians."""
        by_h, of_momenta = self.system.edge_energy_is_of_h(), self.system.edge_energies().of_momenta
        of, sign, moved = ("h", "plus", "h") if of_momenta else ("l", "less", "Lagrangian")
        rule = "F_i = Σ_j ∂V_ij/∂·" if by_h else f"F_i = −Σ_j ∂V_ij/∂{'·' if of_momenta else 'a_i'}"
        site = f"{of} has ⟨F_i, ·⟩ in addition" if by_h or not of_momenta else "l is l(ξ + F_p, a) + ⟨F_a, a⟩"
        return (
            f"The {moved} of the lattice is the sum of {of} of all sites, {sign} the energies V_ij of all edges.",
            "Variations of different sites are independent, so each site has equations of its own.",
            f"They read the first derivatives of {of} alone, to which V adds {rule}.",
            f"So they are those of a site whose {site}, derived once with F as a parameter.",
        )

    def laws(self) -> Iterator[tuple[str, bool, str]]:
        """The slopes of the edges, and proofs of what is declared exact."""
        lattice = self.system
        names = [type(one).__name__ for one in lattice.site_systems()]
        yield "site", True, f"{self._sites()} of {', '.join(dict.fromkeys(names))}, derived once"
        off = self._off()
        yield "edges", off < GRADIENT, f"slopes of the energy of an edge, against differences: {off:.1g}"
        for name, quantity in lattice.observables().items():
            if quantity.status == "exact":
                proof = self.prove(name, "both")
                yield f"declared: {name}", proof.holds, "conserved" if proof.holds else str(proof.verdicts[0])

    def _off(self) -> float:
        """How far slopes of the edges are from differences, relative to their size."""
        energies, rng = self.system.edge_energies(), np.random.default_rng(3)
        numbers = energies.numbers([self.system], self.system.per_edge, len(self.system.edge_pairs()))
        numbers = [x[:1] if np.ndim(x) else x for x in numbers]
        return max((self._off_of(one.energy, numbers, rng) for one in energies.kinds), default=0.0)

    @staticmethod
    def _off_of(energy: Any, numbers: Sequence[Any], rng: np.random.Generator) -> float:
        count, both = len(energy.x[0]), len(energy.x[0]) + len(energy.x[1])
        ends = rng.standard_normal((both, 1, 2))
        largest, off = 1e-300, 0.0
        slopes = energy.evaluate(ends[:count], ends[count:], 0.0, numbers)[1:]
        for k in range(both):
            step = SHORT * (np.arange(both) == k)[:, None, None]
            ahead, behind = (
                energy.evaluate((ends + sign * step)[:count], (ends + sign * step)[count:], 0.0, numbers)[0]
                for sign in (1, -1)
            )
            largest = max(largest, float(np.max(np.abs(slopes[k]))))
            off = max(off, float(np.max(np.abs((ahead - behind) / (2 * SHORT) - slopes[k]))))
        return off / largest

    def _site(self) -> Any:
        return self.system.coupled().workings.of_one_path

    def _sites(self) -> str:
        kinds = self.system.site_kinds()
        each = [f"{count} {name}" for count, name in zip(kinds.counts, kinds.names, strict=True)]
        return f"{self.system.site_count()} sites" + (f" ({', '.join(each)})" if kinds.several else "")

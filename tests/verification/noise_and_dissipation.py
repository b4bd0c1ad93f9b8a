"""Prove what noise and dissipation keep: ``python tests/verification/noise_and_dissipation.py`` writes a page of the docs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import semidirect as sd
from semidirect import ops
from semidirect.invariants import Proof
from semidirect.invariants.space_symmetries import SpaceSymmetry

PAGE = Path(__file__).parents[2] / "docs" / "what_noise_keeps.md"
SEED = 1
SPACE = "momentum in space"
NAMES = {"energy": "energy", "dot(M, M)": r"\|M\|²", "dot(Gamma, Gamma)": "Γ·Γ", "dot(M, Gamma)": "M·Γ", SPACE: SPACE}
VECTOR = (0.3, 0.1, -0.2)


class Body(sd.System):
    """A free rigid body."""

    inertia: sd.Parameter = sd.inertia((1.0, 1.6, 2.2))
    group = sd.SO3()
    momentum_names: ClassVar = {"Omega": "M"}
    initial: ClassVar = {"Omega": (0.4, 1.0, -0.7)}

    def lagrangian(self, xi: Any) -> Any:
        return ops.dot(xi.Omega, ops.inertia(self.inertia, xi.Omega)) / 2

    def rate(self, xi: Any, a: Any) -> Any:
        """f, the rate of M without dissipation."""
        return ops.cross(ops.inertia(self.inertia, xi.Omega), xi.Omega)

    def heating(self, xi: Any, a: Any) -> Any:
        """θ|f|²."""
        return self.theta * ops.dot(self.rate(xi, a), self.rate(xi, a))

    def transport(self) -> Any:
        return ()

    def constraint(self) -> sd.StochasticConstraint:
        return sd.Unconstrained(noise=self.transport())


class Top(Body):
    """A heavy top without symmetry."""

    weight: sd.Parameter = sd.parameter(1.2)
    advected = {"Gamma": sd.Advected(sd.VectorRepresentation(sd.SO3()), reference=(0, 0, 1))}

    def lagrangian(self, xi: Any, a: Any) -> Any:
        return super().lagrangian(xi) - self.weight * a.Gamma[2]

    def rate(self, xi: Any, a: Any) -> Any:
        return super().rate(xi, a) + self.weight * ops.cross(a.Gamma, (0, 0, 1))


class Suslov(Body):
    """A body that cannot turn about one of its axes, which is not a principal one."""

    inertia: sd.Parameter = sd.inertia(((1.0, 0.0, 0.3), (0.0, 1.6, 0.2), (0.3, 0.2, 2.2)))
    momentum_names: ClassVar = {}
    initial: ClassVar = {"u": (0.4, 1.0)}

    def constraint(self) -> sd.StochasticConstraint:
        return sd.DistributionConstraint([[1, 0], [0, 1], [0, 0]], names={"u": 2}, noise=self.transport())


@dataclass(frozen=True)
class Section:
    """A part of the page: a system, the quantities that are decided, and what to know about them."""

    title: str
    system: type[Body]
    quantities: tuple[str, ...]
    words: str


SECTIONS = (
    Section(
        "A free rigid body", Body, ("energy", "dot(M, M)", SPACE),
        "|M|² is the Casimir of so(3)*. The momentum in space has a component for each rotation of space.",
    ),
    Section(
        "A heavy top", Top, ("energy", "dot(Gamma, Gamma)", "dot(M, Gamma)", "dot(M, M)"),
        "Γ·Γ and M·Γ are the Casimirs of se(3)*; M·Γ is the momentum about the vertical as well. |M|² is none: the weight\n"
        "changes it.",
    ),
    Section(
        "Suslov's body: a constraint", Suslov, ("energy",),
        "Ω₃ = 0 about an axis that is not a principal one. The constraint is linear and ideal. There are no Casimirs. The noise\n"
        "of the transport lies in the distribution.",
    ),
)  # fmt: skip

HEAD = """# Conserved quantities under noise and dissipation

<!-- Written by `python tests/verification/noise_and_dissipation.py`; do not edit. -->

{{doc}}`noise_and_dissipation` says how to state each kind of noise and dissipation. What each preserves is decided here from the
derived equations by `system.prove(quantity, parameters="generic")`, for all values of the parameters. ✓ is an identity, reduced
to 0 symbolically or, for the momentum in space, tested in prime fields with a probability of error below {error:.0e}. ✗ is
refuted by a state in exact numbers: ✗ dt if the drift changes the quantity there, ✗ dW if the noise does.

"With its heat" a double bracket has an internal state $q$ with $\\mathrm dq = \\theta|f|^2\\,\\mathrm dt$, where $f$ is
the rate of $M$ without dissipation, and the energy is $E + q$: that it stays proves $\\mathrm dE = -\\theta|f|^2\\,\\mathrm dt$.
"""

TAIL = """
Transport, by noise or by dissipation, preserves the Casimirs and the orbits of advected quantities. It preserves the energy too
where it is a symmetry of the system, as cΓ is for the top. A geometric method preserves these quantities to round-off, see
{doc}`choose_an_integrator`.
"""


def members(system: type[Body]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Each kind of noise and dissipation, by name, with the members of the class that state it."""
    sigma = sd.parameter([(0.3, 0.1, 0.0) if system is Suslov else VECTOR])
    yield "nothing", {}
    yield "transport noise σ", {"sigma": sigma, "transport": lambda self: self.sigma}
    if system is Top:
        along = {"transport": lambda self: sd.StateNoise(lambda a: [self.c * a.Gamma])}
        yield "transport noise cΓ", {"c": sd.parameter(0.3), **along}
    if system is not Suslov:
        volatile = {"transport": lambda self: sd.noise.VolatilityNoise([VECTOR], diffusion=self.sigma)}
        yield "transport noise ξ with dξ = σ∘dW", {"sigma": sigma, **volatile}

    def forcing(self: Any, group: Any, xi: Any, a: Any, t: Any, z: Any) -> Any:
        return sd.noise.EnergyPreservingNoise(self.upsilon)(group, xi, a, t, z)

    yield "energy-preserving noise υ", {"upsilon": sd.parameter([VECTOR]), "independent_force": forcing}
    yield "force noise τ", {"tau": sd.parameter(VECTOR), "independent_force": lambda self: [self.tau]}
    theta = sd.parameter(0.4, nonnegative=True)

    def bracket(self: Any) -> sd.DoubleBracket:
        return sd.DoubleBracket(self.theta)

    yield "double bracket θ", {"theta": theta, "dissipation": bracket}
    if system is not Suslov:
        heat = {"internal": lambda self: [sd.InternalState("q", 0, drift=self.heating)]}
        yield "double bracket θ, with its heat", {"theta": theta, "dissipation": bracket, **heat}
    yield "force −cΩ", {"c": sd.parameter(0.3), "force": lambda self, xi: -self.c * xi.Omega}


def systems(section: Section) -> Iterator[tuple[str, sd.System]]:
    """A system for each kind of noise and dissipation."""
    for name, own in members(section.system):
        yield name, type(section.system.__name__, (section.system,), dict(own))()


def proofs(system: sd.System, quantity: str) -> list[Proof]:
    """Proofs for all parameters; of the momentum in space, one for each rotation of space."""
    if quantity == SPACE:
        return [s.proof(system, parameters="generic", seed=SEED) for s in SpaceSymmetry.of(system)]
    if quantity == "energy" and system.internal():
        quantity = "energy + q"
    return [system.prove(quantity, parameters="generic", seed=SEED)]


def cell(found: list[Proof]) -> str:
    """✓ if all columns of all proofs are identities, else the columns that are refuted."""
    verdicts = [v for proof in found for v in proof.verdicts]
    assert all(v.holds is not None for v in verdicts), "undecided"
    broken = dict.fromkeys("dt" if v.column == "drift" else "dW" for v in verdicts if not v.holds)
    return f"✗ {', '.join(broken)}" if broken else "✓"


def decided() -> Iterator[tuple[Section, dict[str, tuple[sd.System, dict[str, list[Proof]]]]]]:
    """The proofs of each section, by row and quantity."""
    for section in SECTIONS:
        rows = {name: (system, {q: proofs(system, q) for q in section.quantities}) for name, system in systems(section)}
        yield section, rows


def page(found: list[tuple[Section, dict[str, tuple[sd.System, dict[str, list[Proof]]]]]]) -> str:
    """The page."""
    every = [p for _, rows in found for _, row in rows.values() for ps in row.values() for p in ps]
    lines = [HEAD.format(error=10 * max(p.error for p in every))]
    for section, rows in found:
        lines += [f"## {section.title}", "", section.words, ""]
        lines += [
            f"| | {' | '.join(NAMES[q] for q in section.quantities)} |",
            "|---|" + "---|" * len(section.quantities),
        ]
        lines += [f"| {name} | {' | '.join(map(cell, row.values()))} |" for name, (_, row) in rows.items()]
        lines += ["", "The rate of the energy, where it changes:", "", "```text"]
        for name, (system, row) in rows.items():
            if cell(row["energy"]) != "✓":
                lines += [f"{name}:", *(f"  {line.strip()}" for line in str(system.evolution("energy")).splitlines())]
        lines += ["```", ""]
    return "\n".join(lines) + TAIL


if __name__ == "__main__":
    PAGE.write_text(page(list(decided())), encoding="utf-8")

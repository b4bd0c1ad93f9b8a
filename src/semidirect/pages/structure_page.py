"""Pages of large algebras: equations by their structure, dM = [M, Ω] dt + …, where components would fill hundreds of lines."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, final

from semidirect.groups import Geometry, LieGroup
from semidirect.pages.line_breaks import aligned
from semidirect.pages.notation import SUPERSCRIPT
from semidirect.pages.page import Page

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition
    from semidirect.equations import StratonovichSDE

MOST_BRACKETS = 800
"""Structure constants that give rates of one block, as many as components are written of: so(10) has 720, so(11) 990."""
FEW = 3
"""Noise fields that are written one by one."""
Both = tuple[str, str]
"""A text, and the same in LaTeX."""


def is_large(group: object) -> bool:
    """Whether a block of the algebra has too many structure constants to be written out; what is no group is not large."""
    if not isinstance(group, LieGroup):
        return False
    counts = Counter(k for _, _, k, _ in group.brackets)
    return any(sum(counts[k] for k in range(part.start, part.stop)) > MOST_BRACKETS for part in group.blocks.values())


@final
class StructurePage:
    """Writes one SDE of a system by its structure."""

    def __init__(self, system: SystemDefinition, sde: StratonovichSDE, form: str):
        self.ito, self.sde, self.setting = form == "ito", sde, sde.setting
        self.pages = Page(system, sde, latex=False), Page(system, sde, latex=True)
        d, distribution = sde.definition, sde.setting.distribution
        identity = [[int(i == j) for j in range(d.group.dimension)] for i in range(d.group.dimension)]
        self.free = (
            distribution is not None
            and distribution.basis.tolist() == identity
            and distribution.test is None
            and not any(distribution.offset)
        )
        self.rotations = d.group.geometry is Geometry.ROTATIONS and len(d.group.blocks) == 1
        self.moving = any(v.kind == "momentum" for v in sde.variables) or sde.form in "AB"
        self.xi = self.pages[0].velocity(), self.pages[1].velocity()
        a = {*sde.setting.a}
        self.varied = any(e.free_symbols & a for field in sde.setting.fields for e in field)  # fields that depend on a
        self.fields = [i for i, field in enumerate(sde.setting.fields) if any(field)]

    def text(self) -> str:
        """The page as text."""
        group = self.sde.definition.group
        last = f"{self.xi[0]} has {group.dimension} components, which equations(components=True) writes out."
        return self.pages[0].header() + "\n".join(f"  {text}" for text in (*(x for x, _ in self.lines()), last))

    def latex(self) -> str:
        """The page in LaTeX."""
        return aligned([tex for _, tex in self.lines()])

    def lines(self) -> list[Both]:
        """Each equation as text and in LaTeX."""
        lines: list[Both] = []
        if self.moving:
            lines += self.momenta()
        lines += self.noises()
        if self.moving:
            lines += self.balance()
        for name in self.sde.definition.advected:
            lines.append(self.advected(name))
        for v in self.sde.variables:
            if v.kind == "internal":
                z, z_ = self.name(v.name)
                lines.append((f"d{z} as the system states it", rf"\mathrm{{d}}{z_} &= \dots"))
        return lines

    def name(self, name: str) -> Both:
        """A vector in both."""
        return self.pages[0].writer.name(name, vector=True), self.pages[1].writer.name(name, vector=True)

    @property
    def momentum(self) -> Both:
        """M where the momentum is that of one block, else p."""
        d = self.sde.definition
        if self.free and len(d.group.blocks) == 1:
            return self.name(d.momentum_name(next(iter(d.group.blocks))))
        return "p", "p"

    def momenta(self) -> list[Both]:
        """The space, its pairing, and the momentum."""
        (M, M_), (xi, xi_), size = self.momentum, self.xi, self.sde.definition.group.size
        lines = []
        if self.rotations:
            lines += [
                (f"{xi}, {M} ∈ so({size}), antisymmetric matrices", rf"{xi_},\ {M_} &\in \mathfrak{{so}}({size})"),
                (
                    f"⟨{M}, {xi}⟩ = −½ tr({M}{xi})",
                    rf"\langle {M_}, {xi_}\rangle &= -\tfrac12\operatorname{{tr}}({M_}{xi_})",
                ),
            ]
        if self.sde.definition.by_hamiltonian:
            return [*lines, (f"{xi} = ∂h/∂{M}", rf"{xi_} &= \partial h/\partial {M_}")]
        return [*lines, (f"{M} = ∂l/∂{xi}", rf"{M_} &= \partial l/\partial {xi_}")]

    def noises(self) -> list[Both]:
        """The fields, and transport where it is named."""
        if not self.fields:
            return []
        first, last, group = self.fields[0] + 1, self.fields[-1] + 1, self.sde.definition.group
        text = f"N_{first}" if first == last else f"N_{first} … N_{last}"
        tex = f"N_{{{first}}}" if first == last else rf"N_{{{first}}},\dots,N_{{{last}}}"
        space = (f"so({group.size})", rf"\mathfrak{{so}}({group.size})") if self.rotations else ("𝔤", r"\mathfrak{g}")
        return [(f"{text} ∈ {space[0]}, the noise fields", rf"{tex} &\in {space[1]}")]

    def along(self, text: str, tex: str, sign: str = "") -> Both:
        """An expression that is linear in ξ̃, with ``@`` in its place: dt and each noise."""
        mark, mark_ = (" ", r"\,") if self.ito else ("∘", r"\circ ")
        out = f"{sign}{text} dt".replace("@", self.xi[0]), rf"{sign}{tex}\,\mathrm{{d}}t".replace("@", self.xi[1])
        join = f" {sign or '+'} "
        if len(self.fields) > FEW:
            every = text.replace("@", "N_k"), tex.replace("@", "N_k")
            return (f"{out[0]}{join}Σ {every[0]}{mark}dWᵏ", rf"{out[1]}{join}\sum_k {every[1]}{mark_}\mathrm{{d}}W^k")
        for i in self.fields:
            index, one = str(i + 1), (text.replace("@", f"N_{i + 1}"), tex.replace("@", f"N_{{{i + 1}}}"))
            out = (f"{out[0]}{join}{one[0]}{mark}dW{index.translate(SUPERSCRIPT)}",
                   rf"{out[1]}{join}{one[1]}{mark_}\mathrm{{d}}W^{{{index}}}")  # fmt: skip
        return out

    def force(self) -> Both:
        """The rate of the momentum: ad*, advected quantities, and forces."""
        M, M_ = self.momentum
        if self.rotations and self.free:
            text, tex = self.along(f"[{M}, @]", f"[{M_}, @]")
        else:
            text, tex = self.along(f"ad*(@) {M}", rf"\mathrm{{ad}}^*_{{@}} {M_}")
        if self.sde.definition.advected and self.varied:
            text, tex = text + " + κ ◇ a", tex + r" + \kappa \diamond a"
        elif self.sde.definition.advected:
            text, tex = text + " + (∂l/∂a ◇ a) dt", tex + r" + (\partial l/\partial a \diamond a)\,\mathrm{d}t"
        if any(any(f) for f in self.setting.forces):
            text, tex = text + " + F", tex + " + F"
        return text, tex

    def balance(self) -> list[Both]:
        """The rate of the momentum, and its constraint."""
        (M, M_), (text, tex) = self.momentum, self.force()
        lines: list[Both] = []
        if self.varied:
            mark, mark_ = (" ", r"\,") if self.ito else ("∘", r"\circ ")
            slope = r"(\partial N_k/\partial a)^{\mathsf T}p"
            lines.append((f"κ = ∂l/∂a dt − Σ (∂N_k/∂a)ᵀp{mark}dWᵏ",
                          rf"\kappa &= \partial l/\partial a\,\mathrm{{d}}t - \sum_k {slope}{mark_}\mathrm{{d}}W^k"))  # fmt: skip
        if self.ito and self.fields:
            correction = self.correction()
            text, tex = text + correction[0], tex + correction[1]
        if self.free or self.sde.definition.by_hamiltonian:
            return [*lines, (f"d{M} = {text}", rf"\mathrm{{d}}{M_} &= {tex}")]
        xi, xi_ = self.xi
        if self.sde.form == "A":
            moved = f"dp = {text} + C dλ", rf"\mathrm{{d}}p &= {tex} + C\,\mathrm{{d}}\lambda"
            return [*lines, (f"A {xi} = b", f"A {xi_} &= b"), moved]
        lines.append((f"{xi} = B u + c", f"{xi_} &= B u + c"))
        T = r"^{\mathsf T}"
        if self.sde.form == "P":
            moved = f"d(Bᵀp) = Bᵀ({text}) + (dB)ᵀp", rf"\mathrm{{d}}(B{T}p) &= B{T}({tex}) + (\mathrm{{d}}B){T}p"
        else:
            moved = f"B_Vᵀdp = B_Vᵀ({text})", rf"B_V{T}\mathrm{{d}}p &= B_V{T}({tex})"
        return [*lines, moved]

    def correction(self) -> Both:
        """Itô's: ½ Σ [[M, N_k], N_k] dt where the fields are constant and nothing else is random, else by its meaning."""
        M, M_ = self.momentum
        state = {x for v in self.sde.variables for x in v.symbols} | {
            *self.setting.xi,
            *self.setting.a,
            *self.setting.z,
        }
        constant = not any(e.free_symbols & state for field in self.setting.fields for e in field)
        plain = self.rotations and self.free and constant and not any(any(f) for f in self.setting.forces[1:])
        if plain:
            return f" + ½ Σ [[{M}, N_k], N_k] dt", rf" + \tfrac12\sum_k [[{M_}, N_k], N_k]\,\mathrm{{d}}t"
        return " + ½ Σ (Dg_k) g_k dt, g_k the columns of dWᵏ", r" + \tfrac12\sum_k (Dg_k) g_k\,\mathrm{d}t"

    def advected(self, name: str) -> Both:
        """da = −ρ(ξ̃)a."""
        a, a_ = self.name(name)
        text, tex = self.along(f"ρ(@) {a}", rf"\rho(@) {a_}", "-")
        if self.ito and self.fields:
            text, tex = text + f" + ½ Σ ρ(N_k)² {a} dt", tex + rf" + \tfrac12\sum_k \rho(N_k)^2 {a_}\,\mathrm{{d}}t"
        return f"d{a} = {text}", rf"\mathrm{{d}}{a_} &= {tex}"

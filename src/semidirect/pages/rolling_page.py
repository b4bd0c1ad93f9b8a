"""The page of a body that rolls on a surface of its own: s, its slope s′ = ∂s/∂Γ, and equations in them."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, final

import sympy as sp

from semidirect.equations.sde import StratonovichSDE, Variable
from semidirect.pages.contact_letter import S
from semidirect.pages.page import Page
from semidirect.pages.rolling_letters import RollingLetters
from semidirect.pages.vectors import recognise
from semidirect.pages.writer import Writer

if TYPE_CHECKING:
    from semidirect.definition.system_definition import SystemDefinition


@final
class RollingPage(Page):
    """Writes one SDE of a system with s and its changes as vectors."""

    def __init__(self, system: SystemDefinition, letters: RollingLetters, sde: StratonovichSDE, *, latex: bool):
        super().__init__(system, sde, latex=latex)
        self.rolling = letters
        self.slope_of_l: list[str] = []
        contact = list(letters.letter.contact)
        same = [name for name, components in self.writer.shorter.items() if list(components) == contact]
        name = same[0] if same else self.writer.names.free("s", "sigma", "q")
        self.letter = self.writer.name(name, vector=True)
        self.writer.phrases[S] = self.letter

    @classmethod
    def of(cls, system: SystemDefinition, sde: StratonovichSDE, *, latex: bool) -> RollingPage | None:
        """The page, where the body rolls on a surface whose s is no vector expression and everything else is one in s."""
        letters = RollingLetters.of(sde)
        known = Writer(system, sde, latex=latex)
        if letters is None or recognise(list(letters.letter.contact), known.letters, known.diagonal) is not None:
            return None
        page = cls(system, letters, letters.equations, latex=latex)
        page.momenta()
        return page if page._name_what_follows() else None

    def momenta(self) -> list[str]:
        """As on every page; written once, since it tells what the rest is written by."""
        return self._momenta

    @cached_property
    def _momenta(self) -> list[str]:
        return super().momenta()

    def columns(self) -> list[str]:
        """As on every page, in s, s′ and ∂l/∂Γ."""
        return [*self.slope_of_l, *super().columns()]

    def _name_what_follows(self) -> bool:
        """Give D_k s, the slopes and ∂l/∂a their names; whether all have some."""
        slope = f"{self.letter}'" if self.writer.tex else f"{self.letter}′"
        transposed = rf"{{{slope}}}^{{\mathsf T}}" if self.writer.tex else f"{slope}ᵀ"
        for k in range(self.sde.wieners + 1):
            names = [(self.rolling.letter.change(k), slope, self.rolling.rate(k))]
            names += [(self.rolling.letter.slope(k), transposed, self.rolling.torque(k))] if k else []
            for letters, function, argument in names:
                text = self.writer.value(argument)
                if text is None:
                    return False
                name = letters[0].name.removesuffix("1")
                self.writer.letter(name, tuple(letters))
                self.writer.phrases[name] = f"{function}({text})"
                if text == "0":
                    self.writer.multiples |= dict.fromkeys(letters, sp.Integer(0))
        self._name_the_slope_of_l()
        return True

    def _name_the_slope_of_l(self) -> None:
        """∂l/∂Γ is a multiple of s, or gets a name and equations of its own."""
        letters, given, contact = (
            self.rolling.letter.slope(0),
            self.rolling.lagrangian_slope,
            self.rolling.letter.contact,
        )
        i = next((i for i in range(3) if contact[i] != 0 and given[i] != 0), 0)
        factor = sp.simplify(given[i] / contact[i]) if contact[i] != 0 else sp.Integer(0)
        constant = not factor.free_symbols & set(self.rolling.sde.setting.a)
        if constant and all(sp.simplify(e - factor * s) == 0 for e, s in zip(given, contact, strict=True)):
            self.writer.multiples |= {x: factor * s for x, s in zip(letters, self.rolling.letter.s, strict=True)}
            return
        name, known = self.writer.name(self.rolling.letter.name, vector=True), letters[0].name.removesuffix("1")
        text = rf"\frac{{\partial l}}{{\partial {name}}}" if self.writer.tex else f"∂l/∂{name}"
        self.slope_of_l = self.writer.equation("", given, left=text)
        self.writer.letter(known, tuple(letters))
        self.writer.phrases[known] = text if self.writer.tex else f"({text})"

    @property
    def variables(self) -> list[Variable]:
        """The state, without s."""
        return [v for v in self.sde.variables if v.name != S]

    def of_velocities(self) -> Page:
        """The page of the same equations in velocities."""
        return RollingPage(self.system, self.rolling, self.rolling.derived("velocity"), latex=self.writer.tex)

    def surface(self) -> list[str]:
        """s, and what s′ means."""
        lines = self.writer.equation("", list(self.rolling.letter.contact), left=self.letter)
        s, a = self.letter, self.writer.name(self.rolling.letter.name, vector=True)
        if self.writer.tex:
            return [*lines, self.writer.line(rf"{s}'", rf"\partial {s}/\partial {a}")]
        return [*lines, self.writer.line(f"{s}′", f"∂{s}/∂{a}")]

"""The names of a derivation: of its letters, blocks and symbols, in text and in LaTeX."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, final

import numpy as np
import sympy as sp

from semidirect.core import symbols
from semidirect.equations import Variation, letters
from semidirect.pages.names import Names
from semidirect.pages.notation import latex_name, unicode_name

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition


@final
class DerivationNames:
    """Names that nothing else of the system has.

    Attributes
    ----------
    page : Names
        Those of the page.
    letter_names : dict letter → name
        The letters of quantities that the definition names.
    letters : dict what → name
        The letters that a derivation brings with it: p, w, η, the amplitudes, the configuration, N and B.
    """

    def __init__(self, system: SystemDefinition, variation: Variation):
        self.system, self.variation = system, variation
        self.page = Names(system, variation.setting)
        self.letter_names = {letter.name: self.page.free(letter.name) for letter in variation.setting.letters}
        self.letters = self._free_letters()

    def _free_letters(self) -> dict[str, str]:
        """Letters that nothing of the system has."""
        names, d = self.page, self.variation.setting.definition
        options = {
            "N": ("N", "Z"), "B": ("B", "T"), "w": ("w", "y", "q"), "eta": ("eta", "zeta", "epsilon", "psi"),
            "xi": ("xi", "sigma", "zeta", "amplitude"), "configuration": ("s", "g", "h", "q", "k"),
        }  # fmt: skip
        if len(self.variation.setting.p):
            options["h"] = ("h", "H", "k")
        letters = {k: names.free(*candidates) for k, candidates in options.items()}
        own = [*(f"~p_{b}" for b in d.group.blocks), *(x.name for x in self.variation.p)]
        alike = {unicode_name(names.symbol(x)) for x in own}
        momenta = {unicode_name(names.stem(d.momentum_name(k))) for k in d.constraint.coordinates(d.group)} & alike
        letters["p"] = "p" if self.variation.is_free or not momenta else "pi"
        return letters

    def of(self, name: str, latex: bool, *, vector: bool = False) -> str:
        """A name that the derivation gave."""
        for prefix, letter in (("~p_", "p"), ("~dp_", "p"), ("~eta_", "eta"), ("~deta_", "eta")):
            if name.startswith(prefix):
                mark = "d" if prefix in ("~dp_", "~deta_") else ""
                name = f"~{mark}{self.letters[letter]}_{name.removeprefix(prefix)}"
        if re.match(r"~w(_|\d|$)", name):
            name = f"~{self.letters['w']}{name[2:]}"
        name = self.page.stem(name)
        return latex_name(name, bold=vector) if latex else unicode_name(name)

    def letter(self, what: str, latex: bool) -> str:
        """A letter that the derivation brings with it."""
        return self.of(self.letters[what], latex)

    def block(self, name: str, latex: bool, size: int = 0) -> str:
        """The name of a block, a momentum or what is advected."""
        d = self.variation.setting.definition
        part = {**d.group.blocks, **d.advected_layout}.get(name)
        size = size or (1 if part is None else part.stop - part.start)
        label = self.page.symbol(name) if size == 1 else self.page.stem(name)
        return latex_name(label, bold=size > 1) if latex else unicode_name(label)

    def argument(self, slope: letters.Slope, latex: bool) -> str:
        """The name of what a letter depends on."""
        letter = next((x for x in self.variation.setting.letters if x.stem == slope.argument), None)
        if letter is None:
            return self.block(slope.argument, latex, size=0 if slope.argument != "t" else 1)
        return self.of(self.letter_names[letter.name], latex, vector=len(letter.symbols) > 1)

    def ratio(self, letter: letters.Letter, slope: letters.Slope, latex: bool) -> str:
        """∂s/∂x."""
        name, argument = (
            self.of(self.letter_names[letter.name], latex, vector=len(letter.symbols) > 1),
            self.argument(slope, latex),
        )
        return rf"\frac{{\partial {name}}}{{\partial {argument}}}" if latex else f"∂{name}/∂{argument}"

    @cached_property
    def plain(self) -> dict[sp.Symbol, tuple[str, str]]:
        """Names of all symbols in text and LaTeX, where no vector notation applies."""
        texts, letters = _Shown(self.page, self.letters["xi"]), self.letters
        p, eta, v = letters["p"], letters["eta"], self.variation
        for rows, prefix in ((v.p, p), (v.dp, f"d{p}"), (v.v, "v"), (v.eta, eta), (v.deta, f"d{eta}")):
            for x in rows:
                code = self.page.symbol(f"~{prefix}_{x.name.split('_', 1)[1]}")
                texts[x] = unicode_name(code), latex_name(code)
        for name, part in self.variation.setting.definition.advected_layout.items():
            for x, y in zip(self.variation.slope[part], symbols.vector(name, part.stop - part.start), strict=True):
                symbol = self.page.symbol(y.name)
                texts[x] = f"∂l/∂{unicode_name(symbol)}", rf"\frac{{\partial l}}{{\partial {latex_name(symbol)}}}"
        texts |= {x: (self.of(x.name, False), self.of(x.name, True)) for x in self.variation.w}
        for letter in self.variation.setting.letters:
            components = symbols.vector(self.letter_names[letter.name], len(letter.symbols))
            texts |= {
                x: (self.of(y.name, False), self.of(y.name, True))
                for x, y in zip(letter.symbols, components, strict=True)
            }
            for slope in letter.slopes:
                for (i, j), x in np.ndenumerate(slope.entries):
                    if slope.is_symbol:
                        above, below = texts[letter.symbols[i]], texts[slope.along[j]]
                        texts[x] = f"∂{above[0]}/∂{below[0]}", rf"\frac{{\partial {above[1]}}}{{\partial {below[1]}}}"
        return texts


class _Shown(dict[sp.Symbol, tuple[str, str]]):
    """Names of symbols in text and LaTeX."""

    def __init__(self, names: Names, amplitude: str):
        super().__init__()
        self.names, self.amplitude = names, amplitude

    def __missing__(self, x: sp.Symbol) -> tuple[str, str]:
        symbol = f"{self.amplitude}{x.name[3:]}" if x.name.startswith("~xi") else self.names.symbol(x.name)
        return unicode_name(symbol), latex_name(symbol)

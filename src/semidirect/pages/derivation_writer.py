"""Writes expressions of a derivation in vector notation, where they are sums of products of vectors of R³."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import final

import numpy as np
import sympy as sp

from semidirect.equations import Let, letters
from semidirect.pages.derivation_names import DerivationNames
from semidirect.pages.derivation_text import DerivationText
from semidirect.pages.notation import latex_name, unicode_name
from semidirect.pages.vectors import AXES, recognise


@final
class DerivationWriter:
    """Knows which symbols are components of a vector, and what is printed for it."""

    def __init__(self, names: DerivationNames):
        self.names, self.variation = names, names.variation

    @cached_property
    def letters(self) -> dict[sp.Symbol, tuple[str, int]]:
        """Vectors of R³ by their components, and what stands for products with ∂s/∂x."""
        places, s = self._vectors(), self.variation.setting
        vectors, bracketed = [letter for letter in s.letters if letters.of_vectors(letter)], set[str]()

        def letter_of(name: str, latex: str, rows: Sequence[sp.Symbol] | np.ndarray) -> None:
            self._tex[name] = latex
            places.update((x, (name, i)) for i, x in enumerate(rows))

        def text_of(rows: Sequence[sp.Expr] | np.ndarray, latex: bool) -> str:
            terms, page = recognise([sp.expand(e) for e in rows], places, {}, self._axes), self._text(latex)
            text = page.rows(list(rows)) if terms is None else page.sum_of(terms)
            return text if terms is None or text in bracketed else f"({text})"

        for one in s.letters:
            for slope in one.slopes:
                if slope.is_symbol and slope.entries.size == 3:  # of a number, or by a number
                    letter_of(
                        self.names.ratio(one, slope, False), self.names.ratio(one, slope, True), slope.entries.ravel()
                    )
        for one in vectors:
            plain, bold = (
                self.names.of(self.names.letter_names[one.name], latex, vector=latex) for latex in (False, True)
            )
            letter_of(plain, bold, one.symbols)
            letter_of(f"δ{plain}", rf"\delta {bold}", letters.staged_letter("variation", one))
        for one, total in zip(s.letters, self.variation.motion.changes, strict=True):
            if one in vectors:
                rates = [(x, self.variation.rates_along(x)) for x in one.slopes]
                texts = [
                    " + ".join(f"{self.names.ratio(one, x, latex)}{text_of(rate, latex)}" for x, rate in rates)
                    for latex in (False, True)
                ]
                text, tex = (f"({x})" if len(one.slopes) > 1 else x for x in texts)
                bracketed |= {text, tex} if len(one.slopes) > 1 else set()
                letter_of(text, tex, total)
        kappa: dict[sp.Symbol, sp.Expr] = {}
        slopes = {f"~pulled{x.stem[1:]}": (one, x) for one in vectors for x in one.slopes}
        for statement in self.variation.statements:
            assert isinstance(statement, Let)
            stem = re.sub(r"\d+$", "", statement.names[0].name)
            if stem in slopes:
                ratios = [self.names.ratio(*slopes[stem], latex) for latex in (False, True)]
                factor = [sp.diff(statement.expressions[0], x).xreplace(kappa) for x in slopes[stem][1].entries[:, 0]]
                text, tex = (text_of(factor, latex) for latex in (False, True))
                letter_of(f"({ratios[0]})ᵀ{text}", rf"\left({ratios[1]}\right)^{{\mathsf T}}{tex}", statement.names)
            else:
                kappa |= dict(zip(statement.names, statement.expressions, strict=True))
        return places

    def _vectors(self) -> dict[sp.Symbol, tuple[str, int]]:
        """Vectors of R³ by their components."""
        x, system = self.variation, self.names.system
        s, d = x.setting, x.setting.definition
        vectors: dict[sp.Symbol, tuple[str, int]] = {}
        self._tex: dict[str, str] = {axis: latex_name(axis, bold=True) for axis in AXES}
        self._axes = () if any(unicode_name(axis) in self.names.page.unavailable for axis in AXES) else AXES
        self._tex |= {unicode_name(axis): latex_name(axis, bold=True) for axis in AXES}

        def letter(text: str, latex: str, rows: Sequence[sp.Symbol] | np.ndarray) -> None:
            if len(rows) == 3:
                self._tex[text] = latex
                vectors.update((y, (text, i)) for i, y in enumerate(rows))

        def staged(name: str, rows: np.ndarray) -> None:
            letter(self.names.of(name, False), self.names.of(name, True, vector=True), rows)

        for name, part in d.group.blocks.items():
            for rows, prefix in ((x.p, "p_"), (x.dp, "dp_"), (x.v, "v_"), (x.eta, "eta_"), (x.deta, "deta_")):
                staged(f"~{prefix}{name}", rows[part])
            letter(self.names.block(name, False), self.names.block(name, True), s.xi[part])
        for name, part in d.advected_layout.items():
            vector = slice(part.start, part.start + 3) if d.advected[name].is_point else part
            text, latex = self.names.block(name, False), self.names.block(name, True)
            letter(text, latex, s.a[vector])
            of = "l" if s.hamiltonian is None else "h"
            letter(f"∂{of}/∂{text}", rf"\frac{{\partial {of}}}{{\partial {latex}}}", x.slope[vector])
        for name, part in x.coordinates.items():
            staged(f"~w_{name}" if len(x.coordinates) > 1 else "~w", x.w[part])
        for i, part in enumerate(s.amplitudes, 1):
            name = f"{self.names.letters['xi']}{i}"
            letter(unicode_name(name), latex_name(name, bold=True), s.formal[0][part])
        for name, array in system.workings.parameter_symbols.items():
            stem = system.workings.parameters()[name].symbol or name
            if array.shape == (3,) and not system.workings.parameters()[name].symmetric:
                label = self.names.page.stem(stem)
                letter(unicode_name(label), latex_name(label, bold=True), list(array))
            elif array.ndim == 2 and array.shape[1] == 3:
                for i, row in enumerate(array, 1):
                    label = self.names.page.stem(f"{stem}{i}")
                    letter(unicode_name(label), latex_name(label, bold=True), list(row))
        return vectors

    def is_vector(self, rows: np.ndarray) -> bool:
        """Whether three components are written as a vector."""
        return recognise([sp.expand(e) for e in rows], self.letters, {}, self._axes) is not None

    def page(self, *, latex: bool) -> DerivationText:
        """The text that products and sums are written in."""
        _ = self.letters  # whose names it needs
        return self._text(latex)

    def _text(self, latex: bool) -> DerivationText:
        return DerivationText(latex, self._tex, self.names.plain)

    def write_in(self, *, latex: bool) -> Callable[[Sequence[sp.Expr] | np.ndarray], str]:
        """Writes three components, or one, in vector notation; others in brackets."""
        page = self.page(latex=latex)

        def write(components: Sequence[sp.Expr] | np.ndarray) -> str:
            rows = [sp.expand(sp.sympify(e).xreplace(self.variation.setting.constants)) for e in components]
            terms = None
            if len(rows) in (1, 3):
                terms = recognise(rows, self.letters, {}, self._axes)
            return (
                page.rows([e.xreplace(self.variation.spelled) for e in rows]) if terms is None else page.sum_of(terms)
            )

        return write

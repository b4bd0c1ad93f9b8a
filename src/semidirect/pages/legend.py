"""The meaning of the letters of a page that no line of it defines: parameters, the inertia, axes, matrices, time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, final

import numpy as np

from semidirect.pages.notation import component_name, split_tags, unicode_name
from semidirect.pages.vectors import AXES

if TYPE_CHECKING:
    from semidirect.pages.writer import Writer


def _is(of: Sequence[str], one: str = "", several: str = "") -> str:
    return " ".join(filter(None, ("is", one) if len(of) == 1 else ("are", several)))


@final
class Legend:
    """The last lines of a page, about what its writer has written."""

    def __init__(self, writer: Writer):
        self.writer = writer
        self.printed_names = {split_tags(name)[0] for name in writer.printed_names}

    def lines(self) -> list[str]:
        """All that apply, as lines of text."""
        kinds = {"variables": self._variables(), "parameters": self._parameters()}
        rest = [*self._reaction(), *self._axes(), *self._inertia()]
        named = [f"  {kind} {', '.join(names)}" for kind, names in kinds.items() if names]
        return [*self._matrices(), *self._constraint(), *rest, *named]

    def where(self) -> str:
        """The same in LaTeX, as a sentence that follows the display; empty where everything is defined there."""
        lines = [*self._matrices(), *self._reaction(), *self._axes(), *self._inertia()]
        formulas = [part for line in lines for part in line.replace(" &= ", " = ").split(r",\quad ")]
        parameters, advected, internal = self._parameters(), self._state("advected"), self._state("internal")
        parts = [", ".join(f"${formula}$" for formula in formulas)] if formulas else []
        parts += self._constraint()
        parts += [f"{', '.join(advected)} {_is(advected)} advected"] if advected else []
        parts += [f"{', '.join(internal)} {_is(internal, 'an internal state', 'internal states')}"] if internal else []
        parts += [f"{', '.join(parameters)} {_is(parameters, 'a parameter', 'parameters')}"] if parameters else []
        *others, last = parts or [""]
        return f"where {'; '.join([*others, f'and {last}' if others else last])}." if last else ""

    def _matrices(self) -> list[str]:
        """B and H, of which the locked inertia is made."""
        w, d = self.writer, self.writer.sde.definition
        names = {k: w.name(name) for k, name in w.fixed.items() if name in self.printed_names}
        velocity, lines = self._tuple(list(d.group.blocks)), []
        squared = "^{2}" if w.tex else "²"
        if "H" in names:
            lines.append(w.line(names["H"], self._slope(f"{squared}l", f"{velocity}{squared}")))
        if "B" in names and w.sde.form != "A":
            u = self._tuple(list(d.constraint.coordinates(d.group)))
            lines.append(w.line(names["B"], self._slope(velocity, u)))
        return lines

    def _constraint(self) -> list[str]:
        """A and b of a constraint by covectors, C of its reaction."""
        w = self.writer
        if w.sde.form != "A" or self.printed_names.isdisjoint({w.fixed["H"], "~dlambda", "~dlambda1"}):
            return []
        A, b, C, multiplier = (*(w.name(w.fixed[k]) for k in "AbC"), w.name("~dlambda"))
        velocity, words = self._tuple(list(w.sde.definition.group.blocks)), "the constraint, with the reaction"
        if w.tex:
            return [rf"${A} {velocity} = {b}$ is {words} ${C}\,{multiplier}$"]
        return [w.line(f"{A} {velocity}", f"{b} ({words} {C} {multiplier})")]

    def _reaction(self) -> list[str]:
        """R, of which the force of a contact is made, by the drift's equation of motion."""
        w, d = self.writer, self.writer.sde.definition
        letter = w.fixed["R"]
        if self.printed_names.isdisjoint({f"{letter}_{block}" for block in d.group.blocks}):
            return []
        velocity, tex = self._tuple(list(d.group.blocks)), w.tex
        diamond = r" \diamond " if tex else " ◇ "
        terms = [r"\frac{\mathrm{d}p}{\mathrm{d}t}" if tex else "dp/dt"]
        terms.append(rf"\operatorname{{ad}}^*_{{{velocity}}} p" if tex else f"ad*_{velocity} p")
        if d.advected:
            state = self._tuple(list(d.advected))
            terms.append(f"{self._slope('l', state)}{diamond}{state}")
        meaning = f"p = {self._slope('l', velocity)}"
        if any(e != 0 for e in w.sde.setting.forces[0]):
            terms.append(w.name(w.fixed["F"]))
            meaning += rf",\ {terms[-1]}\ \text{{the force}}" if tex else f", {terms[-1]} the force"
        rule = w.line(w.name(letter), " - ".join(terms))
        separator = r",\quad " if tex else ",  "
        return [f"{rule}{separator}{meaning}"]

    def _slope(self, above: str, below: str) -> str:
        """∂above/∂below."""
        return rf"\frac{{\partial {above}}}{{\partial {below}}}" if self.writer.tex else f"∂{above}/∂{below}"

    def _tuple(self, names: list[str]) -> str:
        d, variables = self.writer.sde.definition, self.writer.sde.variables
        sizes = {k: part.stop - part.start for k, part in d.group.blocks.items()} | d.constraint.coordinates(d.group)
        sizes |= {v.name: v.dimension for v in variables}
        parts = [self.writer.name(k, vector=True) if sizes[k] > 1 else self.writer.symbol(k) for k in names]
        return f"({', '.join(parts)})" if len(names) > 1 else parts[0]

    def _axes(self) -> list[str]:
        w = self.writer
        rows = ("1, 0, 0", "0, 1, 0", "0, 0, 1")
        return [
            w.line(w.name(x, vector=True), f"({row})")
            for x, row in zip(AXES, rows, strict=True)
            if x in self.printed_names
        ]

    def _inertia(self) -> list[str]:
        """The matrix that 𝕀 is."""
        w = self.writer
        if w.inertia is None or not any(name.lstrip("~").startswith("𝕀") for name in self.printed_names):
            return []
        moments = w.system.workings.parameter_symbols[w.inertia]
        entries = np.vectorize(lambda x: w.symbol(x.name), otypes=[object])(moments)
        if moments.ndim == 1:
            text = (r"\operatorname{diag}" if w.tex else "diag") + f"({', '.join(entries)})"
        elif w.tex:
            rows = r" \\ ".join(" & ".join(row) for row in entries)
            text = rf"\left(\begin{{smallmatrix}}{rows}\end{{smallmatrix}}\right)"
        else:
            text = f"({'; '.join(' '.join(row) for row in entries)})"
        return [w.line(r"\mathbb{I}" if w.tex else "𝕀", text)]

    def _state(self, kind: str) -> list[str]:
        """The variables of one kind, which the first line of a text has."""
        names = [v.name for v in self.writer.sde.variables if v.kind == kind and self._has(v.name, np.array(v.symbols))]
        return [f"${self._tuple([name])}$" for name in names]

    def _variables(self) -> list[str]:
        """Variables for which the system chooses symbols, with their names in code."""
        printed = {name.lstrip("~").rstrip("0123456789") for name in self.printed_names}
        chosen = {name: symbol for name, symbol in self.writer.names.chosen.items() if name in printed}
        return [f"{unicode_name(symbol)} ({name})" for name, symbol in chosen.items()]

    def _parameters(self) -> list[str]:
        """Parameters: in text with their names in code where they are printed otherwise, in LaTeX with the words of these."""
        w, parameters = self.writer, []
        for name, symbols in w.system.workings.all_symbols.items():
            stem = w.system.workings.symbol_stem(name)
            if not self._has(stem, symbols):
                continue
            label = w.symbol(stem) if symbols.ndim == 0 else w.name(stem, vector=symbols.ndim == 1)
            plain = unicode_name(w.known(stem) if symbols.ndim == 0 else w.names.stem(w.aliased(stem)))
            same = plain == name and not (w.tex and "_" in name)  # LaTeX prints what follows _ as an index
            meaning = "" if same else f" ({name.replace('_', ' ')})" if w.tex else f" ({name})"
            parameters.append(f"${label}${meaning}" if w.tex else label + meaning)
        return parameters

    def _has(self, stem: str, symbols: np.ndarray) -> bool:
        """Whether a name, a row, a block of a row or a component stands on the page."""
        rows = [f"{stem}{i + 1}" for i in range(len(symbols))] if symbols.ndim == 2 else []
        parts = [f"{row}_{block}" for row in rows for block in self.writer.sde.definition.group.blocks]
        names = {stem, *rows, *parts, *(x.name for x in symbols.flat)}
        vectors = {component_name(name, i) for name in (*rows, *parts) for i in (1, 2, 3)}
        return not self.printed_names.isdisjoint(names | vectors)

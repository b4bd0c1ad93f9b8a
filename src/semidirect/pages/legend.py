"""What the letters of a page are that no line of it defines: parameters, the inertia, axes, matrices, time."""

from __future__ import annotations

from typing import TYPE_CHECKING, final

import numpy as np

from semidirect.pages.notation import component_name, split_tags, unicode_name
from semidirect.pages.vectors import AXES

if TYPE_CHECKING:
    from semidirect.pages.writer import Writer


@final
class Legend:
    """The last lines of a page, about what its writer has written."""

    def __init__(self, writer: Writer):
        self.writer = writer
        self.printed_names = {split_tags(name)[0] for name in writer.printed_names}

    def lines(self) -> list[str]:
        """All that apply."""
        return [
            *self._matrices(), *self._reaction(), *self._axes(), *self._inertia(), *self._state(), *self._parameters()
        ]  # fmt: skip

    def _matrices(self) -> list[str]:
        """B and H, of which the locked inertia is made; C and A beside them."""
        w, d = self.writer, self.writer.sde.definition
        names = {k: w.name(name) for k, name in w.fixed.items() if name in self.printed_names}
        velocity, lines = self._tuple(list(d.group.blocks)), []
        squared = "^{2}" if w.tex else "²"
        if "H" in names:
            lines.append(w.line(names["H"], self._slope(f"{squared}l", f"{velocity}{squared}")))
        if "B" in names and w.sde.form != "A":
            u = self._tuple(list(d.constraint.coordinates(d.group)))
            lines.append(w.line(names["B"], self._slope(velocity, u)))
        if w.sde.form == "A" and any(name in self.printed_names for name in (w.fixed["H"], "~dlambda", "~dlambda1")):
            A, b, C, multiplier = (*(w.name(w.fixed[k]) for k in "AbC"), w.name("~dlambda"))
            words = ("the constraint, with the reaction", f"{C} {multiplier}")
            meaning = rf"{b}\ \text{{({words[0]} }}{words[1]}\text{{)}}" if w.tex else f"{b} ({' '.join(words)})"
            lines.append(w.line(f"{A} {velocity}", meaning))
        return lines

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
            text = rf"\begin{{pmatrix}}{rows}\end{{pmatrix}}"
        else:
            text = f"({'; '.join(' '.join(row) for row in entries)})"
        return [w.line(r"\mathbb{I}" if w.tex else "𝕀", text)]

    def _state(self) -> list[str]:
        """The state, which the first line of a text has."""
        w = self.writer
        if not w.tex:
            return []
        names = [
            v.name
            for v in w.sde.variables
            if v.kind in ("advected", "internal") and self._has(v.name, np.array(v.symbols))
        ]
        return [w.line(r"\text{state}", self._tuple(names))] if names else []

    def _parameters(self) -> list[str]:
        """Parameters, with their names in code where they are printed otherwise."""
        w, parameters = self.writer, []
        for name, symbols in w.system.workings.all_symbols.items():
            stem = w.system.workings.symbol_stem(name)
            if not self._has(stem, symbols):
                continue
            label = w.symbol(stem) if symbols.ndim == 0 else w.name(stem, vector=symbols.ndim == 1)
            meaning = rf"\ (\mathrm{{{name.replace('_', chr(92) + '_')}}})" if w.tex else f" ({name})"
            plain = unicode_name(w.known(stem) if symbols.ndim == 0 else w.names.stem(w.aliased(stem)))
            same = plain == name and not (w.tex and "_" in name)  # LaTeX prints what follows _ as an index
            parameters.append(label if same else label + meaning)
        if not parameters:
            return []
        return [
            w.line(r"\text{parameters}", ", ".join(parameters)) if w.tex else f"  parameters {', '.join(parameters)}"
        ]

    def _has(self, stem: str, symbols: np.ndarray) -> bool:
        """Whether a name, a row, a block of a row or a component stands on the page."""
        rows = [f"{stem}{i + 1}" for i in range(len(symbols))] if symbols.ndim == 2 else []
        parts = [f"{row}_{block}" for row in rows for block in self.writer.sde.definition.group.blocks]
        names = {stem, *rows, *parts, *(x.name for x in symbols.flat)}
        vectors = {component_name(name, i) for name in (*rows, *parts) for i in (1, 2, 3)}
        return not self.printed_names.isdisjoint(names | vectors)

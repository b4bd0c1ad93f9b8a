"""The derivation of the equations of a system to read: variations, integration by parts, collected terms."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

import numpy as np
import sympy as sp

from semidirect.core import display, ops
from semidirect.definition import a_system
from semidirect.equations import Variation
from semidirect.pages.derivation_names import DerivationNames
from semidirect.pages.derivation_writer import DerivationWriter
from semidirect.pages.line_breaks import aligned
from semidirect.pages.notation import SUPERSCRIPT, latex_name, unicode_name

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition


@final
@dataclass(frozen=True, repr=False)
class Step(display.Read):
    """One step: what is done, and the equations that it gives."""

    title: str
    lines: tuple[str, ...]

    def __str__(self) -> str:
        return "\n".join([self.title, *(f"  {line}" for line in self.lines)])

    def latex(self) -> str:
        """A sentence and an ``align*`` environment, of steps that are in LaTeX."""
        return f"{self.title}\n{aligned(self.lines)}" if self.lines else self.title


@final
class Derivation:
    """How the equations of a system follow from δ∫l dt + ∫⟨F, η⟩ = 0; ``print`` it.

    Attributes
    ----------
    variation : Variation
        The terms.
    names : DerivationNames
        Their names.
    writer : DerivationWriter
        How they are written.

    Raises
    ------
    DefinitionError
        If D is given by covectors only.
    """

    def __init__(self, system: SystemDefinition):
        self.system = a_system(system)
        if system._states_arrays:
            return
        self.variation = Variation.of(system)
        self.names = DerivationNames(system, self.variation)
        self.writer = DerivationWriter(self.names)

    def __reduce__(self) -> tuple[Any, ...]:
        return Derivation, (self.system,)

    def steps(self, *, latex: bool = False) -> list[Step]:
        """The steps, each of lines in vector notation where the blocks are vectors of R³."""
        if self.system._states_arrays:
            return [Step(line, ()) for line in self.system._stated_by_arrays().derivation()]
        s, d, page = self.variation.setting, self.variation.setting.definition, self.writer.page(latex=latex)
        assert s.distribution is not None
        basis, blocks, write = s.distribution.basis, d.group.blocks, self.writer.write_in(latex=latex)
        is_, w = page.pick(" = ", " &= "), self.names.of("~w", latex, vector=True)
        eta = self.names.letter("eta", latex)
        delta = page.pick("δ", r"\delta ")

        def of(prefix: str, block: str) -> str:
            part = blocks[block]
            return self.names.of(f"~{prefix}{block}", latex, vector=part.stop - part.start > 1)

        # first the variations of velocities and of what is advected, by η = s⁻¹δs
        bracket = d.group.bracket(self.variation.v, self.variation.eta)
        varied = [f"{delta}{self._moved(b, latex)}{is_}{of('deta_', b)}" + page.plus(write(bracket[part]))
                  for b, part in blocks.items()]  # fmt: skip
        delta_a = {}
        for name, part in d.advected_layout.items():
            delta_a[name] = -d.advected[name].representation.action(self.variation.eta, s.a[part])
            rows = delta_a[name][: 3 if d.advected[name].is_point else None]
            varied.append(f"{delta}{self.names.block(name, latex)}{is_}{write(rows)}")
        varied += self._surface(latex)
        fields = [*self._amplitudes(latex), *self._moved_fields(latex)]

        def inline(text: str, tex: str) -> str:
            return f"${tex}$" if latex else text

        # then the action with these variations
        g, B = (self.names.letter(k, latex) for k in ("configuration", "B"))
        v = [of("v_", b) for b in blocks]
        v_ = f"({', '.join(v)})" if len(v) > 1 else v[0]
        velocity = inline(f"{g}⁻¹d{g}", rf"{g}^{{-1}}\mathrm{{d}}{g}")
        change = inline(f"d{eta} + [{g}⁻¹d{g}, {eta}]", rf"\mathrm{{d}}{eta} + [{g}^{{-1}}\mathrm{{d}}{g}, {eta}]")
        title = (f"Vary the configuration, {inline(f'δ{g} = {g} {eta}', rf'{delta}{g} = {g}{chr(92)},{eta}')}, so that "
                 f"{inline(v_, v_)} = {velocity} changes by {change}:")  # fmt: skip
        steps = [Step(title, tuple(varied + fields))]
        title = self._action(of, latex)
        lines = (*self._hamiltonians(of, latex), page.pick("∫ ", r"&\int ") + write([self.variation.integrand]))
        steps.append(Step(title, lines))
        # by parts, so that η stands without its differential
        against = page.pick("    against ", r"\quad\text{against }")
        lines = tuple(
            f"{self._d(of('p_', b), latex)}{is_}{write(self.variation.by_parts[part])}{against}{of('eta_', b)}"
            for b, part in blocks.items()
        )
        steps.append(Step(f"Integrate {inline(f'd{eta}', rf'{chr(92)}mathrm{{d}}{eta}')} by parts and collect what stands "
                          f"with {inline(eta, eta)}:", lines))  # fmt: skip
        # without a constraint the derivation ends here
        if self.variation.is_free:
            return [*steps, Step(f"Every {inline(eta, eta)} is admissible: these are the equations.", ())]
        # virtual displacements may span another space than velocities
        virtual = B if s.distribution.test is None else f"{B}_V"
        admissible = ops.matvec(basis if s.distribution.test is None else s.distribution.test, self.variation.w)
        lines = tuple(f"{of('eta_', b)}{is_}{write(admissible[part])}" for b, part in blocks.items())
        steps.append(
            Step(f"Only {inline(eta, eta)} in D are admissible, {inline(*[f'{eta} = {virtual} {w}'] * 2)}:", lines)
        )
        if s.distribution.test is not None:
            return [*steps, self._tested(latex)]
        # the equations of D are those of its own momenta
        momentum = ops.matvec(basis.T, self.variation.p)
        collected = []
        for coordinate, part in self.variation.coordinates.items():
            name = self.names.block(d.momentum_name(coordinate), latex, size=part.stop - part.start)
            value = write(momentum[part])
            collected += [f"{name}{is_}{value}"] * (name != value)
            collected.append(f"{self._d(name, latex)}{is_}{write(self.variation.projected[part])}")
        letter = self.names.letter("p", latex)
        P = inline(f"{B}ᵀ{letter}", rf"{B}^{{\mathsf T}} {letter}")
        title = f"So the momenta of D are {P}, and they move by what is left"
        moving = {*s.a, *s.z, s.t, *(x for letter in s.letters for x in letter.symbols)}
        if any(e.free_symbols & moving for e in basis.flat):
            title += f", with {inline(f'd{B}', rf'{chr(92)}mathrm{{d}}{B}')} from the motion of what D depends on"
        return [*steps, Step(f"{title}:", tuple(collected))]

    def _action(self, of: Callable[[str, str], str], latex: bool) -> str:
        """The action that is varied, and p or ξ."""
        s, blocks = self.variation.setting, self.variation.setting.definition.group.blocks
        d, delta, partial = (r"\mathrm{d}", r"\delta", r"\partial ") if latex else ("d", "δ", "∂")
        integral, times = (r"\int ", r"\,") if latex else ("∫", " ")

        def inline(text: str) -> str:
            return f"${text}$" if latex else text

        numbers = [i for i, h in enumerate(s.noise_hamiltonians, 1) if h is not None]
        h = [self.names.of(f"{self.names.letters['h']}{i}", latex) for i in numbers]
        noise = [rf"{x}\circ\mathrm{{d}}W^{{{i}}}" if latex else f"{x}∘dW{str(i).translate(SUPERSCRIPT)}"
                 for i, x in zip(numbers, h, strict=True)]  # fmt: skip
        rest = "".join(f" - {x}" for x in noise)
        if s.hamiltonian is None:
            p = ", ".join(inline(f"{of('p_', b)} = {partial}l/{partial}{self.names.block(b, latex)}") for b in blocks)
            whole = f"{delta}{integral}l{times}{d}t"
            return f"Put that into {inline(whole + rest)}, with {p}:"
        energy = self.names.letter("h", latex)
        sides = [[of(prefix, b) for b in blocks] for prefix in ("p_", "v_")]
        p, v = (f"({', '.join(x)})" if len(x) > 1 else x[0] for x in sides)
        paired = rf"\langle {p}, {v}\rangle" if latex else f"⟨{p}, {v}⟩"
        drift = ", ".join(
            inline(f"{self.names.block(b, latex)} = {partial}{energy}/{partial}{of('p_', b)}") for b in blocks
        )
        fields = [inline(f"{self.names.of(self.names.letters['N'] + str(i), latex)} = {partial}{x}/{partial}p")
                  for i, x in zip(numbers, h, strict=True)]  # fmt: skip
        return (
            f"Put that into {inline(f'{delta}{integral}{paired} - {energy}{times}{d}t{rest}')}, where p is free, "
            f"so that {', '.join([drift, *fields])}:"
        )

    def _hamiltonians(self, of: Callable[[str, str], str], latex: bool) -> list[str]:
        """h, the h_i, and the velocity ∂h/∂p."""
        s, write, is_ = self.variation.setting, self.writer.write_in(latex=latex), " &= " if latex else " = "
        at_p, lines = self.variation.at_p, []
        if s.hamiltonian is not None and s.velocity is not None:
            lines.append(f"{self.names.letter('h', latex)}{is_}{write([at_p(s.hamiltonian)])}")
            lines += [f"{self.names.block(b, latex)}{is_}{write([at_p(e) for e in s.velocity[part]])}"
                      for b, part in s.definition.group.blocks.items()]  # fmt: skip
        for i, h in enumerate(s.noise_hamiltonians, 1):
            if h is not None:
                lines.append(f"{self.names.of(self.names.letters['h'] + str(i), latex)}{is_}{write([at_p(h)])}")
        return lines

    def _tested(self, latex: bool) -> Step:
        """B_Vᵀdp = B_Vᵀf: what is left of the balance where variations are not those of D."""
        assert self.variation.setting.distribution is not None
        write, is_ = self.writer.write_in(latex=latex), " &= " if latex else " = "
        test = self.variation.setting.distribution.test.T
        left, right = (ops.matvec(test, x) for x in (self.variation.dp, self.variation.by_parts))
        rows = [slice(None)] if len(left) == 3 and self.writer.is_vector(left) and self.writer.is_vector(right) else [
            slice(j, j + 1) for j in range(len(left))
        ]  # fmt: skip
        return Step(
            "So the momenta move by what is left:", tuple(f"{write(left[r])}{is_}{write(right[r])}" for r in rows)
        )

    def described(self) -> dict[str, Any]:
        """The steps in JSON's types."""
        return {"derivation": [{"title": step.title, "lines": list(step.lines)} for step in self.steps()]}

    def __repr__(self) -> str:
        return f"Derivation({type(self.system).__name__})"

    def __str__(self) -> str:
        return "\n\n".join([*map(str, self.steps()), *self._legend(latex=False)])

    def _repr_markdown_(self) -> str:
        return self.latex()

    def latex(self, *, legend: bool = True) -> str:
        """The steps in LaTeX: sentences, ``align*`` environments, and what the letters are, unless ``legend=False``."""
        letters = self._legend(latex=True) if legend else []
        return "\n\n".join([*(step.latex() for step in self.steps(latex=True)), *letters])

    def _legend(self, *, latex: bool) -> list[str]:
        """The letters that no line defines: advected quantities, parameters by their names in code, axes."""
        if self.system._states_arrays:
            return []
        s = self.variation.setting
        assert s.distribution is not None
        balance = self.variation.by_parts, self.variation.projected
        expressions = [
            *np.ravel(s.distribution.basis),
            *(e for rows in balance for e in rows),
            *(e for f in s.fields for e in f),
            *([] if s.hamiltonian is None else [s.hamiltonian]),
        ]
        expressions += [e for letter in s.letters for e in letter.expressions]
        occurring = set().union(*(sp.sympify(e).free_symbols for e in expressions))
        advected = [self.names.block(name, latex) for name in s.definition.advected]
        parameters = []
        for name, array in self.system.workings.all_symbols.items():
            if occurring.intersection(array.flat):
                stem = self.system.workings.parameters()[name].symbol or name
                shown_name = self.names.page.symbol(stem) if array.ndim == 0 else self.names.page.stem(stem)
                text = latex_name(shown_name, bold=array.ndim == 1) if latex else unicode_name(shown_name)
                code_name = name.replace("_", r"\_") if latex else name
                same = unicode_name(shown_name) == name and not (latex and "_" in name)
                meaning = "" if same else f" ({code_name})"
                parameters.append(f"${text}${meaning}" if latex else f"{text}{meaning}")
        parts = [f"advected {', '.join(f'${x}$' if latex else x for x in advected)}"] * bool(advected)
        parts += [f"parameters {', '.join(parameters)}"] * bool(parameters)
        return ["; ".join(parts)] if parts else []

    @staticmethod
    def _d(name: str, latex: bool) -> str:
        return (r"\mathrm{d}" if latex else "d") + name

    def _amplitudes(self, latex: bool) -> list[str]:
        """The formal amplitudes, which are not varied."""
        s, write, lines = self.variation.setting, self.writer.write_in(latex=latex), []
        names, values = s.formal
        for i, part in enumerate(s.amplitudes, 1):
            labels = [self.names.plain[x][latex] for x in names[part]]
            name, rows = f"{self.names.letters['xi']}{i}", list(values[part])
            if len(rows) == 3:
                labels, groups = [latex_name(name, bold=True) if latex else unicode_name(name)], [rows]
            else:
                groups = [[e] for e in rows]
            lines += [f"{x}{' &= ' if latex else ' = '}{write(e)}" for x, e in zip(labels, groups, strict=True)]
        return lines

    def _moved(self, block: str, latex: bool) -> str:
        """The velocity that varies with the configuration: ξ dt, or the transport where ξ = ∂h/∂p comes from a free p."""
        if self.variation.setting.hamiltonian is not None:
            part = self.variation.setting.definition.group.blocks[block]
            return self.names.of(f"~v_{block}", latex, vector=part.stop - part.start > 1)
        return f"({self.names.block(block, latex)}" + (r"\,\mathrm{d}t)" if latex else " dt)")

    def _moved_fields(self, latex: bool) -> list[str]:
        """How noise fields that depend on what is advected are varied."""
        s, lines, write = self.variation.setting, [], self.writer.write_in(latex=latex)
        for i, (field, h) in enumerate(zip(s.fields, s.noise_hamiltonians, strict=True), 1):
            if h is not None:
                continue
            delta = [sp.Add(*(sp.diff(e, a) * x for a, x in self.variation.variations.items())) for e in field]
            N = self.names.of(f"{self.names.letters['N']}{i}", latex)
            for name, part in s.definition.group.blocks.items():
                if not any(delta[part]):
                    continue
                block, value = self._moved(name, latex), write(delta[part])
                if latex:
                    term = rf"\delta {N}\circ\mathrm{{d}}W^{{{i}}},\quad \delta {N} = {value}"
                    lines.append(rf"\delta {block} &\text{{ also }} - {term}")
                else:
                    lines.append(f"δ{block} also − δ{N}∘dW{str(i).translate(SUPERSCRIPT)}, δ{N} = {value}")
        return lines

    def _surface(self, latex: bool) -> list[str]:
        """The letters, and how they vary."""
        lines, write, is_ = [], self.writer.write_in(latex=latex), " &= " if latex else " = "
        for letter in self.variation.setting.letters:
            letter_name, size = self.names.letter_names[letter.name], len(letter.symbols)
            rows, name = list(letter.expressions), self.names.of(letter_name, latex, vector=size > 1)
            if size == 3 and not self.writer.is_vector(letter.expressions):
                lines += [
                    f"{self.names.of(f'{letter_name}{i + 1}', latex)}{is_}{write([e])}" for i, e in enumerate(rows)
                ]
            else:
                lines.append(f"{name}{is_}{write(rows)}")
            d = r"\delta " if latex else "δ"
            parts = []
            for slope in letter.slopes:
                if slope.argument != "t" and slope.argument not in self.variation.setting.definition.internal_layout:
                    sign = r"\," if latex else " "
                    sign = (r"\cdot " if latex else "·") if size == 1 and len(slope.along) > 1 else sign
                    parts.append(
                        f"{self.names.ratio(letter, slope, latex)}{sign}{d}{self.names.argument(slope, latex)}"
                    )
            lines.append(f"{d}{name}{is_}{' + '.join(parts) or '0'}")
        return lines

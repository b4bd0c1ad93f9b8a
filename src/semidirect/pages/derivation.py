"""The derivation of the equations of a system to read: variations, integration by parts, collected terms."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, final

import numpy as np
import sympy as sp

from semidirect.core import ops, symbols
from semidirect.core.blocks import layout
from semidirect.core.display import Read
from semidirect.core.errors import DefinitionError
from semidirect.equations.kinematics import ProgramBuilder, SymbolicDefinition, setting
from semidirect.equations.lagrange_dalembert import LagrangeDAlembert
from semidirect.equations.motion import TransportKinematics
from semidirect.pages.contact_letter import ContactLetter, S
from semidirect.pages.derivation_text import DerivationText
from semidirect.pages.line_breaks import aligned
from semidirect.pages.names import Names
from semidirect.pages.notation import SUPERSCRIPT, latex_name, unicode_name
from semidirect.pages.points import is_point
from semidirect.pages.vectors import AXES, recognise

if TYPE_CHECKING:
    from semidirect.definition.system_definition import SystemDefinition


@final
@dataclass(frozen=True, repr=False)
class Step(Read):
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

    The terms are those that :class:`.LagrangeDAlembert` collects, with letters for p = ∂l/∂ξ, for the transport
    ξ̃ = ξ dt + ΣN_i∘dW^i and for ∂l/∂a: it knows the bracket and the representation, and neither ad* nor ◇.

    Attributes
    ----------
    integrand : expression
        The integrand, linear in η and dη.
    by_parts : array (n,)
        Its coefficients of η: dp = by_parts for free variations.
    projected : array (m,) or None
        Coefficients of w where η = Bw: d(Bᵀp) = projected.

    Raises
    ------
    DefinitionError
        If D is given by covectors only, so that there is no w.
    """

    def __init__(self, system: SystemDefinition):
        self.system = system
        self.setting: SymbolicDefinition = setting(system.symbolic_definition())
        self.rolling: ContactLetter | None = None
        if self.setting.distribution is None:
            raise DefinitionError("a derivation needs a basis B of the distribution", got="covectors only")
        d = self.setting.definition
        self.p, self.v, self.eta, self.deta = (
            symbols.staged_blocks(x, d.group.blocks) for x in ("p_", "v_", "eta_", "deta_")
        )
        self.dp = symbols.staged_blocks("dp_", d.group.blocks)
        self.slope = symbols.staged_blocks("l_", d.advected_layout)
        self.coordinates = layout(d.constraint.coordinates(d.group))
        size = self.setting.distribution.basis.shape[1]
        self.w = (
            symbols.staged_blocks("w_", self.coordinates) if len(self.coordinates) > 1 else symbols.staged("w", size)
        )
        self.names = Names(system, self.setting)
        self.letters = self._free_letters()
        rolling = ContactLetter.of(self.setting)
        if rolling is not None and recognise(list(rolling.contact), self._vectors(), {}, self._axes) is None:
            self.rolling, self.setting = rolling, setting(rolling.put_into(d, 0))
            self.letters["configuration"] = self.names.free("g", "h", "q", "k")

    def __reduce__(self) -> tuple[Any, ...]:
        return Derivation, (self.system,)

    @cached_property
    def motion(self) -> TransportKinematics:
        """The motion with letters for momenta, transport and slopes."""
        s, d = self.setting, self.setting.definition
        assert s.distribution is not None
        da = [e for name, part in d.advected_layout.items()
              for e in -d.advected[name].representation.action(self.v, s.a[part])]  # fmt: skip
        rates = (s.dt, *s.dW)
        force = np.array([sp.Add(*(f[j] * r for f, r in zip(s.forces, rates, strict=True))) for j in range(len(s.xi))])
        moved = TransportKinematics(
            s, ProgramBuilder(), s.xi, self.p, self.v, np.array(da, dtype=object), self._internal_change(), force, self.slope,
            s.fields, s.distribution.basis, None,
        )  # fmt: skip
        return TransportKinematics(**{**moved.__dict__, "dB": moved.along(s.distribution.basis)})

    def _internal_change(self) -> np.ndarray:
        """dz; that of s, where it is a letter, is one too."""
        s = self.setting
        rates = (s.dt, *s.dW)
        out = np.full(len(s.z), sp.Integer(0), dtype=object)
        for column, rate in zip(s.internal, rates, strict=True):
            out = out + column * rate
        if self.rolling is not None:
            out[s.definition.internal_layout[S]] = self.rolling.total
        return out

    @cached_property
    def integrand(self) -> sp.Expr:
        """⟨p, δ(ξ dt)⟩ + ⟨∂l/∂a, δa⟩ dt + ⟨F, η⟩."""
        found = LagrangeDAlembert().integrand(self.motion, self.eta, self.deta)
        if self.rolling is not None:
            for field, dW in zip(self.setting.fields, self.setting.dW, strict=True):
                found = found + ops.dot(self.rolling.torque(field, self.p), self.rolling.delta) * dW
        return sp.expand(found)

    @cached_property
    def by_parts(self) -> np.ndarray:
        """What dp is, for free variations."""
        return np.array([sp.diff(self.integrand, x) for x in self.eta], dtype=object) + self._by_rolling

    @cached_property
    def _by_rolling(self) -> np.ndarray:
        """What stands with η in τ·δs, δs = s′ δΓ: (s′ᵀτ) ◇ Γ."""
        found, s = np.array([sp.Integer(0)] * len(self.eta), dtype=object), self.setting
        if self.rolling is not None:
            part = s.definition.advected_layout[self.rolling.name]
            representation = s.definition.advected[self.rolling.name].representation
            for i, (field, dW) in enumerate(zip(s.fields, s.dW, strict=True)):
                if any(self.rolling.torque(field, self.p)):
                    found = found + representation.diamond(self.rolling.slope(i), s.a[part]) * dW
        return found

    @cached_property
    def projected(self) -> np.ndarray:
        """What d(Bᵀp) is."""
        found = LagrangeDAlembert().balance(self.motion).projected
        assert found is not None
        assert self.setting.distribution is not None
        return found + ops.matvec(self.setting.distribution.basis.T, self._by_rolling)

    def _free_letters(self) -> dict[str, str]:
        """Letters that nothing of the system has."""
        names, d = self.names, self.setting.definition
        wanted = {
            "N": ("N", "Z"), "B": ("B", "T"), "w": ("w", "y", "q"), "eta": ("eta", "zeta", "epsilon", "psi"),
            "xi": ("xi", "sigma", "zeta", "amplitude"), "s": ("s", "g", "h", "q"),
        }  # fmt: skip
        found = {k: names.free(*candidates) for k, candidates in wanted.items()}
        alike = {unicode_name(f"~p_{b}") for b in d.group.blocks} | {unicode_name(x.name) for x in self.p}
        named = {unicode_name(d.momentum_name(k)) for k in d.constraint.coordinates(d.group)} & alike
        found["configuration"] = found["s"]  # where no contact vector is a letter
        found["p"] = "p" if self._free or not named else "pi"
        return found

    @property
    def _free(self) -> bool:
        """Whether every variation is admissible."""
        assert self.setting.distribution is not None
        basis, n = self.setting.distribution.basis, len(self.eta)
        return basis.shape[1] == n and all(basis[i, j] == int(i == j) for i in range(n) for j in range(n))

    def steps(self, *, latex: bool = False) -> list[Step]:
        """The steps, each of lines in vector notation where the blocks are vectors of R³."""
        s, d, page = self.setting, self.setting.definition, self._page(latex=latex)
        assert s.distribution is not None
        basis, blocks, write = s.distribution.basis, d.group.blocks, self._writer(latex=latex)
        is_, w = page.pick(" = ", " &= "), self._shown("~w", latex, vector=True)
        eta = self._shown(self.letters["eta"], latex)
        dt, delta = page.pick(" dt", r"\,\mathrm{d}t"), page.pick("δ", r"\delta ")

        def of(prefix: str, block: str) -> str:
            part = blocks[block]
            return self._shown(f"~{prefix}{block}", latex, vector=part.stop - part.start > 1)

        bracket = d.group.bracket(self.v, self.eta)
        varied = [f"{delta}({self._vector(b, latex)}{dt}){is_}{of('deta_', b)}" + page.plus(write(bracket[part]))
                  for b, part in blocks.items()]  # fmt: skip
        delta_a = {}
        for name, part in d.advected_layout.items():
            delta_a[name] = -d.advected[name].representation.action(self.eta, s.a[part])
            rows = delta_a[name][: 3 if is_point(d.advected[name]) else None]
            varied.append(f"{delta}{self._vector(name, latex)}{is_}{write(rows)}")
        if self.rolling is not None:
            varied += self._surface(latex)
        moved = [*self._amplitudes(latex), *self._moved_fields(delta_a, latex)]

        def inline(text: str, tex: str) -> str:
            return f"${tex}$" if latex else text

        g, B = (self._shown(self.letters[k], latex) for k in ("configuration", "B"))
        v = [of("v_", b) for b in blocks]
        v_ = f"({', '.join(v)})" if len(v) > 1 else v[0]
        turned = inline(f"{g}⁻¹d{g}", rf"{g}^{{-1}}\mathrm{{d}}{g}")
        change = inline(f"d{eta} + [{g}⁻¹d{g}, {eta}]", rf"\mathrm{{d}}{eta} + [{g}^{{-1}}\mathrm{{d}}{g}, {eta}]")
        title = (f"Vary the configuration, {inline(f'δ{g} = {g} {eta}', rf'{delta}{g} = {g}{chr(92)},{eta}')}, so that "
                 f"{inline(v_, v_)} = {turned} changes by {change}:")  # fmt: skip
        steps = [Step(title, tuple(varied + moved))]
        p = ", ".join(inline(f"{of('p_', b)} = ∂l/∂{self._vector(b, latex)}",
                             rf"{of('p_', b)} = \partial l/\partial {self._vector(b, latex)}") for b in blocks)  # fmt: skip
        title = f"Put that into {inline('δ∫l dt', chr(92) + 'delta' + chr(92) + 'int l' + dt)}, with {p}:"
        steps.append(Step(title, (page.pick("∫ ", r"&\int ") + write([self.integrand]),)))
        against = page.pick("    against ", r"\quad\text{against }")
        lines = tuple(
            f"{self._d(of('p_', b), latex)}{is_}{write(self.by_parts[part])}{against}{of('eta_', b)}"
            for b, part in blocks.items()
        )
        steps.append(Step(f"Integrate {inline(f'd{eta}', rf'{chr(92)}mathrm{{d}}{eta}')} by parts and collect what stands "
                          f"with {inline(eta, eta)}:", lines))  # fmt: skip
        if self._free:
            return [*steps, Step(f"Every {inline(eta, eta)} is admissible: these are the equations.", ())]
        virtual = B if s.distribution.test is None else f"{B}_V"
        admissible = ops.matvec(basis if s.distribution.test is None else s.distribution.test, self.w)
        lines = tuple(f"{of('eta_', b)}{is_}{write(admissible[part])}" for b, part in blocks.items())
        steps.append(
            Step(f"Only {inline(eta, eta)} in D are admissible, {inline(*[f'{eta} = {virtual} {w}'] * 2)}:", lines)
        )
        if s.distribution.test is not None:
            return [*steps, self._tested(latex)]
        momentum = ops.matvec(basis.T, self.p)
        collected = []
        for coordinate, part in self.coordinates.items():
            name = self._vector(d.momentum_name(coordinate), latex, size=part.stop - part.start)
            value = write(momentum[part])
            collected += [f"{name}{is_}{value}"] * (name != value)
            collected.append(f"{self._d(name, latex)}{is_}{write(self.projected[part])}")
        letter = self._shown(self.letters["p"], latex)
        P = inline(f"{B}ᵀ{letter}", rf"{B}^{{\mathsf T}} {letter}")
        title = f"So the momenta of D are {P}, and they move by what is left"
        if any(e.free_symbols & {*s.a, *s.z, s.t} for e in basis.flat):
            title += f", with {inline(f'd{B}', rf'{chr(92)}mathrm{{d}}{B}')} from the motion of what D depends on"
        return [*steps, Step(f"{title}:", tuple(collected))]

    def _tested(self, latex: bool) -> Step:
        """B_Vᵀdp = B_Vᵀf: what is left of the balance where variations are not those of D."""
        assert self.setting.distribution is not None
        write, is_ = self._writer(latex=latex), " &= " if latex else " = "
        test = self.setting.distribution.test.T
        left, right = (ops.matvec(test, x) for x in (self.dp, self.by_parts))
        rows = [slice(None)] if len(left) == 3 and self._is_vector(left) and self._is_vector(right) else [
            slice(j, j + 1) for j in range(len(left))
        ]  # fmt: skip
        return Step(
            "So the momenta move by what is left:", tuple(f"{write(left[r])}{is_}{write(right[r])}" for r in rows)
        )

    def _is_vector(self, rows: np.ndarray) -> bool:
        return recognise([sp.expand(e) for e in rows], self._letters, {}, self._axes) is not None

    def __str__(self) -> str:
        return "\n\n".join([*map(str, self.steps()), *self._legend(latex=False)])

    def latex(self) -> str:
        """The steps in LaTeX: sentences, and ``align*`` environments."""
        return "\n\n".join([*(step.latex() for step in self.steps(latex=True)), *self._legend(latex=True)])

    def _legend(self, *, latex: bool) -> list[str]:
        """What no line defines: what is advected, parameters by their names in code, axes."""
        s = self.setting
        assert s.distribution is not None
        shown = [*np.ravel(s.distribution.basis), *self.by_parts, *self.projected, *(e for f in s.fields for e in f)]
        shown += [] if self.rolling is None else [*self.rolling.contact]
        used = set().union(*(sp.sympify(e).free_symbols for e in shown))
        advected = [self._vector(name, latex) for name in s.definition.advected]
        parameters = []
        for name, array in self.system.parameter_symbols.items():
            if used.intersection(array.flat):
                stem = self.system.parameters()[name].symbol or name
                shown_name = self.names.symbol(stem) if array.ndim == 0 else self.names.stem(stem)
                text = latex_name(shown_name, bold=array.ndim == 1) if latex else unicode_name(shown_name)
                parameters.append(f"${text}$ ({name})".replace("_", chr(92) + "_") if latex else f"{text} ({name})")
        parts = [f"advected {', '.join(f'${x}$' if latex else x for x in advected)}"] * bool(advected)
        parts += [f"parameters {', '.join(parameters)}"] * bool(parameters)
        return ["; ".join(parts)] if parts else []

    @staticmethod
    def _d(name: str, latex: bool) -> str:
        return (r"\mathrm{d}" if latex else "d") + name

    def _shown(self, name: str, latex: bool, *, vector: bool = False) -> str:
        """A name that the derivation gave."""
        for prefix, letter in (("~p_", "p"), ("~dp_", "p"), ("~eta_", "eta"), ("~deta_", "eta")):
            if name.startswith(prefix):
                mark = "d" if prefix in ("~dp_", "~deta_") else ""
                name = f"~{mark}{self.letters[letter]}_{name.removeprefix(prefix)}"
        if re.match(r"~w(_|\d|$)", name):
            name = f"~{self.letters['w']}{name[2:]}"
        return latex_name(name, bold=vector) if latex else unicode_name(name)

    def _vector(self, name: str, latex: bool, size: int = 0) -> str:
        """The name of a block, a momentum or what is advected."""
        d = self.setting.definition
        part = {**d.group.blocks, **d.advected_layout}.get(name)
        size = size or (1 if part is None else part.stop - part.start)
        shown = self.names.symbol(name) if size == 1 else self.names.stem(name)
        return latex_name(shown, bold=size > 1) if latex else unicode_name(shown)

    def _amplitudes(self, latex: bool) -> list[str]:
        """What formal amplitudes are, which are not varied."""
        s, write, lines = self.setting, self._writer(latex=latex), []
        names, values = s.formal
        for i, part in enumerate(s.amplitudes, 1):
            shown = [self._plain[x][latex] for x in names[part]]
            name, rows = f"{self.letters['xi']}{i}", list(values[part])
            if len(rows) == 3:
                shown, groups = [latex_name(name, bold=True) if latex else unicode_name(name)], [rows]
            else:
                groups = [[e] for e in rows]
            lines += [f"{x}{' &= ' if latex else ' = '}{write(e)}" for x, e in zip(shown, groups, strict=True)]
        return lines

    def _moved_fields(self, delta_a: Mapping[str, np.ndarray], latex: bool) -> list[str]:
        """How noise fields that depend on what is advected are varied."""
        s, lines, write = self.setting, [], self._writer(latex=latex)
        change, varied = [x for part in delta_a.values() for x in part], list(s.a)
        if self.rolling is not None:
            change, varied = [*change, *self.rolling.delta], [*varied, *self.rolling.s]
        for i, field in enumerate(s.fields, 1):
            delta = [sp.Add(*(sp.diff(e, a) * x for a, x in zip(varied, change, strict=True))) for e in field]
            N = self._shown(f"{self.letters['N']}{i}", latex)
            for name, part in s.definition.group.blocks.items():
                if not any(delta[part]):
                    continue
                block, value = self._vector(name, latex), write(delta[part])
                if latex:
                    moved = rf"\delta {N}\circ\mathrm{{d}}W^{{{i}}},\quad \delta {N} = {value}"
                    lines.append(rf"\delta ({block}\,\mathrm{{d}}t) &\text{{ also }} - {moved}")
                else:
                    lines.append(f"δ({block} dt) also − δ{N}∘dW{str(i).translate(SUPERSCRIPT)}, δ{N} = {value}")
        return lines

    def _surface(self, latex: bool) -> list[str]:
        """s, and how it varies."""
        assert self.rolling is not None
        page, s = self._page(latex=latex), self.letters["s"]
        name, bold = self._vector(self.rolling.name, latex), self._shown(s, latex, vector=True)
        contact = [
            f"{self._shown(f'{s}{i + 1}', latex)} = {page.scalar(e)}" for i, e in enumerate(self.rolling.contact)
        ]
        if latex:
            return [rf"\delta {bold} &= {bold}'\,\delta {name},\quad {bold}' = \partial {bold}/\partial {name}",
                    *(line.replace(" = ", " &= ", 1) for line in contact)]  # fmt: skip
        return [
            f"the contact vector {bold}({name}): δ{bold} = {bold}′ δ{name}, {bold}′ = ∂{bold}/∂{name}, {', '.join(contact)}"
        ]

    @cached_property
    def _letters(self) -> dict[sp.Symbol, tuple[str, int]]:
        """Vectors of R³ by their components, and where s is a letter what comes of it."""
        found, s = self._vectors(), self.setting
        if self.rolling is None:
            return found

        def letter(name: str, latex: str, rows: np.ndarray) -> None:
            self._tex[name] = latex
            found.update((x, (name, i)) for i, x in enumerate(rows))

        def of(function: str, tex: str, rows: Sequence[sp.Expr] | np.ndarray, letters: np.ndarray) -> None:
            terms = recognise([sp.expand(e) for e in rows], found, {}, self._axes)
            pages = [DerivationText(tex, self._tex, self._plain) for tex in (False, True)]
            text, latex = (page.rows(list(rows)) if terms is None else f"({page.sum_of(terms)})" for page in pages)
            letter(f"{function}{text}", f"{tex}{latex}", letters)

        plain, bold = (
            self._shown(self.letters["s"], False),
            self._shown(self.letters["s"], True, vector=True),
        )
        letter(plain, bold, self.rolling.s)
        letter(f"δ{plain}", rf"\delta {bold}", self.rolling.delta)
        of(f"{plain}′", f"{bold}'", self.motion.da[s.definition.advected_layout[self.rolling.name]], self.rolling.total)
        for i, field in enumerate(s.fields):
            torque = self.rolling.torque(field, self.p)
            of(f"{plain}′ᵀ", rf"{{{bold}'}}^{{\mathsf T}}", torque, self.rolling.slope(i))
        return found

    def _vectors(self) -> dict[sp.Symbol, tuple[str, int]]:
        """Vectors of R³ by their components."""
        d = self.setting.definition
        found: dict[sp.Symbol, tuple[str, int]] = {}
        self._tex: dict[str, str] = {axis: latex_name(axis, bold=True) for axis in AXES}
        self._axes = () if any(unicode_name(axis) in self.names.taken for axis in AXES) else AXES
        self._tex |= {unicode_name(axis): latex_name(axis, bold=True) for axis in AXES}

        def letter(text: str, latex: str, rows: Sequence[sp.Symbol] | np.ndarray) -> None:
            if len(rows) == 3:
                self._tex[text] = latex
                found.update((x, (text, i)) for i, x in enumerate(rows))

        def staged(name: str, rows: np.ndarray) -> None:
            letter(self._shown(name, False), self._shown(name, True, vector=True), rows)

        for name, part in d.group.blocks.items():
            for rows, prefix in (
                (self.p, "p_"),
                (self.dp, "dp_"),
                (self.v, "v_"),
                (self.eta, "eta_"),
                (self.deta, "deta_"),
            ):
                staged(f"~{prefix}{name}", rows[part])
            letter(self._vector(name, False), self._vector(name, True), self.setting.xi[part])
        for name, part in d.advected_layout.items():
            vector = slice(part.start, part.start + 3) if is_point(d.advected[name]) else part
            text, latex = self._vector(name, False), self._vector(name, True)
            letter(text, latex, self.setting.a[vector])
            letter(f"∂l/∂{text}", rf"\frac{{\partial l}}{{\partial {latex}}}", self.slope[vector])
        for name, part in self.coordinates.items():
            staged(f"~w_{name}" if len(self.coordinates) > 1 else "~w", self.w[part])
        for i, part in enumerate(self.setting.amplitudes, 1):
            name = f"{self.letters['xi']}{i}"
            letter(unicode_name(name), latex_name(name, bold=True), self.setting.formal[0][part])
        for name, array in self.system.parameter_symbols.items():
            stem = self.system.parameters()[name].symbol or name
            if array.shape == (3,) and not self.system.parameters()[name].symmetric:
                shown = self.names.stem(stem)
                letter(unicode_name(shown), latex_name(shown, bold=True), list(array))
            elif array.ndim == 2 and array.shape[1] == 3:
                for i, row in enumerate(array, 1):
                    shown = self.names.stem(f"{stem}{i}")
                    letter(unicode_name(shown), latex_name(shown, bold=True), list(row))
        return found

    @cached_property
    def _plain(self) -> dict[sp.Symbol, tuple[str, str]]:
        """Names of all symbols in text and LaTeX, where no vector notation applies."""
        found, letters = _Shown(self.names, self.letters["xi"]), self.letters
        for rows, prefix in ((self.p, letters["p"]), (self.dp, f"d{letters['p']}"), (self.v, "v"), (self.eta, letters["eta"]),
                             (self.deta, f"d{letters['eta']}")):  # fmt: skip
            for x in rows:
                code = f"~{prefix}_{x.name.split('_', 1)[1]}"
                found[x] = unicode_name(code), latex_name(code)
        for name, part in self.setting.definition.advected_layout.items():
            for x, y in zip(self.slope[part], symbols.vector(name, part.stop - part.start), strict=True):
                shown = self.names.symbol(y.name)
                found[x] = f"∂l/∂{unicode_name(shown)}", rf"\frac{{\partial l}}{{\partial {latex_name(shown)}}}"
        found |= {x: (self._shown(x.name, False), self._shown(x.name, True)) for x in self.w}
        return found

    def _page(self, *, latex: bool) -> DerivationText:
        letters = self._letters
        assert letters is not None
        return DerivationText(latex, self._tex, self._plain)

    def _writer(self, *, latex: bool) -> Callable[[Sequence[sp.Expr] | np.ndarray], str]:
        """Writes three components, or one, in vector notation; others in brackets."""
        page = self._page(latex=latex)

        def write(components: Sequence[sp.Expr] | np.ndarray) -> str:
            rows = [sp.expand(sp.sympify(e).xreplace(self.setting.constants)) for e in components]
            terms = None
            if len(rows) in (1, 3):
                terms = recognise(rows, self._letters, {}, self._axes)
            return page.rows(rows) if terms is None else page.sum_of(terms)

        return write


class _Shown(dict[sp.Symbol, tuple[str, str]]):
    """Names of symbols in text and LaTeX."""

    def __init__(self, names: Names, amplitude: str):
        super().__init__()
        self.names, self.amplitude = names, amplitude

    def __missing__(self, x: sp.Symbol) -> tuple[str, str]:
        shown = f"{self.amplitude}{x.name[3:]}" if x.name.startswith("~xi") else self.names.symbol(x.name)
        return unicode_name(shown), latex_name(shown)

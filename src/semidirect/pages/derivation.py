"""The derivation of the equations of a system to read: variations, integration by parts, collected terms."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, final

import numpy as np
import sympy as sp

from semidirect.core import ops, symbols
from semidirect.core.blocks import layout
from semidirect.core.display import Read
from semidirect.core.errors import DefinitionError
from semidirect.equations.derive import lettered_setting
from semidirect.equations.kinematics import ProgramBuilder, SymbolicDefinition
from semidirect.equations.lagrange_dalembert import LagrangeDAlembert
from semidirect.equations.letters import Letter, Slope
from semidirect.equations.motion import TransportKinematics
from semidirect.equations.program import Let
from semidirect.equations.replacement import replaced
from semidirect.pages.derivation_text import DerivationText
from semidirect.pages.line_breaks import aligned
from semidirect.pages.names import Names
from semidirect.pages.notation import SUPERSCRIPT, latex_name, unicode_name
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
        self.setting: SymbolicDefinition = lettered_setting(system)
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
        self.shown = {letter.name: self.names.free(letter.name) for letter in self.setting.letters}
        self.letters = self._free_letters()

    def __reduce__(self) -> tuple[Any, ...]:
        return Derivation, (self.system,)

    @cached_property
    def motion(self) -> TransportKinematics:
        """The motion with symbols for momenta, transport and ∂l/∂a."""
        s, d = self.setting, self.setting.definition
        assert s.distribution is not None
        da = [e for name, part in d.advected_layout.items()
              for e in -d.advected[name].representation.action(self.v, s.a[part])]  # fmt: skip
        rates, slope = (s.dt, *s.dW), self.slope
        if s.dissipation is not None:
            moved = [e for name, part in d.advected_layout.items()
                     for e in d.advected[name].representation.action(s.xi, s.a[part])]  # fmt: skip
            slope = slope + s.dissipation[1] * np.array(moved, dtype=object)
        force = np.array([sp.Add(*(f[j] * r for f, r in zip(s.forces, rates, strict=True))) for j in range(len(s.xi))])
        dz = np.array([sp.Add(*(c[j] * r for c, r in zip(s.internal, rates, strict=True))) for j in range(len(s.z))])
        moving, changes = dict(zip((*s.a, *s.z, s.t), (*da, *dz, s.dt), strict=True)), []
        for letter in s.letters:
            changes.append(self._named("total", letter) if _is_phrased(letter) else letter.change(moving))
            moving |= dict(zip(letter.symbols, changes[-1], strict=True))
        motion = TransportKinematics(
            s, ProgramBuilder(), s.xi, self.p, self.v, np.array(da, dtype=object), dz, force, slope,
            s.fields, s.distribution.basis, None, tuple(0 * letter.symbols for letter in s.letters), tuple(changes),
        )  # fmt: skip
        return TransportKinematics(**{**motion.__dict__, "dB": motion.along(s.distribution.basis)})

    @cached_property
    def integrand(self) -> sp.Expr:
        """⟨p, δ(ξ dt)⟩ + ⟨∂l/∂a, δa⟩ dt + ⟨F, η⟩."""
        found = LagrangeDAlembert().integrand(self.motion, self.eta, self.deta)
        for letter in self.setting.letters:
            kappa = self.motion.kappa(letter.symbols, 0 * letter.symbols)
            found = found + ops.dot(kappa, [self._variations[x] for x in letter.symbols])
        return sp.expand(found)

    @property
    def by_parts(self) -> np.ndarray:
        """What dp is, for free variations."""
        return self._balance[0]

    @property
    def projected(self) -> np.ndarray:
        """What d(Bᵀp) is."""
        found = self._balance[1]
        assert found is not None
        return found

    @cached_property
    def _balance(self) -> tuple[np.ndarray, np.ndarray | None]:
        """What dp and what d(Bᵀp) are; products with ∂s/∂x that no vectors stand for are put in."""
        found = LagrangeDAlembert().balance(self.motion)
        rules: dict[sp.Symbol, sp.Expr] = {}
        for statement in self.motion.stages.statements:
            letter = next(
                (x for x in self.setting.letters if statement.names[0].name.startswith(f"~pulled∂{x.stem[1:]}/")), None
            )
            if isinstance(statement, Let) and (letter is None or not _is_phrased(letter)):
                rules |= {x: e.xreplace(rules) for x, e in zip(statement.names, statement.expressions, strict=True)}
        f, projected = (replaced(x, rules) for x in (found.f, found.projected))
        return f, projected

    @cached_property
    def _spelled(self) -> dict[sp.Symbol, sp.Expr]:
        """Changes and variations of letters, and what they bring, by the components of ∂s/∂x, where no vectors apply."""
        s, found = self.setting, dict[sp.Symbol, sp.Expr]()
        moving = dict(zip((*s.a, *s.z, s.t), (*self.motion.da, *self.motion.dz, s.dt), strict=True))
        varied = dict(self._variations)
        for letter in s.letters:
            for what, rates in (("total", moving), ("variation", varied)):
                change = letter.change(rates)
                found |= dict(zip(self._named(what, letter), change, strict=True))
                rates |= dict(zip(letter.symbols, change, strict=True))
        _ = self._balance
        for statement in self.motion.stages.statements:
            assert isinstance(statement, Let)
            found |= {x: e.xreplace(found) for x, e in zip(statement.names, statement.expressions, strict=True)}
        return found

    @staticmethod
    def _named(what: str, letter: Letter) -> np.ndarray:
        return symbols.staged(f"{what}_{letter.name}", len(letter.symbols))

    @cached_property
    def _variations(self) -> dict[sp.Symbol, sp.Expr]:
        """δa and the δs of the letters, by symbols."""
        s, d = self.setting, self.setting.definition
        delta = [-e for name, part in d.advected_layout.items()
                 for e in d.advected[name].representation.action(self.eta, s.a[part])]  # fmt: skip
        found = dict(zip(s.a, delta, strict=True))
        for letter in s.letters:
            rows = self._named("variation", letter) if _is_phrased(letter) else letter.change(found)
            found |= dict(zip(letter.symbols, rows, strict=True))
        return found

    def _free_letters(self) -> dict[str, str]:
        """Letters that nothing of the system has."""
        names, d = self.names, self.setting.definition
        wanted = {
            "N": ("N", "Z"), "B": ("B", "T"), "w": ("w", "y", "q"), "eta": ("eta", "zeta", "epsilon", "psi"),
            "xi": ("xi", "sigma", "zeta", "amplitude"), "configuration": ("s", "g", "h", "q", "k"),
        }  # fmt: skip
        found = {k: names.free(*candidates) for k, candidates in wanted.items()}
        alike = {unicode_name(f"~p_{b}") for b in d.group.blocks} | {unicode_name(x.name) for x in self.p}
        named = {unicode_name(d.momentum_name(k)) for k in d.constraint.coordinates(d.group)} & alike
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
            rows = delta_a[name][: 3 if d.advected[name].is_point else None]
            varied.append(f"{delta}{self._vector(name, latex)}{is_}{write(rows)}")
        varied += self._surface(latex)
        moved = [*self._amplitudes(latex), *self._moved_fields(latex)]

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
        moving = {*s.a, *s.z, s.t, *(x for letter in s.letters for x in letter.symbols)}
        if any(e.free_symbols & moving for e in basis.flat):
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

    def described(self) -> dict[str, Any]:
        """The steps in JSON's types."""
        return {"derivation": [{"title": step.title, "lines": list(step.lines)} for step in self.steps()]}

    def __repr__(self) -> str:
        return f"Derivation({type(self.system).__name__})"

    def __str__(self) -> str:
        return "\n\n".join([*map(str, self.steps()), *self._legend(latex=False)])

    def _repr_markdown_(self) -> str:
        return self.latex()

    def latex(self) -> str:
        """The steps in LaTeX: sentences, and ``align*`` environments."""
        return "\n\n".join([*(step.latex() for step in self.steps(latex=True)), *self._legend(latex=True)])

    def _legend(self, *, latex: bool) -> list[str]:
        """What no line defines: what is advected, parameters by their names in code, axes."""
        s = self.setting
        assert s.distribution is not None
        shown = [*np.ravel(s.distribution.basis), *self.by_parts, *self.projected, *(e for f in s.fields for e in f)]
        shown += [e for letter in s.letters for e in letter.expressions]
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

    def _moved_fields(self, latex: bool) -> list[str]:
        """How noise fields that depend on what is advected are varied."""
        s, lines, write = self.setting, [], self._writer(latex=latex)
        for i, field in enumerate(s.fields, 1):
            delta = [sp.Add(*(sp.diff(e, a) * x for a, x in self._variations.items())) for e in field]
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
        """The letters, and how they vary."""
        lines, write, is_ = [], self._writer(latex=latex), " &= " if latex else " = "
        for letter in self.setting.letters:
            shown, size = self.shown[letter.name], len(letter.symbols)
            rows, name = list(letter.expressions), self._shown(shown, latex, vector=size > 1)
            if size == 3 and not self._is_vector(letter.expressions):
                lines += [f"{self._shown(f'{shown}{i + 1}', latex)}{is_}{write([e])}" for i, e in enumerate(rows)]
            else:
                lines.append(f"{name}{is_}{write(rows)}")
            d = r"\delta " if latex else "δ"
            parts = []
            for slope in letter.slopes:
                if slope.argument != "t" and slope.argument not in self.setting.definition.internal_layout:
                    sign = r"\," if latex else " "
                    sign = (r"\cdot " if latex else "·") if size == 1 and len(slope.along) > 1 else sign
                    parts.append(f"{self._ratio(letter, slope, latex)}{sign}{d}{self._argument(slope, latex)}")
            lines.append(f"{d}{name}{is_}{' + '.join(parts) or '0'}")
        return lines

    def _argument(self, slope: Slope, latex: bool) -> str:
        """The name of what a letter depends on."""
        letter = next((x for x in self.setting.letters if x.stem == slope.argument), None)
        if letter is None:
            return self._vector(slope.argument, latex, size=0 if slope.argument != "t" else 1)
        return self._shown(self.shown[letter.name], latex, vector=len(letter.symbols) > 1)

    def _ratio(self, letter: Letter, slope: Slope, latex: bool) -> str:
        """∂s/∂x."""
        name, argument = (
            self._shown(self.shown[letter.name], latex, vector=len(letter.symbols) > 1),
            self._argument(slope, latex),
        )
        return rf"\frac{{\partial {name}}}{{\partial {argument}}}" if latex else f"∂{name}/∂{argument}"

    @cached_property
    def _letters(self) -> dict[sp.Symbol, tuple[str, int]]:
        """Vectors of R³ by their components, and what stands for products with ∂s/∂x."""
        found, s = self._vectors(), self.setting
        letters, bracketed = [letter for letter in s.letters if _is_phrased(letter)], set[str]()

        def letter_of(name: str, latex: str, rows: Sequence[sp.Symbol] | np.ndarray) -> None:
            self._tex[name] = latex
            found.update((x, (name, i)) for i, x in enumerate(rows))

        def written(rows: Sequence[sp.Expr] | np.ndarray, latex: bool) -> str:
            terms, page = recognise([sp.expand(e) for e in rows], found, {}, self._axes), self._text(latex)
            text = page.rows(list(rows)) if terms is None else page.sum_of(terms)
            return text if terms is None or text in bracketed else f"({text})"

        for one in s.letters:
            for slope in one.slopes:
                if slope.is_symbol and slope.entries.size == 3:  # of a number, or by a number
                    letter_of(self._ratio(one, slope, False), self._ratio(one, slope, True), slope.entries.ravel())
        for one in letters:
            plain, bold = (self._shown(self.shown[one.name], latex, vector=latex) for latex in (False, True))
            letter_of(plain, bold, one.symbols)
            letter_of(f"δ{plain}", rf"\delta {bold}", self._named("variation", one))
        for one, total in zip(s.letters, self.motion.changes, strict=True):
            if one in letters:
                texts = [" + ".join(f"{self._ratio(one, x, latex)}{written(self._rates(x), latex)}" for x in one.slopes)
                         for latex in (False, True)]  # fmt: skip
                text, tex = (f"({x})" if len(one.slopes) > 1 else x for x in texts)
                bracketed |= {text, tex} if len(one.slopes) > 1 else set()
                letter_of(text, tex, total)
        _ = self._balance
        kappa: dict[sp.Symbol, sp.Expr] = {}
        slopes = {f"~pulled{x.stem[1:]}": (one, x) for one in letters for x in one.slopes}
        for statement in self.motion.stages.statements:
            assert isinstance(statement, Let)
            stem = re.sub(r"\d+$", "", statement.names[0].name)
            if stem in slopes:
                ratios = [self._ratio(*slopes[stem], latex) for latex in (False, True)]
                factor = [sp.diff(statement.expressions[0], x).xreplace(kappa) for x in slopes[stem][1].entries[:, 0]]
                text, tex = (written(factor, latex) for latex in (False, True))
                letter_of(f"({ratios[0]})ᵀ{text}", rf"\left({ratios[1]}\right)^{{\mathsf T}}{tex}", statement.names)
            else:
                kappa |= dict(zip(statement.names, statement.expressions, strict=True))
        return found

    def _rates(self, slope: Slope) -> list[sp.Expr]:
        """How the argument of a letter moves."""
        s, moving = self.setting, self.motion
        rates = dict(zip((*s.a, *s.z, s.t), (*moving.da, *moving.dz, s.dt), strict=True))
        for letter, change in zip(s.letters, moving.changes, strict=True):
            rates |= dict(zip(letter.symbols, change, strict=True))
        return [sp.sympify(rates[x]).xreplace(s.constants) for x in slope.along]

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
            vector = slice(part.start, part.start + 3) if d.advected[name].is_point else part
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
        for letter in self.setting.letters:
            printed = symbols.vector(self.shown[letter.name], len(letter.symbols))
            found |= {
                x: (self._shown(y.name, False), self._shown(y.name, True))
                for x, y in zip(letter.symbols, printed, strict=True)
            }
            for slope in letter.slopes:
                for (i, j), x in np.ndenumerate(slope.entries):
                    if slope.is_symbol:
                        above, below = found[letter.symbols[i]], found[slope.along[j]]
                        found[x] = f"∂{above[0]}/∂{below[0]}", rf"\frac{{\partial {above[1]}}}{{\partial {below[1]}}}"
        return found

    def _page(self, *, latex: bool) -> DerivationText:
        _ = self._letters  # whose names it needs
        return self._text(latex)

    def _text(self, latex: bool) -> DerivationText:
        return DerivationText(latex, self._tex, self._plain)

    def _writer(self, *, latex: bool) -> Callable[[Sequence[sp.Expr] | np.ndarray], str]:
        """Writes three components, or one, in vector notation; others in brackets."""
        page = self._page(latex=latex)

        def write(components: Sequence[sp.Expr] | np.ndarray) -> str:
            rows = [sp.expand(sp.sympify(e).xreplace(self.setting.constants)) for e in components]
            terms = None
            if len(rows) in (1, 3):
                terms = recognise(rows, self._letters, {}, self._axes)
            return page.rows([e.xreplace(self._spelled) for e in rows]) if terms is None else page.sum_of(terms)

        return write


def _is_phrased(letter: Letter) -> bool:
    """Whether a letter is a vector of R³, and its arguments are."""
    return len(letter.symbols) == 3 and all(x.is_symbol and x.entries.shape == (3, 3) for x in letter.slopes)


class _Shown(dict[sp.Symbol, tuple[str, str]]):
    """Names of symbols in text and LaTeX."""

    def __init__(self, names: Names, amplitude: str):
        super().__init__()
        self.names, self.amplitude = names, amplitude

    def __missing__(self, x: sp.Symbol) -> tuple[str, str]:
        shown = f"{self.amplitude}{x.name[3:]}" if x.name.startswith("~xi") else self.names.symbol(x.name)
        return unicode_name(shown), latex_name(shown)

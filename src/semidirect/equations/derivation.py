"""The derivation of the equations of a system to read: variations, integration by parts, collected terms."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, final

import numpy as np
import sympy as sp

from semidirect import ops
from semidirect.equations import symbols
from semidirect.equations.kinematics import Setting, Stages, setting
from semidirect.equations.lagrange_dalembert import LagrangeDAlembert
from semidirect.equations.motion import Motion
from semidirect.equations.notation import SUPERSCRIPT, readable, unicode_name
from semidirect.equations.points import is_point
from semidirect.equations.vectors import Term, recognise
from semidirect.errors import DefinitionError

if TYPE_CHECKING:
    from semidirect.system import System


@final
@dataclass(frozen=True)
class Step:
    """One step: what is done, and the equations that it gives."""

    title: str
    lines: tuple[str, ...]

    def __str__(self) -> str:
        return "\n".join([self.title, *(f"  {line}" for line in self.lines)])


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

    def __init__(self, system: System):
        self.system = system
        self.setting: Setting = setting(system.symbolic_definition())
        if self.setting.distribution is None:
            raise DefinitionError("a derivation needs a basis B of the distribution", got="covectors only")
        d = self.setting.definition
        self.p, self.v = (
            symbols.named({f"{x}{name}": part for name, part in d.group.blocks.items()}) for x in ("p_", "v_")
        )
        self.eta, self.deta = (
            symbols.named({f"{x}{name}": part for name, part in d.group.blocks.items()}) for x in ("eta_", "deta_")
        )
        self.slope = symbols.named({f"l_{name}": part for name, part in d.advected_layout.items()})
        self.w = symbols.vector("w", self.setting.distribution.basis.shape[1])
        self.dw = symbols.vector("dw", len(self.w))

    @cached_property
    def motion(self) -> Motion:
        """The motion with letters for momenta, transport and slopes."""
        s, d = self.setting, self.setting.definition
        assert s.distribution is not None
        da = [e for name, part in d.advected_layout.items()
              for e in -d.advected[name].representation.action(self.v, s.a[part])]  # fmt: skip
        rates = (s.dt, *s.dW)
        force = np.array([sp.Add(*(f[j] * r for f, r in zip(s.forces, rates, strict=True))) for j in range(len(s.xi))])
        moved = Motion(
            s, Stages(), s.xi, self.p, self.v, np.array(da, dtype=object), np.full(len(s.z), sp.Integer(0)), force, self.slope,
            s.fields, s.distribution.basis, None,
        )  # fmt: skip
        return Motion(**{**moved.__dict__, "dB": moved.along(s.distribution.basis)})

    @cached_property
    def integrand(self) -> sp.Expr:
        """⟨p, δ(ξ dt)⟩ + ⟨∂l/∂a, δa⟩ dt + ⟨F, η⟩."""
        return sp.expand(LagrangeDAlembert().integrand(self.motion, self.eta, self.deta))

    @cached_property
    def by_parts(self) -> np.ndarray:
        """What dp is, for free variations."""
        return np.array([sp.diff(self.integrand, x) for x in self.eta], dtype=object)

    @cached_property
    def projected(self) -> np.ndarray:
        """What d(Bᵀp) is."""
        found = LagrangeDAlembert().balance(self.motion).projected
        assert found is not None
        return found

    def steps(self) -> list[Step]:
        """The steps, each of lines in vector notation where the blocks are vectors of R³."""
        s, d, write = self.setting, self.setting.definition, self._write
        assert s.distribution is not None
        basis, blocks, n = s.distribution.basis, d.group.blocks, len(self.eta)
        bracket = d.group.bracket(self.v, self.eta)
        varied = [f"δ({_name(b)} dt) = dη_{_name(b)}" + _plus(write(bracket[part])) for b, part in blocks.items()]
        delta_a = {}
        for name, part in d.advected_layout.items():
            delta_a[name] = -d.advected[name].representation.action(self.eta, s.a[part])
            varied.append(f"δ{_name(name)} = {write(delta_a[name][: 3 if is_point(d.advected[name]) else None])}")
        moved = self._moved_fields(delta_a)
        steps = [
            Step("Vary the configuration, δs = s η, so that ξ̃ = s⁻¹ds changes by dη + [ξ̃, η]:", tuple(varied + moved))
        ]
        steps.append(Step("Put that into δ∫l dt, with p = ∂l/∂ξ:", (f"∫ {write([self.integrand])}",)))
        lines = tuple(
            f"dp_{_name(b)} = {write(self.by_parts[part])}    against η_{_name(b)}" for b, part in blocks.items()
        )
        steps.append(Step("Integrate dη by parts and collect what stands with η:", lines))
        if basis.shape[1] == n and all(basis[i, j] == int(i == j) for i in range(n) for j in range(n)):
            return [*steps, Step("Every η is admissible: these are the equations.", ())]
        admissible = ops.matvec(basis, self.w)
        lines = tuple(f"η_{_name(b)} = {write(admissible[part])}" for b, part in blocks.items())
        steps.append(Step("Only η in D are admissible, η = B w:", lines))
        momentum = ops.matvec(basis.T, self.p)
        names = d.constraint.coordinates(d.group)
        start, collected = 0, []
        for coordinate, size in names.items():
            part = slice(start, start + size)
            start += size
            name = _name(d.momentum_name(coordinate))
            value = write(momentum[part])
            collected += [f"{name} = {value}"] * (name != value) + [f"d{name} = {write(self.projected[part])}"]
        return [
            *steps,
            Step(
                "So the momenta of D are Bᵀp, and they move by what is left, with dB from da = −ρ(ξ̃)a:",
                tuple(collected),
            ),
        ]

    def __str__(self) -> str:
        return "\n\n".join(map(str, self.steps()))

    def _moved_fields(self, delta_a: Mapping[str, np.ndarray]) -> list[str]:
        """How noise fields that depend on what is advected are varied."""
        s, lines = self.setting, []
        change = [x for part in delta_a.values() for x in part]
        for i, field in enumerate(s.fields, 1):
            delta = [sp.Add(*(sp.diff(e, a) * x for a, x in zip(s.a, change, strict=True))) for e in field]
            for name, part in s.definition.group.blocks.items():
                if any(delta[part]):
                    label = f"N{'₀₁₂₃₄₅₆₇₈₉'[i]}" if i < 10 else f"N_{i}"
                    lines.append(f"δ({_name(name)} dt) also − δ{label}∘dW{'⁰¹²³⁴⁵⁶⁷⁸⁹'[i] if i < 10 else i}, "
                                 f"δ{label} = {self._write(delta[part])}")  # fmt: skip
        return lines

    @cached_property
    def _letters(self) -> dict[sp.Symbol, tuple[str, int]]:
        """Vectors of R³ by their components."""
        d = self.setting.definition
        found: dict[sp.Symbol, tuple[str, int]] = {}

        def letter(name: str, rows: Sequence[sp.Symbol] | np.ndarray) -> None:
            if len(rows) == 3:
                found.update((x, (name, i)) for i, x in enumerate(rows))

        for name, part in d.group.blocks.items():
            plain = _name(name)
            for rows, text in (
                (self.p, f"p_{plain}"),
                (self.v, f"{plain}̃"),
                (self.eta, f"η_{plain}"),
                (self.deta, f"dη_{plain}"),
            ):
                letter(text, rows[part])
            letter(plain, self.setting.xi[part])
        for name, part in d.advected_layout.items():
            vector = slice(part.start, part.start + 3) if is_point(d.advected[name]) else part
            letter(_name(name), self.setting.a[vector])
            letter(f"∂l/∂{_name(name)}", self.slope[vector])
        letter("w", self.w)
        letter("dw", self.dw)
        for name, array in self.system._symbolic.items():
            shown = _name(self.system.parameters()[name].symbol or name)
            if array.shape == (3,) and not _moments(self.system, name):
                letter(shown, list(array))
            elif array.ndim == 2 and array.shape[1] == 3:
                for i, row in enumerate(array, 1):
                    letter(f"{shown}{'₀₁₂₃₄₅₆₇₈₉'[i] if i < 10 else i}", list(row))
        return found

    @cached_property
    def _plain(self) -> dict[sp.Symbol, sp.Symbol]:
        """Names of variations and slopes where no vector notation applies."""
        d = self.setting.definition
        found: dict[sp.Symbol, sp.Symbol] = {}
        for rows, prefix, layout in (
            (self.eta, "η_", d.group.blocks), (self.deta, "dη_", d.group.blocks), (self.slope, "∂l/∂", d.advected_layout),
        ):  # fmt: skip
            for name, part in layout.items():
                plain = symbols.vector(name, part.stop - part.start)
                found |= {x: sp.Symbol(prefix + _name(y.name)) for x, y in zip(rows[part], plain, strict=True)}
        return found

    def _write(self, components: Sequence[sp.Expr] | np.ndarray) -> str:
        """Three components, or one, in vector notation; others in brackets."""
        named = {x: y for x, y in self._plain.items() if x not in self._letters}
        rows = [sp.expand(e).xreplace(named) for e in components]
        terms = recognise(rows, self._letters, {}) if len(rows) in (1, 3) else None
        if terms is None:
            text = ", ".join(readable(e.xreplace(self._plain), latex=False) for e in rows)
            return text if len(rows) == 1 else f"({text})"
        return _sum(terms)


def _moments(system: System, name: str) -> bool:
    """Whether a parameter is an inertia, no vector."""
    return system.parameters()[name].symmetric


def _name(name: str) -> str:
    return unicode_name(name)


def _plus(text: str) -> str:
    return "" if text == "0" else f" − {text[1:]}" if text.startswith("−") else f" + {text}"


def _sum(terms: Sequence[Term]) -> str:
    """Terms with their signs."""
    out = ""
    for term in sorted(terms, key=lambda t: bool(t.coefficient < 0)):
        text = _product(abs(term.coefficient), term.scalar, term.shape)
        sign = "−" if term.coefficient < 0 else "+"
        out += f" {sign} {text}" if out else ("−" if sign == "−" else "") + text
    return out or "0"


def _product(coefficient: sp.Expr, scalar: sp.Expr, shape: object) -> str:
    """Numbers first, dt or ∘dW last."""
    rates = [x for x in sp.Mul.make_args(scalar) if x.is_Symbol and re.fullmatch(r"dt|dW\d+", x.name)]
    rest = scalar / sp.Mul(*rates)
    vectors = [] if shape == 1 else [f"({_shape(shape)})" if rates and isinstance(shape, tuple) else _shape(shape)]
    factors = [readable(x, latex=False) for x in (coefficient, rest) if x != 1]
    ends = ["dt" if x.name == "dt" else f"∘dW{x.name[2:].translate(SUPERSCRIPT)}" for x in rates]
    return " ".join([*factors, *vectors, *ends]) or "1"


def _shape(shape: object) -> str:
    """A product of vectors: ``a × b`` and ``a·b`` in brackets where they meet others."""
    if isinstance(shape, str) or shape == 1:
        return str(shape)
    assert isinstance(shape, tuple)
    kind, first, second, *rest = shape
    a, b = (_shape(x) if isinstance(x, str) else f"({_shape(x)})" for x in (first, second))
    if kind == "x":
        return f"{a} × {b}"
    if not rest:
        return f"{a}·{b}"
    other = _shape(rest[0])
    return f"({a}·{b}) {f'({other})' if isinstance(rest[0], tuple) else other}"

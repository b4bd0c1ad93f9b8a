"""The derivation of the equations of a system to read: variations, integration by parts, collected terms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, final

import numpy as np
import sympy as sp

from semidirect.core import ops, symbols
from semidirect.core.errors import DefinitionError
from semidirect.equations.kinematics import Setting, Stages, setting
from semidirect.equations.lagrange_dalembert import LagrangeDAlembert
from semidirect.equations.motion import Motion
from semidirect.pages.contact_letter import ContactLetter, S
from semidirect.pages.derivation_text import plus, sum_of
from semidirect.pages.notation import readable, unicode_name
from semidirect.pages.points import is_point
from semidirect.pages.vectors import recognise

if TYPE_CHECKING:
    from semidirect.definition.system_definition import SystemDefinition


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

    def __init__(self, system: SystemDefinition):
        self.system = system
        self.setting: Setting = setting(system.symbolic_definition())
        self.rolling: ContactLetter | None = None
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
        rolling = ContactLetter.of(self.setting)
        if rolling is not None and recognise(list(rolling.contact), self._vectors(), {}) is None:
            self.rolling, self.setting = rolling, setting(rolling.put_into(d, 0))

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
            s, Stages(), s.xi, self.p, self.v, np.array(da, dtype=object), self._internal_change(), force, self.slope,
            s.fields, s.distribution.basis, None,
        )  # fmt: skip
        return Motion(**{**moved.__dict__, "dB": moved.along(s.distribution.basis)})

    def _internal_change(self) -> np.ndarray:
        """dz as far as B depends on it: of s, where it is a letter."""
        out = np.full(len(self.setting.z), sp.Integer(0), dtype=object)
        if self.rolling is not None:
            out[self.setting.definition.internal_layout[S]] = self.rolling.total
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

    def steps(self) -> list[Step]:
        """The steps, each of lines in vector notation where the blocks are vectors of R³."""
        s, d, write = self.setting, self.setting.definition, self._write
        assert s.distribution is not None
        basis, blocks, n = s.distribution.basis, d.group.blocks, len(self.eta)
        bracket = d.group.bracket(self.v, self.eta)
        varied = [f"δ({_name(b)} dt) = dη_{_name(b)}" + plus(write(bracket[part])) for b, part in blocks.items()]
        delta_a = {}
        for name, part in d.advected_layout.items():
            delta_a[name] = -d.advected[name].representation.action(self.eta, s.a[part])
            varied.append(f"δ{_name(name)} = {write(delta_a[name][: 3 if is_point(d.advected[name]) else None])}")
        if self.rolling is not None:
            varied += self._surface()
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
        change, varied = [x for part in delta_a.values() for x in part], list(s.a)
        if self.rolling is not None:
            change, varied = [*change, *self.rolling.delta], [*varied, *self.rolling.s]
        for i, field in enumerate(s.fields, 1):
            delta = [sp.Add(*(sp.diff(e, a) * x for a, x in zip(varied, change, strict=True))) for e in field]
            for name, part in s.definition.group.blocks.items():
                if any(delta[part]):
                    label = f"N{'₀₁₂₃₄₅₆₇₈₉'[i]}" if i < 10 else f"N_{i}"
                    lines.append(f"δ({_name(name)} dt) also − δ{label}∘dW{'⁰¹²³⁴⁵⁶⁷⁸⁹'[i] if i < 10 else i}, "
                                 f"δ{label} = {self._write(delta[part])}")  # fmt: skip
        return lines

    def _surface(self) -> list[str]:
        """s, and how it varies."""
        assert self.rolling is not None
        name = _name(self.rolling.name)
        contact = [f"s{'₁₂₃'[i]} = {readable(e, latex=False)}" for i, e in enumerate(self.rolling.contact)]
        return [f"the contact vector s({name}): δs = s′ δ{name}, s′ = ∂s/∂{name}, {', '.join(contact)}"]

    @cached_property
    def _letters(self) -> dict[sp.Symbol, tuple[str, int]]:
        """Vectors of R³ by their components, and where s is a letter what comes of it."""
        found, s = self._vectors(), self.setting
        if self.rolling is None:
            return found

        def letter(name: str, rows: np.ndarray) -> None:
            found.update((x, (name, i)) for i, x in enumerate(rows))

        def written(rows: Sequence[sp.Expr] | np.ndarray) -> str:
            terms = recognise([sp.expand(e) for e in rows], found, {})
            return f"({', '.join(map(str, rows))})" if terms is None else sum_of(terms)

        letter("s", self.rolling.s)
        letter("δs", self.rolling.delta)
        letter(f"s′({written(self.motion.da[s.definition.advected_layout[self.rolling.name]])})", self.rolling.total)
        for i, field in enumerate(s.fields):
            letter(f"s′ᵀ({written(self.rolling.torque(field, self.p))})", self.rolling.slope(i))
        return found

    def _vectors(self) -> dict[sp.Symbol, tuple[str, int]]:
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
        for name, array in self.system.parameter_symbols.items():
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
        return sum_of(terms)


def _moments(system: SystemDefinition, name: str) -> bool:
    """Whether a parameter is an inertia, no vector."""
    return system.parameters()[name].symmetric


def _name(name: str) -> str:
    return unicode_name(name)

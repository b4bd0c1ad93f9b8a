"""Momentum equations of rolling bodies, written with the contact vector s and ds instead of functions of a."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

import numpy as np
import sympy as sp

from semidirect.core import exact, ops, symbols
from semidirect.equations import letters
from semidirect.invariants.momenta.material import moved_by
from semidirect.invariants.momenta.momentum_equation import along_motion

if TYPE_CHECKING:
    from semidirect.equations import StratonovichSDE
    from semidirect.invariants.momenta.momentum_sections import MomentumSection


@final
@dataclass(frozen=True, eq=False)
class ContactForm:
    """One section (ω, ω × s) of a system whose velocities, and perhaps noises, are of that form.

    Attributes
    ----------
    sde : StratonovichSDE
    section : MomentumSection
    name : str
        The system's name of s.
    contact : array (3,)
        s as a function of (a, t, z).
    angular, linear : slice
        The blocks of ω and ω × s.
    substitution : dict
        Values that replace symbols.
    """

    sde: StratonovichSDE
    section: MomentumSection
    name: str
    contact: np.ndarray
    angular: slice
    linear: slice
    substitution: Mapping[sp.Symbol, sp.Expr]

    @classmethod
    def of(cls, sde: StratonovichSDE, section: MomentumSection, name: str, contact: Sequence[sp.Expr],
           substitution: Mapping[sp.Symbol, sp.Expr]) -> ContactForm | None:  # fmt: skip
        """The form, if the section has it."""
        blocks = [b for b in sde.definition.group.blocks.values() if b.stop - b.start == 3]
        for angular in blocks:
            for linear in blocks:
                form = cls(sde, section, name, _put(contact, substitution), angular, linear, substitution)
                if any(section.direction[linear]) and form.rolls(section.direction):
                    return form
        return None

    def rolls(self, eta: np.ndarray) -> bool:
        """Whether an element of 𝔰 is (ω, ω × s) in these blocks."""
        eta = _put(eta, self.substitution)
        return same(eta[self.linear], ops.cross(eta[self.angular], self.contact))

    @property
    def letter(self) -> str:
        """The stem of the symbols of s."""
        return letters.letter_stem(self.name)

    def change_letter(self, k: int) -> str:
        """The stem of its change along the column k."""
        return f"~d{self.letter.removeprefix('~')}@{k}"

    @property
    def s(self) -> np.ndarray:
        """Symbols of s."""
        return symbols.vector(self.letter, 3)

    def ds(self, k: int) -> np.ndarray:
        """Symbols of the change of s along the column k."""
        stem = self.change_letter(k).removesuffix(f"@{k}")
        return np.array([sp.Symbol(f"{stem}{i + 1}@{k}", real=True) for i in range(3)], dtype=object)

    def change(self, k: int) -> list[sp.Expr]:
        """The values of these symbols."""
        return self._column(along_motion(self.sde.setting, self._transport(k, self._velocity()), self.contact), k)

    def rate(self, k: int) -> sp.Expr:
        """The coefficient of dJ in the column k, see :func:`.momentum_rate`, in s and ds."""
        setting, o = self.sde.setting, self.sde.program.outputs
        transport = self._written(self._transport(k, self._velocity()))
        if k == 0:
            transport[self.angular] = np.array(o["xi"], dtype=object)[self.angular]
        eta, mu = self._written(self.section.direction), self.section.material
        change = np.array(self._column(along_motion(setting, transport, eta), k), dtype=object)
        for s, ds in zip(self.s, self.ds(k), strict=True):
            change = change + np.array([sp.diff(x, s) * ds for x in eta], dtype=object)
        change = change + setting.definition.group.bracket(transport, eta - mu)
        if k:
            change = change + self._broken(transport, mu)
        force = self._column(np.array(o["force"], dtype=object), k)
        terms = [p * x for p, x in zip(o["p"], change, strict=True)] + [f * x for f, x in zip(force, eta, strict=True)]
        return sp.expand(sp.Add(*terms).xreplace(dict(self.substitution)))

    def _velocity(self) -> np.ndarray:
        """ξ as a function of the coordinates of D."""
        d = self.sde.setting.distribution
        assert d is not None
        return ops.matvec(d.basis, np.array(self.sde.program.outputs["u"], dtype=object)) + d.offset

    def _transport(self, k: int, xi: np.ndarray) -> np.ndarray:
        return np.array(self.sde.setting.fields[k - 1] if k else xi, dtype=object)

    def _written(self, eta: np.ndarray) -> np.ndarray:
        """The element of 𝔰 with the symbols of s, if it rolls."""
        out = _put(eta, self.substitution)
        if self.rolls(out):
            out[self.linear] = ops.cross(out[self.angular], self.s)
        return out

    def _broken(self, field: np.ndarray, mu: np.ndarray) -> np.ndarray:
        """[N, μ] + (∂N/∂a) ρ(μ)a; where s turns with the body, (∂s/∂a) ρ(μ)a is μ × s."""
        setting = self.sde.setting
        rate = np.array([sp.Integer(0)] * 3, dtype=object)
        change = setting.definition.group.bracket(field, mu)
        for name, action in moved_by(setting, mu).items():
            for a, x in zip(setting.a[setting.definition.advected_layout[name]], action, strict=True):
                rate = rate + np.array([sp.diff(e, a) * x for e in self.contact], dtype=object)
                change = change + np.array([sp.diff(e, a) * x for e in field], dtype=object)
        if same(rate, ops.cross(mu[self.angular], self.contact)):
            rate = ops.cross(mu[self.angular], self.s)
        for s, x in zip(self.s, rate, strict=True):
            change = change + np.array([sp.diff(e, s) * x for e in field], dtype=object)
        return change

    def _column(self, expressions: Sequence[sp.Expr] | np.ndarray, k: int) -> list[sp.Expr]:
        setting = self.sde.setting
        at = {x: sp.Integer(int(j == k)) for j, x in enumerate((setting.dt, *setting.dW))}
        return [sp.sympify(e).xreplace(at) for e in expressions]


def _put(expressions: Sequence[sp.Expr] | np.ndarray, substitution: Mapping[sp.Symbol, sp.Expr]) -> np.ndarray:
    return exact.objects([sp.sympify(e).xreplace(dict(substitution)) for e in expressions])


def same(one: Sequence[sp.Expr] | np.ndarray, other: Sequence[sp.Expr] | np.ndarray) -> bool:
    """Whether expressions are equal, if necessary by adding fractions with roots."""
    differences = [sp.expand(a - b) for a, b in zip(one, other, strict=True)]
    return all(e == 0 or sp.radsimp(sp.together(e)) == 0 for e in differences)

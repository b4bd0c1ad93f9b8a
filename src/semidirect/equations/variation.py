"""The variation of the action of a system: varied, integrated by parts, projected, with letters for what is long."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Self, final

import numpy as np
import sympy as sp

from semidirect.core import errors, ops, symbols
from semidirect.equations import letters
from semidirect.equations.derive import lettered_setting
from semidirect.equations.kinematics import ProgramBuilder, SymbolicDefinition
from semidirect.equations.lagrange_dalembert import LagrangeDAlembert
from semidirect.equations.motion import TransportKinematics
from semidirect.equations.program import Let, Statement
from semidirect.equations.replacement import replaced
from semidirect.expressions import component_names

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition


@final
class Variation:
    """δ∫l dt + ∫⟨F, η⟩, whose terms are those that :class:`.LagrangeDAlembert` collects.

    It has letters for p = ∂l/∂ξ, for the transport ξ̃ = ξ dt + ΣN_i∘dW^i and for ∂l/∂a, or ∂h/∂a where equations come from h,
    and knows the bracket and the representation, and neither ad* nor ◇.

    Attributes
    ----------
    setting : SymbolicDefinition
        The definition in symbols, with letters.
    p, v, eta, deta, dp, slope, w : arrays of symbols
        p, ξ̃, η, dη, dp, ∂l/∂a, and w where η = Bw.
    coordinates : dict name → slice
        The coordinates of D.

    Raises
    ------
    DefinitionError
        If D is given by covectors only, so that there is no w.
    """

    def __init__(self, setting: SymbolicDefinition):
        if setting.distribution is None:
            raise errors.DefinitionError(
                "a derivation needs a basis B of the distribution", got="covectors only",
                hint="State the constraint by directions, sd.DistributionConstraint(…); equations() prints those in A form.",
            )  # fmt: skip
        d, self.setting = setting.definition, setting
        self.p, self.v, self.eta, self.deta, self.dp = (
            symbols.staged_blocks(x, d.group.blocks) for x in ("p_", "v_", "eta_", "deta_", "dp_")
        )
        self.slope = symbols.staged_blocks("l_", d.advected_layout)
        self.coordinates = component_names.layout(d.constraint.coordinates(d.group))
        size, several = setting.distribution.basis.shape[1], len(self.coordinates) > 1
        self.w = symbols.staged_blocks("w_", self.coordinates) if several else symbols.staged("w", size)

    @classmethod
    def of(cls, system: SystemDefinition) -> Self:
        """That of a system, with letters for the quantities that its definition names."""
        return cls(lettered_setting(system))

    @cached_property
    def motion(self) -> TransportKinematics:
        """The motion with symbols for momenta, transport and ∂l/∂a."""
        s, d = self.setting, self.setting.definition
        assert s.distribution is not None
        da = [e for name, part in d.advected_layout.items()
              for e in -d.advected[name].representation.action(self.v, s.a[part])]  # fmt: skip
        rates, slope = (s.dt, *s.dW), self.slope if s.hamiltonian is None else -self.slope
        if s.dissipation is not None:
            action = [e for name, part in d.advected_layout.items()
                     for e in d.advected[name].representation.action(s.xi, s.a[part])]  # fmt: skip
            slope = slope + s.dissipation[1] * np.array(action, dtype=object)
        force = np.array([sp.Add(*(f[j] * r for f, r in zip(s.forces, rates, strict=True))) for j in range(len(s.xi))])
        dz = np.array([sp.Add(*(c[j] * r for c, r in zip(s.internal, rates, strict=True))) for j in range(len(s.z))])
        moving, changes = dict(zip((*s.a, *s.z, s.t), (*da, *dz, s.dt), strict=True)), []
        for letter in s.letters:
            changes.append(
                letters.staged_letter("total", letter) if letters.of_vectors(letter) else letter.change(moving)
            )
            moving |= dict(zip(letter.symbols, changes[-1], strict=True))
        motion = TransportKinematics(
            s, ProgramBuilder(), s.xi, self.p, self.v, np.array(da, dtype=object), dz, force, slope,
            s.fields, s.distribution.basis, None, tuple(0 * letter.symbols for letter in s.letters), tuple(changes),
            tuple(None if h is None else self.at_p(h) for h in s.noise_hamiltonians),
        )  # fmt: skip
        return TransportKinematics(**{**motion.__dict__, "dB": motion.along(s.distribution.basis)})

    def at_p(self, expression: sp.Expr) -> sp.Expr:
        """A function of the momenta, at p."""
        return expression.xreplace(dict(zip(self.setting.p, self.p, strict=False)))

    @cached_property
    def integrand(self) -> sp.Expr:
        """⟨p, δ(ξ dt)⟩ + ⟨∂l/∂a, δa⟩ dt + ⟨F, η⟩."""
        total = LagrangeDAlembert().integrand(self.motion, self.eta, self.deta)
        for letter in self.setting.letters:
            kappa = self.motion.kappa(letter.symbols, 0 * letter.symbols)
            total = total + ops.dot(kappa, [self.variations[x] for x in letter.symbols])
        return sp.expand(total)

    @property
    def by_parts(self) -> np.ndarray:
        """dp for free variations."""
        return self._balance[0]

    @property
    def projected(self) -> np.ndarray:
        """d(Bᵀp)."""
        covector = self._balance[1]
        assert covector is not None
        return covector

    @cached_property
    def _balance(self) -> tuple[np.ndarray, np.ndarray | None]:
        """dp and d(Bᵀp); products with ∂s/∂x that no vectors stand for are put in."""
        balance = LagrangeDAlembert().balance(self.motion)
        rules: dict[sp.Symbol, sp.Expr] = {}
        for statement in self.motion.stages.statements:
            letter = next(
                (x for x in self.setting.letters if statement.names[0].name.startswith(f"~pulled∂{x.stem[1:]}/")), None
            )
            if isinstance(statement, Let) and (letter is None or not letters.of_vectors(letter)):
                rules |= {x: e.xreplace(rules) for x, e in zip(statement.names, statement.expressions, strict=True)}
        f, projected = (replaced(x, rules) for x in (balance.f, balance.projected))
        return f, projected

    @cached_property
    def spelled(self) -> dict[sp.Symbol, sp.Expr]:
        """Changes and variations of letters, and what they bring, by the components of ∂s/∂x, where no vectors apply."""
        s, rules = self.setting, dict[sp.Symbol, sp.Expr]()
        moving = dict(zip((*s.a, *s.z, s.t), (*self.motion.da, *self.motion.dz, s.dt), strict=True))
        varied = dict(self.variations)
        for letter in s.letters:
            for what, rates in (("total", moving), ("variation", varied)):
                change = letter.change(rates)
                rules |= dict(zip(letters.staged_letter(what, letter), change, strict=True))
                rates |= dict(zip(letter.symbols, change, strict=True))
        for statement in self.statements:
            assert isinstance(statement, Let)
            rules |= {x: e.xreplace(rules) for x, e in zip(statement.names, statement.expressions, strict=True)}
        return rules

    @cached_property
    def variations(self) -> dict[sp.Symbol, sp.Expr]:
        """δa and the δs of the letters, by symbols."""
        s, d = self.setting, self.setting.definition
        delta = [-e for name, part in d.advected_layout.items()
                 for e in d.advected[name].representation.action(self.eta, s.a[part])]  # fmt: skip
        variations = dict(zip(s.a, delta, strict=True))
        for letter in s.letters:
            rows = (
                letters.staged_letter("variation", letter) if letters.of_vectors(letter) else letter.change(variations)
            )
            variations |= dict(zip(letter.symbols, rows, strict=True))
        return variations

    @property
    def is_free(self) -> bool:
        """Whether every variation is admissible."""
        assert self.setting.distribution is not None
        basis, n = self.setting.distribution.basis, len(self.eta)
        return basis.shape[1] == n and all(basis[i, j] == int(i == j) for i in range(n) for j in range(n))

    def rates_along(self, slope: letters.Slope) -> list[sp.Expr]:
        """The rate of the argument of a letter."""
        s, moving = self.setting, self.motion
        rates = dict(zip((*s.a, *s.z, s.t), (*moving.da, *moving.dz, s.dt), strict=True))
        for letter, change in zip(s.letters, moving.changes, strict=True):
            rates |= dict(zip(letter.symbols, change, strict=True))
        return [sp.sympify(rates[x]).xreplace(s.constants) for x in slope.along]

    @property
    def statements(self) -> list[Statement]:
        """The stages that the balance needs."""
        _ = self._balance  # which writes them
        return self.motion.stages.statements

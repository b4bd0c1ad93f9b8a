"""Derived equations as array functions: what an integrator steps."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from semidirect import ops
from semidirect.errors import DefinitionError, InputError
from semidirect.groups.so3 import SO3
from semidirect.kernels.structure import Row, Structure, one_path, places, structure
from semidirect.parameters import PerPath
from semidirect.representations.coadjoint import CoadjointRepresentation

if TYPE_CHECKING:
    import sympy as sp

    from semidirect.definition import Definition
    from semidirect.equations.sde import StratonovichSDE
    from semidirect.system import System

Retraction = Literal["exp", "cayley"]


class Model:
    """A system's equations with its numbers, on a state ``y`` of shape ``(d, paths)``.

    Increments are linear in (dt, dW). A *flat* increment is ``[dy; v]``, a *frame* increment ``[v; κ; τ; dz]``: the transport
    v ∈ 𝔰, which moves s and a by the group, κ and τ, which are added to the momentum as κ ◇ a + τ, and dz. What turns the
    momentum is the moving frame of the constraint: all of 𝔰 (unconstrained), a block of it (rolling: so(3)), or nothing.
    """

    def __init__(self, system: System, equations: Structure):
        self.system, self.structure, self.group = system, equations, system.group
        self.reconstructs = True
        self.dimension, self.wieners = equations.dimension, equations.shape.wieners
        self._parameters = []
        for name, index in places(system):
            value = system.values[name]
            self._parameters.append(value.values[(slice(None), *index)] if isinstance(value, PerPath) else value[index])
        self._blocks = self._layout()

    @property
    def sde(self) -> StratonovichSDE:
        """The equations; derived now, if they were known from an earlier process."""
        return self.structure.sde

    @cached_property
    def definition(self) -> Definition:
        """The definition with the numbers of the first path."""
        return one_path(self.system)

    def reduced(self) -> Model:
        """The reduced equations alone: the configuration s is not reconstructed, and what needs it cannot be read."""
        alone = copy(self)
        alone.reconstructs = False
        return alone

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Names of the coordinates of s that are carried along."""
        return self.group.stored_names if self.reconstructs else ()

    def of_paths(self, paths: range) -> Model:
        """The model with the per-path parameters of some paths."""
        return self._part(slice(paths.start, paths.stop))

    def of_some(self, which: np.ndarray) -> Model:
        """The model with the per-path parameters of the paths with these positions."""
        return self._part(which)

    def of_path(self, path: int) -> Model:
        """The model of one path, for a state ``(d,)``."""
        return self._part(path)

    def _part(self, which: int | slice | np.ndarray) -> Model:
        if self.system.paths is None:
            return self
        part = copy(self)
        part._parameters = [p[which] if np.ndim(p) else p for p in self._parameters]
        return part

    def _layout(self) -> dict[str, slice]:
        kinds = [v.kind for v in self.structure.shape.variables for _ in v.components]
        m = sum(k in ("momentum", "velocity") for k in kinds)
        k = kinds.count("advected")
        n = self.group.dimension
        return {"P": slice(0, m), "a": slice(m, m + k), "z": slice(m + k, len(kinds)), "v": slice(0, n),
                "kappa": slice(n, n + k), "tau": slice(n + k, n + k + m), "dz": slice(n + k + m, None)}  # fmt: skip

    # -- functions -------------------------------------------------------------------------------------------------

    def _function(self, label: str, outputs: Callable[[], tuple[Any, ...]], stored: bool, keep: bool
                  ) -> Callable[..., Any]:  # fmt: skip
        def text() -> str:
            from semidirect.equations.emission import source

            (program, expressions, *more), s = outputs(), self.sde
            given = (s.setting.dt, *s.setting.dW, *(more[0] if more else ()))
            extra = tuple(s.coordinates.values()) if stored else given
            uniform = (s.setting.t, s.setting.dt, *s.definition.parameters)
            inputs = (*s.state, s.setting.t, *s.definition.parameters, *extra)
            return source(program, list(expressions), inputs, uniform=[x for x in uniform if x in inputs])

        return self.structure.function(label, text, keep=keep)

    def _rows(self, label: str, outputs: Callable[[], tuple[Any, ...]], y: np.ndarray, t: Any,
              extra: Sequence[Any], *, stored: bool = False, keep: bool = True) -> np.ndarray:  # fmt: skip
        function = self._function(label, outputs, stored, keep)
        with np.errstate(all="ignore"):
            rows = function(*y, t, *self._parameters, *extra)
        batch = np.broadcast_shapes(y.shape[1:], *(np.shape(r) for r in rows))
        out = np.empty((len(rows), *batch), dtype=float if y.dtype != object else object)
        for i, row in enumerate(rows):
            out[i] = row
        return out

    def field(self, y: np.ndarray, t: Any, dt: Any, dW: np.ndarray) -> np.ndarray:
        """The flat increment [f dt + Σ g_i dW^i; v], shape ``(d + n, paths)``."""

        def outputs() -> tuple[Any, Sequence[sp.Expr]]:
            o = self.sde.program.outputs
            return self.sde.program, (*o["state"], *o["v"])

        return self._rows("field", outputs, y, t, (dt, *dW))

    def ito_field(self, y: np.ndarray, t: Any, dt: Any, dW: np.ndarray) -> np.ndarray:
        """As :meth:`field` with the Itô correction ½ Σ (Dg_i)[g_i] in the drift."""
        return self._rows("ito", self._ito_outputs, y, t, (dt, *dW))

    def _ito_outputs(self) -> tuple[Any, Sequence[sp.Expr]]:
        o = self.sde.program.outputs
        joined, totals = self.sde.program, [*o["state"], *o["v"]]
        for i in range(1, self.wieners + 1):
            column = self.sde.column(i)
            direction = dict(zip(self.sde.state, column.outputs["state"], strict=True))
            fields = (*column.outputs["state"], *column.outputs["v"])
            second = column.with_outputs(c=fields).jvp(direction, f"'{i}")
            joined = joined.joined(second)
            half = self.sde.setting.dt / 2
            totals = [e + half * c for e, c in zip(totals, second.outputs["c"], strict=True)]
        return joined, totals

    def taylor(self, y: np.ndarray, t: Any, dt: Any, dW: np.ndarray, areas: np.ndarray | None = None) -> np.ndarray:
        """As :meth:`field` with the stochastic Taylor terms of order 1, ½ D(g dW)[g dW] and, given areas, Σ A_ij [g_i, g_j]."""
        from semidirect.equations import taylor

        if areas is None or not len(areas):
            return self._rows("taylor", lambda: taylor.milstein(self.sde), y, t, (dt, *dW))
        return self._rows("taylor with areas", lambda: taylor.milstein_with_areas(self.sde), y, t, (dt, *dW, *areas))

    def flat_column(self, k: int, y: np.ndarray, t: Any) -> np.ndarray:
        """[f; ξ] for ``k = 0``, [g_i; v_i] for ``k = i``: flat increments of a unit of dt or dW^i, shape ``(d + n, paths)``."""

        def outputs() -> tuple[Any, Sequence[sp.Expr]]:
            column = self.sde.column(k)
            return column, (*column.outputs["state"], *column.outputs["v"])

        return self._rows(f"column {k}", outputs, y, t, (0.0,) * (1 + self.wieners))

    def column(self, k: int, y: np.ndarray, t: Any) -> np.ndarray:
        """One column of the flat increment without v: ``k = 0`` the drift, ``k = i`` the i-th noise field."""
        return self.field(y, t, float(k == 0), np.eye(self.wieners + 1)[k, 1:])[: self.dimension]

    # -- the moving frame ------------------------------------------------------------------------------------------

    @cached_property
    def _frame_block(self) -> str | None:
        block = self.definition.constraint.moving_block(self.group)
        return block if self.structure.shape.form == "P" else None

    @cached_property
    def _coadjoint(self) -> CoadjointRepresentation | None:
        block = self._frame_block
        if block is None:
            return None
        return CoadjointRepresentation(self.group if block == "*" else self.group.factor(block))

    def frame(self, y: np.ndarray, t: Any, dt: Any, dW: np.ndarray) -> np.ndarray:
        """The frame increment [v; κ; τ; dz], shape ``(n + k + m + dim z, paths)``."""
        return self._rows("frame", self._frame_outputs, y, t, (dt, *dW))

    def _frame_outputs(self) -> tuple[Any, Sequence[sp.Expr]]:
        import sympy as sp

        k, m = self._blocks["a"].stop - self._blocks["a"].start, self._blocks["P"].stop
        o = self.sde.program.outputs
        rates = o["state"]
        P = np.array(self.sde.state[:m], dtype=object)
        kappa: Sequence[sp.Expr] = [sp.Integer(0)] * k
        tau: Sequence[sp.Expr] = rates[:m]
        if self._frame_block == "*":
            kappa, tau = o["kappa"], o["force"]
        elif self._frame_block is not None:
            part = self.group.blocks[self._frame_block]
            turning = self.group.factor(self._frame_block).cobracket(np.array(o["v"][part], dtype=object), P)
            tau = [rate - turn for rate, turn in zip(rates[:m], turning, strict=True)]
        return self.sde.program, (*o["v"], *kappa, *tau, *rates[m + k :])

    def area_frame(self, y: np.ndarray, t: Any, areas: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Σ_{i<j} A_ij [g_i, g_j] in the moving frame: transport v, what the momentum moves by beside it, and dz."""

        def outputs() -> tuple[Any, ...]:
            import sympy as sp

            from semidirect.equations.taylor import area_brackets

            program, rows, symbols = area_brackets(self.sde)
            m, d = self._blocks["P"].stop, self.dimension
            kick, v = rows[:m], np.array(rows[d:], dtype=object)
            block = self._frame_block
            if block is not None:
                group, part = (
                    (self.group, slice(None)) if block == "*" else (self.group.factor(block), self.group.blocks[block])
                )
                turning = group.cobracket(v[part], np.array(self.sde.state[:m], dtype=object))
                kick = [rate - sp.sympify(turn) for rate, turn in zip(kick, turning, strict=True)]
            return program, [*v, *kick, *rows[self._blocks["z"].start : d]], symbols

        n, m = self.group.dimension, self._blocks["P"].stop
        rows = self._rows("area frame", outputs, y, t, (0.0,) * (1 + self.wieners) + tuple(areas))
        return rows[:n], rows[n : n + m], rows[n + m :]

    def move(self, y: np.ndarray, increment: np.ndarray, retraction: Retraction) -> np.ndarray:
        """Move a state by a frame increment: a by exp(−v), P by Ad* of exp(v) between two halves of κ ◇ a + τ."""
        b = self._blocks
        P, a, z = y[b["P"]], y[b["a"]], y[b["z"]]
        v, dz = increment[b["v"]], increment[b["dz"]]
        kappa, tau = (None if self._vanishes(part) else increment[b[part]] for part in ("kappa", "tau"))
        back = self.group.retract_entries(-v, retraction)
        moved = self._act(back, a)
        coadjoint, block = self._coadjoint, self._frame_block
        if coadjoint is None or block is None:
            return np.concatenate([P if tau is None else P + tau, moved, z + dz])
        g = back if block == "*" else self.group.factor_entries(block, back)
        before, after = (self._half_kick(kappa if block == "*" else None, tau, x) for x in (a, moved))
        turned = coadjoint.act_entries(g, P if before is None else P + before)
        return np.concatenate([turned if after is None else turned + after, moved, z + dz])

    @property
    def moving_block(self) -> str | None:
        """What turns the momentum: ``"*"`` for all of 𝔰, a block of it, or nothing."""
        return self._frame_block

    @cached_property
    def _kicked(self) -> bool:
        """Whether anything is added to the momentum, κ ◇ a or τ."""
        return not (self._vanishes("tau") and (self._frame_block != "*" or self._vanishes("kappa")))

    def push(self, y: np.ndarray, X: np.ndarray, retraction: Retraction) -> np.ndarray:
        """The state at X = [v; k; dz]: a by exp(−v), P by Ad* of exp(v) after k was added, z by dz; k only where there is one."""
        b, n = self._blocks, self.group.dimension
        P, rest = y[b["P"]], X[n:]
        if self._kicked:
            P, rest = P + rest[: len(P)], rest[len(P) :]
        back = self.group.retract_entries(-X[:n], retraction)
        coadjoint, block = self._coadjoint, self._frame_block
        if coadjoint is not None and block is not None:
            P = coadjoint.act_entries(back if block == "*" else self.group.factor_entries(block, back), P)
        return np.concatenate([P, self._act(back, y[b["a"]]), y[b["z"]] + rest])

    def pull(
        self, y: np.ndarray, v: np.ndarray | None, increment: np.ndarray, retraction: Retraction
    ) -> list[np.ndarray]:
        """[k, dz] of a frame increment at the state y that X = [v; …] gives: Ad* of exp(−v) on κ ◇ a + τ."""
        b = self._blocks
        kappa, tau = (None if self._vanishes(part) else increment[b[part]] for part in ("kappa", "tau"))
        coadjoint, block = self._coadjoint, self._frame_block
        k = self._kick(kappa if block == "*" else None, tau, y[b["a"]])
        if k is None:
            return [increment[b["dz"]]]
        if coadjoint is not None and block is not None and v is not None:
            g = self.group.retract_entries(v, retraction)
            k = coadjoint.act_entries(g if block == "*" else self.group.factor_entries(block, g), k)
        return [k, increment[b["dz"]]]

    # -- discrete mechanics ----------------------------------------------------------------------------------------

    def parts(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """P, a and z of a state."""
        return y[self._blocks["P"]], y[self._blocks["a"]], y[self._blocks["z"]]

    def momenta(self, y: np.ndarray, t: Any, dt: Any, dW: np.ndarray) -> tuple[np.ndarray, ...]:
        """v, p = ∂l/∂ξ, κ, F and dz: all of the Hamilton–Pontryagin principle at one state, p on all of 𝔰."""

        def outputs() -> tuple[Any, Sequence[sp.Expr]]:
            o = self.sde.program.outputs
            m, k = self._blocks["P"].stop, self._blocks["a"].stop - self._blocks["a"].start
            return self.sde.program, (*o["v"], *o["p"], *o["kappa"], *o["force"], *o["state"][m + k :])

        rows = self._rows("momenta", outputs, y, t, (dt, *dW))
        n, k = self.group.dimension, self._blocks["a"].stop - self._blocks["a"].start
        return tuple(np.split(rows, [n, 2 * n, 2 * n + k, 3 * n + k]))

    def project(self, y: np.ndarray, t: Any, mu: np.ndarray) -> np.ndarray:
        """Bᵀμ (m, paths) of a covector μ (n, paths) at (a, t, z)."""
        m = self._blocks["P"].stop

        def text() -> str:
            from semidirect.equations.emission import source

            s = self.sde
            assert s.setting.distribution is not None
            basis = [entry for row in s.setting.distribution.basis for entry in row]
            return source(s.program, basis, (*s.state, s.setting.t, *s.definition.parameters))

        B = self.structure.function("basis", text)(*y, t, *self._parameters)
        out = []
        for j in range(m):
            terms = [
                B[i * m + j] * mu[i] for i in range(len(mu)) if not (type(B[i * m + j]) is int and B[i * m + j] == 0)
            ]
            out.append(sum(terms[1:], terms[0]))
        return ops.stack(out)

    def force(self, a: np.ndarray, kappa: np.ndarray, F: np.ndarray) -> np.ndarray:
        """κ ◇ a + F in 𝔰*."""
        return F + self._diamond(kappa, a) if len(a) else F

    def advect(self, a: np.ndarray, v: np.ndarray, retraction: Retraction) -> np.ndarray:
        """exp(−v)·a."""
        return self._act(self.group.retract_entries(-v, retraction), a)

    def turn(self, p: np.ndarray, v: np.ndarray, retraction: Retraction) -> np.ndarray:
        """Ad* of exp(v) on a covector p of 𝔰."""
        return CoadjointRepresentation(self.group).act_entries(self.group.retract_entries(-v, retraction), p)

    def _half_kick(self, kappa: np.ndarray | None, tau: np.ndarray | None, a: np.ndarray) -> Any:
        """½ (κ ◇ a + τ), ``None`` where both vanish."""
        kick = self._kick(kappa, tau, a)
        return None if kick is None else 0.5 * kick

    def _kick(self, kappa: np.ndarray | None, tau: np.ndarray | None, a: np.ndarray) -> Any:
        """κ ◇ a + τ, ``None`` where both vanish."""
        if kappa is None:
            return tau
        pushed = self._diamond(kappa, a)
        return pushed if tau is None else pushed + tau

    def _vanishes(self, part: str) -> bool:
        """Whether all rows of a part of the frame increment are 0 by their structure, whatever the state."""
        rows = range(self._blocks["dz"].start)[self._blocks[part]]
        return self._zero_rows.issuperset(rows)

    @cached_property
    def _zero_rows(self) -> frozenset[int]:
        """Rows of the frame increment that were written as the integer 0."""
        function = self._function("frame", self._frame_outputs, stored=False, keep=True)
        count = self.dimension + 1 + len(self._parameters) + 1 + self.wieners
        with np.errstate(all="ignore"):
            rows = function(*np.full(count, 0.5))  # floats of NumPy: a matrix of equal entries is singular
        return frozenset(i for i, row in enumerate(rows) if type(row) is int)

    def _act(self, g: np.ndarray, a: np.ndarray) -> np.ndarray:
        d = self.definition
        parts = [d.advected[k].representation.act_entries(g, a[part]) for k, part in d.advected_layout.items()]
        return np.concatenate(parts) if parts else a

    def _diamond(self, kappa: np.ndarray, a: np.ndarray) -> Any:
        d = self.definition
        total: Any = 0.0
        for name, part in d.advected_layout.items():
            total = total + d.advected[name].representation.diamond(kappa[part], a[part])
        return total

    @cached_property
    def _turning(self) -> list[slice]:
        """Parts of the transport that are rotation vectors."""
        parts = []
        for name, part in self.group.blocks.items():
            try:
                parts += [part] if isinstance(self.group.factor(name), SO3) else []
            except InputError:  # no factor
                continue
        return parts

    def turn_squared(self, v: np.ndarray) -> Any:
        """The square of the largest rotation angle in a transport v, ``(n, paths)``; ``None`` where nothing rotates."""
        largest: Any = None
        for part in self._turning:
            a, b, c = v[part]
            square = a * a + b * b + c * c
            largest = square if largest is None else ops.maximum(largest, square)
        return largest

    # -- state and output ------------------------------------------------------------------------------------------

    def reconstruct(self, stored: np.ndarray, v: np.ndarray, retraction: Retraction) -> np.ndarray:
        """Move the stored coordinates of s by the transport of a step."""
        return self.group.move(stored, v, retraction) if self.reconstructs else stored

    def flow(self, stored: np.ndarray, v: np.ndarray) -> np.ndarray:
        """The rate of the stored coordinates of s, ṡ = s v."""
        return self.group.flow_entries(stored, v) if self.reconstructs else stored

    def momentum(self, u: np.ndarray, a: np.ndarray, z: np.ndarray, t: Any) -> np.ndarray:
        """P = Bᵀ ∂l/∂ξ at a velocity."""
        velocity = self if self.structure.shape.form != "P" else self.system.model(variables="velocity")
        if velocity is self:
            raise DefinitionError("momenta are not the state of this model")

        def text() -> str:
            from semidirect.equations.emission import source

            sde = velocity.sde
            return source(
                sde.program, sde.program.outputs["P"], (*sde.state, sde.setting.t, *sde.definition.parameters)
            )

        function = velocity.structure.function("momentum", text)
        with np.errstate(all="ignore"):
            return ops.stack([np.asarray(r, dtype=float) for r in function(*u, *a, *z, t, *self._parameters)])

    def read(self, y: np.ndarray, stored: np.ndarray, t: Any, quantities: Mapping[str, Sequence[Row | sp.Expr]]
             ) -> dict[str, np.ndarray]:  # fmt: skip
        """Named quantities, rows of the structure or expressions of the program, at a state: name → ``(rows, paths)``."""
        flat = [e for rows in quantities.values() for e in rows]
        keep = all(isinstance(e, Row) for e in flat)
        label = "read " + " ".join(f"{e.kind}:{e.name}:{e.at}" if isinstance(e, Row) else str(e) for e in flat)
        s = tuple(stored) if self.reconstructs else (np.nan,) * len(self.group.stored_names)
        values = self._rows(label, lambda: (self.sde.program, list(self.structure.expressions(flat))), y, t, s, stored=True,
                            keep=keep)  # fmt: skip
        values[np.isnan(values)] = np.nan  # the sign of a nan says nothing and depends on who computed it
        out, start = {}, 0
        for name, rows in quantities.items():
            out[name] = values[start : start + len(rows)]
            start += len(rows)
        return out


def model(system: System, variables: str = "momentum", form: str | None = None) -> Model:
    """The model of a system, derived by Hamilton–Pontryagin."""
    return Model(system, structure(system, variables, form))

"""Derived equations as array functions: what an integrator steps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from semidirect.core import ops
from semidirect.core.errors import DefinitionError, InputError
from semidirect.core.parameters import PerPath
from semidirect.definition.kinds import a_system
from semidirect.definition.parametrised import places
from semidirect.groups.so3 import SO3
from semidirect.model.derived_equations import Row, Shape, Structure, one_path, structure
from semidirect.model.momentum_balance import Covectors
from semidirect.model.moving_frame import MovingFrame

if TYPE_CHECKING:
    import sympy as sp

    from semidirect.definition.definition import Definition
    from semidirect.definition.system_definition import SystemDefinition
    from semidirect.equations.sde import StratonovichSDE

Retraction = Literal["exp", "cayley"]


class Model:
    """A system's equations with its numbers, on a state ``y`` of shape ``(d, paths)``.

    Increments are linear in (dt, dW). A *flat* increment is ``[dy; v]`` with the transport v ∈ 𝔰 that moves s; those in the
    moving frame are :attr:`moving_frame`'s.

    Attributes
    ----------
    parameters : list
        The numbers, or one array over the paths, of each parameter in the order of the emitted functions.
    layout : dict str → slice
        Where P, a and z stand in a state, and v, κ, τ and dz in a frame increment.
    """

    def __init__(self, system: SystemDefinition, equations: Structure):
        self.system, self.structure, self.group = system, equations, system.group
        self.reconstructs = True
        self._known: dict[Any, Any] = {}
        self.dimension, self.wieners = equations.dimension, equations.shape.wieners
        self.parameters = []
        for name, index in places(system):
            value = system.values[name]
            self.parameters.append(value.values[(slice(None), *index)] if isinstance(value, PerPath) else value[index])
        self.layout = layout(equations.shape, self.group.dimension)

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
        alone: Model = self.known("reduced", lambda: self.with_parameters(self.parameters))
        alone.reconstructs = False
        return alone

    def known(self, key: Any, make: Callable[[], Any]) -> Any:
        """What follows from this model alone, made when it is asked for first."""
        if key not in self._known:
            self._known[key] = make()
        return self._known[key]

    def with_parameters(self, parameters: Iterable[Any]) -> Model:
        """The same equations with other numbers, or tracer scalars, in the order of the parameters."""
        other = copy(self)
        other.parameters, other._known = list(parameters), {}
        for view in ("moving_frame", "covectors"):  # they look at this model
            vars(other).pop(view, None)
        return other

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
        return self.with_parameters([p[which] if np.ndim(p) else p for p in self.parameters])

    # -- functions -------------------------------------------------------------------------------------------------

    def function(self, label: str, outputs: Callable[[], tuple[Any, ...]], stored: bool = False, keep: bool = True
                 ) -> Callable[..., Any]:  # fmt: skip
        """The emitted function of (state, t, parameters, extra inputs) that gives expressions of a program; made once.

        Parameters
        ----------
        label : str
            Says what the function is: the same label is the same function.
        outputs : callable
            Gives the program, the expressions, and symbols of extra inputs beside dt and dW.
        stored : bool
            Whether the extra inputs are the coordinates of s.
        keep : bool
            Whether it is kept on disk for the next process.
        """

        def text() -> str:
            from semidirect.equations.emission import source

            (program, expressions, *more), s = outputs(), self.sde
            given = (s.setting.dt, *s.setting.dW, *(more[0] if more else ()))
            extra = tuple(s.coordinates.values()) if stored else given
            uniform = (s.setting.t, s.setting.dt, *s.definition.parameters)
            inputs = (*s.state, s.setting.t, *s.definition.parameters, *extra)
            return source(program, list(expressions), inputs, uniform=[x for x in uniform if x in inputs])

        return self.structure.function(label, text, keep=keep)

    def rows(self, label: str, outputs: Callable[[], tuple[Any, ...]], y: np.ndarray, t: Any,
              extra: Sequence[Any], *, stored: bool = False, keep: bool = True) -> np.ndarray:  # fmt: skip
        """What a :meth:`function` gives at a state: ``(rows, paths)``."""
        function = self.function(label, outputs, stored, keep)
        with np.errstate(all="ignore"):
            rows = function(*y, t, *self.parameters, *extra)
        batch = y.shape[1:]
        if any(isinstance(r, np.ndarray) and r.shape != batch for r in rows):
            batch = np.broadcast_shapes(batch, *(np.shape(r) for r in rows))
        out = np.empty((len(rows), *batch), dtype=float if y.dtype != object else object)
        for i, row in enumerate(rows):
            out[i] = row
        return out

    def field(self, y: np.ndarray, t: Any, dt: Any, dW: np.ndarray) -> np.ndarray:
        """The flat increment [f dt + Σ g_i dW^i; v], shape ``(d + n, paths)``."""

        def outputs() -> tuple[Any, Sequence[sp.Expr]]:
            o = self.sde.program.outputs
            return self.sde.program, (*o["state"], *o["v"])

        return self.rows("field", outputs, y, t, (dt, *dW))

    def ito_field(self, y: np.ndarray, t: Any, dt: Any, dW: np.ndarray) -> np.ndarray:
        """As :meth:`field` with the Itô correction ½ Σ (Dg_i)[g_i] in the drift."""
        return self.rows("ito", self._ito_outputs, y, t, (dt, *dW))

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
            return self.rows("taylor", lambda: taylor.milstein(self.sde), y, t, (dt, *dW))
        return self.rows("taylor with areas", lambda: taylor.milstein_with_areas(self.sde), y, t, (dt, *dW, *areas))

    def flat_column(self, k: int, y: np.ndarray, t: Any) -> np.ndarray:
        """[f; ξ] for ``k = 0``, [g_i; v_i] for ``k = i``: flat increments of a unit of dt or dW^i, shape ``(d + n, paths)``."""

        def outputs() -> tuple[Any, Sequence[sp.Expr]]:
            column = self.sde.column(k)
            return column, (*column.outputs["state"], *column.outputs["v"])

        return self.rows(f"column {k}", outputs, y, t, (0.0,) * (1 + self.wieners))

    def column(self, k: int, y: np.ndarray, t: Any) -> np.ndarray:
        """One column of the flat increment without v: ``k = 0`` the drift, ``k = i`` the i-th noise field."""
        return self.field(y, t, float(k == 0), np.eye(self.wieners + 1)[k, 1:])[: self.dimension]

    # -- the group on a state and on increments --------------------------------------------------------------------

    @cached_property
    def moving_frame(self) -> MovingFrame:
        """Increments in the moving frame."""
        return MovingFrame(self)

    @cached_property
    def covectors(self) -> Covectors:
        """Momenta and forces on all of 𝔰."""
        return Covectors(self)

    def parts(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """P, a and z of a state."""
        return y[self.layout["P"]], y[self.layout["a"]], y[self.layout["z"]]

    def act(self, g: np.ndarray, a: np.ndarray) -> np.ndarray:
        """The action of a group element, entries ``(N, N, ...)``, on all that is advected."""
        d = self.definition
        parts = [d.advected[k].representation.act_entries(g, a[part]) for k, part in d.advected_layout.items()]
        return np.concatenate(parts) if parts else a

    def diamond(self, kappa: np.ndarray, a: np.ndarray) -> Any:
        """κ ◇ a over all that is advected."""
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
        velocity = self if self.structure.shape.form != "P" else numerical_sde(self.system, variables="velocity")
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
            rows = function(*u, *a, *z, t, *self.parameters)
        return ops.stack([np.asarray(r, dtype=float) for r in rows])

    def read(self, y: np.ndarray, stored: np.ndarray, t: Any, quantities: Mapping[str, Sequence[Row | sp.Expr]]
             ) -> dict[str, np.ndarray]:  # fmt: skip
        """Named quantities, rows of the structure or expressions of the program, at a state: name → ``(rows, paths)``."""
        flat = [e for rows in quantities.values() for e in rows]
        keep = self.structure.keeps(flat)
        label = "read " + " ".join(f"{e.kind}:{e.name}:{e.at}" if isinstance(e, Row) else str(e) for e in flat)
        s = tuple(stored) if self.reconstructs else (np.nan,) * len(self.group.stored_names)
        values = self.rows(label, lambda: (self.sde.program, list(self.structure.expressions(flat))), y, t, s, stored=True,
                            keep=keep)  # fmt: skip
        values[np.isnan(values)] = np.nan  # the sign of a nan says nothing and depends on who computed it
        out, start = {}, 0
        for name, rows in quantities.items():
            out[name] = values[start : start + len(rows)]
            start += len(rows)
        return out


def layout(shape: Shape, n: int) -> dict[str, slice]:
    """Where the parts of a state, and of a frame increment of an algebra of dimension n, stand."""
    kinds = [v.kind for v in shape.variables for _ in v.components]
    m = sum(k in ("momentum", "velocity") for k in kinds)
    k = kinds.count("advected")
    return {"P": slice(0, m), "a": slice(m, m + k), "z": slice(m + k, len(kinds)), "v": slice(0, n),
            "kappa": slice(n, n + k), "tau": slice(n + k, n + k + m), "dz": slice(n + k + m, None)}  # fmt: skip


def numerical_sde(system: SystemDefinition, *, variables: str = "momentum", form: str | None = None) -> Model:
    """The equations of a system with its numbers, derived by Hamilton–Pontryagin; made once for each system."""
    if not (isinstance(variables, str) and isinstance(form, str | None)):
        raise InputError("state variables and form", expected="names", got=repr((variables, form)))
    a_system(system)
    key = (Model, variables, form)
    if key not in system.cache:
        system.cache[key] = Model(system, structure(system, variables, form))
    model: Model = system.cache[key]
    return model

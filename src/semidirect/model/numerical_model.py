"""Derived equations as array functions, for integrators."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from semidirect.core import dual, errors, exact, interpolation, ops
from semidirect.definition import a_system
from semidirect.model.derived_equations import Row, structure
from semidirect.model.differentiable import Differentiable
from semidirect.model.emitted_fields import EmittedFields, Retraction
from semidirect.model.momentum_balance import MomentumBalance
from semidirect.model.moving_frame import MovingFrame
from semidirect.model.sensitivities.tangents import Slope, Tangents

if TYPE_CHECKING:
    import sympy as sp

    from semidirect.definition import SystemDefinition


class NumericalSDE(EmittedFields):
    """A system's equations with its numbers, on a state ``y`` of shape ``(d, paths)``.

    Increments are linear in (dt, dW). A *flat* increment is ``[dy; v]`` with the transport v ∈ 𝔰 that moves s; those in the
    moving frame are :attr:`moving_frame`'s.
    """

    compiles: ClassVar[bool] = True
    """Whether steps and readers can be compiled: emitted functions can, functions of whole arrays cannot."""

    def not_compiled(self, method: Any) -> str | None:
        """The reason why steps of a method are not compiled, if they are not."""
        return None

    sites: int = 1
    """The number of sites of a lattice, of which each takes as long as a path."""

    def computing(self) -> AbstractContextManager[None]:
        """The context of the steps: equations that call BLAS ask it for one thread."""
        return nullcontext()

    @property
    def stepped(self) -> NumericalSDE:
        """The equations that a method sees: these, or those of the sites of a lattice."""
        return self

    def step(self, method: Any, y: np.ndarray, t: Any, dt: Any, dW: np.ndarray) -> Any:
        """A step of a method, an :class:`~semidirect.integrators.Integrator`."""
        return method.step(self, y, t, dt, dW)

    def check_method(self, method: Any) -> None:
        """Raise an error for a method that does not apply to equations of this kind, whatever drives them."""
        if method.geometric and not self.system._has_configuration:
            raise errors.MethodError(
                f"{method.label} moves a configuration by the group, and a matrix system that is written out has none",
                hint="Use heun or implicit-midpoint, or run the matrix system itself by isospectral-midpoint.",
            )

    def reduced(self) -> Self:
        """The reduced equations alone: the configuration s is not reconstructed, and what needs it cannot be read."""
        alone: Self = self.known("reduced", lambda: self.with_parameters(self.parameters))
        alone.reconstructs = False
        return alone

    @property
    def in_velocities(self) -> NumericalSDE:
        """The equations of the system in velocities, looked up once."""
        model: NumericalSDE = self.known("in velocities", lambda: NumericalSDE.of(self.system, variables="velocity"))
        return model

    def differentiated(self, tangents: Tangents) -> Self:
        """The equations with those of their derivatives, which follow the rows of a state."""
        with_tangents: Self = self.known(tangents, lambda: self.with_parameters(self.parameters))
        with_tangents.tangents = tangents
        return with_tangents

    def undifferentiated(self) -> Self:
        """The equations without those of their derivatives."""
        if self.tangents is None:
            return self
        alone: Self = self.known("undifferentiated", lambda: self.with_parameters(self.parameters))
        alone.tangents = None
        return alone

    @classmethod
    def of(cls, system: SystemDefinition, *, variables: str = "momentum", form: str | None = None) -> NumericalSDE:
        """The equations of a system with its numbers, derived by Hamilton–Pontryagin; made once for each system."""
        if not (isinstance(variables, str) and isinstance(form, str | None)):
            raise errors.InputError("state variables and form", expected="names", got=repr((variables, form)))
        a_system(system)
        key = (NumericalSDE, variables, form)
        if system._states_arrays:
            key = (NumericalSDE, "arrays", None)
            return system.workings.known(key, lambda: system._stated_by_arrays().model())
        model: NumericalSDE = system.workings.known(
            key, lambda: NumericalSDE(system, structure(system, variables, form))
        )
        return model

    @property
    def state_names(self) -> tuple[str, ...]:
        """Names of the rows of a state, with those of its derivatives."""
        return (
            *self.structure.state,
            *(() if self.tangents is None else self.tangents.components((*self.structure.state, *self.coordinates))),
        )

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Names of the coordinates of s that are carried along."""
        return self.group.stored_names if self.reconstructs else ()

    @property
    def phase_dimension(self) -> int:
        """The components of a tangent vector: those of the state and, where the configuration is reconstructed, of the Lie
        algebra instead of the advected quantities, which follow from the configuration.
        """
        if not self.reconstructs:
            return self.dimension
        a = self.layout["a"]
        return self.dimension - (a.stop - a.start) + self.group.dimension

    @property
    def labels(self) -> tuple[str, ...]:
        """Names of components that are not counted from 1: those of :attr:`coordinates` and of matrices."""
        return self.known("names of components", self._labels)

    def _labels(self) -> tuple[str, ...]:
        matrices = self.structure.shape.matrices.items()
        return (*self.coordinates, *(x for name, space in matrices for x in space.flat.component_names(name)))

    @property
    def coordinate_rows(self) -> list[Row]:
        """Their rows."""
        return [Row("coordinate", name, 0) for name in self.coordinates]

    def of_paths(self, paths: range) -> Self:
        """The model with the per-path parameters of some paths."""
        return self._part(slice(paths.start, paths.stop))

    def of_some(self, which: np.ndarray) -> Self:
        """The model with the per-path parameters of the paths with these positions."""
        return self._part(which)

    def of_path(self, path: int) -> Self:
        """The model of one path, for a state ``(d,)``."""
        return self._part(path)

    def _part(self, which: int | slice | np.ndarray) -> Self:
        if self.system.workings.paths is None:
            return self
        return self.with_parameters([interpolation.of_paths(p, which) for p in self.parameters])

    # -- functions -------------------------------------------------------------------------------------------------

    def field(self, y: np.ndarray, t: Any, dt: Any, dW: np.ndarray) -> np.ndarray:
        """The flat increment [f dt + Σ g_i dW^i; v], shape ``(d + n, paths)``."""

        def outputs() -> tuple[Any, Sequence[sp.Expr]]:
            o = self.sde.program.outputs
            return self.sde.program, (*o["state"], *o["v"])

        return self.rows("field", outputs, y, t, (dt, *dW))

    def flat_rate(self, t: float, x: np.ndarray, dW: np.ndarray) -> np.ndarray:
        """The rate of x = [y; s] by array code, for a driving path with the slope dW."""
        d = self.dimension
        k = self.field(x[:d], t, 1.0, dW)
        return np.concatenate([k[:d], self.flow(x[d:], k[d:])])

    def ito_field(self, y: np.ndarray, t: Any, dt: Any, dW: np.ndarray) -> np.ndarray:
        """As :meth:`field` with the Itô correction ½ Σ (Dg_i)[g_i] in the drift."""
        return self.rows("ito", self._ito_outputs, y, t, (dt, *dW))

    def _ito_outputs(self) -> tuple[Any, Sequence[sp.Expr]]:
        o = self.sde.program.outputs
        program, totals = self.sde.program, [*o["state"], *o["v"]]
        for i in range(1, self.wieners + 1):
            column = self.sde.column(i)
            direction = dict(zip(self.sde.state, column.outputs["state"], strict=True))
            fields = (*column.outputs["state"], *column.outputs["v"])
            second = column.with_outputs(c=fields).jvp(direction, f"'{i}")
            program = program.joined(second)
            half = self.sde.setting.dt / 2
            totals = [e + half * c for e, c in zip(totals, second.outputs["c"], strict=True)]
        return program, totals

    def taylor(self, y: np.ndarray, t: Any, dt: Any, dW: np.ndarray, areas: np.ndarray | None = None) -> np.ndarray:
        """As :meth:`field` with the stochastic Taylor terms of order 1, ½ D(g dW)[g dW] and, given areas, Σ A_ij [g_i, g_j]."""
        from semidirect.model import taylor

        if areas is None or not len(areas):
            return self.rows("taylor", lambda: taylor.milstein(self.sde), y, t, (dt, *dW))
        return self.rows("taylor with areas", lambda: taylor.milstein_with_areas(self.sde), y, t, (dt, *dW, *areas))

    def mean_divergence(self, y: np.ndarray, t: Any) -> np.ndarray:
        """The expected rate of the logarithm of a volume of states that moves with the flow: ``(paths,)``."""

        def outputs() -> tuple[Any, Sequence[sp.Expr]]:
            program, rate = self.sde.mean_divergence()
            return program, (rate,)

        return self.rows("mean divergence", outputs, y, t, (0.0,) * (1 + self.wieners))[0]

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

    @property
    def moving_frame(self) -> MovingFrame:
        """Increments in the moving frame."""
        frame: MovingFrame = self.known("moving frame", lambda: MovingFrame(self))
        return frame

    @property
    def covectors(self) -> MomentumBalance:
        """Momenta and forces on all of 𝔰."""
        balance: MomentumBalance = self.known("covectors", lambda: MomentumBalance(self))
        return balance

    @cached_property
    def _rotation_parts(self) -> list[slice]:
        """Parts of the transport that are rotation vectors."""
        parts = []
        for name, part in self.group.blocks.items():
            try:
                parts += [part] if self.group.factor(name).rotation_vector else []
            except errors.InputError:  # no factor
                continue
        return parts

    def rotation_angle_sq(self, v: np.ndarray) -> Any:
        """The square of the largest rotation angle in a transport v, ``(n, paths)``; ``None`` if nothing rotates."""
        largest: Any = None
        for part in self._rotation_parts:
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
        """P = Bᵀ ∂l/∂ξ at a velocity; what is first in a start is the momentum itself where equations come from h."""
        if not len(u):
            return u
        velocity = self if self.structure.shape.form != "P" else self.in_velocities
        if velocity.structure.shape.form == "P":
            return u
        if velocity is self:
            raise errors.DefinitionError("momenta are not the state of this model", hint="Use its velocities.")

        def text() -> str:
            from semidirect.equations import emission

            sde = velocity.sde
            return emission.source(
                sde.program, sde.program.outputs["P"], (*sde.state, sde.setting.t, *sde.definition.parameters)
            )

        function = velocity.structure.function("momentum", text)
        with np.errstate(all="ignore"):
            rows = function(*u, *a, *z, t, *self.parameters)
        return exact.objects(rows) if u.dtype == object else ops.stack([np.asarray(r, dtype=float) for r in rows])

    def reader(self, quantities: Mapping[str, Sequence[Row | sp.Expr]]) -> Callable[..., Any]:
        """The function that gives all rows of named quantities, see :meth:`function`."""
        flat = [e for rows in quantities.values() for e in rows]
        label, keep = self.reader_label(quantities), self.structure.keeps(flat)
        return self.function(label, lambda: (self.sde.program, list(self.structure.expressions(flat))), stored=True, keep=keep,
                             among=self._named_expressions)  # fmt: skip

    def _named_expressions(self) -> list[Any]:
        """All quantities that the system names, as a run saves them by default."""
        kinds = self.structure.quantities(self.system).values()
        return list(
            self.structure.expressions([row for quantities in kinds for rows in quantities.values() for row in rows])
        )

    def reader_label(self, quantities: Mapping[str, Sequence[Row | sp.Expr]]) -> str:
        """The label of :meth:`reader`."""
        flat = [e for rows in quantities.values() for e in rows]
        label: str = self.known(("read", *flat), lambda: _label(flat))
        return label

    def refuse_unreadable(self, quantities: Mapping[str, Sequence[Any]]) -> None:
        """Raise the error of quantities that cannot be evaluated; derivatives are not looked at."""
        values = values_of(quantities)
        if values:
            self.reader(values)

    def read(self, y: np.ndarray, stored: np.ndarray, t: Any, quantities: Mapping[str, Sequence[Row | sp.Expr]],
             t_slopes: np.ndarray | None = None) -> dict[str, np.ndarray]:  # fmt: skip
        """Named quantities, rows of the structure or expressions of the program, at a state: name → ``(rows, paths)``.

        Rows may be slopes, the derivatives of other rows, if the state has derivatives; ``t_slopes`` are then those of the time
        ``(K, paths)``, if it moves.
        """
        if self.tangents is not None:
            return {**self._read(y[: self.dimension], stored, t, values_of(quantities)),
                    **self._slopes(y, stored, t, slopes_of(quantities), t_slopes)}  # fmt: skip
        return self._read(y, stored, t, quantities)

    def _read(self, y: np.ndarray, stored: np.ndarray, t: Any, quantities: Mapping[str, Sequence[Row | sp.Expr]]
              ) -> dict[str, np.ndarray]:  # fmt: skip
        if not quantities:
            return {}
        values = self.read_rows(y, stored, t, quantities)
        values[np.isnan(values)] = np.nan  # the sign of a nan says nothing and depends on who computed it
        out, start = {}, 0
        for name, rows in quantities.items():
            out[name] = values[start : start + len(rows)]
            start += len(rows)
        return out

    def read_rows(self, y: np.ndarray, stored: np.ndarray, t: Any, quantities: Mapping[str, Sequence[Row | sp.Expr]]
                  ) -> np.ndarray:  # fmt: skip
        """All rows of named quantities, one after another, as the emitted function gives them; also of scalars that a trace
        records.
        """
        s = tuple(stored) if self.reconstructs else (np.nan,) * len(self.group.stored_names)
        return self.values(self.reader(quantities), y, t, s)

    def _slopes(self, y: np.ndarray, stored: np.ndarray, t: Any, quantities: Mapping[str, Sequence[Slope]],
                t_slopes: np.ndarray | None) -> dict[str, np.ndarray]:  # fmt: skip
        tangents = self.tangents
        if not quantities or tangents is None:
            return {}
        lifted = self.known(
            "differentiable", lambda: Differentiable(self, tangents, len(self.coordinates), scalars=False)
        )
        state, coordinates = lifted.state(y, stored)
        t = dual.Dual(lifted.directions, t, None if t_slopes is None else {0: t_slopes})
        s = tuple(coordinates) if self.reconstructs else (np.nan,) * len(self.group.stored_names)
        plain = {name: list(dict.fromkeys(row for row, _ in rows)) for name, rows in quantities.items()}
        values = iter(lifted.model.values(self.reader(plain), state, t, s))
        out = {}
        for name, rows in plain.items():
            slopes_of = {
                row: np.broadcast_to(dual.slope(x, 0), (lifted.count, *y.shape[1:])) for row, x in zip(rows, values)
            }
            out[name] = np.stack([slopes_of[row][k] for row, k in quantities[name]])
            out[name][np.isnan(out[name])] = np.nan
        return out


def values_of(quantities: Mapping[str, Sequence[Any]]) -> dict[str, Sequence[Any]]:
    """The quantities that are no derivatives."""
    return {name: rows for name, rows in quantities.items() if not (rows and isinstance(rows[0], Slope))}


def slopes_of(quantities: Mapping[str, Sequence[Any]]) -> dict[str, Sequence[Slope]]:
    """The quantities that are derivatives."""
    return {name: rows for name, rows in quantities.items() if rows and isinstance(rows[0], Slope)}


def _label(rows: Sequence[Row | sp.Expr]) -> str:
    """The label of a function that reads rows."""
    return "read " + " ".join(f"{e.kind}:{e.name}:{e.at}" if isinstance(e, Row) else str(e) for e in rows)

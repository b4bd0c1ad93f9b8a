"""Functions emitted from derived equations, with the numbers of a system; the base of moving frame and momentum balance."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

import numpy as np

from semidirect.core import PerPath, interpolation
from semidirect.model.derived_equations import DerivedEquations, Row, Shape, one_path

if TYPE_CHECKING:
    import sympy as sp

    from semidirect.definition import Definition, SystemDefinition
    from semidirect.equations import StratonovichSDE
    from semidirect.model.sensitivities.tangents import Tangents

Retraction = Literal["exp", "cayley"]


class EmittedFields:
    """Functions of (state, t, parameters, …) emitted from a program, on a state ``y`` of shape ``(d, paths)``.

    Attributes
    ----------
    parameters : list
        The numbers, or one array over the paths, of each parameter in the order of the emitted functions, then the tables.
    layout : dict str → slice
        Where P, a and z stand in a state, and v, κ, τ and dz in a frame increment.
    tangents : Tangents or None
        The derivatives that rows after those of the state are, if there are any.
    """

    if TYPE_CHECKING:
        compiles: ClassVar[bool]

    def __init__(self, system: SystemDefinition, equations: DerivedEquations):
        self.system, self.structure, self.group = system, equations, system.group
        self.reconstructs = system._has_configuration
        self.tangents: Tangents | None = None
        self._known: dict[Any, Any] = {}
        self.dimension, self.wieners = equations.dimension, equations.shape.wieners
        self.parameters: list[Any] = []
        for name, index in system.workings.symbol_places:
            value = system.values[name]
            self.parameters.append(value.values[(slice(None), *index)] if isinstance(value, PerPath) else value[index])
        for name in system.workings.table_names:
            value = system.values[name]
            self.parameters.append(interpolation.Table(name, value.values if isinstance(value, PerPath) else value))
        self.layout = layout(equations.shape, self.group.dimension)

    @property
    def sde(self) -> StratonovichSDE:
        """The equations; derived now, if they were known from an earlier process."""
        return self.structure.sde

    @cached_property
    def definition(self) -> Definition:
        """The definition with the numbers of the first path."""
        return one_path(self.system)

    def known(self, key: Any, make: Callable[[], Any]) -> Any:
        """Data that follow from this model alone, computed at first use."""
        if key not in self._known:
            self._known[key] = make()
        return self._known[key]

    def with_parameters(self, parameters: Iterable[Any]) -> Self:
        """The same equations with other numbers, or tracer scalars, in the order of the parameters."""
        other = object.__new__(type(self))
        vars(other).update(vars(self), parameters=list(parameters), _known={})
        return other

    def __getstate__(self) -> dict[str, Any]:
        return {k: v for k, v in vars(self).items() if k != "definition"} | {"_known": {}}

    # -- functions -------------------------------------------------------------------------------------------------

    def function(self, label: str, outputs: Callable[[], tuple[Any, ...]], stored: bool = False, keep: bool = True,
                 among: Callable[[], Sequence[Any]] = tuple) -> Callable[..., Any]:  # fmt: skip
        """The emitted function of (state, t, parameters, extra inputs) that gives expressions of a program; made once.

        Parameters
        ----------
        label : str
            Identifies the function: the same label is the same function.
        outputs : callable
            Returns the program, the expressions, and symbols of inputs in addition to dt and dW.
        stored : bool
            Whether the extra inputs are the coordinates of s.
        keep : bool
            Whether it is cached on disk for the next process.
        among : callable
            Returns the expressions that decide by which operations these are computed, see :func:`.emission.source`.
        """

        def text() -> str:
            from semidirect.equations import emission

            (program, expressions, *more), s = outputs(), self.sde
            increments = (s.setting.dt, *s.setting.dW, *(more[0] if more else ()))
            extra = tuple(s.coordinates.values()) if stored else increments
            uniform = (s.setting.t, s.setting.dt, *s.definition.parameters)
            inputs = (*s.state, s.setting.t, *s.definition.parameters, *extra)
            return emission.source(
                program, list(expressions), inputs, uniform=[x for x in uniform if x in inputs], among=among()
            )

        return self.structure.function(label, text, keep=keep)

    def rows(self, label: str, outputs: Callable[[], tuple[Any, ...]], y: np.ndarray, t: Any,
              extra: Sequence[Any], *, stored: bool = False, keep: bool = True) -> np.ndarray:  # fmt: skip
        """The value of a :meth:`function` at a state: ``(rows, paths)``."""
        return self.values(self.function(label, outputs, stored, keep), y, t, extra)

    def values(self, function: Callable[..., Any], y: np.ndarray, t: Any, extra: Sequence[Any]) -> np.ndarray:
        """The rows of a :meth:`function` at a state: ``(rows, paths)``."""
        with np.errstate(all="ignore"):
            rows = function(*y, t, *self.parameters, *extra)
        batch = y.shape[1:]
        if any(type(r) is np.ndarray and r.shape != batch for r in rows):
            batch = np.broadcast_shapes(batch, *(r.shape for r in rows if isinstance(r, np.ndarray)))
        out = np.empty((len(rows), *batch), dtype=float if y.dtype != object else object)
        for i, row in enumerate(rows):
            out[i] = row
        return out

    # -- the group on a state --------------------------------------------------------------------------------------

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

    def noise_of(self, row: Row | sp.Expr, y: np.ndarray, stored: np.ndarray, t: Any) -> np.ndarray:
        """The derivatives of a quantity along the noise fields, ``(wieners, paths)``: dq = … dt + Σ g_i∘dW^i.

        ``row``: of the structure, or an expression of the program, as of :meth:`.NumericalSDE.read`; derivatives are symbolic.
        """
        if not self.compiles:
            return self.noise_of_row(row, y, stored, t)  # type: ignore[attr-defined]

        def outputs() -> tuple[Any, list[sp.Expr]]:
            sde = self.sde
            quantity = tuple(self.structure.expressions([row]))
            program = sde.program.with_outputs()
            slopes: list[sp.Expr] = []
            for i in range(1, sde.wieners + 1):
                column = sde.column(i)
                tangent = dict(zip(sde.state, column.outputs["state"], strict=True))
                tangent |= dict(zip(sde.coordinates.values(), column.outputs["coordinates"], strict=True))
                along = column.with_outputs(q=quantity).jvp(tangent, f"'{i}")
                program = program.joined(along)
                slopes += along.outputs["q"]
            return program, slopes

        s = tuple(stored) if self.reconstructs else (np.nan,) * len(self.group.stored_names)
        label = f"noise of {row}"
        return self.rows(label, outputs, y, t, s, stored=True, keep=self.structure.keeps([row]))


def layout(shape: Shape, n: int) -> dict[str, slice]:
    """The slices of the parts of a state, and of a frame increment of an algebra of dimension n."""
    kinds = [v.kind for v in shape.variables for _ in v.components]
    m = sum(k in ("momentum", "velocity") for k in kinds)
    k = kinds.count("advected")
    return {"P": slice(0, m), "a": slice(m, m + k), "z": slice(m + k, len(kinds)), "v": slice(0, n),
            "kappa": slice(n, n + k), "tau": slice(n + k, n + k + m), "dz": slice(n + k + m, None)}  # fmt: skip

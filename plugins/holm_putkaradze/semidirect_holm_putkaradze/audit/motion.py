"""Statements about the motion of a system: ``d`` is along its derived equations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, final

import numpy as np
import sympy as sp

from semidirect.core import functions
from semidirect.equations import emission
from semidirect.invariants import Fields, Numbers, ParameterSet, random_point
from semidirect_holm_putkaradze.audit.formula import Scene
from semidirect_holm_putkaradze.audit.setting import ROTATIONS, Names, Setting, vector

if TYPE_CHECKING:
    from semidirect.equations import StratonovichSDE
    from semidirect.system import System

OUTPUTS = ("p", "xi", "kappa", "l", "l_xi", "P", "lagrangian", "energy")


@final
class MotionSetting(Setting):
    """The equations of one or more systems of the same state, in velocities, at any parameters of their pattern.

    Names are the state's blocks, the parameters' symbols, ``dt`` and ``dW``, and outputs of the derivation: ``p_Omega``,
    ``kappa_Gamma``, ``l_Omega`` = ∂l/∂Ω, ``l_Gamma``, ``lagrangian``, ``energy`` = ⟨p, ξ⟩ − l, ``P`` = Bᵀp, ``ito_Omega``.
    ``texts`` defines others, as the paper does.

    Parameters
    ----------
    title : str
    systems : callable() → dict model → System
    texts : dict name → formula
    names : callable(blocks, stored element) → dict, optional
        More names, of the configuration.
    functions : callable(parameters) → dict, optional
        More functions.
    columns : tuple of str
    free : tuple of str
        Names of undetermined numbers.
    directions : dict name → callable(scene, y), optional
        More operators like ``d``, each with the rates of y that it differentiates along.
    """

    def __init__(self, title: str, systems: Callable[[], Mapping[str, System]], texts: Mapping[str, str], *,
                 names: Callable[[Any], Mapping[str, Any]] | None = None,
                 functions: Callable[[Mapping[str, Any]], Mapping[str, Any]] | None = None,
                 columns: tuple[str, ...] = ("dt", "dW"), models: tuple[str, ...] = ("principle",),
                 free: tuple[str, ...] = (),
                 directions: Mapping[str, Callable[[MotionScene, Sequence[Any]], list[Any]]] | None = None):  # fmt: skip
        self.title, self.texts, self.columns, self.models, self.free = title, texts, columns, models, free
        self._systems, self.spatial, self.extra, self.directions = systems, names, functions, directions or {}

    @cached_property
    def systems(self) -> Mapping[str, System]:
        """The systems by model."""
        return self._systems()

    def scene(self, model: str, numbers: Numbers, *, generic: bool = True) -> MotionScene:
        """A random point of the invariant set."""
        return MotionScene(self, ParameterSet(self.systems[model], "generic" if generic else "given"), numbers)


@final
class MotionScene(Scene):
    """One random point of a system."""

    def __init__(self, setting: MotionSetting, values: ParameterSet, numbers: Numbers):
        self.setting, self.system, self.numbers = setting, values.system, numbers
        system = values.system
        self.sde = system.sde(variables="velocity")
        self.fields = _fields(self.sde)
        point = random_point(self.fields, numbers, values)
        self.at = self.fields.at(numbers, point)
        self.y, self.parameters = self.at.y, self.at.parameters
        self.free = {name: numbers.draw() for name in setting.free}
        self._rates: dict[int, list[Any]] = {}
        self._built: dict[str, Callable[..., Any]] = {}
        symbols = system.workings.parameter_symbols
        self.parameter_names = {name: p.symbol or name for name, p in system.workings.parameters().items()}
        self.by_name = {
            name: _shaped([point[x] for x in symbols[name].flat], symbols[name].shape) for name in self.parameter_names
        }
        self.functions = {**ROTATIONS, **(setting.extra(self.by_name) if setting.extra else {})}
        self.operators = ("d", "d_t", "d_W", *setting.directions)

    def point(self, column: int) -> Sequence[Any]:
        """The same in all columns."""
        return self.y

    def rates(self, operator: str, y: Sequence[Any], column: int) -> Sequence[Any]:
        """A column of the equations at a point: the current one, the drift (``d_t``) or the first noise (``d_W``)."""
        column = {"d_t": 0, "d_W": 1}.get(operator, column)
        if operator in self.setting.directions:
            return self.setting.directions[operator](self, y)
        if y is not self.y:
            return self.at.rates(column, y)
        if column not in self._rates:
            self._rates[column] = self.at.rates(column, y)
        return self._rates[column]

    def names(self, y: Sequence[Any], column: int) -> Names:
        """Names at a point."""
        symbols = {self.parameter_names[name]: x for name, x in self.by_name.items()}
        names: dict[str, Any] = {
            **{k: x for k, x in symbols.items() if k not in self.setting.texts},
            **self.by_name,
            **self.free,
        }
        names |= {**self._variables(y), "t": y[-1]}
        stored = dict(zip(self.sde.coordinates, y[len(self.sde.state) :], strict=False))
        for i, name in enumerate(self.setting.columns):
            names[name] = self.numbers.number(int(i == column))
        group = self.system.group
        if self.setting.spatial is None:
            names |= stored
        else:
            names |= self.setting.spatial(lambda: group.element(vector(list(stored.values()))))
        for output in OUTPUTS:
            names |= self._of_output(output, y, column)
        for variable in self.sde.variables:
            names[f"ito_{variable.name}"] = lambda name=variable.name: vector(self._evaluated(f"ito:{name}", y, column))
        return Names(names, self.setting.texts, self, y, column)

    def state(self) -> dict[str, Any]:
        """The point: variables, undetermined numbers and parameters."""
        entries = self._variables(self.y)
        return entries | self.free | {self.parameter_names[name]: x for name, x in self.by_name.items() if np.size(x)}

    def _variables(self, y: Sequence[Any]) -> dict[str, Any]:
        values: dict[str, Any] = {}
        position = 0
        for variable in self.sde.variables:
            values[variable.name] = vector(y[position : position + variable.dimension])
            position += variable.dimension
        return values

    def _of_output(self, output: str, y: Sequence[Any], column: int) -> dict[str, Any]:
        definition = self.sde.definition
        advected, whole = definition.advected_layout, None
        layout = {"kappa": advected, "l": advected, "P": whole, "lagrangian": whole, "energy": whole}.get(
            output, definition.group.blocks
        )
        if layout is None:
            return {output: lambda: vector(self._evaluated(output, y, column))}
        prefix = output.removesuffix("_xi")
        return {
            f"{prefix}_{name}": lambda part=part: vector(self._evaluated(output, y, column)[part])
            for name, part in layout.items()
        }

    def _evaluated(self, output: str, y: Sequence[Any], column: int) -> list[Any]:
        if output not in self._built:
            self._built[output] = functions.build(_text(self.sde, output), self.numbers.functions)
        still = [self.numbers.number(int(k == column)) for k in range(len(self.fields.columns))]
        values = self._built[output](*y, *self.parameters, *still)
        return [self.numbers.number(x) if isinstance(x, int) else x for x in values]


@lru_cache(maxsize=32)
def _fields(sde: StratonovichSDE) -> Fields:
    return Fields(sde, {"s": tuple(sde.coordinates.values())})


@lru_cache(maxsize=128)
def _text(sde: StratonovichSDE, output: str) -> str:
    s = sde.setting
    program = sde.ito() if output.startswith("ito:") else sde.program
    rows: Sequence[sp.Expr]
    if output == "lagrangian":
        rows = (s.lagrangian,)
    elif output == "l":
        rows = [sp.diff(s.lagrangian, x) for x in s.a]
    elif output == "l_xi":
        rows = [sp.diff(s.lagrangian, x) for x in s.xi]
    elif output == "energy":
        rows = [sp.Add(*(p * x for p, x in zip(s.momentum, s.xi, strict=True))) - s.lagrangian]
    else:
        rows = program.outputs[output]
    return emission.source(program, rows, (*_fields(sde).inputs, s.dt, *s.dW), exact=True)


def _shaped(entries: list[Any], shape: tuple[int, ...]) -> Any:
    out = np.empty(len(entries), dtype=object)
    out[:] = entries
    return out.reshape(shape) if shape else entries[0]

"""Statements about variations: ``delta`` is along δs = s η, ``d`` along the motion, and nothing else is supposed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, final

import numpy as np

import semidirect as sd
from semidirect.core import Blocks, user_code
from semidirect.invariants import Numbers, along
from semidirect_holm_putkaradze.audit.formula import Scene
from semidirect_holm_putkaradze.audit.setting import ROTATIONS, Names, Setting, vector

Layout = Mapping[str, int]
Rates = Callable[[Mapping[str, Any], int], Mapping[str, Any]]


@final
class VariationSetting(Setting):
    """Blocks of free numbers, with what ``d`` and ``delta`` do to some of them; the others have free differentials.

    Parameters
    ----------
    title : str
    blocks : dict name → dimension
        What varies.
    on_shell : callable(values, column) → dict
        Values of blocks that others give.
    motion, variation : callable(values, column) → dict
        Rates of blocks under ``d`` and ``delta``; a block that is absent moves freely.
    constants : dict name → dimension
        What does not vary.
    texts : dict name → formula
    columns : tuple of str
    """

    def __init__(self, title: str, blocks: Layout, *, on_shell: Rates, motion: Rates, variation: Rates,
                 constants: Layout, texts: Mapping[str, str], columns: tuple[str, ...] = ("dt", "dW")):  # fmt: skip
        self.title, self.blocks, self.constants, self.texts, self.columns = title, blocks, constants, texts, columns
        self.on_shell, self.motion, self.variation = on_shell, motion, variation

    def scene(self, model: str, numbers: Numbers, *, generic: bool = True) -> VariationScene:
        """A random point."""
        return VariationScene(self, numbers)


@final
class VariationScene(Scene):
    """One random point, with random differentials in each column."""

    operators = ("d", "delta")
    functions = ROTATIONS

    def __init__(self, setting: VariationSetting, numbers: Numbers):
        self.setting = setting

        def draw(layout: Layout) -> dict[str, Any]:
            return {name: vector([numbers.draw() for _ in range(n)]) for name, n in layout.items()}

        self.values = draw(setting.constants) | draw(setting.blocks)
        self._columns: list[dict[str, Any]] = []
        for column in range(len(setting.columns)):
            marks = {name: numbers.number(int(i == column)) for i, name in enumerate(setting.columns)}
            at = {**self.values, **marks}
            at |= {f"free_{name}": x for name, x in draw(setting.blocks).items()}
            self._columns.append({**at, **setting.on_shell(at, column)})
        self._points = [self._flat(at) for at in self._columns]

    def point(self, column: int) -> Sequence[Any]:
        """y, with what the column gives."""
        return self._points[column]

    def _flat(self, values: Mapping[str, Any]) -> list[Any]:
        return [x for name in self.setting.blocks for x in np.ravel(np.asarray(values[name], dtype=object))]

    def state(self) -> dict[str, Any]:
        """The point."""
        names = (*self.setting.constants, *self.setting.blocks)
        return {name: self._columns[0][name] for name in names if name != "l"}

    def rates(self, operator: str, y: Sequence[Any], column: int) -> Sequence[Any]:
        """The free differentials, and those that are given."""
        at = dict(self.names(y, column).given)
        rates = (self.setting.motion if operator == "d" else self.setting.variation)(at, column)
        free = {name: at[f"free_{name}"] for name in self.setting.blocks}
        return self._flat({**free, **rates})

    def names(self, y: Sequence[Any], column: int) -> Names:
        """Names at a point."""
        base = self._columns[column]
        if y is self._points[column]:
            return Names(base, self.setting.texts, self, y, column)
        values, position = dict(base), 0
        for name, n in self.setting.blocks.items():
            values[name] = vector(y[position : position + n])
            position += n
        return Names(values, self.setting.texts, self, y, column)


def _rolling(at: Mapping[str, Any]) -> sd.Rolling:
    return sd.Rolling(lambda a: at["r"] * a.Gamma + at["ell"] * at["chi"])


def _arguments(Gamma: Any) -> dict[str, Any]:
    a = Blocks.split(vector(list(Gamma)), {"Gamma": slice(0, 3)}, "advected quantity")
    return {"a": a, "t": 0, "z": None, "xi": None, "group": _se3}


_se3 = sd.SE3()


def lifted(at: Mapping[str, Any], eta: Any, Gamma: Any) -> np.ndarray:
    """Bη, a vector of D over Γ."""
    return np.asarray(_rolling(at).distribution(**_arguments(Gamma)).basis, dtype=object) @ np.asarray(
        eta, dtype=object
    )


def noise_field(at: Mapping[str, Any], Gamma: Any) -> np.ndarray:
    """N = (ξ, ξ × s)."""
    return np.asarray(user_code.call(_rolling(at).lift, amplitude=at["xi"], **_arguments(Gamma)), dtype=object)


def derivative(function: Callable[[Any], np.ndarray], at: Any, direction: Any) -> np.ndarray:
    """Df(at)[direction]."""
    return vector(along(lambda inputs: list(function(inputs)), list(at), list(direction)))


def varied_velocity(at: Mapping[str, Any]) -> np.ndarray:
    """δξ̃ = d(Bη) + [ξ̃, Bη] on the constraint, with the bracket of se(3)."""
    act = ROTATIONS["act"]
    total = np.concatenate([at["Omega_t"], at["Y_t"]])
    change = derivative(lambda G: lifted(at, at["eta"], G), at["Gamma"], -act(at["Omega_t"], at["Gamma"]))
    return lifted(at, at["free_eta"], at["Gamma"]) + change + _se3.bracket(total, lifted(at, at["eta"], at["Gamma"]))

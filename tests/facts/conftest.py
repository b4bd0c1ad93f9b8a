"""Exact evolution of observables, and what the oracles say."""

import json
import sys
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import semidirect as sd

sys.path.insert(0, str(Path(__file__).parent))  # helpers, importable under pytest's importlib mode
ORACLES = Path(__file__).parents[1] / "oracles"


class ExactEvolution:
    """dQ = drift dt + Σ noise_i∘dW^i of functions of the state, in fractions: what is 0 here is 0."""

    def __init__(self, system: sd.System, quantities: Mapping[str, Callable[[Any], Any]]):
        self.sde = system.sde(variables="velocity")
        setting = self.sde.setting
        self.inputs = (
            *self.sde.state, *self.sde.coordinates.values(), setting.t, *self.sde.definition.parameters,
            setting.dt, *setting.dW,
        )  # fmt: skip
        rows = {name: system.workings.expression(q, self.sde) for name, q in quantities.items()}
        self.function = self.sde.evolution(rows).function(self.inputs, exact=True)
        self.parameters = {}
        for name, symbols in system.workings.parameter_symbols.items():
            numbers = np.ravel(system.values[name])
            self.parameters |= {s: Fraction(repr(float(x))) for s, x in zip(symbols.flat, numbers, strict=True)}

    def __call__(self, **state: Any) -> dict[str, dict[str, Any]]:
        """Values at a state (variables and coordinates by name; absent: 0); one row comes as a scalar."""
        given = dict(self.parameters)
        for variable in self.sde.variables:
            values = np.ravel(state.pop(variable.name, [0] * variable.dimension))
            given |= dict(zip(variable.symbols, values, strict=True))
        for name, values in state.items():
            symbols = [s for n, s in self.sde.coordinates.items() if n.rstrip("0123456789") == name]
            given |= dict(zip(symbols, np.ravel(values), strict=True))
        result = self.function(*(Fraction(given.get(s, 0)) for s in self.inputs))
        return {
            q: {c: rows[0] if len(rows) == 1 else np.array(rows, dtype=object) for c, rows in columns.items()}
            for q, columns in result.items()
        }


@pytest.fixture(scope="session")
def exact_evolution() -> type[ExactEvolution]:
    return ExactEvolution


@pytest.fixture(scope="session")
def rational_rotation() -> Callable[..., np.ndarray]:
    """A rotation with rational entries, from an integer quaternion."""

    def rotation(w: int, x: int, y: int, z: int) -> np.ndarray:
        n = w * w + x * x + y * y + z * z
        rows = [
            [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z],
        ]
        return np.array([[Fraction(entry, n) for entry in row] for row in rows], dtype=object)

    return rotation


@pytest.fixture(scope="session")
def oracle() -> Callable[[str], dict[str, Any]]:
    """The content of an oracle by file name."""
    return lambda name: json.loads((ORACLES / f"{name}.json").read_text())

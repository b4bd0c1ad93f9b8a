"""The vector fields of an SDE, and functions of its state, on exact numbers of any kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, final

import sympy as sp

from semidirect.core import Results, functions
from semidirect.equations import Program, emission
from semidirect.invariants.algebra.scalars import Numbers
from semidirect.invariants.algebra.sloped import along

if TYPE_CHECKING:
    from semidirect.equations import StratonovichSDE
    from semidirect.invariants.level import Level


@final
class Fields:
    """The fields of dy = f dt + Σ g_i∘dW^i, y = (state, coordinates of s, t): column 0 is the drift, 1, 2, … the noise.

    Attributes
    ----------
    sde : StratonovichSDE
    level : Level or None
    moving : tuple of Symbol
        y: the symbols of the state, of the stored coordinates of s, and t.
    columns : tuple of str
        ``drift``, ``noise1``, …
    inputs_read : set of Symbol
        The inputs and names that the fields and the quantities depend on, with the field of s if one of them depends on s.

    Parameters
    ----------
    sde : StratonovichSDE
    quantities : dict name → expressions
        Functions of the state.
    claims : dict name → expressions, optional
        The claimed dQ of some of them, linear in dt and dW; 0 for the others.
    level : Level, optional
        The part of the invariant set on which statements are meant.
    """

    def __init__(self, sde: StratonovichSDE, quantities: Mapping[str, Sequence[sp.Expr]] | None = None,
                 claims: Mapping[str, Sequence[sp.Expr]] | None = None, level: Level | None = None):  # fmt: skip
        self.sde, self.level = sde, level
        s = sde.setting
        self.moving = (*sde.state, *sde.coordinates.values(), s.t)
        self.columns = ("drift", *(f"noise{i + 1}" for i in range(sde.wieners)))
        self.inputs = (*self.moving, *sde.definition.parameters)
        self.quantities = {name: tuple(rows) for name, rows in (quantities or {}).items()}
        self.claims = {name: tuple(rows) for name, rows in (claims or {}).items()}
        claimed = [e for rows in self.claims.values() for e in rows]
        conditions = [] if level is None else [c.expression for c in level.conditions]
        rates = {"~rates": (*sde.program.outputs["state"], *claimed, *conditions)}
        program = sde.program.with_outputs(**rates, **self.quantities)
        self.reads_configuration = program.depends(
            [e for v in program.outputs.values() for e in v], sde.coordinates.values()
        )
        coordinate_rates = sde.program.outputs["coordinates"] if self.reads_configuration else ()
        self.inputs_read = program.with_outputs(**program.outputs, **{"~moved": coordinate_rates}).needed()
        self._texts = Results.of(sde).known(
            (_rate_texts, self.reads_configuration), lambda: _rate_texts(sde, self.reads_configuration)
        )
        self._quantity_texts: dict[str, str] = {}

    def at(self, numbers: Numbers, point: Mapping[Any, Any]) -> Evaluator:
        """The evaluator at a point, for numbers of one kind."""
        return Evaluator(self, numbers, point)

    def covectors(self, numbers: Numbers, point: Mapping[Any, Any]) -> tuple[list[list[Any]], list[Any]]:
        """A and b at a point, in A form."""
        annihilator = self.sde.setting.annihilator
        assert annihilator is not None
        k, n = annihilator.covectors.shape
        text = _source(self.sde.program, [*annihilator.covectors.flat, *annihilator.values], self.inputs)
        flat = functions.build(text, numbers.functions)(*(point.get(i, 0) for i in self.inputs))
        values = [_made(x, numbers) for x in flat]
        return [values[i * n : i * n + n] for i in range(k)], values[k * n :]

    def quantity_text(self, name: str) -> str:
        """The program of a quantity as text."""
        if name not in self._quantity_texts:
            self._quantity_texts[name] = _source(self.sde.program, self.quantities[name], self.inputs)
        return self._quantity_texts[name]

    def claim_text(self, name: str) -> str:
        """The program of a claimed dQ as text; its last inputs are dt and dW."""
        s = self.sde.setting
        return _source(self.sde.program, self.claims[name], (*self.inputs, s.dt, *s.dW))


@final
class Evaluator:
    """Fields and quantities on one kind of numbers at a point ``y`` in the order of ``Fields.moving``, or at another one."""

    def __init__(self, fields: Fields, numbers: Numbers, point: Mapping[Any, Any]):
        self.fields, self.numbers = fields, numbers
        self.y = self.state(point)
        self.parameters = [point[x] for x in fields.inputs[len(fields.moving) :]]
        self._rates = functions.build(fields._texts, numbers.functions)
        self._built: dict[str, Callable[..., tuple[Any, ...]]] = {}

    def state(self, point: Mapping[Any, Any]) -> list[Any]:
        """y at another point."""
        return [point.get(x, 0) for x in self.fields.moving]

    def rates(self, k: int, y: Sequence[Any] | None = None) -> list[Any]:
        """The field of column k, one rate for each of ``moving``."""
        rates = self._called(self._rates, y, self._column(k))
        still = [self.numbers.number(0)] * (len(self.fields.moving) - 1 - len(rates))
        return [*rates, *still, self.numbers.number(int(k == 0))]

    def values(self, name: str, y: Sequence[Any] | None = None) -> list[Any]:
        """The components of a quantity."""
        return self._called(self._function(name, self.fields.quantity_text), y)

    def derivative(self, name: str, k: int, y: Sequence[Any] | None = None) -> list[Any]:
        """DQ·g_k, the coefficient of a quantity in column k."""
        slopes = along(lambda inputs: self.values(name, inputs), self.y if y is None else y, self.rates(k, y))
        return [_made(x, self.numbers) for x in slopes]

    def defect(self, name: str, k: int) -> list[Any]:
        """DQ·g_k minus its claimed value, which is 0 by default."""
        derivative = self.derivative(name, k)
        claimed = self.claimed(name, k) if name in self.fields.claims else [0] * len(derivative)
        return [x - c for x, c in zip(derivative, claimed, strict=True)]

    def claimed(self, name: str, k: int, y: Sequence[Any] | None = None) -> list[Any]:
        """The claimed DQ·g_k."""
        return self._called(self._function(name, self.fields.claim_text), y, self._column(k))

    def _function(self, name: str, text: Callable[[str], str]) -> Callable[..., tuple[Any, ...]]:
        key = f"{text.__name__} {name}"
        if key not in self._built:
            self._built[key] = functions.build(text(name), self.numbers.functions)
        return self._built[key]

    def _called(self, function: Callable[..., tuple[Any, ...]], y: Sequence[Any] | None, column: Sequence[Any] = ()
                ) -> list[Any]:  # fmt: skip
        values = function(*(self.y if y is None else y), *self.parameters, *column)
        return [_made(x, self.numbers) for x in values]

    def _column(self, k: int) -> list[Any]:
        return [self.numbers.number(int(j == k)) for j in range(len(self.fields.columns))]


def _made(x: Any, numbers: Numbers) -> Any:
    return numbers.number(x) if isinstance(x, int) else x


def _rate_texts(sde: StratonovichSDE, configuration: bool) -> str:
    """The field of the state, and of the coordinates of s if something depends on them."""
    s, outputs = sde.setting, sde.program.outputs
    inputs = (*sde.state, *sde.coordinates.values(), s.t, *sde.definition.parameters, s.dt, *s.dW)
    return _source(sde.program, (*outputs["state"], *(outputs["coordinates"] if configuration else ())), inputs)


def _source(program: Program, outputs: Sequence[sp.Expr], inputs: Sequence[sp.Symbol]) -> str:
    return emission.source(program, outputs, inputs, exact=True)

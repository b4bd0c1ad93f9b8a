"""The class of a noise, on which the order of a method depends: additive, single, commutative or general."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from semidirect.core import by_path, display, exact, explains_calls, interpolation
from semidirect.definition import ExactValue
from semidirect.model.numerical_model import NumericalSDE
from semidirect.model.random_fields import RandomFields, Row, Sample

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition
    from semidirect.model.numerical_model import NumericalSDE

Name = Literal["none", "additive", "single", "commutative", "general"]
ORDER = ("none", "additive", "single", "commutative", "general")
STATES = 3
PATHS = 8


@dataclass(frozen=True, repr=False)
class NoiseClass(display.Read):
    """The class of the noise fields g_i of dy = f dt + Σ g_i∘dW^i.

    ``none``: all vanish. ``additive``: Dg_i = 0. ``single``: one process, or fields that are multiples of one. ``commutative``:
    [g_i, g_j] = Dg_j[g_i] − Dg_i[g_j] = 0 for all pairs. ``general``: the rest. A class belongs to the span of the fields, so
    that noises which are correlated, dW̃ = L dW with a regular L, have the class of independent ones.

    Attributes
    ----------
    name : str
        The class of the state y.
    reason : str
        Why, in a sentence.
    with_configuration : str
        The class of (y, s), where ds = s Σ v_i∘dW^i is reconstructed: its brackets have the components
        Dv_j[g_i] − Dv_i[g_j] + [v_i, v_j] in the algebra too, and it is additive where the rates of the stored coordinates
        of s are constant as well.
    reason_with_configuration : str
        Why, in a sentence.
    transports : bool
        Whether the noise moves s: whether any v_i is not 0.
    central : bool
        Whether all v_i commute with the whole algebra, as in ℝⁿ: they move s by their integrals, whatever else moves it.
    """

    name: Name
    reason: str
    with_configuration: Name
    reason_with_configuration: str
    transports: bool
    central: bool = True

    def __str__(self) -> str:
        if self.with_configuration == self.name:
            return f"{self.name}: {self.reason}"
        return f"{self.name}: {self.reason}; with s {self.with_configuration}: {self.reason_with_configuration}"

    @classmethod
    def of(cls, model: NumericalSDE) -> NoiseClass:
        """As :func:`noise_class`, of the equations of a system."""
        if not model.compiles:
            return model.noise_class()  # type: ignore[attr-defined]
        tables = [p for p in model.parameters if isinstance(p, interpolation.Table)]
        return of_fields([RandomFields(model, values, rounded, tables) for values, rounded in _parameters(model)])


@explains_calls
def noise_class(system: SystemDefinition, variables: str = "momentum", form: str | None = None) -> NoiseClass:
    """The class of the noise of a system with its parameters.

    The fields and their derivatives, by the jvp of the derived equations, are evaluated at random states on the orbit, exactly
    where their values are rational (see :class:`~semidirect.model.random_fields.RandomFields`); what vanishes at all of them is
    taken to vanish. Where fields are given by cases, states of all sizes are looked at in which other cases hold. Floats are read
    as proofs read them, see :class:`.ExactValue`; where some are rounded, what vanishes up to that rounding is taken to vanish.
    Parameters that differ from path to path are looked at on up to eight paths, evenly spaced among those that differ, and the
    most general class counts.

    Parameters
    ----------
    system : System
    variables, form : str, optional
        As for :meth:`System.sde`.

    Raises
    ------
    DefinitionError
        If the fields have no value at random states.
    """
    return NoiseClass.of(NumericalSDE.of(system, variables=variables, form=form))


def of_fields(fields: Sequence[RandomFields]) -> NoiseClass:
    """The most general class among those of some fields."""
    if not fields[0].m:
        return NoiseClass("none", "there is no noise", "none", "there is no noise", False)
    samples = [f.samples(STATES) for f in fields]

    def most_general(with_s: bool) -> tuple[Name, str]:
        classes = [_classified(f, s, with_s) for f, s in zip(fields, samples, strict=True)]
        return max(classes, key=lambda c: ORDER.index(c[0]))

    velocities = [[x for p in s for v in p.v for x in v] for s in samples]
    transports = any(not f.vanish(v, v) for f, v in zip(fields, velocities, strict=True))
    central = all(_central(f, p.v) for f, s in zip(fields, samples, strict=True) for p in s)
    return NoiseClass(*most_general(False), *most_general(True), transports, central)


def _central(fields: RandomFields, transports: Sequence[Row]) -> bool:
    """Whether [v, e_b] = 0 for all e_b."""
    for v in transports:
        sums: dict[tuple[int, int], Any] = {}
        for a, b, k, c in fields.group.brackets:
            sums[b, k] = sums.get((b, k), 0) + fields.coefficient(c) * v[a]
        if not fields.vanish(list(sums.values()), v):
            return False
    return True


def _parameters(model: NumericalSDE) -> list[tuple[list[tuple[Fraction, Fraction]], bool]]:
    """Exact values of the symbols of the parameters and whether some are rounded, for each examined path."""
    system = model.system
    where, parameters = system.workings.symbol_places, system.workings.parameters()
    if not where:
        return [([], False)]
    by_name = {n: by_path(system.values[n]) for n in parameters}
    columns = [v.reshape(len(v), -1)[:, _flat(i, v.shape[1:])] for v, i in ((by_name[n], i) for n, i in where)]
    table = np.array([np.broadcast_to(c, (system.workings.paths or 1,)) for c in columns], dtype=float)
    _, distinct = np.unique(table, axis=1, return_index=True)
    numbers = np.unique(np.linspace(0, len(distinct) - 1, PATHS).round().astype(int))
    entries = []
    for path in distinct[numbers]:
        values = {n: v[min(path, len(v) - 1)] for n, v in by_name.items()}
        exact = {n: ExactValue(parameters[n], v).entries() for n, v in values.items()}
        rounded = any(ExactValue(parameters[n], v).rounded() for n, v in values.items())
        entries.append(([exact[n][_flat(i, values[n].shape)] for n, i in where], rounded))
    return entries


def _flat(index: tuple[int, ...], shape: tuple[int, ...]) -> int:
    return int(np.ravel_multi_index(index, shape)) if index else 0


def _classified(fields: RandomFields, samples: Sequence[Sample], with_s: bool) -> tuple[Name, str]:
    m = fields.m
    everything = _rank(fields, [[x for p in samples for x in (*p.g[i], *p.v[i])] for i in range(m)])
    if everything == 0:
        return "none", "all noise fields vanish"
    if all(p.constant_with_s if with_s else p.constant for p in samples):
        return "additive", "the noise fields do not depend on the state"
    if m == 1:
        return "single", "there is one Wiener process"
    rank = everything if with_s else _rank(fields, [[x for p in samples for x in p.g[i]] for i in range(m)])
    if rank == 1:
        return "single", "all noise fields are multiples of one"
    for p in samples:
        for i in range(m):
            for j in range(i + 1, m):
                for name, value in _bracket(fields, p, i, j, with_s):
                    text = f"the noises {i + 1} and {j + 1} do not commute: [g{i + 1}, g{j + 1}] has a component along {name}"
                    return "general", f"{text}, {float(value):.2g} at a random state"
    return "commutative", "the brackets of all pairs of noise fields vanish"


def _bracket(fields: RandomFields, p: Sample, i: int, j: int, with_s: bool) -> Iterator[tuple[str, Any]]:
    """The components of [g_i, g_j] that do not vanish, with their names."""
    names, terms = list(fields.model.structure.state), [[a, -b] for a, b in zip(p.dg[j][i], p.dg[i][j], strict=True)]
    if with_s:
        bracket: Row = [0] * fields.n
        for a, b, k, c in fields.group.brackets:
            bracket[k] += fields.coefficient(c) * p.v[i][a] * p.v[j][b]
        for name, part in fields.group.blocks.items():
            count = part.stop - part.start
            names += [f"{name}{k + 1 if count > 1 else ''} of s" for k in range(count)]
        terms += [[a, -b, c] for a, b, c in zip(p.dv[j][i], p.dv[i][j], bracket, strict=True)]
    size = [x for row in terms for x in row]
    for name, row in zip(names, terms, strict=True):
        if not fields.vanish([sum(row)], size):
            yield name, sum(row)


def _rank(fields: RandomFields, rows: list[Row]) -> int:
    """The number of independent rows, by elimination on the largest entry."""
    largest = [max((abs(x) for r in rows for x in r), default=0)]

    def weight(x: Any) -> Any:
        return 0 if fields.vanish([x], largest) else abs(x)

    return len(exact.reduce_rows([list(r) for r in rows], range(len(rows[0]) if rows else 0), weight, anywhere=True))

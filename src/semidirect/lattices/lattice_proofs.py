"""Proofs for lattices: of quantities of each site, of sums over sites, and of the energy."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from semidirect.core import errors, exact
from semidirect.definition import Observable
from semidirect.equations import Program, emission, quantity_expressions
from semidirect.expressions import component_names
from semidirect.invariants import Proof, Verdict
from semidirect.invariants import prove as prove_of_site
from semidirect.lattices.coupled_site import OF_EDGES
from semidirect.lattices.sums import sums_of
from semidirect.model import NumericalSDE, numbers_of

if TYPE_CHECKING:
    from semidirect.invariants import Along

STATES, SEED = 4, 23
SHORT = 1e-4
CHANGES = 1e-6
"""A rate above this, relative to the sizes of gradient and field, is no rounding of a central difference of the fourth order."""
SAME = 1e-11
"""Largest relative difference of a quantity from a sum over the sites; measured are up to 1e-14."""
POINTS, BITS, DEGREE = 12, 40, 10**6
"""Exact points of an edge, the bits of their numbers, and a degree that no rate of an edge reaches."""
MOST_PRINTED = 24
EDGES = "the sites: conserved whatever forces their edges exert on {}"
GENERIC = "the sites: conserved at forces on {} that are drawn at random"
ENERGY = "the sites and edges: each site keeps its energy less ⟨F, a⟩ at any F, and Σ F·da is what the edges lose"


def prove_of_lattice(lattice: Any, quantity: Any, along: Along = "both") -> Proof:
    """Decide whether a lattice conserves a quantity along its columns; the arguments as of :meth:`.System.prove`.

    A text of the names of a site, ``"dot(S, S)"``, is meant at each site, and ``"sum(S)"`` as the sum over all sites. The noise
    columns are those of a site. Quantities of each site are proved for the site with arbitrary forces of its edges. Sums are
    proved for a site alone and, at exact random points, for both ends of an edge. The energy along the drift is proved by that
    of the sites. An observable counts as a sum over sites if it agrees with one at random states, which the proof says. A rate
    that differs from 0 at a random state, by differences, shows that a quantity is not conserved.
    """
    if lattice.workings.paths is not None:
        raise errors.InputError("a proof works at one set of parameters", got="parameters per path",
                                hint="Give the lattice of one path, lattice.at_path(0).")  # fmt: skip
    site, model = lattice.coupled(), NumericalSDE.of(lattice)
    if site.workings.paths is not None:
        raise errors.InputError("a proof works at one set of parameters", got="parameters that differ from site to site",
                                hint="Prove it for a lattice whose sites are alike.")  # fmt: skip
    count = model.equations.shape.wieners  # type: ignore[attr-defined]
    columns = ["drift", *(f"noise{k + 1}" for k in range(count))]
    name, text, function = _read(lattice, model, quantity)
    reading = ""
    if text is None and name != "energy":
        text, reading = _as_sum(model, function)
    summed = sums_of(text) if text else []

    def decide(k: int) -> Verdict:
        verdict = None
        if name == "energy" and lattice._derives_energy and k == 0:
            proof = _at_any_forces(lattice, "energy", columns[0])
            verdict = Verdict(columns[0], True, certificate=True, reason=ENERGY) if proof else None
        elif text and not summed:
            verdict = _of_each(lattice, text, columns[k])
        elif summed:
            verdict = _of_sum(lattice, site, " + ".join(f"({one})" for one in summed), k, columns[k])
        return verdict or _tried(model, function, k, columns[k])

    return Proof.by_columns(name, columns, along, decide, (reading,) if reading else ())


def _read(lattice: Any, model: Any, quantity: Any) -> tuple[str, str | None, Callable[[np.ndarray], np.ndarray]]:
    """The name of a quantity, its text where it is one of a site or a sum, and its rows ``(k, states)`` at states."""
    if isinstance(quantity, Observable):
        name = component_names.hyphenated(quantity.method.__name__)
        return name, None, lambda y: _rows(quantity.method(lattice, model.seen(y, 0.0, model.functions[0])), y)
    if callable(quantity):
        return "Q", None, lambda y: _rows(quantity(model.seen(y, 0.0, model.functions[0])), y)
    if not isinstance(quantity, str):
        raise errors.InputError(
            "a quantity", expected="a name, an expression or a function of the state", got=repr(quantity)
        )
    own = {**lattice.workings.quantities(derived=True), **lattice.observables()}
    if quantity in own:
        return quantity, None, lambda y: _rows(own[quantity].method(lattice, model.seen(y, 0.0, model.functions[0])), y)
    summed = sums_of(quantity)
    try:
        several = [
            ({"Q": model.equations.components(model.coupled, inner)}, _kind_of(model, inner))
            for inner in summed or [quantity]
        ]
    except errors.SemidirectError:
        if summed or quantity not in model.structure.labels:
            raise
        rows = {"Q": model.structure.components(lattice, quantity)}  # a component at one site
        return quantity, None, lambda y: model.read_rows(y, y[:0], 0.0, rows)

    def at(y: np.ndarray) -> np.ndarray:
        lanes, state = model.lanes(y.shape[1]), model.as_lanes(y)
        values = [model.of_sites(lanes.rows_of(state, 0.0, rows), kind) for rows, kind in several]
        return sum(x.sum(axis=1) for x in values) if summed else values[0].reshape(-1, y.shape[1])

    return quantity, quantity, at


def _kind_of(model: Any, text: str) -> int:
    """The kind of site that a quantity belongs to."""
    if not model.kinds.several:
        return 0
    kinds = {kind for kind in model.kinds.names if re.search(rf"[A-Za-z0-9]_{kind}(?![A-Za-z])", text)}
    if len(kinds) != 1:
        names = ", ".join(model.kinds.names)
        raise errors.InputError(
            f"the quantity {text!r}", expected=f"names of one kind of site, of {names}",
            got=", ".join(sorted(kinds)) or "no name of a kind",
            hint="A sum over sites of several kinds is written sum(…) + sum(…).",
        )  # fmt: skip
    return int(model.kinds.names.index(*kinds))


def _rows(value: Any, y: np.ndarray) -> np.ndarray:
    return numbers_of(value, y.shape[1], "the quantity")


def _as_sum(model: Any, function: Callable[[np.ndarray], np.ndarray]) -> tuple[str | None, str]:
    """A quantity as a sum over the sites of one variable or of products of it, if it agrees with one at random states."""
    y = model.random_states(STATES, SEED)
    with np.errstate(all="ignore"):
        rows = function(y)
    totals = {
        name: part.reshape(-1, model.flat[name].sites, STATES).sum(axis=1) for name, part in model.variables(y).items()
    }
    for count in range(1, len(model.kinds.names) + 1):
        for names in itertools.combinations(totals, count):
            values = [totals[name] for name in names]
            if all(rows.shape == (len(x), STATES) for x in values) and _same(rows, sum(values)):
                text = " + ".join(f"sum({name})" for name in names)
                return text, f"the value compared with {text} at {STATES} random states, to {SAME:g}"
    return None, ""


def _same(rows: np.ndarray, other: np.ndarray) -> bool:
    return bool(np.max(np.abs(rows - other)) <= SAME * max(float(np.max(np.abs(other))), 1.0))


def _at_any_forces(lattice: Any, quantity: str, column: str) -> str:
    """How a site conserves a quantity whatever the forces of its edges are; empty if it was not proved.

    Forces are drawn on what the energy of an edge depends on. Generic parameters are those with the pattern of the given ones, of
    which 0 is one, so that other forces stay 0.
    """
    site, rng, forces = lattice.coupled(), random.Random(SEED), dict[str, np.ndarray]()
    moved = _moved(lattice)
    for name, mask in moved.items():
        forces[f"{name}_{OF_EDGES}"] = np.array([rng.randrange(1001, 9999, 2) / 256 if x else 0.0 for x in mask])
    pushed = site.workings.with_values({**site.values, **forces})
    names = ", ".join(name for name, mask in moved.items() if mask.any()) or "nothing"
    for parameters, reason in (("generic", EDGES), ("given", GENERIC)):
        if prove_of_site(pushed, quantity, along=column, parameters=parameters).holds:  # type: ignore[arg-type]
            return reason.format(names)
    return ""


def _moved(lattice: Any) -> dict[str, np.ndarray]:
    """The components of each quantity of a site on which energies of edges depend, with the parameters of the lattice."""
    energies, rng = lattice.edge_energies(), np.random.default_rng(SEED)
    numbers, mask = (
        energies.numbers([lattice], lattice.per_edge, len(lattice.edge_pairs())),
        np.zeros(energies.count, dtype=bool),
    )
    for one in energies.kinds:
        count, both = len(one.rows[0]), len(one.rows[0]) + len(one.rows[1])
        ends = rng.standard_normal((both, len(one.edges), STATES))
        parameters = [p[one.edges] if np.ndim(p) and len(p) > 1 else p for p in numbers]
        slopes = one.energy.evaluate(ends[:count], ends[count:], 0.37, parameters)[1:]
        reads = np.array([bool(np.any(np.asarray(x) != 0)) for x in slopes], dtype=bool)
        mask[one.rows[0]] |= reads[:count]
        mask[one.rows[1]] |= reads[count:]
    return {name: mask[part] for name, part in energies.layout.items()}


def _of_each(lattice: Any, text: str, column: str) -> Verdict | None:
    reason = _at_any_forces(lattice, text, column)
    return Verdict(column, True, certificate=True, reason=reason) if reason else None


def _of_sum(lattice: Any, site: Any, text: str, k: int, column: str) -> Verdict | None:
    """A site alone conserves the quantity, and both ends of an edge together."""
    alone = prove_of_site(site, text, along=column)  # the forces of the edges are 0 there
    if not alone.holds:
        return None
    if k > 0:
        return Verdict(column, True, certificate=True, reason="the sites: each conserves it along its noise")
    try:
        rates = _rates_of_edge(lattice, site, text)
    except (ArithmeticError, TypeError, ValueError):
        return None
    if any(x != 0 for x in rates):
        return None
    return Verdict(column, True, points=POINTS, degree=DEGREE, error=(DEGREE / 2.0**BITS) ** POINTS)


def _rates_of_edge(lattice: Any, site: Any, text: str) -> list[Any]:
    """The rates of the sum over both ends of an edge of each kind that its forces make, at exact random points."""
    sde, energies = NumericalSDE.of(site).sde, lattice.edge_energies()
    quantity = tuple(quantity_expressions.text_expressions(site, text, sde))
    column = sde.column(0)
    tangent = dict(zip(sde.state, column.outputs["state"], strict=True))
    tangent |= dict(zip(sde.coordinates.values(), column.outputs["coordinates"], strict=True))
    along = column.with_outputs(q=quantity).jvp(tangent, "'")
    inputs = (*sde.state, sde.setting.t, *sde.definition.parameters)
    rate = emission.exact_function(along, along.outputs["q"], inputs)
    rng, out = random.Random(), list[Any]()

    def draw() -> Fraction:
        return Fraction(rng.getrandbits(BITS) + 1, rng.getrandbits(BITS) + 1)

    sign, places = 1 if lattice.edge_energy_is_of_h() else -1, site.workings.symbol_places
    first = NumericalSDE.of(lattice).forces.first  # type: ignore[attr-defined]
    numbers = [
        Fraction(0) if name.endswith(OF_EDGES) else exact.exact_array(site.values[name])[index]
        for name, index in places
    ]
    of_edges = [i for i, (name, _) in enumerate(places) if name.endswith(OF_EDGES)]
    functions = [
        emission.exact_function(Program(x.inputs, (), {}), [*x.slopes[0], *x.slopes[1]], x.inputs)
        for x in (one.energy for one in energies.kinds)
    ]
    for (one, slopes), _ in itertools.product(zip(energies.kinds, functions, strict=True), range(POINTS)):
        t, energy = draw(), one.energy
        ends = [_point(site, sde, draw) for _ in range(2)]
        own = [
            draw() if name in lattice.per_edge else exact.exact_array(lattice.values[name])[index]
            for name, array in energy.parameters.items() for index in np.ndindex(array.shape)
        ]  # fmt: skip
        parts = [[end[first + row] for row in rows] for end, rows in zip(ends, one.rows, strict=True)]
        forces = slopes(*parts[0], *parts[1], t, *own)
        total: Any = None
        for end, rows, F in zip(ends, one.rows, (forces[: len(parts[0])], forces[len(parts[0]) :]), strict=True):
            pushed = list(numbers)
            for row, x in zip(rows, F, strict=True):
                pushed[of_edges[row]] = sign * x
            change = [a - b for a, b in zip(rate(*end, t, *pushed), rate(*end, t, *numbers), strict=True)]
            total = change if total is None else [a + b for a, b in zip(total, change, strict=True)]
        out += total or []
    return out


def _point(site: Any, sde: Any, draw: Callable[[], Fraction]) -> list[Any]:
    """An exact state of a site, its advected quantities those of a random configuration."""
    definition = site._with_exact_numbers().workings.definition()
    a = iter(definition.random_orbit_point(draw))
    return [next(a) if part.kind == "advected" else draw() for part in sde.variables for _ in part.symbols]


def _tried(model: Any, function: Callable[[np.ndarray], np.ndarray], k: int, column: str) -> Verdict:
    """The rate of a quantity along a column at random states, by central differences of the fourth order."""
    y = model.random_states(STATES, SEED)
    dW = np.zeros((model.wieners, STATES))
    if k:  # of the first site alone, or common to all
        dW[model.noises.places[k - 1, 0] if model.own_noise else k - 1] = 1.0
    field = model.field(y, 0.0, float(k == 0), dW)[: model.dimension]
    step = SHORT / max(float(np.max(np.abs(field))), 1e-300)

    def at(multiple: float) -> np.ndarray:
        with np.errstate(all="ignore"):
            return function(y + multiple * step * field)

    rate = (8 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12 * step)
    size = np.max(np.abs(at(0)), axis=1) / (step / SHORT)
    where = np.argwhere(~(np.abs(rate) <= CHANGES * np.maximum(size, 1e-300)[:, None]))
    if len(where):
        import sympy as sp

        row, state = map(int, where[0])
        parts = {
            name: tuple(sp.Float(float(x), 8) for x in part[:, state]) for name, part in model.variables(y).items()
        }
        short = {name: part for name, part in parts.items() if len(part) <= MOST_PRINTED}
        return Verdict.refuted(column, short, sp.Float(float(rate[row, state]), 6))
    return Verdict(column, None, reason="its rate is within rounding at random states, and no proof is known")

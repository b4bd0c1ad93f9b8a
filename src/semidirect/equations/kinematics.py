"""The common start of every principle: velocities, momenta, transport and advection of a definition, staged."""

from __future__ import annotations

import reprlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import accumulate
from typing import Any, TypeVar

import numpy as np
import sympy as sp

from semidirect.core import errors, exact, messages, ops, symbols, user_code
from semidirect.definition import Annihilator, Definition, Distribution, ValuesAt
from semidirect.equations.constraint_parts import ConstraintParts, constraint_parts
from semidirect.equations.contact_force import ContactTerms, contact_terms
from semidirect.equations.letters import Letter, Letters
from semidirect.equations.program import Let, Solve, Statement
from semidirect.equations.regularity import leading_minors
from semidirect.equations.replacement import replaced


class ProgramBuilder:
    """Statements being collected, those of letters first. Plain symbols and numbers are not given new names."""

    def __init__(self, letters: Sequence[Letter] = ()) -> None:
        self.statements: list[Statement] = []
        for letter in letters:
            self.statements.append(Let(tuple(letter.symbols), tuple(letter.expressions), letter.partials))
            for slope in letter.slopes:
                if slope.is_symbol:
                    self.define(slope.entries.ravel(), slope.expressions.ravel())

    def let(self, names: np.ndarray, expressions: Any) -> np.ndarray:
        """Name expressions and return what to call them from now on; names may be texts."""
        values = exact.objects(list(expressions))
        fresh = [i for i, e in enumerate(values) if not (e.is_Symbol or e.is_Number)]
        if len(names) and isinstance(names[0], str):
            names = names.copy()
            names[fresh] = [sp.Symbol(name, real=True) for name in names[fresh]]
        self.define(names[fresh], values[fresh])
        values[fresh] = names[fresh]
        return values

    def define(self, names: np.ndarray, expressions: np.ndarray) -> None:
        """Give expressions names that are in use already."""
        if len(names):
            self.statements.append(Let(tuple(names), tuple(expressions)))

    def solve(self, names: np.ndarray, matrix: np.ndarray, rhs: np.ndarray, *, symmetric: bool,
              written_out: np.ndarray | None = None) -> np.ndarray:  # fmt: skip
        """Name the solution of a linear system.

        ``symmetric``: whether the matrix is; then no rows are exchanged where no leading minor vanishes. ``written_out``: the
        matrix without the names given to its entries, where there are such.
        """
        if not len(names):
            return names
        messages.stage("the mass matrix")
        rows = tuple(tuple(sp.sympify(e) for e in row) for row in matrix)
        for j, name in enumerate(names):
            if all(row[j] == 0 for row in rows):
                raise errors.DefinitionError(
                    f"singular mass matrix: {name.name.removeprefix('~')} is undetermined",
                    hint="Does every admissible velocity carry kinetic energy?",
                )
        whole = rows if written_out is None else [[sp.sympify(e) for e in row] for row in written_out]
        minors = leading_minors(whole)
        if minors and not minors[-1]:
            names_of = ", ".join(name.name.removeprefix("~") for name in names)
            raise errors.DefinitionError(
                f"singular mass matrix: {names_of} are not all determined, their matrix is singular everywhere",
                hint="Does every admissible velocity carry kinetic energy, and are the constraints independent?",
            )
        symmetric = symmetric and all(rows[j][j] != 0 for j in range(len(rows))) and all(minors or ())
        self.statements.append(Solve(tuple(names), rows, tuple(map(sp.sympify, rhs)), symmetric))
        return names


@dataclass(frozen=True)
class SymbolicDefinition:
    """A definition called with symbols: the expressions of l, B, c, A, b, C, N_i, F at (ξ, a, t, z).

    ``momentum`` is ∂l/∂ξ, ``hessian`` ∂²l/∂ξ², ``lagrangian_a`` ∂l/∂a; ``fields`` the N_i with formal amplitudes as
    symbols, which ``formal`` then defines; ``forces`` the columns F_k (dt, the W^i, the B^j); ``contact`` that of the
    constraint. ``letters`` are functions of (a, t, z) whose symbols stand in all of these; ``dissipation`` is θ (m, m) and θ_a.

    Where equations come from h, it is ``hamiltonian`` at (p, a, t, z), ``velocity`` is ∂h/∂p, ``momentum`` p itself, and l is 0.
    ``noise_hamiltonians`` has the h_i at the places of their fields N_i = ∂h_i/∂p, and ``None`` at those of others.

    Where several constraints are joined, ``parts`` has the rows and the contact of each.
    """

    definition: Definition
    xi: np.ndarray
    a: np.ndarray
    z: np.ndarray
    t: sp.Symbol
    dt: sp.Symbol
    dW: np.ndarray
    lagrangian: sp.Expr
    momentum: np.ndarray
    hessian: np.ndarray
    distribution: Distribution | None
    annihilator: Annihilator | None
    fields: tuple[np.ndarray, ...]
    formal: tuple[np.ndarray, np.ndarray]
    forces: tuple[np.ndarray, ...]
    internal: tuple[np.ndarray, ...]
    contact: ContactTerms | None
    letters: tuple[Letter, ...] = ()
    dissipation: tuple[np.ndarray, np.ndarray] | None = None
    p: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=object))
    hamiltonian: sp.Expr | None = None
    velocity: np.ndarray | None = None
    noise_hamiltonians: tuple[sp.Expr | None, ...] = ()
    parts: ConstraintParts | None = None

    @property
    def arguments(self) -> tuple[sp.Symbol, ...]:
        """The symbols of a state that the functions of the definition are called with, and its parameters."""
        return (*self.xi, *self.p, *self.a, *self.z, self.t, *self.definition.parameters)

    @property
    def varied(self) -> sp.Expr:
        """The function in which a is varied, at ξ or at p: l, or −h, as ∂l/∂a at ξ is −∂h/∂a at p = ∂l/∂ξ."""
        return self.lagrangian if self.hamiltonian is None else -self.hamiltonian

    @property
    def amplitudes(self) -> list[slice]:
        """The place of each formal amplitude in :attr:`formal`."""
        counts = Counter(x.name.partition("_")[0] for x in self.formal[0])  # ~xi1_1, ~xi1_2, …, ~xi2_1
        ends = list(accumulate(counts.values()))
        return [slice(end - count, end) for end, count in zip(ends, counts.values(), strict=True)]

    @property
    def constants(self) -> dict[sp.Symbol, sp.Expr]:
        """Components of a that never move, such as the weight of a position, and their values."""
        d = self.definition
        constants: dict[sp.Symbol, sp.Expr] = {}
        for name, part in d.advected_layout.items():
            values = d.advected[name].constants
            constants |= {self.a[part][i]: sp.Rational(x.numerator, x.denominator) for i, x in values.items()}
        return constants

    def replaced(self, rules: Mapping[sp.Symbol, sp.Expr]) -> SymbolicDefinition:
        """The same expressions with some symbols replaced; the symbols of ξ, a and z stay in their places."""
        names = (
            "lagrangian",
            "momentum",
            "hessian",
            "distribution",
            "annihilator",
            "fields",
            "formal",
            "forces",
            "internal",
            "dissipation",
            "hamiltonian",
            "velocity",
            "noise_hamiltonians",
        )
        return replace(
            self, **{name: replaced(getattr(self, name), rules) for name in (*names, "contact", "letters", "parts")}
        )

    @property
    def quadratic(self) -> bool:
        """Whether there is an l that is quadratic in ξ."""
        velocities = set(self.xi)
        return self.hamiltonian is None and not any(e.free_symbols & velocities for e in self.hessian.flat)

    @property
    def energy(self) -> sp.Expr:
        """h, or E = ⟨∂l/∂ξ, ξ⟩ − l; where l is quadratic, l₂ − l₀, written as l − l₁ − 2 l₀ so that it has the form of l."""
        if self.hamiltonian is not None:
            return self.hamiltonian
        still = dict.fromkeys(self.xi, sp.Integer(0))
        rest = self.lagrangian.xreplace(still)
        if not self.quadratic or rest.has(sp.nan, sp.zoo, sp.oo):
            return sp.Add(*(p * x for p, x in zip(self.momentum, self.xi, strict=True))) - self.lagrangian
        linear = sp.Add(*(p.xreplace(still) * x for p, x in zip(self.momentum, self.xi, strict=True)))
        return self.lagrangian - linear - 2 * rest

    @property
    def ideal(self) -> bool:
        """Whether reactions do no work along D."""
        if self.distribution is not None:
            return self.distribution.test is None
        assert self.annihilator is not None
        return bool(np.all(self.annihilator.directions == self.annihilator.covectors.T))

    @property
    def wieners(self) -> int:
        """Number of Wiener processes."""
        return len(self.dW)

    @classmethod
    @user_code.tracing()
    def of(cls, definition: Definition, *, lettered: bool = False) -> SymbolicDefinition:
        """Call all functions of a definition with symbols, those it names as letters where ``lettered``.

        Raises
        ------
        DefinitionError
            Where a function returns another shape than its place asks for.
        """
        group, constraint = definition.group, definition.constraint
        n = group.dimension
        xi, a, z = (symbols.named(x) for x in (group.blocks, definition.advected_layout, definition.internal_layout))
        t = sp.Symbol("t", real=True)
        p = symbols.named(definition.momenta if definition.has_momenta else {})
        here = ValuesAt(definition, xi, a, z, t, p)
        letters = Letters(definition, here, a, z, t) if lettered else None
        if letters is not None:
            constraint = constraint.with_vectors(letters.named)
            here = ValuesAt(replace(definition, constraint=constraint), xi, a, z, t, p)
            state = {k: here.at[k] for k in ("a", "t", "z")}
            # called once before l, the normal first: from now on their vectors are letters wherever these stand
            _ = [user_code.call(ground.normal, **state) for ground in constraint.contacts().values()]
            _ = here.distribution, here.annihilator

        def in_letters(value: np.ndarray) -> np.ndarray:
            return value if letters is None else letters.written(value)

        at = here.at
        messages.stage("derivatives of the Lagrangian")
        plain = _shaped(here.lagrangian, (), "a Lagrangian")
        lagrangian = in_letters(plain).item()
        momentum = _gradient(lagrangian, xi)
        hessian = np.array([[sp.expand(slope) for slope in symbols.gradient(e, xi)] for e in momentum], dtype=object)
        hamiltonian = velocity = None
        if definition.by_hamiltonian:
            hamiltonian = in_letters(_shaped(here.hamiltonian, (), "a Hamiltonian")).item()
            momentum, velocity = p, _gradient(hamiltonian, p)
        random = [in_letters(_shaped(h, (), "a noise Hamiltonian")).item() for h in here.noise_hamiltonians]

        amplitudes = [in_letters(symbols.exact_rows(x, "an amplitude of a noise")) for x in here.amplitudes]
        placeholders: list[np.ndarray] = []
        formal = (np.zeros(0, dtype=object), np.zeros(0, dtype=object))
        if constraint.noise.formal:
            placeholders = [symbols.staged(f"xi{i + 1}_", len(x)) for i, x in enumerate(amplitudes)]
            if placeholders:
                formal = (np.concatenate(placeholders), np.concatenate(amplitudes))
        fields = [in_letters(_shaped(x, (n,), "a noise field N_i")) for x in here.fields(placeholders or amplitudes)]
        stated = [*([None] * len(fields)), *random]
        fields += [_gradient(h, p) for h in random]

        dissipation = here.dissipation
        if dissipation is not None:
            matrix, weights = dissipation
            dissipation = (
                _shaped(matrix, matrix.shape, "θ of a double bracket"),
                _shaped(weights, (len(a),), "θ_a of a double bracket"),
            )
        internal = [in_letters(x) for x in _internal_columns(definition, here.state)]
        forced = [[in_letters(x) for x in part] for part in _force_columns(definition, at, n)]
        shared = max(len(fields), len(internal) - 1, len(forced[0]) - 1)
        independent = forced[1]
        fields += [np.array([sp.Integer(0)] * n, dtype=object)] * (shared + len(independent) - len(fields))
        zero = np.array([sp.Integer(0)] * n, dtype=object)
        forces = [*forced[0], *[zero] * (shared + 1 - len(forced[0])), *independent]
        zero_z = np.array([sp.Integer(0)] * len(z), dtype=object)
        internal += [zero_z] * (shared + len(independent) + 1 - len(internal))

        result = SymbolicDefinition(
            definition, xi, a, z, t, sp.Symbol("dt", real=True),
            np.array([sp.Symbol(f"dW{i + 1}", real=True) for i in range(len(fields))], dtype=object),
            lagrangian, momentum, hessian,
            _mapped(_distribution(here.distribution, n, constraint.prescribed), in_letters),
            _mapped(_annihilator(here.annihilator, n), in_letters),
            tuple(fields), formal, tuple(forces), tuple(internal),
            contact_terms(constraint.ground_contact(), definition, plain.item(), at, a, letters),
            dissipation=dissipation, p=p, hamiltonian=hamiltonian, velocity=velocity,
            noise_hamiltonians=(*stated, *([None] * (len(fields) - len(stated)))),
            parts=constraint_parts(definition, constraint, plain.item(), at, a, letters),
        )  # fmt: skip
        return result if letters is None else replace(result, letters=letters.used(vars(result).values()))


def _gradient(expression: sp.Expr, variables: np.ndarray) -> np.ndarray:
    return np.array(symbols.gradient(expression, variables), dtype=object)


_Form = TypeVar("_Form", Distribution | None, Annihilator | None)


def _mapped(form: _Form, function: Callable[[np.ndarray], np.ndarray]) -> _Form:
    """A form of the constraint with a function applied to its arrays."""
    if form is None:
        return form
    return replace(form, **{k: None if v is None else function(v) for k, v in vars(form).items()})


def _shaped(value: Any, shape: tuple[int | None, ...], what: str) -> np.ndarray:
    array = symbols.exact_array(value, what)
    if len(array.shape) != len(shape) or any(s not in (None, k) for s, k in zip(shape, array.shape, strict=True)):
        expected = "(" + ", ".join("any" if s is None else str(s) for s in shape) + ")"
        raise errors.DefinitionError(f"{what} has the wrong shape", expected=expected, got=str(array.shape))
    return array


def _distribution(d: Distribution | None, n: int, prescribed: bool) -> Distribution | None:
    if d is None:
        return None
    basis = _shaped(d.basis, (n, None), "the basis B of a distribution")
    if not basis.shape[1] and not prescribed:
        raise errors.DefinitionError("the basis B of a distribution", expected="one column or more", got="none")
    _full_rank(basis.T, "the columns of the basis B of a distribution")
    offset = np.array([sp.Integer(0)] * n, dtype=object)
    if d.offset is not None:
        offset = _shaped(d.offset, (n,), "the offset c of a distribution")
    return Distribution(basis, offset, None if d.test is None else _shaped(d.test, basis.shape, "the test space B_V"))


def _annihilator(c: Annihilator | None, n: int) -> Annihilator | None:
    if c is None:
        return None
    covectors = _shaped(c.covectors, (None, n), "the covectors A of a constraint")
    _full_rank(covectors, "the covectors A of a constraint")
    k = len(covectors)
    values = np.array([sp.Integer(0)] * k, dtype=object)
    if c.values is not None:
        values = _shaped(c.values, (k,), "the values b of a constraint")
    directions = covectors.T if c.directions is None else _shaped(c.directions, (n, k), "the reaction directions C")
    return Annihilator(covectors, values, directions)


def _full_rank(rows: np.ndarray, what: str) -> None:
    """Raise an error for dependent rows, if they are numbers."""
    if all(e.is_Rational for e in rows.flat):
        numbers = [[Fraction(int(e.p), int(e.q)) for e in row] for row in rows]
        rank = len(exact.reduce_rows(numbers, range(rows.shape[1])))
    else:
        rank = sp.Matrix(rows).rank() if all(e.is_Number for e in rows.flat) else len(rows)
    if rank < len(rows):
        raise errors.DefinitionError(
            f"{what} are linearly dependent", expected=f"{len(rows)} independent ones", got=str(rows.tolist())
        )


def _internal_columns(definition: Definition, at: dict[str, Any]) -> list[np.ndarray]:
    """Columns of dz: α, then β_1, β_2, …"""
    parts = []
    for state in definition.internal_states:
        drift = user_code.call(state.drift, **at)
        drift = ops.zeros(state.dimension) if drift is None else drift
        noise = user_code.call(state.noise, **at)
        where = f"of the internal state {state.name!r}"
        if not isinstance(noise, Iterable):
            raise errors.DefinitionError(
                f"the noise {where}", expected="a sequence, one vector for each W^i", got=repr(noise)
            )
        columns = [np.reshape(drift, -1), *(np.reshape(b, -1) for b in noise)]
        parts.append([_shaped(c, (state.dimension,), f"a column {where}") for c in columns])
    count = max((len(p) for p in parts), default=1)
    zero = sp.Integer(0)
    columns = []
    for k in range(count):
        rows = [list(p[k]) if k < len(p) else [zero] * len(p[0]) for p in parts]
        columns.append(np.array([e for r in rows for e in r], dtype=object))
    return columns


def _force_columns(definition: Definition, at: dict[str, Any], n: int) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Columns F, F_1, F_2, … and F'_1, F'_2, …"""
    forces = definition.forces
    drift = ops.zeros(n) if forces.drift is None else user_code.call(forces.drift, **at)
    noise, independent = (_random(f, at) for f in (forces.noise, forces.independent))
    shared = [_shaped(_covector(f), (n,), "an external force") for f in (drift, *noise)]
    return shared, [_shaped(_covector(f), (n,), "an external force") for f in independent]


def _random(force: Any, at: dict[str, Any]) -> list[Any]:
    covectors = () if force is None else user_code.call(force, **at)
    columns = user_code.listed(covectors)
    if columns is None:
        raise errors.DefinitionError(
            "a random force",
            expected="a sequence of covectors, one for each Wiener process",
            got=reprlib.repr(covectors),
        )
    return columns


def _covector(force: Any) -> np.ndarray:
    """A force given as a vector, or as a tuple of its blocks."""
    if isinstance(force, (tuple, list)) and force:
        return np.concatenate([symbols.exact_rows(part, "a part of an external force") for part in force])
    return np.asarray(force)

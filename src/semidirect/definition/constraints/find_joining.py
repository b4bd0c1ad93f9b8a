"""The joint solution of several constraints, decided at generic states: redundant, contradictory and undetermined ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, pairwise
from random import Random
from typing import Any

import numpy as np

from semidirect.core import Blocks, errors, user_code
from semidirect.definition.constraints.elimination import SMALL, Elimination, rank
from semidirect.definition.constraints.joined_constraints import JoinedConstraints
from semidirect.definition.constraints.joining import Joining
from semidirect.definition.constraints.stochastic_constraint import StochasticConstraint
from semidirect.groups import LieGroup

POINTS, TRIES = 4, 40
"""How many generic states are looked at, and how many are tried to find that many where the definition has a value."""

NO_VALUE = (errors.SemidirectError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What a user's function may raise at a point; the derivation reports such an error with its own message."""


@dataclass(frozen=True)
class _Sample:
    """One generic state: the arguments of a constraint, and A, b, the noise fields of the parts."""

    at: dict[str, Any]
    A: np.ndarray
    b: np.ndarray


@dataclass(frozen=True)
class States:
    """Where constraints have values: a group, layouts of a and of z, and points of the orbit made of random numbers."""

    group: LieGroup
    advected: Mapping[str, slice]
    internal: Mapping[str, slice]
    orbit_point: Callable[[Callable[[], Any]], np.ndarray]

    def arguments(self, random: Random) -> dict[str, Any]:
        """The arguments of a constraint at a random state."""

        def draw() -> float:
            return random.choice((-1, 1)) * random.uniform(0.2, 2.0)

        a = np.array([float(x) for x in self.orbit_point(lambda: _fraction(random))])
        z = np.array([draw() for part in self.internal.values() for _ in range(part.start, part.stop)])
        xi = np.array([draw() for _ in range(self.group.dimension)])
        return {
            "xi": Blocks.split(xi, self.group.blocks, "velocity"),
            "a": Blocks.split(a, self.advected, "advected quantity"),
            "z": Blocks.split(z, self.internal, "internal state"),
            "t": abs(draw()),
            "group": self.group,
        }


def find_joining(joined: JoinedConstraints, states: States, scaled: JoinedConstraints | None = None) -> Joining:
    """How constraints are solved together.

    Parameters
    ----------
    joined : JoinedConstraints
        With their numbers.
    states : States
    scaled : JoinedConstraints, optional
        The same constraints with other numbers for parameters, which show what does not depend on them.

    Raises
    ------
    DefinitionError
        If they contradict each other or leave no direction, or if a noise that one lifts breaks another.
    """
    points = list(islice(_points(joined, states), POINTS))
    if len(points) < 2:
        _raise_own(joined, states)
    n = states.group.dimension
    complements = tuple(_complement(name, part, points, n) for name, part in joined.parts.items())
    # rows need the complements alone
    steps = JoinedConstraints(dict(joined.parts), Joining(_NOTHING, complements, (), (), (), True))
    samples = [_sample(steps, at) for at in points]
    counts = [len(p.covectors) for p in steps.stacked(**points[0])]
    ends = np.cumsum([0, *counts])
    rows = tuple((int(a), int(b)) for a, b in pairwise(ends))
    stack = np.stack([s.A for s in samples])
    likely = _ones(stack)
    if scaled is not None:
        likely &= _ones(np.stack([_sample(scaled.joined(steps.joining), at).A for at in points]))
    elimination = Elimination.of(stack, likely)
    names = list(joined.parts)
    _refuse_contradictions(names, rows, samples)
    most = max(rank(s.A) for s in samples)
    affine = any(np.abs(s.b).max(initial=0.0) > 0 for s in samples)
    if most == n:
        raise errors.DefinitionError(
            f"the constraints {_listed(names)} leave no direction free"
            + (", so that rest is the only motion" if not affine else ""),
            expected=f"fewer than {n} independent covectors in 𝔰 of dimension {n}", got=str(most),
            hint="A velocity that is wholly given is sd.PrescribedVelocity(velocity).",
        )  # fmt: skip
    ideal = not any(s.directions is not None for s in steps.stacked(**points[0]))
    redundant = _redundant(names, rows, samples[0].A)
    if redundant and not ideal:
        raise errors.DefinitionError(
            f"the constraints {_listed(redundant[0])} are redundant, and a reaction does not point along its covectors",
            expected="independent constraints, or reactions C = Aᵀ",
            got=f"{sum(counts)} covectors of rank {most}",
            hint="The motion would depend on multipliers that are not determined: leave one of these constraints out.",
        )  # fmt: skip
    _refuse_broken(steps, points)
    undetermined = _undetermined(steps, rows, points, samples) if redundant else ()
    return Joining(elimination, complements, rows, redundant, undetermined, ideal)


_NOTHING = Elimination.of(np.zeros((1, 0, 0)), np.zeros((0, 0), dtype=bool))


def _ones(stack: np.ndarray) -> np.ndarray:
    """Entries ±1 are the pivots that users mean: they keep equations short."""
    return (np.abs(np.abs(stack) - 1) < SMALL).all(axis=0)


def _points(joined: JoinedConstraints, states: States) -> Iterator[dict[str, Any]]:
    """Arguments of constraints at random states of the orbit, at which all parts have values."""
    random = Random("joined")
    for _ in range(TRIES):
        try:
            at = states.arguments(random)
            for part in joined.parts.values():
                _of_part(part, at)
        except NO_VALUE:
            continue
        yield at


def _fraction(random: Random) -> Any:
    return Fraction(random.randint(1, 12) * random.choice((-1, 1)), random.choice((5, 7, 11)))


def _raise_own(joined: JoinedConstraints, states: States) -> None:
    """Raise the error of a constraint that has a value nowhere."""
    at = states.arguments(Random("joined"))
    for name, part in joined.parts.items():
        try:
            _of_part(part, at)
        except errors.SemidirectError:
            raise
        except NO_VALUE as error:
            raise errors.DefinitionError(
                f"the constraint {name!r} has no value at generic states",
                expected="finite numbers in its covectors or directions", got=str(error),
            ) from error  # fmt: skip
    raise errors.DefinitionError(
        "the constraints have no value at generic states", got=", ".join(joined.parts),
        hint="Each has a value alone: look for states that all of them allow.",
    )  # fmt: skip


def _of_part(part: StochasticConstraint, at: dict[str, Any]) -> None:
    stated = user_code.call(part.annihilator, **at)
    parts: tuple[Any, ...]
    if stated is not None:
        parts = stated.covectors, stated.values, stated.directions
    else:
        directions = user_code.call(part.distribution, **at)
        parts = () if directions is None else (directions.basis, directions.offset, directions.test)
    if not all(np.all(np.isfinite(_floats(values))) for values in parts if values is not None):
        raise ValueError("nan or inf")


def _complement(name: str, part: StochasticConstraint, points: Sequence[dict[str, Any]], n: int) -> Elimination | None:
    """The steps from directions to covectors, for a constraint that states no covectors."""
    if user_code.call(part.annihilator, **points[0]) is not None:
        return None
    bases = []
    for at in points:
        stated = user_code.call(part.distribution, **at)
        if stated is None:
            raise errors.DefinitionError(
                f"the constraint {name!r} gives neither directions nor covectors",
                hint="Define distribution() or annihilator().",
            )
        bases.append(_floats(stated.basis).T)
    if bases[0].shape[0] == n:
        return None
    stack = np.stack(bases)
    steps = Elimination.of(stack, _ones(stack))
    if not steps.has_basis:
        raise errors.DefinitionError(
            f"the constraint {name!r} states directions alone, from which no covectors follow that hold at every state",
            expected="covectors, for constraints that are joined", got=f"{type(part).__name__}, {bases[0].shape[0]} directions",
            hint="State it by sd.CovectorConstraint(covectors), or define annihilator() beside distribution().",
        )  # fmt: skip
    return steps


def _sample(steps: JoinedConstraints, at: dict[str, Any]) -> _Sample:
    A, b, _ = steps.whole(**at)
    return _Sample(at, _floats(A), np.zeros(len(A)) if b is None else _floats(b))


def _floats(value: Any) -> np.ndarray:
    """Entries as floats; symbols of parameters have the values of a generic point."""
    array = np.asarray(value, dtype=object)
    return np.array([_number(x) for x in array.flat], dtype=float).reshape(array.shape)


def _number(x: Any) -> float:
    free = getattr(x, "free_symbols", None)
    if free:
        x = x.xreplace({s: Random(s.name).uniform(0.3, 1.7) for s in free})
    return float(x)


def _refuse_contradictions(names: Sequence[str], rows: Sequence[tuple[int, int]], samples: Sequence[_Sample]) -> None:
    """Raise an error where a combination of rows is 0 and that of their values is not."""
    for sample in samples:
        free = _null(sample.A)
        values = free.T @ sample.b
        scale = np.abs(free).T @ np.abs(sample.b)
        for combination, value, size in zip(free.T, values, scale, strict=True):
            if abs(value) > SMALL * max(size, 1e-300) * 10:
                who = _of_rows(names, rows, combination)
                raise errors.DefinitionError(
                    f"the constraints {_listed(who)} contradict each other: a combination of their covectors is 0, "
                    "and that of their values is not",
                    expected="A ξ = b with a solution ξ",
                    got=f"{_combination(names, rows, combination)} = 0 on the left, {value:.3g} on the right",
                    hint="Correct their values b, or leave one of them out.",
                )


def _null(A: np.ndarray) -> np.ndarray:
    """Combinations N of rows that vanish, Nᵀ A = 0, reduced so that few rows take part."""
    if not len(A):
        return np.zeros((0, 0))
    sizes = np.maximum(np.linalg.norm(A, axis=1), np.finfo(float).tiny)
    u, values, _ = np.linalg.svd(A / sizes[:, None])
    free = u[:, int(np.sum(values > SMALL * max(1.0, values.max(initial=0.0)))) :]
    for j in range(free.shape[1]):  # to echelon form
        i = int(np.argmax(np.where(np.arange(len(A)) >= 0, np.abs(free[:, j]), 0)))
        free[:, j] /= free[i, j]
        for m in range(free.shape[1]):
            if m != j:
                free[:, m] -= free[i, m] * free[:, j]
    free[np.abs(free) < SMALL] = 0.0
    out: np.ndarray = free / sizes[:, None]
    return out / np.maximum(np.abs(out).max(axis=0, initial=0.0), np.finfo(float).tiny)


def _redundant(names: Sequence[str], rows: Sequence[tuple[int, int]], A: np.ndarray) -> tuple[tuple[str, ...], ...]:
    return tuple(dict.fromkeys(tuple(_of_rows(names, rows, one)) for one in _null(A).T))


def _of_rows(names: Sequence[str], rows: Sequence[tuple[int, int]], combination: np.ndarray) -> list[str]:
    return [name for name, (i, j) in zip(names, rows, strict=True) if np.any(combination[i:j])]


def _combination(names: Sequence[str], rows: Sequence[tuple[int, int]], weights: np.ndarray) -> str:
    """A combination of rows in words: left2 − right2."""
    terms = []
    for name, (i, j) in zip(names, rows, strict=True):
        for m in range(i, j):
            if weights[m]:
                label = name if j - i == 1 else f"{name}{m - i + 1}"
                size = "" if abs(abs(weights[m]) - 1) < SMALL else f"{abs(weights[m]):.3g} "
                terms.append(("− " if weights[m] < 0 else "+ ") + size + label)
    return " ".join(terms).removeprefix("+ ")


def _listed(names: Sequence[str]) -> str:
    return " and ".join(names) if len(names) < 3 else ", ".join(names[:-1]) + f" and {names[-1]}"


def _refuse_broken(steps: JoinedConstraints, points: Sequence[dict[str, Any]]) -> None:
    """Raise an error for an amplitude that one constraint lifts into its own D and that leaves the D of another."""
    for name, part in steps.parts.items():
        if type(part).lift is StochasticConstraint.lift:
            continue
        for at in points:
            state = {k: at[k] for k in ("xi", "a", "t", "z")}
            try:
                amplitudes = part.noise.amplitudes(**state)
                lifted = [_floats(user_code.call(part.lift, amplitude=x, **at)) for x in amplitudes]
            except NO_VALUE:
                continue
            for other, stated in zip(steps.parts, steps.stacked(**at), strict=True):
                A = _floats(stated.covectors)
                for k, field in enumerate(lifted):
                    off = A @ field
                    if other != name and np.any(np.abs(off) > SMALL * (np.abs(A) @ np.abs(field))):
                        raise errors.DefinitionError(
                            f"the amplitude {k + 1} of the noise of {name!r} breaks the constraint {other!r}",
                            expected=f"amplitudes that {type(part).__name__} lifts to fields that keep all constraints",
                            got=f"A N = {np.array2string(off, precision=3)} for the covectors of {other!r}",
                            hint="Give the amplitude another direction, or state a field in 𝔰, which may leave D, "
                            "such as noise= of sd.Unconstrained or slip= of sd.Rolling.",
                        )


def _undetermined(
    steps: JoinedConstraints,
    rows: Sequence[tuple[int, int]],
    points: Sequence[dict[str, Any]],
    samples: Sequence[_Sample],
) -> tuple[tuple[str, str], ...]:
    """Names of quantities of single constraints that are not determined, each with the reason."""
    free = [_null(s.A) for s in samples]
    names, out = list(steps.parts), dict[str, str]()
    fixed = all(np.allclose(one, free[0], atol=1e-7) for one in free if one.shape == free[0].shape)
    weights = _combinations_of_determined(free) if fixed else None
    combinations = [_combination(names, rows, w) for w in ([] if weights is None else weights)]

    def reason(who: Sequence[str], what: str) -> str:
        text = f"it is not determined, as the constraints {_listed(who)} are redundant"
        return text + (
            f"; determined {'are' if len(combinations) > 1 else 'is'} {', '.join(combinations)}"
            if combinations
            else what
        )

    for name, (i, j) in zip(names, rows, strict=True):
        involved = [one[i:j] for one in free]
        if not any(np.abs(one).max(initial=0.0) > 0 for one in involved):
            continue
        who = sorted(
            {n for one in free for w in one.T if np.any(w[i:j]) for n in _of_rows(names, rows, w)}, key=names.index
        )
        together = f"; determined is the sum of the contact forces of {_listed(who)}"
        out[f"{name}-multiplier"] = reason(who, "; determined is the reaction of all together")
        out[f"{name}-reaction"] = out[f"{name}-multiplier"]
        contact = steps.contacts().get(name)
        if contact is None:
            continue
        part = points[0]["group"].blocks.get(contact.linear)
        if part is None:
            continue
        for quantity, functional in _functionals(contact, part):
            for sample, one in zip(samples, free, strict=True):
                w = functional(sample)
                if w is not None and np.any(np.abs(w @ sample.A[i:j].T[part] @ one[i:j]) > SMALL):
                    out[f"{name}-{quantity}"] = reason(who, together)
                    break
    for name, _ in list(out.items()):
        if name.endswith(("-normal-force", "-tangential-force")):
            base = name.rsplit("-", 2)[0]
            out.setdefault(f"{base}-friction-needed", out[name])
    return tuple(out.items())


def _functionals(contact: Any, part: slice) -> list[tuple[str, Callable[[_Sample], np.ndarray | None]]]:
    """The rows that make each quantity of the force of a contact."""
    size = part.stop - part.start

    def normal(sample: _Sample) -> np.ndarray | None:
        value = user_code.call(contact.normal, **{k: sample.at[k] for k in ("a", "t", "z")})
        if value is None:
            return None
        n = _floats(value)
        return n / np.linalg.norm(n)

    def along(sample: _Sample) -> np.ndarray | None:
        n = normal(sample)
        return None if n is None else n[None]

    def across(sample: _Sample) -> np.ndarray | None:
        n = normal(sample)
        return None if n is None else np.eye(size) - np.outer(n, n)

    whole = [("contact-force", lambda sample: np.eye(size)), ("normal-force", along), ("tangential-force", across)]
    single = [(f"contact-force{i + 1}", lambda sample, i=i: np.eye(size)[i : i + 1]) for i in range(size)]
    return whole + (single if size > 1 else [])


def _combinations_of_determined(free: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Combinations of multipliers that are determined, made of those that are not determined alone."""
    N = free[0]
    rows = np.nonzero(np.abs(N).max(axis=1))[0]
    inner = _null(N[rows]) if len(rows) else np.zeros((0, 0))
    out = []
    for w in inner.T:
        whole = np.zeros(len(N))
        whole[rows] = w
        out.append(whole)
    return out

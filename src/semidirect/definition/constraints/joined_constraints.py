"""Several constraints at once: their directions intersected, their covectors and their noises joined."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, final

import numpy as np

from semidirect.core import display, errors, ops, user_code
from semidirect.definition.constraints.stochastic_constraint import (
    Annihilator,
    Distribution,
    MovingPart,
    StochasticConstraint,
)
from semidirect.definition.transport_noise import CombinedNoise, ConstantNoise, TransportNoise

if TYPE_CHECKING:
    from semidirect.definition.constraints.contact import Contact
    from semidirect.definition.constraints.joining import Joining

REST = "u"
"""The coordinates of D that are not a whole block of 𝔰."""


@final
@dataclass(frozen=True, repr=False)
class JoinedConstraints(display.Brief, StochasticConstraint):
    """All constraints of a mapping at once, D = D₁ ∩ D₂ ∩ …; ``constraint()`` may return the mapping, or a tuple of them.

    The coordinates of D are the whole blocks of 𝔰 that no pivot of the elimination takes, and ``u`` for the rest. Where no basis
    of D is known that holds at every state, the velocity is the state, and there are covectors alone.

    Attributes
    ----------
    parts : dict name → StochasticConstraint
    joining : Joining, optional
        How the parts are solved together, found when a definition is made.
    """

    parts: Mapping[str, StochasticConstraint]
    joining: Joining | None = None
    noise: TransportNoise = field(init=False)

    one_source: ClassVar[bool] = True
    #: quantities of a run that are bounded: of a lower rank, and of values that redundant rows cannot have together
    bounds: ClassVar[Mapping[str, float]] = MappingProxyType(
        {"constraint-dependence": 1e12, "constraint-contradiction": 1e-9}
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "parts", MappingProxyType(dict(self.parts)))
        object.__setattr__(self, "noise", CombinedNoise(tuple(n for n in self._noises() if not _is_none(n))))

    def _noises(self) -> list[TransportNoise]:
        return [part.noise for part in self.parts.values()]

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (dict(self.parts), self.joining)

    @classmethod
    def of(cls, several: Any) -> JoinedConstraints:
        """The constraints that ``constraint()`` returned in a mapping, a tuple or a list.

        Raises
        ------
        DefinitionError
            For something else in it, for a name that is none, and for a constraint that leaves nothing to join.
        """
        named = dict(several) if isinstance(several, Mapping) else {f"c{i + 1}": one for i, one in enumerate(several)}
        if not named:
            raise errors.DefinitionError(
                "the constraints returned by constraint()", expected="one or more", got="none",
                hint="Return sd.Unconstrained() where nothing is constrained.",
            )  # fmt: skip
        for name, one in named.items():
            if not isinstance(name, str) or not name.isidentifier() or name.startswith("_"):
                raise errors.DefinitionError(
                    "the name of a constraint", expected="an identifier, such as left", got=reprlib.repr(name)
                )
            if not isinstance(one, StochasticConstraint) or isinstance(one, JoinedConstraints):
                raise errors.DefinitionError(
                    f"the constraint {name!r}", expected="a constraint, such as sd.CovectorConstraint(covectors)",
                    got=reprlib.repr(one),
                )  # fmt: skip
            if one.prescribed:
                raise errors.DefinitionError(
                    f"the constraint {name!r} gives the whole velocity", got=type(one).__name__,
                    hint="It leaves nothing for others to constrain: return it alone, or state its part by covectors.",
                )  # fmt: skip
        return cls(named)

    def joined(self, joining: Joining | None) -> JoinedConstraints:
        """The same constraints, solved together in these steps."""
        return JoinedConstraints(dict(self.parts), joining)

    def stacked(self, **at: Any) -> list[Annihilator]:
        """A, b and C of each constraint in turn; of one that has directions alone, from these."""
        rows = []
        for i, (name, part) in enumerate(self.parts.items()):
            stated = user_code.call(part.annihilator, **at)
            if stated is None:
                stated = self._from_directions(i, name, user_code.call(part.distribution, **at), at["group"].dimension)
            rows.append(stated)
            n = at["group"].dimension
            shape = np.shape(stated.covectors)
            k = len(stated.covectors) if shape else 0
            _require_shape("covectors", name, stated.covectors, f"(any, {n})", len(shape) == 2 and shape[1] == n)
            for what, value, expected in (("values", stated.values, (k,)), ("directions", stated.directions, (n, k))):
                _require_shape(what, name, value, str(expected), value is None or np.shape(value) == expected)
        return rows

    def _from_directions(self, i: int, name: str, stated: Distribution | None, n: int) -> Annihilator:
        if stated is None:
            raise errors.DefinitionError(
                f"the constraint {name!r} gives neither directions nor covectors",
                hint="Define distribution() or annihilator().",
            )
        B = np.asarray(stated.basis, dtype=object)
        _require_shape("directions", name, B, f"({n}, any)", B.ndim == 2 and len(B) == n)
        _require_shape(
            "offset", name, stated.offset, f"({n},)", stated.offset is None or np.shape(stated.offset) == (n,)
        )
        if B.shape[1] == n or self.joining is None:
            return Annihilator(np.zeros((0, n), dtype=int))
        steps = self.joining.complements[i]
        assert steps is not None
        rows = steps.solution(B.T, None)[0].T
        values = None if stated.offset is None else ops.matvec(rows, np.asarray(stated.offset))
        if stated.test is None:
            return Annihilator(rows, values)
        return Annihilator(rows, values, steps.solution(np.asarray(stated.test, dtype=object).T, None)[0])

    def whole(self, **at: Any) -> tuple[np.ndarray, np.ndarray | None, np.ndarray | None]:
        """A, b and C of all constraints, one below the other; b and C are ``None`` where all have none."""
        parts = [p for p in self.stacked(**at) if len(p.covectors)]
        if not parts:
            return np.zeros((0, at["group"].dimension), dtype=object), None, None
        A = np.concatenate([_objects(p.covectors) for p in parts])
        b = C = None
        if any(p.values is not None for p in parts):
            b = np.concatenate([_objects([0] * len(p.covectors) if p.values is None else p.values) for p in parts])
        if any(p.directions is not None for p in parts):
            C = np.concatenate(
                [_objects(p.covectors).T if p.directions is None else _objects(p.directions) for p in parts], axis=1
            )
        return A, b, C

    @property
    def _steps(self) -> Joining:
        assert self.joining is not None
        return self.joining

    def coordinates(self, group: Any) -> dict[str, int]:
        """Whole blocks of 𝔰 that stay free, and ``u`` for the rest."""
        if self.joining is None or not self.joining.has_basis:
            return {}
        free = set(self.joining.elimination.free)
        sizes = {k: part.stop - part.start for k, part in group.blocks.items() if _within(part, free)}
        rest = self.joining.elimination.directions - sum(sizes.values())
        return {**sizes, **({REST: rest} if rest else {})}

    def distribution(self, **at: Any) -> Distribution | None:
        """B and c of the intersection."""
        if self.joining is None or not self.joining.has_basis:
            return None
        A, b, _ = self.whole(**at)
        B, c = self.joining.elimination.solution(A, b)
        return Distribution(B[:, self._order(at["group"])], c)

    def _order(self, group: Any) -> list[int]:
        """Columns of the solution by coordinates: whole blocks first."""
        free = self._steps.elimination.free
        in_blocks = [
            j for part in group.blocks.values() if _within(part, set(free)) for j in range(part.start, part.stop)
        ]
        first = [free.index(j) for j in in_blocks]
        return [*first, *(i for i in range(self._steps.elimination.directions) if i not in first)]

    def annihilator(self, **at: Any) -> Annihilator | None:
        """Independent rows of A, b and C."""
        if self.joining is None:
            return None
        A, b, C = self.whole(**at)
        chosen = list(self.joining.elimination.chosen)
        return Annihilator(A[chosen], None if b is None else b[chosen], None if C is None else C[:, chosen])

    def all_fields(self, amplitudes: Sequence[Any], **at: Any) -> list[Any]:
        """Each amplitude lifted by its own constraint, then the extra fields of each."""
        lifted, left = [], list(amplitudes)
        state = {k: at[k] for k in ("xi", "a", "t", "z", "p") if k in at}
        for part in self.parts.values():
            count = len(part.noise.amplitudes(**state))
            lifted += [user_code.call(part.lift, amplitude=x, **at) for x in left[:count]]
            left = left[count:]
        return [*lifted, *(x for part in self.parts.values() for x in user_code.call(part.extra_fields, **at))]

    def contacts(self) -> dict[str, Contact]:
        """The contact of each constraint that is one."""
        stated = {name: part.ground_contact() for name, part in self.parts.items()}
        return {name: contact for name, contact in stated.items() if contact is not None}

    def with_vectors(self, named: Callable[[str, Any], Any]) -> JoinedConstraints:
        """The same constraints, each with the names of its vectors."""
        return JoinedConstraints({name: part.with_vectors(named) for name, part in self.parts.items()}, self.joining)

    def moving_block(self, group: Any) -> str | MovingPart | None:
        """The moving frame of a constraint, if its block stays free."""
        if self.joining is not None and not len(self.joining.elimination.pivots) and not self.joining.elimination.rows:
            return MovingPart.WHOLE
        blocks = [part.moving_block(group) for part in self.parts.values()]
        free = self.coordinates(group)
        return next((b for b in blocks if isinstance(b, str) and b in free), None)


def _require_shape(what: str, name: str, value: Any, expected: str, right: bool) -> None:
    if not right:
        raise errors.DefinitionError(
            f"the {what} of the constraint {name!r} have the wrong shape", expected=expected, got=str(np.shape(value))
        )


def _is_none(noise: TransportNoise) -> bool:
    """Whether a noise has no amplitudes, so that it is neither formal nor varied."""
    return isinstance(noise, ConstantNoise) and len(noise.vectors) == 0


def _objects(value: Any) -> np.ndarray:
    return np.asarray(value, dtype=object)


def _within(part: slice, columns: set[int]) -> bool:
    return columns.issuperset(range(part.start, part.stop))

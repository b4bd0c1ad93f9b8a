"""Values of the functions of a definition at one point: expressions, numbers, or numbers with derivatives."""

from __future__ import annotations

import reprlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, final

import numpy as np

from semidirect.core import Blocks, errors, user_code
from semidirect.definition.constraints.stochastic_constraint import Annihilator, Distribution

if TYPE_CHECKING:
    from semidirect.definition.definition import Definition

Three: TypeAlias = tuple[np.ndarray, np.ndarray, np.ndarray]


@final
class ValuesAt:
    """A definition at (ξ, a, z, t), each given as a whole vector, and at p where h or an h_i is asked for.

    Attributes
    ----------
    state : dict
        ``xi, a, z`` in blocks, and ``t``: the arguments that a Lagrangian, a force or a noise may name; ``p`` too where
        equations come from h.
    at : dict
        These and ``group``: the arguments that a constraint may name.
    """

    def __init__(self, definition: Definition, xi: Any, a: Any, z: Any, t: Any, p: Any = None):
        d = self.definition = definition
        self._p = p
        self.state: dict[str, Any] = {
            "xi": Blocks.split(xi, d.group.blocks, "velocity"),
            "a": Blocks.split(a, d.advected_layout, "advected quantity"),
            "z": Blocks.split(z, d.internal_layout, "internal state"),
            "t": t,
        }
        if d.by_hamiltonian:
            self.state["p"] = Blocks.split(p, d.group.blocks, "momentum")
        self.at: dict[str, Any] = {**self.state, "group": d.group}

    @property
    def lagrangian(self) -> Any:
        """l."""
        return 0 if self.definition.lagrangian is None else user_code.call(self.definition.lagrangian, **self.state)

    @property
    def _of_momentum(self) -> dict[str, Any]:
        """The arguments that a Hamiltonian may name."""
        p = Blocks.split(self._p, self.definition.group.blocks, "momentum")
        return {"p": p, **{k: self.state[k] for k in ("a", "t", "z")}}

    @property
    def hamiltonian(self) -> Any:
        """h; 0 if there is none."""
        function = self.definition.hamiltonian
        return 0 if function is None else user_code.call(function, **self._of_momentum)

    @property
    def noise_hamiltonians(self) -> list[Any]:
        """The h_i."""
        function = self.definition.noise_hamiltonian
        if function is None:
            return []
        returned = user_code.call(function, **self._of_momentum)
        scalars = user_code.listed(returned)
        if scalars is None or any(np.ndim(h) for h in scalars):
            raise errors.DefinitionError(
                "noise_hamiltonian",
                expected="a sequence of scalars, one for each Wiener process",
                got=reprlib.repr(returned),
            )
        return scalars

    @property
    def distribution(self) -> Distribution | None:
        """B, c and B_V as stated."""
        distribution: Distribution | None = user_code.call(self.definition.constraint.distribution, **self.at)
        return distribution

    @property
    def annihilator(self) -> Annihilator | None:
        """A, b and C as stated."""
        annihilator: Annihilator | None = user_code.call(self.definition.constraint.annihilator, **self.at)
        return annihilator

    @property
    def directions(self) -> Three | None:
        """B, c and B_V, with defaults for parts that are not stated."""
        d = self.distribution
        if d is None:
            return None
        B = np.asarray(d.basis)
        return B, _or_zeros(d.offset, len(B)), B if d.test is None else np.asarray(d.test)

    @property
    def covectors(self) -> Three | None:
        """A, b and C, with defaults for parts that are not stated."""
        annihilator = self.annihilator
        if annihilator is None:
            return None
        A, C = np.asarray(annihilator.covectors), annihilator.directions
        return A, _or_zeros(annihilator.values, len(A)), A.T if C is None else np.asarray(C)

    @property
    def amplitudes(self) -> Sequence[Any]:
        """The amplitudes of the noise."""
        return self.definition.constraint.noise.amplitudes(**self.state)

    def fields(self, amplitudes: Sequence[Any]) -> list[Any]:
        """The fields N_i that the constraint makes of amplitudes, and its extra fields."""
        return self.definition.constraint.all_fields(amplitudes, **self.at)

    @property
    def forces(self) -> tuple[list[Any], list[Any]]:
        """F, F_1, F_2, … and F'_1, F'_2, …, as stated; ``None`` if there is no F."""
        drift, noise, independent = (
            None if f is None else user_code.call(f, **self.at) for f in vars(self.definition.forces).values()
        )
        return [drift, *(() if noise is None else noise)], list(() if independent is None else independent)

    @property
    def dissipation(self) -> tuple[np.ndarray, np.ndarray] | None:
        """θ as a matrix on the coordinates of D, and θ_a for each component of a; ``None`` if there is no dissipation.

        Raises
        ------
        DefinitionError
            If the constraint is not linear, ideal, and given by a basis.
        """
        d, bracket = self.definition, self.definition.dissipation
        if bracket is None:
            return None
        distribution = self.distribution
        if (
            distribution is None
            or distribution.offset is not None
            or distribution.test is not None
            or d.constraint.prescribed
        ):
            raise errors.DefinitionError(
                "double bracket dissipation", expected="no constraint, or one that is linear and ideal with a basis B",
                got=f"{type(d.constraint).__name__}", hint="Elsewhere reactions work, and energy need not fall.",
            )  # fmt: skip
        at = {k: self.state[k] for k in ("a", "t", "z")}
        return bracket.matrix(np.shape(distribution.basis)[1], **at), bracket.weights(d.advected_layout, **at)

    @property
    def internal(self) -> list[list[Any]]:
        """α, β_1, β_2, … of each internal state, as stated; ``None`` if there is no α."""
        at = self.state
        return [
            [user_code.call(s.drift, **at), *user_code.call(s.noise, **at)] for s in self.definition.internal_states
        ]

    @staticmethod
    def covector(force: Any) -> np.ndarray:
        """A covector, stated as a whole or by its blocks."""
        if isinstance(force, (tuple, list)) and force:
            return np.concatenate([np.reshape(part, -1) for part in force])
        return np.asarray(force)


def _or_zeros(vector: Any, n: int) -> np.ndarray:
    return np.zeros(n, dtype=int) if vector is None else np.asarray(vector)

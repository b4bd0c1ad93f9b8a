"""Transport noise: the amplitudes of the fields N_i that move a system in addition to its velocity."""

from __future__ import annotations

import reprlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from semidirect.core import display, errors, ops, user_code


@dataclass(frozen=True, repr=False)
class InternalState(display.Brief):
    """A state z with dz = α(ξ, a, z, t) dt + Σ_i β_i(ξ, a, z, t)∘dW^i, driven by the same W^i as the transport.

    It may see the motion: a controller with memory, the state of friction, a thermostat, an observer. Amplitudes, the
    constraint, the Lagrangian and forces may depend on it; it is not varied.

    Attributes
    ----------
    name : str
        Its name in ``z`` and in the state.
    initial : array_like, shape (d,) or scalar
        Recommended start.
    drift : array_like or callable(xi, a, t, z)
        α, shape (d,) (default 0).
    noise : sequence or callable(xi, a, t, z)
        β_i, one ``(d,)`` vector for each W^i; shorter lists end in zeros.
    unit : str
        Its unit, where it is stated.
    """

    name: str
    initial: Any
    drift: Any = None
    noise: Any = ()
    unit: str = ""

    def __post_init__(self) -> None:
        try:
            size = np.size(self.initial)
        except ValueError:  # rows of different lengths
            size = 0
        if not isinstance(self.name, str) or not size:
            raise errors.DefinitionError("an internal state", expected="a name, and the initial value of each component",
                                         got=f"{reprlib.repr(self.name)}, {reprlib.repr(self.initial)}")  # fmt: skip

    @property
    def dimension(self) -> int:
        """Number of components d."""
        return int(np.size(self.initial))


class TransportNoise(user_code.Hooked, ABC):
    """Amplitudes ξ_i of the noise fields; a constraint lifts them to N_i ∈ 𝔰 (rolling: N_i = (ξ_i, ξ_i × s)).

    In ``dξ̃ = ξ dt + Σ N_i∘dW^i`` an amplitude is a parameter while the action is varied. The quantity that replaces it
    afterwards determines the model: a constant, a function of time, an internal state, or *formally* a function of the
    state. An amplitude given as a function of the advected quantities without being formal is varied too (docs/theory.md).
    """

    @property
    def formal(self) -> bool:
        """Whether the amplitudes are inserted only after the variation."""
        return False

    @property
    def internal(self) -> tuple[InternalState, ...]:
        """Internal states that the amplitudes need."""
        return ()

    @abstractmethod
    def amplitudes(self, **at: Any) -> Sequence[Any]:
        """The amplitude vectors, as functions of any of ``a, t, z, xi``."""


@dataclass(frozen=True, repr=False)
class ConstantNoise(display.Brief, TransportNoise):
    """Constant amplitudes, an array ``(k, d)``: the ξ_i of (drift-stoch-decomps)."""

    vectors: Any

    def amplitudes(self, **at: Any) -> Sequence[Any]:
        """The rows."""
        return _vectors(self.vectors, "the amplitudes of a noise")


@dataclass(frozen=True, repr=False)
class PrescribedNoise(display.Brief, TransportNoise):
    """Amplitudes prescribed in time, ``function(t)`` → sequence of vectors."""

    function: Callable[..., Sequence[Any]]

    def amplitudes(self, **at: Any) -> Sequence[Any]:
        """ξ_i(t)."""
        return _vectors(user_code.call(self.function, t=at["t"]), "the value of a prescribed noise")


@dataclass(frozen=True, repr=False)
class StateNoise(display.Brief, TransportNoise):
    """Amplitudes that are functions of the advected quantities, of t and z, and are varied with them.

    ``function`` may name ``a``, ``t``, ``z``. Noise fixed in space is of this kind, e.g. cΓ on SO(3).
    """

    function: Callable[..., Sequence[Any]]

    def amplitudes(self, **at: Any) -> Sequence[Any]:
        """ξ_i(a, t, z)."""
        return _vectors(
            user_code.call(self.function, a=at["a"], t=at["t"], z=at["z"]), "the value of a noise of the state"
        )


@dataclass(frozen=True, repr=False)
class FormalNoise(display.Brief, TransportNoise):
    """Amplitudes that become functions of the state after the variation, as in the paper's test ξ = 0.1 Γ.

    ``function`` may name ``a``, ``t``, ``z`` and the velocity ``xi``. Formal means that the dependence is not varied, so the
    energy law of varied noise does not hold for it.
    """

    function: Callable[..., Sequence[Any]]

    @property
    def formal(self) -> bool:
        """True."""
        return True

    def amplitudes(self, **at: Any) -> Sequence[Any]:
        """ξ_i(a, t, z, ξ)."""
        return _vectors(user_code.call(self.function, **at), "the value of a formal noise")


@dataclass(frozen=True, repr=False)
class VolatilityNoise(display.Brief, TransportNoise):
    """Amplitudes with their own dynamics, dξ_i = α_i(t) dt + β_i(t)∘dW^i (drift-stoch-decomps-fun): ξ_i is part of z.

    Attributes
    ----------
    initial : array_like (k, d)
        ξ_i(0).
    drift, diffusion : array_like (k, d) or callable(t)
        α_i and β_i.
    name : str
        The states are called ``name1``, ``name2``, …
    """

    initial: Any
    drift: Any = None
    diffusion: Any = None
    name: str = field(default="xi")

    def _rows(self, value: Any, t: Any) -> list[Any]:
        rows, shape = ops.array(user_code.call(value, t=t)), np.shape(self.initial)
        if rows.shape != shape:
            raise errors.DefinitionError(
                "drift or diffusion of a volatility", expected=f"shape {shape}", got=f"{rows.shape}"
            )
        return list(rows)

    @property
    def internal(self) -> tuple[InternalState, ...]:
        """One state ξ_i for each noise."""
        start = ops.array(self.initial)
        if not start.size:
            return ()
        if start.ndim != 2:
            raise errors.DefinitionError(
                "the initial amplitudes of a volatility", expected="shape (k, d)", got=f"{start.shape}"
            )
        count, zero = start.shape[0], ops.zeros(start.shape[1])

        def state(i: int) -> InternalState:
            drift = None if self.drift is None else (lambda t: self._rows(self.drift, t)[i])
            noise = () if self.diffusion is None else (lambda t: [*[zero] * i, self._rows(self.diffusion, t)[i]])
            return InternalState(f"{self.name}{i + 1}", start[i], drift, noise)

        return tuple(state(i) for i in range(count))

    def amplitudes(self, **at: Any) -> Sequence[Any]:
        """The states ξ_i."""
        return [ops.array(at["z"][s.name]).reshape(-1) for s in self.internal]


@dataclass(frozen=True, repr=False)
class CombinedNoise(display.Brief, TransportNoise):
    """Several noises of one kind of variation, in order, each with its own Wiener processes."""

    parts: tuple[TransportNoise, ...]

    def __post_init__(self) -> None:
        if not isinstance(self.parts, (list, tuple)) or not all(isinstance(p, TransportNoise) for p in self.parts):
            raise errors.DefinitionError(
                "the parts of a combined noise",
                expected="noises, such as sd.noise.ConstantNoise(vectors)",
                got=reprlib.repr(self.parts),
            )
        if len({p.formal for p in self.parts}) > 1:
            raise errors.DefinitionError(
                "formal and varied noises cannot be combined in one constraint", hint="Use one kind."
            )

    @property
    def formal(self) -> bool:
        """Whether all of them are formal."""
        return any(p.formal for p in self.parts)

    @property
    def internal(self) -> tuple[InternalState, ...]:
        """All internal states, each driven by the processes of its part."""
        if sum(bool(p.internal) for p in self.parts[1:]):
            raise errors.DefinitionError(
                "a volatility must come first among combined noises", hint="Reorder the parts."
            )
        return tuple(s for p in self.parts for s in p.internal)

    def amplitudes(self, **at: Any) -> Sequence[Any]:
        """All amplitudes."""
        return [x for p in self.parts for x in p.amplitudes(**at)]


def as_noise(noise: Any) -> TransportNoise:
    """The noise itself, or a constant noise made of an array of amplitudes.

    Raises
    ------
    DefinitionError
        If it is neither.
    """
    if isinstance(noise, TransportNoise):
        return noise
    if callable(noise):
        raise errors.DefinitionError(
            "noise", expected="a TransportNoise or amplitudes (k, d)", got=repr(noise),
            hint="A function of a, t, z is sd.StateNoise(function), one of t sd.noise.PrescribedNoise(function).",
        )  # fmt: skip
    rows = _vectors(noise, "the amplitudes of a noise")
    return ConstantNoise(noise if isinstance(noise, (list, tuple, np.ndarray)) else rows)


def _vectors(value: Any, what: str) -> list[Any]:
    """A sequence of vectors, one for each Wiener process."""
    rows = user_code.listed(value)
    if rows is None or any(np.ndim(row) != 1 for row in rows):
        raise errors.DefinitionError(f"{what}", expected="a sequence of vectors, one for each Wiener process (() for no noise)",
                                     got=reprlib.repr(value))  # fmt: skip
    return rows

"""The data of an observation: observed values, their noise, and which of them can be seen."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from semidirect.core.arguments import validated_number
from semidirect.core.display import Brief
from semidirect.core.errors import InputError
from semidirect.inference.covariance_noise import CovarianceNoise, is_covariance
from semidirect.inference.noise import GaussianNoise, ObservationNoise, noise_of

__all__ = ["ObservedValues"]


@dataclass(frozen=True, eq=False, repr=False)
class ObservedValues(Brief):
    """Values that depend on the state, observed with noise; users make an :class:`~semidirect.Observation`.

    Attributes are those of an observation, and ``plain``, whether its noise was given by numbers.
    """

    values: str | Sequence[str] | Callable[[Any], Any]
    noise: ObservationNoise
    seen: Callable[[Any], Any] | None = None
    lost: float = 0.0
    name: str = "observation"
    plain: bool = field(default=False, repr=False)

    def __init__(self, values: str | Sequence[str] | Callable[[Any], Any], *, noise: Any = None,
                 seen: Callable[[Any], Any] | None = None, lost: float = 0.0, name: str = "observation", covariance: Any = None
                 ):  # fmt: skip
        listed: Any = tuple(values) if isinstance(values, (list, tuple)) else values
        texts = [listed] if isinstance(listed, str) else listed
        if not (
            callable(listed) or (isinstance(texts, (list, tuple)) and texts and all(isinstance(x, str) for x in texts))
        ):
            raise InputError("observed values", expected="names, expressions or a function of the state",
                             got=reprlib.repr(values))  # fmt: skip
        if not (seen is None or callable(seen)):
            raise InputError("seen", expected="a function of the state", got=reprlib.repr(seen))
        chance = validated_number("lost", lost, expected="a probability below 1")
        if not 0 <= chance < 1:
            raise InputError("lost", expected="a probability below 1", got=f"{chance:g}")
        if not isinstance(name, str):
            raise InputError("name of an observation", expected="text", got=reprlib.repr(name))
        if (noise is None) == (covariance is None):
            raise InputError("the noise of an observation", expected="noise=, standard deviations or a law, or covariance=",
                             got="none" if noise is None else "both")  # fmt: skip
        law = noise_of(noise) if covariance is None else CovarianceNoise(covariance)
        plain = not (noise is None or isinstance(noise, ObservationNoise) or callable(noise))
        given = {"values": listed, "noise": law, "seen": seen, "lost": chance, "name": name, "plain": plain}
        for key, value in given.items():
            object.__setattr__(self, key, value)

    def check_noise(self, marks: int, components: int) -> None:
        """Raise an :class:`InputError` if the noise does not fit, or its numbers may be standard deviations or a covariance."""
        law = self.noise
        square = self.plain and isinstance(law, GaussianNoise) and law.scale.shape == (components,) * 2
        if not square or components == 1:
            law.check(marks, components)
            return
        both = marks == components
        if both and not is_covariance(law.scale):  # type: ignore[attr-defined]
            return
        hint = "Write covariance=… for the covariance of the components of a mark"
        hint += (
            ", or noise=sd.inference.GaussianNoise(…) for standard deviations of marks × components." if both else "."
        )
        got = f"shape {(components,) * 2}" + ", which may be standard deviations and a covariance" * both
        expected = f"standard deviations: one, ({components},) or ({marks}, {components})"
        raise InputError(f"noise of the {self.name}", expected=expected, got=got, hint=hint)

    @property
    def may_miss(self) -> bool:
        """Whether marks may be missing in data."""
        return self.seen is not None or self.lost > 0

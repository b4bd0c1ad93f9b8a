"""A change of mode of a path of a hybrid system: its condition, and its effect on the momentum."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, final

from semidirect.core import arguments, display, errors
from semidirect.specification import conditions

__all__ = ["Impact", "Switch"]


@final
@dataclass(frozen=True)
class Impact:
    """How the velocity is projected on the constraint of the new mode, by the kinetic metric H = ∂²l/∂ξ².

    With P_t and P_s the projections on the constraint of the target and on the normal velocity alone, an impact gives
    (A. Chatterjee and A. Ruina, J. Appl. Mech. 65 (1998) 939–951, with e_t = 0)

        ξ⁺ = P_t ξ + (1 − λ)(P_s ξ − P_t ξ) − e (ξ − P_s ξ),   0 ≤ λ ≤ 1.

    The three terms are orthogonal, so that no impact adds kinetic energy on ground at rest: it falls by those of ξ − P_s ξ times
    1 − e² and of P_s ξ − P_t ξ times 1 − (1 − λ)². λ = 1 unless the friction of the impulse would exceed ``friction`` times its
    normal part; then it is at this bound. P_s is that of the ``sliding`` mode, whose constraint is the normal velocity, or
    follows from the normal of the target's contact: its impulse is a reaction of the target with a force along the normal.

    A path is stopped, with the status 8, where the normal part of the impulse would be negative: a ground does not pull. Where
    the target states no normal, it is that of the level of the switch, if this is one of positions and directions, such as a
    height: the gradient of its rate with respect to the velocity. Of coordinates of Rⁿ, ``units`` of the class say which are
    lengths, on which forces act.

    Parameters
    ----------
    restitution : float
        e, from 0, after which the path is in the target (or sliding), to 1; where the path rebounds it stays in its mode. It
        needs ``sliding`` or a contact with a normal, unless the target forbids one velocity alone.
    friction : float, optional
        Coulomb's coefficient; without it friction is large enough for λ = 1.
    sliding : str, optional
        The mode that a path enters which ``friction`` does not bring to the target. Its constraint is the normal velocity.
    settling : float
        Approaches slower than this [m/s] do not rebound, e = 0; for ``restitution`` with a contact.
    joint : bool
        Whether the target is a joint, such as a hook, whose impulse may pull.
    """

    restitution: float = 0.0
    friction: float | None = None
    sliding: str | None = None
    settling: float = 0.0
    joint: bool = False

    def __post_init__(self) -> None:
        for name, least, most in (("restitution", 0, 1), ("friction", 0, None), ("settling", 0, None)):
            value = getattr(self, name)
            if value is None:
                continue
            number = arguments.validated_number(f"{name} of an impact", value)
            if number < least or (most is not None and number > most):
                expected = f"a number of at least {least}" if most is None else f"a number from {least} to {most}"
                raise errors.InputError(f"{name} of an impact", expected=expected, got=repr(value))
            object.__setattr__(self, name, number)
        if self.sliding is not None:
            arguments.validated_instance("sliding of an impact", self.sliding, str, expected="the name of a mode")
        object.__setattr__(self, "joint", arguments.validated_flag("joint of an impact", self.joint))
        if self.joint and self.friction is not None:
            raise errors.InputError("friction of an impact", expected="none where joint=True, for it is that of a ground",
                                    got=repr(self.friction))  # fmt: skip
        if self.friction is not None and self.sliding is None:
            raise errors.InputError(
                "friction of an impact", expected="sliding=, the mode of paths that slide", got="none"
            )


@final
@dataclass(frozen=True, repr=False)
class Switch(display.Brief):
    """A path in the mode ``source`` enters ``target`` where a condition on a quantity of ``source`` is met.

    Parameters
    ----------
    source, target : str
        Names of modes.
    when : Crossing or Stop
        Where it does, located within the step: a ``Crossing`` with a direction, or a ``Stop``, which is met also by a path that
        enters ``source`` beyond the level. A path that enters it on the level, to rounding, meets either one when it gets beyond.
    impact : Impact
        The change of the velocity.
    """

    source: str
    target: str
    when: conditions.Condition
    impact: Impact = field(default_factory=Impact)

    def __post_init__(self) -> None:
        for name in ("source", "target"):
            arguments.validated_instance(f"{name} of a switch", getattr(self, name), str, expected="the name of a mode")
        arguments.validated_instance("impact of a switch", self.impact, Impact, expected="sd.Impact(…)")
        when: Any = self.when
        if isinstance(when, conditions.Stop):
            object.__setattr__(self, "when", replace(when, locate=True))
        elif not isinstance(when, conditions.Crossing) or when.direction == "both":
            raise errors.InputError("when of a switch", expected="sd.Stop(…), or sd.Crossing(…) that is rising or falling",
                                    got=repr(when))  # fmt: skip

    @property
    def label(self) -> str:
        """Such as ``flight → rolling (height = 0, falling)``."""
        return f"{self.source} → {self.target} ({self.when.label})"

"""The abstract constraint: a distribution of velocities, and the transport noise in addition to them."""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, ClassVar

from semidirect.core import display, user_code
from semidirect.definition.transport_noise import ConstantNoise, TransportNoise

if TYPE_CHECKING:
    from semidirect.definition.constraints.contact import Contact


class MovingPart(Enum):
    """The moving frame of the momentum if it is not a single block."""

    WHOLE = "all of 𝔰"


@dataclass(frozen=True, repr=False)
class Distribution(display.Brief):
    """D at one state, ξ = B u + c, variations η in range B.

    Attributes
    ----------
    basis : array (n, m)
        B, its columns span D.
    offset : array (n,)
        c; ``None`` is 0.
    test : array (n, m)
        B_V, the test space of reactions that are not ideal (Cᵀ B_V = 0); ``None`` is B.
    """

    basis: Any
    offset: Any = None
    test: Any = None


@dataclass(frozen=True, repr=False)
class Annihilator(display.Brief):
    """D at one state by covectors, A ξ = b, variations η in ker A.

    Attributes
    ----------
    covectors : array (k, n)
        A.
    values : array (k,)
        b; ``None`` is 0.
    directions : array (n, k)
        C, the directions of the reaction C dλ; ``None`` is Aᵀ (ideal).
    """

    covectors: Any
    values: Any = None
    directions: Any = None


class StochasticConstraint(user_code.Hooked, ABC):
    """A constraint on ξ and the noise N_i of ξ̃ = ξ dt + Σ N_i∘dW^i.

    A subclass defines :meth:`distribution` (B form), :meth:`annihilator` (A form) or both, which are compared when a system is
    made: A B = 0, A c = b, and the ranks of A and B add up to the dimension of the algebra. All methods are called with named
    arguments ``group, xi, a, t, z`` and receive those that they name.
    """

    noise: TransportNoise = ConstantNoise(())
    #: whether both forms are made of the same functions, so that they always agree
    one_source: ClassVar[bool] = False
    #: whether the velocity is given, ξ = c(a, t, z): D = 0, and nothing is free
    prescribed: ClassVar[bool] = False

    def coordinates(self, group: Any) -> dict[str, int]:
        """Names and dimensions of the coordinates u of D, for the B form."""
        return {}

    def distribution(self, **at: Any) -> Distribution | None:
        """B, c and B_V at (a, t, z), or ``None`` if there is no global B."""
        return None

    def annihilator(self, **at: Any) -> Annihilator | None:
        """A, b and C at (ξ, a, t, z), or ``None``."""
        return None

    def lift(self, amplitude: Any, **at: Any) -> Any:
        """The field N ∈ 𝔰 of an amplitude; by default the amplitude itself."""
        return amplitude

    def extra_fields(self, **at: Any) -> Sequence[Any]:
        """Further noise fields N ∈ 𝔰, after the fields of :attr:`noise`, each with its own Wiener process."""
        return ()

    def all_fields(self, amplitudes: Sequence[Any], **at: Any) -> list[Any]:
        """All noise fields, of the amplitudes and the extra ones."""
        lifted = [user_code.call(self.lift, amplitude=x, **at) for x in amplitudes]
        return [*lifted, *user_code.call(self.extra_fields, **at)]

    def ground_contact(self) -> Contact | None:
        """The part of the reaction that is a contact force, or ``None`` if the constraint is not a contact."""
        return None

    def contacts(self) -> dict[str, Contact]:
        """All contacts by the names of their constraints; that of a single constraint has none."""
        contact = self.ground_contact()
        return {} if contact is None else {"": contact}

    def with_vectors(self, named: Callable[[str, Any], Any]) -> StochasticConstraint:
        """The same constraint with each of its vectors replaced by ``named(name, value)``."""
        return self

    def moving_block(self, group: Any) -> str | MovingPart | None:
        """The moving frame 𝔥 that turns the momentum: a block of 𝔰, ``MovingPart.WHOLE``, or ``None`` if it is flat."""
        return None

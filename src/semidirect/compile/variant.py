"""The properties of a kernel besides its equations and its method."""

from __future__ import annotations

from dataclasses import dataclass

from semidirect.compile.packed_tables import PackedTables
from semidirect.model import NumericalSDE
from semidirect.random import DrivingProcess

__all__ = ["WIDEST", "Variant"]

WIDEST = 512
"""Bits of a vector, if the processor has such vectors; else the widest that it has."""


@dataclass(frozen=True)
class Variant:
    """The properties of a kernel besides its equations and its method.

    Attributes
    ----------
    drawn : bool
        Whether it draws its noise itself (dt is the resolution of the noise), or takes increments.
    per_path : bool
        Whether parameters differ from path to path.
    correlated, weak : bool
        Whether drawn noises are mixed by a Cholesky factor; whether they are three-point variables.
    stages : int
        Increments of a step for each noise: one, or one per stage of the method.
    lanes : int or None
        Paths in a block: 1 for few paths, which then do not pay for empty lanes; ``None`` for as many as the rows of the block
        allow, see :func:`lanes_for`. The bits are the same.
    width : int
        Bits of the vectors that the compiler should prefer: on some processors its own choice is half of what they have, for
        the sake of programs that use vectors now and then. The bits of the results are the same.
    reconstructed : bool
        Whether the configuration s is carried along.
    along : tuple
        The directions of derivatives that are carried along: numbers of parameters, and ``None`` for those of the start.
    halvings : int
        How often a range of intervals of a table is halved to find that of a number.
    """

    drawn: bool
    per_path: bool = False
    correlated: bool = False
    weak: bool = False
    stages: int = 1
    lanes: int | None = None
    width: int = WIDEST
    reconstructed: bool = True
    along: tuple[int | None, ...] = ()
    halvings: int = 0

    @classmethod
    def given(cls, model: NumericalSDE, driver: DrivingProcess | None) -> Variant:
        """The kernel for many paths that are given their increments."""
        along = () if model.tangents is None else model.tangents.parameters
        halvings = model.known("halvings", lambda: PackedTables.halvings(model.parameters))
        return cls(drawn=False, per_path=model.system.workings.paths is not None, reconstructed=model.reconstructs, along=along,
                   halvings=halvings, stages=1 if driver is None else driver.rates_per_step)  # fmt: skip

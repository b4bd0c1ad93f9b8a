"""A group of the library from the text that shows it, as the record of a run has it."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from itertools import islice
from typing import Any

from semidirect.core import errors
from semidirect.groups.direct_product import DirectProduct
from semidirect.groups.heisenberg import Heisenberg
from semidirect.groups.lie_group import LieGroup
from semidirect.groups.real_space import RealSpace
from semidirect.groups.se2 import SE2
from semidirect.groups.se3 import SE3
from semidirect.groups.so2 import SO2
from semidirect.groups.so3 import SO3
from semidirect.groups.special_orthogonal import SpecialOrthogonal
from semidirect.groups.torus import Torus

__all__ = ["described_group"]

LARGEST = 16
"""The largest n of a family that is made from a text, which may be of a stranger."""

ALONE: dict[str, Callable[..., LieGroup]] = {
    "SO2": SO2, "SO3": SO3, "SE2": SE2, "SE3": SE3, "Heisenberg": Heisenberg,
}  # fmt: skip
OF_A_SIZE: dict[str, Callable[..., LieGroup]] = {"R": RealSpace, "T": Torus, "SO": SpecialOrthogonal}
"""Groups by the names that they show, those of a family without their number."""


def described_group(text: Any) -> LieGroup | None:
    """The group that ``repr`` shows as this text, ``None`` if it is none of the library, or one of other arguments."""
    match = re.fullmatch(r"(.{1,200})\((\w+: \d+(?:, \w+: \d+)*)\)", text) if isinstance(text, str) else None
    if match is None:
        return None
    name, parts = match.groups()
    blocks = [part.partition(":")[0] for part in parts.split(", ")]
    factors = [maker for factor in name.split(" x ") if (maker := _maker(factor)) is not None]
    if len(factors) != name.count(" x ") + 1:
        return None
    rest = iter(blocks)
    try:
        groups = [make(blocks=list(islice(rest, len(make().blocks)))) for make in factors]
        group = groups[0] if len(groups) == 1 else DirectProduct(*groups)
    except errors.DefinitionError:  # another number of blocks
        return None
    return group if repr(group) == text else None


def _maker(name: str) -> Callable[..., LieGroup] | None:
    match = re.fullmatch(r"(R|T|SO)\(?(\d{1,2})\)?", name)
    if name in ALONE or match is None:
        return ALONE.get(name)
    return partial(OF_A_SIZE[match[1]], int(match[2])) if 0 < int(match[2]) <= LARGEST else None

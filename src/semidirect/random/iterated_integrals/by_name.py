"""The kinds of iterated integrals by name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from semidirect.random.iterated_integrals.iterated_integrals import IteratedIntegrals
from semidirect.random.iterated_integrals.levy_areas import LevyAreas
from semidirect.random.iterated_integrals.signs import Signs
from semidirect.random.iterated_integrals.time_integrals import TimeIntegrals

INTEGRALS: Mapping[str, IteratedIntegrals] = MappingProxyType(
    {e.name: e for e in (LevyAreas(), TimeIntegrals(), Signs())}
)

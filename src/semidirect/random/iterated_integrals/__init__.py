"""Data of a Wiener process that methods of higher order need besides increments: Lévy areas, time integrals, signs."""

from semidirect.random.iterated_integrals.by_name import INTEGRALS
from semidirect.random.iterated_integrals.iterated_integrals import (
    FOURIER,
    INTEGRAL,
    SIGN,
    TAIL,
    IteratedIntegrals,
    pairs,
)
from semidirect.random.iterated_integrals.levy_areas import FEWEST_TERMS, NUMBERS_AT_ONCE, LevyAreas
from semidirect.random.iterated_integrals.signs import Signs
from semidirect.random.iterated_integrals.time_integrals import TimeIntegrals

__all__ = [
    "FEWEST_TERMS",
    "FOURIER",
    "INTEGRAL",
    "INTEGRALS",
    "IteratedIntegrals",
    "LevyAreas",
    "NUMBERS_AT_ONCE",
    "SIGN",
    "Signs",
    "TAIL",
    "TimeIntegrals",
    "pairs",
]

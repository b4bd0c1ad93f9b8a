"""Functions s(a, t, z) that a definition names: letters that stay letters in what is derived, with their derivatives ∂s/∂a."""

from semidirect.equations.letters.letter import (
    DIGITS,
    SLOPE,
    SMALL,
    Letter,
    Rates,
    Slope,
    letter_stem,
    of_vectors,
    staged_letter,
)
from semidirect.equations.letters.letters import Letters, vanishes

__all__ = [
    "DIGITS",
    "Letter",
    "Letters",
    "Rates",
    "SLOPE",
    "SMALL",
    "Slope",
    "letter_stem",
    "of_vectors",
    "staged_letter",
    "vanishes",
]

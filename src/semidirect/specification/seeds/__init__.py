"""The seed of a run: a number, the default, or one that is drawn."""

from semidirect.specification.seeds.derived import derived_seed, drawn_seed
from semidirect.specification.seeds.number import DEFAULT, Seed, number_of_seed

__all__ = ["DEFAULT", "Seed", "derived_seed", "drawn_seed", "number_of_seed"]

"""Lie–Poisson systems of matrices: the free body of N dimensions, and Euler's equations on the sphere as Zeitlin has them."""

from semidirect_matrix_systems.manakov import Manakov
from semidirect_matrix_systems.zeitlin import Zeitlin

__all__ = ["Manakov", "Zeitlin"]

"""Lie–Poisson systems of matrices: algebras, systems stated by functions of arrays, their equations, pages and proofs."""

from semidirect.core import open_door

open_door(__name__)

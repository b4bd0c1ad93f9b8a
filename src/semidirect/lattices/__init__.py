"""Lattices: many copies of a system that interact along edges, their equations, starts, pages and proofs."""

from semidirect.core import open_door

open_door(__name__)

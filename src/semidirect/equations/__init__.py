"""Derivation: variational principles, the staged program, Itô form, evolution of observables."""

from semidirect.core import open_door

open_door(__name__)

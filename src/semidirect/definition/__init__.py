"""The data of a system: group, advected quantities, Lagrangian, constraint, noise, forces, observables, parameters."""

from semidirect.core import open_door

open_door(__name__)

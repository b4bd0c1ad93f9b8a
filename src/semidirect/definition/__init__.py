"""The data of a system: group, advected quantities, Lagrangian, constraint, noise, forces, observables, parameters."""

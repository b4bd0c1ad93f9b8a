"""What a user states: group, advected quantities, Lagrangian, constraint, noise, forces, observables, parameters."""

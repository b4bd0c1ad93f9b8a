"""What pytest runs on a group, a representation, a Lagrangian, a constraint, a system, an integrator."""

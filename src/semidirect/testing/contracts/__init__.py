"""Classes of pytest tests for a group, a representation, a Lagrangian, a constraint, a system, an integrator."""

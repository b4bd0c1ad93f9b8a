"""Nonholonomic momenta: the symmetries that lie in a distribution, and the momentum equation of each."""

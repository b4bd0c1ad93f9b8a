"""The nonholonomic particle on the Heisenberg group."""

from semidirect_nonholonomic_particle.nonholonomic_particle import NonholonomicParticle

__all__ = ["NonholonomicParticle"]

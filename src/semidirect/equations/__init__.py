"""Derivation: variational principles, the staged program, Itô form, evolution of observables.

Names are imported when first used.
"""

from semidirect.core.lazy_names import lazy_names

_PLACES = {
    "semidirect.equations.hamilton_pontryagin": ("HamiltonPontryagin",),
    "semidirect.equations.lagrange_dalembert": ("LagrangeDAlembert",),
    "semidirect.equations.principle": ("Principle",),
    "semidirect.equations.program": ("Let", "Program", "Solve"),
    "semidirect.equations.sde": ("StratonovichSDE",),
}

__all__ = ["HamiltonPontryagin", "LagrangeDAlembert", "Let", "Principle", "Program", "Solve", "StratonovichSDE"]

__getattr__, __dir__ = lazy_names(__name__, _PLACES)

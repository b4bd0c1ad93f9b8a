"""Derivation: variational principles, the staged program, Itô form, evolution of observables.

Names are stated in the stub beside this file and imported when first used.
"""

from semidirect.core.lazy_names import lazy_names

__getattr__, __dir__ = lazy_names(__name__)

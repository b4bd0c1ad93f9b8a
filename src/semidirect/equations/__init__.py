"""Derivation: variational principles, the staged program, Itô form, evolution of observables."""

# Names are listed in the stub next to this file and imported at first use.

from semidirect.core.lazy_names import lazy_names

__getattr__, __dir__ = lazy_names(__name__)

"""Lie groups, their algebras and duals."""

# Names are listed in the stub next to this file and imported at first use.

from semidirect.core.lazy_names import lazy_names

__getattr__, __dir__ = lazy_names(__name__, over_modules=("minimal_motion",))

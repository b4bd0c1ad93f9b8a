"""Inference: what an observation says of the states of a system, filters."""

# Names are listed in the stub next to this file and imported at first use.

from semidirect.core.lazy_names import lazy_names

__getattr__, __dir__ = lazy_names(__name__, over_modules=("filter", "fit", "quadratic_variation"))

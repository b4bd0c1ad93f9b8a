"""Errors and warnings of the package; the base of the errors, `sd.SemidirectError`, is at the top too."""

# Names are listed in the stub next to this file and imported at first use.

from semidirect.core.lazy_names import lazy_names

__getattr__, __dir__ = lazy_names(__name__)

"""Hypothesis strategies and pytest contracts for authors of groups, representations, systems and integrators.

A contract returns a pytest class, ``TestMine = system_contract(Mine)``. Contracts and strategies need the extra ``test``; the
rest (:class:`Theorem`, :class:`Derivations`, :class:`SymbolicNumericConsistency`, exact states) does not, and ``semidirect
check`` runs on it.
"""

# Names are listed in the stub next to this file and imported at first use.

from __future__ import annotations

import sys

from semidirect.core.lazy_names import lazy_names

if "pytest" in sys.modules:  # it explains assertions only in modules that it knew of before they were imported
    sys.modules["pytest"].register_assert_rewrite(f"{__name__}.contracts")

__getattr__, __dir__ = lazy_names(__name__)

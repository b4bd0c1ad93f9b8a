"""Hypothesis strategies and pytest contracts for authors of groups, representations, systems and integrators.

A contract returns a pytest class, ``TestMine = system_contract(Mine)``. Contracts and strategies need the extra ``test``; the
rest (:class:`Theorem`, :class:`Derivations`, :class:`SymbolicNumericConsistency`, exact states) does not, and ``semidirect
check`` runs on it.
"""

from __future__ import annotations

import sys

from semidirect.core import open_door

if "pytest" in sys.modules:  # it explains assertions only in modules that it knew of before they were imported
    sys.modules["pytest"].register_assert_rewrite(f"{__name__}.contracts")

open_door(__name__)

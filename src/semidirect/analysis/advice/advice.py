"""Advice on methods, as a method of ``sd.System``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from semidirect.core import explains_calls
from semidirect.definition import SystemDefinition

if TYPE_CHECKING:
    from semidirect.analysis.advice.ranking import Goal
    from semidirect.analysis.advice.recommendation import Recommendation


@explains_calls
class Advice(SystemDefinition, has_energy=False):
    """The methods that suit a system."""

    def recommend(self, goal: Goal = "long-run", **how: Any) -> Recommendation:
        """The methods that suit this system, the best first: see :func:`semidirect.analysis.advice.ranking.recommend`."""
        from semidirect.analysis.advice.ranking import recommend

        return recommend(self, goal, **how)

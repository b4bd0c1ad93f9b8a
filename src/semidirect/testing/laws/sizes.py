"""How many examples a test gets."""

from __future__ import annotations

from hypothesis import HealthCheck, Phase, settings


def budget(share: float, *, shrink: bool = True) -> settings:
    """A share of the examples of the current Hypothesis profile, at least one, in its phases; slow tests use a smaller share.

    ``shrink``: whether a failing example is made small, for up to five minutes.
    """
    profile = settings.default
    count = max(1, round(share * (profile.max_examples if profile else 100)))
    phases = [p for p in (profile.phases if profile else Phase) if shrink or p not in (Phase.shrink, Phase.explain)]
    return settings(max_examples=count, phases=phases, deadline=None, suppress_health_check=[HealthCheck.too_slow])

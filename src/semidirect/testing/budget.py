"""How many examples a test gets."""

from __future__ import annotations

from hypothesis import settings


def budget(share: float) -> settings:
    """That share of the examples of the current Hypothesis profile, at least one: what is slow gets less, always."""
    profile = settings.default
    return settings(max_examples=max(1, round(share * (profile.max_examples if profile else 100))))

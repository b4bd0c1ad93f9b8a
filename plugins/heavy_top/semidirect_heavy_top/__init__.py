"""The heavy top with transport noise."""

from semidirect_heavy_top.heavy_top import HeavyTop

__all__ = ["HeavyTop"]

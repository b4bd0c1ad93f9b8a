"""The heavy top with transport noise, and its integrable cases."""

from semidirect_heavy_top.heavy_top import HeavyTop
from semidirect_heavy_top.presets import kovalevskaya_top, lagrange_top

__all__ = ["HeavyTop", "kovalevskaya_top", "lagrange_top"]

"""The tippe top."""

from semidirect_tippe_top.tippe_top import TippeTop

__all__ = ["TippeTop"]

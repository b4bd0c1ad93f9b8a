"""The bicycle of Whipple."""

from semidirect_whipple_bicycle.whipple_bicycle import WhippleBicycle

__all__ = ["WhippleBicycle"]

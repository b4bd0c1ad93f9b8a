"""A rolling ball whose contact slips at random."""

from semidirect_slipping_ball.slipping_ball import SlippingBall

__all__ = ["SlippingBall"]

"""A ball on a turning table, with transport noise."""

from semidirect_turntable_ball.turntable_ball import TurntableBall

__all__ = ["TurntableBall"]

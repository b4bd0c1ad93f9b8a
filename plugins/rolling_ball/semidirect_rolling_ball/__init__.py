"""A ball that rolls on a plane under transport noise: Routh sphere, Chaplygin top, Chaplygin ball."""

from semidirect_rolling_ball.presets import chaplygin_ball, routh_sphere
from semidirect_rolling_ball.rolling_ball import RollingBall

__all__ = ["RollingBall", "chaplygin_ball", "routh_sphere"]

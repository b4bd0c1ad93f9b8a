"""Derivatives of the start of a path, by parameters and by the start itself."""

from semidirect.state.start_slopes.frames import advected_slopes, flow_frames, generators_of
from semidirect.state.start_slopes.slopes import PARTS, STEP, with_carried_slopes, with_slopes

__all__ = ["PARTS", "STEP", "advected_slopes", "flow_frames", "generators_of", "with_carried_slopes", "with_slopes"]

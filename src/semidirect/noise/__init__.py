"""Noise: the amplitudes of transport, and the paths W that drive them."""

from semidirect.noise.driving_path import DrivingPath
from semidirect.noise.transport_noise import (
    CombinedNoise,
    ConstantNoise,
    FormalNoise,
    InternalState,
    PrescribedNoise,
    StateNoise,
    TransportNoise,
    VolatilityNoise,
)
from semidirect.noise.wiener import WienerNoise

__all__ = [
    "CombinedNoise", "ConstantNoise", "DrivingPath", "FormalNoise", "InternalState", "PrescribedNoise", "StateNoise",
    "TransportNoise", "VolatilityNoise", "WienerNoise",
]  # fmt: skip

"""Lyapunov exponents: the rates at which neighbouring states under the same noise separate."""

from semidirect.analysis.lyapunov.estimate import lyapunov
from semidirect.analysis.lyapunov.spectrum import LyapunovSpectrum

__all__ = ["LyapunovSpectrum", "lyapunov"]

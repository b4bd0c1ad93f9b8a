"""The commands ``audit`` and ``reproduce``."""

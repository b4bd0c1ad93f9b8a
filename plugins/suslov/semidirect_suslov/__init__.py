"""Suslov's nonholonomic rigid body."""

from semidirect_suslov.suslov import Suslov

__all__ = ["Suslov"]

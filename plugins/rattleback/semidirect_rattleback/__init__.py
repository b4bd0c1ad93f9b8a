"""The rattleback with transport noise."""

from semidirect_rattleback.rattleback import Rattleback

__all__ = ["Rattleback"]

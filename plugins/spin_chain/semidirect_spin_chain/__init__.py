"""A chain of classical spins."""

from semidirect_spin_chain.spin_chain import SpinChain

__all__ = ["SpinChain"]

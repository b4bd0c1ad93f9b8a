"""Exact numbers and exact linear algebra: what proofs and searches compute with."""

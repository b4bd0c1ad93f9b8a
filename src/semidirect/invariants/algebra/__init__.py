"""Exact numbers and exact linear algebra for proofs and searches."""

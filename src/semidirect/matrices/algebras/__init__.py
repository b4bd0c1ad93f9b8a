"""The Lie algebras of matrices, one in each file."""

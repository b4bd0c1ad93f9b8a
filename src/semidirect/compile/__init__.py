"""Compiled kernels: the step of a method is traced once and compiled as a loop over paths."""

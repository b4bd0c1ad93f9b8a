"""Standard normals as a pure function of (seed, path, step, component, level); the result never depends on the batch.

Arrays have components first, paths last. The compiler is imported by the first call.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from semidirect.core import arguments, errors
from semidirect.random.philox import COMPONENT_BITS, LEVEL_BITS, STEP_BITS

__all__ = ["fill_normals", "standard_normals"]


def standard_normals(seed: int, paths: Any, step: int, components: int, level: int = 0) -> np.ndarray:
    """The normals ``(components, paths)`` of one step.

    Parameters
    ----------
    seed : int
        From 0 to below 2^64.
    paths : range or integers, shape (n,)
        Path numbers from 0 to below 2^64, in any order.
    step, components, level : int
        Below 2^46, 2^13 and 2^6.
    """
    paths = arguments.validated_paths(paths)
    components = arguments.validated_whole("the number of components", components, least=0, most=2**COMPONENT_BITS)
    return fill_normals(np.empty((1, components, paths.size)), seed, paths, step, level)[0]


def fill_normals(
    out: np.ndarray, seed: int, paths: Any, step: int | np.ndarray, level: int = 0, *, weak: bool = False
) -> np.ndarray:
    """Fill ``out`` ``(steps, components, paths)`` with the normals of consecutive steps from ``step`` on; return it.

    A block of an even number of steps from an even one on costs half of the same steps one by one: two consecutive
    steps share a call of Philox. ``out`` is a C-contiguous ``float64`` array. ``step``: that of all paths, or, as integers
    ``(paths,)`` from 0 to below 2^46, for each path its own. ``weak``: three-point variables instead, ±√3 with probability 1/6
    each, else 0, from the same words; not for steps of their own.
    """
    paths = _fitting(out, paths)
    if isinstance(step, np.ndarray):
        if out.size:
            fill_own_steps = _compiled_own()
            steps = np.ascontiguousarray(step, dtype=np.int64)
            fill_own_steps(out, np.empty((2, paths.size)), paths, steps, seed, level, *out.shape)
        return out
    step = arguments.validated_whole("step", step, least=0, most=2**STEP_BITS - 1)
    arguments.validated_whole("the last step", step + max(out.shape[0] - 1, 0), least=0, most=2**STEP_BITS - 1)
    seed, level = (
        arguments.validated_seed(seed),
        arguments.validated_whole("level", level, least=0, most=2**LEVEL_BITS - 1),
    )

    if not out.size:  # no steps from an odd one on have half of a pair
        return out
    fill_steps, unwanted = _compiled(weak), np.empty((2, paths.size))
    fill_steps(out, unwanted, paths, seed, level, step, *out.shape)
    return out


def _fitting(out: Any, paths: Any) -> np.ndarray:
    """The numbers of the paths; raises an :class:`InputError` unless ``out`` can be filled for them."""
    paths = np.ascontiguousarray(arguments.validated_paths(paths))
    if not isinstance(out, np.ndarray) or out.dtype != np.float64 or out.ndim != 3 or not out.flags.carray:
        expected = "a writable C-contiguous float64 array (steps, components, paths)"
        got = f"shape {out.shape}, {out.dtype}" if isinstance(out, np.ndarray) else type(out).__name__
        raise errors.InputError("out cannot be filled", expected=expected, got=got)
    if out.shape[2] != paths.size:
        raise errors.InputError("out cannot be filled", expected=f"{paths.size} paths", got=f"shape {out.shape}")
    arguments.validated_whole("the number of components", out.shape[1], least=0, most=2**COMPONENT_BITS)
    return paths


_FILL = """
def fill_steps(out: f8[:, components, n], unwanted: f8[:, n], paths: u8[:], seed: u8, level: u8, first: i8, steps: i8,
               components: i8, n: i8):
    prefer_vectors(512)
    k0, k1 = seed & LOW_32, seed >> S32
    for pair in range(first >> 1, (first + steps + 1) >> 1):
        at = 2 * pair - first
        low = U(pair) & LOW_32
        both = (at >= 0) & (at + 1 < steps)
        for c in range(components):
            last = last_word(U(pair), U(c), level)
            if both:
                for j in range(n):
                    path = paths[j]
                    out[at, c, j], out[at + 1, c, j] = PAIR(low, path & LOW_32, path >> S32, last, k0, k1)
            else:
                for j in range(n):
                    path = paths[j]
                    unwanted[0, j], unwanted[1, j] = PAIR(low, path & LOW_32, path >> S32, last, k0, k1)
                for j in range(n):
                    out[0 if at < 0 else at, c, j] = unwanted[1 if at < 0 else 0, j]
"""
"""Both steps of a pair, or the one that is among those asked for."""

_FILL_OWN = """
def fill_own_steps(out: f8[:, components, n], pair_of: f8[:, n], paths: u8[:], first: i8[:], seed: u8, level: u8, steps: i8,
                   components: i8, n: i8):
    prefer_vectors(512)
    k0, k1 = seed & LOW_32, seed >> S32
    for number in range((steps >> 1) + 1):
        for c in range(components):
            for j in range(n):
                pair = (first[j] >> 1) + number
                last = last_word(U(pair), U(c), level)
                path = paths[j]
                pair_of[0, j], pair_of[1, j] = normal_pair(U(pair) & LOW_32, path & LOW_32, path >> S32, last, k0, k1)
            for j in range(n):
                at = 2 * number - (first[j] & 1)
                if at >= 0 and at < steps:
                    out[at, c, j] = pair_of[0, j]
                if at + 1 < steps:
                    out[at + 1, c, j] = pair_of[1, j]
"""
"""The same where paths begin at steps of their own: of both steps of a pair, those that are asked for."""


@cache
def _compiled_own() -> Callable[..., None]:
    from semidirect.machine import CompiledFunction
    from semidirect.random import philox_normal as generator

    return CompiledFunction.of_text(
        _FILL_OWN, "fill_own_steps", vars(generator), library=inspect.getsource(generator), purpose="random numbers"
    )


@cache
def _compiled(weak: bool) -> Callable[..., None]:
    from semidirect.machine import CompiledFunction
    from semidirect.random import philox_normal as generator

    text = _FILL.replace("PAIR", "three_point_pair" if weak else "normal_pair")
    return CompiledFunction.of_text(
        text, "fill_steps", vars(generator), library=inspect.getsource(generator), purpose="random numbers"
    )

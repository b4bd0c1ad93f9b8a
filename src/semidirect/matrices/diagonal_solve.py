"""Linear maps of matrices that act within each diagonal by a symmetric tridiagonal matrix, and their inverses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, final

import numpy as np

from semidirect.core import errors


@final
class DiagonalSolve:
    """Solves L P = W, where L acts on the k-th diagonal, with entries p_i = P_{i, i+k}, by a symmetric tridiagonal matrix,
    d_{k,i} p_i + e_{k,i} p_{i+1} + e_{k,i−1} p_{i−1}, and alike below the main diagonal.

    All N tridiagonal systems are solved at once, in O(N²) operations per matrix.

    Parameters
    ----------
    diagonals, neighbours : sequences of arrays
        d_k of length N − k and e_k of length N − k − 1, for k = 0 … N − 1.
    kernel : bool
        Whether the main diagonal has the identity as its kernel: then W and P have no trace there.

    Raises
    ------
    InputError
        For other lengths, and for a map that has no inverse.
    """

    def __init__(self, diagonals: Sequence[np.ndarray], neighbours: Sequence[np.ndarray], *, kernel: bool = False):
        n = len(diagonals)
        lengths = [(len(d), len(e)) for d, e in zip(diagonals, neighbours, strict=False)]
        if lengths != [(n - k, n - k - 1) for k in range(n)]:
            raise errors.InputError(
                "the diagonals of a solve",
                expected="lengths N, N − 1, … 1, of neighbours one less each",
                got=str(lengths),
            )
        self.size, self.kernel = n, kernel
        pivots, multipliers = np.ones((n, n)), np.zeros((n, n))
        with np.errstate(all="ignore"):
            for k, (d, e) in enumerate(zip(diagonals, neighbours, strict=True)):
                last = n - k - (1 if kernel and k == 0 else 0)
                pivots[k, 0] = d[0]
                for i in range(1, last):
                    multipliers[k, i] = e[i - 1] / pivots[k, i - 1]
                    pivots[k, i] = d[i] - multipliers[k, i] * e[i - 1]
        if not (np.all(np.isfinite(pivots)) and np.all(pivots != 0)):
            raise errors.InputError("a linear map of matrices", expected="one with an inverse", got="a pivot that is 0")
        # row i of the arrays below belongs to step i of all eliminations; the first axis is the step, the last the diagonal
        self._multipliers, self._pivots = multipliers.T.copy(), pivots.T.copy()
        self._factors = {
            each: tuple(np.repeat(a, each, axis=1) for a in (self._multipliers, self._pivots)) for each in (1, 2)
        }
        step, diagonal = np.meshgrid(np.arange(n), np.arange(n), indexing="ij")
        self._inside = step + diagonal < n
        column = np.where(self._inside, step + diagonal, 0)
        row = np.where(self._inside, step, 0)
        self._upper, self._lower = row * n + column, column * n + row
        self._above, self._below = self._upper[self._inside], self._lower[self._inside]
        self._strict = (diagonal > 0)[self._inside]

    def __call__(self, W: np.ndarray, *, hermitian: int = 0) -> np.ndarray:
        """P for W ``(…, N, N)``.

        ``hermitian`` 1 or −1: W* = ±W, and only the diagonals above and the main one are solved.
        """
        if W.dtype == object:
            return self._solved_one_by_one(W, hermitian)
        flat = np.ascontiguousarray(W).reshape(*W.shape[:-2], -1)
        out = np.zeros(flat.shape, dtype=np.result_type(flat.dtype, float))
        above = self._solved(flat, self._upper)
        out[..., self._above] = above
        if hermitian:
            out[..., self._below[self._strict]] = hermitian * np.conj(above[..., self._strict])
        else:
            out[..., self._below[self._strict]] = self._solved(flat, self._lower)[..., self._strict]
        return out.reshape(W.shape)

    def _solved(self, flat: np.ndarray, where: np.ndarray) -> np.ndarray:
        """The solutions in the places of the diagonals, all eliminations step by step.

        Real and imaginary parts are numbers of their own, and sums run in the order of the steps: what comes of a matrix does
        not depend on the matrices beside it.
        """
        n = self.size
        x = np.moveaxis(np.where(self._inside, flat[..., where], 0.0), -2, 0).copy()  # (step, …, diagonal)
        numbers = x.view(float) if x.dtype.kind == "c" else x
        each = numbers.shape[-1] // n  # numbers of an entry
        multipliers, pivots = self._factors[each]
        if self.kernel:
            self._remove_mean(numbers[..., :each])
            numbers[n - 1, ..., :each] = 0.0
        for i in range(1, n):  # at step i there are n − i diagonals
            inside = slice(each * (n - i))
            numbers[i, ..., inside] -= multipliers[i, inside] * numbers[i - 1, ..., inside]
        numbers /= pivots.reshape(n, *(1,) * (x.ndim - 2), each * n)
        for i in range(n - 2, -1, -1):
            inside = slice(each * (n - i - 1))
            numbers[i, ..., inside] -= multipliers[i + 1, inside] * numbers[i + 1, ..., inside]
        if self.kernel:
            self._remove_mean(numbers[..., :each])
        return np.moveaxis(x, 0, -2)[..., self._inside]

    def _solved_one_by_one(self, W: np.ndarray, hermitian: int) -> np.ndarray:
        """As :meth:`__call__` for matrices of expressions, diagonal by diagonal."""
        n, out = self.size, W.copy()
        for index in np.ndindex(W.shape[:-2]):
            for k in range(n):
                places = [(i, i + k) for i in range(n - k)]
                above = self._eliminated([W[(*index, *p)] for p in places], k)
                below = above if k == 0 else [hermitian * np.conj(x) for x in above] if hermitian else (
                    self._eliminated([W[(*index, j, i)] for i, j in places], k)
                )  # fmt: skip
                for (i, j), x, y in zip(places, above, below, strict=True):
                    out[(*index, j, i)], out[(*index, i, j)] = y, x
        return out

    def _eliminated(self, x: list[Any], k: int) -> list[Any]:
        """The solution on the k-th diagonal."""
        centred = self.kernel and k == 0
        m, p = self._multipliers[:, k], self._pivots[:, k]
        if centred:
            mean = sum(x[1:], x[0]) / self.size
            x = [a - mean for a in x]
            x[-1] = 0.0 * x[-1]
        for i in range(1, len(x)):
            x[i] = x[i] - m[i] * x[i - 1]
        x = [a / p[i] for i, a in enumerate(x)]
        for i in range(len(x) - 2, -1, -1):
            x[i] = x[i] - m[i + 1] * x[i + 1]
        if centred:
            mean = sum(x[1:], x[0]) / self.size
            x = [a - mean for a in x]
        return x

    def _remove_mean(self, diagonal: np.ndarray) -> None:
        diagonal -= np.add.accumulate(diagonal)[-1] / self.size  # in the order of the steps

"""Scalar twins of :mod:`semidirect.core.elementary` for kernels: the same operations in the same order, so the same bits.

A kernel contains their instructions. A test verifies that both versions are identical to the last bit.
"""

from __future__ import annotations

import numpy as np

_U = np.uint64
_BITS_OF_2_52, _MANTISSA, _HALF_SQRT_2 = _U(0x4330000000000000), _U(0x000FFFFFFFFFFFFF), _U(0x3FE6A09E667F3BCD)
_FROM_ONE, _BIAS, _EXPONENT_AT = _U(0x3FF0000000000000 - 0x3FE6A09E667F3BCD), _U(1023), _U(52)


def sqrt(x):  # type: ignore[no-untyped-def]
    """√x."""
    return np.sqrt(x)


def absolute(x):  # type: ignore[no-untyped-def]
    """|x|."""
    return np.abs(x)


def _angle(x):  # type: ignore[no-untyped-def]
    return x if np.abs(x) <= 35184372088832.0 else (np.inf if x == x else x)


def _two_difference(a, b):  # type: ignore[no-untyped-def]
    difference = a - b
    back = difference - a
    return difference, (a - (difference - back)) - (b + back)


def _reduce(x):  # type: ignore[no-untyped-def]
    n = np.rint(x * 0.6366197723675814)
    first, error_1 = _two_difference(x - n * 1.5707963267341256, n * 6.077100506303966e-11)
    second, error_2 = _two_difference(first, n * 2.0222662487111665e-21)
    rest = (error_1 + error_2) - n * 8.4784276603689e-32
    y = second + rest
    return n - 4.0 * np.floor(0.25 * n), y, (second - y) + rest


def _sine(y, tail):  # type: ignore[no-untyped-def]
    z = y * y
    v = z * y
    r = 8.33333333332248946124e-03 + z * (
        -1.98412698298579493134e-04
        + z * (2.75573137070700676789e-06 + z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10))
    )
    return y - ((z * (0.5 * tail - v * r) - tail) - v * -1.66666666666666324348e-01)


def _cosine(y, tail):  # type: ignore[no-untyped-def]
    z = y * y
    r = z * (
        4.16666666666666019037e-02
        + z
        * (
            -1.38888888888741095749e-03
            + z
            * (
                2.48015872894767294178e-05
                + z * (-2.75573143513906633035e-07 + z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11))
            )
        )
    )
    half = 0.5 * z
    w = 1.0 - half
    return w + (((1.0 - w) - half) + (z * r - y * tail))


def sin(x):  # type: ignore[no-untyped-def]
    """Sine."""
    x = _angle(x)
    q, y, tail = _reduce(x)
    s, c = _sine(y, tail), _cosine(y, tail)
    value = c if (q == 1.0) | (q == 3.0) else s
    flipped = -value if q >= 2.0 else value
    value = x if x == 0.0 else flipped
    return value - (x - x)


def cos(x):  # type: ignore[no-untyped-def]
    """Cosine."""
    x = _angle(x)
    q, y, tail = _reduce(x)
    s, c = _sine(y, tail), _cosine(y, tail)
    value = s if (q == 1.0) | (q == 3.0) else c
    value = -value if (q == 1.0) | (q == 2.0) else value
    return value - (x - x)


def _power_of_two(k):  # type: ignore[no-untyped-def]
    return (((k + 6755399441055744.0).view(_U) + _BIAS) << _EXPONENT_AT).view(np.float64)


def exp(x):  # type: ignore[no-untyped-def]
    """Exponential."""
    low_side = -746.0 if x < -746.0 else x
    clipped = 710.0 if x > 710.0 else low_side
    clipped = clipped if np.abs(x) < np.inf else (0.0 if x == x else x)
    k = np.rint(clipped * 1.44269504088896338700)
    high, low = clipped - k * 6.93147180369123816490e-01, k * 1.90821492927058770002e-10
    r = high - low
    z = r * r
    c = r - z * (
        1.66666666666666019037e-01
        + z
        * (
            -2.77777777770155933842e-03
            + z * (6.61375632143793436117e-05 + z * (-1.65339022054652515390e-06 + z * 4.13813679705723846039e-08))
        )
    )
    value = 1.0 + (r * c / (2.0 - c) - low + high)
    half = np.floor(0.5 * k)
    value = value * _power_of_two(half)
    value = value * _power_of_two(k - half)
    finite = 0.0 if x == -np.inf else value
    return x if x == np.inf else finite


def log(x):  # type: ignore[no-untyped-def]
    """Natural logarithm."""
    inside = (x > 0.0) & (x < np.inf)
    a = x if inside else 1.0
    subnormal = a < 2.2250738585072014e-308
    a = a * (18014398509481984.0 if subnormal else 1.0)
    bits = a.view(_U) + _FROM_ONE  # type: ignore[union-attr]  # numbers are those of NumPy
    k = ((bits >> _EXPONENT_AT) | _BITS_OF_2_52).view(np.float64) - 4503599627371519.0
    k = k - 54.0 if subnormal else k
    f = ((bits & _MANTISSA) + _HALF_SQRT_2).view(np.float64) - 1.0
    half_square = 0.5 * f * f
    s = f / (2.0 + f)
    z = s * s
    w = z * z
    even = w * (3.999999999940941908e-01 + w * (2.222219843214978396e-01 + w * 1.531383769920937332e-01))
    odd = z * (
        6.666666666666735130e-01
        + w * (2.857142874366239149e-01 + w * (1.818357216161805012e-01 + w * 1.479819860511658591e-01))
    )
    value = k * 6.93147180369123816490e-01 - (
        (half_square - (s * (half_square + (odd + even)) + k * 1.90821492927058770002e-10)) - f
    )
    value = value if inside else x
    value = np.nan if x < 0.0 else value
    return -np.inf if x == 0.0 else value

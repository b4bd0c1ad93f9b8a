"""Square roots, exponentials and logarithms with the same bits on every machine."""

from __future__ import annotations

from typing import Any

import numpy as np

P1, P2, P3, P4 = 1.5707963267341256, 6.077100506303966e-11, 2.0222662487111665e-21, 8.4784276603689e-32

# ln 2 in 32 bits and the rest: k LN2_HI is exact for every exponent k.
LN2_HI, LN2_LO, LOG2_E = 6.93147180369123816490e-01, 1.90821492927058770002e-10, 1.44269504088896338700
EXP = (
    1.66666666666666019037e-01, -2.77777777770155933842e-03, 6.61375632143793436117e-05,
    -1.65339022054652515390e-06, 4.13813679705723846039e-08,
)  # fmt: skip
LOG = (
    6.666666666666735130e-01, 3.999999999940941908e-01, 2.857142874366239149e-01, 2.222219843214978396e-01,
    1.818357216161805012e-01, 1.531383769920937332e-01, 1.479819860511658591e-01,
)  # fmt: skip

# Adding 1.5 2^52 puts an integer into the low bits of a double; 2^52 with an integer in its low bits is the reverse.
INTEGER_IN_LOW_BITS = 1.5 * 2.0**52
BITS_OF_2_52 = np.uint64(0x4330000000000000)
MANTISSA = np.uint64(0x000FFFFFFFFFFFFF)
HALF_SQRT_2 = np.uint64(0x3FE6A09E667F3BCD)
FROM_ONE = np.uint64(0x3FF0000000000000) - HALF_SQRT_2
BIAS, EXPONENT_AT = np.uint64(1023), np.uint64(52)


def sqrt(x: Any) -> Any:
    """The square root, correctly rounded by IEEE 754."""
    return np.sqrt(np.asarray(x, dtype=np.float64))


def absolute(x: Any) -> Any:
    """The absolute value, exact."""
    return np.abs(np.asarray(x, dtype=np.float64))


def exp(x: Any) -> Any:
    """The exponential, within 1 ulp, subnormal results included; inf above 709.78, 0 below −745.13."""
    x = np.asarray(x, dtype=np.float64)
    clipped = np.where(x > 710.0, 710.0, np.where(x < -746.0, -746.0, x))
    clipped = np.where(np.abs(x) < np.inf, clipped, np.where(x == x, 0.0, x))
    with np.errstate(under="ignore"):
        k = np.rint(clipped * LOG2_E)
        high, low = clipped - k * LN2_HI, k * LN2_LO
        r = high - low
        z = r * r
        c = r - z * (EXP[0] + z * (EXP[1] + z * (EXP[2] + z * (EXP[3] + z * EXP[4]))))
        value = 1.0 + (r * c / (2.0 - c) - low + high)
        half = np.floor(0.5 * k)
        value = value * _power_of_two(half)
    value = value * _power_of_two(k - half)
    return np.where(x == np.inf, x, np.where(x == -np.inf, 0.0, value))[()]


def log(x: Any) -> Any:
    """The natural logarithm, within 1 ulp, subnormal arguments included; ``log(0)`` is −inf, ``log`` below 0 is nan."""
    x = np.asarray(x, dtype=np.float64)
    pole = -1.0 / np.where(x == 0, 0.0, 1.0)
    undefined = np.sqrt(np.where(x < 0, -1.0, 1.0))
    inside = (x > 0) & (x < np.inf)
    a = np.where(inside, x, 1.0)
    subnormal = a < 2.0**-1022
    a = a * np.where(subnormal, 2.0**54, 1.0)
    # x = 2^k (1 + f) with 1 + f in [√½, √2).
    bits = a.view(np.uint64) + FROM_ONE
    k = ((bits >> EXPONENT_AT) | BITS_OF_2_52).view(np.float64) - (2.0**52 + 1023.0)
    k = np.where(subnormal, k - 54.0, k)
    with np.errstate(under="ignore"):
        f = ((bits & MANTISSA) + HALF_SQRT_2).view(np.float64) - 1.0
        half_square = 0.5 * f * f
        s = f / (2.0 + f)
        z = s * s
        w = z * z
        even = w * (LOG[1] + w * (LOG[3] + w * LOG[5]))
        odd = z * (LOG[0] + w * (LOG[2] + w * (LOG[4] + w * LOG[6])))
        value = k * LN2_HI - ((half_square - (s * (half_square + (odd + even)) + k * LN2_LO)) - f)
    value = np.where(inside, value, x)
    return np.where(x == 0, pole, np.where(x < 0, undefined, value))[()]


def _power_of_two(k: Any) -> Any:
    """2**k for an integer −1022 ≤ k ≤ 1023 held in a float, by writing its exponent bits."""
    return (((k + INTEGER_IN_LOW_BITS).view(np.uint64) + BIAS) << EXPONENT_AT).view(np.float64)

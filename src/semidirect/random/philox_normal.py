"""Compiled normals as a pure function of (seed, path, step, component, level): Philox, uniforms, Box–Muller.

Straight-line code that LLVM vectorises over paths: no branch, no table, no library call. No fastmath; the fused
multiply-adds are written out, are correctly rounded, and so give the same bits on every machine (in software where the
processor has none). The layout of counter and key is that of :mod:`semidirect.random.philox`, which is the reference.

Kernels and :mod:`semidirect.random.normal_numbers` contain the instructions of these functions; compiled code is found by a
digest of this file.

Box–Muller: z₀ + i z₁ = √(−2 ln u) e^{iθ}, u = k 2⁻⁵³ with 1 ≤ k ≤ 2⁵³, θ = (q + f) π/2 with q in {0, 1, 2, 3} and f
in [−½, ½) of 52 bits. The largest |z| is √(106 ln 2) = 8.57. The minimax polynomials have relative errors 1.2e-18
(logarithm), 3.4e-18 (sine), 5.1e-17 (cosine); a normal is within 4.2e-16 of the exact function, relatively.
"""

from __future__ import annotations

import numpy as np

from semidirect.machine import fma

U = np.uint64
MULTIPLIER_0, MULTIPLIER_1 = U(0xD2511F53), U(0xCD9E8D57)
WEYL_0, WEYL_1 = U(0x9E3779B9), U(0xBB67AE85)
LOW_32, S32 = U(0xFFFFFFFF), U(32)
COMPONENT_AT, LEVEL_AT = U(13), U(26)

SIGN = U(0x8000000000000000)
ONE = U(0x3FF0000000000000)
MANTISSA, EXPONENT_AT = U(0x000FFFFFFFFFFFFF), U(52)
BITS_OF_2_52 = U(0x4330000000000000)
HALF_SQRT_2 = U(0x3FE6A09E667F3BCD)
FROM_ONE = U(0x3FF0000000000000 - 0x3FE6A09E667F3BCD)
S1, S10, S11, S22 = U(1), U(10), U(11), U(22)
LOW_30, BIT_30 = U(0x3FFFFFFF), U(0x40000000)

# −2 ln((1 − s)/(1 + s)) = 4 s + s³ (L0 + L1 s² + …) for |s| ≤ 3 − 2√2.
L0, L1, L2, L3 = 1.3333333333333468, 0.7999999999882936, 0.5714285748477471, 0.44444397146412751
L4, L5, L6 = 0.3636712865036402, 0.30628101144476029, 0.29591899061696013
TWO_LN_2 = 1.3862943611198906
# sin(f π/2) = f (H + S0 f² + …) and cos(f π/2) = 1 + C0 f² + … for |f| ≤ ½.
H = 1.5707963267948966
SIN_0, SIN_1, SIN_2 = -0.645964097506245, 0.07969262624606273, -0.004681754132616268
SIN_3, SIN_4, SIN_5 = 0.00016044115259849126, -3.598649340602163e-06, 5.634675070204795e-08
COS_0, COS_1, COS_2 = -1.233700550136157, 0.25366950790005294, -0.020863480737573974
COS_3, COS_4, COS_5 = 0.0009192599677600829, -2.5200192420790235e-05, 4.656003852226029e-07

# One sixth of 2^64, rounded down, from either end.
SQRT_3, SIXTH, LAST_SIXTH = 1.7320508075688772, U(0x2AAAAAAAAAAAAAAA), U(0xD555555555555556)


def philox(c0, c1, c2, c3, k0, k1):  # type: ignore[no-untyped-def]
    """Philox4x32-10 (Salmon et al. 2011) on words of 32 bits held in 64."""
    for _ in range(10):
        p0 = MULTIPLIER_0 * c0
        p1 = MULTIPLIER_1 * c2
        c0 = (p1 >> S32) ^ c1 ^ k0
        c1 = p1 & LOW_32
        c2 = (p0 >> S32) ^ c3 ^ k1
        c3 = p0 & LOW_32
        k0 = (k0 + WEYL_0) & LOW_32
        k1 = (k1 + WEYL_1) & LOW_32
    return c0, c1, c2, c3


def last_word(pair, component, level):  # type: ignore[no-untyped-def]
    """The fourth word of the counter: level, component and the high bits of the pair of steps."""
    return (level << LEVEL_AT) | (component << COMPONENT_AT) | (pair >> S32)


def radius(w0, w1):  # type: ignore[no-untyped-def]
    """√(−2 ln u), where u 2⁵³ is one more than the leading 53 bits of two words."""
    high = (w0 | BITS_OF_2_52).view(np.float64) - 4503599627370496.0
    low = ((w1 >> S11) | BITS_OF_2_52).view(np.float64) - 4503599627370495.0
    bits = fma(high, 2097152.0, low).view(U) + FROM_ONE
    # u = 2^e m with m in [√½, √2): 2^52 + 1023 + 53 is taken off the exponent.
    e = ((bits >> EXPONENT_AT) | BITS_OF_2_52).view(np.float64) - 4503599627371572.0
    m = ((bits & MANTISSA) + HALF_SQRT_2).view(np.float64)
    s = (1.0 - m) / (1.0 + m)
    z = s * s
    p = fma(fma(fma(fma(fma(fma(L6, z, L5), z, L4), z, L3), z, L2), z, L1), z, L0)
    return np.sqrt(fma(-e, TWO_LN_2, s * fma(p, z, 4.0)))


def direction(w2, w3):  # type: ignore[no-untyped-def]
    """Cosine and sine of θ = (q + f) π/2: q is the first two bits of two words, f + ½ the next 52."""
    f = (((w2 & LOW_30) << S22) | (w3 >> S10) | ONE).view(np.float64) - 1.5
    z = f * f
    s = f * fma(fma(fma(fma(fma(fma(SIN_5, z, SIN_4), z, SIN_3), z, SIN_2), z, SIN_1), z, SIN_0), z, H)
    c = fma(fma(fma(fma(fma(fma(COS_5, z, COS_4), z, COS_3), z, COS_2), z, COS_1), z, COS_0), z, 1.0)
    odd = (w2 & BIT_30) != U(0)
    x = s if odd else c
    y = c if odd else s
    x = (x.view(U) ^ (((w2 ^ (w2 << S1)) << S32) & SIGN)).view(np.float64)
    y = (y.view(U) ^ ((w2 << S32) & SIGN)).view(np.float64)
    return x, y


def normal_pair(c0, c1, c2, c3, k0, k1):  # type: ignore[no-untyped-def]
    """The normals of the even and of the odd step of a pair; words of 32 bits, as ``uint64``."""
    w0, w1, w2, w3 = philox(c0, c1, c2, c3, k0, k1)
    r = radius(w0, w1)
    x, y = direction(w2, w3)
    return r * x, r * y


def three_point(high, low):  # type: ignore[no-untyped-def]
    """√3 for the first sixth of 2⁶⁴, −√3 for the last, 0 between: the moments of a normal up to the fifth."""
    u = (high << S32) | low
    return SQRT_3 if u < SIXTH else (-SQRT_3 if u >= LAST_SIXTH else 0.0)


def three_point_pair(c0, c1, c2, c3, k0, k1):  # type: ignore[no-untyped-def]
    """As :func:`normal_pair`, for three-point variables, which weak methods use instead of normals."""
    w0, w1, w2, w3 = philox(c0, c1, c2, c3, k0, k1)
    return three_point(w0, w1), three_point(w2, w3)


def generator_of_normals() -> tuple[str, dict[str, object]]:
    """The text of this module and its names, for functions that are compiled with it."""
    import inspect
    import sys

    return inspect.getsource(sys.modules[__name__]), globals()

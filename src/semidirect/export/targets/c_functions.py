"""Functions of the library in C: the operations of :mod:`semidirect.core.elementary` and of the generator of normals, in their
order, so that they give the same bits.
"""

from __future__ import annotations

from collections.abc import Set

__all__ = ["c_functions"]

BITS = """
static double sd_float(uint64_t b) { double x; memcpy(&x, &b, 8); return x; }
static uint64_t sd_bits(double x) { uint64_t b; memcpy(&b, &x, 8); return b; }
"""
LARGER = """
static double sd_larger(double a, double b) { return b > a || b != b ? b : a; }
"""
ANGLES = """
static double sd_difference(double a, double b, double *error) {
  const double difference = a - b, back = difference - a;
  *error = (a - (difference - back)) - (b + back);
  return difference;
}
/* the quadrant of x and x - n pi/2, with its tail */
static double sd_reduced(double x, double *y, double *tail) {
  double error_1, error_2;
  const double n = rint(x * 0.6366197723675814);
  const double first = sd_difference(x - n * 1.5707963267341256, n * 6.077100506303966e-11, &error_1);
  const double second = sd_difference(first, n * 2.0222662487111665e-21, &error_2);
  const double rest = (error_1 + error_2) - n * 8.4784276603689e-32;
  *y = second + rest;
  *tail = (second - *y) + rest;
  return n - 4.0 * floor(0.25 * n);
}
static double sd_sine(double y, double tail) {
  const double z = y * y, v = z * y;
  const double r = 8.33333333332248946124e-03 + z * (-1.98412698298579493134e-04 + z * (2.75573137070700676789e-06
      + z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)));
  return y - ((z * (0.5 * tail - v * r) - tail) - v * -1.66666666666666324348e-01);
}
static double sd_cosine(double y, double tail) {
  const double z = y * y;
  const double r = z * (4.16666666666666019037e-02 + z * (-1.38888888888741095749e-03 + z * (2.48015872894767294178e-05
      + z * (-2.75573143513906633035e-07 + z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11)))));
  const double half = 0.5 * z, w = 1.0 - half;
  return w + (((1.0 - w) - half) + (z * r - y * tail));
}
static double sd_angle(double x) { return fabs(x) <= 35184372088832.0 ? x : (x == x ? INFINITY : x); }
"""
SIN = """
static double sd_sin(double given) {
  double y, tail;
  const double x = sd_angle(given), q = sd_reduced(x, &y, &tail);
  const double value = q == 1.0 || q == 3.0 ? sd_cosine(y, tail) : sd_sine(y, tail);
  return (x == 0.0 ? x : (q >= 2.0 ? -value : value)) - (x - x);
}
"""
COS = """
static double sd_cos(double given) {
  double y, tail;
  const double x = sd_angle(given), q = sd_reduced(x, &y, &tail);
  const double value = q == 1.0 || q == 3.0 ? sd_sine(y, tail) : sd_cosine(y, tail);
  return (q == 1.0 || q == 2.0 ? -value : value) - (x - x);
}
"""
EXP = """
static double sd_power_of_two(double k) { return sd_float((sd_bits(k + 6755399441055744.0) + 1023u) << 52); }
static double sd_exp(double x) {
  double clipped = x > 710.0 ? 710.0 : (x < -746.0 ? -746.0 : x);
  clipped = fabs(clipped) < INFINITY ? clipped : (x == x ? 0.0 : x);
  const double k = rint(clipped * 1.44269504088896338700);
  const double high = clipped - k * 6.93147180369123816490e-01, low = k * 1.90821492927058770002e-10, r = high - low, z = r * r;
  const double c = r - z * (1.66666666666666019037e-01 + z * (-2.77777777770155933842e-03 + z * (6.61375632143793436117e-05
      + z * (-1.65339022054652515390e-06 + z * 4.13813679705723846039e-08))));
  double value = 1.0 + (r * c / (2.0 - c) - low + high);
  const double half = floor(0.5 * k);
  value = value * sd_power_of_two(half);
  value = value * sd_power_of_two(k - half);
  return x == INFINITY ? x : (x == -INFINITY ? 0.0 : value);
}
"""
LOG = """
static double sd_log(double x) {
  const int inside = x > 0.0 && x < INFINITY;
  double a = inside ? x : 1.0;
  const int subnormal = a < 2.2250738585072014e-308;
  a = a * (subnormal ? 18014398509481984.0 : 1.0);
  const uint64_t bits = sd_bits(a) + (0x3FF0000000000000u - 0x3FE6A09E667F3BCDu);
  double k = sd_float((bits >> 52) | 0x4330000000000000u) - 4503599627371519.0;
  k = subnormal ? k - 54.0 : k;
  const double f = sd_float((bits & 0x000FFFFFFFFFFFFFu) + 0x3FE6A09E667F3BCDu) - 1.0;
  const double half_square = 0.5 * f * f, s = f / (2.0 + f), z = s * s, w = z * z;
  const double even = w * (3.999999999940941908e-01 + w * (2.222219843214978396e-01 + w * 1.531383769920937332e-01));
  const double odd = z * (6.666666666666735130e-01 + w * (2.857142874366239149e-01 + w * (1.818357216161805012e-01
      + w * 1.479819860511658591e-01)));
  double value = k * 6.93147180369123816490e-01
      - ((half_square - (s * (half_square + (odd + even)) + k * 1.90821492927058770002e-10)) - f);
  value = inside ? value : x;
  value = x < 0.0 ? NAN : value;
  return x == 0.0 ? -INFINITY : value;
}
"""
NORMALS = """
/* Philox4x32-10 and Box-Muller: the standard normals of the components of a step */
static void sd_pair(uint64_t seed, uint64_t path, uint64_t pair, uint64_t component, double *even, double *odd) {
  uint64_t c0 = pair & 0xFFFFFFFFu, c1 = path & 0xFFFFFFFFu, c2 = path >> 32, c3 = (component << 13) | (pair >> 32);
  uint64_t k0 = seed & 0xFFFFFFFFu, k1 = seed >> 32;
  for (int i = 0; i < 10; i++) {
    const uint64_t p0 = 0xD2511F53u * c0, p1 = 0xCD9E8D57u * c2;
    c0 = (p1 >> 32) ^ c1 ^ k0;
    c1 = p1 & 0xFFFFFFFFu;
    c2 = (p0 >> 32) ^ c3 ^ k1;
    c3 = p0 & 0xFFFFFFFFu;
    k0 = (k0 + 0x9E3779B9u) & 0xFFFFFFFFu;
    k1 = (k1 + 0xBB67AE85u) & 0xFFFFFFFFu;
  }
  const double high = sd_float(c0 | 0x4330000000000000u) - 4503599627370496.0;
  const double low = sd_float((c1 >> 11) | 0x4330000000000000u) - 4503599627370495.0;
  const uint64_t bits = sd_bits(fma(high, 2097152.0, low)) + (0x3FF0000000000000u - 0x3FE6A09E667F3BCDu);
  const double e = sd_float((bits >> 52) | 0x4330000000000000u) - 4503599627371572.0;
  const double m = sd_float((bits & 0x000FFFFFFFFFFFFFu) + 0x3FE6A09E667F3BCDu);
  const double s = (1.0 - m) / (1.0 + m), s2 = s * s;
  const double p = fma(fma(fma(fma(fma(fma(0.29591899061696013, s2, 0.30628101144476029), s2, 0.3636712865036402), s2,
      0.44444397146412751), s2, 0.5714285748477471), s2, 0.7999999999882936), s2, 1.3333333333333468);
  const double r = sqrt(fma(-e, 1.3862943611198906, s * fma(p, s2, 4.0)));
  const double f = sd_float(((c2 & 0x3FFFFFFFu) << 22) | (c3 >> 10) | 0x3FF0000000000000u) - 1.5, z = f * f;
  const double sine = f * fma(fma(fma(fma(fma(fma(5.634675070204795e-08, z, -3.598649340602163e-06), z, 0.00016044115259849126),
      z, -0.004681754132616268), z, 0.07969262624606273), z, -0.645964097506245), z, 1.5707963267948966);
  const double cosine = fma(fma(fma(fma(fma(fma(4.656003852226029e-07, z, -2.5200192420790235e-05), z, 0.0009192599677600829),
      z, -0.020863480737573974), z, 0.25366950790005294), z, -1.233700550136157), z, 1.0);
  const int turned = (c2 & 0x40000000u) != 0;
  const uint64_t sign = 0x8000000000000000u;
  *even = r * sd_float(sd_bits(turned ? sine : cosine) ^ (((c2 ^ (c2 << 1)) << 32) & sign));
  *odd = r * sd_float(sd_bits(turned ? cosine : sine) ^ ((c2 << 32) & sign));
}
static void sd_normals(uint64_t seed, uint64_t path, uint64_t step, int count, double *w) {
  for (int i = 0; i < count; i++) {
    double even, odd;
    sd_pair(seed, path, step >> 1, (uint64_t)i, &even, &odd);
    w[i] = step & 1u ? odd : even;
  }
}
"""


def c_functions(operations: Set[str], *, iterated: bool, noisy: bool) -> str:
    """The functions that operations need, and no other: a compiler warns of functions that are not called."""
    parts = [
        (BITS, noisy or operations & {"exp", "log"}), (LARGER, iterated), (ANGLES, operations & {"sin", "cos"}),
        (SIN, "sin" in operations), (COS, "cos" in operations), (EXP, "exp" in operations),
        (LOG, "log" in operations), (NORMALS, noisy),
    ]  # fmt: skip
    return "".join(text for text, needed in parts if needed)

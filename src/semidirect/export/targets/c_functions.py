"""Functions of the library in C: the operations of :mod:`semidirect.core.elementary` and of the generator of normals, in their
order, so that they give the same bits.
"""

from __future__ import annotations

from collections.abc import Set

__all__ = ["c_functions"]

INLINE = """/* loops around calls become loops of vectors only where the calls are written out */
#if defined(__GNUC__)
#define SD_INLINE static inline __attribute__((always_inline))
#else
#define SD_INLINE static inline
#endif
"""
BITS = """
SD_INLINE double sd_float(uint64_t b) { double x; memcpy(&x, &b, 8); return x; }
SD_INLINE uint64_t sd_bits(double x) { uint64_t b; memcpy(&b, &x, 8); return b; }
"""
ITERATION = """
/* Newton's method by differences, where an iteration x <- f(x) of a point of n numbers contracts slowly */
enum sd_stage { SD_IMAGE, SD_SLOPE, SD_LAST };
typedef struct { enum sd_stage stage; int left, count, column, ok; double scale; } sd_newton_state;
static double sd_larger(double a, double b) { return b > a || b != b ? b : a; }
/* elimination with partial pivoting of n rows of n + 1 numbers */
static void sd_solve(int n, double *a, double *x) {
  const int m = n + 1;
  for (int j = 0; j < n; j++) {
    for (int i = j + 1; i < n; i++) {
      const int larger = fabs(a[m * i + j]) > fabs(a[m * j + j]);
      for (int k = j; k < m; k++) {
        const double low = a[m * i + k];
        if (larger) { a[m * i + k] = a[m * j + k]; a[m * j + k] = low; }
      }
    }
    const double reciprocal = 1.0 / a[m * j + j];
    for (int i = j + 1; i < n; i++) {
      const double factor = a[m * i + j] * reciprocal;
      for (int k = j + 1; k < m; k++) a[m * i + k] = a[m * i + k] - factor * a[m * j + k];
    }
    for (int k = j + 1; k < m; k++) a[m * j + k] = a[m * j + k] * reciprocal;
  }
  for (int i = n - 1; i >= 0; i--) {
    x[i] = a[m * i + n];
    for (int j = i + 1; j < n; j++) x[i] = x[i] - a[m * i + j] * x[j];
  }
}
/* takes f, the function at x; returns whether it is needed at the x that is then there; work has n (n + 4) numbers */
static int sd_newton(sd_newton_state *it, int n, double *x, const double *f, double tolerance, int after, double *work) {
  double *image = work, *point = work + n, *move = work + 2 * n, *matrix = work + 3 * n;
  const double step = 1.4901161193847656e-08 * it->scale;
  if (it->stage == SD_LAST) {
    for (int i = 0; i < n; i++) x[i] = f[i];
    it->ok = --it->left == 0;
    return !it->ok;
  }
  if (it->stage == SD_IMAGE) {
    for (int i = 0; i < n; i++) image[i] = f[i], point[i] = x[i];
    it->stage = SD_SLOPE, it->column = 0, x[0] = point[0] + step;
    return 1;
  }
  const int j = it->column++;
  for (int i = 0; i < n; i++) matrix[(n + 1) * i + j] = (i == j ? 1.0 : 0.0) - (f[i] - image[i]) / (x[j] - point[j]);
  x[j] = point[j];
  if (it->column < n) {
    x[j + 1] = point[j + 1] + step;
    return 1;
  }
  for (int i = 0; i < n; i++) matrix[(n + 1) * i + n] = image[i] - point[i];
  sd_solve(n, matrix, move);
  double change = 0.0;
  for (int i = 0; i < n; i++) change = sd_larger(change, fabs(move[i]));
  if (!(change < INFINITY)) return 0;
  for (int i = 0; i < n; i++) x[i] = point[i] + move[i];
  it->stage = SD_IMAGE;
  if (change <= 16.0 * tolerance * it->scale) {
    it->stage = SD_LAST, it->left = after, it->ok = after == 0;
    return !it->ok;
  }
  return ++it->count < 20;
}
"""
"""As :func:`semidirect.core.solvers.iteration.fixed_point` after its iteration, for one path."""
ANGLES = """
SD_INLINE double sd_difference(double a, double b, double *error) {
  const double difference = a - b, back = difference - a;
  *error = (a - (difference - back)) - (b + back);
  return difference;
}
/* the quadrant of x and x - n pi/2, with its tail */
SD_INLINE double sd_reduced(double x, double *y, double *tail) {
  double error_1, error_2;
  const double n = rint(x * 0.6366197723675814);
  const double first = sd_difference(x - n * 1.5707963267341256, n * 6.077100506303966e-11, &error_1);
  const double second = sd_difference(first, n * 2.0222662487111665e-21, &error_2);
  const double rest = (error_1 + error_2) - n * 8.4784276603689e-32;
  *y = second + rest;
  *tail = (second - *y) + rest;
  return n - 4.0 * floor(0.25 * n);
}
SD_INLINE double sd_sine(double y, double tail) {
  const double z = y * y, v = z * y;
  const double r = 8.33333333332248946124e-03 + z * (-1.98412698298579493134e-04 + z * (2.75573137070700676789e-06
      + z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)));
  return y - ((z * (0.5 * tail - v * r) - tail) - v * -1.66666666666666324348e-01);
}
SD_INLINE double sd_cosine(double y, double tail) {
  const double z = y * y;
  const double r = z * (4.16666666666666019037e-02 + z * (-1.38888888888741095749e-03 + z * (2.48015872894767294178e-05
      + z * (-2.75573143513906633035e-07 + z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11)))));
  const double half = 0.5 * z, w = 1.0 - half;
  return w + (((1.0 - w) - half) + (z * r - y * tail));
}
SD_INLINE double sd_angle(double x) { return fabs(x) <= 35184372088832.0 ? x : (x == x ? INFINITY : x); }
"""
SIN = """
SD_INLINE double sd_sin(double given) {
  double y, tail;
  const double x = sd_angle(given), q = sd_reduced(x, &y, &tail);
  const double value = q == 1.0 || q == 3.0 ? sd_cosine(y, tail) : sd_sine(y, tail);
  return (x == 0.0 ? x : (q >= 2.0 ? -value : value)) - (x - x);
}
"""
COS = """
SD_INLINE double sd_cos(double given) {
  double y, tail;
  const double x = sd_angle(given), q = sd_reduced(x, &y, &tail);
  const double value = q == 1.0 || q == 3.0 ? sd_sine(y, tail) : sd_cosine(y, tail);
  return (q == 1.0 || q == 2.0 ? -value : value) - (x - x);
}
"""
EXP = """
SD_INLINE double sd_power_of_two(double k) { return sd_float((sd_bits(k + 6755399441055744.0) + 1023u) << 52); }
SD_INLINE double sd_exp(double x) {
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
SD_INLINE double sd_log(double x) {
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


def c_functions(operations: Set[str], *, iterated: bool, bits: bool) -> str:
    """The functions that operations need, and no other: a compiler warns of functions that are not called."""
    parts = [
        (INLINE, True), (BITS, bits or operations & {"exp", "log"}), (ITERATION, iterated), (ANGLES, operations & {"sin", "cos"}),
        (SIN, "sin" in operations), (COS, "cos" in operations), (EXP, "exp" in operations),
        (LOG, "log" in operations),
    ]  # fmt: skip
    return "".join(text for text, needed in parts if needed)

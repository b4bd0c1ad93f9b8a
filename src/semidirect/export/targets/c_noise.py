"""The noise of the library in C, with its bits: the generator of increments, and of the rows that follow them."""

from __future__ import annotations

import re
from collections.abc import Mapping

__all__ = ["AHEAD", "c_noise"]

MIXING = """
/* Philox4x32-10: four random words of a component in a pair of steps */
SD_INLINE void sd_words(uint64_t seed, uint64_t path, uint64_t pair, uint64_t component, uint64_t level, uint64_t *word) {
  uint64_t c0 = pair & 0xFFFFFFFFu, c1 = path & 0xFFFFFFFFu, c2 = path >> 32;
  uint64_t c3 = (level << 26) | (component << 13) | (pair >> 32);
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
  word[0] = c0, word[1] = c1, word[2] = c2, word[3] = c3;
}
"""
NORMALS = """/* Box-Muller, in two parts: the square of the radius, and the standard normals of the even and the odd step */
SD_INLINE double sd_square(uint64_t c0, uint64_t c1) {
  const double high = sd_float(c0 | 0x4330000000000000u) - 4503599627370496.0;
  const double low = sd_float((c1 >> 11) | 0x4330000000000000u) - 4503599627370495.0;
  const uint64_t bits = sd_bits(fma(high, 2097152.0, low)) + (0x3FF0000000000000u - 0x3FE6A09E667F3BCDu);
  const double e = sd_float((bits >> 52) | 0x4330000000000000u) - 4503599627371572.0;
  const double m = sd_float((bits & 0x000FFFFFFFFFFFFFu) + 0x3FE6A09E667F3BCDu);
  const double s = (1.0 - m) / (1.0 + m), s2 = s * s;
  const double p = fma(fma(fma(fma(fma(fma(0.29591899061696013, s2, 0.30628101144476029), s2, 0.3636712865036402), s2,
      0.44444397146412751), s2, 0.5714285748477471), s2, 0.7999999999882936), s2, 1.3333333333333468);
  return fma(-e, 1.3862943611198906, s * fma(p, s2, 4.0));
}
SD_INLINE void sd_directed(double r, uint64_t c2, uint64_t c3, double *even, double *odd) {
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
"""
THREE_POINT = """/* three-point variables of the even and the odd step: the root of 3 with either sign, or 0 */
SD_INLINE double sd_three_point(uint64_t high, uint64_t low) {
  const uint64_t u = (high << 32) | low;
  return u < 0x2AAAAAAAAAAAAAAAu ? 1.7320508075688772 : (u >= 0xD555555555555556u ? -1.7320508075688772 : 0.0);
}
"""
ONE = """static double sd_normal(uint64_t seed, uint64_t path, uint64_t step, int component, int level) {
  uint64_t word[4];
  double even, odd;
  sd_words(seed, path, step >> 1, (uint64_t)component, (uint64_t)level, word);
  sd_directed(sqrt(sd_square(word[0], word[1])), word[2], word[3], &even, &odd);
  return step & 1u ? odd : even;
}
"""
INCREMENTS = """/* the increments of pairs of steps, of standard deviation root; loops over a constant number become vectors */
SD_INLINE void sd_increments(uint64_t seed, uint64_t path, uint64_t pair, int pairs, double root, double *w) {
  for (int i = 0; i < M; i++) {
    double even[AHEAD], odd[AHEAD];
DRAWN    for (int k = 0; k < pairs; k++) w[2 * ROWS * k + i] = even[k], w[2 * ROWS * k + ROWS + i] = odd[k];
  }
}
"""
DRAWN_NORMAL = """    double r[AHEAD];
    uint64_t c2[AHEAD], c3[AHEAD];
    for (int k = 0; k < pairs; k++) {
      uint64_t word[4];
      sd_words(seed, path, pair + (uint64_t)k, (uint64_t)i, 0u, word);
      r[k] = sd_square(word[0], word[1]), c2[k] = word[2], c3[k] = word[3];
    }
    for (int k = 0; k < pairs; k++) r[k] = sqrt(r[k]);
    for (int k = 0; k < pairs; k++) {
      double a, b;
      sd_directed(r[k], c2[k], c3[k], &a, &b);
      even[k] = a * root, odd[k] = b * root;
    }
"""
DRAWN_WEAK = """    for (int k = 0; k < pairs; k++) {
      uint64_t word[4];
      sd_words(seed, path, pair + (uint64_t)k, (uint64_t)i, 0u, word);
      even[k] = sd_three_point(word[0], word[1]) * root, odd[k] = sd_three_point(word[2], word[3]) * root;
    }
"""
AHEAD = 8
"""Pairs of steps drawn at once: the numbers in the longest vectors of today."""
AREAS = """/* Levy areas: terms of a Fourier series, and normals for the rest */
static void sd_areas(uint64_t seed, uint64_t path, uint64_t step, double h, double *w) {
  const double pi = 3.141592653589793, wanted = ceil(sqrt(M / h / 12.0) / pi);
  const int terms = wanted > 4.0 ? (int)wanted : 4;
  double sum = 0.0, low = 0.0, s[M], x[M], y[M], series[PAIRS];
  for (int k = 1; k <= terms; k++) {
    const double term = 1.0 / ((double)k * (double)k), next = sum + term, part = next - sum;
    low += (sum - (next - part)) + (term - part);
    sum = next;
  }
  const double rest = 1.6449340668482264 - (sum + low), of_sum = sqrt(rest), of_series = sqrt(2.0 * rest);
  for (int i = 0; i < M; i++) s[i] = of_sum * sd_normal(seed, path, step, i, TAIL);
  for (int i = 0; i < PAIRS; i++) series[i] = of_series * sd_normal(seed, path, step, M + i, TAIL);
  for (int k = terms; k > 0; k--) {
    for (int i = 0; i < M; i++) {
      x[i] = sd_normal(seed, path, step, 2 * M * (k - 1) + i, FOURIER);
      y[i] = sd_normal(seed, path, step, 2 * M * (k - 1) + M + i, FOURIER);
      s[i] = s[i] + x[i] / (double)k;
    }
    for (int i = 0, n = 0; i < M; i++)
      for (int j = i + 1; j < M; j++, n++) series[n] = series[n] + (x[i] * y[j] - x[j] * y[i]) / (double)k;
  }
  for (int i = 0, n = 0; i < M; i++)
    for (int j = i + 1; j < M; j++, n++)
      w[M + n] = h / (2.0 * pi) * series[n] + sqrt(2.0 * h) / (2.0 * pi) * (s[i] * w[j] - s[j] * w[i]);
}
"""
TIME_INTEGRALS = """/* integrals of the increments over the time of the step */
static void sd_time_integrals(uint64_t seed, uint64_t path, uint64_t step, double h, double *w) {
  for (int i = 0; i < M; i++)
    w[M + i] = 0.5 * h * (w[i] + sqrt(h / 3.0) * sd_normal(seed, path, step, i, INTEGRAL));
}
"""
SIGNS = """/* signs in place of areas */
static void sd_signs(uint64_t seed, uint64_t path, uint64_t step, double h, double *w) {
  for (int i = 0; i < PAIRS; i++) w[M + i] = sd_normal(seed, path, step, i, SIGN) < 0.0 ? -sqrt(h) : sqrt(h);
}
"""
ROWS = {"areas": AREAS, "time-integrals": TIME_INTEGRALS, "signs": SIGNS}


def c_noise(noises: int, integrals: str | None, more: int, *, weak: bool, levels: Mapping[str, int]) -> str:
    """``sd_increments(seed, path, pair, pairs, root, w)``, which draws for pairs of steps, and the function of what follows.

    Parameters
    ----------
    noises : int
        The number of Wiener processes, at least 1.
    integrals : str or None
        The name of the iterated integrals that follow, if any.
    more : int
        How many rows they have.
    weak : bool
        Whether increments have three values.
    levels : mapping
        Those of the generator by name.
    """
    parts = [MIXING]
    if not weak or integrals is not None:
        parts.append(NORMALS)
    if integrals is not None:
        parts += [ONE, ROWS[integrals]]
    if weak:
        parts.append(THREE_POINT)
    parts.append(INCREMENTS.replace("DRAWN", DRAWN_WEAK if weak else DRAWN_NORMAL))
    numbers = {"AHEAD": AHEAD, "PAIRS": more, "ROWS": noises + more, **levels, "M": noises}
    return re.sub(rf"\b({'|'.join(numbers)})\b", lambda x: str(numbers[x[0]]), "".join(parts))

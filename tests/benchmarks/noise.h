// Increments of three Wiener processes for a block of lanes: Philox4x32-10 keyed by seed, counted by path and step, and
// Box–Muller. By default one call a step gives four normals of 31-bit uniforms, of which three are used, by the vector
// mathematics library. With -DFINE they are of 53 and 54 bits, one call a component for two steps, by the polynomials of
// semidirect.ensemble.generator.
#include <math.h>
#include <stdint.h>

#define LANES 256

static inline void philox(uint32_t c0, uint32_t c1, uint32_t c2, uint32_t c3, uint32_t k0, uint32_t k1, uint32_t *o0,
                          uint32_t *o1, uint32_t *o2, uint32_t *o3) {
  for (int r = 0; r < 10; r++) {
    uint64_t p0 = (uint64_t)0xD2511F53u * c0, p1 = (uint64_t)0xCD9E8D57u * c2;
    uint32_t n0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0, n1 = (uint32_t)p1, n2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1, n3 = (uint32_t)p0;
    c0 = n0, c1 = n1, c2 = n2, c3 = n3, k0 += 0x9E3779B9u, k1 += 0xBB67AE85u;
  }
  *o0 = c0, *o1 = c1, *o2 = c2, *o3 = c3;
}

#ifndef FINE
static inline void increments(long first, long step, int n, uint32_t seed, double scale, double *w1, double *w2, double *w3) {
  static uint32_t u0[LANES], u1[LANES], u2[LANES], u3[LANES];
  static double r[LANES], a[LANES], q[LANES], b[LANES];
  for (int i = 0; i < n; i++)
    philox((uint32_t)(first + i), (uint32_t)step, 0, 0, seed, 0xDEADBEEFu, &u0[i], &u1[i], &u2[i], &u3[i]);
  for (int i = 0; i < n; i++) {
    r[i] = ((double)(int32_t)(u0[i] >> 1) + 0.5) * 4.656612873077393e-10;
    q[i] = ((double)(int32_t)(u2[i] >> 1) + 0.5) * 4.656612873077393e-10;
    a[i] = (double)(int32_t)u1[i] * 1.4629180792671596e-09;
    b[i] = (double)(int32_t)u3[i] * 1.4629180792671596e-09;
  }
  for (int i = 0; i < n; i++) r[i] = scale * sqrt(-2 * log(r[i])), q[i] = scale * sqrt(-2 * log(q[i]));
  for (int i = 0; i < n; i++) w1[i] = r[i] * cos(a[i]), w3[i] = q[i] * cos(b[i]);
  for (int i = 0; i < n; i++) w2[i] = r[i] * cos(a[i] - 1.5707963267948966);
}
#else
static inline double as_double(uint64_t x) {
  double y;
  __builtin_memcpy(&y, &x, 8);
  return y;
}

static inline uint64_t as_bits(double x) {
  uint64_t y;
  __builtin_memcpy(&y, &x, 8);
  return y;
}

static inline void pair(long first, long step, int n, uint32_t component, uint32_t seed, double scale, double *even,
                        double *odd) {
  static uint32_t u0[LANES], u1[LANES], u2[LANES], u3[LANES];
  for (int i = 0; i < n; i++)
    philox((uint32_t)(step >> 1), (uint32_t)(first + i), 0, component, seed, 0xDEADBEEFu, &u0[i], &u1[i], &u2[i], &u3[i]);
  for (int i = 0; i < n; i++) {
    uint64_t k = ((uint64_t)u0[i] << 21) | (u1[i] >> 11);
    // u 2⁵³ = k + 1 = 2^e m with m in [√½, √2)
    uint64_t bits = as_bits((double)(int64_t)(k + 1)) + (0x3FF0000000000000 - 0x3FE6A09E667F3BCD);
    double e = as_double((bits >> 52) | 0x4330000000000000) - 4503599627371572.0;
    double m = as_double((bits & 0x000FFFFFFFFFFFFF) + 0x3FE6A09E667F3BCD);
    double s = (1 - m) / (1 + m), z = s * s;
    double p = 1.3333333333333468 + z * (0.7999999999882936 + z * (0.5714285748477471 + z * (0.44444397146412751 +
               z * (0.3636712865036402 + z * (0.30628101144476029 + z * 0.29591899061696013)))));
    double r = scale * sqrt(s * (p * z + 4) - e * 1.3862943611198906);
    double f = as_double(((uint64_t)(u2[i] & 0x3FFFFFFF) << 22) | (u3[i] >> 10) | 0x3FF0000000000000) - 1.5;
    double y = f * f;
    double sine = f * (1.5707963267948966 + y * (-0.645964097506245 + y * (0.07969262624606273 + y * (-0.004681754132616268 +
                  y * (0.00016044115259849126 + y * (-3.598649340602163e-06 + y * 5.634675070204795e-08))))));
    double cosine = 1 + y * (-1.233700550136157 + y * (0.25366950790005294 + y * (-0.020863480737573974 +
                    y * (0.0009192599677600829 + y * (-2.5200192420790235e-05 + y * 4.656003852226029e-07)))));
    int turned = (u2[i] & 0x40000000) != 0;
    uint64_t one = (uint64_t)(u2[i] ^ (u2[i] << 1)) << 32, two = (uint64_t)u2[i] << 32;
    even[i] = r * as_double(as_bits(turned ? sine : cosine) ^ (one & 0x8000000000000000));
    odd[i] = r * as_double(as_bits(turned ? cosine : sine) ^ (two & 0x8000000000000000));
  }
}

static inline void increments(long first, long step, int n, uint32_t seed, double scale, double *w1, double *w2, double *w3) {
  static double later[3][LANES];
  double *w[3] = {w1, w2, w3};
  for (int c = 0; c < 3; c++)
    if (step % 2) __builtin_memcpy(w[c], later[c], n * sizeof(double));
    else pair(first, step, n, c, seed, scale, w[c], later[c]);
}
#endif

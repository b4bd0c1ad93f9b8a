// Increments of three Wiener processes for a block of lanes: Philox4x32-10 keyed by seed, counted by path and step, and
// Box–Muller by the vector mathematics library. One call gives four normals of 31-bit uniforms, of which three are used.
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

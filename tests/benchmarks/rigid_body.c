// The stochastic rigid body with Γ by Heun's method with the Cayley map, in plain C: I = (1, 2, 3), ξ_i = amplitude e_i.
// dy = y × w, w = Ω dt + Σ ξ_i dW^i;  y⁺ = y + 2/(1 + |h|²) (y × h + (y × h) × h), h = w/2.
#include "noise.h"

#define CROSS(x, a1, a2, a3, b1, b2, b3) \
  double x##1 = a2 * b3 - a3 * b2, x##2 = a3 * b1 - a1 * b3, x##3 = a1 * b2 - a2 * b1;

void run(long paths, long steps, uint32_t seed, double dt, double amplitude, const double *start, double *out) {
  static double m1[LANES], m2[LANES], m3[LANES], g1[LANES], g2[LANES], g3[LANES], w1[LANES], w2[LANES], w3[LANES];
  for (long p = 0; p < paths; p += LANES) {
    int n = paths - p < LANES ? paths - p : LANES;
    for (int i = 0; i < n; i++) {
      m1[i] = start[0], m2[i] = start[1], m3[i] = start[2];
      g1[i] = start[3], g2[i] = start[4], g3[i] = start[5];
    }
    for (long s = 0; s < steps; s++) {
      increments(p, s, n, seed, amplitude * sqrt(dt), w1, w2, w3);
      for (int i = 0; i < n; i++) {
        double M1 = m1[i], M2 = m2[i], M3 = m3[i], G1 = g1[i], G2 = g2[i], G3 = g3[i];
        double h1 = .5 * (dt * M1 + w1[i]), h2 = .5 * (dt * .5 * M2 + w2[i]), h3 = .5 * (dt * M3 * (1. / 3) + w3[i]);
        double t = 2. / (1. + h1 * h1 + h2 * h2 + h3 * h3);
        CROSS(a, M1, M2, M3, h1, h2, h3)
        CROSS(b, a1, a2, a3, h1, h2, h3)
        double P1 = M1 + t * (a1 + b1), P2 = M2 + t * (a2 + b2), P3 = M3 + t * (a3 + b3);
        h1 = .5 * h1 + .25 * (dt * P1 + w1[i]);
        h2 = .5 * h2 + .25 * (dt * .5 * P2 + w2[i]);
        h3 = .5 * h3 + .25 * (dt * P3 * (1. / 3) + w3[i]);
        t = 2. / (1. + h1 * h1 + h2 * h2 + h3 * h3);
        CROSS(c, M1, M2, M3, h1, h2, h3)
        CROSS(d, c1, c2, c3, h1, h2, h3)
        CROSS(e, G1, G2, G3, h1, h2, h3)
        CROSS(f, e1, e2, e3, h1, h2, h3)
        m1[i] = M1 + t * (c1 + d1), m2[i] = M2 + t * (c2 + d2), m3[i] = M3 + t * (c3 + d3);
        g1[i] = G1 + t * (e1 + f1), g2[i] = G2 + t * (e2 + f2), g3[i] = G3 + t * (e3 + f3);
      }
    }
    for (int i = 0; i < n; i++) {
      double *o = out + 6 * (p + i);
      o[0] = m1[i], o[1] = m2[i], o[2] = m3[i], o[3] = g1[i], o[4] = g2[i], o[5] = g3[i];
    }
  }
}

// The Routh ball under three noises by Heun's method, in plain C: I = (2, 2, 1.5), ℓ = 0.3, m = r = g = 1, χ = E₃,
// ξ_i = amplitude e_i. With s = Γ + ℓχ, Y = Ω × s and n = Σ ξ_i dW^i,
//   dM = 𝕀Ω × (Ω dt + n) + (Ω × (Y × Γ) + ℓ Γ × χ + ℓ χ × (Y × Ω)) dt + n × (Y × (2Γ + ℓχ)),  dΓ = Γ × (Ω dt + n).
// Simplified by hand: Ω·Y = 0, so Ω × (Y × Γ) = (Ω·Γ) Y; Ω from M by Sherman–Morrison, with one division.
#include "noise.h"

#define ELL 0.3

static inline __attribute__((always_inline)) void field(double M1, double M2, double M3, double G1, double G2, double G3,
                                                        double dt, double n1, double n2, double n3, double *k) {
  double s3 = G3 + ELL, ss = G1 * G1 + G2 * G2 + s3 * s3;
  // 𝕀Ω + |s|² Ω − s (s·Ω) = M; with D = (A, A, B): Ω = D⁻¹ (M + s σ), σ = s·D⁻¹M / (1 − s·D⁻¹s)
  double A = 2. + ss, B = 1.5 + ss, across = G1 * G1 + G2 * G2;
  double bottom = A * B - B * across - A * s3 * s3, one = 1. / (bottom * A * B);
  double both = one * bottom, iA = both * B, iB = both * A;
  double sigma = (B * (G1 * M1 + G2 * M2) + A * (s3 * M3)) * (one * A * B);
  double O1 = iA * (M1 + G1 * sigma), O2 = iA * (M2 + G2 * sigma), O3 = iB * (M3 + s3 * sigma);
  double Y1 = O2 * s3 - O3 * G2, Y2 = O3 * G1 - O1 * s3, Y3 = O1 * G2 - O2 * G1;
  double w1 = O1 * dt + n1, w2 = O2 * dt + n2, w3 = O3 * dt + n3;
  double q1 = 2 * G1, q2 = 2 * G2, q3 = 2 * G3 + ELL;
  double onto = n1 * q1 + n2 * q2 + n3 * q3, back = n1 * Y1 + n2 * Y2 + n3 * Y3;
  double ahead = (O1 * G1 + O2 * G2 + O3 * G3 + ELL * O3) * dt + onto, side = ELL * Y3 * dt;
  k[0] = 2. * O2 * w3 - 1.5 * O3 * w2 + ahead * Y1 - back * q1 - side * O1 + ELL * dt * G2;
  k[1] = 1.5 * O3 * w1 - 2. * O1 * w3 + ahead * Y2 - back * q2 - side * O2 - ELL * dt * G1;
  k[2] = 2. * (O1 * w2 - O2 * w1) + ahead * Y3 - back * q3 - side * O3;
  k[3] = G2 * w3 - G3 * w2;
  k[4] = G3 * w1 - G1 * w3;
  k[5] = G1 * w2 - G2 * w1;
}

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
        double k[6], l[6];
        field(m1[i], m2[i], m3[i], g1[i], g2[i], g3[i], dt, w1[i], w2[i], w3[i], k);
        field(m1[i] + k[0], m2[i] + k[1], m3[i] + k[2], g1[i] + k[3], g2[i] + k[4], g3[i] + k[5], dt, w1[i], w2[i], w3[i], l);
        m1[i] += .5 * (k[0] + l[0]), m2[i] += .5 * (k[1] + l[1]), m3[i] += .5 * (k[2] + l[2]);
        g1[i] += .5 * (k[3] + l[3]), g2[i] += .5 * (k[4] + l[4]), g3[i] += .5 * (k[5] + l[5]);
      }
    }
    for (int i = 0; i < n; i++) {
      double *o = out + 6 * (p + i);
      o[0] = m1[i], o[1] = m2[i], o[2] = m3[i], o[3] = g1[i], o[4] = g2[i], o[5] = g3[i];
    }
  }
}

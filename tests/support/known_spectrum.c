#include "known_spectrum.h"

#include <math.h>
#include <stddef.h>

double spectrum_single(int i, int n) {
  (void)n;
  return i == 0 ? KNOWN_LARGEST : 1;
}

double spectrum_repeated(int i, int n) {
  return 2 * i < n ? KNOWN_LARGEST : 1;
}

double spectrum_clustered(int i, int n) {
  (void)n;
  return i % 3 == 2 ? 0 : KNOWN_LARGEST - 0x1p-20 * (i % 5);
}

double spectrum_indefinite(int i, int n) {
  (void)n;
  return i == 0 ? KNOWN_LARGEST : -KNOWN_LARGEST;
}

double spectrum_rank_one(int i, int n) {
  (void)n;
  return i == 0 ? KNOWN_LARGEST : 0;
}

spectrum *const KNOWN_SPECTRUM[KNOWN_SPECTRA] = {spectrum_single, spectrum_repeated, spectrum_clustered,
                                                 spectrum_indefinite, spectrum_rank_one};

/* Component i of v: a pattern of signs without a short period. */
static double sign(int i) {
  return (i * i / 3 + i) % 2 ? -1 : 1;
}

/* D - (2 / m) (D v v^T + v v^T D) + (4 / m^2) (v^T D v) v v^T, on the first m entries. */
void known_spectrum_matrix(double *g, int n, spectrum *eigenvalue) {
  int m = 1;
  while (2 * m <= n) m *= 2;
  double trace = 0;
  for (int i = 0; i < m; i++) trace += eigenvalue(i, n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double *const entry = &g[(size_t)i * (size_t)n + (size_t)j];
      *entry = i == j ? eigenvalue(i, n) : 0;
      if (i >= m || j >= m) continue;
      const double sum = eigenvalue(i, n) + eigenvalue(j, n);
      *entry += sign(i) * sign(j) * (4 * trace / m - 2 * sum) / m;
    }
}

double known_spectrum_row_sum(const double *g, int n) {
  double largest = 0;
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = 0; j < n; j++) sum += fabs(g[(size_t)i * (size_t)n + (size_t)j]);
    largest = fmax(largest, sum);
  }
  return largest;
}

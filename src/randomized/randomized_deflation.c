#include "randomized/randomized_deflation.h"

#include "linalg/rounding/rounding.h"

#include <cblas.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>

/* Entries that an inner product adds up before it adds the sums, so that few roundings meet. */
enum { BLOCK = 1024 };

static double inner_product(const double *x, const double *y, size_t length) {
  double sum = 0.0;
  for (size_t i = 0; i < length; i += BLOCK)
    sum += cblas_ddot(length - i < BLOCK ? (int)(length - i) : BLOCK, x + i, 1, y + i, 1);
  return sum;
}

/* Roundings on its longest path. */
static double path_of(size_t length) {
  return length < BLOCK ? (double)length : BLOCK + (double)(length / BLOCK) + 1.0;
}

/* With p roundings of an inner product, its computed multiple q is within sigma gamma_p+1 nu ||w|| of sigma <v, w>; a
 * product with q is off by u |q v_i|, a difference by u of itself. */
double randomized_deflation_subtract(const randomized_deflation *d, double *image, const double *w, double size) {
  if (d->sigma == 0.0) return 0.0;
  const double multiple = d->sigma * inner_product(d->v, w, d->length), norm = sqrt(d->square);
  for (size_t i = 0; i < d->length; i++) image[i] = image[i] - multiple * d->v[i];
  const double of_multiple = d->sigma * gamma_upper(path_of(d->length) + 1.0) * d->square * size;
  const double rounded = UNIT_ROUNDOFF * (fabs(multiple) * norm + norm_upper(image, d->length));
  return round_up_nonnegative(of_multiple + rounded, 8.0) + UNDERFLOW_ALLOWANCE;
}

void randomized_deflation_find(randomized_deflation *d, double *image, double error) {
  const double norm = norm_upper(d->v, d->length), own = inner_product(d->v, d->v, d->length);
  d->square = round_up_nonnegative(norm * norm, 1.0);
  d->sigma = inner_product(d->v, image, d->length) / own;
  if (!(d->sigma > DBL_MIN && isfinite(d->sigma) && fabs(d->square - 1.0) < 0.5)) d->sigma = 0.0;
  const double rounded = randomized_deflation_subtract(d, image, d->v, norm);
  const double off = round_up_nonnegative(error * norm + rounded, 2.0) + UNDERFLOW_ALLOWANCE;
  const double left = norm_upper(image, d->length), product = inner_product(d->v, image, d->length);
  const double off_product = gamma_upper(path_of(d->length)) * norm * left + norm * off;
  d->residual = round_up_nonnegative(left + off, 1.0);
  d->product = round_up_nonnegative(fmax(product, 0.0) + off_product, 5.0) + UNDERFLOW_ALLOWANCE;
}

/* (deflated_end), evaluated outward: a path has fewer than ten roundings, the difference's among them; what underflows
 * is covered by them, beside nu^2. */
static bool is_end(const randomized_deflation *d, double mu, double lam) {
  if (!(lam > DBL_MIN && lam > mu)) return false;
  const double squared = d->residual / (lam - mu) * (d->residual / lam);
  return round_up_nonnegative(d->sigma * (d->square + d->product / lam + squared), 12.0) < lam;
}

double randomized_deflation_end(const randomized_deflation *d, double mu) {
  if (d->sigma == 0.0 || !isfinite(mu)) return mu;
  const double from = fmax(mu, d->sigma);
  double lo = 0x1p-40 * from, hi = lo;
  while (hi <= 64.0 * from && !is_end(d, mu, from + hi)) {
    lo = hi;
    hi *= 4.0;
  }
  if (!(hi <= 64.0 * from)) return INFINITY;
  while (hi > (1.0 + 0x1p-6) * lo) {
    const double middle = sqrt(lo) * sqrt(hi);
    *(is_end(d, mu, from + middle) ? &hi : &lo) = middle;
  }
  return from + hi;
}

double randomized_deflation_mu(const randomized_deflation *d, double lam) {
  if (d->sigma == 0.0) return lam;
  const double room = (1.0 - 0x1p-46) * lam / d->sigma - d->square - d->product / lam; /* less what is_end rounds */
  const double mu = lam - (d->residual / room * (d->residual / lam) + 0x1p-46 * lam);
  return room > 0.0 && is_end(d, mu, lam) ? mu : -INFINITY;
}

/* Forms of x = c + e, d quantities, a row or one of the parts that it falls into, pass gain x / sqrt(||x||^2 / d +
 * epsilon) + bias: LayerNorm of what it has centered, and RMSNorm. With c any double vector, e the deviation from it,
 * w' = ||c + e||^2 / d + epsilon = w + (2 c.e + ||e||^2) / d:
 *
 *   1/sqrt(w') = slope (w' - w_c) + m +- error          the chord of the convex function   (range/range_line.h)
 *              = m + f l(eta) + sigma,                  l = the linear part of c.e, f = 2 slope / d,
 *   |sigma| <= error + |slope| (E/2 + radius(w) + 2 L / d),
 *
 * E >= ||e||^2 / d, of which the half is part of w_c = w + E/2, and L what c.e misses of l. Then
 *
 *   (c + e) / sqrt(w') = m c + m e + f l c + c sigma + e (f l + sigma)
 *
 * (Coq: `inverse_sqrt_remainder`, `normalize_sound`). sigma is one symbol for the whole part, with column c. The
 * product e (f l + sigma) gets a symbol an entry around the middle of its part of second order in the perturbation
 * (operation_product), bounded entry by entry and, by ||e|| |f l + sigma|, in norm. */
#ifndef ATTCERT_ROBUST_OPERATION_OPERATION_NORMALIZE_H
#define ATTCERT_ROBUST_OPERATION_OPERATION_NORMALIZE_H

#include "robust/operation/operation.h"

/* A row; [cols] is [parts dim]. */
typedef struct {
  int dim, parts;
  const form_layout *layout;
  const double *center, *miss; /* [cols]: c, and a bound of |e_a - (C eta)_a| */
  const double *linear;        /* [cols, columns of the layout]: C */
  const form_support *support; /* [cols]: of C */
  const double *gain, *bias;   /* [cols]; a bias of NULL: zeros */
  double epsilon;              /* positive */
} operation_normalized;

/* What a form that was normalised keeps of part g of row i, in these names, and where its numbers c begin. */
typedef struct {
  double middle, factor, sigma; /* m, f; of 1/sqrt(w') = m + f c.e + what is below sigma */
  double all;                   /* >= |1/sqrt(w') - m| */
} operation_normalize_kept;

static inline operation_normalize_kept *operation_normalize_kept_of(const form *f, int parts, int i, int g) {
  return (operation_normalize_kept *)f->kept + ((size_t)i * (size_t)parts + (size_t)g);
}
static inline double *operation_normalize_kept_center(const form *f, int parts, int i, int g) {
  double *const all = (double *)operation_normalize_kept_of(f, parts, f->rows, 0);
  return all + (size_t)i * (size_t)f->cols + (size_t)g * (size_t)(f->cols / parts);
}

/* Row i of `out`, its token the caller's. Room for dim + parts + 2 rows of the layout's columns is taken meanwhile. */
attcert_status operation_normalize(form *out, int i, const operation_normalized *x, form_symbols *symbols, int origin,
                                   attcert_error *err);

#endif

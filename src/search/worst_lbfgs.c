#include "search/worst_lbfgs.h"

#include "base/arrays.h"
#include "linalg/norm/euclidean_norm.h"

#include <cblas.h>
#include <stdlib.h>
#include <string.h>

enum { VECTORS = 2 * WORST_LBFGS_PAIRS + 2 };

size_t worst_lbfgs_doubles(int size) {
  return VECTORS * (size_t)size;
}

attcert_status worst_lbfgs_init(worst_lbfgs *l, int size, attcert_error *err) {
  *l = (worst_lbfgs){.size = size};
  l->position = array_new(worst_lbfgs_doubles(size), sizeof *l->position, err, "the memory of L-BFGS");
  if (l->position == NULL) return ATTCERT_RESOURCE;
  l->gradient = l->position + size;
  for (size_t i = 0; i < WORST_LBFGS_PAIRS; i++) {
    l->move[i] = l->position + (2 + 2 * i) * (size_t)size;
    l->gradient_change[i] = l->move[i] + size;
  }
  return ATTCERT_OK;
}

void worst_lbfgs_clear(worst_lbfgs *l) {
  free(l->position);
  *l = (worst_lbfgs){0};
}

void worst_lbfgs_reset(worst_lbfgs *l) {
  l->count = 0;
  l->started = false;
}

/* out := a - b */
static void difference(double *out, const double *a, const double *b, int n) {
  for (int i = 0; i < n; i++) out[i] = a[i] - b[i];
}

static void rotate_pairs(double **vectors) {
  double *const oldest = vectors[0];
  memmove(vectors, vectors + 1, (WORST_LBFGS_PAIRS - 1) * sizeof *vectors);
  vectors[WORST_LBFGS_PAIRS - 1] = oldest;
}

/* Takes the step since the last position as the newest pair, unless the function is convex along it. */
static void append_pair(worst_lbfgs *l, const double *position, const double *gradient) {
  const int n = l->size;
  if (l->count == WORST_LBFGS_PAIRS) {
    rotate_pairs(l->move);
    rotate_pairs(l->gradient_change);
    l->count--;
  }
  double *const move = l->move[l->count], *const gradient_change = l->gradient_change[l->count];
  difference(move, position, l->position, n);
  difference(gradient_change, l->gradient, gradient, n);
  const double curvature = cblas_ddot(n, move, 1, gradient_change, 1);
  if (curvature > 1e-10 * euclidean_norm(move, n) * euclidean_norm(gradient_change, n)) l->count++;
}

/* The two-loop recursion. */
static void apply_inverse_hessian(double *direction, const worst_lbfgs *l) {
  double weight[WORST_LBFGS_PAIRS];
  const int n = l->size;
  for (int i = l->count - 1; i >= 0; i--) {
    weight[i] = cblas_ddot(n, l->move[i], 1, direction, 1) / cblas_ddot(n, l->move[i], 1, l->gradient_change[i], 1);
    cblas_daxpy(n, -weight[i], l->gradient_change[i], 1, direction, 1);
  }
  if (l->count > 0) {
    const double *const move = l->move[l->count - 1], *const gradient_change = l->gradient_change[l->count - 1];
    cblas_dscal(n, cblas_ddot(n, move, 1, gradient_change, 1) / cblas_ddot(n, gradient_change, 1, gradient_change, 1),
                direction, 1);
  }
  for (int i = 0; i < l->count; i++) {
    const double back =
        cblas_ddot(n, l->gradient_change[i], 1, direction, 1) / cblas_ddot(n, l->move[i], 1, l->gradient_change[i], 1);
    cblas_daxpy(n, weight[i] - back, l->move[i], 1, direction, 1);
  }
}

void worst_lbfgs_direction(double *direction, worst_lbfgs *l, const double *position, const double *gradient) {
  const size_t bytes = (size_t)l->size * sizeof(double);
  if (l->started) append_pair(l, position, gradient);
  l->started = true;
  memcpy(l->position, position, bytes);
  memcpy(l->gradient, gradient, bytes);
  memcpy(direction, gradient, bytes);
  apply_inverse_hessian(direction, l);
  /* Rounding, or numbers out of range. */
  if (!(cblas_ddot(l->size, direction, 1, gradient, 1) > 0.0)) {
    l->count = 0;
    memcpy(direction, gradient, bytes);
  }
}

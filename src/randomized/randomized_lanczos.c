#include "randomized/randomized_lanczos.h"

#include "base/arrays.h"
#include "base/parallel.h"
#include "linalg/rounding/rounding.h"
#include "randomized/randomized_start.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static array_table arrays_of(randomized_lanczos *l, size_t starts, size_t length) {
  return (array_table){{
      ARRAY(l->w, starts, length),
      ARRAY(l->before, starts, length),
      ARRAY(l->image, starts, length),
      ARRAY(l->size, starts),
      ARRAY(l->sizes, starts, 2),
      ARRAY(l->exponent, starts),
      ARRAY(l->ended, starts),
      ARRAY(l->numbers, starts, 4, RANDOMIZED_STEPS_MOST),
      ARRAY(l->recurrence, starts),
  }};
}

uint64_t randomized_lanczos_bytes(size_t length, int starts, int steps) {
  randomized_lanczos l;
  const array_table arrays = arrays_of(&l, (size_t)starts, length);
  return array_table_bytes(&arrays) + (uint64_t)steps * length * sizeof(double);
}

/* w_0 := 2^-exponent x, exactly, of length in [1/2, 1] or nearly so. */
static attcert_status draw(randomized_lanczos *l, int s, randomized_bits *bits, attcert_error *err) {
  const size_t length = l->g->length;
  double *const w = l->w + (size_t)s * length;
  const attcert_status status = randomized_start_draw(w, length, bits, err);
  if (status != ATTCERT_OK) return status;
  frexp(cblas_dnrm2((int)length, w, 1), &l->exponent[s]);
  const double scale = ldexp(1.0, -l->exponent[s]);
  for (size_t i = 0; i < length; i++) w[i] *= scale;
  l->size[s] = cblas_dnrm2((int)length, w, 1);
  l->sizes[2 * (size_t)s] = norm_upper(w, length);
  return ATTCERT_OK;
}

attcert_status randomized_lanczos_init(randomized_lanczos *l, const randomized_operator *g, int starts,
                                       randomized_bits *bits, attcert_error *err) {
  *l = (randomized_lanczos){.g = g, .starts = starts};
  const array_table arrays = arrays_of(l, (size_t)starts, g->length);
  attcert_status status = array_table_allocate(&arrays, err, "%d recurrences", starts);
  for (int s = 0; s < starts && status == ATTCERT_OK; s++) {
    double *const numbers = l->numbers + (size_t)s * 4 * RANDOMIZED_STEPS_MOST;
    l->recurrence[s] = (randomized_recurrence){.alpha = numbers,
                                               .beta = numbers + RANDOMIZED_STEPS_MOST,
                                               .norm = numbers + 2 * RANDOMIZED_STEPS_MOST,
                                               .residual = numbers + 3 * RANDOMIZED_STEPS_MOST};
    status = draw(l, s, bits, err);
  }
  return status;
}

void randomized_lanczos_clear(randomized_lanczos *l) {
  const array_table arrays = arrays_of(l, 0, 0);
  array_table_release(&arrays);
  for (int j = 0; j < RANDOMIZED_STEPS_MOST; j++) free(l->kept[j]);
  *l = (randomized_lanczos){0};
}

/* From z = fl(G w_j), in `image`, less what is taken out (randomized_deflation.h: off by at most `taken`), to w_j+1 =
 * fl(z' / beta_j+1), z' = fl(z - alpha w_j - beta_j w_j-1). An entry of z' is off by at most gamma_3 (|z| + |alpha w_j|
 * + |beta_j w_j-1|) (Coq: `rounded_expression`), one of beta_j+1 w_j+1 from that of z' by u |z'|; what underflows here
 * is less than UNDERFLOW_ALLOWANCE. So
 *
 *     rho_j = error ||w_j|| + taken + gamma_3 (||z|| + |alpha| ||w_j|| + beta_j ||w_j-1||) + u ||z'||
 *             + 2 UNDERFLOW_ALLOWANCE.
 *
 * Where z' is no more than that, there are no directions left: w_j+1 = 0, any beta_j+1, and z' is part of the residual.
 * Lengths stay about ||w_0||, so that the recurrence is Lanczos's. */
static void step_of(void *context, int s) {
  randomized_lanczos *const l = context;
  randomized_recurrence *const r = &l->recurrence[s];
  const size_t length = l->g->length, at = (size_t)s * length;
  const int j = r->steps;
  if (l->ended[s]) return;
  double *const w = l->w + at, *const before = l->before + at, *const z = l->image + at;
  double *const size = l->sizes + 2 * (size_t)s; /* of w_j, of w_j-1 */
  const double taken = l->g->less != NULL ? randomized_deflation_subtract(l->g->less, z, w, size[0]) : 0.0;
  const double beta = j > 0 ? r->beta[j - 1] : 0.0, product = norm_upper(z, length);
  r->alpha[j] = cblas_ddot((int)length, z, 1, w, 1) / (l->size[s] * l->size[s]);
  for (size_t i = 0; i < length; i++) z[i] = z[i] - r->alpha[j] * w[i] - beta * before[i]; /* no BLAS to trust */
  const double left = norm_upper(z, length), terms = product + fabs(r->alpha[j]) * size[0] + beta * size[1];
  const double rounded = l->g->error * size[0] + taken + gamma_upper(3.0) * terms + UNIT_ROUNDOFF * left;
  const double residual = round_up_nonnegative(rounded + 2.0 * UNDERFLOW_ALLOWANCE, 14.0);
  l->ended[s] = left <= residual;
  r->beta[j] = l->ended[s] ? 1.0 : left / l->size[s];
  r->residual[j] = l->ended[s] ? round_up_nonnegative(residual + left, 1.0) : residual;
  for (size_t i = 0; i < length; i++) {
    before[i] = w[i];
    w[i] = l->ended[s] ? 0.0 : z[i] / r->beta[j];
  }
  size[1] = size[0];
  size[0] = norm_upper(w, length);
  r->norm[j] = size[0];
  r->steps++;
}

attcert_status randomized_lanczos_step(randomized_lanczos *l, attcert_error *err) {
  const size_t length = l->g->length;
  double *const kept = array_new(length, sizeof *kept, err, "a vector of %zu numbers", length);
  if (kept == NULL) return ATTCERT_RESOURCE;
  memcpy(kept, l->w, length * sizeof *kept);
  l->kept[l->steps++] = kept; /* 0 once the start has ended */
  l->g->apply(l->g->context, l->image, l->w, l->starts);
  parallel_for(l->starts, l->g->threads, step_of, l);
  return ATTCERT_OK;
}

bool randomized_lanczos_ended(const randomized_lanczos *l) {
  bool ended = true;
  for (int s = 0; s < l->starts; s++) ended = ended && l->ended[s];
  return ended;
}

attcert_status randomized_lanczos_ritz(double *value, double *weight, const randomized_lanczos *l, int s, int rank,
                                       attcert_error *err) {
  const int k = l->recurrence[s].steps, at = k - rank;
  double diagonal[RANDOMIZED_STEPS_MOST], beside[RANDOMIZED_STEPS_MOST], found_value[RANDOMIZED_STEPS_MOST];
  int found = 0, support[2];
  *value = -INFINITY;
  if (at < 1) return ATTCERT_OK;
  memcpy(diagonal, l->recurrence[s].alpha, (size_t)k * sizeof(double));
  memcpy(beside, l->recurrence[s].beta, (size_t)k * sizeof(double));
  const int info = LAPACKE_dstevr(LAPACK_COL_MAJOR, weight != NULL ? 'V' : 'N', 'I', k, diagonal, beside, 0.0, 0.0, at,
                                  at, 0.0, &found, found_value, weight, k, support);
  *value = found_value[0];
  return info == 0 && found == 1 ? ATTCERT_OK : array_out_of_memory(err, 0, "the Ritz value of %d steps", k);
}

void randomized_lanczos_combine(double *vector, const double *weight, const randomized_lanczos *l) {
  const int length = (int)l->g->length;
  memset(vector, 0, l->g->length * sizeof *vector);
  for (int j = 0; j < l->recurrence[0].steps; j++) cblas_daxpy(length, weight[j], l->kept[j], 1, vector, 1);
  const double norm = cblas_dnrm2(length, vector, 1);
  if (norm > 0.0) cblas_dscal(length, 1.0 / norm, vector, 1);
}

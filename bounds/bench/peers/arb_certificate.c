/* upper^2 I - J J^T is positive definite when Arb's Cholesky factorisation in balls goes through: then ||J|| <
 * upper. */
#include "peers.h"

#include <arb_mat.h>
#include <flint/flint.h>

enum { STEP_BITS = 32, FIRST_BITS = 32, MOST_BITS = 8192 };

/* A := the Jacobian or its transpose, whichever has fewer rows, exactly. */
static void read_jacobian(arb_mat_t a, const explicit_jacobian *j) {
  const bool transposed = j->cols < j->rows;
  arb_mat_init(a, transposed ? j->cols : j->rows, transposed ? j->rows : j->cols);
  for (slong row = 0; row < j->rows; row++)
    for (slong column = 0; column < j->cols; column++)
      arf_set_mpfr(arb_midref(arb_mat_entry(a, transposed ? column : row, transposed ? row : column)),
                   j->mid[(size_t)row * (size_t)j->cols + (size_t)column].v);
}

/* Whether ||A|| < upper is proved at this precision. */
static bool prove(const arb_mat_t a, double upper, slong precision) {
  const slong n = arb_mat_nrows(a);
  arb_mat_t t, gram;
  arb_t square;
  arb_init(square);
  arb_mat_init(t, arb_mat_ncols(a), n);
  arb_mat_init(gram, n, n);
  arb_mat_transpose(t, a);
  arb_mat_mul(gram, a, t, precision);
  arb_mat_neg(gram, gram);
  arb_set_d(square, upper);
  arb_sqr(square, square, precision);
  for (slong i = 0; i < n; i++) arb_add(arb_mat_entry(gram, i, i), arb_mat_entry(gram, i, i), square, precision);
  const bool proved = arb_mat_cho(gram, gram, precision);
  arb_mat_clear(t);
  arb_mat_clear(gram);
  arb_clear(square);
  return proved;
}

/* The least multiple of STEP_BITS that succeeds; 0 when none does. Doubling, then bisection: what succeeds at some
 * precision is taken to succeed at every higher one. */
static int least_precision(const arb_mat_t a, double upper) {
  int refused = FIRST_BITS - STEP_BITS, proved = FIRST_BITS;
  while (!prove(a, upper, proved)) {
    if (proved >= MOST_BITS) return 0;
    refused = proved;
    proved *= 2;
  }
  while (proved - refused > STEP_BITS) {
    const int middle = refused + (proved - refused) / (2 * STEP_BITS) * STEP_BITS;
    if (prove(a, upper, middle))
      proved = middle;
    else
      refused = middle;
  }
  return proved;
}

attcert_status arb_certificate(measurement *result, const given_layer *g, double upper, attcert_error *err) {
  explicit_jacobian j;
  arb_mat_t a;
  attcert_status status = given_layer_jacobian(&j, g, err);
  if (status != ATTCERT_OK) return status;
  flint_set_num_threads(g->threads);
  read_jacobian(a, &j);
  explicit_jacobian_clear(&j);
  result->precision = least_precision(a, upper);
  if (result->precision == 0)
    status = attcert_fail(err, ATTCERT_NEGATIVE, "Arb proves no bound of %.17g with %d bits", upper, MOST_BITS);
  while (status == ATTCERT_OK && measurement_due(result)) {
    measurement_start(result);
    const bool proved = prove(a, upper, result->precision);
    measurement_stop(result);
    if (proved) result->proved = upper;
  }
  arb_mat_clear(a);
  flint_cleanup();
  return status;
}

#include "spectrum/eigenvalue/balance.h"

#include "base/arrays.h"
#include "base/lapack_memory.h"
#include "interval/interval_arith.h"
#include "interval/interval_convert.h"
#include "linalg/rounding/binary_exponent.h"

#include <lapacke.h>

/* Divides by the least power of two above every entry, and returns its exponent. */
static long scale_to_one(interval *m, size_t count) {
  long exponent = EXPONENT_OF_ZERO;
  for (size_t i = 0; i < count; i++) exponent = exponent_max(exponent, exponent_of_interval(&m[i]));
  for (size_t i = 0; i < count; i++) interval_scale_2exp(&m[i], &m[i], -exponent);
  return exponent;
}

attcert_status spectrum_balance(long *exponent, interval *m, size_t k, attcert_error *err) {
  const lapack_int n = (lapack_int)k;
  lapack_int low, high;
  double *a, *scale;
  const array_table arrays = {{ARRAY(a, k, k), ARRAY(scale, k)}};
  const attcert_status status = array_table_allocate(&arrays, err, "a matrix of side %zu to balance", k);
  if (status != ATTCERT_OK) return status;
  *exponent = scale_to_one(m, k * k);
  interval_scratch ws;
  interval_scratch_init(&ws, mpfr_get_prec(m->lo));
  for (size_t i = 0; i < k * k; i++) {
    double radius;
    interval_get_midrad(&a[i], &radius, &m[i], &ws);
  }
  interval_scratch_clear(&ws);
  const lapack_int info = LAPACKE_dgebal(LAPACK_ROW_MAJOR, 'S', n, a, n, &low, &high, scale);
  for (size_t i = 0; info == 0 && i < k; i++) {
    for (size_t j = 0; j < k; j++) interval_scale_2exp(&m[i * k + j], &m[i * k + j], ilogb(scale[j]) - ilogb(scale[i]));
  }
  if (info == 0) *exponent += scale_to_one(m, k * k);
  array_table_release(&arrays);
  if (lapack_lacks_memory(info)) return array_out_of_memory(err, 0, "LAPACK's work on a matrix of side %zu", k);
  return ATTCERT_OK;
}

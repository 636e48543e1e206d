/* The public interface's enclosure of ||J u|| / ||u|| for a direction of someone else's, with more bits while its
 * interval is wide. */
#include "attcert.h"

#include "base/byte_text.h"
#include "base/environment.h"
#include "base/parallel.h"
#include "certify/direction_check.h"
#include "certify/enclosure/direction.h"
#include "certify/engine/engine.h"
#include "certify/plan.h"

#include <math.h>

attcert_status direction_check(const attcert_matrix *u, const attcert_matrix *x, attcert_error *err) {
  if (u == NULL || u->data == NULL)
    return attcert_fail(err, ATTCERT_INPUT, "direction: NULL, expected a matrix of the input's shape");
  if (u->rows != x->rows || u->cols != x->cols)
    return attcert_fail(err, ATTCERT_INPUT, "direction: %d x %d, expected the input's shape %d x %d", u->rows, u->cols,
                        x->rows, x->cols);
  bool nonzero = false;
  for (size_t i = 0; i < (size_t)u->rows * (size_t)u->cols; i++) {
    if (!isfinite(u->data[i]))
      return attcert_fail(err, ATTCERT_INPUT, "direction: entry %zu is %g, expected a finite number", i, u->data[i]);
    nonzero = nonzero || u->data[i] != 0.0;
  }
  if (nonzero) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "direction: all entries are zero, expected a non-zero vector");
}

/* The enclosure at one precision. */
static attcert_status direction_at(mpfr_t lo, mpfr_t hi, bool *narrow, const attcert_layer *layer,
                                   const attcert_matrix *x, const attcert_matrix *u, int precision, int threads,
                                   attcert_error *err) {
  layer_enclosure e;
  attcert_status status = layer_enclosure_init(&e, layer, x, precision, threads, err);
  if (status != ATTCERT_OK) return status;
  interval ratio;
  interval_init(&ratio, precision);
  status = direction_enclosure(&ratio, layer, &e, u->data, threads, err);
  mpfr_set(lo, ratio.lo, MPFR_RNDD);
  mpfr_set(hi, ratio.hi, MPFR_RNDU);
  *narrow = direction_is_narrow(&ratio);
  interval_clear(&ratio);
  layer_enclosure_clear(&e);
  return status;
}

static attcert_status enclose(mpfr_t lo, mpfr_t hi, const attcert_layer *layer, const attcert_matrix *x,
                              const attcert_matrix *u, const attcert_options *options, attcert_error *err) {
  attcert_status status = attcert_options_check(options, err);
  if (status == ATTCERT_OK) status = attcert_layer_check(layer, x, err);
  if (status == ATTCERT_OK) status = direction_check(u, x, err);
  if (status != ATTCERT_OK) return status;
  const int cap = plan_layer_precision_cap(layer, x->rows, options->precision);
  const uint64_t memory = plan_memory(options), bytes = engine_layer_bytes(layer, x->rows, options->precision);
  char text[BYTE_TEXT_SIZE], limit[BYTE_TEXT_SIZE];
  if (bytes > memory)
    return attcert_fail(err, ATTCERT_RESOURCE, "the layer needs %s at %d bits, %s may be used", byte_text(text, bytes),
                        options->precision, byte_text(limit, memory));
  bool narrow = false;
  for (int precision = options->precision; status == ATTCERT_OK && !narrow && precision <= cap; precision *= 2) {
    if (engine_layer_bytes(layer, x->rows, precision) > memory) break;
    status = direction_at(lo, hi, &narrow, layer, x, u, precision, parallel_threads(options->threads), err);
    if (mpfr_zero_p(lo) && precision >= CERTIFY_ZERO_PRECISION) break;
  }
  if (status == ATTCERT_OK && !mpfr_lessequal_p(lo, hi))
    return attcert_fail(
        err, ATTCERT_FAULT,
        "direction: the ends of the norm contradict each other: the machine or a library computes wrongly");
  return status;
}

attcert_status attcert_direction(mpfr_t lo, mpfr_t hi, const attcert_layer *layer, const attcert_matrix *x,
                                 const attcert_matrix *u, const attcert_options *options, attcert_error *err) {
  if (lo == NULL || hi == NULL) return attcert_fail(err, ATTCERT_INPUT, "ends: NULL, expected two numbers to write to");
  environment before;
  attcert_status status = environment_enter(&before, err);
  if (status == ATTCERT_OK) status = enclose(lo, hi, layer, x, u, options, err);
  return environment_leave(&before, status);
}

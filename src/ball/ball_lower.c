#include "ball/ball_lower.h"

#include "base/arrays.h"
#include "base/progress_report.h"
#include "search/worst_ascent.h"

#include <math.h>
#include <string.h>

enum { ASCENT_STEPS = 100 };

static bool is_direction(const attcert_matrix *u) {
  bool finite = true, zero = true;
  for (size_t i = 0; i < (size_t)u->rows * (size_t)u->cols; i++) {
    finite = finite && isfinite(u->data[i]);
    zero = zero && u->data[i] == 0.0;
  }
  return finite && !zero;
}

/* Takes x over when the direction u proves more there. */
static attcert_status certify_input(mpfr_t lower, attcert_matrix *input, attcert_matrix *x, const attcert_layer *layer,
                                    const attcert_matrix *u, const attcert_options *options, attcert_error *err) {
  mpfr_t lo, hi;
  mpfr_inits2(53, lo, hi, (mpfr_ptr)0);
  const attcert_status status = attcert_direction(lo, hi, layer, x, u, options, err);
  if (status == ATTCERT_OK && mpfr_greater_p(lo, lower)) {
    double *const before = input->data;
    mpfr_set(lower, lo, MPFR_RNDD);
    input->data = x->data;
    x->data = before;
  }
  mpfr_clears(lo, hi, (mpfr_ptr)0);
  return status;
}

attcert_status ball_lower_improve(mpfr_t lower, attcert_matrix *input, int *steps, const attcert_layer *layer,
                                  const attcert_matrix *x, const ball_region *region, const attcert_options *options,
                                  attcert_error *err) {
  attcert_matrix found = {0}, u = {0};
  worst_attention a = {0};
  worst_ascent report;
  if (region->radius == 0.0) return ATTCERT_OK;
  attcert_status status = progress_report(options, "ascent in the ball", 0.0, err);
  if (status == ATTCERT_OK) status = attcert_matrix_init(&found, x->rows, x->cols, err);
  if (status == ATTCERT_OK) status = attcert_matrix_init(&u, x->rows, x->cols, err);
  if (status == ATTCERT_OK) status = worst_attention_init(&a, layer, x->rows, err);
  if (status == ATTCERT_OK) {
    memcpy(found.data, x->data, (size_t)x->rows * (size_t)x->cols * sizeof(double));
    status = worst_ascend(&found, u.data, &report, &a, x, region, ASCENT_STEPS, err);
  }
  if (status == ATTCERT_OK) {
    ball_region_enter(&found, x, region);
    *steps = report.steps;
    if (is_direction(&u)) status = certify_input(lower, input, &found, layer, &u, options, err);
  }
  worst_attention_clear(&a);
  attcert_matrix_clear(&u);
  attcert_matrix_clear(&found);
  return status;
}

uint64_t ball_lower_bytes(const attcert_layer *layer, int n) {
  return worst_attention_bytes(layer, n) + worst_ascent_bytes(layer, n);
}

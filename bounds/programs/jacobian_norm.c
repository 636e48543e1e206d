/* The layer's Jacobian comes as MPFR midpoints M with ||J - M|| <= r (certify/explicit/explicit_jacobian.h). Rows
 * (columns) of M are multiplied by LayerNorm's Jacobian L in intervals, and rounded to double; what is left out has a
 * norm of at most r ||L||. */
#include "jacobian_norm.h"

#include "certify/explicit/explicit_jacobian_init.h"
#include "interval/interval_arith.h"
#include "interval/interval_convert.h"
#include "interval/interval_set.h"
#include "linalg/norm/matrix_norm.h"

#include <stdlib.h>

attcert_status jacobian_midpoint_init(jacobian_midpoint *j, int rows, int cols, attcert_error *err) {
  *j = (jacobian_midpoint){.rows = rows, .cols = cols, .mid = calloc((size_t)rows * (size_t)cols, sizeof(double))};
  mpfr_init2(j->radius, 64);
  mpfr_set_inf(j->radius, 1);
  return j->mid != NULL ? ATTCERT_OK
                        : attcert_fail(err, ATTCERT_RESOURCE, "out of memory: a %d x %d matrix", rows, cols);
}

void jacobian_midpoint_clear(jacobian_midpoint *j) {
  free(j->mid);
  mpfr_clear(j->radius);
  j->mid = NULL;
}

/* stride: from one entry of v to the next. */
static void put(jacobian_midpoint *j, mpfr_t sum, size_t first, size_t stride, interval *v, int count,
                interval_scratch *ws) {
  mpfr_t square;
  mpfr_init2(square, 64);
  for (size_t c = 0; c < (size_t)count; c++) {
    double radius;
    interval_get_midrad(&j->mid[first + c * stride], &radius, &v[c], ws);
    mpfr_set_d(square, radius, MPFR_RNDU);
    mpfr_sqr(square, square, MPFR_RNDU);
    mpfr_add(sum, sum, square, MPFR_RNDU);
  }
  mpfr_clear(square);
}

void jacobian_midpoint_put_row(jacobian_midpoint *j, mpfr_t sum, int row, int col, interval *v, int count,
                               interval_scratch *ws) {
  put(j, sum, (size_t)row * (size_t)j->cols + (size_t)col, 1, v, count, ws);
}

void jacobian_midpoint_put_column(jacobian_midpoint *j, mpfr_t sum, int row, int col, interval *v, int count,
                                  interval_scratch *ws) {
  put(j, sum, (size_t)row * (size_t)j->cols + (size_t)col, (size_t)j->cols, v, count, ws);
}

void jacobian_midpoint_finish(jacobian_midpoint *j, const mpfr_t sum, const mpfr_t more) {
  mpfr_sqrt(j->radius, sum, MPFR_RNDU);
  mpfr_add(j->radius, j->radius, more, MPFR_RNDU);
}

attcert_status jacobian_midpoint_norm(mpfr_t lo, mpfr_t hi, const jacobian_midpoint *j, attcert_error *err) {
  return matrix_norm(lo, hi, j->mid, j->rows, j->cols, mpfr_get_d(j->radius, MPFR_RNDU), err);
}

/* ---- compositions ------------------------------------------------------------------------------------------------ */

/* What a composition works with; v holds d intervals. */
typedef struct {
  explicit_jacobian inner;
  interval *v;
  mpfr_t sum, more;
  interval_scratch ws;
} composition;

static void composition_clear(composition *c) {
  explicit_jacobian_clear(&c->inner);
  interval_vec_free(c->v);
  mpfr_clear(c->sum);
  mpfr_clear(c->more);
  interval_scratch_clear(&c->ws);
}

/* j is zeros in any case, to be cleared by the caller; c is nothing to be cleared after an error. */
static attcert_status composition_init(composition *c, jacobian_midpoint *j, const attcert_layer *layer,
                                       const layer_enclosure *e, const layernorm_enclosure *ln, attcert_error *err) {
  attcert_status status = jacobian_midpoint_init(j, e->n * layer->out_dim, e->n * e->dim, err);
  if (status == ATTCERT_OK) status = explicit_jacobian_init(&c->inner, layer, e, 1, err);
  if (status != ATTCERT_OK) return status;
  c->v = interval_vec_new((size_t)e->dim, ln->precision);
  mpfr_init2(c->sum, 64);
  mpfr_init2(c->more, 64);
  mpfr_set_zero(c->sum, 1);
  interval_scratch_init(&c->ws, ln->precision);
  layernorm_enclosure_norm(c->more, ln);
  mpfr_mul(c->more, c->more, c->inner.radius, MPFR_RNDU);
  if (c->v != NULL) return ATTCERT_OK;
  composition_clear(c);
  return attcert_fail(err, ATTCERT_RESOURCE, "out of memory: %d intervals", e->dim);
}

static const point *entry(const composition *c, int row, int col) {
  return &c->inner.mid[(size_t)row * (size_t)c->inner.cols + (size_t)col];
}

attcert_status jacobian_after_layernorm(jacobian_midpoint *j, const attcert_layer *layer, const layer_enclosure *e,
                                        const layernorm_enclosure *ln, attcert_error *err) {
  composition c;
  const attcert_status status = composition_init(&c, j, layer, e, ln, err);
  if (status != ATTCERT_OK) return status;
  for (int row = 0; row < j->rows; row++) {
    for (int l = 0; l < e->n; l++) {
      const int col = l * e->dim;
      for (int a = 0; a < e->dim; a++) interval_set_fr(&c.v[a], entry(&c, row, col + a)->v);
      layernorm_enclosure_apply(c.v, ln, l, true, &c.ws);
      jacobian_midpoint_put_row(j, c.sum, row, col, c.v, e->dim, &c.ws);
    }
  }
  jacobian_midpoint_finish(j, c.sum, c.more);
  composition_clear(&c);
  return ATTCERT_OK;
}

/* v := column col of the rows of token i of I + M. */
static void residual_column(composition *c, int i, int col, int d) {
  interval one;
  interval_init(&one, 53);
  interval_set_si(&one, 1);
  for (int a = 0; a < d; a++) {
    interval_set_fr(&c->v[a], entry(c, i * d + a, col)->v);
    if (i * d + a == col) interval_add(&c->v[a], &c->v[a], &one);
  }
  interval_clear(&one);
}

attcert_status jacobian_before_layernorm(jacobian_midpoint *j, const attcert_layer *layer, const layer_enclosure *e,
                                         const layernorm_enclosure *ln, attcert_error *err) {
  composition c;
  const attcert_status status = composition_init(&c, j, layer, e, ln, err);
  if (status != ATTCERT_OK) return status;
  for (int i = 0; i < e->n; i++) {
    for (int col = 0; col < j->cols; col++) {
      residual_column(&c, i, col, e->dim);
      layernorm_enclosure_apply(c.v, ln, i, false, &c.ws);
      jacobian_midpoint_put_column(j, c.sum, i * e->dim, col, c.v, e->dim, &c.ws);
    }
  }
  jacobian_midpoint_finish(j, c.sum, c.more);
  composition_clear(&c);
  return ATTCERT_OK;
}

/* ---- LayerNorm alone --------------------------------------------------------------------------------------------- */

/* The Jacobian at token i, column by column. */
static attcert_status token_jacobian_norm(mpfr_t lo, mpfr_t hi, const layernorm_enclosure *ln, int i, interval *v,
                                          attcert_error *err) {
  jacobian_midpoint j;
  mpfr_t sum, nothing;
  interval_scratch ws;
  attcert_status status = jacobian_midpoint_init(&j, ln->dim, ln->dim, err);
  mpfr_inits2(64, sum, nothing, (mpfr_ptr)0);
  mpfr_set_zero(sum, 1);
  mpfr_set_zero(nothing, 1);
  interval_scratch_init(&ws, ln->precision);
  for (int col = 0; col < ln->dim && status == ATTCERT_OK; col++) {
    for (int a = 0; a < ln->dim; a++) interval_set_si(&v[a], a == col);
    layernorm_enclosure_apply(v, ln, i, false, &ws);
    jacobian_midpoint_put_column(&j, sum, 0, col, v, ln->dim, &ws);
  }
  jacobian_midpoint_finish(&j, sum, nothing);
  if (status == ATTCERT_OK) status = jacobian_midpoint_norm(lo, hi, &j, err);
  interval_scratch_clear(&ws);
  mpfr_clears(sum, nothing, (mpfr_ptr)0);
  jacobian_midpoint_clear(&j);
  return status;
}

attcert_status layernorm_jacobian_norm(mpfr_t lo, mpfr_t hi, const layernorm_enclosure *ln, attcert_error *err) {
  interval *const v = interval_vec_new((size_t)ln->dim, ln->precision);
  if (v == NULL) return attcert_fail(err, ATTCERT_RESOURCE, "out of memory: %d intervals", ln->dim);
  mpfr_t token_lo, token_hi;
  mpfr_inits2(53, token_lo, token_hi, (mpfr_ptr)0);
  mpfr_set_zero(lo, 1);
  mpfr_set_zero(hi, 1);
  attcert_status status = ATTCERT_OK;
  for (int i = 0; i < ln->n && status == ATTCERT_OK; i++) {
    status = token_jacobian_norm(token_lo, token_hi, ln, i, v, err);
    mpfr_max(lo, lo, token_lo, MPFR_RNDD);
    mpfr_max(hi, hi, token_hi, MPFR_RNDU);
  }
  mpfr_clears(token_lo, token_hi, (mpfr_ptr)0);
  interval_vec_free(v);
  return status;
}

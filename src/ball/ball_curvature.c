#include "ball/ball_curvature.h"

#include "base/arrays.h"
#include "interval/mpfr_block.h"
#include "kernel/row/attended_keys.h"
#include "linalg/operator/dense_matrix.h"
#include "linalg/operator/nonnegative_norm.h"
#include "linalg/rounding/binary_exponent.h"
#include "linalg/rounding/rounding.h"

#include <stdlib.h>

/* Power steps on a matrix of side n cost nothing beside the rest: they go on while they gain. */
static const double LEAST_GAIN = 1e-3;

attcert_status ball_curvature_scratch_init(ball_curvature_scratch *s, int n, attcert_error *err) {
  const size_t side = (size_t)n, square = side * side;
  *s = (ball_curvature_scratch){.numbers = mpfr_block_new(7 * square + side, BALL_PRECISION)};
  if (s->numbers == NULL)
    return array_out_of_memory(err, mpfr_block_bytes(7 * square + side, BALL_PRECISION), "the change of %d tokens", n);
  mpfr_ptr *const parts[] = {&s->changes.excess,  &s->changes.lower, &s->changes.upper, &s->changes.turn,
                             &s->changes.stretch, &s->mass,          &s->work};
  for (size_t i = 0; i < 7; i++) *parts[i] = s->numbers + i * square;
  s->change = s->numbers + 7 * square;
  const array_table arrays = {{ARRAY(s->matrix, square), ARRAY(s->scaled, square)}};
  return array_table_allocate(&arrays, err, "the change of %d tokens", n);
}

void ball_curvature_scratch_clear(ball_curvature_scratch *s) {
  mpfr_block_free(s->numbers);
  free(s->matrix);
  free(s->scaled);
  *s = (ball_curvature_scratch){0};
}

/* ---- one step ---------------------------------------------------------------------------------------------------- */

typedef struct {
  const ball_geometry *g;
  ball_curvature_scratch *s;
  attcert_error *err;
  mpfr_t t, u, sum;
} step;

static int attended_by(const step *p, int i) {
  return attended_keys(p->g->mask, i, p->g->n);
}

static size_t index_of(const step *p, int i, int j) {
  return (size_t)i * (size_t)p->g->n + (size_t)j;
}

/* p->u := a b + c d, rounded up. */
static void two_products(step *p, mpfr_srcptr a, mpfr_srcptr b, mpfr_srcptr c, mpfr_srcptr d) {
  mpfr_mul(p->u, a, b, MPFR_RNDU);
  mpfr_mul(p->t, c, d, MPFR_RNDU);
  mpfr_add(p->u, p->u, p->t, MPFR_RNDU);
}

/* out := the numbers of `work`, none negative, over 2^exponent, rounded up to doubles of at most 1; the exponent. */
static long scale_work(double *out, step *p) {
  const size_t count = (size_t)p->g->n * (size_t)p->g->n;
  long exponent = EXPONENT_OF_ZERO;
  for (size_t i = 0; i < count; i++) exponent = exponent_max(exponent, exponent_of_endpoint(p->s->work + i));
  if (exponent == EXPONENT_OF_ZERO) exponent = 0;
  for (size_t i = 0; i < count; i++) {
    mpfr_mul_2si(p->t, p->s->work + i, -exponent, MPFR_RNDU);
    out[i] = mpfr_get_d(p->t, MPFR_RNDU);
  }
  return exponent;
}

/* ---- (a) --------------------------------------------------------------------------------------------------------- */

/* norm >= ||M(F)|| at X', where the part restricts the forms or the keys. */
static attcert_status mixed_norm(mpfr_ptr norm, step *p, bool forms) {
  const ball_geometry *const g = p->g;
  const ball_part part = ball_part_distinct(BALL_MOVING, g->region);
  mpfr_srcptr const slope = g->slope[forms ? part : BALL_ALL];
  for (int i = 0; i < g->n; i++) {
    for (int j = 0; j < g->n; j++) {
      const size_t at = index_of(p, i, j);
      mpfr_set_zero(p->u, 1);
      if (j < attended_by(p, i) && (forms || ball_part_has(part, p->g->region, j)))
        two_products(p, p->s->changes.excess + at, slope + at, p->s->changes.upper + at, p->s->changes.turn + at);
      mpfr_set(p->s->work + at, p->u, MPFR_RNDU);
    }
  }
  const long exponent = scale_work(p->s->matrix, p);
  const dense_matrix matrix = {p->s->matrix, g->n, g->n};
  const linear_operator op = dense_matrix_operator(&matrix);
  double square;
  const attcert_status status = nonnegative_norm_squared(&square, &op, (double)g->n, p->err);
  mpfr_set_d(p->u, square, MPFR_RNDU);
  mpfr_sqrt(p->u, p->u, MPFR_RNDU);
  mpfr_mul_2si(p->u, p->u, exponent, MPFR_RNDU);
  mpfr_add(norm, g->mixed[forms], p->u, MPFR_RNDU);
  return status;
}

/* ---- (b) --------------------------------------------------------------------------------------------------------- */

/* norm >= max_i || (P'_ij w'_ij)_j ||, over the moving i or over the moving j. */
static void largest_product(mpfr_ptr norm, step *p, bool rows) {
  const ball_geometry *const g = p->g;
  const ball_part part = ball_part_distinct(BALL_MOVING, g->region);
  mpfr_set_zero(norm, 1);
  for (int i = 0; i < g->n; i++) {
    if (rows && !ball_part_has(part, p->g->region, i)) continue;
    mpfr_set_zero(p->sum, 1);
    for (int j = 0; j < attended_by(p, i); j++) {
      const size_t at = index_of(p, i, j);
      if (!rows && !ball_part_has(part, p->g->region, j)) continue;
      two_products(p, p->s->changes.excess + at, g->deviation + at, p->s->changes.upper + at,
                   p->s->changes.stretch + at);
      mpfr_sqr(p->u, p->u, MPFR_RNDU);
      mpfr_add(p->sum, p->sum, p->u, MPFR_RNDU);
    }
    mpfr_sqrt(p->sum, p->sum, MPFR_RNDU);
    mpfr_add(p->sum, p->sum, g->product[rows ? BALL_ALL : part] + i, MPFR_RNDU);
    mpfr_max(norm, norm, p->sum, MPFR_RNDU);
  }
}

/* ---- (c) --------------------------------------------------------------------------------------------------------- */

/* mass := b, change := xi. */
static void set_masses(step *p) {
  const ball_geometry *const g = p->g;
  for (int i = 0; i < g->n; i++) {
    mpfr_set_zero(p->s->change + i, 1);
    for (int j = 0; j < attended_by(p, i); j++) {
      const size_t at = index_of(p, i, j);
      mpfr_add(p->t, g->deviation + at, p->s->changes.stretch + at, MPFR_RNDU);
      mpfr_mul(p->s->mass + at, p->t, p->s->changes.upper + at, MPFR_RNDU);
      mpfr_sqr(p->u, p->s->changes.turn + at, MPFR_RNDU);
      mpfr_mul(p->u, p->u, p->s->mass + at, MPFR_RNDU);
      mpfr_add(p->s->change + i, p->s->change + i, p->u, MPFR_RNDU);
    }
    mpfr_sqrt(p->s->change + i, p->s->change + i, MPFR_RNDU);
  }
}

/* sum_jm a_ij a_lm cosine_ijlm, rounded up. */
static double weighted_cosines(const step *p, const double *cosine, int i, int l) {
  const size_t n = (size_t)p->g->n;
  const double *const a = p->s->scaled + (size_t)i * n, *const b = p->s->scaled + (size_t)l * n;
  double sum = 0.0;
  for (size_t j = 0; j < n; j++) {
    const double *const row = cosine != NULL ? cosine + (((size_t)i * n + j) * n + (size_t)l) * n : NULL;
    double inner = 0.0;
    for (size_t m = 0; m < n; m++) inner += row != NULL ? b[m] * row[m] : b[m];
    sum += a[j] * inner;
  }
  return round_up_nonnegative(sum, (double)n * (double)n + 2.0 * (double)n);
}

static attcert_status apply_matrix(void *context, double *y, const double *x, attcert_error *err) {
  const step *const p = context;
  (void)err;
  for (int i = 0; i < p->g->n; i++) {
    y[i] = 0.0;
    for (int l = 0; l < p->g->n; l++) y[i] += p->s->matrix[index_of(p, i, l)] * x[l];
  }
  return ATTCERT_OK;
}

/* largest >= max_i ||Phi_i||, stack >= ||Phi|| at X', the forms over the part. */
static attcert_status form_norms(mpfr_ptr largest, mpfr_ptr stack, step *p, ball_part part) {
  const ball_geometry *const g = p->g;
  for (int i = 0; i < g->n; i++) {
    for (int j = 0; j < g->n; j++) {
      const size_t at = index_of(p, i, j);
      mpfr_sqr(p->t, g->slope[part] + at, MPFR_RNDU);
      mpfr_mul(p->s->work + at, p->t, p->s->mass + at, MPFR_RNDU);
    }
  }
  const long exponent = scale_work(p->s->scaled, p);
  mpfr_set_zero(largest, 1);
  mpfr_set_zero(p->sum, 1);
  for (int i = 0; i < g->n; i++) {
    for (int l = 0; l < g->n; l++)
      p->s->matrix[index_of(p, i, l)] = round_up_nonnegative(sqrt(weighted_cosines(p, g->cosine[part], i, l)), 1.0);
    mpfr_set_d(p->t, p->s->matrix[index_of(p, i, i)], MPFR_RNDU);
    mpfr_mul_2si(p->t, p->t, exponent, MPFR_RNDU);
    mpfr_sqrt(p->t, p->t, MPFR_RNDU);
    mpfr_add(p->t, p->t, p->s->change + i, MPFR_RNDU);
    mpfr_max(largest, largest, p->t, MPFR_RNDU);
    mpfr_sqr(p->u, p->s->change + i, MPFR_RNDU);
    mpfr_add(p->sum, p->sum, p->u, MPFR_RNDU);
  }
  double radius;
  const nonnegative_square matrix = {g->n, apply_matrix, p, 0.5 * g->n};
  const attcert_status status = nonnegative_radius(&radius, &matrix, LEAST_GAIN, p->err);
  mpfr_set_d(stack, radius, MPFR_RNDU);
  mpfr_mul_2si(stack, stack, exponent, MPFR_RNDU);
  mpfr_sqrt(stack, stack, MPFR_RNDU);
  mpfr_sqrt(p->sum, p->sum, MPFR_RNDU);
  mpfr_add(stack, stack, p->sum, MPFR_RNDU);
  return status;
}

/* bound >= max_i ||Phi_i|| ||Phi||, one over the moving tokens, whichever is less. */
static attcert_status cubic_term(mpfr_ptr bound, step *p) {
  const ball_part part = ball_part_distinct(BALL_MOVING, p->g->region);
  mpfr_t largest[2], stack[2];
  mpfr_inits2(BALL_PRECISION, largest[0], largest[1], stack[0], stack[1], (mpfr_ptr)0);
  set_masses(p);
  attcert_status status = form_norms(largest[0], stack[0], p, BALL_ALL);
  if (status == ATTCERT_OK) status = form_norms(largest[1], stack[1], p, part);
  mpfr_mul(bound, largest[0], stack[1], MPFR_RNDU);
  mpfr_mul(p->t, largest[1], stack[0], MPFR_RNDU);
  mpfr_min(bound, bound, p->t, MPFR_RNDU);
  mpfr_clears(largest[0], largest[1], stack[0], stack[1], (mpfr_ptr)0);
  return status;
}

/* ---- T(tau) ------------------------------------------------------------------------------------------------------ */

attcert_status ball_curvature(mpfr_ptr bound, const ball_geometry *g, double tau, ball_curvature_scratch *s,
                              attcert_error *err) {
  step p = {.g = g, .s = s, .err = err};
  mpfr_t term;
  mpfr_set_inf(bound, 1);
  if (!g->bounded) return ATTCERT_OK;
  mpfr_inits2(BALL_PRECISION, term, p.t, p.u, p.sum, (mpfr_ptr)0);
  ball_change(&s->changes, g, tau);
  attcert_status status = cubic_term(bound, &p);
  for (int which = 0; which < 2 && status == ATTCERT_OK; which++) {
    status = mixed_norm(term, &p, which == 1);
    mpfr_mul(term, term, g->value, MPFR_RNDU);
    mpfr_add(bound, bound, term, MPFR_RNDU);
    largest_product(term, &p, which == 1);
    mpfr_mul(term, term, g->score, MPFR_RNDU);
    mpfr_add(bound, bound, term, MPFR_RNDU);
  }
  if (!mpfr_number_p(bound)) mpfr_set_inf(bound, 1);
  mpfr_clears(term, p.t, p.u, p.sum, (mpfr_ptr)0);
  return status;
}

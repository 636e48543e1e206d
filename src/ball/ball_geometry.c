#include "ball/ball_geometry.h"

#include "ball/ball_row_norms.h"
#include "base/arrays.h"
#include "base/parallel.h"
#include "interval/interval_convert.h"
#include "interval/interval_vec.h"
#include "kernel/row/attended_keys.h"

#include <math.h>
#include <stdlib.h>

/* Tokens up to which the forms' angles are kept, n^4 doubles for each part. */
enum { ANGLE_TOKENS = 32 };

static int attended_by(const ball_geometry *g, int i) {
  return attended_keys(g->mask, i, g->n);
}

static size_t square_index(const ball_geometry *g, int i, int j) {
  return (size_t)i * (size_t)g->n + (size_t)j;
}

/* ---- one row ----------------------------------------------------------------------------------------------------- */

/* t := |c_ijm| = 1 - P_ij where m = j, else P_im. */
static void coefficient_upward(mpfr_ptr t, const ball_geometry *g, int i, int j, int m) {
  if (m == j)
    mpfr_ui_sub(t, 1, g->weight_lower + square_index(g, i, m), MPFR_RNDU);
  else
    mpfr_set(t, g->weight + square_index(g, i, m), MPFR_RNDU);
}

/* In the sequence's ball |phi_ij(E)| <= ||phi_ij|| tau, and |e_i| |sum_m c_m e_m| <= tau^2 (|c_i| + ||c||) / 2, the
 * largest eigenvalue of a 2 x 2 form. */
static void set_rates_of_sequence(ball_geometry *g, int i, int j) {
  const size_t at = square_index(g, i, j);
  mpfr_t t, sum;
  mpfr_inits2(BALL_PRECISION, t, sum, (mpfr_ptr)0);
  mpfr_set(g->rate + at, g->slope[BALL_MOVING] + at, MPFR_RNDU);
  mpfr_set_zero(sum, 1);
  for (int m = 0; m < g->n; m++) {
    if (!ball_region_moves(g->region, m)) continue;
    coefficient_upward(t, g, i, j, m);
    mpfr_sqr(t, t, MPFR_RNDU);
    mpfr_add(sum, sum, t, MPFR_RNDU);
  }
  mpfr_sqrt(sum, sum, MPFR_RNDU);
  coefficient_upward(t, g, i, j, i);
  mpfr_add(g->bend + at, sum, t, MPFR_RNDU);
  mpfr_div_2ui(g->bend + at, g->bend + at, 1, MPFR_RNDU);
  mpfr_clears(t, sum, (mpfr_ptr)0);
}

/* In the tokens' ball both are sums over the tokens. */
static void set_rates_of_tokens(ball_geometry *g, int i, int j) {
  const size_t at = square_index(g, i, j);
  mpfr_t t;
  mpfr_init2(t, BALL_PRECISION);
  for (int m = 0; m < g->n; m++) {
    if (!ball_region_moves(g->region, m)) continue;
    coefficient_upward(t, g, i, j, m);
    mpfr_add(g->bend + at, g->bend + at, t, MPFR_RNDU);
    mpfr_mul(t, t, g->gradient + i, MPFR_RNDU);
    if (m == i) mpfr_add(t, t, g->key + at, MPFR_RNDU);
    mpfr_add(g->rate + at, g->rate + at, t, MPFR_RNDU);
  }
  mpfr_clear(t);
}

static void set_rates(ball_geometry *g, int i, int j) {
  if (ball_region_kind(g->region)->each)
    set_rates_of_tokens(g, i, j);
  else
    set_rates_of_sequence(g, i, j);
  if (!ball_region_moves(g->region, i)) mpfr_set_zero(g->bend + square_index(g, i, j), 1);
}

static void set_weights(ball_geometry *g, const ball_products *b, int i) {
  for (int j = 0; j < attended_by(g, i); j++) {
    const size_t at = square_index(g, i, j);
    mpfr_set(g->weight_lower + at, b->p[at].lo, MPFR_RNDD);
    mpfr_set(g->weight + at, b->p[at].hi, MPFR_RNDU);
  }
}

typedef struct {
  ball_geometry *g;
  const ball_slopes *slopes;
} filling;

/* Every size of token i. Where it attends to itself alone all deviations are 0. */
static void fill_row(void *context, int i) {
  const filling *const f = context;
  ball_geometry *const g = f->g;
  const ball_products *const b = f->slopes->products;
  ball_slopes_scratch s;
  ball_slopes_scratch_init(&s, b->precision);
  set_weights(g, b, i);
  ball_size_root(g->gradient + i, &b->gradient[square_index(g, i, i)]);
  for (int j = 0; j < attended_by(g, i) && attended_by(g, i) > 1; j++) {
    const size_t at = square_index(g, i, j);
    ball_products_value_deviation(&s.product, b, i, j, j);
    ball_size_root(g->deviation + at, &s.product);
    ball_products_key_deviation(&s.product, b, i, j, j);
    ball_size_root(g->key + at, &s.product);
    for (int part = 0; part < BALL_PARTS; part++) {
      ball_slopes_product(&s.product, f->slopes, (ball_part)part, i, j, i, j, &s);
      ball_size_root(g->slope[part] + at, &s.product);
    }
    set_rates(g, i, j);
  }
  ball_slopes_scratch_clear(&s);
}

/* ---- angles ------------------------------------------------------------------------------------------------------ */

/* (phi_ij . phi_lm)^2 / (slope_ij slope_lm)^2, at most 1. */
static double squared_cosine(const filling *f, ball_part part, int i, int j, int l, int m, ball_slopes_scratch *s) {
  const ball_geometry *const g = f->g;
  mpfr_t ratio, size;
  mpfr_inits2(BALL_PRECISION, ratio, size, (mpfr_ptr)0);
  ball_slopes_product(&s->product, f->slopes, part, i, j, l, m, s);
  interval_mag(ratio, &s->product);
  mpfr_mul(size, g->slope[part] + square_index(g, i, j), g->slope[part] + square_index(g, l, m), MPFR_RNDD);
  mpfr_div(ratio, ratio, size, MPFR_RNDU);
  mpfr_sqr(ratio, ratio, MPFR_RNDU);
  const double cosine = mpfr_get_d(ratio, MPFR_RNDU);
  mpfr_clears(ratio, size, (mpfr_ptr)0);
  return cosine < 1.0 ? cosine : 1.0; /* NaN too: of a form that vanishes */
}

static void fill_angles(void *context, int i) {
  const filling *const f = context;
  const ball_geometry *const g = f->g;
  const size_t n = (size_t)g->n;
  ball_slopes_scratch s;
  ball_slopes_scratch_init(&s, f->slopes->products->precision);
  for (int part = 0; part < BALL_PARTS; part++) {
    double *to = g->cosine[part] == NULL ? NULL : g->cosine[part] + (size_t)i * n * n * n;
    for (int j = 0; j < g->n && to != NULL; j++) {
      for (int l = 0; l < g->n; l++) {
        for (int m = 0; m < g->n; m++, to++) {
          if (j < attended_by(g, i) && m < attended_by(g, l)) *to = squared_cosine(f, (ball_part)part, i, j, l, m, &s);
        }
      }
    }
  }
  ball_slopes_scratch_clear(&s);
}

/* ---- life cycle -------------------------------------------------------------------------------------------------- */

static size_t count_of_numbers(int n) {
  return 8 * (size_t)n * (size_t)n + 3 * (size_t)n;
}

static bool is_bounded(const ball_geometry *g) {
  bool bounded = mpfr_number_p(g->mixed[0]) && mpfr_number_p(g->mixed[1]);
  for (size_t i = 0; i < count_of_numbers(g->n); i++) bounded = bounded && mpfr_number_p(g->numbers + i);
  return bounded;
}

uint64_t ball_geometry_bytes(int n) {
  const size_t tokens = (size_t)n, square = ARRAY_COUNT(tokens, tokens);
  const uint64_t angles = n <= ANGLE_TOKENS ? BALL_PARTS * (uint64_t)ARRAY_COUNT(square, square, sizeof(double)) : 0;
  return angles + mpfr_block_bytes(count_of_numbers(n), BALL_PRECISION) + 3 * interval_vec_bytes(square, 128);
}

static attcert_status allocate(ball_geometry *g, attcert_error *err) {
  const size_t n = (size_t)g->n, square = n * n;
  g->numbers = mpfr_block_new(count_of_numbers(g->n), BALL_PRECISION);
  if (g->numbers == NULL)
    return array_out_of_memory(err, ball_geometry_bytes(g->n), "the sizes of a head's %d tokens", g->n);
  mpfr_ptr *const squares[] = {&g->weight_lower, &g->weight, &g->deviation,       &g->key,
                               &g->rate,         &g->bend,   &g->slope[BALL_ALL], &g->slope[BALL_MOVING]};
  for (size_t i = 0; i < 8; i++) *squares[i] = g->numbers + i * square;
  g->gradient = g->numbers + 8 * square;
  g->product[BALL_ALL] = g->gradient + n;
  g->product[BALL_MOVING] = g->product[BALL_ALL] + n;
  const bool moving = g->n <= ANGLE_TOKENS && g->region->moves != NULL;
  const size_t angles = g->n <= ANGLE_TOKENS ? square * square : 0;
  const array_table arrays = {{ARRAY(g->cosine[BALL_ALL], angles), ARRAY(g->cosine[BALL_MOVING], moving ? angles : 0)}};
  return array_table_allocate(&arrays, err, "the angles of a head's %d tokens", g->n);
}

attcert_status ball_geometry_init(ball_geometry *g, const ball_products *b, const ball_region *region, int threads,
                                  attcert_error *err) {
  ball_slopes slopes;
  *g = (ball_geometry){.n = b->n, .mask = b->mask, .region = region};
  mpfr_inits2(BALL_PRECISION, g->value, g->score, g->mixed[0], g->mixed[1], (mpfr_ptr)0);
  attcert_status status = allocate(g, err);
  if (status != ATTCERT_OK) return status;
  status = ball_slopes_init(&slopes, b, region, err);
  if (status == ATTCERT_OK) {
    filling f = {g, &slopes};
    parallel_for(g->n, threads, fill_row, &f);
    parallel_for(g->n, threads, fill_angles, &f);
    status = ball_row_norms(g->product, g->mixed, &slopes, err);
    g->bounded = is_bounded(g);
  }
  ball_slopes_clear(&slopes);
  return status;
}

void ball_geometry_clear(ball_geometry *g) {
  mpfr_clears(g->value, g->score, g->mixed[0], g->mixed[1], (mpfr_ptr)0);
  mpfr_block_free(g->numbers);
  free(g->cosine[BALL_ALL]);
  free(g->cosine[BALL_MOVING]);
}

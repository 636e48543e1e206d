#include "ball/ball_change.h"

#include "kernel/row/attended_keys.h"

/* Sums over row i, rounded up. */
typedef struct {
  mpfr_t normalizer; /* Zb_i */
  mpfr_t upper;      /* sum_m P'_im^2, with bits to take one of them out again */
  mpfr_t shift;      /* sum_m P_im eta_im |w_im| */
  mpfr_t key_shift;  /* sum_m P_im eta_im |h_m - hbar_i| */
  mpfr_t spread;     /* (sum_m P_im^2 eta_im^2)^{1/2} */
  mpfr_t square;     /* scratch: exact for the square of an upper end */
  mpfr_t t, u;       /* scratch */
} row_sums;

enum { SQUARE_PRECISION = 2 * BALL_PRECISION, SUM_PRECISION = 4 * BALL_PRECISION };

static void row_sums_init(row_sums *r) {
  mpfr_inits2(BALL_PRECISION, r->normalizer, r->shift, r->key_shift, r->spread, r->t, r->u, (mpfr_ptr)0);
  mpfr_init2(r->upper, SUM_PRECISION);
  mpfr_init2(r->square, SQUARE_PRECISION);
}

static void row_sums_clear(row_sums *r) {
  mpfr_clears(r->normalizer, r->upper, r->shift, r->key_shift, r->spread, r->square, r->t, r->u, (mpfr_ptr)0);
}

/* sum += a b, rounded up; sum may be a. */
static void add_product(mpfr_ptr sum, mpfr_srcptr a, mpfr_srcptr b, mpfr_ptr t) {
  mpfr_mul(t, a, b, MPFR_RNDU);
  mpfr_add(sum, sum, t, MPFR_RNDU);
}

/* r->t := t_ij. */
static void set_exponent(row_sums *r, const ball_geometry *g, size_t at, double tau) {
  mpfr_mul_d(r->u, g->bend + at, tau, MPFR_RNDU);
  mpfr_mul_d(r->u, r->u, tau, MPFR_RNDU);
  mpfr_mul(r->u, r->u, g->score, MPFR_RNDU);
  mpfr_mul_d(r->t, g->rate + at, tau, MPFR_RNDU);
  mpfr_add(r->t, r->t, r->u, MPFR_RNDU);
}

static void set_normalizer(row_sums *r, const ball_geometry *g, size_t row, int attended, double tau) {
  mpfr_set_ui(r->normalizer, 1, MPFR_RNDU);
  for (size_t at = row; at < row + (size_t)attended; at++) {
    set_exponent(r, g, at, tau);
    mpfr_expm1(r->u, r->t, MPFR_RNDU);
    mpfr_sub(r->u, r->u, r->t, MPFR_RNDU);
    add_product(r->normalizer, r->u, g->weight + at, r->t);
  }
}

/* Of one weight; nothing changes by more than 1. */
static void set_weight(ball_changes *s, row_sums *r, const ball_geometry *g, size_t at, double tau) {
  set_exponent(r, g, at, tau);
  mpfr_neg(r->u, r->t, MPFR_RNDN);
  mpfr_exp(r->u, r->u, MPFR_RNDD);
  mpfr_div(r->u, r->u, r->normalizer, MPFR_RNDD); /* e^-t / Zb */
  mpfr_mul(s->lower + at, g->weight_lower + at, r->u, MPFR_RNDD);
  mpfr_ui_sub(r->u, 1, r->u, MPFR_RNDU);
  mpfr_expm1(r->t, r->t, MPFR_RNDU);
  mpfr_max(r->t, r->t, r->u, MPFR_RNDU); /* eta */
  mpfr_mul(s->excess + at, g->weight + at, r->t, MPFR_RNDU);
  mpfr_add(s->upper + at, g->weight + at, s->excess + at, MPFR_RNDU);
  if (mpfr_cmp_ui(s->excess + at, 1) > 0) mpfr_set_ui(s->excess + at, 1, MPFR_RNDU);
  if (mpfr_cmp_ui(s->upper + at, 1) > 0) mpfr_set_ui(s->upper + at, 1, MPFR_RNDU);
}

static void set_sums(row_sums *r, const ball_changes *s, const ball_geometry *g, size_t row, int attended) {
  mpfr_set_zero(r->upper, 1);
  mpfr_set_zero(r->shift, 1);
  mpfr_set_zero(r->key_shift, 1);
  mpfr_set_zero(r->spread, 1);
  for (size_t at = row; at < row + (size_t)attended; at++) {
    add_product(r->upper, s->upper + at, s->upper + at, r->square);
    add_product(r->shift, s->excess + at, g->deviation + at, r->t);
    add_product(r->key_shift, s->excess + at, g->key + at, r->t);
    add_product(r->spread, s->excess + at, s->excess + at, r->t);
  }
  mpfr_sqrt(r->spread, r->spread, MPFR_RNDU);
}

/* r->t := |c'_ij| = ((1 - P'_ij)^2 + sum_{m != j} P'_im^2)^{1/2}. */
static void set_coefficient(row_sums *r, const ball_changes *s, size_t at) {
  mpfr_ui_sub(r->t, 1, s->lower + at, MPFR_RNDU);
  mpfr_sqr(r->t, r->t, MPFR_RNDU);
  mpfr_sqr(r->square, s->upper + at, MPFR_RNDD);
  mpfr_sub(r->square, r->upper, r->square, MPFR_RNDU);
  mpfr_add(r->t, r->t, r->square, MPFR_RNDU);
  mpfr_sqrt(r->t, r->t, MPFR_RNDU);
}

/* r->u := a_ij: in the sequence's ball tau |c'_ij|, in the tokens' tau sum_m |c'_ijm| = 2 tau (1 - P'_ij). r->t holds
 * |c'_ij|. */
static void set_offset(row_sums *r, const ball_changes *s, const ball_geometry *g, size_t at, double tau) {
  if (ball_region_kind(g->region)->each) {
    mpfr_ui_sub(r->u, 1, s->lower + at, MPFR_RNDU);
    mpfr_mul_2ui(r->u, r->u, 1, MPFR_RNDU);
  } else {
    mpfr_set(r->u, r->t, MPFR_RNDU);
  }
  mpfr_mul_d(r->u, r->u, tau, MPFR_RNDU);
}

static void change_row(ball_changes *s, const ball_geometry *g, int i, double tau, row_sums *r) {
  const int attended = attended_keys(g->mask, i, g->n);
  const size_t row = (size_t)i * (size_t)g->n;
  set_normalizer(r, g, row, attended, tau);
  for (size_t at = row; at < row + (size_t)attended; at++) set_weight(s, r, g, at, tau);
  set_sums(r, s, g, row, attended);
  for (size_t at = row; at < row + (size_t)attended; at++) {
    set_coefficient(r, s, at);
    set_offset(r, s, g, at, tau);
    mpfr_mul_d(r->t, r->t, ball_region_moves(g->region, i) ? tau : 0.0, MPFR_RNDU); /* |e_i| |c'_ij| */
    mpfr_add(r->t, r->t, r->u, MPFR_RNDU);
    mpfr_mul(s->turn + at, r->t, g->score, MPFR_RNDU);
    add_product(s->turn + at, g->gradient + i, r->spread, r->t);
    mpfr_add(s->turn + at, s->turn + at, r->key_shift, MPFR_RNDU);
    mpfr_mul(s->stretch + at, r->u, g->value, MPFR_RNDU);
    mpfr_add(s->stretch + at, s->stretch + at, r->shift, MPFR_RNDU);
  }
}

void ball_change(ball_changes *s, const ball_geometry *g, double tau) {
  row_sums r;
  row_sums_init(&r);
  for (int i = 0; i < g->n; i++) change_row(s, g, i, tau, &r);
  row_sums_clear(&r);
}

#include "network/affine/affine_cut.h"

#include "base/parallel.h"

#include <gmp.h>
#include <math.h>
#include <string.h>

enum { MOST_EXPONENT = 900 };

/* ---- intervals --------------------------------------------------------------------------------------------------- */

typedef struct {
  affine_inputs *to;
  const step_enclosure *x;
  int first;
} input_block;

/* One more than the largest exponent of a row's ends, so that middles are at most half of 2^f; 0 of no numbers. */
static long exponent_of_row(const interval *x, int n) {
  long most = -MOST_EXPONENT * 1000L;
  for (int a = 0; a < n; a++) {
    if (mpfr_regular_p(x[a].lo) && mpfr_get_exp(x[a].lo) > most) most = mpfr_get_exp(x[a].lo);
    if (mpfr_regular_p(x[a].hi) && mpfr_get_exp(x[a].hi) > most) most = mpfr_get_exp(x[a].hi);
  }
  return most + 1;
}

/* What a row's entries share, and scratch. */
typedef struct {
  mpfr_t middle, miss; /* middle: of the bits of all digits, and one */
  mpz_t all, digit;
} cutter;

static void cutter_init(cutter *c, const affine_inputs *to) {
  mpfr_init2(c->middle, (mpfr_prec_t)to->digits * to->beta + 1);
  mpfr_init2(c->miss, 53);
  mpz_inits(c->all, c->digit, NULL);
}

static void cutter_clear(cutter *c) {
  mpfr_clears(c->middle, c->miss, (mpfr_ptr)0);
  mpz_clears(c->all, c->digit, NULL);
}

/* The larger distance of x's ends from `middle`, in units 2^-scale, rounded upward. */
static double miss_of(cutter *c, const interval *x, long scale) {
  mpfr_sub(c->miss, x->hi, c->middle, MPFR_RNDU);
  mpfr_mul_2si(c->miss, c->miss, scale, MPFR_RNDU);
  const double above = mpfr_get_d(c->miss, MPFR_RNDU);
  mpfr_sub(c->miss, c->middle, x->lo, MPFR_RNDU);
  mpfr_mul_2si(c->miss, c->miss, scale, MPFR_RNDU);
  return fmax(above, mpfr_get_d(c->miss, MPFR_RNDU));
}

/* The digits of the integer nearest to 2^(D beta - f) times the middle, from the last one on, all of its sign. */
static void cut_entry(affine_inputs *to, cutter *c, const interval *x, int i, int a) {
  const size_t entries = (size_t)to->rows * (size_t)to->inner, at = (size_t)i * (size_t)to->inner + (size_t)a;
  const long scale = (long)to->digits * to->beta - to->exponent[i];
  if (!mpfr_number_p(x->lo) || !mpfr_number_p(x->hi)) {
    for (int l = 0; l < to->digits; l++) to->digit[(size_t)l * entries + at] = 0.0;
    to->missed[at] = INFINITY;
    return;
  }
  mpfr_add(c->middle, x->lo, x->hi, MPFR_RNDN);
  mpfr_mul_2si(c->middle, c->middle, scale - 1, MPFR_RNDN);
  mpfr_get_z(c->all, c->middle, MPFR_RNDN);
  mpfr_set_z_2exp(c->middle, c->all, -scale, MPFR_RNDN); /* exact: it has no more bits */
  to->missed[at] = miss_of(c, x, scale);
  for (int l = to->digits - 1; l >= 0; l--) {
    mpz_tdiv_r_2exp(c->digit, c->all, (mp_bitcnt_t)to->beta);
    mpz_tdiv_q_2exp(c->all, c->all, (mp_bitcnt_t)to->beta);
    to->digit[(size_t)l * entries + at] = mpz_get_d(c->digit);
  }
}

static void cut_row(void *context, int i) {
  const input_block *const b = context;
  const interval *const x = step_entry(b->x, b->first + i, 0);
  cutter c;
  cutter_init(&c, b->to);
  b->to->exponent[i] = exponent_of_row(x, b->to->inner);
  for (int a = 0; a < b->to->inner; a++) cut_entry(b->to, &c, &x[a], i, a);
  cutter_clear(&c);
}

void affine_cut_inputs(affine_inputs *to, const step_enclosure *x, int first) {
  input_block block = {to, x, first};
  parallel_for(to->rows, parallel_threads(0), cut_row, &block);
}

/* ---- weights ----------------------------------------------------------------------------------------------------- */

/* e, 2^e >= the largest of n magnitudes. */
static int exponent_of(const double *x, int n) {
  double largest = 0.0;
  int e;
  for (int a = 0; a < n; a++) largest = fmax(largest, fabs(x[a]));
  frexp(largest, &e);
  return e;
}

void affine_cut_begin(affine_weights_cut *to, const double *weight) {
  const size_t inner = (size_t)to->inner;
  memcpy(to->rest, weight, (size_t)to->cols * inner * sizeof *weight);
  for (int c = 0; c < to->cols; c++) to->exponent[c] = exponent_of(weight + (size_t)c * inner, to->inner);
}

typedef struct {
  affine_weights_cut *to;
  int k;
  size_t *left; /* [cols] */
} weight_slice;

/* s = the integer nearest to 2^((k+1) beta - e) rest, at most 2^beta. Of what is left, at most half a unit and a
 * multiple of an ulp of the rest, no bit is lost. */
static void cut_weights(void *context, int c) {
  const weight_slice *const w = context;
  const size_t inner = (size_t)w->to->inner;
  double *const rest = w->to->rest + (size_t)c * inner, *const slice = w->to->slice + (size_t)c * inner;
  const int e = w->to->exponent[c], down = (w->k + 1) * w->to->beta - e;
  const bool cuts = e <= MOST_EXPONENT && e >= -MOST_EXPONENT;
  const double scale = cuts ? ldexp(1.0, down) : 0.0, unit = cuts ? ldexp(1.0, -down) : 0.0;
  size_t left = 0;
  for (size_t a = 0; a < inner; a++) {
    slice[a] = rint(rest[a] * scale);
    rest[a] -= slice[a] * unit;
    left += rest[a] != 0.0;
  }
  w->left[c] = left;
}

size_t affine_cut_next(affine_weights_cut *to, int k) {
  size_t left = 0;
  weight_slice slice = {to, k, to->left};
  parallel_for(to->cols, parallel_threads(0), cut_weights, &slice);
  for (int c = 0; c < to->cols; c++) left += to->left[c];
  return left;
}

void affine_cut_taken(affine_weights_cut *to, const double *weight) {
  const size_t inner = (size_t)to->inner;
  for (int c = 0; c < to->cols; c++) {
    const int e = to->exponent[c];
    const double scale = e <= MOST_EXPONENT && e >= -MOST_EXPONENT ? ldexp(1.0, -e) : 0.0;
    for (size_t k = (size_t)c * inner; k < ((size_t)c + 1) * inner; k++)
      to->slice[k] = fabs(weight[k] - to->rest[k]) * scale;
  }
}

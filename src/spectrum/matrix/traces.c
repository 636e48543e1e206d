#include "spectrum/matrix/traces.h"

#include "base/arrays.h"
#include "interval/interval_arith.h"
#include "interval/interval_elem.h"
#include "interval/interval_set.h"

/* Sums of products of doubles have at most 2 (2 * 2098 + 40) bits, 17,000 with a gain: beyond that all is exact. */
enum { PRECISION_STEP = 4, PRECISION_LIMIT = SPECTRUM_PRECISION * 64, WIDTH_EXPONENT = -60 };

static interval *const *list(interval *all[5], spectrum_traces *t) {
  all[0] = &t->trace, all[1] = &t->trace_of_square, all[2] = &t->frobenius, all[3] = &t->mean, all[4] = &t->variance;
  return all;
}

void spectrum_traces_init(spectrum_traces *t) {
  interval *all[5];
  for (int i = 0; i < 5; i++) interval_init(list(all, t)[i], SPECTRUM_PRECISION);
}

void spectrum_traces_clear(spectrum_traces *t) {
  interval *all[5];
  for (int i = 0; i < 5; i++) interval_clear(list(all, t)[i]);
}

/* Bits of the sums: the matrices L R^T, L L^T and R R^T, and what is added up. */
typedef struct {
  size_t side;
  interval *product, *left, *right;
  interval trace, square, frobenius, variance, term;
  interval_scratch ws;
} sums;

static attcert_status sums_init(sums *s, const spectrum_factors *f, mpfr_prec_t precision, attcert_error *err) {
  const size_t side = (size_t)f->side, count = side * side;
  *s = (sums){.side = side};
  s->product = interval_vec_new(count, precision);
  s->left = interval_vec_new(count, precision);
  s->right = interval_vec_new(count, precision);
  interval_init(&s->trace, precision);
  interval_init(&s->square, precision);
  interval_init(&s->frobenius, precision);
  interval_init(&s->variance, precision);
  interval_init(&s->term, precision);
  interval_scratch_init(&s->ws, precision);
  if (s->product != NULL && s->left != NULL && s->right != NULL) return ATTCERT_OK;
  return array_out_of_memory(err, 3 * (uint64_t)interval_vec_bytes(count, precision),
                             "a product of side %zu with %ld "
                             "bits",
                             side, (long)precision);
}

static void sums_clear(sums *s) {
  interval_vec_free(s->product);
  interval_vec_free(s->left);
  interval_vec_free(s->right);
  interval_clear(&s->trace);
  interval_clear(&s->square);
  interval_clear(&s->frobenius);
  interval_clear(&s->variance);
  interval_clear(&s->term);
  interval_scratch_clear(&s->ws);
}

static void add_up(sums *s, const spectrum_factors *f) {
  const size_t n = s->side;
  spectrum_factors_product(s->product, f, f->left, f->right);
  if (f->thin) {
    spectrum_factors_product(s->left, f, f->left, f->left);
    spectrum_factors_product(s->right, f, f->right, f->right);
  }
  const interval *const one = f->thin ? s->left : s->product, *const other = f->thin ? s->right : s->product;
  for (size_t i = 0; i < n; i++) {
    interval_add(&s->trace, &s->trace, &s->product[i * n + i]);
    for (size_t j = 0; j < n; j++) {
      interval_fma(&s->square, &s->product[i * n + j], &s->product[j * n + i], &s->square, &s->ws);
      interval_fma(&s->frobenius, &one[i * n + j], &other[i * n + j], &s->frobenius, &s->ws);
    }
  }
  /* d tr W^2 - (tr W)^2: divided by d^2 at the end, so that it may cancel to 0 exactly */
  interval_set_si(&s->variance, f->dim);
  interval_mul(&s->variance, &s->variance, &s->square, &s->ws);
  interval_sqr(&s->term, &s->trace, &s->ws);
  interval_sub(&s->variance, &s->variance, &s->term);
}

/* Whether a is [0, 0], or its width at most 2^WIDTH_EXPONENT of its least magnitude. */
static bool is_narrow(const interval *a) {
  mpfr_t width, least;
  mpfr_inits2(64, width, least, (mpfr_ptr)0);
  mpfr_sub(width, a->hi, a->lo, MPFR_RNDU);
  if (mpfr_sgn(a->lo) > 0)
    mpfr_set(least, a->lo, MPFR_RNDD);
  else if (mpfr_sgn(a->hi) < 0)
    mpfr_neg(least, a->hi, MPFR_RNDD);
  mpfr_mul_2si(width, width, -WIDTH_EXPONENT, MPFR_RNDU);
  const bool narrow = mpfr_zero_p(width) || (!mpfr_nan_p(least) && mpfr_lessequal_p(width, least));
  mpfr_clears(width, least, (mpfr_ptr)0);
  return narrow;
}

static bool are_narrow(const sums *s) {
  return is_narrow(&s->trace) && is_narrow(&s->square) && is_narrow(&s->frobenius) && is_narrow(&s->variance);
}

static void take_over(spectrum_traces *t, sums *s, int dim) {
  interval d;
  interval_init(&d, SPECTRUM_PRECISION);
  interval_set_si(&d, dim);
  interval_set(&t->trace, &s->trace);
  interval_set(&t->trace_of_square, &s->square);
  interval_sqrt(&t->frobenius, &s->frobenius);
  interval_div(&t->mean, &s->trace, &d, &s->ws);
  interval_div(&t->variance, &s->variance, &d, &s->ws);
  interval_div(&t->variance, &t->variance, &d, &s->ws);
  interval_clear(&d);
}

attcert_status spectrum_traces_enclose(spectrum_traces *t, const spectrum_factors *f, attcert_error *err) {
  attcert_status status = ATTCERT_OK;
  bool done = false;
  for (mpfr_prec_t bits = SPECTRUM_PRECISION; status == ATTCERT_OK && !done; bits *= PRECISION_STEP) {
    sums s;
    status = sums_init(&s, f, bits, err);
    if (status == ATTCERT_OK) {
      add_up(&s, f);
      done = are_narrow(&s) || bits >= PRECISION_LIMIT;
      if (done) take_over(t, &s, f->dim);
    }
    sums_clear(&s);
  }
  return status;
}

/* Intervals against exact rational numbers. */
#include "exact_interval.h"

#include "interval/interval_query.h"

bool exact_in(const interval *a, const mpq_t q) {
  if (mpfr_nan_p(a->lo) || mpfr_nan_p(a->hi)) return true;
  return mpfr_cmp_q(a->lo, q) <= 0 && mpfr_cmp_q(a->hi, q) >= 0;
}

/* ---- samples ----------------------------------------------------------------------------------------------------- */

void exact_sample_init(exact_sample *sample) {
  for (int i = 0; i < EXACT_SAMPLES; i++) mpq_init(sample->value[i]);
  sample->count = 0;
  sample->ends = false;
}

void exact_sample_clear(exact_sample *sample) {
  for (int i = 0; i < EXACT_SAMPLES; i++) mpq_clear(sample->value[i]);
}

/* base + step 2^e for a random e: how far an interval without an end reaches. */
static void draw_beyond(mpq_t q, mpfr_srcptr base, int step, random_source *s) {
  mpq_set_si(q, step, 1);
  mpq_mul_2exp(q, q, (mp_bitcnt_t)random_integer(s, 0, 1200));
  if (!endpoint_is_number(base)) return;
  mpq_t from;
  mpq_init(from);
  mpfr_get_q(from, base);
  mpq_add(q, q, from);
  mpq_clear(from);
}

/* lo + (hi - lo) w / 8 for a random w. */
static void draw_between(mpq_t q, const mpq_t lo, const mpq_t hi, random_source *s) {
  mpq_t weight;
  mpq_init(weight);
  mpq_set_ui(weight, (unsigned long)random_integer(s, 0, 8), 8);
  mpq_canonicalize(weight);
  mpq_sub(q, hi, lo);
  mpq_mul(q, q, weight);
  mpq_add(q, q, lo);
  mpq_clear(weight);
}

void exact_sample_draw(exact_sample *sample, const interval *a, random_source *s) {
  mpq_t *const value = sample->value;
  sample->count = 0;
  sample->ends = interval_is_bounded(a);
  const bool nan = mpfr_nan_p(a->lo) || mpfr_nan_p(a->hi);
  if (!nan && mpfr_greater_p(a->lo, a->hi)) return;
  const bool lo_end = !nan && endpoint_is_number(a->lo), hi_end = !nan && endpoint_is_number(a->hi);
  if (lo_end) mpfr_get_q(value[0], a->lo);
  if (hi_end) mpfr_get_q(value[1], a->hi);
  if (!lo_end) draw_beyond(value[0], nan ? a->lo : a->hi, -1, s);
  if (!hi_end) draw_beyond(value[1], nan ? a->hi : a->lo, 1, s);
  sample->count = 2;
  if (mpq_equal(value[0], value[1])) {
    sample->count = 1;
    return;
  }
  if (mpq_sgn(value[0]) < 0 && mpq_sgn(value[1]) > 0) mpq_set_ui(value[sample->count++], 0, 1);
  draw_between(value[sample->count++], value[0], value[1], s);
}

/* ---- ranges ------------------------------------------------------------------------------------------------------ */

void exact_range_init(exact_range *range) {
  mpq_inits(range->min, range->max, (mpq_ptr)NULL);
  exact_range_reset(range);
}

void exact_range_clear(exact_range *range) {
  mpq_clears(range->min, range->max, (mpq_ptr)NULL);
}

void exact_range_reset(exact_range *range) {
  range->empty = true;
}

void exact_range_add(exact_range *range, const mpq_t q) {
  if (range->empty || mpq_cmp(q, range->min) < 0) mpq_set(range->min, q);
  if (range->empty || mpq_cmp(q, range->max) > 0) mpq_set(range->max, q);
  range->empty = false;
}

bool exact_is_tightest(const interval *r, const exact_range *range) {
  interval best;
  interval_init(&best, mpfr_get_prec(r->lo));
  mpfr_set_q(best.lo, range->min, MPFR_RNDD);
  mpfr_set_q(best.hi, range->max, MPFR_RNDU);
  const bool same = mpfr_equal_p(r->lo, best.lo) && mpfr_equal_p(r->hi, best.hi);
  interval_clear(&best);
  return same;
}

/* Conversions between intervals, doubles and single numbers against exact rational numbers.
 *   ATTCERT_INTERVAL_CASES=N   cases of each test
 *   ATTCERT_SEED=S             which */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>

#include "exact_interval.h"
#include "interval/interval_convert.h"
#include "interval/interval_query.h"
#include "interval/interval_set.h"
#include "interval_relation.h"
#include "random_interval.h"
#include "test_setting.h"

enum { DEFAULT_CASES = 20000 };

typedef struct {
  interval a;
  interval_scratch ws;
  mpq_t lo, hi, q;       /* the ends of a, exactly; q is at the checks' disposal */
  long judged, tightest; /* counted where the tightest result is not promised */
} conversion;

typedef bool conversion_check(conversion *c, random_source *s);

/* sign(x - q); infinities beyond all numbers. */
static int compare(double x, const mpq_t q) {
  if (isinf(x)) return x > 0 ? 1 : -1;
  mpq_t exact;
  mpq_init(exact);
  mpq_set_d(exact, x);
  const int sign = mpq_cmp(exact, q);
  mpq_clear(exact);
  return sign;
}

static bool lower_and_upper_hold(conversion *c, random_source *s) {
  (void)s;
  const double lower = interval_get_d_lower(&c->a), upper = interval_get_d_upper(&c->a);
  return compare(lower, c->lo) <= 0 && compare(nextafter(lower, INFINITY), c->lo) > 0 && compare(upper, c->hi) >= 0 &&
         compare(nextafter(upper, -INFINITY), c->hi) < 0;
}

/* Is mid - rad <= q <= mid + rad? */
static bool covered(conversion *c, double mid, double rad, const mpq_t q) {
  mpq_set_d(c->q, mid);
  mpq_sub(c->q, q, c->q);
  mpq_abs(c->q, c->q);
  return compare(rad, c->q) >= 0;
}

/* An end beyond the doubles, or a scratch so short that it rounds the middle beyond them. */
static bool needs_infinite_radius(const conversion *c) {
  return isinf(interval_get_d_lower(&c->a)) || isinf(interval_get_d_upper(&c->a)) || mpfr_get_prec(c->ws.t) < 53;
}

static bool midrad_holds(conversion *c, random_source *s) {
  (void)s;
  double mid, rad;
  interval_get_midrad(&mid, &rad, &c->a, &c->ws);
  if (!isfinite(mid) || !(rad >= 0) || !covered(c, mid, rad, c->lo) || !covered(c, mid, rad, c->hi)) return false;
  if (!isfinite(rad)) return needs_infinite_radius(c);
  c->judged++;
  const double less = nextafter(rad, -1);
  c->tightest += rad == 0 || !covered(c, mid, less, c->lo) || !covered(c, mid, less, c->hi);
  return true;
}

/* mag rounds up, to the next number of r's precision. */
static bool magnitude_holds(conversion *c, random_source *s) {
  interval r;
  exact_range range;
  interval_init(&r, random_precision(s));
  interval_mag(r.hi, &c->a);
  exact_range_init(&range);
  mpq_abs(c->q, c->lo);
  exact_range_add(&range, c->q);
  mpq_abs(c->q, c->hi);
  exact_range_add(&range, c->q);
  mpfr_set_q(r.lo, range.min, MPFR_RNDD);
  const bool right = exact_is_tightest(&r, &range);
  exact_range_clear(&range);
  interval_clear(&r);
  return right;
}

static bool setters_hold(conversion *c, random_source *s) {
  interval r;
  exact_range range;
  bool right = true;
  interval_init(&r, random_precision(s));
  exact_range_init(&range);

  interval_set(&r, &c->a);
  exact_range_add(&range, c->lo);
  exact_range_add(&range, c->hi);
  right = right && exact_is_tightest(&r, &range);

  interval_set_fr(&r, c->a.lo);
  exact_range_reset(&range);
  exact_range_add(&range, c->lo);
  right = right && exact_is_tightest(&r, &range);

  const double x = random_double(s);
  interval_set_d(&r, x);
  mpq_set_d(c->q, x);
  exact_range_reset(&range);
  exact_range_add(&range, c->q);
  right = right && exact_is_tightest(&r, &range) && interval_relation_contains(&r, x);

  const long n = (long)(random_bits(s) >> random_integer(s, 0, 63));
  interval_set_si(&r, n);
  mpq_set_si(c->q, n, 1);
  exact_range_reset(&range);
  exact_range_add(&range, c->q);
  right = right && exact_is_tightest(&r, &range);

  exact_range_clear(&range);
  interval_clear(&r);
  return right;
}

/* ---- the tests --------------------------------------------------------------------------------------------------- */

static void conversion_init(conversion *c, random_source *s) {
  interval_init(&c->a, random_precision(s));
  interval_scratch_init(&c->ws, random_precision(s));
  random_bounded_interval(&c->a, s);
  mpq_inits(c->lo, c->hi, c->q, (mpq_ptr)NULL);
  mpfr_get_q(c->lo, c->a.lo);
  mpfr_get_q(c->hi, c->a.hi);
}

static void conversion_clear(conversion *c) {
  interval_clear(&c->a);
  interval_scratch_clear(&c->ws);
  mpq_clears(c->lo, c->hi, c->q, (mpq_ptr)NULL);
}

static void sweep(conversion_check *holds, uint64_t stream) {
  const uint64_t cases = test_setting("ATTCERT_INTERVAL_CASES", DEFAULT_CASES), seed = test_setting("ATTCERT_SEED", 1);
  uint64_t failures = 0;
  conversion c = {.judged = 0};
  for (uint64_t i = 0; i < cases && failures < 5; i++) {
    random_source s = random_source_make(seed, stream, i);
    conversion_init(&c, &s);
    if (!holds(&c, &s)) {
      failures++;
      fprintf(stderr, "ATTCERT_SEED=%llu, index %llu, scratch %ld bits\n", (unsigned long long)seed,
              (unsigned long long)i, (long)mpfr_get_prec(c.ws.t));
      print_interval("a", &c.a);
    }
    conversion_clear(&c);
  }
  if (c.judged > 0) print_message("tightest %ld of %ld\n", c.tightest, c.judged);
  assert_int_equal(failures, 0);
}

static void test_lower_and_upper(void **state) {
  (void)state;
  sweep(lower_and_upper_hold, 201);
}

static void test_midrad(void **state) {
  (void)state;
  sweep(midrad_holds, 202);
}

static void test_magnitudes(void **state) {
  (void)state;
  sweep(magnitude_holds, 203);
}

static void test_setters(void **state) {
  (void)state;
  sweep(setters_hold, 204);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_lower_and_upper), cmocka_unit_test(test_midrad),
                                     cmocka_unit_test(test_magnitudes), cmocka_unit_test(test_setters)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

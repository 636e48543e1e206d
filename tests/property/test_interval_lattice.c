/* Hull, intersection and the questions about intervals against exact rational numbers: what they say of the intervals
 * must hold of every sampled number, and of the ends exactly.
 *   ATTCERT_INTERVAL_CASES=N   cases of each test
 *   ATTCERT_SEED=S             which */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>

#include "exact_interval.h"
#include "interval/interval_lattice.h"
#include "interval/interval_query.h"
#include "random_interval.h"
#include "test_setting.h"

enum { DEFAULT_CASES = 20000 };

typedef struct {
  interval a, b, r;
  exact_sample in_a, in_b;
} pair;

static void pair_init(pair *p, random_source *s) {
  interval_init(&p->a, random_precision(s));
  interval_init(&p->b, random_precision(s));
  interval_init(&p->r, random_precision(s));
  random_interval(&p->a, s);
  random_interval(&p->b, s);
  exact_sample_init(&p->in_a);
  exact_sample_init(&p->in_b);
  exact_sample_draw(&p->in_a, &p->a, s);
  exact_sample_draw(&p->in_b, &p->b, s);
}

static void pair_clear(pair *p) {
  interval_clear(&p->a);
  interval_clear(&p->b);
  interval_clear(&p->r);
  exact_sample_clear(&p->in_a);
  exact_sample_clear(&p->in_b);
}

/* Copies an operand into r where r is to be that operand. */
static const interval *aliased(pair *p, const interval *operand) {
  mpfr_set_prec(p->r.lo, mpfr_get_prec(operand->lo));
  mpfr_set_prec(p->r.hi, mpfr_get_prec(operand->hi));
  mpfr_set(p->r.lo, operand->lo, MPFR_RNDN);
  mpfr_set(p->r.hi, operand->hi, MPFR_RNDN);
  return &p->r;
}

typedef void lattice_operation(interval *r, const interval *a, const interval *b);

static void apply(pair *p, lattice_operation *op, random_source *s) {
  switch (random_integer(s, 0, 3)) {
  case 0:
    op(&p->r, aliased(p, &p->a), &p->b);
    break;
  case 1:
    op(&p->r, &p->a, aliased(p, &p->b));
    break;
  default:
    op(&p->r, &p->a, &p->b);
    break;
  }
}

/* Is every sample that satisfies the other side's condition in r? */
static bool samples_in(const pair *p, const exact_sample *sample, const interval *condition) {
  for (int i = 0; i < sample->count; i++) {
    if (condition != NULL && !exact_in(condition, sample->value[i])) continue;
    if (!exact_in(&p->r, sample->value[i])) return false;
  }
  return true;
}

static bool hull_holds(pair *p, random_source *s) {
  exact_range range;
  apply(p, interval_hull, s);
  if (!samples_in(p, &p->in_a, NULL) || !samples_in(p, &p->in_b, NULL)) return false;
  if (p->in_a.count + p->in_b.count == 0) return interval_is_empty(&p->r);
  if ((p->in_a.count > 0 && !p->in_a.ends) || (p->in_b.count > 0 && !p->in_b.ends)) return true;
  exact_range_init(&range);
  for (int i = 0; i < p->in_a.count; i++) exact_range_add(&range, p->in_a.value[i]);
  for (int i = 0; i < p->in_b.count; i++) exact_range_add(&range, p->in_b.value[i]);
  const bool tightest = exact_is_tightest(&p->r, &range);
  exact_range_clear(&range);
  return tightest;
}

/* The ends of a bounded intersection are ends of the operands. */
static bool intersection_holds(pair *p, random_source *s) {
  exact_range range;
  apply(p, interval_intersect, s);
  if (!samples_in(p, &p->in_a, &p->b) || !samples_in(p, &p->in_b, &p->a)) return false;
  if (p->in_a.count == 0 || p->in_b.count == 0) return interval_is_empty(&p->r);
  if (!p->in_a.ends || !p->in_b.ends) return true;
  exact_range_init(&range);
  for (int i = 0; i < p->in_a.count; i++) {
    if (exact_in(&p->b, p->in_a.value[i])) exact_range_add(&range, p->in_a.value[i]);
  }
  for (int i = 0; i < p->in_b.count; i++) {
    if (exact_in(&p->a, p->in_b.value[i])) exact_range_add(&range, p->in_b.value[i]);
  }
  const bool right = range.empty ? interval_is_empty(&p->r) : exact_is_tightest(&p->r, &range);
  exact_range_clear(&range);
  return right;
}

/* Every sampled x of a compares with every sampled y of b so that sign(x - y) <= most. */
static bool ordered(const pair *p, int most) {
  for (int i = 0; i < p->in_a.count; i++) {
    for (int j = 0; j < p->in_b.count; j++) {
      if (mpq_cmp(p->in_a.value[i], p->in_b.value[j]) > most) return false;
    }
  }
  return true;
}

static bool meet(const pair *p) {
  for (int i = 0; i < p->in_a.count; i++) {
    if (exact_in(&p->b, p->in_a.value[i])) return true;
  }
  for (int i = 0; i < p->in_b.count; i++) {
    if (exact_in(&p->a, p->in_b.value[i])) return true;
  }
  return false;
}

/* "Yes" must be true of all samples; between bounded intervals, whose ends are among the samples, "no" must be false of
 * some. */
static bool answer_holds(const pair *p, bool answer, bool of_samples) {
  const bool decided = (p->in_a.ends || p->in_a.count == 0) && (p->in_b.ends || p->in_b.count == 0);
  return decided ? answer == of_samples : !answer || of_samples;
}

static bool questions_hold(pair *p, random_source *s) {
  (void)s;
  const interval *const a = &p->a, *const b = &p->b;
  return interval_is_empty(a) == (p->in_a.count == 0) && answer_holds(p, interval_disjoint(a, b), !meet(p)) &&
         answer_holds(p, interval_certainly_less(a, b), ordered(p, -1)) &&
         answer_holds(p, interval_certainly_less_equal(a, b), ordered(p, 0));
}

/* ---- the tests --------------------------------------------------------------------------------------------------- */

static void sweep(bool (*holds)(pair *, random_source *), uint64_t stream) {
  const uint64_t cases = test_setting("ATTCERT_INTERVAL_CASES", DEFAULT_CASES), seed = test_setting("ATTCERT_SEED", 1);
  uint64_t failures = 0;
  for (uint64_t i = 0; i < cases && failures < 5; i++) {
    random_source s = random_source_make(seed, stream, i);
    const exponent_range usual = random_exponent_range(&s);
    pair p;
    pair_init(&p, &s);
    if (!holds(&p, &s)) {
      failures++;
      fprintf(stderr, "ATTCERT_SEED=%llu, index %llu\n", (unsigned long long)seed, (unsigned long long)i);
      print_interval("a", &p.a);
      print_interval("b", &p.b);
      print_interval("r", &p.r);
    }
    pair_clear(&p);
    set_exponent_range(usual);
  }
  assert_int_equal(failures, 0);
}

static void test_hull(void **state) {
  (void)state;
  sweep(hull_holds, 101);
}

static void test_intersection(void **state) {
  (void)state;
  sweep(intersection_holds, 102);
}

static void test_questions(void **state) {
  (void)state;
  sweep(questions_hold, 103);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_hull), cmocka_unit_test(test_intersection),
                                     cmocka_unit_test(test_questions)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

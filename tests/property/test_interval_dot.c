/* Inner products and matrix-vector products against exact rational arithmetic: for sampled members of the vectors the
 * exact sum is in the result, whatever the precisions of the elements, the result and the scratch.
 *   ATTCERT_INTERVAL_CASES=N   cases of each test
 *   ATTCERT_SEED=S             which */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>

#include "exact_interval.h"
#include "interval/interval_query.h"
#include "interval/interval_set.h"
#include "interval/interval_vec.h"
#include "random_interval.h"
#include "test_setting.h"

enum { DEFAULT_CASES = 5000, MAX_LENGTH = 6, DRAWS = 4 };

/* ---- vectors with members ---------------------------------------------------------------------------------------- */

/* `size` intervals, exact copies of them where they are points, and a member of each. */
typedef struct {
  size_t size;
  interval *x;
  point *p; /* NULL for a vector of intervals */
  mpq_t *member;
  exact_sample sample;
  bool empty;
} test_vector;

static void vector_init(test_vector *v, size_t size, random_source *s) {
  *v = (test_vector){.size = size, .x = interval_vec_new(size, random_precision(s))};
  v->member = test_calloc(size, sizeof(mpq_t));
  exact_sample_init(&v->sample);
  for (size_t i = 0; i < size; i++) {
    random_interval(&v->x[i], s);
    v->empty = v->empty || interval_is_empty(&v->x[i]);
    mpq_init(v->member[i]);
  }
}

/* The doubles that points are for, or numbers of any precision, whose products need not be exact. */
static void vector_init_points(test_vector *v, size_t size, random_source *s) {
  const mpfr_prec_t precision = random_precision(s);
  const bool doubles = random_chance(s, 0.5) && mpfr_get_emax() > 1024; /* exact only in a range that holds them */
  vector_init(v, size, s);
  v->empty = false;
  v->p = point_vec_new(size, precision);
  for (size_t i = 0; i < size; i++) {
    const double x = random_double(s);
    if (doubles) {
      point_vec_set_d(&v->p[i], &x, 1);
    } else {
      random_number(v->p[i].v, s);
    }
    mpfr_get_q(v->member[i], v->p[i].v);
  }
}

static void vector_clear(test_vector *v) {
  for (size_t i = 0; i < v->size; i++) mpq_clear(v->member[i]);
  test_free(v->member);
  exact_sample_clear(&v->sample);
  interval_vec_free(v->x);
  point_vec_free(v->p);
}

static void draw_members(test_vector *v, random_source *s) {
  if (v->p != NULL) return;
  for (size_t i = 0; i < v->size; i++) {
    exact_sample_draw(&v->sample, &v->x[i], s);
    if (v->sample.count > 0) mpq_set(v->member[i], v->sample.value[random_integer(s, 0, v->sample.count - 1)]);
  }
}

static void exact_dot(mpq_t sum, mpq_t *a, mpq_t *b, size_t n) {
  mpq_t term;
  mpq_init(term);
  mpq_set_ui(sum, 0, 1);
  for (size_t i = 0; i < n; i++) {
    mpq_mul(term, a[i], b[i]);
    mpq_add(sum, sum, term);
  }
  mpq_clear(term);
}

/* ---- the checks -------------------------------------------------------------------------------------------------- */

typedef struct {
  test_vector a, b;
  interval r;
  interval_scratch ws;
  mpq_t sum;
  long judged, tightest;
} product;

typedef bool product_check(product *p, random_source *s);

/* Is the exact product of a with b in r, for random members? */
static bool product_contained(product *p, random_source *s) {
  for (int i = 0; i < DRAWS; i++) {
    draw_members(&p->a, s);
    draw_members(&p->b, s);
    exact_dot(p->sum, p->a.member, p->b.member, p->b.size);
    if (!exact_in(&p->r, p->sum)) return false;
  }
  return true;
}

static bool dot_holds(product *p, random_source *s) {
  const size_t n = (size_t)random_integer(s, 0, MAX_LENGTH);
  const bool square = random_chance(s, 0.2); /* the same vector twice */
  vector_init(&p->a, n, s);
  vector_init(&p->b, n, s);
  interval_dot(&p->r, p->a.x, square ? p->a.x : p->b.x, n, &p->ws);
  if (square) {
    draw_members(&p->a, s);
    exact_dot(p->sum, p->a.member, p->a.member, n);
    return p->a.empty ? interval_is_empty(&p->r) : exact_in(&p->r, p->sum);
  }
  return p->a.empty || p->b.empty ? interval_is_empty(&p->r) : product_contained(p, s);
}

static bool dot_mixed_holds(product *p, random_source *s) {
  const size_t n = (size_t)random_integer(s, 0, MAX_LENGTH);
  vector_init(&p->a, n, s);
  vector_init_points(&p->b, n, s);
  interval_dot_mixed(&p->r, p->a.x, p->b.p, n, &p->ws);
  return p->a.empty ? interval_is_empty(&p->r) : product_contained(p, s);
}

/* One term: the product is exact in a long scratch, and then rounded once. */
static bool dot_points_holds(product *p, random_source *s) {
  const size_t n = (size_t)random_integer(s, 0, MAX_LENGTH);
  exact_range range;
  vector_init_points(&p->a, n, s);
  vector_init_points(&p->b, n, s);
  interval_dot_points(&p->r, p->a.p, p->b.p, n, &p->ws);
  if (!product_contained(p, s)) return false;
  exact_range_init(&range);
  exact_range_add(&range, p->sum);
  const bool tightest = exact_is_tightest(&p->r, &range);
  exact_range_clear(&range);
  p->judged++;
  p->tightest += tightest;
  return tightest || n > 1 || mpfr_get_prec(p->ws.t) < 600;
}

/* ---- the tests --------------------------------------------------------------------------------------------------- */

static void report_failure(const product *p, uint64_t seed, uint64_t index) {
  fprintf(stderr, "ATTCERT_SEED=%llu, index %llu, scratch %ld bits\n", (unsigned long long)seed,
          (unsigned long long)index, (long)mpfr_get_prec(p->ws.t));
  for (size_t i = 0; i < p->a.size; i++) print_interval("a", &p->a.x[i]);
  for (size_t i = 0; i < p->b.size; i++) print_interval("b", &p->b.x[i]);
  print_interval("first result", &p->r);
}

static void sweep(product_check *holds, uint64_t stream) {
  const uint64_t cases = test_setting("ATTCERT_INTERVAL_CASES", DEFAULT_CASES), seed = test_setting("ATTCERT_SEED", 1);
  uint64_t failures = 0;
  product p = {.judged = 0};
  mpq_init(p.sum);
  for (uint64_t i = 0; i < cases && failures < 5; i++) {
    random_source s = random_source_make(seed, stream, i);
    const exponent_range usual = random_exponent_range(&s);
    interval_init(&p.r, random_precision(&s));
    random_interval(&p.r, &s); /* to be overwritten */
    interval_scratch_init(&p.ws, random_chance(&s, 0.3) ? 600 : random_precision(&s));
    if (!holds(&p, &s)) {
      failures++;
      report_failure(&p, seed, i);
    }
    vector_clear(&p.a);
    vector_clear(&p.b);
    interval_clear(&p.r);
    interval_scratch_clear(&p.ws);
    set_exponent_range(usual);
  }
  mpq_clear(p.sum);
  if (p.judged > 0) print_message("tightest %ld of %ld\n", p.tightest, p.judged);
  assert_int_equal(failures, 0);
}

static void test_dot(void **state) {
  (void)state;
  sweep(dot_holds, 301);
}

static void test_dot_mixed(void **state) {
  (void)state;
  sweep(dot_mixed_holds, 302);
}

static void test_dot_points(void **state) {
  (void)state;
  sweep(dot_points_holds, 303);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_dot), cmocka_unit_test(test_dot_mixed),
                                     cmocka_unit_test(test_dot_points)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Rows of which each may be one of several: by enumeration and by the hull, against all combinations. */
#include "network/affine/step_affine.h"
#include "network/select/step_select.h"
#include "network/sum/step_sum.h"
#include "random_network.h"
#include "robust/choices.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { TOKENS = 2, DIM = 3, CLASSES = 2 };

/* The margin is (3, -4, 12) . (x_0 + x_1). */
static void build(network_steps *network) {
  static const double weight[CLASSES * DIM] = {2.0, -4.0, 5.0, -1.0, 0.0, -7.0};
  *network = (network_steps){.tokens = TOKENS, .dim = DIM};
  network_builder b = {.network = network, .layer = -1};
  const int x = step_affine_add(&b, 0, &(affine_weights){.weight = weight}, CLASSES);
  const int first = step_select_add(&b, x, 0);
  step_sum_add(&b, first, step_select_add(&b, x, 1));
  assert_int_equal(b.status, ATTCERT_OK);
}

static attcert_status decide(robust_verdict *v, robust_choices *c, const network_steps *network,
                             const attcert_matrix *x, int enumerate) {
  robust_ball ball = {.input = x, .label = -1};
  const robust_question question = {.attack = 4};
  const attcert_status status = robust_choices_decide(v, c, network, &ball, &question, enumerate, NULL);
  assert_true(ball.region.hull == &c->hull && ball.region.moves == c->moves);
  return status;
}

/* Margins 19 of X, and with the second choice of row 0 19 - 3 = 16, of row 1 19 + 2 = 21 or 19 - 8 = 11: the least is
 * 8. Two choices are a segment: its hull is sharp; of three, with the mean in the middle, the bound is lower. */
static void every_combination_counts(void **state) {
  (void)state;
  static const double row[] = {1, -1, 1, 0, -1, 1, 0, 0, 0, 2, 1, 0, 0, 2, 0};
  static const int first[] = {0, 2, 5}, two[] = {0, 2, 4};
  static const double pairs[] = {1, -1, 1, 0, -1, 1, 0, 0, 0, 0, 2, 0};
  double input[TOKENS * DIM] = {1, -1, 1, 0, 0, 0};
  const attcert_matrix x = {TOKENS, DIM, input};
  network_steps network;
  robust_choices c;
  robust_verdict v;
  build(&network);
  assert_int_equal(robust_choices_init(&c, TOKENS, DIM, first, row, NULL), ATTCERT_OK);
  assert_true(c.combinations == 6.0 && c.moves[0] && c.moves[1]);
  assert_int_equal(decide(&v, &c, &network, &x, 6), ATTCERT_OK);
  assert_true(c.enumerated && c.evaluated == 6 && v.certified == 1.0 && isinf(v.refuted));
  assert_true(v.bound.margin.lo <= 8.0 && v.bound.margin.hi >= 8.0 && v.bound.margin.hi - v.bound.margin.lo < 1e-12);
  robust_verdict_clear(&v);
  assert_int_equal(decide(&v, &c, &network, &x, 5), ATTCERT_OK);
  assert_true(!c.enumerated && c.evaluated == 0 && v.bound.margin.lo <= 8.0 && v.bound.margin.lo > 0.0);
  assert_true(v.certified == 1.0);
  robust_verdict_clear(&v);
  robust_choices_clear(&c);
  assert_int_equal(robust_choices_init(&c, TOKENS, DIM, two, pairs, NULL), ATTCERT_OK);
  assert_int_equal(decide(&v, &c, &network, &x, 0), ATTCERT_OK);
  assert_true(v.bound.margin.lo <= 8.0 && v.bound.margin.lo >= 8.0 - 1e-12);
  robust_verdict_clear(&v);
  robust_choices_clear(&c);
  network_clear(&network);
}

/* With a row 1 that takes 20 off, one combination flips: it is found either way, with its picks. */
static void a_combination_flips(void **state) {
  (void)state;
  static const double row[] = {1, -1, 1, 0, -1, 1, 0, 0, 0, 0, 0.5, -1.5};
  static const int first[] = {0, 2, 4};
  double input[TOKENS * DIM] = {1, -1, 1, 0, 0, 0};
  const attcert_matrix x = {TOKENS, DIM, input};
  network_steps network;
  build(&network);
  for (int enumerate = 0; enumerate <= 4; enumerate += 4) {
    robust_choices c;
    robust_verdict v;
    assert_int_equal(robust_choices_init(&c, TOKENS, DIM, first, row, NULL), ATTCERT_OK);
    assert_int_equal(decide(&v, &c, &network, &x, enumerate), ATTCERT_OK);
    assert_true(c.enumerated == (enumerate == 4) && v.certified == 0.0 && v.refuted == 0.0);
    assert_true(c.pick[1] == 1 && v.counterexample.data[3] == 0.0 && v.counterexample.data[5] == -1.5);
    assert_true(v.counterexample_margin.hi < 0.0);
    assert_int_equal(robust_verdict_status(&v, false), ATTCERT_NEGATIVE);
    robust_verdict_clear(&v);
    robust_choices_clear(&c);
  }
  network_clear(&network);
}

static void one_choice_is_refused(void **state) {
  (void)state;
  static const double row[] = {1, -1, 1, 0, -1, 1};
  static const int first[] = {0, 1, 2};
  robust_choices c;
  assert_int_equal(robust_choices_init(&c, TOKENS, DIM, first, row, NULL), ATTCERT_INPUT);
  robust_choices_clear(&c);
}

/* On random networks the hull's bound is below every combination's margin. */
static void the_hull_holds_all(void **state) {
  (void)state;
  int bounded = 0;
  for (uint64_t index = 0; index < 60; index++) {
    network_case of;
    random_source r = random_source_make(5, 9, index);
    int first[RANDOM_NETWORK_TOKENS + 1] = {0};
    robust_verdict hull, all;
    robust_choices c;
    network_case_init(&of, 3, index);
    const size_t n = (size_t)of.x.rows, d = (size_t)of.x.cols;
    double *const row = calloc(4 * n * d, sizeof *row);
    assert_non_null(row);
    for (size_t i = 0, at = 0; i < n; i++) {
      const int more = i == 0 ? 2 : random_integer(&r, 0, 2);
      for (int j = 0; j <= more; j++, at++) {
        for (size_t k = 0; k < d; k++)
          row[at * d + k] = of.x.data[i * d + k] + (j > 0 ? of.ball.region.radius * random_gaussian(&r) : 0.0);
      }
      first[i + 1] = (int)at;
    }
    assert_int_equal(robust_choices_init(&c, of.x.rows, of.x.cols, first, row, NULL), ATTCERT_OK);
    assert_int_equal(decide(&hull, &c, &of.network, &of.x, 0), ATTCERT_OK);
    assert_int_equal(decide(&all, &c, &of.network, &of.x, 1000), ATTCERT_OK);
    if (isfinite(hull.bound.margin.lo)) {
      const range least = isfinite(all.refuted) ? all.counterexample_margin : all.bound.margin;
      if (hull.bound.margin.lo > least.hi) fail_msg("%s: a combination is below the hull's bound", of.name);
      assert_true(hull.certified == 0.0 || all.certified == 1.0);
      bounded++;
    }
    robust_verdict_clear(&hull);
    robust_verdict_clear(&all);
    robust_choices_clear(&c);
    free(row);
    network_case_clear(&of);
  }
  assert_true(bounded > 30);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_combination_counts), cmocka_unit_test(a_combination_flips),
                                     cmocka_unit_test(one_choice_is_refused), cmocka_unit_test(the_hull_holds_all)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* A network that is linear, whose margin on a ball is known: what it is at X less the radius times the dual norm of its
 * slope, which is (3, -4, 12) in both tokens. */
#include "network/affine/step_affine.h"
#include "network/select/step_select.h"
#include "network/sum/step_sum.h"
#include "robust/verdict.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { TOKENS = 2, DIM = 3, CLASSES = 2, MARGIN = 19 };

static const bool second[TOKENS] = {false, true};

static const struct {
  ball_kind_id kind;
  const bool *moves;
  double dual; /* of the slope */
  bool exact;  /* the dual norm is a double */
} balls[] = {
    {BALL_SEQUENCE, NULL, 13.0 * 1.4142135623730951, false},
    {BALL_SEQUENCE, second, 13.0, true},
    {BALL_TOKEN, NULL, 26.0, true},
    {BALL_TOKEN, second, 13.0, true},
    {BALL_ENTRY, NULL, 38.0, true},
    {BALL_ENTRY, second, 19.0, true},
    {BALL_SEQUENCE_SUM, NULL, 12.0, true},
    {BALL_SEQUENCE_SUM, second, 12.0, true},
    {BALL_TOKEN_SUM, NULL, 24.0, true},
    {BALL_TOKEN_SUM, second, 12.0, true},
};

/* Both tokens' W x, added. */
static void build(network_steps *network) {
  static const double weight[CLASSES * DIM] = {2.0, -4.0, 5.0, -1.0, 0.0, -7.0};
  *network = (network_steps){.tokens = TOKENS, .dim = DIM};
  network_builder b = {.network = network, .layer = -1};
  const int x = step_affine_add(&b, 0, &(affine_weights){.weight = weight}, CLASSES);
  const int first = step_select_add(&b, x, 0);
  step_sum_add(&b, first, step_select_add(&b, x, 1));
  assert_int_equal(b.status, ATTCERT_OK);
}

static double input_data[TOKENS * DIM] = {1.0, -1.0, 1.0, 0.0, 0.0, 0.0};
static const attcert_matrix input = {TOKENS, DIM, input_data};

static void the_margin_is_that_of_the_dual_norm(void **state) {
  (void)state;
  network_steps network;
  build(&network);
  for (size_t i = 0; i < sizeof balls / sizeof balls[0]; i++) {
    for (double radius = 0x1p-30; radius <= 1.0; radius *= 4.0) {
      robust_margin margin;
      const robust_ball ball = {
          &input, {.radius = radius, .kind = balls[i].kind, .moves = balls[i].moves}, .label = -1};
      const double truth = MARGIN - radius * balls[i].dual;
      assert_int_equal(robust_margin_evaluate(&margin, &network, &ball, NULL), ATTCERT_OK);
      assert_true(margin.label == 0 && margin.rival == 1 && margin.ended < 0);
      assert_true(margin.margin.lo >= truth - 1e-13 * MARGIN);
      if (balls[i].exact) assert_true(margin.margin.lo <= truth); /* an input has it */
      robust_margin_clear(&margin);
    }
  }
  network_clear(&network);
}

/* The largest radius that is certified and the smallest that is refuted are next to the one where the margin ends. */
static void a_search_ends_where_the_margin_does(void **state) {
  (void)state;
  network_steps network;
  build(&network);
  for (size_t i = 0; i < sizeof balls / sizeof balls[0]; i++) {
    robust_verdict verdict;
    const robust_ball ball = {&input, {.kind = balls[i].kind, .moves = balls[i].moves}, .label = -1};
    const robust_question question = {.relative = 0.01, .attack = 20};
    const double limit = MARGIN / balls[i].dual;
    assert_int_equal(robust_verdict_reach(&verdict, &network, &ball, &question, NULL), ATTCERT_OK);
    assert_true(fabs(verdict.first_order - limit) <= 1e-14 * limit);
    if (balls[i].exact) assert_true(verdict.center.norm.lo <= balls[i].dual && balls[i].dual <= verdict.center.norm.hi);
    assert_true(verdict.certified >= 0.99 * limit && verdict.certified <= limit);
    assert_true(verdict.refuted <= 1.01 * limit && verdict.refuted >= limit);
    robust_verdict_clear(&verdict);
  }
  network_clear(&network);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_margin_is_that_of_the_dual_norm),
                                     cmocka_unit_test(a_search_ends_where_the_margin_does)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

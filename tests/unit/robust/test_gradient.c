/* The margin and the norm of its gradient on random small networks of every kind of step: the enclosures contain the
 * margin in Arb and the norm of its central differences there, and are narrow.
 *   ATTCERT_CASES=N  networks     ATTCERT_SEED=S  which ones */
#include "robust/gradient.h"

#include "network_oracle.h"
#include "random_network.h"
#include "test_setting.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { DEFAULT_CASES = 60 };

/* of a difference: an entry of x has 40 bits behind the point, and is a double with a step more or less, too */
enum { STEP_EXPONENT = -40 };

/* score_label - score_rival at x. */
static void difference_at(arb_t difference, const network_case *c, const robust_gradient *found) {
  network_values values;
  network_values_init(&values, &c->network, &c->x);
  arb_mat_struct *const score = values.value[c->network.count];
  arb_sub(difference, arb_mat_entry(score, 0, found->label), arb_mat_entry(score, 0, found->rival),
          NETWORK_ORACLE_BITS);
  network_values_clear(&values);
}

/* The norm in the words that move. */
static void norm_of_differences(arb_t norm, network_case *c, const robust_gradient *found) {
  arb_t slope, below;
  arb_init(slope), arb_init(below);
  arb_zero(norm);
  for (int k = 0; k < c->word_count * c->x.cols; k++) {
    double *const entry = c->x.data + c->words[k / c->x.cols] * c->x.cols + k % c->x.cols;
    const double before = *entry;
    *entry = before + ldexp(1.0, STEP_EXPONENT);
    difference_at(slope, c, found);
    *entry = before - ldexp(1.0, STEP_EXPONENT);
    difference_at(below, c, found);
    *entry = before;
    arb_sub(slope, slope, below, NETWORK_ORACLE_BITS);
    arb_mul_2exp_si(slope, slope, -STEP_EXPONENT - 1);
    arb_addmul(norm, slope, slope, NETWORK_ORACLE_BITS);
  }
  arb_sqrtpos(norm, norm, NETWORK_ORACLE_BITS);
  arb_clear(slope), arb_clear(below);
}

/* Whether the range, widened by a part of its ends, has a number of the ball. */
static bool meets(range found, double part, const arb_t exact) {
  arf_t lower, upper;
  arf_init(lower), arf_init(upper);
  arb_get_lbound_arf(lower, exact, NETWORK_ORACLE_BITS);
  arb_get_ubound_arf(upper, exact, NETWORK_ORACLE_BITS);
  const bool meet = arf_cmp_d(upper, found.lo - part * fabs(found.lo)) >= 0 &&
                    arf_cmp_d(lower, found.hi + part * fabs(found.hi)) <= 0;
  arf_clear(lower), arf_clear(upper);
  return meet;
}

/* Whether Arb knows the norm well enough for a comparison. */
static bool compare(network_case *c, const robust_gradient *found) {
  arb_t margin, norm;
  arb_init(margin), arb_init(norm);
  difference_at(margin, c, found);
  norm_of_differences(norm, c, found);
  if (!meets(found->margin, 0.0, margin)) fail_msg("%s: the margin is not in its enclosure", c->name);
  if (!meets(found->norm, 1e-9, norm)) fail_msg("%s: the gradient's norm is not in its enclosure", c->name);
  assert_true(found->norm.hi - found->norm.lo <= 1e-8 * found->norm.hi);
  const bool known = arb_rel_accuracy_bits(norm) > 30;
  arb_clear(margin), arb_clear(norm);
  return known;
}

static void margin_and_norm_are_enclosed(void **state) {
  (void)state;
  const uint64_t cases = test_setting("ATTCERT_CASES", DEFAULT_CASES), seed = test_setting("ATTCERT_SEED", 1);
  uint64_t compared = 0;
  for (uint64_t index = 0; index < cases; index++) {
    network_case c;
    robust_gradient found;
    network_case_init(&c, seed, index);
    const robust_gradient_place at = {&c.x, &c.ball.region, -1, NULL};
    assert_int_equal(robust_gradient_enclose(&found, &c.network, &at, NULL), ATTCERT_OK);
    compared += found.differentiable && compare(&c, &found);
    network_case_clear(&c);
  }
  print_message("%d of %d norms compared\n", (int)compared, (int)cases);
  assert_true(2 * compared >= cases);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(margin_and_norm_are_enclosed)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
